"""Hostile trees and generated trees: the graph stays right, small and fast."""

from __future__ import annotations

import numpy as np
import pytest

from chunker.languages.table import LANGUAGES
from index.collection.collection import Collection
from index.collection.reader import outline_of
from index.graph.import_files import ModuleResolver, find_imports
from index.graph.import_scopes import modules
from index.graph.symbol_table import SymbolTable
from index.search.related import reach, ties
from index.types import ChunkId, FileId, Filters, Follow
from tests.clock import within
from tests.index.conftest import Keeper, WriteTree
from tests.index.graphs import Graph


def test_cyclic_inheritance_ends(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree(
        {
            "a.py": "from b import B\n\n\nclass A(B):\n    def one(self):\n        self.two()\n        self.gone()\n",
            "b.py": "from c import C\n\n\nclass B(C):\n    pass\n",
            "c.py": "from a import A\n\n\nclass C(A):\n    def two(self):\n        return super().one()\n",
            "own.py": "class Own(Own):\n    def x(self):\n        return self.y()\n",
        }
    )
    graph = Graph(keeper.refresh(root)[0])
    assert graph.symbol_edges("calls") == {
        ("a.py:A.one", "calls", "c.py:C.two"),
        ("c.py:C.two", "calls", "a.py:A.one"),
    }
    assert graph.symbol_edges("extends") == {
        ("a.py:A", "extends", "b.py:B"), ("b.py:B", "extends", "c.py:C"), ("c.py:C", "extends", "a.py:A"),
    }  # fmt: skip


def test_cyclic_re_exports_end(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree(
        {
            "a.py": "from a import *\nfrom b import thing\nfrom a import own\n\n\ndef f():\n    thing()\n    own()\n",
            "b.py": "from a import thing, real\nfrom c import *\n",
            "c.py": "from b import *\n\n\ndef real():\n    return 1\n",
            "d.py": "from b import real\n\n\ndef g():\n    real()\n",
            "loop/index.ts": "export * from './other'\nexport { x } from './other'\n",
            "loop/other.ts": "export * from './index'\nexport { x } from './index'\n",
            "loop/main.ts": "import { x, y } from './index'\n\nfunction run() { x(); y() }\n",
        }
    )
    assert Graph(keeper.refresh(root)[0]).symbol_edges("calls") == {("d.py:g", "calls", "c.py:real")}


def test_ten_thousand_callers_of_one_function(write_tree: WriteTree, keeper: Keeper) -> None:
    files = {"hub.py": "def hub():\n    return 1\n"}
    for number in range(20):
        body = "".join(f"def caller_{number}_{n}():\n    return hub()\n\n\n" for n in range(500))
        files[f"m{number}.py"] = f"from hub import hub\n\n\n{body}"
    snapshot, _ = keeper.refresh(write_tree(files))
    graph = Graph(snapshot)
    hub = next(node for node in range(len(graph.collection.chunks)) if graph.name(node).endswith("hub.py:hub"))
    assert len(graph.collection.edges_in.neighbours(hub)) == 10_000
    with within(3):
        assert len(ties(Collection(snapshot), [hub], "hub", Follow(3, 1), Filters())) == 3


def test_a_manifest_of_blank_lines_takes_no_time(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree({"package.json": "\n" * 200_000, "a.js": "import { a } from 'b'\n"})
    with within(5):
        keeper.refresh(root)


def test_very_many_wildcards_of_modules_inside_a_file_take_no_time(write_tree: WriteTree, keeper: Keeper) -> None:
    code = (
        f"pub use self::m{n}::*;\nmod m{n} {{ pub fn f{n}() {{}} }}\nfn g{n}() {{ f{n}(); }}\n" for n in range(3_000)
    )
    root = write_tree({"src/lib.rs": "".join(code)})
    with within(3):
        keeper.refresh(root)


def test_parts_of_one_thing_go_on_from_a_common_chunk_once(write_tree: WriteTree, keeper: Keeper) -> None:
    body = "".join(f"def caller_{n}():\n    return hub()\n\n\n" for n in range(200))
    root = write_tree({"hub.py": "def hub():\n    return 1\n", "callers.py": f"from hub import hub\n\n\n{body}"})
    graph = Graph(keeper.refresh(root)[0])
    callers = [node for node in range(len(graph.collection.chunks)) if ":caller_" in graph.name(node)]
    seeds, cover = np.array(callers), np.zeros(len(graph.collection.chunks), np.float32)
    paths = [reach(graph.collection, seeds, cover, Follow(3, 2, together=together)) for together in (False, True)]
    apart, together = (len(one.node) for one in paths)
    assert apart == len(seeds) ** 2 + len(seeds) and together < 4 * len(seeds)


def test_one_name_in_five_hundred_files_stays_with_its_own(write_tree: WriteTree, keeper: Keeper) -> None:
    files = {
        f"p{number}/mod.py": "class Handler:\n    def run(self):\n        return self.step()\n\n"
        "    def step(self):\n        return 1\n\n\ndef start():\n    return Handler()\n"
        for number in range(500)
    }
    files["main.py"] = (
        "from p7.mod import Handler\n\n\ndef main(thing):\n    Handler().run()\n    thing.step()\n    start()\n"
    )
    calls = Graph(keeper.refresh(write_tree(files))[0]).symbol_edges("calls")
    expected = {
        (f"p{number}/mod.py:{source}", "calls", f"p{number}/mod.py:{target}")
        for number in range(500)
        for source, target in (("Handler.run", "Handler.step"), ("start", "Handler"))
    }
    expected |= {("main.py:main", "calls", f"p7/mod.py:{name}") for name in ("Handler", "Handler.run")}
    assert calls == expected


def test_one_name_in_three_thousand_files_is_imported_in_no_time() -> None:
    paths = [f"p{number}/cart.{'ts' if number % 2 else 'go'}" for number in range(3_000)]
    rules = [LANGUAGES["typescript" if path.endswith("ts") else "go"] for path in paths]
    resolver = ModuleResolver(paths, rules, {})
    with within(3):
        for number in range(1, 3_000, 2):
            file = FileId(number)
            assert resolver.locate(file, rules[number], "./cart", ()).module is None
            assert resolver.locate(file, rules[number], "shop/cart", ()).module is None
            assert resolver.locate(file, rules[number], f"p{3_000 - number}/cart", ()).module == 3_000 - number
            assert resolver.locate(FileId(number - 1), rules[0], "example.org/shop/p", ()).files == ()


def test_long_names_and_deep_folders_are_imported_in_no_time() -> None:
    long, deep = "a/" * 20_000, "/".join(["d"] * 2_000)
    go, typescript = LANGUAGES["go"], LANGUAGES["typescript"]
    declared = {("go", long, ""): "x", ("javascript", "@shop", ""): "shop", ("javascript", "@shop", "d"): "d/shop"}
    paths = ["x/a.go", f"{deep}/cart.ts", "d/shop/cart.ts", "shop/cart.ts"]
    resolver = ModuleResolver(paths, [go, typescript, typescript, typescript], declared)
    with within(3):
        for number in range(100):
            assert resolver.locate(FileId(0), go, f"{long}b{number}", ()).module is None
            assert resolver.locate(FileId(1), typescript, f"@shop/{number}", ()).module is None
        assert resolver.locate(FileId(1), typescript, "@shop/cart", ()).module == 2


@pytest.mark.parametrize("minified", [False, True], ids=["generated", "minified"])
def test_generated_code_has_no_ties(minified: bool, write_tree: WriteTree, keeper: Keeper) -> None:
    if minified:
        bundle = "".join(f"function e{n}(t){{return e{n + 1}(t)+render(t)}};" for n in range(3000))
        files = {"dist/app.min.js": bundle}
    else:
        body = "".join(f"def msg_{n}(data):\n    return parse(data)\n\n\n" for n in range(2000))
        files = {"gen_pb2.py": f"# Generated by the protocol compiler.\n\n\n{body}"}
    files["src/main.js"] = "function render(x) { return e1(x) }\n"
    files["src/main.py"] = "def parse(data):\n    return msg_1(data)\n"
    assert Graph(keeper.refresh(write_tree(files))[0]).symbol_edges("calls") == set()


def test_a_chain_that_never_ends_and_names_of_every_kind(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree(
        {
            "a.py": "def f():\n    x = x.y\n    x.go()\n    a.b.c.d.e.f.g.h.i.j()\n    " + "f()" + ".g()" * 300 + "\n",
            "b.py": "def go():\n    pass\n\n\ndef é():\n    return é()\n\n\ndef caller():\n    é()\n",
            "c.go": "package c\n\nfunc init() {}\nfunc init() {}\n",
            "d.java": "class D<T extends D<T>> { T self() { return self().self(); } }\n",
        }
    )
    graph = Graph(keeper.refresh(root)[0])
    assert ("b.py:caller", "calls", "b.py:é") in graph.symbol_edges("calls")
    assert ("a.py:f", "calls", "b.py:go") not in graph.symbol_edges("calls")


def test_the_paths_of_imports_are_tried_in_few_packages(write_tree: WriteTree, keeper: Keeper) -> None:
    """Scala's imports may be relative to those before them."""
    imports = "".join("import a0\n" * 3_000) + "".join(f"import x{number}.y\n" for number in range(6_000))
    root = write_tree({"a.scala": "package a0\nobject X\n", "b.scala": f"package b\n\n{imports}object Y\n"})
    snapshot, _ = keeper.refresh(root)
    table = SymbolTable(snapshot.segment, find_imports(snapshot.segment))
    with within(3):
        modules(table)


def test_the_outline_of_a_class_takes_time_in_proportion_to_its_members(write_tree: WriteTree, keeper: Keeper) -> None:
    """Quadratic time is 1 s for each outline."""
    members = "".join(f"    public int M{n}(int a)\n    {{\n        return a + {n};\n    }}\n\n" for n in range(9_000))
    collection = Collection(keeper.refresh(write_tree({"Huge.cs": f"class Huge\n{{\n{members}}}\n"}))[0])
    with within(3):
        outlines = [outline_of(collection, ChunkId(0)) for _ in range(10)]
    assert outlines[0] is not None and outlines[0].members[-1] == (9_000, (3 + 5 * 8_999, 3 + 5 * 8_999))
