"""Lance for a fleet: its tables opened, its faults said in one line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from contracts.distribution import with_extra
from contracts.errors import InvalidRequest, IOFailure
from index.fleet.objects import StoreFailure

EXTRA = "fleet"
# mallopt(3): two arenas (-8) for the engine's threads, and blocks of a megabyte of the system's own (-3), given back at
# once (-1): what was read on the way to an index in memory is a quarter of a server otherwise.
ALLOCATOR = ((-8, 2), (-3, 1 << 20), (-1, 1 << 20))
CACHE_BYTES = 32 << 30  # of an index in memory: all of it, so that a warm query asks the store for nothing


def lance() -> Any:
    """The package. InvalidRequest, with the command that installs it."""
    for parameter, value in ALLOCATOR:
        _allocator("mallopt", parameter, value)
    os.environ.setdefault("LANCE_LOG", "error")  # it warns of every table that it makes
    try:
        import lance as package
    except ImportError as error:
        raise InvalidRequest(
            "fleet", "a fleet needs pylance, which is not installed", hint=f"`{with_extra(EXTRA)}`"
        ) from error
    return package


def give_back() -> None:
    """Give the system what reading an index left free: a fifth of a server's memory."""
    _allocator("malloc_trim", 0)


def _allocator(function: str, *arguments: int) -> None:
    """Call a function of glibc's allocator; elsewhere there is none, and nothing happens."""
    import ctypes
    import sys

    if sys.platform == "linux":
        with suppress(AttributeError, OSError):
            getattr(ctypes.CDLL(None), function)(*arguments)


def location(uri: str) -> str:
    """A URI without a slash at its end; a folder by its absolute path."""
    return uri.rstrip("/") if "://" in uri else str(Path(uri).expanduser().absolute())


def open_table(uri: str, name: str) -> Any:
    """The newest version of a table of a store. InvalidRequest where there is none, IOFailure."""
    package = lance()
    with store_errors(uri):
        try:
            return package.dataset(f"{uri}/{name}", index_cache_size_bytes=CACHE_BYTES)
        except (FileNotFoundError, ValueError) as error:
            hint = "`ctxpack fleet index TREE... URI` makes one"
            raise InvalidRequest("fleet", f"{uri} holds no fleet: {name} is not there", hint=hint) from error


def newest(table: Any) -> Any:
    """The newest version of a table; the table itself where that is it."""
    return table if table.latest_version == table.version else table.checkout_version(table.latest_version)


@contextmanager
def store_errors(uri: str) -> Iterator[None]:
    """What the store refuses is an IOFailure of one line: a table that vanishes, a store that does not answer."""
    try:
        yield
    except StoreFailure as failure:
        raise IOFailure(f"{uri}: {failure}", details={"path": uri}) from failure
    except (OSError, ValueError, RuntimeError) as error:
        text = str(error).partition("\n")[0].partition(", /")[0].strip() or type(error).__name__
        raise IOFailure(f"{uri} cannot be read: {text}", details={"path": uri}) from error
