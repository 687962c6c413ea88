"""Opens a fleet's Lance tables, and reads the table of repositories and who may see them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from contracts.errors import InvalidRequest, IOFailure, with_extra
from index.fleet.objects import StoreFailure, checked_scheme
from index.segment.columns import Array

EXTRA = "fleet"
# mallopt(3): two arenas (-8) for the engine's threads; blocks of a megabyte or more are mapped (-3) and given back at
# once (-1). Otherwise, memory left from loading an index is a quarter of a server's.
ALLOCATOR = ((-8, 2), (-3, 1 << 20), (-1, 1 << 20))
CACHE_BYTES = 32 << 30  # for indexes in memory: enough for all, so that a warm query asks the store for nothing


def lance() -> Any:
    """The package `lance`. InvalidRequest if it is not installed, with the command that installs it."""
    for parameter, value in ALLOCATOR:
        _allocator("mallopt", parameter, value)
    os.environ.setdefault("LANCE_LOG", "error")  # it warns about every table that it makes
    try:
        import lance as package
    except ImportError as error:
        raise InvalidRequest(
            "fleet", "a fleet needs pylance, which is not installed", hint=f"run {with_extra(EXTRA)}"
        ) from error
    return package


def give_back() -> None:
    """Return memory freed after reading an index to the system: a fifth of a server's memory."""
    _allocator("malloc_trim", 0)


def _allocator(function: str, *arguments: int) -> None:
    """Call a function of glibc's allocator; does nothing on systems without it."""
    import ctypes
    import sys

    if sys.platform == "linux":
        with suppress(AttributeError, OSError):
            getattr(ctypes.CDLL(None), function)(*arguments)


def location(uri: str) -> str:
    """A URI without a trailing slash; for a folder, its absolute path. InvalidRequest if it is no store's."""
    checked_scheme(uri)
    return uri.rstrip("/") if "://" in uri else str(Path(uri).expanduser().absolute())


def command(*words: str) -> str:
    """A command line of `ctxpack fleet`, for hints."""
    return f"`{shlex.join(['ctxpack', 'fleet', *words])}`"


def open_table(uri: str, name: str) -> Any:
    """The newest version of a table of a store. InvalidRequest if it does not exist, IOFailure."""
    package = lance()
    with store_errors(uri):
        try:
            return package.dataset(f"{uri}/{name}", index_cache_size_bytes=CACHE_BYTES)
        except (FileNotFoundError, ValueError) as error:
            if "not found" not in str(error).lower():  # the store does not answer, or refuses
                raise
            hint = "run `ctxpack fleet index TREE... URI` to create one"
            raise InvalidRequest("fleet", f"{uri} contains no fleet: {name} does not exist", hint=hint) from error


def newest(table: Any) -> Any:
    """The newest version of a table: the table itself if it is that."""
    return table if table.latest_version == table.version else table.checkout_version(table.latest_version)


@contextmanager
def store_errors(uri: str) -> Iterator[None]:
    """Turn errors of the store (a table that vanishes, no answer) into an IOFailure of one line."""
    try:
        yield
    except StoreFailure as failure:
        raise IOFailure(f"{uri}: {failure}", details={"path": uri}) from failure
    except (OSError, ValueError, RuntimeError) as error:
        text = str(error).partition("\n")[0].partition(", /")[0].strip() or type(error).__name__
        raise IOFailure(f"{uri} cannot be read: {text}", details={"path": uri}) from error


REPOSITORIES = "repositories.lance"
TEXTS = ("name", "commit", "generation", "table")  # columns that are texts


@dataclass(frozen=True, slots=True, eq=False)
class Repository:
    """The live state of one repository: `generation` is the key of the published generation, `table` has its chunks.

    `readers` is empty if everybody may read it. `live`: uint64, sorted, the keys of its files; `chunks`: the number of
    their rows.
    """

    name: str
    commit: str
    generation: str
    readers: frozenset[str]
    table: str
    live: Array
    chunks: int = 0

    @property
    def series(self) -> str:
        """Equal for all commits of one folder of a repository, in any format."""
        return self.generation.rpartition("/")[0]

    @property
    def state(self) -> tuple[str, frozenset[str]]:
        """Equal if there is nothing to update."""
        return self.generation, self.readers


def repositories_of(table: Any) -> tuple[Repository, ...]:
    """The repositories of a version of their table, by name."""
    rows = table.to_table(columns=[*TEXTS, "chunks", "live", "readers"]).to_pylist()
    return tuple(
        Repository(
            **{name: row[name] for name in (*TEXTS, "chunks")}, readers=frozenset(row["readers"] or ()),
            live=np.frombuffer(row["live"] or b"", "<u8"),
        )
        for row in sorted(rows, key=lambda row: str(row["name"]))
    )  # fmt: skip


def table_of(repositories: Iterable[Repository]) -> Any:
    """The rows of these repositories, in the form of the table of repositories."""
    import pyarrow as pa

    kinds = {**dict.fromkeys(TEXTS, pa.string()), "files": pa.int64(), "chunks": pa.int64(), "live": pa.binary(),
             "readers": pa.list_(pa.string())}  # fmt: skip
    rows = [
        {**{name: getattr(one, name) for name in (*TEXTS, "chunks")}, "files": len(one.live),
         "live": one.live.astype("<u8").tobytes(), "readers": sorted(one.readers)}
        for one in repositories
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, pa.schema(list(kinds.items())))


NAMED = 1.0  # points of a repository that a question names, and of one that defines a name in the question


def naming_points(name: str, words: Iterable[str]) -> float:
    """The points of a repository whose name is one of these words."""
    return NAMED if name.rpartition("/")[2].lower() in {word.lower() for word in words} else 0.0


def visible(
    repositories: Iterable[Repository], reader: str | None, globs: Sequence[str] = (), *, owner: bool = False
) -> list[Repository]:
    """The repositories that a reader may see and a glob matches. An `owner` has the store's keys and sees all.

    A reader without a name sees those that everybody may read.
    """
    return [
        one
        for one in repositories
        if (owner or not one.readers or reader in one.readers)
        and (not globs or any(fnmatchcase(one.name, glob) for glob in globs))
    ]
