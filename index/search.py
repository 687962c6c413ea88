"""A query to ranked chunks: exact hits first, then files by their points, then the best chunks in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from contracts.records import Why
from index.arithmetic import best
from index.columns import Array, spread
from index.corpus import Corpus
from index.exact import exact_hits
from index.filtering import allowed_files, allowed_paths
from index.locations import Location, Locations, locate
from index.query import Query, parse_query
from index.rank import Ranker, explained, parts
from index.retrieve import Retriever, candidate_chunks
from index.signals import Measured, measure
from index.types import Embedder, Filters, Scored

if TYPE_CHECKING:
    from index.second_model.second_model import SecondModel

CANDIDATE_FILES = 200
POOL_FILES = 48  # of the candidates, the best files whose chunks are looked at; more only when more hits are wanted
EXACT_STEP = 0.001  # the contract's: exact hits score 1.0, 0.999, 0.998, ...
LEAST_EXACT = 0.5
SORTED_FIRST = 256  # places that are sorted before the rest is, if anybody asks for it
BEHIND = 1e6  # more than points can make up for
STANDS_OUT = 2.5  # standard deviations above the average cosine of the query
MAX_SCORE = 0.499  # of a hit that is not exact; exact ones stay above it


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a query makes of the chunks of the best files. Chunks are in the order of their numbers."""

    chunks: Array
    points: Array
    keys: Array  # what they are ordered by, the smallest first
    file_of: Array  # row in `files` of each chunk
    best_of: Array  # position in `chunks` of the best chunk of that file
    rank_in_file: Array
    files: Array
    file_parts: Array
    chunk_parts: Array

    def best_first(self) -> Iterator[int]:
        """Positions in `chunks` in a total order: by key, then as they stand. Hardly anybody asks for many."""
        keys, end = self.keys, -np.inf
        while len(rest := np.flatnonzero(keys > end)):
            if len(rest) > SORTED_FIRST and end == -np.inf:
                end = np.partition(keys, SORTED_FIRST)[SORTED_FIRST]
                rest = np.flatnonzero(keys <= end)
            else:
                end = np.inf
            yield from rest[keys[rest].argsort(kind="stable")].tolist()


def rank(
    corpus: Corpus, ranker: Ranker, measured: Measured, allowed: Array, top_k: int, docs_first: bool = False
) -> Ranking:
    """Points of the chunks of the best files; ties end in path and position. `docs_first` puts prose before code."""
    files = candidate_files(measured, allowed)
    file_parts = parts(ranker.file, measured.file, files)
    file_points = file_parts.sum(axis=0)
    wanted = max(POOL_FILES, 2 * top_k)
    if len(files) > wanted:
        keys = _keys(file_points, corpus.static["prose"][files] == 0, docs_first)
        best = np.sort(keys.argsort(kind="stable")[:wanted])
        files, file_parts, file_points = files[best], file_parts[:, best], file_points[best]
    pool = spread(corpus.first_chunk[files], corpus.chunk_counts[files])
    row = np.repeat(np.arange(len(files)), corpus.chunk_counts[files])
    pool, row = pool[corpus.shown[pool]], row[corpus.shown[pool]]
    lengths = np.bincount(row, minlength=len(files))
    chunk_parts = parts(ranker.chunk, measured.chunk, pool)
    inner = np.round(chunk_parts.sum(axis=0), 6)
    # Within a file by points, then by position, in which the pool is; `row` keeps files apart: two bytes sort fastest.
    order = np.lexsort((-inner, row.astype(np.uint16)))
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]) if len(files) else np.zeros(0, np.int64)
    rank_in_file = np.empty(len(pool), np.int64)
    rank_in_file[order] = np.arange(len(pool)) - np.repeat(starts, lengths)
    best = order[starts][row] if len(files) else np.zeros(0, np.int64)
    repeat = np.array([0.0, *ranker.repeat])
    cost = repeat[np.minimum(rank_in_file, len(repeat) - 1)]
    total = file_points[row] + inner - inner[best] - cost
    keys = _keys(total, corpus.static["prose"][files][row] == 0, docs_first)
    return Ranking(pool, total, keys, row, best, rank_in_file, files, file_parts, chunk_parts)


def _keys(points: Array, code: Array, docs_first: bool) -> Array:
    """What sorts by points, best first; code behind all prose where prose comes first."""
    keys: Array = -np.round(points, 6)
    return keys + BEHIND * code if docs_first else keys


def candidate_files(measured: Measured, allowed: Array) -> Array:
    """The files worth a closer look, ascending: the best by words, by meaning, by name."""
    fit = np.flatnonzero(allowed)
    if len(fit) <= CANDIDATE_FILES:
        return fit
    chosen: set[int] = set()
    for name in ("bm25_file", "bm25_chunk", "dense_chunk", "cover_names", "cover_file_name"):
        values = measured.file[name][fit]
        chosen.update(fit[best(values, CANDIDATE_FILES // 4)].tolist())
    return np.array(sorted(chosen), np.int64)


def query_vector(corpus: Corpus, embedder: Embedder, query: Query) -> Array:
    """The query's embedding. The static model also weighs each term by how rare it is in this corpus."""
    from index.embed.static import StaticEmbedder

    if isinstance(embedder, StaticEmbedder):
        return embedder.embed_query(query.text, corpus.lexical.idf_of)
    return embedder.embed_query(query.text)


class Searcher:
    """Answers queries over one generation with one model and one ranker."""

    def __init__(
        self, corpus: Corpus, embedder: Embedder | None, ranker: Ranker, retriever: Retriever | None = None,
        second: SecondModel | None = None,
    ) -> None:  # fmt: skip
        self.corpus = corpus
        self.embedder = embedder
        self.ranker = ranker
        self.second = second  # a transformer beside the model
        self.retriever = retriever  # names the candidates where there are too many to measure all
        self._located: tuple[str, Filters, Locations | None] = ("", Filters(), None)

    def search(self, text: str, top_k: int, filters: Filters, certain: bool = False) -> list[Scored]:
        """At most `top_k` chunks, best first; empty when nothing rises above the noise.

        `certain` asks for more evidence that there is an answer here: what a pack needs, and a list of places does not.
        """
        permitted = allowed = allowed_files(self.corpus, filters)
        located = self.locations(text, filters)
        query = parse_query(located.words if located else text)
        vector = query_vector(self.corpus, self.embedder, query) if self.embedder and query.terms else None
        within = None if filters == Filters() else allowed_paths(self.corpus, permitted)
        only = candidate_chunks(self.retriever, query.terms, vector, within) if self.retriever else None
        second = self.second.signal(self.corpus, query.text) if self.second and query.terms else None
        measured = measure(self.corpus, query, vector, only, second)
        if only is not None:
            named = np.zeros(self.corpus.files, bool)
            named[self.corpus.chunk_file[only]] = True
            allowed = permitted & named
        ranking = rank(self.corpus, self.ranker, measured, allowed, top_k, filters.docs == "first")
        noise = self.ranker.is_noise(measured.evidence, certain)
        return self._exact_and_ranked(query, located, measured, ranking, permitted, top_k, noise)

    def locations(self, text: str, filters: Filters) -> Locations | None:
        """The lines that a query points at; remembered, because a pack asks several times."""
        known = self._located
        if known[:2] != (text, filters):
            known = self._located = text, filters, locate(self.corpus, text, filters)
        return known[2]

    def _exact_and_ranked(
        self, query: Query, located: Locations | None, measured: Measured, ranking: Ranking, allowed: Array,
        top_k: int, noise: bool,
    ) -> list[Scored]:  # fmt: skip
        points = np.full(self.corpus.files, -99.0)
        points[ranking.files] = ranking.file_parts.sum(axis=0)
        exact = exact_hits(self.corpus, query, located, points, allowed)
        hits = [_exact(one, max(1 - EXACT_STEP * place, LEAST_EXACT)) for place, one in enumerate(exact[:top_k])]
        if not exact and noise:
            return []
        taken = {one.chunk for one in exact}
        for place in ranking.best_first():
            if len(hits) >= top_k:
                break
            chunk = int(ranking.chunks[place])
            if chunk not in taken and self._is_evidence(measured, ranking, place):
                hits.append(self._scored(measured, ranking, place))
        return hits

    def _is_evidence(self, measured: Measured, ranking: Ranking, place: int) -> bool:
        """Whether a place shares a word with the query, or its meaning stands out."""
        chunk = ranking.chunks[place]
        matched = measured.matched[ranking.files[ranking.file_of[place]]]
        return bool(matched or measured.chunk["dense"][chunk] >= STANDS_OUT)

    def _scored(self, measured: Measured, ranking: Ranking, place: int) -> Scored:
        points = round(float(ranking.points[place]), 4)
        score = round(MAX_SCORE * self.ranker.chance(points), 6)
        return Scored(int(ranking.chunks[place]), score, points, lambda: self._reasons(measured, ranking, place))

    def _reasons(self, measured: Measured, ranking: Ranking, place: int) -> tuple[Why, ...]:
        file, best = ranking.file_of[place], ranking.best_of[place]
        chunk, number = int(ranking.chunks[place]), ranking.files[file]
        why = explained(
            "file", self.ranker.file,
            [float(measured.file[table.name][number]) for table in self.ranker.file],
            ranking.file_parts[:, file].tolist(),
        )  # fmt: skip
        why += explained(
            "chunk", self.ranker.chunk,
            [float(measured.chunk[table.name][chunk]) for table in self.ranker.chunk],
            (ranking.chunk_parts[:, place] - ranking.chunk_parts[:, best]).tolist(),
        )  # fmt: skip
        again = int(ranking.rank_in_file[place])
        if again:
            cost = self.ranker.repeat[min(again, len(self.ranker.repeat)) - 1]
            why.append(Why("again_in_file", float(again), -cost))
        return tuple(why)


def _exact(one: Location, score: float) -> Scored:
    return Scored(one.chunk, score, score, lambda: (Why(f"exact.{one.why}", 1.0, score),), one.lines)
