"""Places and traces on the command line; the question about a large folder; Ctrl-C leaves the published index."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from context_pack.cli.progress import STOPPED
from context_pack.cli.questions import ASKED_ABOVE
from tests.cli.conftest import SCRIPT, blocks_of

pytestmark = pytest.mark.slow

PATIENCE_S = 300.0  # ends a hang
TRACE = """Traceback (most recent call last):
  File "/srv/gallery/web.py", line 20, in show
  File "/usr/lib/python3/dist-packages/PIL/Image.py", line 12, in open
  File "/srv/gallery/src/resizing.py", line {line}, in {function}
ValueError: no picture
"""


def first_line(project: Path, name: str) -> tuple[str, int]:
    """A function of a file of the project, and a line inside it."""
    lines = (project / name).read_text().split("\n")
    number = next(number for number, line in enumerate(lines, 1) if line.startswith("def "))
    return lines[number - 1].split("(")[0].removeprefix("def "), number + 1


def test_the_line_asked_for_is_in_the_pack(ctxpack: Any, project: Path) -> None:
    _, line = first_line(project, "src/resizing.py")
    for query in (f"src/resizing.py:{line}", f"https://github.com/a/b/blob/main/src/resizing.py#L{line}"):
        item = ctxpack("query", query).data["items"][0]
        assert item["file"] == "src/resizing.py"
        assert item["start_line"] <= line <= item["end_line"]


def test_a_missing_path_is_an_error_with_the_nearest_ones(ctxpack: Any) -> None:
    run = ctxpack("query", "src/resising.py")
    assert (run.code, run.error["code"]) == (1, "not_found")
    assert run.error["details"]["nearest"][0] == "src/resizing.py"


@pytest.mark.parametrize("query", ["src/resizing.py:9999", "src/resising.py:3"])
def test_a_missing_place_is_an_error_with_the_nearest_ones(ctxpack: Any, conforms: Any, query: str) -> None:
    for command in ("query", "search"):
        run = ctxpack(command, query)
        conforms(run.envelope, "envelope")
        assert (run.code, run.error["code"]) == (1, "not_found")
        nearest = run.error["details"]["nearest"][0]
        assert nearest.startswith("src/resizing.py:")
        step = run.envelope["hints"][0]["text"]
        assert step == f"`ctxpack {command} {nearest}`"
        assert ctxpack(command, nearest).code == 0


@pytest.mark.parametrize(
    "spelling",
    [
        "{file}:{line}:7", "{file}({line},7)", "{file}#L{line}", "resizing.py:{line}", "'{file}:{line}'",
        "src\\\\resizing.py:{line}", "/elsewhere/gallery/{file}:{line}", "{file}:{line}-{line}",
        "https://github.com/a/b/blob/main/{file}#L{line}", "## `{file}:{line}-{line}` function `resize`",
        "resize ({file}:{line})", "{file}:{line}: def resize(", "{file}:{name}", "{file}::{name}", "resizing.py#{name}",
    ],
)  # fmt: skip
def test_related_takes_each_spelling_of_a_place(ctxpack: Any, project: Path, spelling: str) -> None:
    name, line = first_line(project, "src/resizing.py")
    plain = ctxpack("related", f"src/resizing.py:{line}").data
    asked = ctxpack("related", spelling.format(file="src/resizing.py", line=line, name=name)).data
    assert asked["of"] == plain["of"] and asked["hits"] == plain["hits"]


def test_related_takes_several_lines_at_once(ctxpack: Any, project: Path) -> None:
    _, line = first_line(project, "src/resizing.py")
    one = ctxpack("related", f"src/resizing.py:{line}").data["of"]
    last = len((project / "src/resizing.py").read_text().splitlines())
    every = ctxpack("related", f"src/resizing.py:1-{last}").data["of"]
    assert every == ctxpack("related", "src/resizing.py").data["of"]
    assert {place["id"] for place in one} < {place["id"] for place in every}


def test_related_to_a_file_name_of_several_folders_lists_the_files(ctxpack: Any, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "cart.py").write_text("def total():\n    return 1\n")
    run = ctxpack("related", "cart.py:1", "--repo", str(tmp_path))
    assert (run.code, run.error["code"]) == (1, "ambiguous")
    assert run.error["details"]["candidates"] == ["a/cart.py:1", "b/cart.py:1"]
    step = run.envelope["hints"][0]["text"].strip("`").split()
    assert step[:3] == ["ctxpack", "related", "a/cart.py:1"] and ctxpack(*step[1:]).code == 0


def test_a_place_may_exist_in_one_of_several_repositories(ctxpack: Any, project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.py").write_text("def a():\n    return 1\n")
    repos = ("--repo", str(project), "--repo", str(other))
    items = ctxpack("query", "src/resizing.py:5", *repos).data["items"]
    assert items[0]["file"] == f"{project.name}/src/resizing.py"
    error = ctxpack("query", "src/resising.py:5", *repos).error
    assert error["details"]["nearest"][0] == f"{project.name}/src/resizing.py:5"


def test_a_trace_s_own_frames_come_first_and_the_others_are_counted(ctxpack: Any, project: Path) -> None:
    function, line = first_line(project, "src/resizing.py")
    run = ctxpack("query", "-", stdin=TRACE.format(line=line, function=function).encode())
    item = run.data["items"][0]
    assert item["file"] == "src/resizing.py" and item["start_line"] <= line <= item["end_line"]
    texts = [hint["text"] for hint in run.envelope["hints"]]
    assert "The trace has 3 frames: 1 of them is in this repository, 2 in other code." in texts


def test_a_moved_function_is_reported(ctxpack: Any, project: Path) -> None:
    function, line = first_line(project, "src/resizing.py")
    run = ctxpack("query", "-", stdin=TRACE.format(line=900, function=function).encode())
    assert run.data["items"][0]["file"] == "src/resizing.py"
    moved = [hint["text"] for hint in run.envelope["hints"] if "has moved" in hint["text"]]
    assert moved == [
        "The code has moved since the trace: "
        f"/srv/gallery/src/resizing.py:900 ({function}, now src/resizing.py:{line - 1})."
    ]


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A folder outside any repository, with one file more than is indexed without asking."""
    folder = tmp_path / "large"
    for number in range(ASKED_ABOVE + 1):
        (folder / f"part_{number // 500}").mkdir(parents=True, exist_ok=True)
        (folder / f"part_{number // 500}" / f"note_{number}.txt").write_text(f"zebra {number}\n")
    return folder


def test_a_large_folder_outside_any_repository_needs_confirmation(
    ctxpack: Any, environment: dict[str, str], large: Path
) -> None:
    refused = ctxpack("query", "zebra", "--repo", str(large))
    assert (refused.code, refused.error["code"], refused.error["details"]["field"]) == (1, "invalid_request", "repo")
    assert "--yes" in refused.error["hint"]
    assert refused.envelope["hints"][0]["text"] == f"`ctxpack index {large}`"
    assert b"Index it?" in _typed(b"n\n", environment, large)
    assert ctxpack("query", "zebra", "--repo", str(large)).code == 1
    assert b"20000 characters" in _typed(b"y\n", environment, large)
    assert ctxpack("query", "zebra", "--repo", str(large)).code == 0, "it is indexed now"


def test_a_large_repository_needs_no_confirmation(ctxpack: Any, large: Path) -> None:
    (large / "ctxpack.toml").write_text("")
    assert ctxpack("query", "zebra", "--repo", str(large)).code == 0


def test_yes_confirms_a_large_folder(ctxpack: Any, large: Path) -> None:
    assert ctxpack("query", "zebra", "--repo", str(large), "--yes").code == 0


def _typed(keys: bytes, environment: dict[str, str], folder: Path) -> bytes:
    """The terminal output of a query in the folder if this is typed."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [SCRIPT, "query", "zebra", "--repo", str(folder)],
        stdin=follower, stdout=follower, stderr=follower, env={**environment, "PAGER": "cat"},
    ):  # fmt: skip
        os.close(follower)
        os.write(leader, keys)
        seen = b"".join(blocks_of(leader))
    os.close(leader)
    return seen


@pytest.fixture(params=["index", "query"])
def indexing(
    ctxpack: Any, environment: dict[str, str], project: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[tuple[Path, Any]]:
    """A tree that has grown a lot since it was indexed, and a process that is indexing it again with workers."""
    tree = tmp_path / "tree"
    shutil.copytree(project, tree)
    assert ctxpack("index", str(tree)).code == 0
    for file in range(300):
        steps = (f"def step_{file}_{number}(x):\n    return x + {number}\n\n\n" for number in range(1_200))
        (tree / f"many_{file}.py").write_text("".join(steps))
    arguments = ["index", str(tree)] if request.param == "index" else ["query", "resizing", "--repo", str(tree)]
    with subprocess.Popen(
        [SCRIPT, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, start_new_session=True,
    ) as running:  # fmt: skip
        while len(_workers(running.pid)) < 2:
            assert running.poll() is None
            time.sleep(0.02)
        yield tree, running


def test_ctrl_c_ends_indexing_and_loses_nothing(ctxpack: Any, indexing: tuple[Path, Any]) -> None:
    tree, running = indexing
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE_S)
    assert (running.returncode, out, err.decode()) == (130, b"", f"{STOPPED}\n")
    assert _workers(running.pid) == []
    old = ctxpack("query", "resizing", "--repo", str(tree), "--no-refresh")
    assert old.data["items"] and old.envelope["meta"]["index"]["files"] == 5


def test_workers_end_with_a_process_that_is_killed(indexing: tuple[Path, Any]) -> None:
    _, running = indexing
    running.kill()
    running.communicate()  # the workers share its stdout, which ends when they end
    end = time.monotonic() + PATIENCE_S
    while _workers(running.pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert _workers(running.pid) == []


def _workers(session: int) -> list[str]:
    """The processes of a session other than its first one and git."""
    listed = subprocess.run(["ps", "-e", "-o", "pid=,sess=,stat=,comm="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 3) for line in listed.stdout.splitlines()]
    return [
        pid for pid, of, state, command in rows
        if of == str(session) and pid != of and command != "git" and not state.startswith("Z")
    ]  # fmt: skip
