"""Who finds the pages that share no tag: a searcher. Ours is hybrid: full text, then the embedded model.

The full text names the candidates, by BM25 over names and text; the model judges how close those come to what was
asked. Both work on what the vault's pages are read into anyway, so that a large vault need not be indexed as code is.
On prose this finds more than the index of code does: see `benchmarks/README.md`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from math import fsum, sqrt
from pathlib import Path
from typing import Protocol

from context_pack.corpora.cached import Record
from context_pack.corpora.vault.filling import source_of, start_later
from context_pack.corpora.vault.reading import KIND, Vault
from context_pack.corpora.vault.search_index import PageIndex
from contracts.records import Hint
from index import background

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
    """Searches the pages of one vault: `take` what is read of them, `refresh`, ask, then `leave`."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._index = PageIndex(KIND, str(root), later=background.is_allowed())

    @property
    def provider(self) -> str:
        from index.embed.soft import MODEL_ID

        return f"ctxpack pages, bm25 + {MODEL_ID}"

    def take(self, path: str, digest: bytes, data: bytes, record: Record) -> None:
        self._index.take(path, digest, data, record)

    def refresh(self, vault: Vault) -> None:
        """Follow the pages of the vault as it is now."""
        self._index.refresh(source_of(vault))

    def leave(self) -> None:
        """Nothing more is asked: what is not written yet is left to another process."""
        if self._index.unwritten:
            start_later(self._root)

    def top(self, text: str, count: int, wanted: Callable[[str], bool]) -> list[str]:
        asked = text[:MAX_TEXT_CHARS]
        words = query_words(asked)
        if not words:
            return []
        found = self._candidates(words, wanted)
        texts = [page[:MAX_TEXT_CHARS] for page in self._index.texts([path for path, _ in found])]
        kept = [number for number, page in enumerate(texts) if _is_evidence(words, page)]
        return _ranked(asked, [found[number] for number in kept], [texts[number] for number in kept])[:count]

    def _candidates(self, words: Sequence[str], wanted: Callable[[str], bool]) -> list[tuple[str, float]]:
        """The best pages that are wanted; more are asked for when too many are not."""
        asked = CANDIDATES * 2
        while True:
            every = self._index.search(words, asked)
            found = [(path, score) for path, score in every if wanted(path)][:CANDIDATES]
            if len(found) == CANDIDATES or len(every) < asked:
                return found
            asked *= 4

    def hints(self) -> tuple[Hint, ...]:
        unsaved = self._index.unsaved
        return (Hint("info", f"the search index will be made anew next time: {unsaved}"),) if unsaved else ()


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


def _ranked(text: str, found: Sequence[tuple[str, float]], texts: Sequence[str]) -> list[str]:
    """The paths by BM25 and closeness together, then by path. Closeness is standardised among the candidates."""
    if not found:
        return []
    from index.embed.soft import soft_model

    closeness = soft_model().similarities(text, texts)
    mean = fsum(closeness) / len(closeness)
    spread = sqrt(fsum((close - mean) ** 2 for close in closeness) / len(closeness)) or 1.0
    best = max(score for _, score in found) or 1.0
    totals = {
        path: BM25_SCALE * score / best + CLOSENESS_WEIGHT * (close - mean) / spread
        for (path, score), close in zip(found, closeness, strict=True)
    }
    return sorted(totals, key=lambda path: (-round(totals[path], 6), path))


def searcher(name: str, vault: Path) -> VaultSearcher | None:
    """The searcher of that name; None for `none`."""
    return VaultSearcher(vault) if name == "hybrid" else None
