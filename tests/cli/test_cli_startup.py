"""The warm path of a query, and the progress line of a slow one."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from context_pack.cli.progress import ProgressLine, progress_text
from tests.cli.conftest import SCRIPT

# Needed to build an index or to run a model; a warm query must not load any of it.
HEAVY = {
    "lancedb", "pyarrow", "torch", "mcp", "sentence_transformers", "tokenizers", "huggingface_hub", "tree_sitter",
    "tree_sitter_language_pack", "jsonschema", "pydantic", "importlib.metadata", "tomllib",
    "jinja2", "pygments", "toon_format", "multiprocessing",
    "numpy.ma",  # by `np.unique`, in 15 ms
}  # fmt: skip


def test_a_warm_question_loads_nothing_heavy(ctxpack: Any, environment: dict[str, str], project: Path) -> None:
    ctxpack("query", "PictureCache")
    code = (
        "import json, os, sys\n"
        "from context_pack.cli import app\n"
        "assert app.run(['query', 'PictureCache', '--out', os.devnull]) == 0\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    house = Path(__file__).parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, cwd=project, check=True,
        env={**environment, "PYTHONPATH": str(house), "PYTHONSAFEPATH": "1"},
    )  # fmt: skip
    loaded = set(json.loads(done.stdout))
    assert "numpy" in loaded, "the question was answered"
    assert loaded.isdisjoint(HEAVY)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_progress_line_is_drawn_over_and_cleared(monkeypatch: Any) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    clock, stream = Clock(), io.StringIO()
    line = ProgressLine(stream, clock)
    line.update("files", 0, 100)
    assert stream.getvalue() == "", "a refresh that is over at once draws nothing"
    ProgressLine(stream, clock).update("files", 0, 500)
    assert stream.getvalue() == "\rfiles 0 of 500 [--------------------]".ljust(60), "the first part may take seconds"
    stream.truncate(stream.seek(0))
    clock.now += 1.0
    line.update("files", 50, 100)
    line.update("files", 51, 100)
    assert stream.getvalue() == "\rfiles 50 of 100 [##########----------] 50/s, 1 s left".ljust(60)
    clock.now += 1.0
    line.update("embedding", 10, 0)
    assert stream.getvalue().endswith("\rembedding 10".ljust(60))
    line.clear()
    assert stream.getvalue().endswith("\r" + " " * 59 + "\r")


def test_progress_says_what_is_done_how_fast_and_how_long_it_takes() -> None:
    assert progress_text("files", 0, 2000, 0.0) == "files 0 of 2,000 [--------------------]"
    assert progress_text("files", 2000, 2000, 4.0) == "files 2,000 of 2,000 [####################] 500/s"
    assert progress_text("embedding", 100, 10_000, 10.0).endswith("10/s, 16 min left")
    assert progress_text("embedding", 100, 100_000, 10.0).endswith("10/s, 2 h 46 min left")


def test_the_line_needs_a_terminal(ctxpack: Any, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(): ...\n" * 10)
    assert ctxpack("index", cwd=tmp_path).err == ""


def test_a_forked_run_answers_as_one_that_is_started(ctxpack: Any, environment: dict[str, str], project: Path) -> None:
    """Most tests of the command line fork, for speed."""
    env = {**environment, "PYTHONPATH": str(Path(__file__).parents[2])}
    for arguments in (["query", "PictureCache", "--explain"], ["symbols", "*"], ["query", "--nowhere"], ["--help"]):
        started = subprocess.run([SCRIPT, *arguments], cwd=project, env=env, capture_output=True, check=False)
        forked = ctxpack(*arguments)
        assert (forked.code, forked.err) == (started.returncode, started.stderr.decode())
        if arguments == ["--help"]:
            assert forked.out == started.stdout
        else:
            assert forked.envelope["data"] == json.loads(started.stdout)["data"]
