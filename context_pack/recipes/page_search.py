"""Who finds the pages that share no tag: a searcher. Ours is the hybrid index over the vault's wiki."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from context_pack.corpora.vault.reading import WIKI
from contracts.records import Hint

if TYPE_CHECKING:
    from index.api import Index

Progress = Callable[[str, int, int], None]  # (stage, done, total)
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

    def hints(self, pages: Collection[str]) -> tuple[Hint, ...]:
        """What a reader should know about the search of these pages."""
        ...


class IndexSearcher:
    """Searches our index of `wiki/`, which is made or refreshed first."""

    def __init__(self, vault: Path, model: str = "auto", progress: Progress | None = None) -> None:
        self._vault = vault
        self._model = model
        self._progress = progress
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

    def hints(self, pages: Collection[str]) -> tuple[Hint, ...]:
        index = self._opened()
        hints = []
        news = index.refreshed
        if news is not None and news.added + news.changed + news.removed:
            what = f"{news.added} files added, {news.changed} changed, {news.removed} removed"
            hints.append(Hint("info", f"Search index of {WIKI}/ refreshed: {what}."))
        seen = {f"{WIKI}/{path}" for path in index.snapshot.strings("file.path").to_list()}
        unseen = len(pages) - sum(map(seen.__contains__, pages))
        if unseen:
            why = "git or a .ctxpackignore leaves them out, or they hold no text"
            hints.append(Hint("warn", f"the searcher does not see {unseen} of {len(pages)} pages: {why}"))
        return tuple(hints)

    def _opened(self) -> Index:
        if self._index is None:
            from index.api import open_index

            self._index = open_index(self._vault / WIKI, model=self._model, progress=self._progress)
        return self._index


def searcher(name: str, vault: Path, progress: Progress | None = None) -> PageSearcher | None:
    """The searcher of that name; None for `none`."""
    return IndexSearcher(vault, progress=progress) if name == "hybrid" else None
