"""Whatever replaces a file, nothing outside the root is read, and no read waits for anything but a plain file."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest
from strangers import Stranger

from index.build import Builder
from index.embed.static import StaticEmbedder
from index.generation.store import Store
from index.tree.beneath import Beneath, NotRead, read_beneath
from index.tree.walk import walk
from index.types import Coverage

SECRET = "the text of a file outside"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for name in ("a/one.py", "a/two.py", "b/c/three.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"NAME = {name!r}\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "two.py").write_text(f"NAME = '{SECRET}'\n")
    return root


def swap(tree: Path, how: str) -> None:
    """Puts something else in the place of `a/two.py`."""
    file = tree / "a" / "two.py"
    if how == "folder":
        (tree / "a").rename(tree / "gone")
        (tree / "a").symlink_to(tree.parent / "outside")
        return
    file.unlink()
    if how == "pipe":
        os.mkfifo(file)
    elif how == "folder of that name":
        file.mkdir()
    else:
        file.symlink_to({"link": tree.parent / "outside" / "two.py", "device": Path("/dev/zero")}[how])


@pytest.mark.parametrize("how", ["link", "folder", "pipe", "device", "folder of that name"])
def test_a_file_swapped_between_walk_and_read_is_not_read(tree: Path, tmp_path: Path, how: str) -> None:
    seen = walk(tree)
    swap(tree, how)
    store = Store(tmp_path / "home")
    snapshot, _ = Builder(tree, store, StaticEmbedder.load(), None).refresh(seen, None, full=True, wait_s=1)
    assert SECRET.encode() not in (snapshot.folder / "arrays.bin").read_bytes()
    assert Coverage.of(snapshot.manifest.about).skipped == {"vanished": 2 if how == "folder" else 1}


@pytest.mark.parametrize("how", ["link", "folder", "pipe", "device", "folder of that name"])
def test_the_reader_refuses_it(tree: Path, how: str) -> None:
    swap(tree, how)
    with pytest.raises(NotRead):
        read_beneath(tree, "a/two.py", 1_000)
    assert read_beneath(tree, b"b/c/three.py", 1_000) == b"NAME = 'b/c/three.py'\n"


def test_a_file_that_takes_its_place_between_look_and_opening_is_not_read(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another plain file: it is not the file that was checked."""
    look = os.stat

    def look_then_replace(*arguments: Any, **options: Any) -> os.stat_result:
        status = look(*arguments, **options)
        monkeypatch.undo()
        (tree.parent / "outside" / "two.py").replace(tree / "a" / "two.py")
        return status

    monkeypatch.setattr(os, "stat", look_then_replace)
    with pytest.raises(NotRead, match="it was replaced by another file"):
        read_beneath(tree, "a/two.py", 1_000)


@pytest.mark.parametrize(
    "path", ["../outside/two.py", "a/../../outside/two.py", "/etc/passwd", "", "a//one.py", "./a/one.py"]
)
def test_a_path_that_leads_outside_is_refused(tree: Path, path: str) -> None:
    with pytest.raises(NotRead):
        read_beneath(tree, path, 1_000)


def test_a_file_larger_than_allowed_is_not_read(tree: Path) -> None:
    (tree / "a" / "one.py").write_bytes(b"x" * 1_001)
    with Beneath(tree) as files:
        with pytest.raises(NotRead, match="more than 1,000 bytes"):
            files.read("a/one.py", 1_000)
        assert files.read("a/one.py", 1_001) == b"x" * 1_001


def test_a_handle_of_a_folder_does_not_leak(tree: Path) -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    with Beneath(tree) as files:
        for name in ("a/one.py", "b/c/three.py", "a/two.py", "a/one.py"):
            files.read(name, 1_000)
        swap(tree, "folder")
        files.read("b/c/three.py", 1_000)
        with pytest.raises(NotRead):
            files.read("a/two.py", 1_000)
        assert files.read("b/c/three.py", 1_000)
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_paths_in_an_index_that_lead_outside_are_ignored(tree: Path, stranger: Stranger) -> None:
    """Git does not add such paths, but lists those in a hand-made index."""
    stranger.git(tree, "init", "-q")
    stranger.git(tree, "add", "-A")
    index = tree / ".git" / "index"
    spoiled = index.read_bytes().replace(b"a/two.py", b"../other")
    (tree.parent / "other").write_text(SECRET)
    index.write_bytes(spoiled[:-20] + hashlib.sha1(spoiled[:-20]).digest())
    assert "../other" in stranger.git(tree, "ls-files")
    assert [file.path for file in walk(tree).files] == ["a/one.py", "a/two.py", "b/c/three.py"]
