"""A refresh gives the graph that a build from nothing gives, and resolves no more than it must."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from index.build import Builder
from index.embed.static import StaticEmbedder
from index.graph.known import known_graph
from index.snapshot import Snapshot
from index.store import Store
from index.walk import walk
from tests.index.conftest import Keeper, WriteTree

# Bodies that define, import, derive, declare and mention in different ways; a file is any of them.
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
    names = [name for name in snapshot._placed if name.partition("/")[0] in _GRAPH]
    return {name: snapshot.array(name) for name in names}


_GRAPH = {"edge", "file_edge", "symbol_edge", "bound", "about", "learned", "import"}


def same(one: Snapshot, other: Snapshot) -> bool:
    ours, theirs = graph_arrays(one), graph_arrays(other)
    assert set(ours) == set(theirs)
    return all(np.array_equal(ours[name], theirs[name]) for name in ours)


changes = st.dictionaries(st.sampled_from(FILES), st.sampled_from(PYTHON), min_size=1, max_size=3)
documents = st.dictionaries(st.just("README.md"), st.sampled_from(OTHERS), max_size=1)


@given(first=changes, steps=st.lists(st.tuples(changes, documents), min_size=1, max_size=3))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
    kept = known_graph(old, new.segment, frozenset({0})).kept
    assert kept is not None
    references = new.segment.rows["reference"]
    assert kept.fresh.tolist() == list(range(int(references[0]), int(references[1])))


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
    assert known_graph(old, new.segment, frozenset({0})).kept is None
