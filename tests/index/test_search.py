"""From a query to ranked chunks: exact hits first, filters before ranking, reasons that add up, one total order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from index import open_index
from index.collection.collection import Collection
from index.search.query import parse_query
from index.search.ranker import shipped_ranker
from index.search.searcher import Searcher
from index.types import Filters, Order, Scored
from tests.index.conftest import SHOP, Keeper, WriteTree


class Asked:
    """A searcher over one tree, and the names of its hits."""

    def __init__(self, keeper: Keeper, root: Path) -> None:
        snapshot, _ = keeper.refresh(root)
        self.collection = Collection(snapshot)
        self.searcher = Searcher(self.collection, keeper.embedder, shipped_ranker())

    def hits(self, query: str, top_k: int = 10, **filters: object) -> list[Scored]:
        return self.searcher.search(query, top_k, Filters(**filters))  # type: ignore[arg-type]

    def names(self, query: str, top_k: int = 10, **filters: object) -> list[str]:
        return [self.name(hit) for hit in self.hits(query, top_k, **filters)]

    def name(self, hit: Scored) -> str:
        segment = self.collection.snapshot.segment
        symbol = int(segment.array("chunk.symbol")[hit.chunk])
        path = segment.strings("file.path")[int(self.collection.chunks.file[hit.chunk])]
        return f"{path}:{segment.names[symbol] if symbol >= 0 else segment.array('chunk.start_line')[hit.chunk]}"


@pytest.fixture
def asked(shop: Path, keeper: Keeper) -> Asked:
    return Asked(keeper, shop)


@pytest.mark.parametrize(
    ("text", "kind", "symbol", "path", "line"),
    [
        ("EmbeddingCache", "identifier", "EmbeddingCache", "", None),
        ("Cart::total", "identifier", "Cart.total", "", None),
        ("Cart#total()", "identifier", "Cart.total", "", None),
        ("src/a.py", "path", "", "src/a.py", None),
        ("./src/a.py:120", "path", "", "src/a.py", 120),
        ("src/a.py:120:7", "path", "", "src/a.py", 120),
        ("how are routes registered", "words", "", "", None),
    ],
)
def test_queries_are_classified(text: str, kind: str, symbol: str, path: str, line: int | None) -> None:
    query = parse_query(text)
    place = (query.place.path, query.place.first) if query.place else ("", None)
    assert (query.kind, query.symbol, *place) == (kind, symbol, path, line)


@pytest.mark.parametrize(
    ("text", "is_topic"),
    [
        ("user didnt get mail", False),
        ("uploads don’t work on ios", False),
        ("basket stays full after order, who clears it", False),
        ("mail is sent twice, why", False),
        ("POST /votes how does it change karma", False),
        ("how does dependency injection work", True),
        ("mail delivery, retries and backoff", True),
        ("retry of failed jobs", True), ("how retries are scheduled", True), ("how are routes registered", True),
        ("retry of failed jobs?", False), ("where is a retry scheduled", False),
        ("what happens when a job fails", False),
        ("which class does the sending", False), ("Is it safe to call stop twice", False), ("island names", True),
        ("retry_job", False),
        ("add a retry limit", False), ("Don't retry on errors of the client", False), ("add retry", True),
        ("additional retry limits", True), ("please log each retry", False),
        ("the queue is empty after a retry", False), ("crash when a job fails", False),
        ("how a job is retried", True), ("the worker hangs on exit", False), ("the drop of a retry", True),
        ("exclude retried jobs from totals", False), ("exclusion of retried jobs", True),
        ("feat(jobs)!: totals of retried jobs", False), ("jobs: totals in hours", False), ("jobs: totals", True),
    ],
)  # fmt: skip
def test_a_sentence_needs_no_mark_at_its_end(text: str, is_topic: bool) -> None:
    assert parse_query(text).is_topic is is_topic


def test_a_symbol_is_found_first_and_search_goes_on(asked: Asked) -> None:
    hits = asked.hits("Money")
    assert asked.name(hits[0]) == "shop/money.py:Money"
    assert hits[0].score == 1.0
    assert len(hits) > 1
    assert all(hit.score < 0.5 for hit in hits[1:])


def test_a_method_is_found_in_the_class_that_was_named(asked: Asked) -> None:
    assert asked.names("Cart.total")[0].startswith("shop/cart.py:Cart")


def test_a_path_gives_its_chunks_by_line(asked: Asked) -> None:
    hits = asked.hits("shop/money.py")
    exact = [hit for hit in hits if hit.why[0].name == "exact.path"]
    starts = asked.collection.snapshot.segment.array("chunk.start_line")
    lines = [int(starts[hit.chunk]) for hit in exact]
    assert lines == sorted(lines)
    assert [hit.score for hit in exact] == [round(1 - 0.001 * place, 3) for place in range(len(exact))]


def test_a_path_with_a_line_starts_there(asked: Asked) -> None:
    assert asked.names("shop/money.py:10")[0] == "shop/money.py:parse_money"


def test_the_end_of_a_path_is_enough_when_it_is_unique(asked: Asked) -> None:
    assert asked.names("money.py")[0].startswith("shop/money.py")


def test_words_find_what_they_describe(asked: Asked) -> None:
    assert asked.names("what a customer buys")[0].startswith("shop/cart.py:Cart")
    assert asked.names("parse money text")[0] == "shop/money.py:parse_money"


def test_a_file_of_which_only_the_name_has_a_word_is_among_the_hits(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree({"pier_tariff.py": "def due(ship):\n    return ship.length * 3\n", "a.py": "B = 'the harbour'\n"})
    asked = Asked(keeper, root)
    assert "pier_tariff.py:due" in asked.names("how is the tariff of the harbour decided")


def test_a_query_of_unknown_words_finds_nothing(asked: Asked) -> None:
    assert asked.hits("zyzzyva quux") == []


@pytest.mark.parametrize(
    ("filters", "allowed"),
    [
        ({"include": ("tests/**",)}, {"tests/test_cart.py"}),
        ({"exclude": ("shop/",)}, {"tests/test_cart.py", "README.md"}),
        ({"languages": ("markdown",)}, {"README.md"}),
        ({"docs": "skip"}, {path for path in SHOP if path.endswith(".py")}),
    ],
)
def test_filters_come_before_ranking(asked: Asked, filters: dict[str, object], allowed: set[str]) -> None:
    found = {name.rsplit(":", 1)[0] for name in asked.names("cart total money", 20, **filters)}
    assert found
    assert found <= allowed


def test_prose_comes_first_on_request(asked: Asked) -> None:
    assert not asked.names("cart total money", 5)[0].startswith("README.md")
    assert asked.names("cart total money", 5, docs="first")[0].startswith("README.md")


def test_reasons_add_up_to_the_points(asked: Asked) -> None:
    for query in ("cart total", "money", "checkout"):
        for hit in asked.hits(query, 20):
            assert hit.points == pytest.approx(sum(why.points for why in hit.why), abs=0.005)


def test_no_chunk_twice_and_the_first_hits_are_different_files(asked: Asked) -> None:
    chunks = [hit.chunk for hit in asked.hits("cart money total", 20)]
    assert len(chunks) == len(set(chunks))


def test_top_k_is_a_prefix_of_more(asked: Asked) -> None:
    assert asked.names("cart total money", 3) == asked.names("cart total money", 10)[:3]


SHOW = """
import sys
from pathlib import Path
from index import open_index
from index.types import Follow
index = open_index(Path(sys.argv[1]), home=Path(sys.argv[2]), model="embedded")
for query in ("cart total money", "Cart", "shop/money.py", "checkout"):
    for hit in index.search(query, top_k=10):
        print(query, index.chunk(hit.chunk).id, hit.score, hit.points, hit.why)
    for tie in index.related([hit.chunk for hit in index.search(query, top_k=3)], query, Follow(3, 2)):
        print(tie)
for symbol in index.symbols(None):
    print(symbol)
"""


def test_the_same_tree_gives_the_same_answers_whatever_the_process(tmp_path: Path, write_tree: WriteTree) -> None:
    outputs = set()
    orders = [list(SHOP), list(reversed(SHOP)), sorted(SHOP, key=len)]
    for number, (seed, locale) in enumerate([("0", "C"), ("1", "sv_SE.UTF-8"), ("2", "C.UTF-8")]):
        root = tmp_path / str(number) / "tree"
        for path in orders[number]:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(SHOP[path])
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale}
        done = subprocess.run(
            [sys.executable, "-c", SHOW, str(root), str(tmp_path / f"home{number}")],
            capture_output=True, text=True, check=True, env=environment,
        )  # fmt: skip
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert "shop/cart.py" in outputs.pop()


@pytest.mark.parametrize(
    ("text", "read"),
    [("[server] max_idle", "server.max_idle"), ("[email] ENABLED", "email.ENABLED"), ("[bug] crash", "")],
)
def test_a_setting_in_its_section_is_a_key(text: str, read: str) -> None:
    assert parse_query(text).text == (read or text)


@pytest.mark.parametrize("question", ["tests for emptying a basket", "how is emptying a basket tested?"])
@pytest.mark.parametrize("order", ["files", "pack"])
def test_a_question_for_tests_lists_tests_first(
    question: str, order: Order, write_tree: WriteTree, tmp_path: Path
) -> None:
    code = 'def empty_basket(basket):\n    """Emptying a basket: how it is tested for tests."""\n    basket.clear()\n'
    tree = {
        "shop/emptying_basket.py": code,
        "tests/test_shop.py": "def test_it():\n    basket = [1]\n    empty(basket)\n    assert not basket\n",
        "tests/test_lamp.py": "def test_lamp():\n    assert lamp()\n",
        "tests/data/basket.txt": "emptying, a tested basket, tests, a basket, emptying a test\n",
    }
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    files = [index.chunk(hit.chunk).file for hit in index.search(question, order=order)]
    assert files[:2] == ["tests/test_shop.py", "shop/emptying_basket.py"]


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("which tests cover the retry", True),
        ("which test covers the retry", True),
        ("which test framework is used", False),
        ("what test data does the seed create", False),
        ("how is the retry tested?", True),
        ("is the retry tested?", True),
        ("is there a test for errors", True),
        ("are there any tests for errors", True),
        ("is there a test", False),
        ("where are users who tested positive stored", False),
    ],
)
def test_a_question_about_tests_is_not_always_one_for_tests(text: str, wants: bool) -> None:
    assert parse_query(text).wants_tests == wants
