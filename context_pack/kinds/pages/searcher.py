"""The searcher, which finds pages that share no tag with the seed: by full text, then by the embedded model.

BM25 over names and text selects the candidates; the model measures how close each is to the seed. On prose this finds
more than the index of code does: see `benchmarks/results/lists.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import closing
from math import fsum, sqrt

from context_pack.kinds.pages.search_index import SearchIndex
from context_pack.kinds.pages.vault import Vault
from context_pack.kinds.pages.words import words as words_in
from contracts.frozen import frozen
from contracts.pages import PageSeed
from contracts.records import Hint

TOP_HITS = 3  # hits that get points
MAX_TEXT_CHARS = 20_000  # of a seed, and of a page that the model compares with it
MAX_WORDS = 32  # words of a seed that are searched for, the most frequent ones
CANDIDATES = 20  # pages that the model compares with the seed
BM25_SCALE, CLOSENESS_WEIGHT = 5.0, 0.6  # the best BM25 counts 5, a standard deviation of closeness 0.6
MAX_EVIDENCE = 3  # a page must contain a third of a seed's different words, but no more than this


@frozen
class Hits:
    """The hits of a searcher, best first; `provider` is None without a searcher."""

    paths: tuple[str, ...] = ()
    searcher: str = "none"
    provider: str | None = None
    hints: tuple[Hint, ...] = ()


def search(vault: Vault, seed: PageSeed, name: str, excluded: Collection[str] = ()) -> Hits:
    """The best pages that the searcher `name` finds, without the excluded ones."""
    if name == "none":
        return Hits()
    allowed = {page.path for page in vault.pages}.difference(excluded)
    if not allowed:
        return Hits((), name)
    from index.embed import MODEL_ID

    text = "\n".join(dict.fromkeys(part for part in (seed.text, seed.title) if part))
    paths, unsaved = best_pages(vault, text, TOP_HITS, allowed)
    hints = (Hint("info", f"the search index will be built again next time: {unsaved}"),) if unsaved else ()
    return Hits(tuple(paths), name, f"ctxpack pages, bm25 + {MODEL_ID}", hints)


def best_pages(vault: Vault, text: str, count: int, allowed: Collection[str]) -> tuple[list[str], str]:
    """At most `count` allowed paths, best first, and why the search index could not be saved (empty: it was)."""
    text = text[:MAX_TEXT_CHARS]
    words = query_words(text)
    if not words:
        return [], ""
    with closing(SearchIndex(vault)) as index:
        best = [one for one in index.search(words, 2 * CANDIDATES) if one[0] in allowed][:CANDIDATES]
        pages = [(index.text(path)[:MAX_TEXT_CHARS], path, score) for path, score in best]
    return _ranked(text, [one for one in pages if _is_evidence(words, one[0])])[:count], index.unsaved


def query_words(text: str) -> list[str]:
    """The words to search for: those of a text without stop words (if there are others), the most frequent first."""
    from index.text import STOP_WORDS

    every = words_in(text)
    content_words = [word for word in every if word not in STOP_WORDS]
    return [word for word, _ in Counter(content_words or every).most_common(MAX_WORDS)]


def _is_evidence(words: Sequence[str], page: str) -> bool:
    """Whether a page contains enough of the words: one common word says nothing about a long question."""
    from index.text import terms_of, terms_of_text

    page_terms = frozenset(terms_of_text(page))
    needed = min(MAX_EVIDENCE, -(-len(words) // 3))
    return sum(not page_terms.isdisjoint(terms_of(word)) for word in words) >= needed


def _ranked(text: str, pages: Sequence[tuple[str, str, float]]) -> list[str]:
    """The paths of (text, path, BM25), sorted by BM25 and closeness combined, then by path.

    Closeness is standardised among the candidates.
    """
    if not pages:
        return []
    from index.embed.lite import soft_model

    closeness = soft_model().similarities(text, [page for page, _, _ in pages])
    mean = fsum(closeness) / len(closeness)
    spread = sqrt(fsum((close - mean) ** 2 for close in closeness) / len(closeness)) or 1.0
    best = max(score for _, _, score in pages) or 1.0
    totals = {
        path: BM25_SCALE * score / best + CLOSENESS_WEIGHT * (close - mean) / spread
        for (_, path, score), close in zip(pages, closeness, strict=True)
    }
    return sorted(totals, key=lambda path: (-round(totals[path], 6), path))
