"""A refresh gives the same graph as a build from scratch, and resolves no more than it must."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.build import Builder
from index.embed.static import StaticEmbedder
from index.generation.diff import GenerationDiff
from index.generation.reader import Snapshot
from index.generation.store import Store
from index.graph import build
from index.graph.references import Binder, Uses
from index.graph.reuse import reusable
from index.lexical import derive_postings
from index.segment.columns import Array
from index.segment.memory import Workspace
from index.tree.walk import walk
from tests.index.conftest import Keeper, WriteTree
from tests.index.edits import Edits
from tests.index.graphs import Graph

pytestmark = pytest.mark.slow

# File contents that define, import, derive, declare and mention names in different ways.
PYTHON = [
    "def run():\n    return 1\n",
    "from a import run\n\n\ndef go():\n    return run()\n",
    "from b import *\n\n\nclass Base:\n    def load(self) -> 'Base':\n        return self\n",
    "import a\nfrom c import Base\n\n\nclass Sub(Base):\n    def load(self):\n        return super().load()\n\n"
    "    def use(self):\n        a.run()\n        return self.load().load()\n",
    "from d import Sub\n\nthing = Sub()\n\n\ndef call():\n    thing.use()\n    thing.load()\n",
    "from d import Sub\n\nthing = Sub()\n\n\ndef call():\n    # an edit of a body\n    return thing.use()\n",
    "import d\n\n\ndef test_run():\n    d.thing.use()\n",
    "",
]
OTHERS = ["# Text\n\nSee `Sub.use` and `run`.\n", "# Text\n\n## More\n\n`Base.load`\n", "nothing\n"]
FILES = ["a.py", "b.py", "c.py", "d.py", "tests/test_a.py"]
Change = dict[str, str]


def graph_arrays(snapshot: Snapshot) -> dict[str, np.ndarray]:
    names = [name for name in snapshot._placements if name.partition("/")[0] in _GRAPH]
    return {name: snapshot.array(name) for name in names}


_GRAPH = {"edge", "file_edge", "symbol_edge", "bound", "by_receiver", "about", "learned", "import"}


def same(one: Snapshot, other: Snapshot) -> bool:
    ours, theirs = graph_arrays(one), graph_arrays(other)
    assert set(ours) == set(theirs)
    return all(np.array_equal(ours[name], theirs[name]) for name in ours)


changes = st.dictionaries(st.sampled_from(FILES), st.sampled_from(PYTHON), min_size=1, max_size=3)
documents = st.dictionaries(st.just("README.md"), st.sampled_from(OTHERS), max_size=1)


@given(first=changes, steps=st.lists(st.tuples(changes, documents), min_size=1, max_size=3))
@settings(max_examples=25, deadline=None)
def test_a_refresh_equals_a_build(
    first: Change,
    steps: list[tuple[Change, Change]],
    tmp_path_factory: pytest.TempPathFactory,
    embedder: StaticEmbedder,
) -> None:
    base = tmp_path_factory.mktemp("graph")
    root = base / "tree"
    _write(root, {name: PYTHON[number] for number, name in enumerate(FILES)} | first)
    kept = Builder(root, Store(base / "kept"), embedder, None)
    live, _ = kept.refresh(walk(root), None, full=True, wait_s=1.0)
    for number, (code, text) in enumerate(steps):
        _write(root, code | text)
        live, _ = kept.refresh(walk(root), live, full=False, wait_s=1.0)
        fresh = Builder(root, Store(base / f"fresh{number}"), embedder, None)
        assert same(live, fresh.refresh(walk(root), None, full=True, wait_s=1.0)[0])


def test_a_file_that_becomes_empty_and_one_that_is_filled_change_what_imports_mean(
    tmp_path: Path, embedder: StaticEmbedder
) -> None:
    """An empty file has no language; an import means a file of the importer's language first."""
    root, code = tmp_path / "tree", "def run():\n    return 1\n"
    _write(
        root,
        {"app.py": "import util\n\n\ndef go():\n    return util.run()\n", "util.py": code, "util.rb": code + "end\n"},
    )
    kept = Builder(root, Store(tmp_path / "kept"), embedder, None)
    live, _ = kept.refresh(walk(root), None, full=True, wait_s=1.0)
    for number, text in enumerate(("", code, "\n", code)):
        _write(root, {"util.py": text})
        live, _ = kept.refresh(walk(root), live, full=False, wait_s=1.0)
        fresh = Builder(root, Store(tmp_path / f"fresh{number}"), embedder, None)
        assert same(live, fresh.refresh(walk(root), None, full=True, wait_s=1.0)[0])
        edges = Graph(live).symbol_edges("calls")
        assert (("app.py:go", "calls", "util.py:run") in edges) is bool(text.strip())


def test_guesses_by_receiver_are_made_again_for_changed_files_only(
    tmp_path: Path, embedder: StaticEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, calls = tmp_path / "tree", list[int]()
    pay = "def pay(cart):\n    return cart.total() + {}\n"
    classes = "".join(f"class {name}:\n    def total(self):\n        return 1\n\n\n" for name in ("Cart", "Order"))
    _write(root, {"classes.py": classes, "a.py": pay.format(1), "b.py": pay.format(1) + "\n\nprint(pay(None))\n"})
    guess = build.guess_by_receiver

    def counting(binder: Binder, is_open: Array) -> Uses:
        calls.append(int(is_open.sum()))
        return guess(binder, is_open)

    monkeypatch.setattr(build, "guess_by_receiver", counting)
    kept = Builder(root, Store(tmp_path / "kept"), embedder, None)
    live, _ = kept.refresh(walk(root), None, full=True, wait_s=1.0)
    _write(root, {"a.py": pay.format(2)})
    live, _ = kept.refresh(walk(root), live, full=False, wait_s=1.0)
    assert 0 < calls[1] < calls[0]
    assert {(f"{file}:pay", "calls", "classes.py:Cart.total") for file in ("a.py", "b.py")} <= Graph(
        live
    ).symbol_edges()
    fresh = Builder(root, Store(tmp_path / "fresh"), embedder, None)
    assert same(live, fresh.refresh(walk(root), None, full=True, wait_s=1.0)[0])


def _write(root: Path, files: Change) -> None:
    for name, text in files.items():
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def _edited(write_tree: WriteTree, keeper: Keeper, before: str, after: str) -> tuple[Snapshot, Snapshot]:
    files = {"a.py": before, "b.py": "from a import run\n\n\ndef go():\n    return run()\n"}
    old, _ = keeper.refresh(write_tree(files))
    new, _ = keeper.refresh(write_tree({"a.py": after}))
    return old, new


def test_an_edit_of_a_body_resolves_one_file(write_tree: WriteTree, keeper: Keeper) -> None:
    old, new = _edited(write_tree, keeper, "def run():\n    return 1\n", "def run():\n    return int('2')\n")
    kept = reusable(GenerationDiff(old, new.segment, np.array([True, False])))
    assert kept is not None
    references = new.segment.rows["reference"]
    assert kept.references.tolist() == list(range(int(references[0]), int(references[1])))


@pytest.mark.parametrize(
    "after",
    [
        "def walk():\n    return 1\n",
        "import os\n\n\ndef run():\n    return 1\n",
        "def run() -> Foo:\n    return 1\n",
        "class run(Base):\n    pass\n",
    ],
    ids=["definition", "import", "result", "base"],
)
def test_what_others_can_see_of_a_file_is_not_taken_over(write_tree: WriteTree, keeper: Keeper, after: str) -> None:
    old, new = _edited(write_tree, keeper, "def run():\n    return 1\n", after)
    assert reusable(GenerationDiff(old, new.segment, np.array([True, False]))) is None


def test_an_edit_of_a_configuration_changes_what_imports_mean(write_tree: WriteTree, keeper: Keeper) -> None:
    config = '{"compilerOptions": {"paths": {"@shop/*": ["./%s/*"]}}}\n'
    main = "import { total } from '@shop/cart'\n\nexport function run() { total() }\n"
    folders = {f"{name}/cart.ts": "export function total() { return 1 }\n" for name in ("new", "old")}
    for name in ("old", "new"):
        files = {"tsconfig.json": config % name, "app/main.ts": main, **folders}
        graph = Graph(keeper.refresh(write_tree(files))[0])
        assert graph.symbol_edges("calls") == {("app/main.ts:run", "calls", f"{name}/cart.ts:total")}


@pytest.mark.parametrize("seed", range(14))
def test_a_refresh_equals_a_build_after_random_edits(seed: int, tmp_path: Path, embedder: StaticEmbedder) -> None:
    edits = Edits(tmp_path / "tree", seed)
    kept = Builder(edits.root, Store(tmp_path / "kept"), embedder, None)
    live, _ = kept.refresh(walk(edits.root), None, full=True, wait_s=1.0)
    for _ in range(3):
        done = edits.step()
        live, _ = kept.refresh(walk(edits.root), live, full=False, wait_s=1.0)
        fresh = Builder(edits.root, Store(tmp_path / "fresh"), embedder, None)
        assert same(live, fresh.refresh(walk(edits.root), None, full=True, wait_s=1.0)[0]), done
        assert live.is_intact()
        for name, values in derive_postings(live.segment, Workspace()).items():
            assert live.array(name).dtype == values.dtype
            assert np.array_equal(live.array(name), values), (name, done)


# Effects of an edit on a file that does not spell the edited name, or not in the same place.
FAR = {
    "an alias of a function that gives something else": (
        {
            "a.py": "from c import One, Two\n\n\ndef make() -> One:\n    return One()\n",
            "b.py": "from a import make as build\n",
            "c.py": "class One:\n    def go(self): ...\n\n\nclass Two:\n    def go(self): ...\n",
            "d.py": "from b import build\n\n\ndef use():\n    build().go()\n",
        },
        {"a.py": "from c import One, Two\n\n\ndef make() -> Two:\n    return Two()\n"},
    ),
    "a re-export that leads elsewhere": (
        {
            "a.py": "from c import one as shown\n",
            "b.py": "from a import shown as seen\n\n\ndef use():\n    seen()\n",
            "c.py": "def one(): ...\n\n\ndef two(): ...\n",
        },
        {"a.py": "from c import two as shown\n"},
    ),
    "another base of a base": (
        {
            "a.py": "from c import One, Two\n\n\nclass Mid(One):\n    pass\n",
            "b.py": "from a import Mid\n\n\nclass Low(Mid):\n    def use(self):\n        self.go()\n",
            "c.py": "class One:\n    def go(self): ...\n\n\nclass Two:\n    def go(self): ...\n",
        },
        {"a.py": "from c import One, Two\n\n\nclass Mid(Two):\n    pass\n"},
    ),
    "a wildcard import that shows another file": (
        {
            "a.h": '#include "c.h"\n',
            "b.cpp": '#include "a.h"\nint use() { return go(); }\n',
            "c.h": "static int go() { return 1; }\n",
            "d.h": "static int go() { return 2; }\n",
        },
        {"a.h": '#include "d.h"\n'},
    ),
    "an import that becomes an export": (
        {
            "a.ts": "import { go } from './c'\n",
            "all.ts": "export * from './a'\n",
            "b.ts": "import { go } from './all'\nexport function use() { go(); }\n",
            "c.ts": "export function go() {}\n",
        },
        {"a.ts": "export { go } from './c'\n"},
    ),
    "a namespace that ends before a function": (
        {
            "a.cpp": "namespace shop {\nint go() { return 1; }\n}\n",
            "b.cpp": "int use() { return shop::go(); }\n",
        },
        {"a.cpp": "namespace shop {\n}\nint go() { return 1; }\n"},
    ),
    "a class whose methods stand in another file": (
        {
            "a.go": "package shop\n\ntype Cart struct{ Base }\n\ntype Base struct{}\n\nfunc (b *Base) Go() {}\n",
            "b.go": "package shop\n\nfunc (c *Cart) Use() { c.Go() }\n",
        },
        {"a.go": "package shop\n\ntype Carts struct{ Base }\n\ntype Base struct{}\n\nfunc (b *Base) Go() {}\n"},
    ),
    "another name": (
        {
            "cart.zig": "pub fn go() u32 {\n    return 1;\n}\npub fn stay() u32 {\n    return 2;\n}\n",
            "b.zig": 'const cart = @import("cart.zig");\npub const step = cart.go;\n',
            "c.zig": 'const b = @import("b.zig");\nfn use() u32 {\n    return b.step();\n}\n',
        },
        {"b.zig": 'const cart = @import("cart.zig");\npub const step = cart.stay;\n'},
    ),
    "a call that says what a name means elsewhere": (
        {
            "a.py": "class Cart:\n    def flush_pending(self): ...\n",
            "b.py": "def use(it):\n    it.flush_pending()\n",
            "c.py": "import os\n\n\ndef go():\n    os.flush()\n",
        },
        {"c.py": "import os\n\n\ndef go():\n    os.flush_pending()\n"},
    ),
    "a file that takes the place of another": (
        {
            "shop/money.py": "def go(): ...\n",
            "b.py": "from money import go as walk\n\n\ndef use():\n    walk()\n",
        },
        {"money.py": "def go(): ...\n"},
    ),
}


@pytest.mark.parametrize("name", FAR)
def test_what_a_far_file_means_changes_with_an_edit(
    name: str, write_tree: WriteTree, tmp_path: Path, embedder: StaticEmbedder
) -> None:
    before, after = FAR[name]
    kept = Builder(write_tree(before), Store(tmp_path / "kept"), embedder, None)
    old, _ = kept.refresh(walk(kept.root), None, full=True, wait_s=1.0)
    write_tree(after)
    live, _ = kept.refresh(walk(kept.root), old, full=False, wait_s=1.0)
    fresh, _ = Builder(kept.root, Store(tmp_path / "fresh"), embedder, None).refresh(
        walk(kept.root), None, full=True, wait_s=1.0
    )
    assert _uses(fresh) != _uses(old), "the edit is to change what the far file means"
    assert same(live, fresh)


def _uses(snapshot: Snapshot) -> set[tuple[str, str, str]]:
    return {edge for edge in Graph(snapshot).symbol_edges("calls", "uses") if edge[0].endswith(("use", "Use"))}
