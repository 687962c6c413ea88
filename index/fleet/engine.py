"""What a fleet needs of Lance: its tables opened, its faults said in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from contracts.distribution import with_extra
from contracts.errors import InvalidRequest, IOFailure

EXTRA = "fleet"
CACHE_BYTES = 32 << 30  # of an index in memory: all of it, so that a warm query asks the store for nothing


def lance() -> Any:
    """The package. InvalidRequest, with the command that installs it."""
    try:
        import lance as package
    except ImportError as error:
        raise InvalidRequest(
            "fleet", "a fleet needs pylance, which is not installed", hint=f"`{with_extra(EXTRA)}`"
        ) from error
    return package


def open_table(uri: str, name: str) -> Any:
    """The newest version of a table of a store. InvalidRequest where there is none, IOFailure."""
    package = lance()
    try:
        return package.dataset(f"{uri.rstrip('/')}/{name}", index_cache_size_bytes=CACHE_BYTES)
    except (FileNotFoundError, ValueError) as error:
        hint = "`ctxpack fleet index TREE... URI` makes one"
        raise InvalidRequest("fleet", f"{uri} holds no fleet: {name} is not there", hint=hint) from error
    except OSError as error:
        raise refused(uri, error) from error


def refused(uri: str, error: Exception) -> IOFailure:
    """What a store refuses, in one line."""
    text = str(error).partition("\n")[0].partition(", /")[0].strip()
    return IOFailure(f"{uri} cannot be read: {text or type(error).__name__}", details={"path": uri})


@contextmanager
def said(uri: str) -> Iterator[None]:
    """A table that vanishes, or a store that does not answer, is an IOFailure."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:
        raise refused(uri, error) from error
