"""Turns signals into points: every score is a sum over one-dimensional tables, and the sum is the explanation.

`ranker.json` contains, for each signal, the edges of its bins and the points of each bin. It is learned by
`benchmarks/research/ranker` and small enough to be read.
This module also has the signals of a whole question: whether this repository has an answer at all.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from contracts.frozen import frozen
from contracts.records import Why
from index.collection.collection import Collection
from index.search.query import Query
from index.search.signals import Signal, Signals, Values, by_name
from index.search.signals.files import CHUNK_SIGNALS, FILE_SIGNALS, Measurement
from index.search.signals.pool import AROUND_SIGNALS, OWN_SIGNALS, PoolMeasurement
from index.segment.columns import Array
from index.text import parts_of
from index.types import Grade

NOTHING = Grade("none", "nothing here shares a word with the query")
FILTERED_OUT = Grade("none", "no file passes the filters")
BEST = 5  # chunks whose average match is evidence of an answer
TABLES = Path(__file__).parent / "ranker.json"


@frozen
class Evidence:
    """A question as a whole: its measured files and chunks, and the order of its pack."""

    measured: Measurement
    pool: PoolMeasurement
    order: Array

    @property
    def total(self) -> float:
        """The sum of the weights of all words of the query."""
        return max(sum(self.pool.words.get(term, 1.0) for term in self.measured.query.terms), 1e-9)


def named(collection: Collection, query: Query) -> float:
    """2 if a name of the query that only code spells so is defined here, 1 if used, -1 if neither; 0 without a name."""
    spelled = query.spelled()
    if not spelled:
        return 0.0
    if any(len(collection.definitions.of(name)) for name in spelled):
        return 2.0
    return 1.0 if collection.query_terms(tuple("".join(parts_of(word)) for word in spelled)).terms else -1.0


def _usual_cosine(of: Evidence) -> float:
    cosines = of.measured.cosine
    return round(float(cosines.mean(dtype=np.float64)), 4) if len(cosines) else 0.0


def _top(values: Array) -> float:
    return float(values.max()) if len(values) else 0.0


EVIDENCE_SIGNALS: Signals[Evidence, float] = by_name(
    Signal("terms", lambda of: float(len(of.measured.query.terms))),
    Signal("named", lambda of: named(of.measured.collection, of.measured.query), 1),
    Signal("cover_chunk", lambda of: _top(of.measured.file["cover_chunk"]), 1),
    Signal("cover_doc", lambda of: _top(of.measured.file["cover_doc"])),
    Signal("cosine", lambda of: _top(of.measured.cosine), 1),
    Signal("cosine_usual", _usual_cosine),
    Signal("dense", lambda of: _top(of.measured.file["dense_chunk"])),
    Signal("match", lambda of: _top(of.pool.match) / of.total, 1),
    Signal("match_best", lambda of: float(of.pool.match[of.order[:BEST]].sum()) / BEST / of.total, 1),
    Signal("match_around", lambda of: _top(of.pool.match_around), 1),
    Signal("names", lambda of: _top(of.pool.match_names) / of.total),
)

# By level: a file, a chunk within its file, a chunk of a pack by itself, its surroundings, a whole question.
SIGNALS = {
    "file": FILE_SIGNALS, "chunk": CHUNK_SIGNALS, "own": OWN_SIGNALS, "around": AROUND_SIGNALS,
    "evidence": EVIDENCE_SIGNALS,
}  # fmt: skip


@frozen
class Table:
    """The points of a signal: points[i] for edges[i - 1] <= value < edges[i]; one more point than edges."""

    name: str
    edges: Array
    points: Array

    def of(self, values: Array) -> Array:
        """float64: the points of each value."""
        return self.points[self.edges.searchsorted(values, side="right")]

    def of_one(self, value: float) -> float:
        """The points of one value, in a tenth of the time."""
        return float(self.points[bisect_right(self.edges, np.float32(value))])


@frozen
class Ranker:
    """The tables and constants of `ranker.json`.

    `file` and `chunk` rank files and the chunks within a file. With `bias`, the logistic of a sum of points is the
    chance that the place is relevant. `repeat` is the cost of the second, third, ... chunk of one file, so that a broad
    question shows different files first. `own` and `around` rank the chunks of a pack, whatever their files; `words`
    weighs the query's terms by stem, 1.0 by default. An answer is graded strong from `strong` points of `evidence` on,
    and none below `weak`.
    """

    file: tuple[Table, ...]
    chunk: tuple[Table, ...]
    bias: float
    repeat: tuple[float, ...]
    own: tuple[Table, ...] = ()
    around: tuple[Table, ...] = ()
    passage_bias: float = 0.0
    passage_scale: float = 1.0
    words: Mapping[str, float] = field(default_factory=dict)
    evidence: tuple[Table, ...] = ()
    strong: float = 0.0
    weak: float = 0.0

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Ranker:
        """A ranker from the contents of `ranker.json`. ValueError if it has a table for an unknown signal."""

        def tables(level: str) -> tuple[Table, ...]:
            rows = document.get(level, {})
            if unknown := sorted(rows.keys() - SIGNALS[level].keys()):
                raise ValueError(f"the ranker has tables of {level} for what is not measured: {', '.join(unknown)}")
            return tuple(
                Table(name, np.array(row["edges"], np.float32), np.array(row["points"], np.float64))
                for name, row in rows.items()
            )

        constants = ("bias", "passage_bias", "passage_scale", "strong", "weak", "words")
        values: dict[str, Any] = {name: document[name] for name in constants if name in document}
        values |= {level: tables(level) for level in SIGNALS}
        return cls(repeat=tuple(document["repeat"]), **values)

    def evidence_points(self, evidence: Mapping[str, float]) -> float:
        """The evidence that this repository has an answer, as the sum of the evidence tables."""
        return sum(table.of_one(evidence[table.name]) for table in self.evidence)

    def grade(self, evidence: Mapping[str, float], exact: Sequence[object], hits: Sequence[object]) -> Grade:
        """How sure an answer is: strong if the query names something that exists here, otherwise by its evidence."""
        if exact:
            return Grade("strong", "the first item is named in the query")
        if not hits:
            return NOTHING
        points = round(self.evidence_points(evidence), 4)
        reason = f"the best chunk matches {evidence['match']:.0%} of the query's words; evidence {points:g}"
        if points < self.weak:
            return Grade("none", f"{reason}, weak from {self.weak:g}")
        return Grade("strong" if points >= self.strong else "weak", f"{reason}, strong from {self.strong:g}")

    def chance(self, points: float) -> float:
        """0..1: the logistic of the points."""
        return _logistic(points + self.bias)

    def passage_chance(self, points: float) -> float:
        """0..1: the chance that a chunk with these points must be read."""
        return _logistic(self.passage_scale * points + self.passage_bias)


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-max(min(value, 60.0), -60.0)))


@cache
def shipped_ranker() -> Ranker:
    """The ranker that comes with the package."""
    return Ranker.from_document(orjson.loads(TABLES.read_bytes()))


def parts(tables: tuple[Table, ...], signals: Values[Array], rows: Array | None = None) -> Array:
    """float64[tables, rows]: the points of each table for these rows, or for all.

    Signals of all rows are not kept: only explanations read them again.
    """
    points = np.empty((len(tables), signals.size if rows is None else len(rows)))
    for number, table in enumerate(tables):
        points[number] = table.of(signals.measure(table.name) if rows is None else signals[table.name][rows])
    return points


def reasons(prefix: str, tables: tuple[Table, ...], signals: Values[Array], row: int, points: Array) -> Iterator[Why]:
    """The points of one row, float64[tables], as named points, without those that are zero."""
    for table, part in zip(tables, points.tolist(), strict=True):
        if round(part, 4):
            yield Why(f"{prefix}.{table.name}", round(float(signals[table.name][row]), 4), round(part, 4))
