"""The order of a pack: chunks by the sum of their points, each symbol once, by its best part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from contracts.records import Why
from index.search.ranker import Ranker, Table, explained, parts, points_of
from index.search.signals.around import AROUND_SIGNALS, Surroundings
from index.search.signals.evidence import EVIDENCE_SIGNALS, Evidence
from index.search.signals.files import Measurement
from index.search.signals.own import OWN_SIGNALS, PoolMeasurement
from index.search.signals.pool import Pool, pool_of
from index.search.signals.registry import Values
from index.segment.columns import Array

# A topic's answer is several files: each file's distance from the best one counts once more, and each further symbol of
# a file pays, so often at most. Chosen on the public questions; explore questions are hardly touched.
TOPIC_FILE, AGAIN_POINTS, MOST_AGAIN = 0.4, 2.5, 4


@dataclass(frozen=True, slots=True)
class Passages:
    """The chunks of a pool with their points, best first.

    `own_parts` and `around_parts` are float64[tables, pool]; `points` their sums with `behind`, how far a topic's file
    is behind the best one, and less `charges`, what a further symbol of a file pays; `order` are positions in the pool,
    of each symbol's parts the best one alone.
    """

    pool: Pool
    own: Values[Array]
    around: Values[Array]
    own_parts: Array
    around_parts: Array
    points: Array
    order: Array
    behind: Array
    charges: Array
    evidence: Values[float]

    def __iter__(self) -> Iterator[int]:
        return iter(self.order.tolist())

    def reasons(self, ranker: Ranker, place: int) -> tuple[Why, ...]:
        """The named points of one chunk, which add up to its points."""
        why = _explained("own", ranker.own, self.own, self.own_parts, place)
        why += _explained("around", ranker.around, self.around, self.around_parts, place)
        behind, charge = float(self.behind[place]), float(self.charges[place])
        why += [Why("topic.file", behind / TOPIC_FILE, behind)] * (behind != 0)
        why += [Why("again_in_file", charge / AGAIN_POINTS, -charge)] * (charge != 0)
        return tuple(why)


def rank_passages(
    ranker: Ranker, measured: Measurement, files: Array, file_points: Array, docs_first: bool = False
) -> Passages:
    """The chunks of the best of `files`, by their own points and those of what stands around them."""
    chunk_points = partial(points_of, ranker.chunk, measured.chunk)
    pool = pool_of(measured, files, file_points, chunk_points, docs_first)
    corpus, query, size = measured.corpus, measured.query, len(pool.chunks)
    in_pool = PoolMeasurement(measured, pool, ranker.words)
    own = Values(OWN_SIGNALS, in_pool, size)
    own_parts = parts(ranker.own, own)
    around = Values(AROUND_SIGNALS, Surroundings(corpus, pool, own_parts.sum(axis=0)), size)
    around_parts = parts(ranker.around, around)
    behind, charges = np.zeros(size), np.zeros(size)
    if query.is_topic:
        behind = (TOPIC_FILE * (pool.file_points - pool.file_points.max(initial=-np.inf))).round(4)
    points = (own_parts.sum(axis=0) + around_parts.sum(axis=0) + behind).round(4)
    code = corpus.static["prose"][pool.file] == 0 if docs_first else np.zeros(size, bool)
    order = _firsts_of_symbols(pool, np.lexsort((pool.chunks, -points, code)))
    if query.is_topic:
        charges[order] = AGAIN_POINTS * np.minimum(_earlier_in_file(pool.row[order]), MOST_AGAIN)
        points = (points - charges).round(4)
        order = order[np.lexsort((np.arange(len(order)), -points[order], code[order]))]
    evidence = Values(EVIDENCE_SIGNALS, Evidence(measured, in_pool, order))
    return Passages(pool, own, around, own_parts, around_parts, points, order, behind, charges, evidence)


def _earlier_in_file(row: Array) -> Array:
    """int64: how many entries before each one have its row."""
    order = np.argsort(row, kind="stable")
    starts = np.searchsorted(row[order], np.arange(int(row.max(initial=-1)) + 1))
    earlier = np.empty(len(row), np.int64)
    earlier[order] = np.arange(len(row)) - starts[row[order]]
    return earlier


def _firsts_of_symbols(pool: Pool, order: Array) -> Array:
    """The order without the later parts of a symbol that is there by a better one."""
    first = np.zeros(len(order), np.int64)
    first[pool.symbol[order[::-1]]] = order[::-1]  # of several, the last one written stays
    best: Array = order[first[pool.symbol[order]] == order]
    return best


def _explained(prefix: str, tables: tuple[Table, ...], signals: Values[Array], points: Array, at: int) -> list[Why]:
    values = [float(signals[table.name][at]) for table in tables]
    return explained(prefix, tables, values, points[:, at].tolist())
