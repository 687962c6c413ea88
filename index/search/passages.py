"""The order of a pack: chunks by the sum of their points, each symbol once, by its best part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from contracts.records import Why
from index.search.ranker import Ranker, parts, points_of, reasons
from index.search.signals import Values
from index.search.signals.evidence import EVIDENCE_SIGNALS, Evidence
from index.search.signals.files import Measurement
from index.search.signals.pool import AROUND_SIGNALS, OWN_SIGNALS, Pool, PoolMeasurement, Surroundings, pool_of
from index.segment.columns import Array


@dataclass(frozen=True, slots=True)
class Passages:
    """The chunks of a pool with their points, best first.

    `own_parts` and `around_parts` are float64[tables, pool], `points` their sums; `order` are positions in the pool, of
    each symbol's parts the best one alone.
    """

    pool: Pool
    own: Values[Array]
    around: Values[Array]
    own_parts: Array
    around_parts: Array
    points: Array
    order: Array
    evidence: Values[float]

    def __iter__(self) -> Iterator[int]:
        return iter(self.order.tolist())

    def reasons(self, ranker: Ranker, place: int) -> tuple[Why, ...]:
        """The named points of one chunk, which add up to its points."""
        own = reasons("own", ranker.own, self.own, place, self.own_parts[:, place])
        return (*own, *reasons("around", ranker.around, self.around, place, self.around_parts[:, place]))


def rank_passages(
    ranker: Ranker, measured: Measurement, files: Array, file_points: Array, docs_first: bool = False
) -> Passages:
    """The chunks of the best of `files`, by their own points and the points of their surroundings."""
    chunk_points = partial(points_of, ranker.chunk, measured.chunk)
    pool = pool_of(measured, files, file_points, chunk_points, docs_first)
    collection, size = measured.collection, len(pool.chunks)
    in_pool = PoolMeasurement(measured, pool, ranker.words)
    own = Values(OWN_SIGNALS, in_pool, size)
    own_parts = parts(ranker.own, own)
    around = Values(AROUND_SIGNALS, Surroundings(collection, pool, own_parts.sum(axis=0)), size)
    around_parts = parts(ranker.around, around)
    points = (own_parts.sum(axis=0) + around_parts.sum(axis=0)).round(4)
    code = collection.static["prose"][pool.file] == 0 if docs_first else np.zeros(size, bool)
    order = _firsts_of_symbols(pool, np.lexsort((pool.chunks, -points, code)))
    evidence = Values(EVIDENCE_SIGNALS, Evidence(measured, in_pool, order))
    return Passages(pool, own, around, own_parts, around_parts, points, order, evidence)


def _firsts_of_symbols(pool: Pool, order: Array) -> Array:
    """The order without the later parts of a symbol that is there by a better one."""
    first = np.zeros(len(order), np.int64)
    first[pool.symbol[order[::-1]]] = order[::-1]  # of several, the last one written stays
    best: Array = order[first[pool.symbol[order]] == order]
    return best
