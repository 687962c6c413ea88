"""A diff shows lines of the requested repository, never of another one on this machine."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from strangers import Stranger

from context_pack.io.changes import changes, delta
from context_pack.options.config_file import record_consent
from contracts.errors import InvalidRequest

SECRET = "PASSPHRASE = 'of another repository'\n"


@pytest.fixture
def private(stranger: Stranger, tmp_path: Path) -> Path:
    """A repository of the user, with a line that no other contains."""
    root = stranger.repository(tmp_path / "private")
    (root / "two" / "second.py").write_text(SECRET)
    stranger.git(root, "commit", "-q", "-a", "-m", "private")
    return root


def git_file(archive: Path, private: Path) -> None:
    (archive / ".git").write_text(f"gitdir: {private}/.git\n")


def git_file_with_a_null_byte(archive: Path, private: Path) -> None:
    (archive / ".git").write_text(f"gitdir: {private}/.git\0a\n")


def worktree_file(archive: Path, private: Path) -> None:
    Stranger().git(private, "worktree", "add", "-q", "-b", "other", str(private.parent / "linked"))
    (archive / ".git").write_text(f"gitdir: {private}/.git/worktrees/linked\n")


def git_link(archive: Path, private: Path) -> None:
    (archive / ".git").symlink_to(private / ".git")


def common_folder(archive: Path, private: Path) -> None:
    shutil.copytree(private / ".git", archive / ".git")
    shutil.rmtree(archive / ".git" / "objects")
    (archive / ".git" / "commondir").write_text(f"{private}/.git\n")


def objects_link(archive: Path, private: Path) -> None:
    shutil.copytree(private / ".git", archive / ".git")
    shutil.rmtree(archive / ".git" / "objects")
    (archive / ".git" / "objects").symlink_to(private / ".git" / "objects")


def alternates(archive: Path, private: Path) -> None:
    shutil.copytree(private / ".git", archive / ".git")
    shutil.rmtree(archive / ".git" / "objects")
    (archive / ".git" / "objects" / "info").mkdir(parents=True)
    (archive / ".git" / "objects" / "info" / "alternates").write_text(f"{private}/.git/objects\n")


def other_tree(archive: Path, private: Path) -> None:
    stranger = Stranger()
    stranger.repository(archive)
    stranger.git(archive, "config", "core.worktree", str(private))


def backward_only(archive: Path, private: Path) -> None:
    """A git folder in the archive that names the archive back, and the user's repository as its common folder."""
    home = archive / "store" / "worktrees" / "x"
    home.mkdir(parents=True)
    for name, text in (
        ("gitdir", f"{archive}/.git\n"),
        ("commondir", f"{private}/.git\n"),
        ("HEAD", "ref: refs/heads/main\n"),
    ):
        (home / name).write_text(text)
    (archive / ".git").write_text("gitdir: store/worktrees/x\n")


TRICKS = (
    git_file,
    git_file_with_a_null_byte,
    worktree_file,
    git_link,
    common_folder,
    objects_link,
    alternates,
    other_tree,
    backward_only,
)


@pytest.mark.parametrize("trick", TRICKS)
def test_another_repositorys_lines_are_not_shown(
    stranger: Stranger, private: Path, tmp_path: Path, trick: Callable[[Path, Path], None]
) -> None:
    archive = tmp_path / "archive"
    (archive / "two").mkdir(parents=True)
    (archive / "two" / "second.py").write_text("SECOND = 2\n")
    trick(archive, private)
    for ask in (delta, changes):
        with pytest.raises(InvalidRequest, match="may show content of another one"):
            ask(archive, "HEAD")
    if trick is git_file:
        record_consent(archive, b"")
        assert SECRET.strip() in delta(archive, "HEAD").files[-1].patch


def test_git_folders_made_by_git_are_accepted(stranger: Stranger, private: Path, tmp_path: Path) -> None:
    """A clone, a linked work tree, a submodule, and a folder in each."""
    stranger.git(private, "worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    stranger.git(tmp_path, "clone", "-q", str(private), str(tmp_path / "clone"))
    stranger.git(tmp_path / "clone", "submodule", "add", "-q", str(private), "inner")
    for root in (tmp_path / "tree", tmp_path / "clone", tmp_path / "clone" / "inner", tmp_path / "tree" / "two"):
        file = root / "second.py" if root.name == "two" else root / "two" / "second.py"
        file.write_text("FOURTH = 4\n")
        assert "FOURTH" in "".join(change.patch for change in delta(root, "HEAD").files), root
