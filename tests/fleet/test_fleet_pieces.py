"""Upkeep of a fleet's tables: fragments of commits are joined, remains of killed writers are removed."""

from __future__ import annotations

import zlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from index.fleet.catalog import open_table
from index.fleet.fleet import Fleet
from index.fleet.pieces import MAX_PIECES
from index.fleet.tables import FleetTables
from tests.fleet import tables

pytestmark = [
    pytest.mark.skipif(find_spec("lance") is None, reason="needs the extra fleet"),
    pytest.mark.filterwarnings("ignore"),  # the engine's own
]
CHUNKS = "chunks.lance"


def tree(root: Path, files: int) -> Path:
    root.mkdir(exist_ok=True)
    for number in range(files):
        (root / f"part{number}.py").write_text(f"def {root.name}_{number}():\n    return {number}\n")
    return root


def written(store: Path) -> dict[str, int]:
    return {str(file): file.stat().st_size for file in store.rglob("*") if file.is_file()}


def pieces(uri: str) -> list[int]:
    """The number of fragments, and of the parts of each index."""
    table = open_table(uri, CHUNKS)
    return [len(table.get_fragments()), *(len(index.segments) for index in table.describe_indices())]


def found(fleet: Fleet, term: str) -> int:
    return len(fleet._table(CHUNKS).by_words([term], 10)[0])


def bytes_of(uri: str) -> bytes:
    """All bytes of a store, decompressed if they are compressed."""
    objects = FleetTables(uri)._objects
    held = [objects.read(key, 1 << 24) or b"" for key in objects.keys("")]
    return b"".join(zlib.decompress(one) if one[:1] == b"\x78" else one for one in held)


def killed(*_: Any) -> None:
    raise KeyboardInterrupt


def test_commits_to_many_files_leave_few_pieces_and_write_little(tmp_path: Path) -> None:
    store, root = tmp_path / "store", tree(tmp_path / "rocket", 40)
    tables.put(str(store), "rocket", root, tmp_path / "own")
    most = 0
    for number in range(2 * MAX_PIECES + 5):
        (root / f"part{number}.py").write_text(f"def launch_{number}():\n    return {number}\n")
        before = written(store)
        assert tables.put(str(store), "rocket", root, tmp_path / "own", commit=f"{number:040}") == 1
        most = max(most, sum(size for file, size in written(store).items() if file not in before))
        assert max(pieces(str(store))) <= MAX_PIECES + 1
    assert most <= 300_000
    assert open_table(str(store), CHUNKS).count_rows() < 40 + 2 * MAX_PIECES  # joining drops dead rows
    fleet = Fleet(str(store), tmp_path / "home")
    assert [found(fleet, f"launch{number}") for number in (0, 10, 2 * MAX_PIECES + 4)] == [1, 1, 1]
    FleetTables(str(store)).upkeep()
    assert open_table(str(store), CHUNKS).count_rows() == 40
    assert max(pieces(str(store))) <= 2
    fleet.refresh()
    assert [found(fleet, f"launch{number}") for number in (0, 10, 2 * MAX_PIECES + 4)] == [1, 1, 1]


def test_upkeep_removes_what_a_killed_writer_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uri, root = str(tmp_path / "store"), tree(tmp_path / "rocket", 6)
    (root / "long.py").write_text("x = 'word word'; " * 2000)  # chunks of one line
    rows = tables.put(uri, "rocket", root, tmp_path / "own")
    assert rows >= 8
    tables.put(uri, "planet", tree(tmp_path / "planet", 3), tmp_path / "other")
    (root / "part1.py").unlink()
    (root / "part2.py").write_text("def land():\n    return 1\n")
    with monkeypatch.context() as broken:
        broken.setattr(FleetTables, "_flip", killed)
        with pytest.raises(KeyboardInterrupt):
            tables.put(uri, "rocket", root, tmp_path / "own", commit="1" * 40)
    tables.put(uri, "rocket", root, tmp_path / "own", commit="1" * 40)
    with monkeypatch.context() as broken:
        broken.setattr(FleetTables, "_flip", killed)
        (root / "part3.py").write_text("def never():\n    return 1\n")
        with pytest.raises(KeyboardInterrupt):
            tables.put(uri, "rocket", root, tmp_path / "own", commit="2" * 40)
    assert open_table(uri, CHUNKS).count_rows() == 3 + rows + 3  # `land` twice, and `never`
    assert FleetTables(uri).upkeep()["rows_removed"] == 4  # two of these, and the first state of two files
    assert open_table(uri, CHUNKS).count_rows() == 3 + rows - 1
    fleet = Fleet(uri, tmp_path / "home")
    assert [found(fleet, term) for term in ("land", "never", "rocket3", "planet2")] == [1, 0, 1, 1]
    assert FleetTables(uri).upkeep()["rows_removed"] == 0


def test_a_purge_leaves_nothing_of_a_small_repository_among_large_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uri = str(tmp_path / "store")
    monkeypatch.setattr("index.fleet.pieces.GROWTH", 100)
    tables.put(uri, "rocket", tree(tmp_path / "rocket", 14), tmp_path / "own")
    tables.put(uri, "zebra", tree(tmp_path / "zebra", 1), tmp_path / "other")
    FleetTables(uri).upkeep()
    assert pieces(uri)[0] == 1
    assert b"zebra" in bytes_of(uri)
    FleetTables(uri).forget("zebra")
    assert found(Fleet(uri, tmp_path / "home"), "zebra") == 0
    FleetTables(uri).upkeep(purge=True)
    held = bytes_of(uri)
    assert b"zebra" not in held
    assert b"rocket_10" in held
    assert found(Fleet(uri, tmp_path / "home"), "rocket10") == 1
