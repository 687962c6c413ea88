"""The searcher: its hits, and which of them count."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_vaults import write_page

from context_pack.kinds.pages import PageRequest, answer
from context_pack.kinds.pages.searcher import CANDIDATES, TOP_HITS, Hits, best_pages, query_words, search
from context_pack.kinds.pages.seed import seed_of
from context_pack.kinds.pages.vault import Vault, read_vault
from contracts.errors import InvalidRequest


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    texts = {
        "bread": "Bread is baked from dough of flour, water and salt.",
        "dough": "The dough rests before it is baked into bread.",
        "tide": "The moon pulls the water of the oceans: high tide and low tide.",
        "index-of-bread": "bread bread bread dough dough",
    }
    for name, text in texts.items():
        write_page(tmp_path, f"wiki/kitchen/{name}.md", text, title=name)
    write_page(tmp_path, "raw/bread-notes.md", "bread dough bread dough")
    return read_vault(tmp_path)


def test_the_first_three_that_may_appear_count(tmp_path: Path) -> None:
    for number in range(6):
        write_page(tmp_path, f"wiki/n{number}.md", "bread " * (number + 1))
    vault = read_vault(tmp_path)
    hits = search(vault, seed_of(vault, PageRequest("bread")), "hybrid", {"wiki/n5.md", "wiki/n1.md"})
    assert len(hits.paths) == TOP_HITS == 3
    assert not {"wiki/n5.md", "wiki/n1.md"} & {*hits.paths}
    assert (hits.searcher, hits.provider, hits.hints) == ("hybrid", "ctxpack pages, bm25 + ctxpack-static-v1", ())


def test_the_searcher_is_asked_for_text_and_title(vault: Vault) -> None:
    seed = seed_of(vault, PageRequest("high tide", title="dough of bread"))
    assert {"wiki/kitchen/tide.md", "wiki/kitchen/dough.md"} <= {*search(vault, seed, "hybrid").paths}


def test_without_a_searcher_there_are_no_hits(vault: Vault) -> None:
    assert search(vault, seed_of(vault, PageRequest("bread")), "none") == Hits((), "none", None)


def test_a_vault_without_pages_that_may_appear_is_not_searched(vault: Vault) -> None:
    seed = seed_of(vault, PageRequest("bread"))
    assert search(vault, seed, "hybrid", {page.path for page in vault.pages}) == Hits((), "hybrid", None)


def top(root: Path, text: str, count: int, *allowed: str) -> list[str]:
    vault = read_vault(root)
    return best_pages(vault, text, count, allowed or [page.path for page in vault.pages])[0]


def test_our_searcher_finds_pages_of_the_wiki(vault: Vault) -> None:
    found = top(vault.root, "how does dough become bread", 2)
    assert set(found) == {"wiki/kitchen/bread.md", "wiki/kitchen/dough.md"}
    assert top(vault.root, "high tide", 1) == ["wiki/kitchen/tide.md"]


def test_names_count_more_than_text(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", "Something about a kettle that whistles loudly.", title="Steam")
    write_page(tmp_path, "wiki/b.md", "Something about steam that whistles loudly.", title="Noise", aliases=["kettle"])
    write_page(tmp_path, "wiki/c.md", "Something else that whistles loudly.", title="Wind", tags=["kettle"])
    assert set(top(tmp_path, "kettle", 2)) == {"wiki/b.md", "wiki/c.md"}


def test_the_model_judges_what_the_words_leave_equal(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", "an error in the colour of the border, drawn by the theme")
    write_page(tmp_path, "wiki/b.md", "an error in the request of the client, repeated by the timer")
    assert top(tmp_path, "error retry backoff", 2)[0] == "wiki/b.md"
    assert top(tmp_path, "error palette font", 2)[0] == "wiki/a.md"


def test_inflected_words_match(vault: Vault) -> None:
    assert "wiki/kitchen/bread.md" in top(vault.root, "baking", 3)


def test_one_common_word_is_no_evidence_for_a_long_question(vault: Vault) -> None:
    question = "why do governments tax imported bread heavily during parliament elections"
    assert top(vault.root, question, 3) == []
    assert top(vault.root, "bread", 1) == ["wiki/kitchen/bread.md"]


def test_a_query_without_words_finds_nothing(vault: Vault) -> None:
    assert top(vault.root, "?! --", 3) == []
    assert top(vault.root, "zebra", 3) == []


def test_a_question_of_stop_words_is_asked_all_the_same(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", "to be or not to be")
    write_page(tmp_path, "wiki/b.md", "something else entirely")
    assert top(tmp_path, "to be or not to be", 3) == ["wiki/a.md"]


def test_the_most_frequent_words_of_a_long_seed_are_looked_for() -> None:
    rare = " ".join(f"rare{number}" for number in range(100))
    assert query_words(f"{rare} bread bread dough dough dough")[:3] == ["dough", "bread", "rare0"]
    assert len(query_words(rare)) == 32


@pytest.mark.parametrize(
    "text", ['" OR *', "NEAR(a b)", "name:bread", "bread*", 'a"b', "-bread ^dough", "\x00", "²", "面包"]
)
def test_no_text_is_a_query_language(vault: Vault, text: str) -> None:
    assert isinstance(top(vault.root, text, 3), list)


def test_pages_that_may_not_appear_do_not_use_up_the_hits(tmp_path: Path) -> None:
    """There are more unwanted pages than hits that are examined."""
    for number in range(CANDIDATES + 10):
        write_page(tmp_path, f"wiki/n{number:03}.md", "the same words of bread and dough")
    wanted = {f"wiki/n{CANDIDATES + 9:03}.md"}
    assert set(top(tmp_path, "bread and dough", 3, *wanted)) == wanted


def test_the_answer_names_its_provider(vault: Vault) -> None:
    found = answer(PageRequest("bread"), vault.root).data
    assert (found.searcher, found.provider) == ("hybrid", "ctxpack pages, bm25 + ctxpack-static-v1")
    assert found.pages[0].path == "wiki/kitchen/bread.md"
    without = answer(PageRequest("bread", searcher="none"), vault.root).data
    assert (without.searcher, without.provider) == ("none", None)


def test_the_searcher_sees_every_page_of_the_vault(vault: Vault) -> None:
    """Files that git or an ignore file excludes from a code index are still pages."""
    (vault.root / "wiki/.ctxpackignore").write_text("*\n")
    (vault.root / "wiki/.gitignore").write_text("*\n")
    assert answer(PageRequest("tide"), vault.root).data.pages[0].path == "wiki/kitchen/tide.md"


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (PageRequest(), "seed"),
        (PageRequest("  \n"), "seed"),
        (PageRequest(title=" "), "seed"),
        (PageRequest(page="a.md", title="t"), "page"),
        (PageRequest("x", searcher="qmd"), "searcher"),
        (PageRequest("x", limit=0), "limit"),
        (PageRequest("x", min_score=-1), "min_score"),
        (PageRequest("x", limit=True), "limit"),
    ],
)
def test_wrong_requests_are_usage_errors(vault: Vault, request_: PageRequest, field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        answer(request_, vault.root)
    assert caught.value.details["field"] == field
