"""Every request gives an answer, or an error that says what is wrong and where; never a traceback or a secret."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted_secrets import planted
from recipe_shell import ctxpack
from task_projects import FILES, TaskProject

from context_pack.kinds.task import answer
from context_pack.kinds.task.packet import render
from contracts.errors import CtxpackError, InvalidRequest, NotFound

pytestmark = pytest.mark.slow


@pytest.fixture
def project(tmp_path: Path) -> TaskProject:
    return TaskProject(tmp_path / "project")


@pytest.mark.parametrize(
    ("task", "field"),
    [
        ({}, "filesModified"),
        ({"filesModified": []}, "filesModified"),
        ({"filesModified": "src/a.ts"}, "filesModified"),
        ({"filesModified": [7]}, "filesModified"),
        ({"filesModified": [""]}, "filesModified"),
        ({"filesModified": ["../outside.ts"]}, "filesModified"),
        ({"filesModified": ["src/../../outside.ts"]}, "filesModified"),
        ({"filesModified": ["..\\outside.ts"]}, "filesModified"),
        ({"filesModified": ["/etc/hostname"]}, "filesModified"),
        ({"filesModified": ["C:\\a.ts"]}, "filesModified"),
        ({"filesModified": ["link/hostname"]}, "filesModified"),
        ({"filesModified": ["a\0b"]}, "filesModified"),
        ({"filesModified": ["src"]}, "filesModified"),
        ({"filesModified": ["a.ts"], "files_modified": ["b.ts"]}, "filesModified"),
        ({"filesModified": ["a.ts"], "acceptanceCriteria": "AC-1"}, "acceptanceCriteria"),
        ({"filesModified": ["a.ts"], "tddMode": 3}, "tddMode"),
    ],
)
def test_a_task_that_cannot_be_packed(project: TaskProject, task: dict[str, Any], field: str) -> None:
    (project.root / "link").symlink_to("/etc")
    project.nexus("05-runtime/TASK_GRAPH.json", {"tasks": [{"id": "T02", **task}]})
    ran = ctxpack("task", "T02", "--root", project.root)
    assert ran.code == 1
    assert (ran.error["code"], ran.error["details"]["field"]) == ("invalid_request", field)


def test_an_empty_id_is_no_task_even_if_tasks_have_none(project: TaskProject) -> None:
    project.nexus("05-runtime/TASK_GRAPH.json", {"tasks": [{"filesModified": ["a"]}, {"filesModified": ["b"]}]})
    with pytest.raises(NotFound, match="the id is empty"):
        project.ask("")


@pytest.mark.parametrize(
    ("graph", "code"),
    [
        ("{", "invalid_request"), ("[]", "invalid_request"), ('"x"', "invalid_request"),
        ('{"tasks": 7}', "invalid_request"),
        ('{"tasks": ["T02"]}', "invalid_request"), ('{"tasks": []}', "not_found"),
        ('{"tasks": [{"id": "T02"}, {"id": "T02"}]}', "ambiguous"),
    ],
)  # fmt: skip
def test_a_task_graph_of_the_wrong_shape(project: TaskProject, graph: str, code: str) -> None:
    project.nexus("05-runtime/TASK_GRAPH.json", graph)
    ran = ctxpack("task", "T02", "--root", project.root)
    assert (ran.code, ran.error["code"]) == (1, code)
    assert "TASK_GRAPH.json" in ran.error["message"]


@pytest.mark.parametrize(
    "task",
    [{"filesModified": FILES}, {"files_modified": FILES}, {"filesModified": FILES, "files_modified": FILES}],
)
def test_both_spellings_of_a_field(project: TaskProject, task: dict[str, Any]) -> None:
    project.nexus("05-runtime/TASK_GRAPH.json", {"version": "1.0", "tasks": [{"id": "T02", **task}], "waves": {}})
    assert project.packet()["files"] == FILES


@pytest.mark.parametrize(
    "arguments",
    [
        ["T99"], ["no/such/task.json"], ["T02", "--root", "/no/such/folder"], ["T02", "--digest", "huge"],
        ["T02", "--format", "xml"], ["T02", "--generated-at", "yesterday"], ["T02", "--nonsense"], [],
    ],
)  # fmt: skip
def test_a_wrong_command_line(project: TaskProject, arguments: list[str]) -> None:
    ran = ctxpack("task", *arguments, cwd=project.root)
    assert ran.code in (1, 2)
    assert ran.error["message"]


def test_an_unknown_id_is_answered_with_close_ones(project: TaskProject) -> None:
    ran = ctxpack("task", "T2", "--root", project.root)
    assert ran.error["code"] == "not_found"
    assert "T02" in ran.error["hint"]


def test_a_binary_file_and_one_that_is_not_utf8(project: TaskProject) -> None:
    project.write("src/a.bin", b"\0\1\2" * 100)
    project.write("src/b.txt", b"caf\xe9\n")
    project.task(filesModified=["src/a.bin", "src/b.txt"])
    data, hints = project.ask()
    assert data["filesContent"]["src/a.bin"] == "(binary file of 300 bytes, not shown)"
    assert data["filesContent"]["src/b.txt"] == "caf\ufffd\n"
    assert any("src/a.bin is a binary file" in hint for hint in hints)
    assert any("src/b.txt is not valid UTF-8" in hint for hint in hints)


def test_a_file_that_may_not_be_read(project: TaskProject, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(CtxpackError) as caught:
        project.packet()
    assert caught.value.code == "io_error"


def test_the_time_of_a_packet(project: TaskProject, monkeypatch: pytest.MonkeyPatch) -> None:
    assert project.packet(generated_at="2020-01-01T00:00:00Z")["generatedAt"] == "2020-01-01T00:00:00Z"
    assert project.packet()["generatedAt"] == "2026-03-02T09:30:00Z"
    task = {"id": "T02", "filesModified": FILES}
    project.nexus("05-runtime/TASK_GRAPH.json", {"tasks": [task], "lastUpdated": ""})
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert project.packet()["generatedAt"] == "1970-01-01T00:00:00Z"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert project.packet()["generatedAt"] >= "2026-01-01"
    with pytest.raises(InvalidRequest):
        project.packet(generated_at="tomorrow")


def test_missing_mode_and_risk(project: TaskProject) -> None:
    project.nexus("05-runtime/TASK_GRAPH.json", {"tasks": [{"id": "T02", "filesModified": FILES}]})
    data, hints = project.ask()
    assert (data["tddMode"], data["riskTier"]) == ("standard", "unspecified")
    assert any(hint.startswith("riskTier: task T02 has none") for hint in hints)


def test_no_secret_in_any_slot_and_format(project: TaskProject, conforms: Any) -> None:
    secrets = planted("task")
    text = "\n".join(secret.text for secret in secrets)
    project.write("src/auth/middleware.ts", text)
    project.nexus("01-governance/STATE.md", text[:40_000])
    project.nexus("04-plans/02-auth/PLAN.md", "## DO NOT CHANGE\n" + "".join(f"- {s.text}\n" for s in secrets[:40]))
    project.nexus("00-mission/ACCEPTANCE_MASTER.md", "AC-1: x\n" + "\n".join("  " + s.text for s in secrets[:30]))
    rules = "".join(f"| S-{n} | all | {s.text.replace('|', ' ')} |\n" for n, s in enumerate(secrets[:20]))
    project.nexus("01-governance/SCARS.md", f"## Active Prevention Rules\n| a | applies | c |\n|--|--|--|\n{rules}")
    module = {"id": "auth", "path": "src/auth", "config": {s.name: s.text for s in secrets}}
    project.nexus("02-architecture/modules.json", {"modules": [module]})
    project.task(acceptanceCriteria=["AC-1"])
    found = answer("T02", project.root, explain=True)
    printed = [json.dumps(project.packet(explain=True), ensure_ascii=False), render(found.data), repr(found.hints)]
    whole = {secret.name: secret.secret for secret in secrets}
    assert [name for name, secret in whole.items() if any(secret in output for output in printed)] == []
    assert any("redacted secrets" in hint.text for hint in found.hints)
    assert project.packet()["filesContent"]["src/auth/middleware.ts"].count("\n") == text.count("\n")
    conforms(project.packet(explain=True), "task_packet")


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["modules", "contracts", "symbols", "files", "testMap", "path", "file", "id", "imports", "name",
                         "exports", "tasks", "filesModified", "boundaries"]) | st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)  # fmt: skip
PLACES = (
    "02-architecture/modules.json", "02-architecture/api_contracts.json", "03-index/symbols.json",
    "03-index/ownership.json", "03-index/test_map.json", "01-governance/settings.json", "05-runtime/TASK_GRAPH.json",
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(place=st.sampled_from(PLACES), document=json_values)
def test_any_json_anywhere_gives_a_packet_or_an_error_that_names_the_file(
    project: TaskProject, conforms: Any, place: str, document: Any
) -> None:
    path = project.root / ".nexus" / place
    before = path.read_bytes()
    project.nexus(place, document)
    try:
        conforms(project.packet(), "task_packet")
    except CtxpackError as error:
        assert error.code in ("invalid_request", "not_found", "ambiguous")
        assert place.rpartition("/")[2] in f"{error.message} {error.details}"
    finally:
        path.write_bytes(before)
