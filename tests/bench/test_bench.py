"""`ctxpack bench`: honest questions, one tree older than all of them, nothing changed and nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from bench_repository import Repository, source

import context_pack
from context_pack.benchmark.history import enclosing_git_dir, names_in
from context_pack.benchmark.run import bench
from contracts.errors import InvalidRequest, NoFiles

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def ctxpack(*arguments: object, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "context_pack", *map(str, arguments)], cwd=cwd, capture_output=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )  # fmt: skip


def files_below(folder: Path) -> dict[str, tuple[int, int]]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in found}


def test_questions_and_the_tree_they_are_asked_of(repository: Repository) -> None:
    data = context_pack.bench(repository.root, commits=20, explain=True)
    assert (data.questions, data.files, data.looked_at) == (20, 8, 48)
    first = data.asked[0]
    assert first.query == "Let the omega handler answer request variant number23 sooner"
    assert first.targets == ("src/omega.py",)
    oldest = repository.git("log", "--format=%H", "--grep", "number0 ").split()[0]
    assert data.revision == repository.git("rev-parse", f"{oldest}^")
    assert data.newest == first.commit


def test_the_tree_contains_none_of_the_changes_asked_about(repository: Repository) -> None:
    data = context_pack.bench(repository.root, commits=8, explain=True)
    before = set(repository.git("rev-list", data.revision).split())
    assert not before & {one.commit for one in data.asked}


def test_a_commit_with_a_wrong_clock_does_not_leak(repository: Repository) -> None:
    """A commit of a branch that was merged twice: git lists it among the newest, but the searched tree contains it."""
    future = 1_900_000_000
    repository.git("switch", "--quiet", "--create", "side")
    first = {"src/alpha.py": source("alpha", 98)}
    early = repository.commit("Teach the alpha handler to greet visitors politely", first, moment=future)
    repository.git("switch", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "-m", "Merge side", "side")
    repository.commit("Teach the sigma handler to wait for guests", {"src/sigma.py": source("sigma", 98)})
    repository.git("switch", "--quiet", "side")
    repository.commit(
        "Teach the kappa handler to open doors", {"src/kappa.py": source("kappa", 98)}, moment=future + 60
    )
    repository.git("switch", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "-m", "Merge side again", "side")
    data = context_pack.bench(repository.root, commits=2, explain=True)
    before = set(repository.git("rev-list", data.revision).split())
    assert early in before
    assert not before & {one.commit for one in data.asked}
    assert [one.targets for one in data.asked] == [("src/kappa.py",), ("src/sigma.py",)]


def test_a_young_tree_is_asked_only_about_its_own_files(tmp_path: Path) -> None:
    """The first commits ask about files that do not exist yet: a smaller window yields more questions."""
    made = Repository(tmp_path / "young")
    made.commit("Begin the work with one part", {"src/one.py": source("one")})
    for number in range(8):
        changed = {"src/one.py": source("one", number), f"src/new{number}.py": source(f"new{number}")}
        made.commit(f"Let the one handler answer variant{number} sooner", changed)
    for number in range(8):
        made.commit(
            f"Let the new{number} handler answer shape{number} later", {f"src/new{number}.py": source("new", number)}
        )
    data = context_pack.bench(made.root, commits=16)
    assert data.questions >= 8


def test_figures_on_a_history_where_the_name_is_the_answer(repository: Repository) -> None:
    data = context_pack.bench(repository.root, commits=16)
    engines = {engine.name: engine for engine in data.engines}
    assert list(engines) == ["ctxpack", "bm25", "grep"]
    assert engines["ctxpack"].hit == (1.0, 1.0, 1.0)
    assert engines["ctxpack"].found == engines["grep"].found == 1.0
    assert (engines["ctxpack"].chars_to_first or 0) <= (engines["grep"].chars_to_first or 0)
    for engine in data.engines:
        assert list(engine.hit) == sorted(engine.hit) and list(engine.recall) == sorted(engine.recall)


def test_the_command_prints_a_table_or_a_valid_envelope(repository: Repository, conforms: Any) -> None:
    table = ctxpack("bench", "--commits", 8, "--explain", cwd=repository.root).stdout.decode()
    assert "| ctxpack | 1.00 |" in table
    assert "| grep -l | " in table
    assert "|  | lines@2k | lines@4k | lines@8k | lines@16k | lines@32k |" in table
    assert "Let the omega handler answer request variant number23 sooner" in table
    ran = ctxpack("bench", "--repo", repository.root / "src", "--commits", 8, "--explain", "--format", "json")
    envelope = json.loads(ran.stdout)
    conforms(envelope, "envelope")
    conforms(envelope["data"], "bench")
    assert "asked" not in json.loads(ctxpack("bench", "--repo", repository.root, "--format", "json").stdout)["data"]


def test_nothing_is_touched_and_nothing_left_behind(repository: Repository, tmp_path: Path, cache_folder: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    before = files_below(repository.root)
    assert ctxpack("bench", "--repo", repository.root, TMPDIR=str(scratch)).returncode == 0
    assert files_below(repository.root) == before
    assert list(scratch.iterdir()) == []
    assert list(cache_folder.rglob("*")) == []


@pytest.mark.parametrize("moment", ["tree", "index"])
def test_a_bench_that_is_stopped_leaves_nothing_behind(repository: Repository, tmp_path: Path, moment: str) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    running = subprocess.Popen(
        [sys.executable, "-m", "context_pack", "bench", "--repo", str(repository.root)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(scratch)},
    )  # fmt: skip
    while running.poll() is None and not list(scratch.glob(f"*/{moment}")):
        time.sleep(0.001)
    running.terminate()
    out, err = running.communicate(timeout=300)
    assert (running.returncode, out, err) == (128 + signal.SIGTERM, b"", b"")
    assert list(scratch.iterdir()) == []


def test_the_same_bytes_under_locales_and_hash_seeds(repository: Repository) -> None:
    places = [{"LC_ALL": "C", "PYTHONHASHSEED": "0"}, {"LC_ALL": "sv_SE.UTF-8", "PYTHONHASHSEED": "1"},
              {"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2", "TZ": "Asia/Kathmandu"}]  # fmt: skip
    runs = {
        ctxpack("bench", "--repo", repository.root, "--commits", 12, "--explain", **place).stdout for place in places
    }
    assert len(runs) == 1


def test_too_few_questions_give_a_hint(repository: Repository) -> None:
    assert [hint.type for hint in bench(repository.root, count=50).hints] == ["info"]
    assert bench(repository.root, count=8).hints == ()
    made = Repository(repository.root.parent / "few")
    made.commit("Begin the work with one part", {"src/one.py": source("one")})
    made.commit("Let the one handler answer variants sooner", {"src/one.py": source("one", 1)})
    [hint] = bench(made.root).hints
    assert (hint.type, hint.text) == ("warn", "only 1 commits could be used as questions; the figures mean little")


def test_progress_is_reported(repository: Repository) -> None:
    told: list[tuple[str, int, int]] = []
    bench(repository.root, count=4, progress=lambda *step: told.append(step))
    assert ("ask", 0, 4) in told


def test_secrets_of_a_subject_are_not_shown(repository: Repository) -> None:
    key = "ghp_" + "a1B2c3D4" * 5
    repository.commit(f"Let the alpha handler send password {key} along", {"src/alpha.py": source("alpha", 77)})
    assert key not in repr(context_pack.bench(repository.root, commits=3, explain=True))


def test_without_a_repository_there_is_one_clear_error(tmp_path: Path, conforms: Any) -> None:
    ran = ctxpack("bench", "--repo", tmp_path)
    envelope = json.loads(ran.stdout)
    conforms(envelope, "envelope")
    assert ran.returncode == 1
    assert (envelope["error"]["code"], envelope["error"]["details"]) == ("invalid_request", {"field": "repo"})
    assert "is not in a git repository" in envelope["error"]["message"]
    assert b"Traceback" not in ran.stderr


def test_a_history_without_questions_is_reported(tmp_path: Path) -> None:
    made = Repository(tmp_path / "empty")
    with pytest.raises(NoFiles, match="has no commit with a parent, as in a shallow clone"):
        bench(made.root)
    made.commit("Begin the work with one part", {"src/one.py": source("one")})
    with pytest.raises(NoFiles, match="has no commit with a parent"):  # there is no tree before the first commit
        bench(made.root)
    made.commit("Bump version", {"src/one.py": source("one", 1)})
    with pytest.raises(NoFiles, match="no commit that can be used as a question, of 1"):
        bench(made.root)


@pytest.mark.parametrize("count", [0, -1, 1001, True, "many"])
def test_how_many_commits(repository: Repository, count: Any) -> None:
    with pytest.raises(InvalidRequest, match="commits must be a whole number"):
        bench(repository.root, count=count)


def test_a_hook_points_to_no_other_repository(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    expected = enclosing_git_dir(repository.root)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert enclosing_git_dir(repository.root) == expected
    assert expected is not None
    assert "src/alpha.py" in names_in(expected, "HEAD")


def test_a_linked_work_tree_has_the_history_of_its_repository(repository: Repository, tmp_path: Path) -> None:
    repository.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "HEAD~4")
    assert context_pack.bench(tmp_path / "linked", commits=4).questions == 4
