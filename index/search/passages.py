"""Ranks the chunks of the best files by the lines to read: by their own points and those of their surroundings."""

from __future__ import annotations

from functools import partial

import numpy as np

from contracts.frozen import frozen
from contracts.records import Why
from index.search.ranker import EVIDENCE_SIGNALS, Evidence, Ranker, parts, reasons
from index.search.signals import Values
from index.search.signals.files import Measurement
from index.search.signals.pool import AROUND_SIGNALS, OWN_SIGNALS, Pool, PoolMeasurement, Surroundings, behind
from index.segment.columns import Array
from index.types import ChunkId, First


def points_of_chunks(ranker: Ranker, measured: Measurement, chunks: Array) -> Array:
    """float64[n]: the points of these chunks by the tables of chunks."""
    return parts(ranker.chunk, measured.chunk, chunks).sum(axis=0)


@frozen
class Passages:
    """The chunks of a pool with their points, best first.

    `own_parts` and `around_parts` are float64[tables, pool], `points` their sums; `order` lists positions in the pool,
    only the best part of each symbol.
    """

    pool: Pool
    own: Values[Array]
    around: Values[Array]
    own_parts: Array
    around_parts: Array
    points: Array
    order: Array
    evidence: Values[float]

    def rank(self, chunk: ChunkId) -> int:
        """The number of symbols that are ranked before that of a chunk; of all for a chunk outside the pool."""
        place = self.pool.place[chunk]
        same = self.pool.symbol[self.order] == self.pool.symbol[place]
        return int(same.argmax()) if place >= 0 else len(self.order)

    def reasons(self, ranker: Ranker, place: int) -> tuple[Why, ...]:
        """The named points of one chunk, which add up to its points."""
        own = reasons("own", ranker.own, self.own, place, self.own_parts[:, place])
        return (*own, *reasons("around", ranker.around, self.around, place, self.around_parts[:, place]))


def rank_passages(
    ranker: Ranker, measured: Measurement, files: Array, file_points: Array, first: First = ""
) -> Passages:
    """Rank the chunks of the best of `files` by their own points and the points of their surroundings."""
    pool = Pool.of(measured, files, file_points, partial(points_of_chunks, ranker, measured), first)
    collection, size = measured.collection, len(pool.chunks)
    in_pool = PoolMeasurement(measured, pool, ranker.words)
    own = Values(OWN_SIGNALS, in_pool, size)
    own_parts = parts(ranker.own, own)
    own_points = own_parts.sum(axis=0)
    around = Values(AROUND_SIGNALS, Surroundings(collection, pool, own_points), size)
    around_parts = parts(ranker.around, around)
    points = (own_points + around_parts.sum(axis=0)).round(4)
    is_behind = behind(measured, first, pool.file, pool.chunks)
    order = _firsts_of_symbols(pool, np.lexsort((-points, is_behind)))
    evidence = Values(EVIDENCE_SIGNALS, Evidence(measured, in_pool))
    return Passages(pool, own, around, own_parts, around_parts, points, order, evidence)


def _firsts_of_symbols(pool: Pool, order: Array) -> Array:
    """The order with only the first, best part of each symbol."""
    first = np.zeros(len(order), np.int64)
    first[pool.symbol[order[::-1]]] = order[::-1]  # backwards, because the last write stays
    return order[first[pool.symbol[order]] == order]
