"""The folders that ctxpack writes: private to their owner, and never through a planted link."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from context_pack.cli.init import write_example
from context_pack.kinds import pages
from contracts.errors import IndexCorrupt, IOFailure
from index import build_index, clean, open_index
from index.embed.models import resolve
from index.generation.store import model_home

CODE = "def code():\n    return 'what the source says'\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "code.py").write_text(CODE)
    return root


def home_of(tree: Path) -> Path:
    return model_home(tree / "idx", resolve("embedded").model_id)


def test_only_the_owner_can_read_the_source(tree: Path, tmp_path: Path, own_folders: Path) -> None:
    write_example("wiki", str(tmp_path / "wiki"))
    before = os.umask(0)
    try:
        build_index(tree, home=tree / "idx", model="embedded")
        pages.answer(pages.PageRequest("autolyse"), tmp_path / "wiki")
    finally:
        os.umask(before)
    ours = [path for base in (tree / "idx", own_folders / "cache") for path in (base, *base.rglob("*"))]
    for path in ours:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
    assert {"ROOT", "search-3.db"} <= {path.name for path in ours}


def test_a_folder_that_others_may_read_is_closed(tree: Path) -> None:
    home_of(tree).mkdir(parents=True, mode=0o755)
    home_of(tree).chmod(0o755)
    open_index(tree, home=tree / "idx", model="embedded")
    assert stat.S_IMODE(home_of(tree).stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ["CURRENT", "CURRENT.next", "generations", "vectors", "writer.lock", ""])
def test_a_planted_link_is_not_followed(tree: Path, tmp_path: Path, name: str) -> None:
    victims = tmp_path / "victims"
    (victims / "000003").mkdir(parents=True)
    (victims / "file").write_text("mine")
    link = home_of(tree) / name if name else home_of(tree)
    link.parent.mkdir(parents=True)
    link.symlink_to(victims if name in ("", "generations", "vectors") else victims / "file")
    with pytest.raises(IOFailure, match=r"the index in|CURRENT cannot be read"):
        build_index(tree, home=tree / "idx", model="embedded")
    clean(tree, home=tree / "idx")
    assert (victims / "file").read_text() == "mine"
    assert sorted(path.name for path in victims.rglob("*")) == ["000003", "file"]


@pytest.mark.parametrize("name", ["arrays.bin", "manifest.json", ""])
def test_a_generation_that_is_a_link_is_not_read(tree: Path, tmp_path: Path, name: str) -> None:
    open_index(tree, home=tree / "idx", model="embedded")
    place = home_of(tree) / "generations" / "000001" / name
    place.rename(tmp_path / "moved")
    place.symlink_to(tmp_path / "moved")
    with pytest.raises((IOFailure, IndexCorrupt)):
        open_index(tree, home=tree / "idx", model="embedded", refresh=False)


def test_clean_removes_only_our_files(tree: Path, tmp_path: Path) -> None:
    """A folder of the tree is not an index because it contains a folder called `generations`."""
    (tree / "src" / "app" / "generations").mkdir(parents=True)
    (tree / "src" / "app" / "main.py").write_text(CODE)
    (tree / "src" / "only" / "generations" / "x").mkdir(parents=True)
    (tmp_path / "elsewhere" / "generations" / "000003").mkdir(parents=True)
    (tree / "src" / "linked").symlink_to(tmp_path / "elsewhere")
    assert clean(tree, home=tree / "src") == []
    assert (tmp_path / "elsewhere" / "generations" / "000003").is_dir()
    assert (tree / "src" / "app" / "main.py").read_text() == CODE
    build_index(tree, home=tree / "idx", model="embedded")
    (home_of(tree) / "vectors").mkdir()
    (home_of(tree) / "vectors" / "some-model.bin").write_bytes(b"those of a transformer")
    (home_of(tree) / "generations" / "000000.damaged").mkdir()
    assert clean(tree, home=tree / "idx") == [home_of(tree)]
    assert not (tree / "idx").exists()


def test_a_folder_of_another_user_is_not_written(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home_of(tree).mkdir(parents=True)
    owner = home_of(tree).stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(IOFailure, match="belongs to another user"):
        build_index(tree, home=tree / "idx", model="embedded")
