"""Mining a real repository: the tree before the commits used as questions, both suites, omissions."""

import json
import subprocess
from pathlib import Path

import pytest

from benchmarks.research.mine import allowed_entries, main
from benchmarks.suites import load_suite

POOL = '''def acquire(pool):
    """Hand out the connection that rested longest."""
    pool.size -= 1
    first = pool.items.pop(0)
    return first
'''
TWIN = '''def refresh(cache):
    """Forget every entry that nobody asked for lately."""
    kept = []
    cache.entries = kept
    return cache
'''


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "origin"
    (root / "src").mkdir(parents=True)
    _git(root, "init", "--quiet", "--initial-branch=main")
    (root / "src" / "pool.py").write_text(POOL + "\n# padding\n" * 20)
    (root / "src" / "cache.py").write_text(TWIN + "\n# padding\n" * 20)
    (root / "README.md").write_text("Forget every entry that nobody asked for lately: `refresh`.\n")
    _commit(root, "Begin the library")
    for number, subject in enumerate(("Wake waiting threads when a connection returns", "Bump version to two")):
        with (root / "src" / "pool.py").open("a") as file:
            file.write(f"# change {number}\n")
        _commit(root, subject)
    return root


def _git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True)


def _commit(root: Path, subject: str) -> None:
    _git(root, "add", "--all")
    _git(root, "commit", "--quiet", "-m", subject)


def test_a_history_becomes_two_suites_over_one_tree(repository: Path, tmp_path: Path) -> None:
    listed = tmp_path / "mirrors.json"
    listed.write_text(
        json.dumps([{"repo": "Some/one", "git_dir": str(repository), "license": "MIT", "language": "python"}])
    )
    dest = tmp_path / "suites"
    main(["--list", str(listed), "--dest", str(dest)])
    (commits,) = load_suite(dest / "commits.json").repositories
    (question,) = commits.questions
    assert question.query == "Wake waiting threads when a connection returns"
    assert [target.path for target in question.targets] == ["src/pool.py"]
    tree = commits.root
    assert "# change" not in (tree / "src" / "pool.py").read_text(), "the tree is the one before the commit"
    (docs,) = load_suite(dest / "docs.json").repositories
    (asked,) = docs.questions
    assert docs.root == tree
    assert asked.query == "Hand out the connection that rested longest", "the other sentence stands in the README, too"
    (target,) = asked.targets
    lines = (tree / target.path).read_text().split("\n")
    assert target.start_line is not None
    assert "Hand out" not in "\n".join(lines)
    held = (tree / "src" / "pool.py").read_bytes()
    main(["--list", str(listed), "--dest", str(dest)])
    assert (tree / "src" / "pool.py").read_bytes() == held, "what is there is not mined again"


def test_repositories_of_the_public_and_the_small_suite_are_left_out() -> None:
    entries = [{"repo": "PSF/requests"}, {"repo": "pybind/pybind11"}, {"repo": "b/b"}, {"repo": "a/a"}]
    assert [entry["repo"] for entry in allowed_entries(entries)] == ["a/a", "b/b"]
