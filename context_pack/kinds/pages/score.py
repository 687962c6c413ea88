"""The points of pages for a seed: the score table, as data, and the signals that it counts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from context_pack.core.fit import Candidate, ordered
from context_pack.kinds.pages.page import Page
from context_pack.kinds.pages.searcher import Hits
from context_pack.kinds.pages.vault import Vault
from context_pack.kinds.pages.words import words
from contracts.pages import PageSeed
from contracts.records import Why

POINTS: Mapping[str, int] = {
    "shared_tag": 3,  # each
    "shared_domain": 2,  # each
    "default_domain": 2,  # each shared domain that is one of the vault's defaults
    "link_to": 1,  # each named entity that the page links to
    "link_from": 1,  # each named entity whose page links to this one
    "same_page_type": 1,
    "searcher_hit": 5,
    "title_overlap": 4,
}
TITLE_OVERLAP = 0.5  # Jaccard similarity of the words of two titles, from which they count as near-duplicates


def score(vault: Vault, seed: PageSeed, hits: Hits, excluded: Collection[str] = ()) -> tuple[Candidate[Page], ...]:
    """Every page with points, best first; then the latest, those without a date last; then by path."""
    signals = _Signals(vault, seed, hits)
    candidates = []
    for page in vault.pages:
        why = tuple(Why(name, signal, POINTS[name], detail) for name, signal, detail in signals.of(page))
        if why and page.path not in excluded:
            candidates.append(Candidate(page.path, page, sum(part.points for part in why), why))
    return ordered(candidates, _place)


def _place(candidate: Candidate[Page]) -> tuple[float, bool, int, str]:
    modified_s = candidate.item.modified_s
    return (-candidate.points, modified_s is None, -(modified_s or 0), candidate.id)


class _Signals:
    def __init__(self, vault: Vault, seed: PageSeed, hits: Hits) -> None:
        self._seed, self._hits = seed, hits
        self._tags, self._entities = frozenset(seed.tags), frozenset(seed.entities)
        self._domains = frozenset((*seed.domains, *seed.default_domains))
        self._title = frozenset(words(seed.title))
        self._ranks = {path: rank for rank, path in enumerate(hits.paths, start=1)}
        self._linked_from: dict[str, set[str]] = {}  # slug -> the named entities whose pages link to it
        for page in vault.pages:
            if page.slug in self._entities:
                for slug in page.links:
                    self._linked_from.setdefault(slug, set()).add(page.slug)

    def of(self, page: Page) -> Iterator[tuple[str, float, str]]:
        """(name, value, detail) of each signal of a page, in the order of the table."""
        # Most pages of a large vault have none, which `isdisjoint` tells fast.
        if not self._tags.isdisjoint(page.tags):
            yield from (("shared_tag", 1.0, tag) for tag in page.tags if tag in self._tags)
        if not self._domains.isdisjoint(page.domains):
            for domain in filter(self._domains.__contains__, page.domains):
                yield "default_domain" if domain in self._seed.default_domains else "shared_domain", 1.0, domain
        if not self._entities.isdisjoint(page.links):
            yield from (("link_to", 1.0, slug) for slug in page.links if slug in self._entities and slug != page.slug)
        if page.slug in self._linked_from:
            yield from (("link_from", 1.0, slug) for slug in sorted(self._linked_from[page.slug] - {page.slug}))
        if page.page_type and page.page_type == self._seed.page_type:
            yield "same_page_type", 1.0, page.page_type
        if page.path in self._ranks:
            rank = self._ranks[page.path]
            yield "searcher_hit", float(rank), f"{self._hits.searcher} top-{rank}"
        overlap = jaccard(self._title, page.title_key.split())
        if overlap >= TITLE_OVERLAP:
            yield "title_overlap", round(overlap, 4), ""


def jaccard(one: frozenset[str], other: Sequence[str]) -> float:
    """The words that two titles share, among all of theirs; 0 for titles without words."""
    return 0.0 if one.isdisjoint(other) else len(one.intersection(other)) / len(one.union(other))
