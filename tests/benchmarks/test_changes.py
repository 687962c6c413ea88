"""Finding the lines that a commit changed in an older tree."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.research.changes import difference, places
from context_pack.benchmark.history import changed_lines, commits
from context_pack.io.patches import Hunk, line_after

BEGUN = "".join(f"line {number}\n" for number in range(1, 21))


def _git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True)


def _commit(root: Path, text: str, subject: str) -> None:
    (root / "a.py").write_text(text)
    _git(root, "add", "--all")
    _git(root, "commit", "--quiet", "-m", subject)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    _git(root, "init", "--quiet", "--initial-branch=main")
    _commit(root, BEGUN, "Begin")
    _commit(root, "new first\nnew second\n" + BEGUN, "Add two lines on top")
    _commit(root, "new first\nnew second\n" + BEGUN.replace("line 9\n", "line nine\n"), "Spell nine")
    _commit(root, "new first\nnew second\n" + BEGUN.replace("line 9\n", "line nine\n") + "line 21\n", "Count further")
    return root


def test_changed_lines_are_located_before_the_commit_and_in_an_older_tree(repository: Path, tmp_path: Path) -> None:
    further, nine, *_ = commits(repository / ".git")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.py").write_text(BEGUN)
    assert changed_lines(repository / ".git", nine, "a.py") == [(11, 11)]
    assert places(repository / ".git", nine, "a.py", tree) == [(9, 9)]
    assert changed_lines(repository / ".git", further, "a.py") == [(22, 22)], "an addition stands where it follows"
    assert places(repository / ".git", further, "a.py", tree) == [(20, 20)]
    assert places(repository / ".git", nine, "missing.py", tree) == []


def test_a_replaced_line_is_located_at_the_start_of_its_replacement() -> None:
    between = [Hunk(old_line=3, old_count=2, line=3, count=1), Hunk(old_line=8, old_count=0, line=8, count=4)]
    assert [line_after(line, between) for line in (2, 3, 4, 5, 8, 9)] == [2, 3, 3, 4, 7, 12]


@given(
    before=st.lists(st.sampled_from("abcdefgh"), max_size=30).map(
        lambda rows: [f"{row}{n}" for n, row in enumerate(rows)]
    ),
    kept=st.sets(st.integers(0, 29)),
    added=st.lists(st.integers(0, 30), max_size=10),
)
def test_unchanged_lines_are_located(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], kept: set[int], added: list[int]
) -> None:
    after = [row for number, row in enumerate(before) if number in kept]
    for number, place in enumerate(added):
        after.insert(min(place, len(after)), f"new {number}")
    file = tmp_path_factory.mktemp("after") / "after.txt"
    file.write_text("".join(row + "\n" for row in after))
    between = difference("".join(row + "\n" for row in before).encode(), file)
    for number, row in enumerate(before):
        if row in after:
            assert after[line_after(number + 1, between) - 1] == row
