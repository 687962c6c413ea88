"""`ctxpack init`: an example of each kind, on which its command works; nothing is ever overwritten."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from recipe_shell import ctxpack

from context_pack.cli.init import KINDS


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_commands_that_it_names_work(tmp_path: Path, conforms: Any, kind: str) -> None:
    project = tmp_path / "a new place"
    ran = ctxpack("init", kind, project)
    conforms(ran.envelope, "envelope")
    conforms(ran.data, "init")
    written = sorted(path.relative_to(project).as_posix() for path in project.rglob("*") if path.is_file())
    assert ran.data["files"] == written
    for command in ran.data["next"]:
        program, *arguments = shlex.split(command)
        assert program == "ctxpack"
        asked = ctxpack(*arguments, cwd=tmp_path)
        assert (asked.code, asked.err) == (0, ""), command
        assert asked.out


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_an_example_has_no_faults_and_fills_every_part(tmp_path: Path, kind: str) -> None:
    ctxpack("init", kind, tmp_path)
    if kind == "graph":
        ran = ctxpack(
            "graph", "task-2", "--root", tmp_path, "--edges", "blocked_by,prev", "--verbose", "--explain",
            "--format", "json",
        )  # fmt: skip
        assert {node["slot"] for node in ran.data["nodes"]} >= {"root", "immediate", "constraints", "neighbours"}
        assert ran.warnings == []
    if kind == "wiki":
        ran = ctxpack("pages", "--page", "wiki/concepts/sourdough-starter.md", "--vault", tmp_path, "--format", "json")
        signals = {part["name"] for page in ran.data["pages"] for part in page["why"]}
        assert signals >= {"shared_tag", "default_domain", "link_to", "link_from", "same_page_type", "searcher_hit"}
        assert ran.warnings == []


def test_an_empty_folder_is_filled_and_a_filled_one_is_refused(tmp_path: Path, conforms: Any) -> None:
    assert ctxpack("init", "graph", cwd=tmp_path).code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for kind in sorted(KINDS):
        ran = ctxpack("init", kind, cwd=tmp_path)
        conforms(ran.envelope, "envelope")
        assert (ran.code, ran.error["code"]) == (1, "invalid_request")
        assert "is not empty (contains .mdkg); nothing was written" in ran.error["message"]
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_target_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    for name, code in (("file", "invalid_request"), ("link", "invalid_request"), ("file/below", "io_error")):
        ran = ctxpack("init", "wiki", tmp_path / name)
        assert (ran.code, ran.error["code"]) == (1, code), name
    assert (tmp_path / "file").read_text() == "mine"


def test_an_unknown_kind_is_a_usage_error() -> None:
    ran = ctxpack("init", "castle")
    assert (ran.code, ran.error["code"]) == (2, "invalid_request")
