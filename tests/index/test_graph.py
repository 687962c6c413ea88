"""The code graph: imports resolve to files, references to the definition that scope, import and receiver name."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.corpus import Corpus
from index.graph import Edges, is_test_path
from index.graph.modules import ModuleResolver
from index.related import ties
from index.snapshot import Snapshot
from index.types import Filters, Follow
from tests.index.conftest import Keeper, WriteTree

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
    resolver = ModuleResolver(PATHS)
    assert [PATHS[number] for number in resolver.resolve(PATHS.index(source), language, module, names)] == found


def test_two_files_that_fit_equally_give_no_import() -> None:
    paths = ["a/x/util.py", "b/x/util.py", "c/main.py"]
    assert ModuleResolver(paths).resolve(2, "python", "x.util", []) == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_cart.py", True), ("src/cart.spec.ts", True), ("pkg/cart_test.go", True),
        ("src/test/java/CartTest.java", True), ("spec/cart_spec.rb", True), ("src/contest.py", False),
        ("src/latest/greatest.py", False), ("src/attestation.py", False),
    ],
)  # fmt: skip
def test_test_files_are_known_by_their_paths(path: str, expected: bool) -> None:
    assert is_test_path(path) is expected


class Graph:
    """The edges of a tree by name."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.corpus = Corpus(snapshot)

    def name(self, chunk: int) -> str:
        segment = self.snapshot.segment
        symbol = int(segment.array("chunk.symbol")[chunk])
        path = segment.strings("file.path")[int(self.corpus.chunk_file[chunk])]
        return f"{path}:{segment.names[symbol] if symbol >= 0 else ''}"

    def chunk_edges(self, way: str = "out") -> set[tuple[str, str, str]]:
        edges = Edges.of(self.snapshot, "edge", way)
        return {
            (self.name(node), label, self.name(other))
            for node in range(self.corpus.chunks)
            for other, label in edges.neighbours(node)
        }

    def file_edges(self) -> set[tuple[str, str, str]]:
        edges, paths = Edges.of(self.snapshot, "file_edge", "out"), self.snapshot.strings("file.path")
        return {
            (paths[node], label, paths[other])
            for node in range(self.corpus.files)
            for other, label in edges.neighbours(node)
        }


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
    money = next(chunk for chunk in range(graph.corpus.chunks) if graph.name(chunk) == "shop/money.py:Money")
    found = ties(graph.corpus, [money], "Money", Follow(10, 1), Filters())
    assert {graph.name(tie.chunk): (tie.labels, tie.distance) for tie in found} == {
        "shop/cart.py:Cart": (("called_by",), 1),
        "shop/money.py:parse_money": (("called_by",), 1),
    }
    assert ties(graph.corpus, [money], "Money", Follow(1, 1), Filters()) == found[:1]
    assert ties(graph.corpus, [money], "Money", Follow(0, 1), Filters()) == []


def test_imports_in_a_cycle_and_of_oneself_are_no_trouble(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree({"a.py": "import a\nimport b\nA = b.B\n", "b.py": "import a\nB = 1\n"})
    assert Graph(keeper.refresh(root)[0]).file_edges() == {("a.py", "imports", "b.py"), ("b.py", "imports", "a.py")}
