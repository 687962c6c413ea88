"""The code graph: imports resolve to files, references by scope, import and receiver to definitions."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunker.languages.detection import detect_language
from chunker.languages.table import LANGUAGES
from index.graph.edges import LABELS, Edges
from index.graph.import_files import ModuleResolver
from index.roles import ROLES, is_inside_tests, is_test_path, roles_of
from index.search.related import REPEAT, _repeats, ties
from index.types import Filters, Follow
from tests import reference
from tests.index.conftest import Keeper, WriteTree
from tests.index.graphs import Graph

PATHS = [
    "pkg/__init__.py", "pkg/core.py", "pkg/sub/helper.py", "web/index.ts", "web/util/format.ts", "web/util/index.ts",
    "src/lib.rs", "src/store/mod.rs", "src/store/cache.rs", "java/com/shop/Cart.java", "include/net/socket.h",
    "lib/shop/order.rb", "go/internal/auth/token.go", "go/internal/auth/user.go", "lib/my_app/user_view.ex",
]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "language", "module", "names", "found"),
    [
        ("pkg/sub/helper.py", "python", "pkg.core", ["run"], ["pkg/core.py"]),
        ("pkg/sub/helper.py", "python", "..core", ["run"], ["pkg/core.py"]),
        ("pkg/core.py", "python", ".sub", ["helper"], ["pkg/sub/helper.py"]),
        ("pkg/core.py", "python", "os.path", ["join"], []),
        ("web/index.ts", "typescript", "./util/format", ["f"], ["web/util/format.ts"]),
        ("web/index.ts", "typescript", "./util", ["f"], ["web/util/index.ts"]),
        ("web/index.ts", "typescript", "react", ["useState"], []),
        ("src/lib.rs", "rust", "crate::store::cache", ["Cache"], ["src/store/cache.rs"]),
        ("pkg/core.py", "java", "com.shop.Cart", [], ["java/com/shop/Cart.java"]),
        ("pkg/core.py", "c", "net/socket.h", [], ["include/net/socket.h"]),
        ("pkg/core.py", "ruby", "shop/order", [], ["lib/shop/order.rb"]),
        ("pkg/core.py", "go", "example.com/internal/auth", [], PATHS[12:14]),
        ("pkg/core.py", "elixir", "MyApp.UserView", [], ["lib/my_app/user_view.ex"]),
    ],
)  # fmt: skip
def test_modules_resolve_to_files(source: str, language: str, module: str, names: list[str], found: list[str]) -> None:
    rules = [LANGUAGES[detect_language(path) or "text"] for path in PATHS]
    located = ModuleResolver(PATHS, rules, {}).locate(PATHS.index(source), LANGUAGES[language], module, names)
    assert [PATHS[number] for number in located.files] == found


def test_two_files_that_fit_equally_give_no_import() -> None:
    paths = ["a/x/util.py", "b/x/util.py", "c/main.py"]
    python = LANGUAGES["python"]
    assert ModuleResolver(paths, [python] * 3, {}).locate(2, python, "x.util", []).files == ()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_cart.py", True), ("src/cart.spec.ts", True), ("pkg/cart_test.go", True),
        ("src/test/java/CartTest.java", True), ("spec/cart_spec.rb", True), ("src/contest.py", False),
        ("lib/test_functions.bash", False), ("test/test_cart.sh", True), ("bin/test_cart_test.sh", True),
        ("src/latest/greatest.py", False), ("src/attestation.py", False),
        ("src/Shop.Tests/Cart.cs", True), ("Tests/Fixtures/Cart.swift", True), ("CartTests/Stub/Cart.swift", True),
        ("src/Cart.Tests.ps1", True),
        ("shop/src/commonTest/kotlin/Cart.kt", True), ("e2e-tests/cart.py", True),
        ("Sources/ProjectSpec/Cart.swift", False), ("kit-test/src/main/kotlin/org/kit/test/Check.kt", False),
        ("kit-test/src/jvmMain/kotlin/org/kit/test/Check.kt", False), ("kit/src/test/kotlin/org/kit/Check.kt", True),
        ("tests/shop/src/main/java/Cart.java", True), ("src/main/java/Cart.java", False),
        ("regress/copy.sh", True), ("tools/selftests/run.c", True), ("src/unittests/cart.cpp", True),
        ("web/e2e/login.ts", True), ("web/cypress/support/login.ts", True), ("t/01-cart.t", True),
        ("shop/conftest.py", True), ("src/t/cart.c", False), ("src/regression/fit.py", False),
        ("carttest/empty.shopfiletest", True), ("lib/cart.bats", True), ("src/snapshots/cart.snap", True),
        ("apps/cart/src/cart_SUITE.erl", True), ("src/cart_tests.erl", True), ("src/SUITE.erl", False),
        ("Dockerfile.latest", False), ("cart.spec", False),
    ],
)  # fmt: skip
def test_test_files_are_known_by_their_paths(path: str, expected: bool) -> None:
    assert is_test_path(path) is expected


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [
        ("tests", True), ("tests.flushes", True), ("shop.tests.flushes", True), ("Page.test.clone", True),
        ("test_walk.finds", True), ("walk_tests.finds", True), ("walk_test.finds", True), ("Matcher.test", False),
        ("contest.won", False), ("latest", False), ("", False),
    ],
)  # fmt: skip
def test_tests_beside_their_code_are_known_by_their_scope(symbol: str, expected: bool) -> None:
    assert is_inside_tests(symbol) is expected


CART_AND_MONEY = "class Cart:\n    def total(self):\n        return 1\n\n\ndef parse_money(text):\n    return 2\n"


def test_the_shop_s_graph(shop: Path, keeper: Keeper) -> None:
    graph = Graph(keeper.refresh(shop)[0])
    assert graph.file_edges() == {
        ("shop/__init__.py", "imports", "shop/cart.py"),
        ("shop/cart.py", "imports", "shop/money.py"),
        ("tests/test_cart.py", "imports", "shop/cart.py"),
        ("tests/test_cart.py", "tests", "shop/cart.py"),
    }
    edges = graph.chunk_edges()
    assert ("shop/cart.py:Cart", "calls", "shop/money.py:Money") in edges
    assert ("shop/money.py:parse_money", "calls", "shop/money.py:Money") in edges
    assert ("tests/test_cart.py:test_total", "calls", "shop/cart.py:Cart") in edges


def test_both_directions_hold_the_same_edges(shop: Path, keeper: Keeper) -> None:
    graph = Graph(keeper.refresh(shop)[0])
    assert graph.chunk_edges("out") == {(far, label, near) for near, label, far in graph.chunk_edges("in")}


def test_an_ambiguous_name_gives_no_edge(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree(
        {
            "a.py": "def run():\n    return 1\n",
            "b.py": "def run():\n    return 2\n",
            "c.py": "from a import *\nfrom b import *\n\n\ndef main():\n    return run()\n",
        }
    )
    assert not [edge for edge in Graph(keeper.refresh(root)[0]).chunk_edges() if edge[1] == "calls"]


def test_self_calls_stay_in_their_own_class(write_tree: WriteTree, keeper: Keeper) -> None:
    body = "    def step(self):\n        return self.load()\n\n    def load(self):\n        return 1\n"
    filler = "".join(f"\n    def more_{n}(self):\n        return {'x' * 150!r}\n" for n in range(12))
    root = write_tree({"m.py": f"class A:\n{body}{filler}\n\nclass B:\n{body}{filler}"})
    calls = {edge for edge in Graph(keeper.refresh(root)[0]).chunk_edges() if edge[1] == "calls"}
    assert calls == {("m.py:A.step", "calls", "m.py:A.load"), ("m.py:B.step", "calls", "m.py:B.load")}


def test_ties_name_their_labels_and_shortest_distance(shop: Path, keeper: Keeper) -> None:
    snapshot, _ = keeper.refresh(shop)
    graph = Graph(snapshot)
    money = next(chunk for chunk in range(len(graph.collection.chunks)) if graph.name(chunk) == "shop/money.py:Money")
    found = ties(graph.collection, [money], "Money", Follow(10, 1), Filters())
    assert {graph.name(tie.chunk): (tie.labels, tie.distance) for tie in found} == {
        "shop/cart.py:Cart": (("called_by",), 1),
        "shop/money.py:parse_money": (("called_by",), 1),
    }
    assert ties(graph.collection, [money], "Money", Follow(1, 1), Filters()) == found[:1]
    assert ties(graph.collection, [money], "Money", Follow(0, 1), Filters()) == []


def _reader(kind: str) -> str:
    return f'''def read_{kind}_settings(path):
    """Read the settings from a {kind} file and check that every option is known."""
    settings = load_{kind}_file(path)
    return check_known_options(settings)
'''


def test_code_that_resembles_a_place_is_tied_to_it_on_request(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree(
        {
            "yaml_reader.py": _reader("yaml"),
            "toml_reader.py": _reader("toml") + "\n\n" + _reader("tml"),
            "paint.py": "def mix(red, green, blue):\n    return (red + green + blue) / 3\n",
            "main.py": "from yaml_reader import read_yaml_settings\n\n\ndef main():\n    read_yaml_settings('a')\n",
        }
    )
    graph = Graph(keeper.refresh(root)[0])
    numbers = {graph.name(chunk): chunk for chunk in range(len(graph.collection.chunks))}
    (seed,) = (number for name, number in numbers.items() if name == "yaml_reader.py:read_yaml_settings")
    assert {tie.labels for tie in ties(graph.collection, [seed], "", Follow(9, 1), Filters())} == {("called_by",)}

    found = ties(graph.collection, [seed], "", Follow(9, 1, alike=True), Filters())
    assert found[0].labels == ("called_by",)
    assert {(graph.name(tie.chunk), tie.labels) for tie in found[1:]} == {
        ("toml_reader.py:read_toml_settings", ("resembles",)),
        ("toml_reader.py:read_tml_settings", ("resembles",)),
    }
    for tie in found:
        assert sum(points for *_, points in tie.parts) == pytest.approx(tie.weight, abs=1e-3)
    assert [tie.parts[-1][0] == "repeat" for tie in found] == [False, False, True], "the second of a file tells less"
    alone = ties(graph.collection, [seed], "", Follow(9, 1, ("resembles",), alike=True), Filters())
    assert {tie.labels for tie in alone} == {("resembles",)}
    assert {tie.chunk for tie in alone} >= {tie.chunk for tie in found[1:]}


def test_parts_of_one_symbol_share_their_ties(shop: Path, keeper: Keeper) -> None:
    graph = Graph(keeper.refresh(shop)[0])
    primaries = [
        chunk for chunk in range(len(graph.collection.chunks)) if graph.name(chunk).startswith("shop/money.py")
    ]
    assert len(ties(graph.collection, primaries, "", Follow(1, 1), Filters())) == 1
    apart = ties(graph.collection, primaries, "", Follow(2, 2, alike=True), Filters())
    together = ties(graph.collection, primaries, "", Follow(2, 2, alike=True, together=True), Filters())
    assert len(together) == 2 < len(apart)
    assert len({tie.chunk for tie in together}) == 2


def test_imports_in_a_cycle_and_of_oneself_are_no_trouble(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree({"a.py": "import a\nimport b\nA = b.B\n", "b.py": "import a\nB = 1\n"})
    assert Graph(keeper.refresh(root)[0]).file_edges() == {("a.py", "imports", "b.py"), ("b.py", "imports", "a.py")}


def test_an_include_means_the_header_beside_the_source_of_its_name(write_tree: WriteTree, keeper: Keeper) -> None:
    files = {
        "cart.h": "typedef struct cart cart;\nstruct cart { int size; };\n",
        "cart.c": '#include "cart.h"\n',
        "shop.c": '#include "cart.h"\n#include "net/link.h"\n\nint size(cart *c) { return c->size; }\n',
        "net/link.h": "int link(void);\n",
        "net/link.c": '#include "link.h"\n\nint link(void) { return 1; }\n',
        "try.c": "struct cart { int other; };\n",
    }
    graph = Graph(keeper.refresh(write_tree(files))[0])
    assert graph.file_edges() == {
        ("cart.c", "imports", "cart.h"),
        ("shop.c", "imports", "cart.h"),
        ("shop.c", "imports", "net/link.h"),
        ("net/link.c", "imports", "net/link.h"),
    }
    assert {target for source, _, target in graph.symbol_edges("uses") if source == "shop.c:size"} == {"cart.h:cart"}


def test_symbols_contain_symbols_and_files_contain_both(shop: Path, keeper: Keeper) -> None:
    contains = Graph(keeper.refresh(shop)[0]).symbol_edges("contains")
    assert ("shop/cart.py", "contains", "shop/cart.py:Cart") in contains
    assert ("shop/cart.py:Cart", "contains", "shop/cart.py:Cart.total") in contains
    assert ("shop/cart.py", "contains", "shop/cart.py:Cart.total") not in contains


def test_tests_are_tied_to_what_they_are_named_after(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree(
        {
            "cart.py": CART_AND_MONEY,
            "other.py": "def parse_money(text):\n    return 3\n",
            "tests/test_cart.py": "from cart import Cart\n\n\nclass TestCart:\n    def test_total(self):\n        ...\n"
            "\n\ndef test_parse_money():\n    pass\n\n\ndef test_nothing_of_ours():\n    pass\n",
            "src/Basket.java": "class Basket { int sum() { return 1; } }\n",
            "src/BasketTest.java": "class BasketTest { void testSum() { } }\n",
            "web/format.ts": "export function format(x: number) { return x }\n",
            "lib/line.ml": "let price x = x\n",
            "lib/line.mli": "val price : int -> int\n",
            "test/test_line.ml": "let prices x = Line.price x\n",
            "src/stock.erl": "-module(stock).\ncount() -> 1.\n",
            "test/stock_SUITE.erl": "-module(stock_SUITE).\ncount_test_() -> stock:count().\n",
            "src/shop/big_bill.clj": "(ns shop.big-bill)\n(defn sum-up [] 1)\n",
            "test/shop/big_bill_test.clj": "(ns a (:require [shop.big-bill]))\n(deftest sum-up-test 1)\n",
            "web/format.spec.ts": "import { format } from './format'\n\nfunction check() { format(1) }\n",
        }
    )
    graph = Graph(keeper.refresh(root)[0])
    assert graph.symbol_edges("tests") == {
        ("tests/test_cart.py:TestCart", "tests", "cart.py:Cart"),
        ("tests/test_cart.py:TestCart.test_total", "tests", "cart.py:Cart.total"),
        ("tests/test_cart.py:test_parse_money", "tests", "cart.py:parse_money"),
        ("src/BasketTest.java:BasketTest", "tests", "src/Basket.java:Basket"),
        ("src/BasketTest.java:BasketTest.testSum", "tests", "src/Basket.java:Basket.sum"),
        ("web/format.spec.ts:check", "tests", "web/format.ts:format"),
        ("test/test_line.ml:prices", "tests", "lib/line.ml:price"),
        ("test/stock_SUITE.erl:count_test_", "tests", "src/stock.erl:count"),
        ("test/shop/big_bill_test.clj:sum-up-test", "tests", "src/shop/big_bill.clj:sum-up"),
    }
    assert graph.weight("web/format.spec.ts:check", "web/format.ts:format") == 1.0  # it also calls it


def test_documents_name_symbols(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree(
        {
            "cart.py": CART_AND_MONEY,
            "bill.py": "class Bill:\n    def total(self):\n        return 1\n",
            "README.md": "# Shop\n\nA cart.\n\n## Checkout\n\nCall `Cart.total()`.\n\n## Money\n\n"
            "```python\nparse_money('1')\n```\n",
            "docs/api.rst": "API\n===\n\n:meth:`~cart.Cart.total` and :func:`parse_money`.\n",
            "CHANGELOG.md": "# 1.0\n\n`Cart.total` is new.\n",
        }
    )
    assert Graph(keeper.refresh(root)[0]).symbol_edges("documents") == {
        ("README.md:Shop > Checkout", "documents", "cart.py:Cart.total"),
        ("README.md:Shop > Money", "documents", "cart.py:parse_money"),
        ("docs/api.rst:API", "documents", "cart.py:Cart.total"),
        ("docs/api.rst:API", "documents", "cart.py:parse_money"),
    }


def test_bases_are_extended_or_implemented_and_methods_overridden(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree(
        {
            "a/Shape.java": "package a;\n\ninterface Shape { int area(); }\n",
            "a/Box.java": "package a;\n\nclass Box implements Shape { public int area() { return 1; } }\n",
            "a/Cube.java": "package a;\n\nclass Cube extends Box { public int area() { return 2; } }\n",
        }
    )
    graph = Graph(keeper.refresh(root)[0])
    assert graph.symbol_edges("extends", "implements", "overrides") == {
        ("a/Box.java:Box", "implements", "a/Shape.java:Shape"),
        ("a/Cube.java:Cube", "extends", "a/Box.java:Box"),
        ("a/Box.java:Box.area", "overrides", "a/Shape.java:Shape.area"),
        ("a/Cube.java:Cube.area", "overrides", "a/Box.java:Box.area"),
    }


def test_an_overload_overrides_the_one_with_as_many_parameters(write_tree: WriteTree, keeper: Keeper) -> None:
    members = ("int Total(int a)", "int Total(int a, int b)", "T Get<T>(int a)", "T Get<T>(int a, int b)")
    root = write_tree(
        {
            "ICart.cs": "interface ICart\n{\n" + "".join(f"    {one};\n" for one in members) + "}\n",
            "Cart.cs": "class Cart : ICart\n{\n"
            + "".join(f"    public {one} => default;\n" for one in members)
            + "}\n",
        }
    )
    snapshot = keeper.refresh(root)[0]
    edges, lines = Edges.of(snapshot, "symbol_edge", "out"), snapshot.segment.array("definition.line")
    row, at = edges.leaving(np.arange(len(lines)))
    overrides = edges.label[at] == LABELS.index("overrides")
    pairs = zip(lines[row[overrides]].tolist(), lines[edges.node[at][overrides]].tolist(), strict=True)
    assert {*pairs} == {(3, 3), (4, 4), (5, 5), (6, 6)}


def test_a_name_in_two_packages_shares_its_weight(write_tree: WriteTree, keeper: Keeper) -> None:
    files = {f"{place}/log.c": "int log_line(void) { return 1; }\n" for place in "abcd"}
    files |= {f"{place}/warn.c": "int warn_line(void) { return 1; }\n" for place in "ab"}
    files["main/main.c"] = "int main(void) { return log_line() + warn_line(); }\n"
    graph = Graph(keeper.refresh(write_tree(files))[0])
    assert {target for _, _, target in graph.symbol_edges("calls")} == {"a/warn.c:warn_line", "b/warn.c:warn_line"}
    assert graph.weight("main/main.c:main", "a/warn.c:warn_line") == pytest.approx(0.5, abs=0.01)


CART = "class Cart:\n    def flush_pending(self):\n        return self\n"
USE = "def use(it):\n    it.flush_pending()\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"use.py": USE}, {"use"}),
        ({"use.py": USE.replace("it.", "it.all[0].")}, {"use"}),
        ({"use.py": "from elsewhere import *\n\n\n" + USE}, {"use"}),
        ({"use.py": USE, "other.py": CART}, set()),
        ({"use.py": USE, "cart.py": CART + "\n\ndef known():\n    Cart().flush_pending()\n"}, {"known", "use"}),
        ({"use.py": USE, "other.py": "import other\n\n\ndef sync():\n    other.flush_pending()\n"}, set()),
        ({"use.py": USE, "other.py": "import os\n\n\ndef sync():\n    os.flush_pending()\n"}, set()),
        ({"use.py": USE, "other.py": "def sync():\n    Disk().flush_pending()\n"}, set()),
        ({"use.py": USE, "other.py": "class Sub(Base):\n    def sync(self):\n        self.flush_pending()\n"}, set()),
        ({"use.py": USE, "cart.py": CART.replace("return self", "self.disk.flush_pending()")}, set()),
        ({"use.py": "".join(USE.replace("use", f"use_{n}") for n in range(21))}, set()),
        ({"use.py": USE.replace("_pending", ""), "cart.py": CART.replace("_pending", "")}, set()),
        ({"use.py": "def use(flush_pending):\n    flush_pending()\n"}, set()),
        ({"use.py": USE, "cart.py": "", "tests/test_cart.py": CART}, set()),
        ({"use.py": USE, "cart.py": "def flush_pending():\n    return 1\n"}, set()),
        ({"use.rb": "def use(it)\n  it.flush_pending\nend\n"}, set()),
    ],
    ids=[
        "a parameter", "an element", "beside a wildcard", "two definitions", "a certain call", "a module of the tree",
        "a module from outside", "a type from outside", "an inherited method", "a wrapper", "many callers",
        "a common name", "a local variable", "a test's", "no method", "another language",
    ],
)  # fmt: skip
def test_a_call_on_an_unknown_receiver_may_mean_the_only_method_of_its_name(
    files: dict[str, str], expected: set[str], write_tree: WriteTree, keeper: Keeper
) -> None:
    graph = Graph(keeper.refresh(write_tree({"cart.py": CART, **files}))[0])
    calls = graph.symbol_edges("calls")
    callers = {source.partition(":")[2] for source, _, target in calls if target.endswith("flush_pending")}
    assert callers == expected
    if "use" in expected:
        assert graph.weight("use.py:use", "cart.py:Cart.flush_pending") == pytest.approx(0.5, abs=0.01)


FILL = "\n    def fill(self):\n        return 1\n"


def test_what_is_called_on_an_interface_may_be_the_only_method_of_its_name(
    write_tree: WriteTree, keeper: Keeper
) -> None:
    files = {
        "go.mod": "module example.com/shop\n",
        "store/store.go": "package store\n\ntype Store interface {\n\tSaveCart(id int)\n\tDropCart(id int)\n}\n",
        "disk/disk.go": "package disk\n\ntype Disk struct{}\n\nfunc (d *Disk) SaveCart(id int) {}\n\n"
        "func (d *Disk) DropCart(id int) {}\n",
        "tape/tape.go": "package tape\n\ntype Tape struct{}\n\nfunc (t *Tape) DropCart(id int) {}\n",
        "till.go": 'package shop\n\nimport "example.com/shop/store"\n\ntype Till struct {\n\tStore store.Store\n}\n\n'
        "func (t *Till) Pay(id int) {\n\tt.Store.SaveCart(id)\n\tt.Store.DropCart(id)\n}\n",
    }
    graph = Graph(keeper.refresh(write_tree(files))[0])
    calls = {(source, target) for source, _, target in graph.symbol_edges("calls")}
    assert calls == {("till.go:Till.Pay", "disk/disk.go:Disk.SaveCart")}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"use.py": "def use(cart_model):\n    cart_model.fill()\n"}, {"use"}),
        ({"use.py": "class Shop:\n    def use(self):\n        self.cartModel.fill()\n"}, {"Shop.use"}),
        ({"use.py": "def use(cart_model):\n    cart_model.empty()\n"}, set()),
        ({"use.py": "def use(cart_model):\n    cart_model.store.fill()\n"}, set()),
        ({"use.py": "from other import cart_model\n\n\ndef use():\n    cart_model.fill()\n"}, set()),
        ({"use.py": "def use(cart_model: Other):\n    cart_model.fill()\n"}, set()),
        ({"use.py": "def use(CartModel):\n    CartModel.fill()\n"}, set()),
        ({"use.py": "def use(cart_model):\n    cart_model.fill()\n", "b.py": "class CartModel:\n    x = 1\n"}, {"use"}),
        ({"use.py": "def use(cart_model):\n    cart_model.fill()\n", "d.py": f"class CartModel:{FILL}"}, set()),
        ({"use.rb": "def use(cart_model)\n  cart_model.fill\nend\n"}, set()),
        ({"use.py": "from cart import CartModel\n\n\ndef use():\n    x = CartModel.query.get().fill()\n"}, {"use"}),
        ({"use.py": "from cart import CartModel\n\n\ndef use():\n    CartModel.price.fill()\n"}, set()),
    ],
    ids=[
        "a parameter", "a member", "no such method", "a member of it", "from outside", "another type", "in capitals",
        "of two types, one has the method", "two types have it", "another language", "made by a library",
        "a member of the type",
    ],
)  # fmt: skip
def test_a_receiver_of_unknown_type_may_be_of_the_type_that_it_names(
    files: dict[str, str], expected: set[str], write_tree: WriteTree, keeper: Keeper
) -> None:
    types = {kind: f"class {kind}:{FILL}" for kind in ("CartModel", "Stock")}
    graph = Graph(keeper.refresh(write_tree({"cart.py": types["CartModel"], "stock.py": types["Stock"], **files}))[0])
    calls = graph.symbol_edges("calls")
    assert {source.partition(":")[2] for source, _, target in calls if target == "cart.py:CartModel.fill"} == expected


def test_an_element_of_a_list_is_not_the_list(write_tree: WriteTree, keeper: Keeper) -> None:
    files = {
        "Carts.java": "class Carts extends ArrayList<Cart> {\n    int total() { return 1; }\n}\n",
        "Use.java": "class Use {\n    int use(Carts carts) { return carts.get(0).total(); }\n}\n",
    }
    graph = Graph(keeper.refresh(write_tree(files))[0])
    assert not [source for source, _, target in graph.symbol_edges("calls") if target == "Carts.java:Carts.total"]


def test_a_value_of_a_library_may_have_the_only_member_of_its_name(write_tree: WriteTree, keeper: Keeper) -> None:
    files = {
        "Font.swift": "extension Font {\n    static var scaledBody: Font { Font() }\n    static var scaled: Font { "
        "Font() }\n}\n"
        "extension View {\n    func withRouter() -> View { self }\n    var labelColor: Color { Color() }\n}\n",
        "Tone.swift": "enum Tone {\n    case darkRed\n}\n",
        "Page.swift": "struct Page {\n    func draw() { text().font(.scaledBody).tone(.darkRed).font(.scaled) }\n"
        "    func paint() { text().color(.labelColor) }\n"
        "    func show() { Stack().withRouter() }\n    func hide(scaledBody: Bool) { if !scaledBody { draw() } }\n}\n",
    }
    graph = Graph(keeper.refresh(write_tree(files))[0])
    calls = {(source, target) for source, _, target in graph.symbol_edges("calls") if source.startswith("Page")}
    assert calls == {
        ("Page.swift:Page.draw", "Font.swift:Font.scaledBody"), ("Page.swift:Page.show", "Font.swift:View.withRouter"),
        ("Page.swift:Page.hide", "Page.swift:Page.draw"),
    }  # fmt: skip


def test_symbol_edges_hold_in_both_directions(shop: Path, keeper: Keeper) -> None:
    graph = Graph(keeper.refresh(shop)[0])
    assert graph.symbol_edges() == {(far, label, near) for near, label, far in graph.symbol_edges(way="in")}


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3)), max_size=12))
def test_files_come_one_after_another_as_their_plain_twin_says(drawn: list[tuple[int, int]]) -> None:
    drawn.sort(key=lambda one: -one[0])
    rank, file = [points / 20 for points, _ in drawn], [number for _, number in drawn]
    rows = list(range(len(drawn)))
    found = _repeats(rows, np.array(rank), np.array(file, np.int64))
    assert list(found.items()) == list(reference.repeats(rows, rank, file, REPEAT).items())


def test_a_thousand_ties_are_no_trouble(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree(
        {
            "hub.py": "def hub():\n    return 1\n",
            **{f"m{n}.py": f"from hub import hub\n\n\ndef user_{n}():\n    return hub() + {n}\n" for n in range(1_100)},
        }
    )
    graph = Graph(keeper.refresh(root)[0])
    (seed,) = (chunk for chunk in range(len(graph.collection.chunks)) if graph.name(chunk) == "hub.py:hub")
    found = ties(graph.collection, [seed], "hub", Follow(1_000, 1, alike=True, together=True), Filters())
    assert len(found) == 1_000
    assert {tie.labels for tie in found} == {("called_by",)}


@pytest.mark.parametrize(
    "path",
    [
        "Gemfile.lock",
        "ios/Podfile.lock",
        "mix.lock",
        "gradle.lockfile",
        "go.sum",
        "src/Shop.sln",
        "web/cart.svg",
        "Forms/CartForm.Designer.cs",
        "lock.rb",
        "Forms/Designer.cs",
    ],
)
def test_lock_files_drawings_solutions_and_forms_are_generated(path: str) -> None:
    roles = roles_of(path, generated=False, prose=False)
    assert bool(roles >> ROLES.index("generated") & 1) == (path not in ("lock.rb", "Forms/Designer.cs"))


@pytest.mark.parametrize(
    ("path", "aside"),
    [
        ("deps/lua/lua.c", True),
        ("web/src/mocks/carts.json", True),
        ("web/__mocks__/cart.ts", True),
        ("app/api/deps/cart.py", False),
        ("src/main/java/shop/mocks/Cart.java", False),
    ],
)
def test_code_of_others_and_mocks_are_aside(path: str, aside: bool) -> None:
    roles = roles_of(path, generated=False, prose=False)
    assert bool(roles >> ROLES.index("aside") & 1) == aside


ADD = "".join(f"  void add({', '.join(f'int a{place}' for place in range(count))}) {{}}\n" for count in range(31))


@pytest.mark.parametrize(
    "files",
    [
        {"a.js": "".join(f"function f() {{\n  function g() {{ a{row}() }}\n  g()\n}}\n" for row in range(2_000))},
        {
            "A.java": "class A {\n"
            + "".join(f"  void m{row}(Cart c) {{ c.add(a{row}); }}\n" for row in range(2_000))
            + "}\n",
            "Cart.java": f"class Cart extends Base {{\n{ADD}}}\n",
            "Base.java": f"class Base {{\n{ADD}}}\n",
        },
    ],
)
def test_functions_of_one_name_are_not_paired(
    files: dict[str, str], write_tree: WriteTree, keeper: Keeper
) -> None:  # fmt: skip
    root = write_tree(files)
    tracemalloc.start()
    try:
        keeper.refresh(root)
        assert tracemalloc.get_traced_memory()[1] < 50 << 20
    finally:
        tracemalloc.stop()
