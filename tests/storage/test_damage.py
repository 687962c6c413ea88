"""A damaged index is detected, set aside and rebuilt, and the answer says so; damage never changes an answer."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import context_pack
from context_pack import maintenance
from contracts.errors import IndexCorrupt
from index import build_index, open_index
from index.generation.store import Store

PAGES = 12  # pages of the arrays, spread over them
PAGE = 4096
ALIGN = 64  # a run of this many bytes is never entirely between two arrays


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    for number in range(6):
        (root / f"part_{number}.py").write_text(
            f"def upload_{number}(file):\n    '''Upload a file in parts.'''\n    return store(file, {number})\n"
        )
    return root


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def live(tree: Path, home: Path) -> Path:
    return build_index(tree, home=home).snapshot.folder


def asked(tree: Path, home: Path) -> list[tuple[str, float]]:
    index = open_index(tree, home=home)
    return [(index.chunk(hit.chunk).id, hit.score) for hit in index.search("upload a file in parts")]


@pytest.mark.parametrize("how", ["flipped", "zeroed"])
def test_no_damaged_page_changes_an_answer(tree: Path, home: Path, how: str) -> None:
    folder = live(tree, home)
    sound = asked(tree, home)
    whole = (folder / "arrays.bin").read_bytes()
    for at in range(0, len(whole), max(PAGE, len(whole) // PAGES)):
        page = whole[at : at + PAGE]
        bad = bytes(byte ^ 0xFF for byte in page) if how == "flipped" else b"\0" * len(page)
        if bad == page:
            continue
        folder = open_index(tree, home=home).snapshot.folder
        data = bytearray((folder / "arrays.bin").read_bytes())
        data[at : at + PAGE] = bad[: len(data) - at]
        (folder / "arrays.bin").write_bytes(data)
        assert asked(tree, home) == sound


@pytest.mark.parametrize("how", ["flipped", "zeroed", "cut"])
def test_no_damaged_page_of_any_file_changes_an_answer(tree: Path, tmp_path: Path, how: str) -> None:
    whole = tmp_path / "whole"
    context_pack.index(tree, index_dir=whole)
    sound = context_pack.open(tree, index_dir=whole).query("upload a file in parts").data
    names = sorted(str(path.relative_to(whole)) for path in whole.rglob("*") if path.is_file())
    assert {Path(name).name for name in names} >= {"CURRENT", "arrays.bin", "manifest.json"}
    for number, name in enumerate(names):
        home = tmp_path / f"home{number}"
        shutil.copytree(whole, home)
        data = (home / name).read_bytes()
        bad = {"flipped": bytes(byte ^ 0xFF for byte in data[:PAGE]), "zeroed": b"\0" * len(data[:PAGE]), "cut": b""}[
            how
        ]
        (home / name).write_bytes(bad + (b"" if how == "cut" else data[PAGE:]))
        assert context_pack.open(tree, index_dir=home).query("upload a file in parts").data == sound, name


def test_a_damaged_generation_is_set_aside_and_the_answer_says_so(tree: Path, home: Path) -> None:
    folder = live(tree, home)
    data = bytearray((folder / "arrays.bin").read_bytes())
    middle = slice(len(data) // 2, len(data) // 2 + ALIGN)
    data[middle] = bytes(byte ^ 0x10 for byte in data[middle])
    (folder / "arrays.bin").write_bytes(data)
    with pytest.raises(IndexCorrupt, match="does not match its checksum"):
        open_index(tree, home=home, refresh=False)
    answer = context_pack.open(tree, index_dir=home).query("upload a file in parts")
    warnings = [hint.text for hint in answer.hints if hint.type == "warn"]
    assert len(warnings) == 1
    assert "rebuilt" in warnings[0]
    assert str(folder) in warnings[0]
    assert Path(f"{folder}.damaged").is_dir()
    assert answer.data.items
    again = open_index(tree, home=home)
    assert again.generation > int(folder.name)
    assert again.refreshed is not None and not again.refreshed.notes


def test_one_damaged_generation_is_kept_and_no_number_is_used_twice(tree: Path, home: Path) -> None:
    seen = []
    for _ in range(3):
        folder = live(tree, home)
        seen.append(int(folder.name))
        (folder / "arrays.bin").write_bytes(b"?" * (folder / "arrays.bin").stat().st_size)
        open_index(tree, home=home)
        (tree / "part_0.py").write_text(f"def more():\n    return {len(seen)}\n")
    assert sorted(set(seen)) == seen
    assert len(list(folder.parent.glob("*.damaged"))) == 1


def test_every_changed_byte_of_a_manifest_is_noticed(tree: Path, home: Path) -> None:
    folder = live(tree, home)
    store = Store(folder.parent.parent)
    manifest = folder / "manifest.json"
    whole = manifest.read_bytes()
    for at in range(0, len(whole), 37):
        for bit in (0x01, 0x10):
            data = bytearray(whole)
            data[at] ^= bit
            manifest.write_bytes(data)
            with pytest.raises(IndexCorrupt):
                store.open()
    manifest.write_bytes(whole)
    assert store.open() is not None
    manifest.write_bytes(whole.replace(b'"format":', b'"format":1', 1))
    assert asked(tree, home)


def test_indexing_reports_the_damage_too(tree: Path, home: Path) -> None:
    folder = live(tree, home)
    (folder / "arrays.bin").write_bytes(b"?" * (folder / "arrays.bin").stat().st_size)
    answer, _ = maintenance.build(tree, {"index_dir": home})
    assert ["rebuilt" in hint.text for hint in answer.hints] == [True]


@pytest.mark.parametrize("left", ["", "nothing\n", "999999\n"])
def test_a_damaged_pointer_is_repaired(tree: Path, home: Path, left: str) -> None:
    folder = live(tree, home)
    sound = asked(tree, home)
    (folder.parent.parent / "CURRENT").write_text(left)
    assert asked(tree, home) == sound


def test_a_copied_index_is_read_whole_once(tree: Path, home: Path, tmp_path: Path) -> None:
    live(tree, home)
    copy = tmp_path / "copy"
    shutil.copytree(home, copy, copy_function=shutil.copyfile)
    first = open_index(tree, home=copy)
    assert first.generation == 1
    assert (first.snapshot.folder / "intact").exists()
    assert first.snapshot.is_trusted()


def test_status_reads_everything_when_asked_to(tree: Path, home: Path) -> None:
    folder = live(tree, home)
    arrays = folder / "arrays.bin"
    assert context_pack.status(tree, index_dir=home).intact is None
    assert context_pack.status(tree, index_dir=home, verify=True).intact is True
    before = arrays.stat()
    data = bytearray(arrays.read_bytes())
    third = slice(len(data) // 3, len(data) // 3 + ALIGN)
    data[third] = bytes(byte ^ 0x01 for byte in data[third])  # as a failing disk does: no write, no new time
    arrays.write_bytes(data)
    os.utime(arrays, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(IndexCorrupt, match="checksums do not match"):
        context_pack.status(tree, index_dir=home, verify=True)
    asked = ["status", "--verify", "--repo", str(tree), "--index-dir", str(home)]
    done = subprocess.run([sys.executable, "-m", "context_pack", *asked], capture_output=True, check=False)
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (1, "index_corrupt")
    assert context_pack.index(tree, index_dir=home, full=True).generation > 1
    assert context_pack.status(tree, index_dir=home, verify=True).intact is True


def test_the_manifest_names_no_time_but_that_of_the_arrays(tree: Path, home: Path) -> None:
    folder = live(tree, home)
    document = json.loads((folder / "manifest.json").read_text())
    assert document["stamp"] == (folder / "arrays.bin").stat().st_mtime_ns
