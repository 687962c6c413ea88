"""The fields of a seed: inferred with the vault's own vocabulary, or given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from page_vaults import write_page

from context_pack.kinds.pages import PageRequest
from context_pack.kinds.pages.searcher import search
from context_pack.kinds.pages.seed import inferred_tags, seed_of
from context_pack.kinds.pages.vault import Vault, read_vault, seed_page
from context_pack.kinds.pages.words import key_of, names_in, terms, words
from contracts.pages import PageSeed


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    (tmp_path / "vault.yaml").write_text("default-domains: [notes]\n")
    write_page(
        tmp_path, "wiki/andrej-karpathy.md", title="Andrej Karpathy", aliases=["AK"], page_type="entity",
        domain=["ai-research"], tags=["llm", "ai-safety"],
    )  # fmt: skip
    write_page(
        tmp_path, "wiki/rag-vs-wiki.md", title="RAG vs. wiki", page_type="comparison", domain=["notes", "tools"],
        tags=["rag", "ai", "wiki", "long-context", "context"],
    )  # fmt: skip
    write_page(tmp_path, "wiki/llm-wiki.md", title="LLM wiki", page_type="concept", tags=["llm"])
    write_page(tmp_path, "wiki/talk.md", title="A talk", page_type="source-note")
    return read_vault(tmp_path)


def of(vault: Vault, text: str = "", **given: Any) -> PageSeed:
    return seed_of(vault, PageRequest(text, **given))


def test_words_are_lower_cased_runs_of_letters_and_digits() -> None:
    assert words("RAG vs. Wiki_2: über-café, C++!") == ["rag", "vs", "wiki", "2", "über", "café", "c"]
    assert key_of("rag-vs-wiki") == key_of("RAG vs. Wiki") == "rag vs wiki"
    assert words("RAG是什么？") == ["rag", "是什", "什么"], "Chinese puts no blanks between words"


def test_signals_are_read_from_a_text_without_blanks(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/reset.md", title="密码重置", tags=["安全"], body="用户可以通过邮件重置密码。")
    write_page(tmp_path, "wiki/weather.md", title="天气", tags=["天气"], body="今天的天气很好。")
    vault = read_vault(tmp_path)
    seed = of(vault, "密码重置和安全有什么关系？")
    assert (seed.tags, seed.entities) == (("安全",), ("reset",))
    assert search(vault, of(vault, "用户如何重置密码？"), "hybrid").paths == ("wiki/reset.md",)
    assert {"rag-vs-wiki", "rag", "wiki", "c"} <= terms("RAG-vs-Wiki in C")
    assert names_in("the long context")("long context")
    assert not names_in("the long, dark context")("long context")
    assert not names_in("longer context")("long")
    assert not names_in("the long context")("")


def test_tags_are_matched_by_all_their_words_in_a_row(vault: Vault) -> None:
    assert of(vault, "is AI safety solved?").tags == ("ai", "ai-safety")
    assert of(vault, "safety of AI").tags == ("ai",)
    assert of(vault, "nothing here").tags == ()


def test_at_most_four_tags_by_exactness_length_and_name(vault: Vault) -> None:
    """Tags that match as written (`ai-safety`) come first, then the longest, then by name."""
    text = "ai-safety, long context: wiki or rag, llm or context"
    assert of(vault, text).tags == ("ai-safety", "context", "wiki", "llm")
    assert inferred_tags(vault.pages, "long context, AI safety, ai") == ("context", "ai", "long-context", "ai-safety")


def test_domains_are_matched_and_the_default_ones_always_count(vault: Vault) -> None:
    found = of(vault, "AI research with tools")
    assert (found.domains, found.default_domains) == (("ai-research", "tools"), ("notes",))
    assert of(vault, "x").default_domains == ("notes",)


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("what did Andrej Karpathy say", ("andrej-karpathy",)),
        ("ANDREJ-KARPATHY!", ("andrej-karpathy",)),
        ("what AK said", ("andrej-karpathy",)),
        ("RAG vs wiki, and an LLM wiki", ("llm-wiki", "rag-vs-wiki")),
        ("Karpathy, Andrej", ()),
    ],
)
def test_entities_are_titles_aliases_and_slugs(vault: Vault, text: str, slugs: tuple[str, ...]) -> None:
    assert of(vault, text).entities == slugs


def test_the_page_type_is_a_hint_when_it_is_obvious(vault: Vault) -> None:
    assert of(vault, "a comparison of two").page_type == "comparison"
    assert of(vault, "the source note on it").page_type == "source-note"
    assert of(vault, "a concept, not an entity").page_type is None
    assert of(vault, "x").page_type is None


def test_given_values_replace_inferred_ones(vault: Vault) -> None:
    text = "LLM wiki by Andrej Karpathy"
    found = of(vault, text, tags=("#RAG", "unknown"), entities=("ak", "Vannevar Bush"))
    assert found.tags == ("rag", "unknown")
    assert found.entities == ("andrej-karpathy", "vannevar-bush")
    assert of(vault, text, tags=(), entities=()).tags == ()
    assert of(vault, text, tags=(), entities=()).entities == ()


def test_a_source_is_its_title(vault: Vault) -> None:
    found = of(vault, title="LLM wiki by Andrej Karpathy")
    assert (found.text, found.title, found.tags) == ("", "LLM wiki by Andrej Karpathy", ("wiki", "llm"))
    assert of(vault, "an LLM?", title="of a wiki").tags == ("wiki", "llm")
    assert of(vault, "how?").title == "how?"


def test_a_page_is_what_its_frontmatter_says(vault: Vault) -> None:
    found = seed_of(vault, PageRequest(), seed_page(vault, "wiki/rag-vs-wiki.md"))
    assert found.tags == ("ai", "context", "long-context", "rag", "wiki")
    assert (found.domains, found.page_type, found.title) == (("notes", "tools"), "comparison", "RAG vs. wiki")
    assert found.entities == ("rag-vs-wiki",)


def test_a_page_without_tags_or_domains_has_inferred_ones(vault: Vault, tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/bare.md", title="AI research and the LLM")
    found = seed_of(read_vault(tmp_path), PageRequest(), seed_page(read_vault(tmp_path), "wiki/bare.md"))
    assert (found.tags, found.domains) == (("llm", "ai"), ("ai-research",))
