"""The command `ctxpack`: a thin skin over `context_pack.session`. Only the modules of this folder import click."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code: 0 ok, 1 the command failed, 2 usage."""
    from context_pack.rooms import stranger

    sentence = stranger()
    if sentence is not None:
        _refuse(sentence)
        sys.exit(1)
    from context_pack.cli.app import run

    sys.exit(run(sys.argv[1:]))


def _refuse(sentence: str) -> None:
    """Say that the installation is mixed up, without any of our packages: one of them is a stranger."""
    import json

    from context_pack import __version__

    error = {"code": "internal", "message": sentence, "hint": "", "details": {}}
    meta = {"ctxpack_version": __version__}
    print(json.dumps({"status": "error", "hints": [], "data": None, "meta": meta, "error": error}, sort_keys=True))
    print(f"ctxpack: {sentence}", file=sys.stderr)
