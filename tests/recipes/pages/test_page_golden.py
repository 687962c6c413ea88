"""Four seeds in a vault of twenty pages, compared with their whole tables.

`CTXPACK_UPDATE_GOLDEN=1` rewrites the tables; read the difference before you keep it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from context_pack.kinds.pages import PageRequest
from context_pack.kinds.pages.pack import as_table, pack
from context_pack.kinds.pages.searcher import Hits
from context_pack.kinds.pages.seed import seed_of
from context_pack.kinds.pages.vault import read_vault, seed_page

HERE = Path(__file__).parent
VAULT = HERE / "vault"


PAGE, EXCLUDED = "wiki/concepts/rag.md", "wiki/concepts/agent-memory.md"
FOUND = ("wiki/concepts/vector-search.md", "wiki/summaries/2026/week-11.md", "wiki/comparisons/rag-vs-wiki.md")
SEEDS: dict[str, tuple[PageRequest, Hits]] = {
    "question": (
        PageRequest("How do LLM knowledge bases compare with RAG?"), Hits((PAGE, *FOUND[:2]), "hybrid", "a list")
    ),
    "source": (PageRequest(title="LLM knowledge bases", tags=("llm", "wiki"), entities=("Karpathy",)), Hits()),
    "page": (PageRequest(page=PAGE, exclude=(EXCLUDED,)), Hits(FOUND, "hybrid", "a list")),
    "twins": (PageRequest("ranking of embeddings"), Hits()),
    "nothing": (PageRequest("quarterly finance report"), Hits()),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_the_table(name: str) -> None:
    request, hits = SEEDS[name]
    request = replace(request, limit=8, explain=True)
    vault = read_vault(VAULT)
    page = seed_page(vault, request.page) if request.page else None
    excluded = {*request.exclude, *([page.path] if page else [])}
    table = as_table(pack(vault, seed_of(vault, request, page), request, hits, excluded))
    golden = HERE / "golden" / f"{name}.md"
    if os.environ.get("CTXPACK_UPDATE_GOLDEN"):
        golden.write_text(table, encoding="utf-8")
    assert table == golden.read_text("utf-8")


def test_the_vault_has_about_twenty_pages_and_two_faults() -> None:
    vault = read_vault(VAULT)
    assert len(vault.pages) == 21
    assert vault.default_domains == ("knowledge", "tools")
    assert [str(problem) for problem in vault.problems] == [
        "wiki/comparisons/memex-vs-web.md:3: date-modified is not a date: 'someday'",
        "wiki/summaries/2026/week-11.md:3: not YAML: did not find expected ',' or ']' "
        "(the page has no title, tags or domains)",
    ]
