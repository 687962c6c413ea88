"""The repositories of a fleet, and who may read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

from index.fleet.engine import open_table, said

if TYPE_CHECKING:
    from index.segment.columns import Array

REPOSITORIES = "repositories.lance"


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


class Catalog:
    """The table of repositories, as of its newest version that was looked at."""

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self._table: Any = open_table(uri, REPOSITORIES)
        self.repositories = self._read()

    def refresh(self) -> bool:
        """Look for a newer version; whether there was one."""
        with said(self._uri):
            if self._table.latest_version == self._table.version:
                return False
            self._table = self._table.checkout_version(self._table.latest_version)
        self.repositories = self._read()
        return True

    def _read(self) -> tuple[Repository, ...]:
        columns = ["name", "commit", "generation", "readers", "table", "live", "chunks"]
        with said(self._uri):
            rows = self._table.to_table(columns=columns).to_pylist()
        return tuple(
            Repository(
                row["name"], row["commit"], row["generation"], frozenset(row["readers"] or ()), row["table"],
                np.frombuffer(row["live"] or b"", "<u8"), row["chunks"],
            )
            for row in sorted(rows, key=lambda row: str(row["name"]))
        )  # fmt: skip


NAMED = 1.0  # points for a repository that a question names, and for one that defines a name of the question


def naming_points(name: str, words: Iterable[str]) -> float:
    """What it speaks for a repository that its name is one of these words."""
    return NAMED if name.rpartition("/")[2].lower() in {word.lower() for word in words} else 0.0


def visible(
    repositories: Iterable[Repository], reader: str | None, globs: Sequence[str] = (), *, owner: bool = False
) -> list[Repository]:
    """What a reader may see, by name; of that only what a glob matches. `owner`: who holds the store's keys sees all.

    A reader without a name sees what everybody may read.
    """
    return [
        one
        for one in repositories
        if (owner or not one.readers or reader in one.readers)
        and (not globs or any(fnmatchcase(one.name, glob) for glob in globs))
    ]
