"""The typed records that `ctxpack pages` prints, as in `pages.schema.json`."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.frozen import frozen
from contracts.records import Why


@frozen
class PageSeed:
    """The terms that pages are scored against. Tags, domains and page type are lower case; entities are slugs."""

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

    `baseline_only`: all its points come from the vault's default domains.
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
    """A page with points that is not in the pack: it scores below `min_score`, or `limit` was reached before it."""

    path: str
    score: int
    limit: str
    why: tuple[Why, ...]


@frozen
class PageCounts:
    """Counts of pages in the vault, of pages with points, and of those left out of the pack, by reason."""

    pages: int
    scored: int
    below_min_score: int
    over_limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePack:
    """`data` of `ctxpack pages`, best first; `left_out` is set with `--explain`."""

    seed: PageSeed
    searcher: str
    provider: str | None = None
    limit: int
    min_score: int
    counts: PageCounts
    pages: tuple[PageRow, ...]
    left_out: tuple[DroppedPage, ...] = ()
    version: int = 1
