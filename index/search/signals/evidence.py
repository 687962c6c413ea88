"""The signals of whether this repository has an answer at all: one number each for a whole question."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from index.collection.collection import Collection
from index.search.query import Query
from index.search.signals import Signal, Signals, by_name
from index.search.signals.files import Measurement
from index.search.signals.pool import PoolMeasurement
from index.segment.columns import Array
from index.text import parts_of

BEST = 5  # chunks whose words together say whether there is an answer


@dataclass(frozen=True, slots=True)
class Evidence:
    """A question as a whole: its files and chunks, and the order of the pack."""

    measured: Measurement
    pool: PoolMeasurement
    order: Array

    @property
    def total(self) -> float:
        """The weights of all words of the query."""
        return max(sum(self.pool.words.get(term, 1.0) for term in self.measured.query.terms), 1e-9)


def named(collection: Collection, query: Query) -> float:
    """2 where a name in the query that only code spells so is defined here, 1 used, -1 neither; 0 without a name."""
    spelled = query.spelled()
    if not spelled:
        return 0.0
    names = [number for number in map(collection.snapshot.segment.names.find, spelled) if number >= 0]
    if names and np.isin(collection.definitions.name, names).any():
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
