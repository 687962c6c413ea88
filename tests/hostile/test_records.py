"""Records that are not valid text: one error that names the file, or an answer that says what was left out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from context_pack.cli.init import write_example
from tests import forks

HALF = "half a surrogate pair"
# kind, file, the text before which the fault is inserted, and the question
PLACES = {
    "graph": (".mdkg/config.json", ".mdkg/core/core.md", ("graph", "task-1", "--verbose")),
    "graph-path": (".mdkg/config.json", '."', ("graph", "task-1")),
    "task": (".nexus/05-runtime/TASK_GRAPH.json", "src/auth/middleware.ts", ("task", "T02")),
    "task-map": (".nexus/03-index/test_map.json", "src/", ("task", "T02")),
    "task-module": (".nexus/02-architecture/modules.json", "src/", ("task", "T02")),
    "turn": ("request.json", "Reconnect", ("turn", "request.json")),
}


@pytest.fixture
def ask(tmp_path: Path) -> Any:
    def run(*arguments: str, root: Path) -> dict[str, Any]:
        env = {**os.environ, "CTXPACK_CACHE_DIR": str(tmp_path / "cache"), "CTXPACK_NO_BACKGROUND": "1"}
        done = forks.ctxpack([*arguments, "--format", "json", "--root", str(root)], cwd=root, env=env)
        assert b"Traceback" not in done.stderr
        envelope: dict[str, Any] = json.loads(done.stdout)
        return envelope

    return run


def _planted(tmp_path: Path, place: str, fault: str) -> tuple[Path, tuple[str, ...], str]:
    file, before, question = PLACES[place]
    root = tmp_path / "tree"
    write_example(place.partition("-")[0], str(root))
    text = (root / file).read_text("utf-8")
    assert before in text
    (root / file).write_bytes(text.replace(before, f"{fault}{before}", 1).encode("utf-8", "surrogatepass"))
    return root, question, file


@pytest.mark.parametrize("place", PLACES)
def test_half_a_surrogate_pair_is_named_with_its_file_and_line(tmp_path: Path, ask: Any, place: str) -> None:
    root, question, file = _planted(tmp_path, place, "\\ud800")
    line = (root / file).read_text("utf-8").partition("\\ud800")[0].count("\n") + 1
    error = ask(*question, root=root)["error"]
    assert error["code"] == "invalid_request"
    assert f"{file}:{line}: " in error["message"] and HALF in error["message"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("fault", ["\0", "\\u0000", "\ud800", "\\udc00\\ud800"])
def test_no_fault_of_a_text_is_an_internal_error(tmp_path: Path, ask: Any, place: str, fault: str) -> None:
    root, question, _ = _planted(tmp_path, place, fault)
    envelope = ask(*question, root=root)
    assert envelope["status"] == "ok" or envelope["error"]["code"] == "invalid_request", envelope["error"]


def test_a_pair_of_two_halves_is_a_character(tmp_path: Path, ask: Any) -> None:
    root, question, _ = _planted(tmp_path, "turn", "\\ud83d\\ude00 ")
    assert "😀" in ask(*question, root=root)["data"]["goal"]


@pytest.mark.parametrize("fault", ["\0", "\ud800", "\\ud800", '"\\ud800"', "[" * 3_000, "9" * 6_000, "&a [*a]"])
def test_a_page_and_its_settings_may_hold_anything(tmp_path: Path, fault: str) -> None:
    root = tmp_path / "vault"
    write_example("wiki", str(root))
    for name in ("vault.yaml", "wiki/concepts/autolyse.md"):
        file = root / name
        kept = file.read_bytes()
        file.write_bytes(kept.replace(b"title:", f"title: {fault}".encode("utf-8", "surrogatepass"), 1) + b"\nx: "
                         + fault.encode("utf-8", "surrogatepass"))  # fmt: skip
        env = {**os.environ, "CTXPACK_CACHE_DIR": str(tmp_path / "cache"), "CTXPACK_NO_BACKGROUND": "1"}
        done = forks.ctxpack(["pages", "autolyse", "--vault", str(root), "--format", "json"], cwd=None, env=env)
        envelope = json.loads(done.stdout)
        assert envelope["status"] == "ok" or envelope["error"]["code"] == "invalid_request", envelope["error"]
        file.write_bytes(kept)
