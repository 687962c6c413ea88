"""A plain version of the page pack, close to the specification; tests compare the real one with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml


@dataclass(frozen=True)
class PlainPage:
    path: str
    slug: str
    fields: dict[str, Any]
    links: frozenset[str]

    def names(self, key: str) -> set[str]:
        value = self.fields.get(key)
        return {name.lower() for name in (value if isinstance(value, list) else [value]) if name}

    @property
    def title(self) -> str:
        return self.fields.get("title") or self.slug


@dataclass(frozen=True)
class PlainSeed:
    """A seed with all fields given, so that nothing is inferred."""

    title: str
    tags: frozenset[str]
    domains: frozenset[str]
    entities: frozenset[str]
    page_type: str
    hits: Sequence[str] = ()


def read(vault: Path) -> list[PlainPage]:
    found = []
    for file in vault.glob("wiki/**/*.md"):
        if file.name.startswith("index"):
            continue
        text = file.read_text("utf-8")
        fields = {}
        if text.startswith("---\n"):
            fields = yaml.load(text.split("---\n")[1], yaml.BaseLoader) or {}
        links = {link.split("|")[0].split("#")[0].strip().lower() for link in re.findall(r"\[\[(.+?)\]\]", text)}
        found.append(PlainPage(file.relative_to(vault).as_posix(), file.stem.lower(), fields, frozenset(links)))
    return found


def scores(pages: Sequence[PlainPage], seed: PlainSeed) -> dict[str, int]:
    """Path -> points, for pages that have any."""
    found = {}
    for page in pages:
        points = 3 * len(page.names("tags") & seed.tags) + 2 * len(page.names("domain") & seed.domains)
        points += sum(entity in page.links for entity in seed.entities - {page.slug})
        for entity in seed.entities - {page.slug}:
            points += any(page.slug in other.links for other in pages if other.slug == entity)
        points += bool(seed.page_type) and (page.fields.get("page-type") or "").lower() == seed.page_type
        points += 5 * (page.path in seed.hits)
        points += 4 * (_jaccard(seed.title, page.title) >= 0.5)
        if points:
            found[page.path] = points
    return found


def order(pages: Sequence[PlainPage], found: dict[str, int]) -> list[str]:
    """Best first, then by date (as written, all in one form), latest first, missing dates last, then by path."""
    dates = {page.path: page.fields.get("date-modified") or "" for page in pages}
    return sorted(found, key=lambda path: (-found[path], not dates[path], [-ord(c) for c in dates[path]], path))


def _jaccard(one: str, other: str) -> float:
    first, second = ({word for word in re.split(r"[\W_]+", text.lower()) if word} for text in (one, other))
    return len(first & second) / len(first | second) if first | second else 0.0
