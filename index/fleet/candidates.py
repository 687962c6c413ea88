"""Chooses the repositories that a question is about: candidate rows by meaning, words and name, in a few milliseconds.

Each set of readers has its own table, so that statistics, indexes and the number of candidates never depend on rows
that a reader may not see.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from index.arithmetic import is_in
from index.fleet.catalog import NAMED, Repository, give_back, naming_points, newest, open_table, store_errors
from index.search.query import Query
from index.segment.columns import Array, joined, rows_of
from index.text import parts_of, words_of

NEAREST = 500  # by meaning: with three bits per dimension, 0.98 of the exact first 200 are among them
BY_WORDS = 200
PROBES = 64  # partitions of the vector index that are read
MORE = 4  # times as many if most rows do not count: rows of old commits, copies of one file
MIN_SHARE = 0.5
MAPPED = ("blob", "file_key", "start_line", "symbol")
MAP_FORMAT = 1
_LAST = re.compile(r"[^\W]+$")
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
CREDITED = 5  # best places counted per repository: the n-th counts 1 / n of its value


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Rows that count: the place, repository and value (0 to 1) of each, and the number of the way that found it."""

    places: Array
    repositories: Array
    values: Array
    ways: Array


NOTHING = Candidates(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class RowMap:
    """uint64[rows] each, ordered by `ids`: the engine's row id; the file (`file_key`); the place, a hash of blob and
    line that is equal in all repositories; the key of the name that is defined there (0: none).
    """

    ids: Array
    files: Array
    places: Array
    names: Array

    def defining(self, name: str) -> Array:
        """The positions of the rows that define a name, in any spelling."""
        return np.flatnonzero(self.names == np.uint64(name_key(name)))


def positions_in(keys: Array, values: Array) -> Array:
    """int64: the position of each value in sorted keys; -1 if it is not among them."""
    return np.where(is_in(values, keys), keys.searchsorted(values), -1)


def name_key(symbol: str) -> int:
    """The key of the last part of a qualified name; 0 if there is no name. `maxChars` and `max_chars` have one key."""
    last = _LAST.search(symbol)
    name = "".join(parts_of(last.group())) if last else ""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little") if name else 0


def row_map(table: Any, folder: Path) -> RowMap:
    """The map of a table's newest version; fragments that were mapped before are read from the folder."""
    fragments = sorted(table.get_fragments(), key=lambda one: int(one.fragment_id))
    names = {f"{Path(one.metadata.files[0].path).stem}-{one.fragment_id}-{MAP_FORMAT}.npy": one for one in fragments}
    folder.mkdir(parents=True, exist_ok=True)
    parts = [_part(folder / name, fragment) for name, fragment in names.items()]
    for old in folder.glob("*.npy"):
        if old.name not in names:
            old.unlink(missing_ok=True)
    columns = np.concatenate(parts, axis=1) if parts else np.zeros((4, 0), np.uint64)
    if len(columns[0]) and (np.diff(columns[0].astype(np.int64)) < 0).any():
        columns = columns[:, columns[0].argsort(kind="stable")]
    return RowMap(*columns)


def _part(file: Path, fragment: Any) -> Array:
    """uint64[4, rows] of one fragment."""
    try:
        part: Array = np.load(file, mmap_mode="r", allow_pickle=False)
        if part.dtype == np.uint64 and part.ndim == 2 and len(part) == 4:
            return part
    except (OSError, ValueError):
        pass
    rows = fragment.to_table(columns=list(MAPPED), with_row_id=True)
    if not rows.num_rows:  # all of them are deleted
        return np.zeros((4, 0), np.uint64)
    blobs = np.frombuffer(rows["blob"].combine_chunks().cast("binary").buffers()[2], "<u8").reshape(-1, 2)[:, 0]
    lines = rows["start_line"].to_numpy().astype(np.uint64)
    encoded = rows["symbol"].combine_chunks().dictionary_encode()
    keys = np.array([*(name_key(name or "") for name in encoded.dictionary.to_pylist()), 0], np.uint64)
    symbols = encoded.indices.fill_null(len(keys) - 1).to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore"):
        places = blobs * _SPREAD + lines
    made = np.stack([rows["_rowid"].to_numpy(), rows["file_key"].to_numpy(), places, keys[symbols]]).astype(np.uint64)
    temporary = file.with_suffix(f".{os.getpid()}")
    with temporary.open("wb") as out:
        np.save(out, made)
    temporary.replace(file)
    return made


class RowTable:
    """One table of chunk rows and its row map."""

    def __init__(self, uri: str, name: str, folder: Path) -> None:
        self._uri, self._folder = uri, folder / name
        self._table: Any = open_table(uri, name)
        with store_errors(uri):
            self.rows: RowMap = row_map(self._table, self._folder)
        self._is_warm = False

    def refresh(self) -> None:
        """Go to the newest version."""
        with store_errors(self._uri):
            table = newest(self._table)
            if table is not self._table:
                self._table, self.rows = table, row_map(table, self._folder)
                if self._is_warm:
                    self.prewarm()

    def prewarm(self) -> None:
        """Read the indexes into memory, now and after each refresh."""
        self._is_warm = True
        with store_errors(self._uri):
            for index in self._table.describe_indices():
                self._table.prewarm_index(index.name)
                give_back()

    def nearest(self, vector: Array, most: int) -> tuple[Array, Array]:
        """(positions, negated distances) of the rows that are nearest in meaning."""
        nearest = {"column": "vector", "q": vector, "k": most, "nprobes": PROBES}
        positions, distances = self._scan("_distance", nearest=nearest)
        return positions, -distances

    def by_words(self, terms: Sequence[str], most: int) -> tuple[Array, Array]:
        """(positions, BM25) of the rows that match the terms best."""
        query = {"query": " ".join(terms), "columns": ["terms"]}
        return self._scan("_score", full_text_query=query, limit=most)

    def _scan(self, column: str, **request: Any) -> tuple[Array, Array]:
        with store_errors(self._uri):
            scanner = self._table.scanner(columns=["_rowid", column], disable_scoring_autoprojection=True, **request)
            rows = scanner.to_table()
        positions = positions_in(self.rows.ids, rows["_rowid"].to_numpy())
        mapped = positions >= 0
        return positions[mapped], rows[column].to_numpy()[mapped].astype(np.float64)


Way = Callable[[RowTable, int], tuple[Array, Array]]


def candidates(
    tables: Sequence[RowTable], repositories: Sequence[Repository], query: Query, vector: Array | None
) -> Candidates:
    """The rows of these repositories' live files that may answer."""
    live = owners(tuple(repositories))
    words = [*query.terms, *query.compounds]
    ways: list[tuple[Way, int]] = []
    if words:
        ways.append((lambda table, most: table.by_words(words, most), BY_WORDS))
    if vector is not None and vector.any():
        ways.append((lambda table, most: table.nearest(vector, most), NEAREST))
    parts = [_live_rows(tables, live, way, most, number) for number, (way, most) in enumerate(ways)]
    return joined([NOTHING, *parts, *_definitions(tables, live, query, len(ways))])


class Owners:
    """The keys of all live files, sorted, with the number of the repository of each."""

    def __init__(self, repositories: Sequence[Repository]) -> None:
        keys = np.concatenate([np.zeros(0, np.uint64), *(one.live for one in repositories)])
        owner = np.repeat(np.arange(len(repositories)), [len(one.live) for one in repositories])
        order = keys.argsort(kind="stable")
        self.keys, self.owner = keys[order], np.append(owner[order], -1)  # the last one: of files that are not live

    def of(self, files: Array) -> Array:
        """int64: the repository of each file; -1 if the file is not live."""
        return self.owner[positions_in(self.keys, files)]


# Sorted once per set of readers, before and after a commit: sorting is a quarter of a question's time at a million
# rows.
owners = lru_cache(maxsize=4)(Owners)


def _owned(table: RowTable, live: Owners, positions: Array, values: Array, number: int) -> Candidates:
    """The rows of a table that count."""
    owner = live.of(table.rows.files[positions])
    rows = Candidates(table.rows.places[positions], owner, values, np.full(len(owner), number))
    return rows_of(rows, owner >= 0)


def _live_rows(tables: Sequence[RowTable], live: Owners, way: Way, most: int, number: int) -> Candidates:
    """The best rows of one way in all tables, as shares of the best; asks for more if few rows count."""
    for limit in (most, MORE * most):
        rows = joined([_owned(table, live, *way(table, limit), number) for table in tables])
        if len(np.unique(rows.places)) >= MIN_SHARE * most:
            break
    best = rows_of(rows, rows.values.argsort(kind="stable")[::-1][:limit])
    return replace(best, values=_shares(best.values))


def _shares(values: Array) -> Array:
    """float64: the values from 0 to 1 (the best); 0 is the least value, or 0 itself if all are positive, as in BM25."""
    if not len(values):
        return values
    least = min(float(values.min()), 0.0)
    return (values - least) / max(float(values.max()) - least, 1e-9)


def _definitions(tables: Sequence[RowTable], live: Owners, query: Query, number: int) -> list[Candidates]:
    """The definitions of names that the question spells as in code: one per name, table and repository."""
    parts = []
    for name in dict.fromkeys([*query.spelled(), *([query.symbol] if query.symbol else ())]):
        for table in tables:
            positions = table.rows.defining(name)
            rows = _owned(table, live, positions, np.full(len(positions), NAMED), number)
            parts.append(rows_of(rows, np.unique(rows.repositories, return_index=True)[1]))
    return parts


def best_repositories(rows: Candidates, every: Sequence[Repository], query: Query, most: int) -> list[Repository]:
    """The repositories with the most points from the candidates, best first, ties by name.

    A place that several repositories share, as forks do, counts only for the best of them.
    """
    words = {word.lower() for word in words_of(query.text)}
    named = np.array([naming_points(one.name, words) for one in every])
    free = np.ones(len(rows.values), bool)
    best: list[int] = []
    left = np.ones(len(every), bool)
    while len(best) < most:
        points = np.where(left, _points(rows, free, len(every)) + named, 0.0)
        first = int(np.argmax(points))
        if points[first] <= 0:
            break
        best.append(first)
        left[first] = False
        free &= ~np.isin(rows.places, rows.places[rows.repositories == first])
    return [every[number] for number in best]


def _points(rows: Candidates, free: Array, repositories: int) -> Array:
    """float64[repositories], to nine digits: per way, the sum of a repository's best values, the n-th divided by n."""
    group = (rows.ways * repositories + rows.repositories)[free].astype(np.int64)
    values = rows.values[free]
    order = np.lexsort((-values, group))
    group, values = group[order], values[order]
    rank = np.arange(len(group)) - group.searchsorted(group)
    top = rank < CREDITED
    return np.bincount(group[top] % repositories, values[top] / (rank[top] + 1), repositories).round(9)


def table_names(repositories: Iterable[Repository]) -> list[str]:
    """The tables with the chunks of these repositories."""
    return sorted({one.table for one in repositories})
