"""A fleet's generation in blocks: equal to that of the tree, and an edit writes and reads little of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from index import build_index
from index.embed.static import StaticEmbedder
from index.fleet import blocks, published
from index.fleet.objects import FolderObjects
from index.generation.reader import Snapshot

FILES = 60


class Counted(FolderObjects):
    """A folder that records which parts were read."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.parts: list[str] = []

    def read(self, key: str, max_bytes: int) -> bytes | None:
        if "/blobs/" in key:
            self.parts.append(key)
        return super().read(key, max_bytes)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree of some ten blocks."""
    root = tmp_path / "tree"
    root.mkdir()
    for number in range(FILES):
        (root / f"part{number:02}.py").write_text(source(number))
    return root


def source(number: int) -> str:
    lines = "".join(f"    total_{number}_{line} = price_{line} * {number}  # of the goods\n" for line in range(150))
    return f"import part{(number + 1) % FILES:02}\n\n\ndef work_{number}(price):\n{lines}    return part(price)\n"


def generation(root: Path, home: Path) -> Snapshot:
    return build_index(root, home=home, model="embedded").snapshot


def fetched(objects: FolderObjects, key: str, folder: Path, last: Path | None = None) -> Snapshot:
    named = published.parts_under(objects, key)
    assert named is not None
    return blocks.fetch(objects, named, folder, StaticEmbedder.load(), last)


def assert_equal(one: Snapshot, other: Snapshot) -> None:
    assert one._placements.keys() == other._placements.keys()
    for name in one._placements.keys() - {"file.mtime_ns"}:
        np.testing.assert_array_equal(one.array(name), other.array(name), err_msg=name)


def test_what_is_fetched_is_what_was_published(tree: Path, tmp_path: Path) -> None:
    objects, own = FolderObjects(tmp_path / "store"), generation(tree, tmp_path / "own")
    blocks.publish(objects, "one.json", own)
    assert len(published.parts_under(objects, "one.json") or {}) > 5
    assert_equal(fetched(objects, "one.json", tmp_path / "fetched"), own)
    assert Snapshot(tmp_path / "fetched").is_intact()


def test_an_edit_writes_and_reads_the_blocks_that_it_changed(tree: Path, tmp_path: Path) -> None:
    objects = Counted(tmp_path / "store")
    blocks.publish(objects, "one.json", generation(tree, tmp_path / "own"))
    fetched(objects, "one.json", tmp_path / "first")
    written = set(objects.keys("ctxpack-1/blobs"))
    (tree / "part30.py").write_text(source(30) + "\n\ndef zebra(stripes):\n    return stripes\n")
    (tree / "part07.py").unlink()
    (tree / "part45x.py").write_text("def added():\n    return 1\n")
    blocks.publish(objects, "two.json", generation(tree, tmp_path / "own"), "one.json")
    news = set(objects.keys("ctxpack-1/blobs")) - written
    assert 2 <= len(news) <= 7
    objects.parts.clear()
    second = fetched(objects, "two.json", tmp_path / "second", tmp_path / "first")
    assert set(objects.parts) <= news
    assert_equal(second, generation(tree, tmp_path / "whole"))
    assert_equal(second, fetched(objects, "two.json", tmp_path / "third"))


def test_a_damaged_block_is_refused(tree: Path, tmp_path: Path) -> None:
    segment = generation(tree, tmp_path / "own").segment
    data = blocks.to_bytes(blocks.files_of(segment, 3, 9))
    assert blocks.from_bytes(data).strings("file.path").to_list() == [f"part{number:02}.py" for number in range(3, 9)]
    for broken in (data[:-1], data + b"x", b"\xff" * 8 + data[8:], b"", data[:8] + data[16:]):
        with pytest.raises(ValueError):
            blocks.from_bytes(broken)
