"""The points of pages for a seed: the table of points, and the signals that it counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from context_pack.core.fit import Candidate
from context_pack.kinds.pages.page import Page
from context_pack.kinds.pages.searcher import Hits
from context_pack.kinds.pages.vault import Vault
from context_pack.kinds.pages.words import words
from contracts.pages import PageSeed
from contracts.records import Why

SIGNALS: Mapping[str, tuple[int, str]] = {  # points and label, by name
    "shared_tag": (3, "shared tag: "),  # each
    "shared_domain": (2, "shared domain: "),  # each
    "default_domain": (2, "default domain: "),  # each shared domain that is one of the vault's defaults
    "link_to": (1, "links to: "),  # each named entity that the page links to
    "link_from": (1, "linked from: "),  # each named entity whose page links to this one
    "same_page_type": (1, "same page-type: "),
    "searcher_hit": (5, ""),
    "title_overlap": (4, "title overlap: "),
}
TITLE_OVERLAP = 0.5  # Jaccard similarity of the words of two titles at which they count as near-duplicates


def score(vault: Vault, seed: PageSeed, hits: Hits, excluded: Collection[str] = ()) -> list[Candidate[Page]]:
    """Every page with points: best first, then latest first with undated pages last, then by path."""
    signals = _signals(vault, seed, hits)
    candidates = []
    for page in vault.pages:
        why = tuple(Why(name, signal, SIGNALS[name][0], detail) for name, signal, detail in signals(page))
        if why and page.path not in excluded:
            candidates.append(Candidate(page.path, page, sum(part.points for part in why), why))
    return sorted(candidates, key=_place)


def _place(candidate: Candidate[Page]) -> tuple[float, bool, int, str]:
    modified_s = candidate.item.modified_s
    return (-candidate.points, modified_s is None, -(modified_s or 0), candidate.id)


def _signals(vault: Vault, seed: PageSeed, hits: Hits) -> Callable[[Page], Iterator[tuple[str, float, str]]]:
    """A function that yields (name, value, detail) of each signal of a page, in the order of the table."""
    tags, entities, title = frozenset(seed.tags), frozenset(seed.entities), frozenset(words(seed.title))
    domains = dict.fromkeys(seed.domains, "shared_domain") | dict.fromkeys(seed.default_domains, "default_domain")
    ranks = {path: rank for rank, path in enumerate(hits.paths, start=1)}
    linked_from: dict[str, set[str]] = {}  # slug -> the named entities whose pages link to it
    for page in vault.pages:
        for slug in page.links if page.slug in entities else ():
            linked_from.setdefault(slug, set()).add(page.slug)

    def of(page: Page) -> Iterator[tuple[str, float, str]]:
        # Most pages of a large vault share no tag or link with the seed; `isdisjoint` rules them out fast.
        if not tags.isdisjoint(page.tags):
            yield from (("shared_tag", 1.0, tag) for tag in page.tags if tag in tags)
        yield from ((domains[domain], 1.0, domain) for domain in page.domains if domain in domains)
        if not entities.isdisjoint(page.links):
            yield from (("link_to", 1.0, slug) for slug in page.links if slug in entities and slug != page.slug)
        yield from (("link_from", 1.0, slug) for slug in sorted(linked_from.get(page.slug, set()) - {page.slug}))
        if page.page_type and page.page_type == seed.page_type:
            yield "same_page_type", 1.0, page.page_type
        if rank := ranks.get(page.path):
            yield "searcher_hit", float(rank), f"{hits.searcher} top-{rank}"
        own = page.title_key.split()
        overlap = 0.0 if title.isdisjoint(own) else len(title.intersection(own)) / len(title.union(own))
        if overlap >= TITLE_OVERLAP:
            yield "title_overlap", round(overlap, 4), ""

    return of
