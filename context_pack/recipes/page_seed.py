"""What a seed says about itself, read against the vault's own vocabulary: the same text gives the same signals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from context_pack.corpora.vault.pages import Page
from context_pack.corpora.vault.reading import Vault
from context_pack.corpora.vault.words import Phrases, folded, key_of, terms
from context_pack.recipes.page_points import MAX_INFERRED_TAGS


@dataclass(frozen=True, slots=True)
class Request:
    """A seed as it is given: a text, a source note (title, tags, entities), or a page of the vault.

    None means not given. `exclude` holds paths that never appear.
    """

    text: str = ""
    title: str | None = None
    tags: tuple[str, ...] | None = None
    entities: tuple[str, ...] | None = None
    page: Page | None = None
    exclude: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Signals:
    """What pages are scored against. `named_domains` are those that the seed itself names, default ones among them."""

    text: str
    title: str
    tags: tuple[str, ...]
    named_domains: tuple[str, ...]
    default_domains: tuple[str, ...]
    entities: tuple[str, ...]
    page_type: str


def signals(vault: Vault, request: Request) -> Signals:
    """The signals of a seed. What is given replaces what would be inferred; the default domains always count."""
    page = request.page
    title = request.title if request.title is not None else page.title if page else ""
    text = "\n".join(part for part in (request.text, title) if part)
    phrases = Phrases(text)
    given_tags = request.tags if request.tags is not None else tuple(page.tags) if page and page.tags else None
    named = request.entities
    return Signals(
        text=text,
        title=title or request.text,
        tags=_distinct(given_tags) if given_tags is not None else inferred_tags(vault.pages, text),
        named_domains=_distinct(page.domains) if page and page.domains else _domains(vault, phrases),
        default_domains=vault.default_domains,
        entities=_inferred_entities(vault.pages, phrases) if named is None else _named_entities(vault.pages, named),
        page_type=page.page_type if page else _page_type(vault.pages, phrases),
    )


def inferred_tags(pages: Iterable[Page], text: str) -> tuple[str, ...]:
    """The tags of the vault that stand in the text, by (exact, length, name): as written first, then the longest."""
    phrases, written = Phrases(text), terms(text)
    found: set[str] = set().union(*(page.tags for page in pages))
    standing = [tag for tag in found if (key := key_of(tag)) and phrases.hold(key)]
    standing.sort(key=lambda tag: (tag not in written, -len(tag), tag))
    return tuple(standing[:MAX_INFERRED_TAGS])


def _domains(vault: Vault, phrases: Phrases) -> tuple[str, ...]:
    known: set[str] = set(vault.default_domains).union(*(page.domains for page in vault.pages))
    return tuple(sorted(domain for domain in known if (key := key_of(domain)) and phrases.hold(key)))


def _inferred_entities(pages: Sequence[Page], phrases: Phrases) -> tuple[str, ...]:
    """The slugs of the pages whose title, slug or an alias stands in the text."""
    runs = phrases.runs(key for page in pages for key in (page.slug_key, page.title_key, *page.alias_keys))
    return tuple(
        sorted(
            {
                page.slug
                for page in pages
                if page.title_key in runs or page.slug_key in runs or not runs.isdisjoint(page.alias_keys)
            }
        )
    )


def _named_entities(pages: Iterable[Page], named: Sequence[str]) -> tuple[str, ...]:
    """The slugs that given names stand for; a name that no page has is a slug itself: pages may link to it."""
    wanted = {key: name for name in named if (key := key_of(name))}
    found: dict[str, set[str]] = {}
    for page in pages:
        for key in _keys(page):
            if key in wanted:
                found.setdefault(key, set()).add(page.slug)
    slugs = {slug for key, name in wanted.items() for slug in found.get(key) or {folded(name).replace(" ", "-")}}
    return tuple(sorted(slugs))


def _keys(page: Page) -> list[str]:
    return [page.slug_key, page.title_key, *page.alias_keys]


def _page_type(pages: Iterable[Page], phrases: Phrases) -> str:
    """The one page type of the vault that stands in the text; none when several do, for then it is not obvious."""
    known = {page.page_type for page in pages} - {""}
    standing = [kind for kind in known if (key := key_of(kind)) and phrases.hold(key)]
    return standing[0] if len(standing) == 1 else ""


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({folded(name).strip().lstrip("#") for name in names} - {""}))
