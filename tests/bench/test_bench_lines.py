"""The lines that a commit changed: where they are in an older tree, and how many of them are shown."""

from __future__ import annotations

from pathlib import Path

from bench_repository import Repository, source

import context_pack
from context_pack.benchmark.history import changed_lines, commits, enclosing_git_dir, lines_at

BEGUN = [f"line {number}" for number in range(1, 21)]


def text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def test_lines_are_located_in_the_older_tree(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repository")
    revision = made.commit("Begin", {"a.py": text(BEGUN)})
    longer = ["new first", "new second", *BEGUN]
    made.commit("Add two lines on top", {"a.py": text(longer)})
    made.commit("Spell nine and ten", {"a.py": text([*longer[:10], "nine", "ten", *longer[12:]])})
    made.commit("Count further", {"a.py": text([*longer[:10], "nine", "ten", *longer[12:], "line 21"])})
    git_dir = enclosing_git_dir(made.root)
    assert git_dir is not None
    further, spelled, added = commits(git_dir)
    assert changed_lines(git_dir, spelled, "a.py") == [(11, 12)]
    assert lines_at(git_dir, spelled, "a.py", revision) == {9, 10}
    assert lines_at(git_dir, further, "a.py", revision) == {20}, "an addition stands where it follows"
    assert lines_at(git_dir, added, "a.py", revision) == {1}
    assert lines_at(git_dir, spelled, "gone.py", revision) == frozenset()


def test_the_configuration_of_a_repository_runs_nothing(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repository")
    ran = tmp_path / "ran"
    made.commit("Begin", {"a.py": text(BEGUN), ".gitattributes": "*.py diff=own\n"})
    made.git("config", "diff.own.textconv", f"touch {ran}; cat")
    made.git("config", "diff.own.command", f"touch {ran}")
    made.git("config", "diff.external", f"touch {ran}")
    made.git("config", "color.ui", "always")
    made.commit("Spell nine", {"a.py": text([*BEGUN[:8], "nine", *BEGUN[9:]])})
    git_dir = enclosing_git_dir(made.root)
    assert git_dir is not None
    (spelled,) = commits(git_dir)
    assert changed_lines(git_dir, spelled, "a.py") == [(9, 9)]
    assert not ran.exists()


def test_a_pack_shows_the_lines_that_a_commit_changed(repository: Repository) -> None:
    data = context_pack.bench(repository.root, commits=16, explain=True)
    assert data.line_questions == 16
    engines = {engine.name: engine for engine in data.engines}
    assert engines["ctxpack"].lines[-1] == 1.0
    # Every module has about 900 characters: within 2,000, grep shows the first two files that it names, in full.
    assert 0 < engines["grep"].lines[0] <= engines["grep"].lines[-1] == 1.0
    for engine in data.engines:
        of_each = [one.lines[engine.name] for one in data.asked]
        assert list(engine.lines) == [round(sum(column) / 16, 4) for column in zip(*of_each, strict=True)]


def test_a_commit_that_changes_no_line_is_not_counted(tmp_path: Path) -> None:
    made = Repository(tmp_path / "modes")
    made.commit("Begin the work with one part", {"src/one.py": source("one")})
    (made.root / "src/one.py").chmod(0o755)
    made.commit("Let the one handler be started directly", {})
    data = context_pack.bench(made.root, explain=True)
    assert (data.questions, data.line_questions) == (1, 0)
    assert [engine.lines for engine in data.engines] == [(), (), ()]
    assert data.asked[0].lines == {"ctxpack": (), "bm25": (), "grep": ()}
