"""Requests to a vault, and their seeds: what a text or page is about, in the vault's own vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from context_pack.kinds.pages.page import Page
from context_pack.kinds.pages.vault import Vault
from context_pack.kinds.pages.words import distinct, folded, key_of, names_in, terms, words
from context_pack.options.resolve import checked_options
from contracts.errors import UsageError
from contracts.frozen import frozen
from contracts.pages import PageSeed

MAX_INFERRED_TAGS = 4


@frozen
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
            raise UsageError("page", "page cannot be used with title, tags or entities")
        if not self.text.strip() and self.page is None and not (self.title or "").strip():
            raise UsageError("seed", "the seed is empty", hint="give a question, a title or a page")
        given = {"searcher": self.searcher, "limit": self.limit, "min_score": self.min_score}
        checked_options("pages", given)


def seed_of(vault: Vault, request: PageRequest, page: Page | None = None) -> PageSeed:
    """The seed of a request and of the page that it names.

    Given values replace inferred ones; the default domains always count.
    """
    text = request.text.strip()
    title = request.title if request.title is not None else page.title if page else ""
    whole = "\n".join(part for part in (text, title) if part)
    in_text = names_in(whole)
    if request.tags is not None:
        tags = distinct(folded(tag).strip().lstrip("#") for tag in request.tags)
    else:
        tags = page.tags if page and page.tags else inferred_tags(vault.pages, whole)
    if request.entities is not None:
        entities = _named_entities(vault.pages, request.entities)
    else:
        text_words = words(whole)
        runs = {"-".join(text_words[at:end]) for at in range(len(text_words) - 1) for end in range(at + 2, at + 6)}
        links = (runs.intersection(one.links) for one in vault.pages)  # a slug of two to five words needs no page
        entities = distinct([*(one.slug for one in vault.pages if any(map(in_text, _keys(one)))), *chain(*links)])
    domains = {name for one in vault.pages for name in one.domains}.union(vault.default_domains)
    page_types = [name for name in {one.page_type for one in vault.pages} if in_text(key_of(name))]
    return PageSeed(
        text=text,
        title=title or text,
        tags=tags,
        domains=page.domains if page and page.domains else distinct(one for one in domains if in_text(key_of(one))),
        default_domains=vault.default_domains,
        entities=entities,
        page=page.path if page else None,
        # If the text names several types, none is obvious.
        page_type=(page.page_type if page else page_types[0] if len(page_types) == 1 else "") or None,
    )


def inferred_tags(pages: Iterable[Page], text: str) -> tuple[str, ...]:
    """The tags of the vault that the text contains, by (exact, length, name): as written first, then the longest."""
    in_text, written = names_in(text), terms(text)
    tags = [tag for tag in {tag for page in pages for tag in page.tags} if in_text(key_of(tag))]
    return tuple(sorted(tags, key=lambda tag: (tag not in written, -len(tag), tag))[:MAX_INFERRED_TAGS])


def _named_entities(pages: Iterable[Page], names: Sequence[str]) -> tuple[str, ...]:
    """The slugs of the given names; a name that no page has becomes a slug itself, because pages may link to it."""
    slugs: dict[str, set[str]] = {key: set() for name in names if (key := key_of(name))}
    for page in pages:
        for key in slugs.keys() & _keys(page):
            slugs[key].add(page.slug)
    unknown = [folded(name).replace(" ", "-") for name in names if slugs.get(key_of(name)) == set()]
    return distinct([*unknown, *(slug for of_name in slugs.values() for slug in of_name)])


def _keys(page: Page) -> tuple[str, ...]:
    return (page.slug_key, page.title_key, *page.alias_keys)
