"""The command `ctxpack`: a thin layer over `context_pack.session`. Only the modules of this folder import click."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from importlib.util import find_spec

# New objects between two garbage collections. Start-up creates 100,000 long-lived objects, a corpus of 10,000 files ten
# times as many; with Python's own threshold, collections take a quarter of the time of a graph pack.
GC_THRESHOLD = 1_000_000
# A matrix-vector product takes a fraction of a millisecond on one processor. A second thread busy-waits: on a loaded
# machine it makes the whole answer take three times as long.
BLAS_THREADS = "OPENBLAS_NUM_THREADS"
PACKAGES = ("contracts", "chunker", "index")  # common names: another distribution may use one of them


def main() -> None:
    """Run the command line and exit with its code: 0 success, 1 failure, 2 usage error."""
    gc.set_threshold(GC_THRESHOLD)
    os.environ.setdefault(BLAS_THREADS, "1")
    _open_closed_streams()
    sentence = _stranger()
    if sentence is not None:
        _refuse(sentence)
        sys.exit(1)
    try:
        from context_pack.cli.app import run

        _leave(run(sys.argv[1:]))
    except KeyboardInterrupt:  # before click can turn it into an exit code
        _leave(130)


def _open_closed_streams() -> None:
    """Open the streams that the caller has closed (`2>&-`), so that no other file gets their number and is printed to.

    What is printed to stderr is lost then; stdout is opened for reading, so that an answer nobody can get is an error.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            os.dup2(null, number)
            setattr(sys, name, open(number, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: PTH123, SIM115


def _stranger() -> str | None:
    """A sentence about a package that is missing or not ours, or None. Imports nothing."""
    house = _above(os.path.dirname(__file__))  # noqa: PTH120 - no pathlib before start-up
    for package in PACKAGES:
        spec = find_spec(package)
        place = spec.origin if spec is not None else None
        if place is None or _above(place) != house:
            stranger = f"the package `{package}` was found in {place}, which is not part of ctxpack"
            return (
                f"{stranger if place else f'the package `{package}` is missing'}: another package has the same name; "
                "install ctxpack in an environment of its own: in a clone, `pipx install .` or `uv tool install .`"
            )
    return None


def _above(file: str) -> str:
    """The folder two levels above a file: for a package's file, the folder that contains the package."""
    return os.path.dirname(os.path.dirname(os.path.realpath(file)))  # noqa: PTH120 - no pathlib before start-up


def _leave(code: int) -> None:
    """Exit without tearing down the interpreter, which takes a fifth of the time of a warm question."""
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _refuse(sentence: str) -> None:
    """Report a mixed-up installation without importing our packages, as one of them is not ours."""
    import json

    from context_pack.version import __version__

    error = {"code": "internal", "message": sentence, "hint": "", "details": {}}
    meta = {"ctxpack_version": __version__}
    print(json.dumps({"status": "error", "hints": [], "data": None, "meta": meta, "error": error}, sort_keys=True))
    print(f"ctxpack: {sentence}", file=sys.stderr)
