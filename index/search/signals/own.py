"""The signals of a chunk of a pack by itself; the points of its file are one of them.

Measured on explore questions (benchmarks/explore): a word's rarity says little about whether the answer holds it. What
answers holds a word that one chunk in a thousand holds three times as often as its neighbours do, one that every third
chunk holds half as often again; with the words that are absent counted, too, all words weigh nearly the same. So
`match` counts words alike, except those that questions are phrased with.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from index.arithmetic import cosines, standardised, weighted_sum
from index.search.signals import Signal, Signals, by_name
from index.search.signals.files import Measurement
from index.search.signals.pool import Pool, beside, parent_numbers, places_of
from index.segment.columns import Array, begins_run

FEEDBACK = (1.0, 0.8, 0.6, 0.5, 0.4, 0.3)  # weights of the best chunks by first evidence, whose mean is asked for again
LEAST_COVERED = 20  # chunks of a pool with vectors of a transformer, before they are compared
MOST_PLACES = 20  # in a file that have a number of their own


class PoolMeasurement:
    """The chunks of a pool as the query meets them. `words` weigh the terms that questions are phrased with."""

    def __init__(self, measured: Measurement, pool: Pool, words: Mapping[str, float]) -> None:
        self.measured = measured
        self.collection = measured.collection
        self.pool = pool
        self.words = words
        self.dense = measured.chunk["dense"][pool.chunks].astype(np.float64)

    @cached_property
    def lines(self) -> Array:
        chunks, pool = self.collection.chunks, self.pool.chunks
        return chunks.end_line[pool].astype(np.float64) - chunks.start_line[pool] + 1

    @cached_property
    def match(self) -> Array:
        """float64[pool]: the query's words, by weight, in a chunk's text, its path, or the names around it."""
        numbers = parent_numbers(self.collection, self.pool)
        parents, parent_row = np.unique(np.maximum(numbers, 0), return_inverse=True)
        places = places_of(parents, len(self.collection.chunks))
        outer = self._held("named", places, len(parents)) | self._held("signature", places, len(parents))
        files = self.pool.files
        path = self._held("path", places_of(files, len(self.collection.files)), len(files))
        return self._weighed(self._body | path[:, self.pool.row] | (outer[:, parent_row] & (numbers >= 0)))

    @cached_property
    def match_names(self) -> Array:
        """float64[pool]: the same in a chunk's own names and signature."""
        places, size = self.pool.place, len(self.pool.chunks)
        return self._weighed(self._held("named", places, size) | self._held("signature", places, size))

    @cached_property
    def match_around(self) -> Array:
        """float64[pool]: as a share of all, in its text or that of the chunks before and behind it."""
        row, chunks, body = self.pool.row, self.pool.chunks, self._body
        around = body.copy()
        same = ((row[1:] == row[:-1]) & (chunks[1:] == chunks[:-1] + 1))[None, :]
        around[:, 1:] |= body[:, :-1] & same
        around[:, :-1] |= body[:, 1:] & same
        return (self._weighed(around) / max(float(self._weights.sum()), 1e-9)).round(4)

    @cached_property
    def _body(self) -> Array:
        return self._held("body", self.pool.place, len(self.pool.chunks))

    @cached_property
    def _weights(self) -> Array:
        return np.array([self.words.get(term, 1.0) for term in self.measured.terms.terms], np.float64)

    def _weighed(self, held: Array) -> Array:
        weighed: Array = np.einsum("t,tc->c", self._weights, held).round(4)
        return weighed

    def _held(self, field: str, places: Array, size: int) -> Array:
        """bool[terms, size]: whether the row at each place holds each term."""
        terms = self.measured.terms
        held = np.zeros((len(terms.terms), size), bool)
        rows = terms.rows(field)
        at = places[rows.rows]
        some = (at >= 0).nonzero()[0]
        held[rows.term[some], at[some]] = True
        return held


def _dense_symbol(of: PoolMeasurement) -> Array:
    """The largest value among the parts of each chunk's symbol that are in the pool."""
    if not len(of.dense):
        return of.dense
    largest: Array = np.maximum.reduceat(of.dense, begins_run(of.pool.symbol).nonzero()[0])[of.pool.symbol]
    return largest


def _dense_place(of: PoolMeasurement) -> Array:
    """0 for the largest value of each file, 1 for the next, ..."""
    row = of.pool.row
    places = np.empty(len(row), np.float64)
    places[np.lexsort((-of.dense.round(6), row))] = np.arange(len(row)) - begins_run(row).nonzero()[0][row]
    return np.minimum(places, MOST_PLACES)


def _feedback(of: PoolMeasurement) -> Array:
    """How near each chunk is to the query and to the best chunks by first evidence together (Rocchio 1971)."""
    vector, pool = of.measured.vector, of.pool
    if vector is None or not len(pool.chunks) or of.collection.vectors.shape[1] != len(vector):
        return np.zeros(len(pool.chunks))
    vectors = of.collection.vectors[pool.chunks]
    best = np.argsort(-pool.evidence, kind="stable")[: len(FEEDBACK)]
    centre = _unit(_unit(weighted_sum(np.array(FEEDBACK[: len(best)]), vectors[best])) + vector)
    near = cosines(vectors, centre.astype(np.float32)).astype(np.float64)
    return standardised(near, near)


def _unit(vector: Array) -> Array:
    """The vector at length one, to nine digits."""
    length = round(math.sqrt(round(float(np.square(vector.astype(np.float64)).sum()), 9)), 9)
    return (vector / max(length, 1e-9)).round(9)


def _transformer(of: PoolMeasurement) -> Array:
    """The transformer's cosines, standardised among the chunks of the pool that have a vector of it; 0 for the others.

    Its vectors come one by one, the most used files first, so what is usual among all that are there says little.
    """
    values = of.measured.second[of.pool.chunks]
    covered = values != 0
    among = np.zeros(len(values))
    if np.count_nonzero(covered) >= LEAST_COVERED:
        some = values[covered].astype(np.float64)
        among[covered] = standardised(some, some)
    return among


OWN_SIGNALS: Signals[PoolMeasurement, Array] = by_name(
    Signal("file_gap", lambda of: of.pool.file_points.max(initial=-np.inf) - of.pool.file_points, -1),
    Signal("match", lambda of: standardised(of.match, of.match), 1),
    Signal("match_gap", lambda of: of.match.max(initial=0.0) - of.match, -1),
    Signal("match_names", lambda of: of.match_names, 1),
    Signal("match_around", lambda of: of.match_around, 1),
    Signal("dense_symbol", _dense_symbol, 1),
    Signal("dense_beside", lambda of: beside(of.pool, of.dense, 1, 0.0), 1),
    Signal("dense_place", _dense_place, -1),
    Signal("feedback", _feedback, 1),
    Signal("kind", lambda of: of.collection.chunks.kind[of.pool.chunks].astype(np.float64)),
    Signal("lines", lambda of: of.lines),
    Signal("density", lambda of: of.collection.chunks.words[of.pool.chunks] / of.lines),
    Signal("part", lambda of: of.collection.chunk_priors["part"][of.pool.chunks]),
    Signal("called_by", lambda of: of.collection.chunk_priors["called_by"][of.pool.chunks], 1),
    Signal("test", lambda of: of.measured.file["test"][of.pool.file], -1),
    Signal("transformer", _transformer, 1),
)
