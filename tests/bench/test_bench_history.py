"""Reading a real git history, and writing its trees."""

import subprocess
from pathlib import Path

import pytest

from context_pack.benchmark.history import blobs, commits, paths_in, write_tree


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    _git(root, "init", "--quiet", "--initial-branch=main")
    (root / "a.py").write_text("one = 1\n")
    (root / "naïve name.py").write_text("two = 2\n")
    (root / "picture.bin").write_bytes(b"\0\1\2")
    _commit(root, "Begin")
    (root / "a.py").write_text("one = 11\n")
    (root / "b.py").write_text("three = 3\n")
    (root / "picture.bin").unlink()
    _commit(root, "Count\tfurther")
    return root


def _git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True)


def _commit(root: Path, subject: str) -> None:
    _git(root, "add", "--all")
    _git(root, "commit", "--quiet", "-m", subject)


def test_commits_with_one_parent_and_what_they_changed(repository: Path) -> None:
    (newest,) = commits(repository / ".git")
    assert newest.subject == "Count\tfurther"
    assert newest.changed == (("M", "a.py"), ("A", "b.py"), ("D", "picture.bin"))


def test_a_tree_is_written_as_it_was_without_binaries(repository: Path, tmp_path: Path) -> None:
    (newest,) = commits(repository / ".git")
    written = write_tree(repository / ".git", newest.parent, tmp_path / "tree")
    assert written == {"a.py", "naïve name.py"}
    assert (tmp_path / "tree" / "a.py").read_text() == "one = 1\n"
    assert (tmp_path / "tree" / "naïve name.py").read_text() == "two = 2\n"


def test_sizes_and_bytes_of_existing_and_missing_paths(repository: Path) -> None:
    git_dir = repository / ".git"
    assert paths_in(git_dir, "HEAD") == {"a.py": 9, "b.py": 10, "naïve name.py": 8}
    assert list(blobs(git_dir, "HEAD", ["b.py", "gone.py", "naïve name.py"])) == [b"three = 3\n", None, b"two = 2\n"]


def test_no_repository_has_no_commits(tmp_path: Path) -> None:
    assert list(commits(tmp_path)) == []
    assert paths_in(tmp_path, "HEAD") == {}


def test_no_tree_is_written_outside_its_folder(repository: Path, tmp_path: Path) -> None:
    """Git would not check out such a tree, but a repository may contain one."""
    blob = bytes.fromhex(_output(repository, "hash-object", "-w", "a.py"))
    names = [b"..\\up.py", b"fine.py"]
    inner = _tree(repository, b"".join(b"100644 %b\0%b" % (name, blob) for name in names))
    outer = _tree(
        repository, b"".join(b"40000 %b\0%b" % (name, bytes.fromhex(inner)) for name in (b"..", b".git", b"in"))
    )
    assert write_tree(repository / ".git", outer, tmp_path / "tree") == {"in/fine.py"}
    assert not (tmp_path / "fine.py").exists()


def _output(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def _tree(root: Path, content: bytes) -> str:
    command = ["git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, input=content).stdout.decode().strip()
