"""The order of a pack: chunks by the sum of their points, each symbol once, by its best part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from contracts.records import Why
from index.columns import Array
from index.corpus import Corpus
from index.passage_signals import Pool, around_signals, continues, own_signals, pool_of
from index.query import Query
from index.rank import Ranker, Table, explained, parts, points_of
from index.signals import Measured


@dataclass(frozen=True, slots=True)
class Passages:
    """The chunks of a pool with their points, best first.

    `own_parts` and `around_parts` are float64[tables, pool]; `points` their sums; `order` are positions in the pool, of
    each symbol's parts the best one alone.
    """

    pool: Pool
    own: dict[str, Array]
    around: dict[str, Array]
    own_parts: Array
    around_parts: Array
    points: Array
    order: Array

    def __iter__(self) -> Iterator[int]:
        return iter(self.order.tolist())

    def evidence(self, query: Query, words: Mapping[str, float]) -> dict[str, float]:
        """What the best passages say of whether there is an answer: shares of the query's words, by weight."""
        total = max(sum(words.get(term, 1.0) for term in query.terms), 1e-9)
        return {
            "match": float(self.own["match_count"].max(initial=0.0)) / total,
            "match_around": float(self.own["match_around"].max(initial=0.0)),
            "names": float(self.own["match_names"].max(initial=0.0)) / total,
        }

    def reasons(self, ranker: Ranker, place: int) -> tuple[Why, ...]:
        """The named points of one chunk, which add up to its points."""
        why = _explained("own", ranker.own, self.own, self.own_parts, place)
        return tuple(why + _explained("around", ranker.around, self.around, self.around_parts, place))


def rank_passages(
    corpus: Corpus, ranker: Ranker, query: Query, measured: Measured, vector: Array | None, files: Array,
    file_points: Array, docs_first: bool = False,
) -> Passages:  # fmt: skip
    """The chunks of the best of `files`, by their own points and those of what stands around them."""
    pool = pool_of(corpus, measured, files, file_points, points_of(ranker.chunk, measured.chunk, corpus.chunks))
    own = own_signals(corpus, query, measured, vector, pool, ranker.words)
    rows = np.arange(len(pool.chunks))
    own_parts = parts(ranker.own, own, rows)
    around = around_signals(corpus, pool, own_parts.sum(axis=0))
    around_parts = parts(ranker.around, around, rows)
    points = np.round(own_parts.sum(axis=0) + around_parts.sum(axis=0), 4)
    behind = corpus.static["prose"][pool.file] == 0 if docs_first else np.zeros(len(rows), bool)
    order = np.lexsort((pool.chunks, -points, behind))
    return Passages(pool, own, around, own_parts, around_parts, points, _firsts_of_symbols(corpus, pool, order))


def _firsts_of_symbols(corpus: Corpus, pool: Pool, order: Array) -> Array:
    """The order without the later parts of a symbol that is there by a better one."""
    symbol = np.cumsum(~continues(corpus, pool.chunks))
    _, first = np.unique(symbol[order], return_index=True)
    return order[np.sort(first)]


def _explained(prefix: str, tables: tuple[Table, ...], signals: dict[str, Array], points: Array, at: int) -> list[Why]:
    values = [float(signals[table.name][at]) for table in tables]
    return explained(prefix, tables, values, points[:, at].tolist())
