"""The repositories of a fleet, as their table holds them, and who may read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from index.segment.columns import Array

REPOSITORIES = "repositories.lance"
TEXTS = ("name", "commit", "generation", "table")  # columns that are texts


@dataclass(frozen=True, slots=True, eq=False)
class Repository:
    """The live state of one repository: `generation` is the key of what is published, `table` holds its chunks.

    `readers` is empty where everybody may read it. `live`: uint64, sorted, the keys of the files that count;
    `chunks` is how many rows these have.
    """

    name: str
    commit: str
    generation: str
    readers: frozenset[str]
    table: str
    live: Array
    chunks: int = 0


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
    """The rows of repositories, as the table of them has them."""
    import pyarrow as pa

    kinds = {**dict.fromkeys(TEXTS, pa.string()), "files": pa.int64(), "chunks": pa.int64(), "live": pa.binary(),
             "readers": pa.list_(pa.string())}  # fmt: skip
    rows = [
        {**{name: getattr(one, name) for name in (*TEXTS, "chunks")}, "files": len(one.live),
         "live": one.live.astype("<u8").tobytes(), "readers": sorted(one.readers)}
        for one in repositories
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, pa.schema(list(kinds.items())))


NAMED = 1.0  # points of a repository that a question names, and of one that defines a name of the question


def naming_points(name: str, words: Iterable[str]) -> float:
    """The points of a repository whose name is one of these words."""
    return NAMED if name.rpartition("/")[2].lower() in {word.lower() for word in words} else 0.0


def visible(
    repositories: Iterable[Repository], reader: str | None, globs: Sequence[str] = (), *, owner: bool = False
) -> list[Repository]:
    """The repositories that a reader may see and a glob matches. An `owner` holds the store's keys and sees all.

    A reader without a name sees what everybody may read.
    """
    return [
        one
        for one in repositories
        if (owner or not one.readers or reader in one.readers)
        and (not globs or any(fnmatchcase(one.name, glob) for glob in globs))
    ]
