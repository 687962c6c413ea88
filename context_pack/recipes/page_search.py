"""Who finds the pages that share no tag: a searcher. Ours is hybrid: full text, then the embedded model.

The full text names the candidates, by BM25 over names and text; the model judges how close those come to what was
asked. Both work on what the vault's pages are read into anyway, so that a large vault need not be indexed as code is.
On prose this finds more than the index of code does: see `benchmarks/README.md`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from math import fsum, sqrt
from typing import Protocol

from context_pack.corpora.vault.reading import Vault
from context_pack.corpora.vault.search_index import SearchIndex
from contracts.records import Hint

MAX_TEXT_CHARS = 20_000  # of a seed, and of a page that the model judges
MAX_WORDS = 32  # of a seed that are looked for: its most frequent ones
CANDIDATES = 20  # pages that the model judges
BM25_SCALE, CLOSENESS_WEIGHT = 5.0, 0.6  # the best BM25 counts 5, a standard deviation of closeness 0.6
MOST_EVIDENCE = 3  # different words of a seed that a page must hold: a third of them, but no more than these
SEARCHERS = ("hybrid", "none")
_WORD = re.compile(r"[^\W_]+")


class PageSearcher(Protocol):
    @property
    def provider(self) -> str:
        """Who answers, as the output names it."""
        ...

    def top(self, text: str, count: int, wanted: Callable[[str], bool]) -> list[str]:
        """At most `count` paths of pages that are wanted, best first, each once."""
        ...

    def hints(self) -> tuple[Hint, ...]:
        """What a reader should know about the search."""
        ...


class VaultSearcher:
    """Searches the pages of one vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._unsaved = ""

    @property
    def provider(self) -> str:
        from index.embed.soft import MODEL_ID

        return f"ctxpack pages, bm25 + {MODEL_ID}"

    def top(self, text: str, count: int, wanted: Callable[[str], bool]) -> list[str]:
        text = text[:MAX_TEXT_CHARS]
        words = query_words(text)
        if not words:
            return []
        with closing(SearchIndex(self._vault)) as index:
            self._unsaved = index.unsaved
            found = [(index.text(path)[:MAX_TEXT_CHARS], path, score) for path, score in _best(index, words, wanted)]
        return _ranked(text, [one for one in found if _is_evidence(words, one[0])])[:count]

    def hints(self) -> tuple[Hint, ...]:
        unsaved = self._unsaved
        return (Hint("info", f"the search index will be made anew next time: {unsaved}"),) if unsaved else ()


def _best(index: SearchIndex, words: Sequence[str], wanted: Callable[[str], bool]) -> list[tuple[str, float]]:
    """The best pages that are wanted; more are asked for when too many are not."""
    count = CANDIDATES * 2
    while True:
        every = index.search(words, count)
        found = [(path, score) for path, score in every if wanted(path)][:CANDIDATES]
        if len(found) == CANDIDATES or len(every) < count:
            return found
        count *= 4


def query_words(text: str) -> list[str]:
    """What is looked for: the words of a text without stop words (if there are others), the most frequent first."""
    from index.analysis import STOP_WORDS

    words = [word.lower() for word in _WORD.findall(text)]
    telling = [word for word in words if word not in STOP_WORDS]
    return [word for word, _ in Counter(telling or words).most_common(MAX_WORDS)]


def _is_evidence(words: Sequence[str], page: str) -> bool:
    """Whether a page holds enough of the words: one common word says nothing about a long question."""
    from index.analysis import terms_of, terms_of_text

    held = frozenset(terms_of_text(page))
    needed = min(MOST_EVIDENCE, -(-len(words) // 3))
    return sum(not held.isdisjoint(terms_of(word)) for word in words) >= needed


def _ranked(text: str, found: Sequence[tuple[str, str, float]]) -> list[str]:
    """The paths of (text, path, BM25) by BM25 and closeness together, then by path.

    Closeness is standardised among the candidates.
    """
    if not found:
        return []
    from index.embed.soft import soft_model

    closeness = soft_model().similarities(text, [page for page, _, _ in found])
    mean = fsum(closeness) / len(closeness)
    spread = sqrt(fsum((close - mean) ** 2 for close in closeness) / len(closeness)) or 1.0
    best = max(score for _, _, score in found) or 1.0
    totals = {
        path: BM25_SCALE * score / best + CLOSENESS_WEIGHT * (close - mean) / spread
        for (_, path, score), close in zip(found, closeness, strict=True)
    }
    return sorted(totals, key=lambda path: (-round(totals[path], 6), path))


def searcher(name: str, vault: Vault) -> VaultSearcher | None:
    """The searcher of that name; None for `none`."""
    return VaultSearcher(vault) if name == "hybrid" else None
