"""Turns signals into points: every score is a sum over one-dimensional tables, and the sum is the explanation.

`ranker.json` contains, for each signal, the edges of its bins and the points of each bin. It is learned by
`benchmarks/research/ranker` and small enough to be read.
This module also has the signals of a whole question, each with one weight: whether this repository has an answer at
all.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
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
MOST_SPREADS = 3.0  # a value counts as so far from the usual one at most: few questions to learn from have others
TABLES = Path(__file__).parent / "ranker.json"


@frozen
class Evidence:
    """A question as a whole: its measured files and chunks."""

    measured: Measurement
    pool: PoolMeasurement

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
    Signal("named", lambda of: named(of.measured.collection, of.measured.query)),
    Signal("cosine", lambda of: _top(of.measured.cosine)),
    Signal("cosine_usual", _usual_cosine),
    Signal("match", lambda of: _top(of.pool.match) / of.total),
    Signal("names", lambda of: _top(of.pool.match_names) / of.total),
)

# By level: a file, a chunk within its file, a chunk of a pack by itself, its surroundings.
SIGNALS = {"file": FILE_SIGNALS, "chunk": CHUNK_SIGNALS, "own": OWN_SIGNALS, "around": AROUND_SIGNALS}


@frozen
class Table:
    """The points of a signal: points[i] for edges[i - 1] <= value < edges[i]; one more point than edges."""

    name: str
    edges: Array
    points: Array

    def of(self, values: Array) -> Array:
        """float64: the points of each value."""
        return self.points[self.edges.searchsorted(values, side="right")]


@frozen
class Weight:
    """The points of a signal of a whole question: `points` for each `spread` by which it is above its `usual` value."""

    usual: float
    spread: float
    points: float

    def of(self, value: float) -> float:
        spreads = (value - self.usual) / self.spread
        return self.points * max(-MOST_SPREADS, min(spreads, MOST_SPREADS))


@frozen
class Ranker:
    """The tables and constants of `ranker.json`.

    `file` and `chunk` rank files and the chunks within a file. With `bias`, the logistic of a sum of points is the
    chance that the place is relevant. `repeat` is the cost of the second, third, ... chunk of one file, so that a broad
    question shows different files first. `own` and `around` rank the chunks of a pack, whatever their files; `words`
    weighs the query's terms by stem, 1.0 by default. `evidence` has a weight for each signal of a whole question; an
    answer is graded strong from `strong` points on, and none below `weak`.
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
    evidence: Mapping[str, Weight] = field(default_factory=dict)
    strong: float = 0.0
    weak: float = 0.0

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Ranker:
        """A ranker from the contents of `ranker.json`. ValueError if it has points for an unknown signal."""

        def measured(level: str, signals: Container[str]) -> Mapping[str, Any]:
            rows: Mapping[str, Any] = document.get(level, {})
            if unknown := sorted(name for name in rows if name not in signals):
                raise ValueError(f"the ranker has points of {level} for what is not measured: {', '.join(unknown)}")
            return rows

        def tables(level: str) -> tuple[Table, ...]:
            return tuple(
                Table(name, np.array(row["edges"], np.float32), np.array(row["points"], np.float64))
                for name, row in measured(level, SIGNALS[level]).items()
            )

        constants = ("bias", "passage_bias", "passage_scale", "strong", "weak", "words")
        values: dict[str, Any] = {name: document[name] for name in constants if name in document}
        values |= {level: tables(level) for level in SIGNALS}
        values["evidence"] = {name: Weight(**row) for name, row in measured("evidence", EVIDENCE_SIGNALS).items()}
        return cls(repeat=tuple(document["repeat"]), **values)

    def evidence_points(self, evidence: Mapping[str, float]) -> float:
        """The evidence that this repository has an answer: the sum of the points of its signals."""
        return sum(weight.of(evidence[name]) for name, weight in self.evidence.items())

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
