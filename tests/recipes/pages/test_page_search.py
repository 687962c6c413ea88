"""The searcher: which of its hits count, and the real one over our index."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

import pytest
from page_vaults import write_page

from context_pack.corpora.vault.reading import Vault, read_vault
from context_pack.recipes.page_search import FIRST_HITS, IndexSearcher, searcher
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

    def hints(self, pages: Collection[str]) -> tuple[Hint, ...]:
        return (Hint("info", f"{len(pages)} pages"),)


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
    assert hits.hints == (Hint("info", "2 pages"),)
    assert finder.asked == [("bread", 3)]


def test_without_a_searcher_there_are_no_hits(vault: Vault) -> None:
    request = Request("bread")
    hits = search(vault, signals(vault, request), request, "none", None)
    assert (hits.paths, hits.searcher, hits.provider) == ((), "none", None)
    assert searcher("none", vault.root) is None


def test_an_empty_vault_is_not_searched(tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    empty = read_vault(tmp_path)
    finder = Counting()
    assert search(empty, signals(empty, Request("x")), Request("x"), "hybrid", finder).paths == ()
    assert finder.asked == []


def test_our_index_finds_pages_of_the_wiki(vault: Vault) -> None:
    finder = IndexSearcher(vault.root, model="embedded")
    pages = {page.path for page in vault.pages}
    found = finder.top("how does dough become bread", 2, pages.__contains__)
    assert set(found) == {"wiki/kitchen/bread.md", "wiki/kitchen/dough.md"}
    assert finder.top("high tide", 1, pages.__contains__) == ["wiki/kitchen/tide.md"]
    assert finder.provider.startswith("ctxpack index, ")


def test_pages_that_may_not_appear_do_not_use_up_the_hits(tmp_path: Path) -> None:
    """More unwanted chunks than are asked for at first."""
    for number in range(FIRST_HITS + 10):
        write_page(tmp_path, f"wiki/n{number:03}.md", "the same words of bread and dough")
    wanted = {f"wiki/n{FIRST_HITS + 9:03}.md"}
    found = IndexSearcher(tmp_path, model="embedded").top("bread and dough", 3, wanted.__contains__)
    assert set(found) == wanted


def test_the_answer_names_its_provider(vault: Vault) -> None:
    found = answer(Asked("bread"), vault.root, PageOptions()).data
    assert (found.searcher, found.provider) == ("hybrid", IndexSearcher(vault.root).provider)
    assert found.pages[0].path == "wiki/kitchen/bread.md"
    without = answer(Asked("bread", searcher="none"), vault.root, PageOptions()).data
    assert (without.searcher, without.provider) == ("none", None)


def test_pages_that_the_index_does_not_see_are_told(vault: Vault) -> None:
    """A wiki that git or an ignore file leaves out is no silent nothing."""
    assert not [hint for hint in answer(Asked("bread"), vault.root, PageOptions()).hints if hint.type == "warn"]
    (vault.root / "wiki/.ctxpackignore").write_text("tide.md\n")
    found = [hint.text for hint in answer(Asked("bread"), vault.root, PageOptions()).hints]
    assert found == [
        "Search index of wiki/ refreshed: 1 files added, 0 changed, 1 removed.",
        "the searcher does not see 1 of 3 pages: git or a .ctxpackignore leaves them out, or they hold no text",
    ]
    (vault.root / "wiki/.ctxpackignore").write_text("*\n")
    found = [hint.text for hint in answer(Asked("bread"), vault.root, PageOptions()).hints]
    assert any("does not see 3 of 3 pages" in text for text in found)


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
