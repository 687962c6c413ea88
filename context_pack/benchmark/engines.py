"""Three ways to find code for a question, over the same files: ctxpack, plain BM25, and `grep -l`.

Each is a list of places; what a reader is shown within a budget is a pack of ctxpack's, and the places that fit of the
others'.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from context_pack.benchmark.commits import content_words
from context_pack.benchmark.measures import Line, Place, lines_shown, shown
from context_pack.options.resolve import Layer
from context_pack.session import Session
from contracts.errors import BudgetTooSmall
from index.text import content_terms, words_of

if TYPE_CHECKING:
    from index import Index

DEEP = 100  # chunks of a list: more than the largest budget holds
Engine = Callable[[str], list[Place]]  # a question -> places, best first


class Engines:
    """The three, over one index. `ctxpack` and `bm25` give chunks, `grep` whole files, as `grep -l` names them."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._session = Session(index, Layer({}))
        self.named: Mapping[str, Engine] = {"ctxpack": self.ctxpack, "bm25": self.bm25, "grep": self.grep}

    def shown(self, name: str, question: str, places: Sequence[Place], budget_chars: int) -> set[Line]:
        """The lines that an engine shows within a budget: those of `ctxpack query`, or of what fits of its `places`."""
        if name != "ctxpack":
            return shown(places, budget_chars)
        try:
            return lines_shown(self._session.query(question, max_chars=budget_chars).data.items)
        except BudgetTooSmall:
            return set()

    def ctxpack(self, question: str) -> list[Place]:
        """The hits of `ctxpack search`."""
        return [self._place(hit.chunk) for hit in self._index.search(question, top_k=DEEP)]

    def bm25(self, question: str) -> list[Place]:
        """The same chunks by BM25 of their text alone (k1 1.2, b 0.75), with the same stems."""
        terms = dict.fromkeys(content_terms(words_of(question)))
        scores = self._index.collection.query_terms(tuple(terms)).bm25()
        best = (-scores).argsort(kind="stable")[:DEEP]
        return [self._place(number) for number in best[scores[best] > 0].tolist()]

    def grep(self, question: str) -> list[Place]:
        """The files that hold any of the question's words (`grep -lirF`), those with most different words first."""
        words = content_words(question)
        counts = Counter(path for path, text in self._texts.items() for word in words if word in text)
        ranked = sorted(counts, key=lambda path: (-counts[path], path))
        return [Place(path, len(self._texts[path]), 1, self._texts[path].count("\n") + 1) for path in ranked]

    @cached_property
    def _texts(self) -> dict[str, str]:
        """Every indexed file in lower case."""
        paths = self._index.snapshot.strings("file.path").to_list()
        return {path: (self._index.file_text(path) or "").lower() for path in paths}

    def _place(self, number: int) -> Place:
        row = self._index.chunk(number)
        return Place(row.file, len(row.text), row.start_line, row.end_line)
