"""Who finds the pages that share no tag: a searcher. Ours is the hybrid index over the vault's wiki."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from context_pack.corpora.vault.reading import WIKI

if TYPE_CHECKING:
    from index.api import Index

MAX_TEXT_CHARS = 20_000  # of a seed: what the index takes for a query
FIRST_HITS = 48  # chunks asked for first; a page has several
SEARCHERS = ("hybrid", "none")


class PageSearcher(Protocol):
    @property
    def provider(self) -> str:
        """Who answers, as the output names it."""
        ...

    def top(self, text: str, count: int, wanted: Callable[[str], bool]) -> list[str]:
        """At most `count` paths of pages that are wanted, best first, each once."""
        ...


class IndexSearcher:
    """Searches our index of `wiki/`, which is made or refreshed first."""

    def __init__(self, vault: Path, model: str = "auto") -> None:
        self._vault = vault
        self._model = model
        self._index: Index | None = None

    @property
    def provider(self) -> str:
        return f"ctxpack index, {self._opened().model_id}"

    def top(self, text: str, count: int, wanted: Callable[[str], bool]) -> list[str]:
        index = self._opened()
        asked = FIRST_HITS
        while True:
            hits = index.search(text[:MAX_TEXT_CHARS], top_k=asked)
            paths = dict.fromkeys(f"{WIKI}/{index.chunk(hit.chunk).file}" for hit in hits)
            found = [path for path in paths if wanted(path)][:count]
            if len(found) == count or len(hits) < asked:
                return found
            asked *= 4

    def _opened(self) -> Index:
        if self._index is None:
            from index.api import open_index

            self._index = open_index(self._vault / WIKI, model=self._model)
        return self._index


def searcher(name: str, vault: Path) -> PageSearcher | None:
    """The searcher of that name; None for `none`."""
    return IndexSearcher(vault) if name == "hybrid" else None
