"""Vaults for tests: pages written to a folder, given or random."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

TAGS = ("llm", "wiki", "rag", "memory")
DOMAINS = ("ai", "tools", "people")
TYPES = ("concept", "entity", "comparison", "source-note", "summary")
WORDS = ("agent", "memory", "wiki", "search", "notes")
DATES = ("2026-01-01", "2026-01-02", "2026-02-01", None)
FOLDERS = ("wiki", "wiki/concepts", "wiki/a/b")


def write_page(vault: Path, path: str, body: str = "", **fields: Any) -> Path:
    """Writes a page with frontmatter; `page_type` is written as `page-type`, None leaves a field out."""
    lines = [f"{key.replace('_', '-')}: {_written(value)}" for key, value in fields.items() if value is not None]
    target = vault / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(["---", *lines, "---", body, ""]) if lines else f"{body}\n", encoding="utf-8")
    return target


def write_vault(vault: Path, chance: Random, count: int, default_domains: Sequence[str] = ()) -> list[str]:
    """Writes a random vault of at most `count` pages with different slugs; returns their paths."""
    if default_domains:
        vault.mkdir(exist_ok=True, parents=True)
        (vault / "vault.yaml").write_text(f"default-domains: [{', '.join(default_domains)}]\n")
    slugs = [f"p{number}" for number in range(count)]
    paths = []
    for slug in slugs:
        path = f"{chance.choice(FOLDERS)}/{slug}.md"
        forms = ("[[{}]]", "[[{}|text]]", "[[{}#heading]]")
        links = [chance.choice(forms).format(chance.choice(slugs)) for _ in range(chance.randrange(4))]
        write_page(
            vault, path, " and ".join(links), title=" ".join(chance.sample(WORDS, chance.randrange(1, 4))),
            date_modified=chance.choice(DATES), page_type=chance.choice((*TYPES, None)),
            domain=chance.sample(DOMAINS, chance.randrange(3)), tags=chance.sample(TAGS, chance.randrange(4)),
        )  # fmt: skip
        paths.append(path)
    return paths


def _written(value: Any) -> str:
    return f"[{', '.join(value)}]" if isinstance(value, list | tuple) else str(value)
