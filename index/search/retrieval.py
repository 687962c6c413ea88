"""Where candidates come from when a corpus is too large to be measured whole: one interface, two implementations.

Up to `TABLE_ABOVE` chunks every file is a candidate and the snapshot measures them all. Above, the table's vector index
and full-text search name the candidates, and only those are measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from index.collection.collection import Corpus
from index.segment.columns import Array

if TYPE_CHECKING:
    from index.generation.store import Store

# 400,000 vectors of 256 floats are 400 MB to read for each query: past that, the table's index answers sooner.
TABLE_ABOVE = 400_000
CANDIDATES = 500  # chunks from each of the two searches


class Retriever(Protocol):
    """The best chunks by words, and by meaning: (chunk numbers, scores), best first, ties in chunk order.

    `within` are the only files that count; all of them where it is None.
    """

    def lexical(self, terms: Sequence[str], k: int, *, within: Sequence[str] | None = None) -> tuple[Array, Array]: ...

    def dense(self, vector: Array, k: int, *, within: Sequence[str] | None = None) -> tuple[Array, Array]: ...


class SnapshotRetriever:
    """Exact answers from a generation's own arrays."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def lexical(self, terms: Sequence[str], k: int, *, within: Sequence[str] | None = None) -> tuple[Array, Array]:
        scores = self._corpus.query_terms(tuple(dict.fromkeys(terms))).bm25()
        return _best(scores, np.flatnonzero((scores > 0) & self._inside(within)), k)

    def dense(self, vector: Array, k: int, *, within: Sequence[str] | None = None) -> tuple[Array, Array]:
        # In float64 and to six digits, so that no processor's order of additions shows.
        scores = np.round(self._corpus.vectors.astype(np.float64) @ vector.astype(np.float64), 6)
        return _best(scores, np.flatnonzero(self._inside(within)), k)

    def _inside(self, within: Sequence[str] | None) -> Array:
        """bool[chunks]: in one of these files."""
        if within is None:
            return np.ones(self._corpus.chunks, bool)
        wanted = set(within)
        return np.array([path in wanted for path in self._corpus.paths], bool)[self._corpus.chunk_file]


def _best(scores: Array, among: Array, k: int) -> tuple[Array, Array]:
    order = among[np.lexsort((among, -scores[among]))[:k]]
    return order, scores[order]


def table_retriever(store: Store, corpus: Corpus, table_above: int) -> Retriever | None:
    """The table's retriever for a corpus of more than `table_above` chunks; None where the snapshot serves."""
    if corpus.chunks <= table_above:
        return None
    from index.lance.persist import TABLE_FOLDER
    from index.lance.table import ChunkTable
    from index.lance.table_search import LanceRetriever

    if not (store.home / TABLE_FOLDER).is_dir():
        return None
    segment = corpus.snapshot.segment
    hashes = [digest.ljust(16, b"\0") for digest in segment.array("file.hash").tolist()]
    table = ChunkTable(store.home / TABLE_FOLDER, corpus.snapshot.manifest.dimensions)
    return LanceRetriever(table, corpus.paths, hashes, segment.rows["chunk"])


def candidate_chunks(
    retriever: Retriever, terms: Sequence[str], vector: Array | None, within: Sequence[str] | None
) -> Array:
    """The chunks that are worth measuring, ascending."""
    found = [retriever.lexical(terms, CANDIDATES, within=within)[0]]
    if vector is not None:
        found.append(retriever.dense(vector, CANDIDATES, within=within)[0])
    return np.unique(np.concatenate(found)).astype(np.int64)
