"""Three ways to find code for a question, over the same files: ctxpack, plain BM25, and `grep -l`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from context_pack.evaluation.commits import content_words
from context_pack.evaluation.measures import Place
from index.analysis import content_terms, words_of

if TYPE_CHECKING:
    from index import Index

DEEP = 100  # chunks of a list: more than the largest budget holds
Engine = Callable[[str], list[Place]]  # a question -> places, best first


class Engines:
    """The three, over one index. `ctxpack` and `bm25` give chunks, `grep` whole files, as `grep -l` names them."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._chunks: dict[int, Place] = {}
        self._holding: dict[str, frozenset[str]] = {}

    def named(self) -> Mapping[str, Engine]:
        return {"ctxpack": self.ctxpack, "bm25": self.bm25, "grep": self.grep}

    def ctxpack(self, question: str) -> list[Place]:
        """The hits of `ctxpack search`."""
        return [self._place(hit.chunk) for hit in self._index.search(question, top_k=DEEP)]

    def bm25(self, question: str) -> list[Place]:
        """The same chunks by BM25 of their text alone (k1 1.2, b 0.75), with the same stems."""
        from index.retrieve import SnapshotRetriever

        terms = content_terms(words_of(question))
        numbers, _ = SnapshotRetriever(self._index.corpus).lexical(terms, DEEP)
        return [self._place(number) for number in numbers.tolist()]

    def grep(self, question: str) -> list[Place]:
        """The files that hold any of the question's words (`grep -lirF`), those with most different words first."""
        counts: dict[str, int] = {}
        for word in sorted(content_words(question)):
            for path in self._files_with(word):
                counts[path] = counts.get(path, 0) + 1
        return [Place(path, len(self._texts[path])) for path in sorted(counts, key=lambda path: (-counts[path], path))]

    def _files_with(self, word: str) -> frozenset[str]:
        if word not in self._holding:
            self._holding[word] = frozenset(path for path, text in self._texts.items() if word in text)
        return self._holding[word]

    @cached_property
    def _texts(self) -> dict[str, str]:
        """Every indexed file in lower case."""
        paths = self._index.snapshot.strings("file.path").to_list()
        return {path: (self._index.file_text(path) or "").lower() for path in paths}

    def _place(self, number: int) -> Place:
        if number not in self._chunks:
            row = self._index.chunk(number)
            self._chunks[number] = Place(row.file, len(row.text))
        return self._chunks[number]
