"""The command `ctxpack`: a thin skin over `context_pack.session`. Only the modules of this folder import click."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from importlib.util import find_spec

# New objects between two collections. Start-up makes 100,000 that stay, a corpus of 10,000 files ten times as many;
# Python's own threshold costs a quarter of the time of a graph pack.
GC_THRESHOLD = 1_000_000
# A product of a matrix and a vector takes a fraction of a millisecond on one processor. A second thread waits actively:
# on a busy machine the whole answer then takes three times as long.
BLAS_THREADS = "OPENBLAS_NUM_THREADS"
PACKAGES = ("contracts", "chunker", "index")  # plain names: another distribution may have one of them


def main() -> None:
    """Run the command line and exit with its code: 0 ok, 1 the command failed, 2 usage."""
    gc.set_threshold(GC_THRESHOLD)
    os.environ.setdefault(BLAS_THREADS, "1")
    sentence = _stranger()
    if sentence is not None:
        _refuse(sentence)
        sys.exit(1)
    try:
        from context_pack.cli.app import run

        _leave(run(sys.argv[1:]))
    except KeyboardInterrupt:  # before click was there to turn it into an exit code
        _leave(130)


def _stranger() -> str | None:
    """One sentence about a package that is not ours, or None. Nothing is imported to find out."""
    house = _above(os.path.dirname(__file__))  # noqa: PTH120 - no pathlib before start-up
    for package in PACKAGES:
        spec = find_spec(package)
        place = spec.origin if spec is not None else None
        if place is None or _above(place) != house:
            stranger = f"`{package}` was found in {place}, which is not part of ctxpack"
            return (
                f"{stranger if place else f'`{package}` is missing'}: another package of that name stands in the way, "
                "so install ctxpack on its own: in a clone of it, `pipx install .` or `uv tool install .`"
            )
    return None


def _above(file: str) -> str:
    """The folder two above a file: of a package's file, the one that holds the package."""
    return os.path.dirname(os.path.dirname(os.path.realpath(file)))  # noqa: PTH120 - no pathlib before start-up


def _leave(code: int) -> None:
    """Exit without tearing down the interpreter, which takes a fifth of a warm question's time."""
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _refuse(sentence: str) -> None:
    """Say that the installation is mixed up, without any of our packages: one of them is a stranger."""
    import json

    from context_pack.version import __version__

    error = {"code": "internal", "message": sentence, "hint": "", "details": {}}
    meta = {"ctxpack_version": __version__}
    print(json.dumps({"status": "error", "hints": [], "data": None, "meta": meta, "error": error}, sort_keys=True))
    print(f"ctxpack: {sentence}", file=sys.stderr)
