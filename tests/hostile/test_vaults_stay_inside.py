"""A vault's pages and settings: nothing outside the vault is read, and no read waits for anything but a plain file."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

import pytest

from context_pack.io.markdown_files import MAX_FILE_BYTES, SourceFile, markdown_files, read_bytes
from context_pack.io.record_cache import Records, cached_records
from context_pack.kinds.pages import vault as vault_module
from context_pack.kinds.pages.vault import read_vault, seed_page
from contracts.errors import CtxpackError
from index.tree.beneath import NotRead

SECRET = "the title of a page outside"
HOW = ("link", "folder", "folder above", "pipe", "device", "folder of that name", "large")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    for name in ("wiki/a/b/one.md", "wiki/a/b/two.md", "wiki/c.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"---\ntitle: {name}\n---\n")
    (tmp_path / "outside/b").mkdir(parents=True)
    for name in ("outside/two.md", "outside/b/two.md", "outside/b/three.md"):
        (tmp_path / name).write_text(f"---\ntitle: {SECRET}\n---\n{SECRET}\n")
    return root


def swap(vault: Path, how: str) -> None:
    """Puts something else in the place of `wiki/a/b/two.md`."""
    file, outside = vault / "wiki/a/b/two.md", vault.parent / "outside"
    folders = {"folder": (file.parent, outside / "b"), "folder above": (vault / "wiki/a", outside)}
    if how in folders:
        folder, target = folders[how]
        folder.rename(vault / "gone")
        folder.symlink_to(target)
        return
    file.unlink()
    if how == "pipe":
        os.mkfifo(file)
    elif how == "folder of that name":
        file.mkdir()
    elif how == "large":
        with file.open("wb") as large:
            large.truncate(MAX_FILE_BYTES + 1)
    else:
        file.symlink_to({"link": outside / "two.md", "device": Path("/dev/zero")}[how])


def records(vault: Path, files: tuple[SourceFile, ...]) -> Records:
    return cached_records("test", 1, str(vault), files, lambda data, path: [data.decode()])


@pytest.mark.parametrize("how", HOW)
def test_a_file_swapped_between_walk_and_read_is_not_read(vault: Path, how: str) -> None:
    seen = markdown_files(str(vault), ["wiki"], lambda path: True).files
    swap(vault, how)
    found = records(vault, seen)
    assert SECRET not in str(found.by_path)
    assert "wiki/c.md" in found.by_path
    assert "wiki/a/b/two.md" in {problem.path for problem in found.problems}


@pytest.mark.parametrize("how", HOW)
def test_a_whole_vault_with_it_is_read_without_it(vault: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Swapped before the walk, and between the walk and the reading."""
    walked: list[object] = []

    def walk_then_swap(*arguments: Any) -> object:
        walked.append(markdown_files(*arguments))
        swap(vault, how)
        return walked[0]

    monkeypatch.setattr(vault_module, "markdown_files", walk_then_swap)
    assert SECRET not in str(read_vault(vault).pages)
    monkeypatch.setattr(vault_module, "markdown_files", markdown_files)
    again = read_vault(vault)
    assert SECRET not in str(again.pages)
    assert "wiki/c.md" in {page.path for page in again.pages}
    assert walked


@pytest.mark.parametrize("how", [how for how in HOW if how != "folder of that name"])
def test_a_page_that_is_the_seed(vault: Path, how: str) -> None:
    read = read_vault(vault)
    swap(vault, how)
    with pytest.raises(CtxpackError) as refusal:
        seed_page(read, "wiki/a/b/two.md")
    assert SECRET not in refusal.value.message


@pytest.mark.parametrize("how", HOW)
def test_the_reader_refuses_it(vault: Path, how: str) -> None:
    swap(vault, how)
    with pytest.raises((NotRead, NotADirectoryError)):
        read_bytes(str(vault), "wiki/a/b/two.md")


def test_a_folder_that_becomes_a_link_while_the_vault_is_walked_is_not_listed(vault: Path) -> None:
    """The folder exists when its parent is listed; the link leads to names of files outside."""
    swapped = []

    def wanted(path: str) -> bool:
        if not swapped and path != "wiki/c.md":
            (vault / "wiki/a").rename(vault / "gone")
            (vault / "wiki/a").symlink_to(vault.parent / "outside")
            swapped.append(path)
        return True

    (vault / "wiki/a/first.md").write_text("x")
    found = markdown_files(str(vault), ["wiki"], wanted)
    assert swapped == ["wiki/a/first.md"]
    assert "three.md" not in str(found)


@pytest.mark.parametrize("target", ["outside", "vault/raw"])
def test_a_subfolder_that_is_a_link_is_not_followed(vault: Path, target: str) -> None:
    (vault / "raw").mkdir()
    (vault / "raw/two.md").write_text(f"---\ntitle: {SECRET}\n---\n")
    (vault / "wiki/linked").symlink_to(vault.parent / target)
    (vault / "wiki/linked.md").symlink_to(vault.parent / target)
    assert SECRET not in str(read_vault(vault).pages)


@pytest.mark.parametrize("target", ["outside", "../outside", "/", "/dev", "wiki", "nowhere"])
def test_a_wiki_that_is_a_link_out_is_not_read(vault: Path, target: str) -> None:
    (vault / "wiki").rename(vault / "gone")
    (vault / "wiki").symlink_to(vault.parent / "outside" if target == "outside" else target)
    found = markdown_files(str(vault), ["wiki"], lambda path: True)
    assert found.files == ()


def test_links_inside_of_the_vault_are_read(vault: Path) -> None:
    """A link to a page, and a wiki folder that is a link to another folder of the vault."""
    (vault / "wiki/d.md").symlink_to(Path("a/b/one.md"))
    (vault / "wiki").rename(vault / "notes")
    (vault / "wiki").symlink_to("notes")
    pages = {page.path: page.title for page in read_vault(vault).pages}
    assert pages == {name: name for name in ("wiki/a/b/one.md", "wiki/a/b/two.md", "wiki/c.md")} | {
        "wiki/d.md": "wiki/a/b/one.md"
    }


def test_no_handle_of_a_folder_leaks(vault: Path) -> None:
    gc.collect()  # what earlier tests left open
    before = len(list(Path("/dev/fd").iterdir()))
    for how in ("device", "folder above"):
        swap(vault, how)
        read_vault(vault)
    assert len(list(Path("/dev/fd").iterdir())) == before
