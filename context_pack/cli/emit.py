"""Results go to stdout or to a file, everything else to stderr, and only where someone reads it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from context_pack.envelope import encoded
from contracts.errors import CtxpackError
from contracts.records import Envelope, Hint
from contracts.wire import envelope_data


def write_envelope(envelope: Envelope, *, pretty: bool = False, out: str | None = None, in_order: bool = False) -> None:
    """One JSON document with sorted keys, unless their order says something: on one line, or indented for a person."""
    indented = pretty or (out is None and sys.stdout.isatty())
    write(encoded(envelope_data(envelope), indented=indented, in_order=in_order), out)


def write(result: bytes, out: str | None = None) -> None:
    """The result, to stdout or to the file `out`, which is replaced as a whole. OSError names the file."""
    if out is None or out == "-":
        _print(result)
        return
    target = Path(out)
    if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
        target.write_bytes(result)
        return
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(result)
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, out) from error


def _print(result: bytes) -> None:
    """The result on stdout; when nobody reads on, that is the end, and no complaint."""
    try:
        sys.stdout.buffer.write(result)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still buffered goes nowhere
        raise SystemExit(0) from None
    except OSError as error:  # a full disk behind `> pack.json`
        raise OSError(error.errno, error.strerror, "stdout") from error


def tell_error(error: CtxpackError) -> None:
    """One clear line about a failure, for a person."""
    if sys.stderr.isatty():
        hint = f" ({error.hint})" if error.hint else ""
        _say(f"{error.message}{hint}")


def tell_hints(hints: tuple[Hint, ...]) -> None:
    """The hints of an answer whose format has no place for them."""
    if sys.stderr.isatty():
        for hint in hints:
            _say(hint.text)


def _say(text: str) -> None:
    """One line on the terminal. A name in it may hold what a terminal would obey: that is written as an escape."""
    from context_pack.render.phrases import escaped

    print(f"ctxpack: {escaped(text)}", file=sys.stderr)
