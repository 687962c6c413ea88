"""The searcher: which of its hits count, and the real one over our index."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from page_vaults import write_page

from context_pack.corpora.vault.reading import Vault, read_vault
from context_pack.recipes.page_search import CANDIDATES, VaultSearcher, query_words, searcher
from context_pack.recipes.page_seed import Request, signals
from context_pack.recipes.pages import Asked, PageOptions, answer, search
from contracts.errors import InvalidRequest
from contracts.records import Hint


class Counting:
    """A stand-in that remembers what it was asked."""

    def __init__(self, *paths: str) -> None:
        self.asked: list[tuple[str, int]] = []
        self._paths = paths

    @property
    def provider(self) -> str:
        return "a stand-in"

    def top(self, text: str, count: int, wanted: Callable[[str], bool]) -> list[str]:
        self.asked.append((text, count))
        return [path for path in self._paths if wanted(path)][:count]

    def hints(self) -> tuple[Hint, ...]:
        return (Hint("info", "a hint"),)


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


def test_the_first_three_that_may_appear_are_asked_for_once(vault: Vault) -> None:
    request = Request("bread", exclude=frozenset({"wiki/kitchen/bread.md"}))
    finder = Counting("wiki/kitchen/bread.md", "wiki/gone.md", "wiki/kitchen/tide.md")
    hits = search(vault, signals(vault, request), request, "hybrid", finder)
    assert (hits.paths, hits.searcher, hits.provider) == (("wiki/kitchen/tide.md",), "hybrid", "a stand-in")
    assert hits.hints == (Hint("info", "a hint"),)
    assert finder.asked == [("bread", 3)]


def test_without_a_searcher_there_are_no_hits(vault: Vault) -> None:
    request = Request("bread")
    hits = search(vault, signals(vault, request), request, "none", None)
    assert (hits.paths, hits.searcher, hits.provider) == ((), "none", None)
    assert searcher("none", vault) is None


def test_an_empty_vault_is_not_searched(tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    empty = read_vault(tmp_path)
    finder = Counting()
    assert search(empty, signals(empty, Request("x")), Request("x"), "hybrid", finder).paths == ()
    assert finder.asked == []


def refreshed(root: Path) -> VaultSearcher:
    return VaultSearcher(read_vault(root))


def test_our_searcher_finds_pages_of_the_wiki(vault: Vault) -> None:
    finder = refreshed(vault.root)
    pages = {page.path for page in vault.pages}
    found = finder.top("how does dough become bread", 2, pages.__contains__)
    assert set(found) == {"wiki/kitchen/bread.md", "wiki/kitchen/dough.md"}
    assert finder.top("high tide", 1, pages.__contains__) == ["wiki/kitchen/tide.md"]
    assert finder.provider == "ctxpack pages, bm25 + ctxpack-static-v1"
    assert finder.hints() == ()


def test_names_count_more_than_text(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", "Something about a kettle that whistles loudly.", title="Steam")
    write_page(tmp_path, "wiki/b.md", "Something about steam that whistles loudly.", title="Noise", aliases=["kettle"])
    write_page(tmp_path, "wiki/c.md", "Something else that whistles loudly.", title="Wind", tags=["kettle"])
    assert set(refreshed(tmp_path).top("kettle", 2, lambda path: True)) == {"wiki/b.md", "wiki/c.md"}


def test_the_model_judges_what_the_words_leave_equal(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", "an error in the colour of the border, drawn by the theme")
    write_page(tmp_path, "wiki/b.md", "an error in the request of the client, repeated by the timer")
    finder = refreshed(tmp_path)
    assert finder.top("error retry backoff", 2, lambda path: True)[0] == "wiki/b.md"
    assert finder.top("error palette font", 2, lambda path: True)[0] == "wiki/a.md"


def test_inflected_words_meet(vault: Vault) -> None:
    assert "wiki/kitchen/bread.md" in refreshed(vault.root).top("baking", 3, lambda path: True)


def test_one_common_word_is_no_evidence_for_a_long_question(vault: Vault) -> None:
    question = "why do governments tax imported bread heavily during parliament elections"
    assert refreshed(vault.root).top(question, 3, lambda path: True) == []
    assert refreshed(vault.root).top("bread", 1, lambda path: True) == ["wiki/kitchen/bread.md"]


def test_what_has_no_words_finds_nothing(vault: Vault) -> None:
    assert refreshed(vault.root).top("?! --", 3, lambda path: True) == []
    assert refreshed(vault.root).top("zebra", 3, lambda path: True) == []


def test_a_question_of_stop_words_is_asked_all_the_same(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", "to be or not to be")
    write_page(tmp_path, "wiki/b.md", "something else entirely")
    assert refreshed(tmp_path).top("to be or not to be", 3, lambda path: True) == ["wiki/a.md"]


def test_the_most_frequent_words_of_a_long_seed_are_looked_for() -> None:
    rare = " ".join(f"rare{number}" for number in range(100))
    assert query_words(f"{rare} bread bread dough dough dough")[:3] == ["dough", "bread", "rare0"]
    assert len(query_words(rare)) == 32


@pytest.mark.parametrize(
    "text", ['" OR *', "NEAR(a b)", "name:bread", "bread*", 'a"b', "-bread ^dough", "\x00", "²", "面包"]
)
def test_no_text_is_a_query_language(vault: Vault, text: str) -> None:
    assert isinstance(refreshed(vault.root).top(text, 3, lambda path: True), list)


def test_pages_that_may_not_appear_do_not_use_up_the_hits(tmp_path: Path) -> None:
    """More unwanted pages than are judged at all."""
    for number in range(CANDIDATES + 10):
        write_page(tmp_path, f"wiki/n{number:03}.md", "the same words of bread and dough")
    wanted = {f"wiki/n{CANDIDATES + 9:03}.md"}
    assert set(refreshed(tmp_path).top("bread and dough", 3, wanted.__contains__)) == wanted


def test_the_answer_names_its_provider(vault: Vault) -> None:
    found = answer(Asked("bread"), vault.root, PageOptions()).data
    assert (found.searcher, found.provider) == ("hybrid", "ctxpack pages, bm25 + ctxpack-static-v1")
    assert found.pages[0].path == "wiki/kitchen/bread.md"
    without = answer(Asked("bread", searcher="none"), vault.root, PageOptions()).data
    assert (without.searcher, without.provider) == ("none", None)


def test_the_searcher_sees_every_page_of_the_vault(vault: Vault) -> None:
    """What git or an ignore file leaves out of an index of code is a page all the same."""
    (vault.root / "wiki/.ctxpackignore").write_text("*\n")
    (vault.root / "wiki/.gitignore").write_text("*\n")
    assert answer(Asked("tide"), vault.root, PageOptions()).data.pages[0].path == "wiki/kitchen/tide.md"


@pytest.mark.parametrize(
    ("asked", "options", "field"),
    [
        (Asked(), PageOptions(), "seed"),
        (Asked("  \n"), PageOptions(), "seed"),
        (Asked(title=" "), PageOptions(), "seed"),
        (Asked(page="a.md", title="t"), PageOptions(), "page"),
        (Asked("x", searcher="qmd"), PageOptions(), "searcher"),
        (Asked("x"), PageOptions(limit=0), "limit"),
        (Asked("x"), PageOptions(min_score=-1), "min_score"),
        (Asked("x"), PageOptions(limit=True), "limit"),
    ],
)
def test_what_is_asked_wrongly(vault: Vault, asked: Asked, options: PageOptions, field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        answer(asked, vault.root, options)
    assert caught.value.details["field"] == field
