"""The LanceDB table, in real folders: what a synchronisation leaves behind, whatever came before it or cut it off."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.errors import IndexCorrupt, IOFailure
from index.lance.table import MAX_FRAGMENTS, ChunkTable

pytestmark = pytest.mark.slow

D = 8
# For scripts that import this file beside the packages.
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(str(Path(__file__).parents[up]) for up in (0, 2))}
Tree = dict[str, int]  # path -> what its content is made from


def key(path: str, content: int) -> bytes:
    return blake2b(f"{path}/{content}".encode(), digest_size=16).digest()


def hashes(tree: Tree) -> dict[str, bytes]:
    return {path: key(path, content) for path, content in tree.items()}


def rows_of(path: str, content: int) -> list[dict[str, Any]]:
    """The chunks of a file, 1 to 3 of them, made from its content alone."""
    return [
        {
            "file": path,
            "ordinal": number,
            "language": "python",
            "kind": "function",
            "symbol": f"f{number}" if content % 2 else None,
            "start_line": number * 10 + 1,
            "end_line": number * 10 + 9,
            "text": f"def f{number}():\n    return {content}\n",
            "terms": f"f{number} return term{content}",
            "file_hash": key(path, content),
            "chunk_hash": key(f"{path}#{number}", content),
            "vector": [float(byte) for byte in key(path, content + number)[:D]],
        }
        for number in range(content % 3 + 1)
    ]


class Source:
    """Gives a tree's columns, and remembers for which files it was asked."""

    def __init__(self, tree: Tree, before: Callable[[int], None] = lambda asked: None) -> None:
        self.tree = tree
        self.asked: list[str] = []
        self.before = before

    def __call__(self, paths: Sequence[str]) -> dict[str, Any]:
        self.before(len(self.asked))
        self.asked += paths
        rows = [row for path in paths for row in rows_of(path, self.tree[path])]
        columns: dict[str, Any] = {name: [row[name] for row in rows] for name in rows_of("", 0)[0]}
        return columns | {"vector": np.array(columns["vector"], np.float32).reshape(-1, D)}


def held(table: ChunkTable) -> list[dict[str, Any]]:
    rows = table.opened().to_arrow().to_pylist()
    for row in rows:
        del row["generation"]
    return sorted(rows, key=lambda row: (row["file"], row["ordinal"]))


def expected(tree: Tree) -> list[dict[str, Any]]:
    return [row for path in sorted(tree) for row in rows_of(path, tree[path])]


def synchronised(folder: Path, tree: Tree, generation: int = 1, **more: Any) -> ChunkTable:
    table = ChunkTable(folder, D)
    table.synchronise(hashes(tree), Source(tree), generation, **more)
    return table


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


TREE = {f"src/file{number:02}.py": number for number in range(12)}


def test_a_table_holds_every_column_as_it_was_given(tmp_path: Path) -> None:
    tree = {'it\'s "a" path.py': 1, "ä/名\n.py": 2, "%_*?.py": 3}
    table = synchronised(tmp_path, tree, generation=7)
    assert held(table) == expected(tree)
    assert table.opened().to_arrow()["generation"].unique().to_pylist() == [7]
    assert table.contents() == hashes(tree)
    del tree['it\'s "a" path.py'], tree["%_*?.py"]
    assert held(synchronised(tmp_path, tree)) == expected(tree)


def test_only_what_differs_is_asked_for_and_written(tmp_path: Path) -> None:
    synchronised(tmp_path, TREE)
    changed = {**TREE, "src/file03.py": 99, "new.py": 5}
    del changed["src/file07.py"]
    source, table, told = Source(changed), ChunkTable(tmp_path, D), []
    done = table.synchronise(hashes(changed), source, 2, progress=lambda *step: told.append(step))
    assert source.asked == ["new.py", "src/file03.py"]
    assert (done.added, done.removed, done.rows) == (2, 2, len(expected(changed)))
    assert told == [(2, 2)]
    assert held(table) == expected(changed)
    generations = table.opened().to_arrow().select(["file", "generation"]).to_pylist()
    assert {row["file"] for row in generations if row["generation"] == 2} == {"new.py", "src/file03.py"}


def test_nothing_is_written_when_nothing_changed(tmp_path: Path) -> None:
    version = synchronised(tmp_path, TREE).opened().version
    source, table = Source(TREE), ChunkTable(tmp_path, D)
    done = table.synchronise(hashes(TREE), source, 2)
    assert (done.added, done.removed, source.asked) == (0, 0, [])
    assert table.opened().version == version


@settings(max_examples=12, deadline=None)
@given(trees=st.lists(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3)), min_size=1, max_size=6))
def test_after_any_history_the_table_is_the_last_tree(
    tmp_path_factory: pytest.TempPathFactory, trees: list[Tree]
) -> None:
    folder = tmp_path_factory.mktemp("table")
    for generation, tree in enumerate(trees):
        assert held(synchronised(folder, tree, generation)) == expected(tree)


KILLED = """
import os, sys
from pathlib import Path
from test_table import Source, TREE, ChunkTable, D, hashes
from index.lance import table
table.BATCH_FILES = 2
tree = {**TREE, **{f"src/file{n:02}.py": n + 50 for n in range(4)}}
def stop(asked):
    if asked >= 2: os.kill(os.getpid(), 9)
ChunkTable(sys.argv[1], D).synchronise(hashes(tree), Source(tree, stop), 2)
"""


def test_a_killed_run_is_completed_by_the_next(tmp_path: Path) -> None:
    synchronised(tmp_path, TREE)
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], env=ENVIRONMENT, check=False)
    assert done.returncode == -9
    tree = {**TREE, **{f"src/file{number:02}.py": number + 50 for number in range(4)}}
    left = ChunkTable(tmp_path, D)
    assert held(left) == expected({path: content for path, content in TREE.items() if tree[path] == content})
    source = Source(tree)
    left.synchronise(hashes(tree), source, 3)
    assert source.asked == [f"src/file{number:02}.py" for number in range(4)]
    assert held(left) == expected(tree)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("ours"), OSError("ours too")])
def test_what_goes_wrong_on_our_side_arrives_as_it_was(tmp_path: Path, error: BaseException) -> None:
    table = synchronised(tmp_path, TREE)
    tree = {**TREE, "new.py": 1}

    def fail(_: int) -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        table.synchronise(hashes(tree), Source(tree, fail), 2)
    assert caught.value is error
    assert held(table) == expected(TREE)
    assert held(synchronised(tmp_path, tree)) == expected(tree)


def test_disk_use_does_not_grow_with_the_number_of_runs(tmp_path: Path) -> None:
    tree = {f"file{number:03}.py": number for number in range(100)}
    table = synchronised(tmp_path, tree)
    first = size_of(tmp_path)
    sizes, fragments = [], []
    for generation in range(60):
        tree[f"file{generation:03}.py"] += 1_000
        table.synchronise(hashes(tree), Source(tree), generation)
        sizes.append(size_of(tmp_path))
        fragments.append(table.opened().stats()["fragment_stats"]["num_fragments"])
    assert held(table) == expected(tree)
    assert max(fragments) <= MAX_FRAGMENTS + 1
    table.compact()
    assert size_of(tmp_path) < 1.2 * first
    # A fragment's own overhead (its schema, its page tables) is some 20 times this test's file.
    assert max(sizes[30:]) <= max(sizes[:30]) * 1.1


def test_a_table_that_is_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    tree = {f"file{number:03}.py": number for number in range(200)}
    synchronised(tmp_path, tree)
    first = size_of(tmp_path)
    for generation in range(4):
        tree = {path: content + 1 for path, content in tree.items()}
        synchronised(tmp_path, tree, generation)
    assert size_of(tmp_path) < 1.2 * first


def test_a_table_of_another_model_or_format_is_replaced(tmp_path: Path) -> None:
    synchronised(tmp_path, TREE)
    other = ChunkTable(tmp_path, D // 2)
    assert other.contents() == {}
    other.synchronise(
        hashes(TREE), lambda paths: (columns := Source(TREE)(paths)) | {"vector": columns["vector"][:, : D // 2]}, 2
    )
    assert other.contents() == hashes(TREE)
    assert ChunkTable(tmp_path, D).contents() == {}


def test_no_table_is_said(tmp_path: Path) -> None:
    table = ChunkTable(tmp_path / "nothing", D)
    assert table.contents() == {}
    with pytest.raises(IndexCorrupt, match="there is no table in") as caught:
        table.opened()
    assert caught.value.hint == "run `ctxpack index`"
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize("part", ["_versions", "data"])
def test_spoiled_files_are_reported_and_a_full_run_replaces_them(tmp_path: Path, part: str) -> None:
    synchronised(tmp_path, TREE)
    for path in (tmp_path / "chunks.lance" / part).iterdir():
        path.write_bytes(b"spoiled" * 30)
    with pytest.raises(IndexCorrupt, match="cannot be read") as caught:
        synchronised(tmp_path, TREE)
    assert caught.value.details == {"folder": str(tmp_path)}
    assert "--full" in caught.value.hint
    assert held(synchronised(tmp_path, TREE, full=True)) == expected(TREE)
    assert held(synchronised(tmp_path, TREE)) == expected(TREE)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IOFailure, match="cannot be written") as caught:
        synchronised(tmp_path / "file" / "table", TREE)
    assert caught.value.details == {"path": str(tmp_path / "file" / "table")}


FULL = """
import resource, sys
from test_table import *
resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, 3_000))
try: synchronised(Path(sys.argv[1]), TREE)
except IOFailure as error: print(error.code)
"""


def test_a_full_disk_leaves_the_table_as_it_was(tmp_path: Path) -> None:
    small = {"a.py": 0}
    synchronised(tmp_path, small)
    command = [sys.executable, "-c", FULL, str(tmp_path)]
    done = subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    assert done.stdout == "io_error\n"
    assert held(ChunkTable(tmp_path, D)) == expected(small)
    assert held(synchronised(tmp_path, TREE)) == expected(TREE)


def test_importing_costs_nothing_and_writing_prints_nothing(tmp_path: Path) -> None:
    script = (
        "import sys, index.lance.table, index.lance.table_search\n"
        "print(sorted({'lancedb', 'pyarrow'} & set(sys.modules)))\n"
        "from test_table import *; synchronised(Path(sys.argv[1]), TREE); synchronised(Path(sys.argv[1]), TREE)"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
