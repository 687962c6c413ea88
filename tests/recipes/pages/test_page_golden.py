"""Four seeds of a vault of twenty pages: the whole table, compared.

`CTXPACK_UPDATE_GOLDEN=1` writes the tables anew; read the difference before you keep it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from context_pack.corpora.vault.reading import read_vault, seed_page
from context_pack.recipes.page_search import PageSearcher
from context_pack.recipes.page_seed import Request, signals
from context_pack.recipes.pages import PageOptions, pack, search
from context_pack.render.pages import render
from contracts.records import Hint

HERE = Path(__file__).parent
VAULT = HERE / "vault"


class Listed:
    """A stand-in searcher: what it finds is given."""

    def __init__(self, *paths: str) -> None:
        self._paths = paths

    @property
    def provider(self) -> str:
        return "a list"

    def top(self, text: str, count: int, wanted: Callable[[str], bool]) -> list[str]:
        return [path for path in self._paths if wanted(path)][:count]

    def hints(self) -> tuple[Hint, ...]:
        return ()


PAGE = "wiki/concepts/rag.md"
FOUND = Listed(
    "wiki/index.md",
    PAGE,
    "wiki/concepts/vector-search.md",
    "wiki/summaries/2026/week-11.md",
    "wiki/comparisons/rag-vs-wiki.md",
)
SEEDS: dict[str, tuple[Request, PageSearcher | None]] = {
    "question": (Request("How do LLM knowledge bases compare with RAG?"), FOUND),
    "source": (Request(title="LLM knowledge bases", tags=("llm", "wiki"), entities=("Karpathy",)), None),
    "page": (Request(exclude=frozenset({"wiki/concepts/agent-memory.md"})), FOUND),
    "twins": (Request("ranking of embeddings"), None),
    "nothing": (Request("quarterly finance report"), None),
}


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_the_table(name: str) -> None:
    request, finder = SEEDS[name]
    vault = read_vault(VAULT)
    if name == "page":
        request = Request(page=seed_page(vault, PAGE), exclude=request.exclude)
    seed = signals(vault, request)
    hits = search(vault, seed, request, "hybrid", finder)
    table = render(pack(vault, seed, request, hits, PageOptions(limit=8, explain=True)), "md")
    golden = HERE / "golden" / f"{name}.md"
    if os.environ.get("CTXPACK_UPDATE_GOLDEN"):
        golden.write_text(str(table), encoding="utf-8")
    assert table == golden.read_text("utf-8")


def test_the_vault_has_about_twenty_pages_and_two_faults() -> None:
    vault = read_vault(VAULT)
    assert len(vault.pages) == 21
    assert vault.default_domains == ("knowledge", "tools")
    assert [str(problem) for problem in vault.problems] == [
        "wiki/comparisons/memex-vs-web.md:3: date-modified is no date: 'someday'",
        "wiki/summaries/2026/week-11.md:3: not YAML: did not find expected ',' or ']' "
        "(the page has no title, tags or domains)",
    ]
