"""The typed records behind `pages.schema.json`: what `ctxpack pages` prints."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.frozen import frozen
from contracts.records import Why


@frozen
class PageSeed:
    """What the pages were scored against. Tags, domains and page type in lower case; entities are slugs."""

    text: str
    title: str
    tags: tuple[str, ...]
    domains: tuple[str, ...]
    default_domains: tuple[str, ...]
    entities: tuple[str, ...]
    page: str | None = None
    page_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRow:
    """A page with its score, which is the sum of the points in `why`; paths are relative to the vault.

    `baseline_only`: nothing but the vault's default domains speaks for it.
    """

    path: str
    title: str
    score: int
    baseline_only: bool
    page_type: str | None = None
    modified: str | None = None
    why: tuple[Why, ...]


@frozen
class DroppedPage:
    """A page with points that is not in the pack: below `min_score`, or after the last that `limit` lets in."""

    path: str
    score: int
    limit: str
    why: tuple[Why, ...]


@frozen
class PageCounts:
    """Pages of the vault, pages with points, and what became of those that are not in the pack."""

    pages: int
    scored: int
    below_min_score: int
    over_limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePack:
    """`data` of `ctxpack pages`, best first; `left_out` is there with `--explain`."""

    seed: PageSeed
    searcher: str
    provider: str | None = None
    limit: int
    min_score: int
    counts: PageCounts
    pages: tuple[PageRow, ...]
    left_out: tuple[DroppedPage, ...] = ()
    version: int = 1
