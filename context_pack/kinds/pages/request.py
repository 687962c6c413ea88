"""What is asked of a vault."""

from __future__ import annotations

from dataclasses import dataclass

from context_pack.options.resolve import checked_options
from contracts.errors import InvalidRequest


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A seed: a text, a source (title, tags, entities) or a page of the vault; and how much of the answer is shown.

    None means not given. `exclude` names pages that never appear, `explain` shows those that were left out.
    """

    text: str = ""
    page: str | None = None
    title: str | None = None
    tags: tuple[str, ...] | None = None
    entities: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    searcher: str = "hybrid"
    limit: int = 5
    min_score: int = 3
    explain: bool = False
    no_redact: bool = False

    def check(self) -> None:
        """InvalidRequest names the field that is wrong."""
        if self.page is not None and (self.title, self.tags, self.entities) != (None, None, None):
            raise InvalidRequest("page", "a page is a seed by itself: leave out title, tags and entities")
        if not self.text.strip() and self.page is None and not (self.title or "").strip():
            raise InvalidRequest("seed", "the seed is empty", hint="give a question, a title or a page")
        given = {"searcher": self.searcher, "limit": self.limit, "min_score": self.min_score}
        checked_options("pages", given)
