"""Which repositories a question is about: row ids by meaning, by words and by name, in a few milliseconds.

Each set of readers has a table of its own, so that neither statistics nor indexes nor the number of candidates of a
reader depend on rows that he may not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from index.fleet.catalog import NAMED, naming_points
from index.fleet.engine import give_back, open_table, said
from index.fleet.row_map import RowMap, row_map
from index.text import words_of

if TYPE_CHECKING:
    from index.fleet.catalog import Repository
    from index.search.query import Query
    from index.segment.columns import Array

NEAREST = 500  # by meaning: with three bits a dimension, 0.98 of the exact first 200 are among them
BY_WORDS = 200
PROBES = 64  # partitions of the vector index that are read
MORE = 4  # times as many, where most of the candidates do not count: rows of old commits, copies of one file
LEAST_SHARE = 0.5
CREDITED = 5  # places of a repository that speak for it: the second half as much as the first, and so on


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Rows that count: the place of each, its repository, its value from 0 to 1, and by which way it was found."""

    places: Array
    repositories: Array
    values: Array
    ways: Array


class ChunkTable:
    """One table of chunk rows with its map."""

    def __init__(self, uri: str, name: str, folder: Path) -> None:
        self._uri, self._folder = uri, folder / name
        self._table: Any = open_table(uri, name)
        self.rows: RowMap = self._map()
        self._is_warm = False

    def refresh(self) -> None:
        """Go to the newest version."""
        with said(self._uri):
            if self._table.latest_version != self._table.version:
                self._table = self._table.checkout_version(self._table.latest_version)
                self.rows = self._map()
                if self._is_warm:
                    self.prewarm()

    def prewarm(self) -> None:
        """Read the indexes into memory, now and after each refresh."""
        self._is_warm = True
        with said(self._uri):
            for index in self._table.describe_indices():
                self._table.prewarm_index(index.name)
                give_back()

    def requests(self) -> int:
        """How often the store was read since this was last asked."""
        return int(self._table.io_stats_incremental().read_iops)

    def nearest(self, vector: Array, most: int) -> tuple[Array, Array]:
        """(positions, how near) of the rows that are nearest in meaning."""
        nearest = {"column": "vector", "q": vector, "k": most, "nprobes": PROBES}
        found = self._found("_distance", nearest=nearest)
        return found[0], -found[1]

    def by_words(self, terms: Sequence[str], most: int) -> tuple[Array, Array]:
        """(positions, BM25) of the rows that hold the rarest of the terms."""
        query = {"query": " ".join(terms), "columns": ["terms"]}
        return self._found("_score", full_text_query=query, limit=most)

    def _found(self, column: str, **request: Any) -> tuple[Array, Array]:
        with said(self._uri):
            scanner = self._table.scanner(
                columns=["_rowid", column], disable_scoring_autoprojection=True, **request
            )  # fmt: skip
            found = scanner.to_table()
        positions, known = self.rows.positions(found["_rowid"].to_numpy())
        return positions, found[column].to_numpy()[known].astype(np.float64)

    def _map(self) -> RowMap:
        with said(self._uri):
            return row_map(self._table, self._folder)


def candidates(
    tables: Sequence[ChunkTable], repositories: Sequence[Repository], query: Query, vector: Array | None
) -> Candidates:
    """The rows of these repositories' live files that may answer."""
    live = owners(tuple(repositories))
    words = [*query.terms, *query.compounds]
    ways = [lambda table, most: table.by_words(words, most)] if words else []
    if vector is not None and vector.any():
        ways.append(lambda table, most: table.nearest(vector, most))
    parts: list[Candidates] = []
    for number, (way, most) in enumerate(zip(ways, (BY_WORDS, NEAREST), strict=False)):
        found = _counting(tables, live, way, most, number)
        if len(found.values):
            parts.append(found)
    parts.append(_named(tables, live, query, len(ways)))
    return Candidates(*(np.concatenate([getattr(one, name) for one in parts]) for name in Candidates.__slots__))


class Owners:
    """The keys of all live files, sorted, with the number of the repository of each."""

    def __init__(self, repositories: Sequence[Repository]) -> None:
        keys = np.concatenate([one.live for one in repositories]) if repositories else np.zeros(0, np.uint64)
        owner = np.repeat(np.arange(len(repositories)), [len(one.live) for one in repositories])
        order = keys.argsort(kind="stable")
        self.keys, self.owner = keys[order], owner[order]

    def of(self, files: Array) -> Array:
        """int64: the repository of each file; -1 for one that does not count."""
        if not len(self.keys):
            return np.full(len(files), -1)
        at = np.minimum(self.keys.searchsorted(files), len(self.keys) - 1)
        return np.where(self.keys[at] == files, self.owner[at], -1)


@lru_cache(maxsize=4)  # sets of repositories that are asked: readers, and what they were before a commit
def owners(repositories: tuple[Repository, ...]) -> Owners:
    """The keys of these repositories, sorted once: a quarter of a question's time at a million rows."""
    return Owners(repositories)


def _counting(tables: Sequence[ChunkTable], live: Owners, way: Any, most: int, number: int) -> Candidates:
    """What one way finds in all tables, as shares of the best; asked again for more where little of it counts."""
    for asked in (most, MORE * most):
        places, owners, values = [], [], []
        for table in tables:
            positions, scores = way(table, asked)
            owner = live.of(table.rows.files[positions])
            counts = owner >= 0
            places.append(table.rows.places[positions[counts]])
            owners.append(owner[counts])
            values.append(scores[counts])
        place, owner, value = (np.concatenate(one) if one else np.zeros(0) for one in (places, owners, values))
        if len(np.unique(place)) >= LEAST_SHARE * most:
            break
    first = value.argsort(kind="stable")[::-1][:asked]
    place, owner, value = place[first], owner[first], value[first]
    return Candidates(place, owner, _shares(value), np.full(len(value), number))


def _shares(values: Array) -> Array:
    """float64: 0 for the least of the values, 1 for the best; BM25, which is positive, from 0."""
    if not len(values):
        return values
    least = min(float(values.min()), 0.0) if values.min() >= 0 else float(values.min())
    return (values - least) / max(float(values.max()) - least, 1e-9)


def _named(tables: Sequence[ChunkTable], live: Owners, query: Query, number: int) -> Candidates:
    """The definitions of the names that the question spells as code does: one a repository."""
    owners: list[Array] = []
    places: list[Array] = []
    for name in dict.fromkeys([*query.spelled(), *([query.symbol] if query.symbol else ())]):
        for table in tables:
            positions = table.rows.defining(name)
            owner = live.of(table.rows.files[positions])
            _, first = np.unique(owner, return_index=True)
            first = first[owner[first] >= 0]
            owners.append(owner[first])
            places.append(table.rows.places[positions[first]])
    owner, place = (np.concatenate(one) if one else np.zeros(0, np.int64) for one in (owners, places))
    return Candidates(place.astype(np.uint64), owner, np.full(len(owner), NAMED), np.full(len(owner), number))


def chosen(found: Candidates, repositories: Sequence[Repository], query: Query, most: int) -> list[Repository]:
    """The repositories that the candidates speak for, best first, ties by name.

    What stands in several of them, as in forks, speaks for the best of these alone.
    """
    words = {word.lower() for word in words_of(query.text)}
    named = np.array([naming_points(one.name, words) for one in repositories])
    free = np.ones(len(found.values), bool)
    best: list[int] = []
    left = np.ones(len(repositories), bool)
    while len(best) < most:
        points = np.where(left, _points(found, free, len(repositories)) + named, 0.0)
        first = int(points.argmax()) if len(points) else 0
        if not len(points) or points[first] <= 0:
            break
        best.append(first)
        left[first] = False
        free &= ~np.isin(found.places, found.places[found.repositories == first])
    return [repositories[number] for number in best]


def _points(found: Candidates, free: Array, repositories: int) -> Array:
    """float64[repositories], to nine digits: the best places of each, the second for half of its value, and so on."""
    group = (found.ways * repositories + found.repositories)[free].astype(np.int64)
    values = found.values[free]
    order = np.lexsort((-values, group))
    group, values = group[order], values[order]
    rank = np.arange(len(group)) - group.searchsorted(group)
    top = rank < CREDITED
    points: Array = np.bincount(group[top] % max(repositories, 1), values[top] / (rank[top] + 1), repositories)
    return points.round(9)


def table_names(repositories: Iterable[Repository]) -> list[str]:
    """The tables that hold the chunks of these repositories."""
    return sorted({one.table for one in repositories})
