"""A turn after a turn: its findings are passed on, the files it wrote do not count as the tree, and the account."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from recipe_shell import ctxpack
from turn_projects import REQUEST, TurnProject


@pytest.fixture
def project(tmp_path: Path) -> TurnProject:
    return TurnProject(tmp_path / "project")


@pytest.fixture
def empty(tmp_path: Path) -> TurnProject:
    return TurnProject(tmp_path / "empty", example=False)


def test_earlier_failures_in_a_request_are_never_trimmed_and_appear_once(empty: TurnProject) -> None:
    failing = {"errors": ["boom"], "testResults": [{"name": "t", "status": "failed", "output": "x" * 400}]}
    before = empty.pack(failing)["artifacts"]
    log = {"ref": "artifact://log", "type": "log", "summary": "first line\n" + "more\n" * 400}
    check = {"ref": "artifact://check", "type": "verification", "summary": "y" * 400}
    artifacts = empty.pack({"artifacts": [log, *before, check]}, max_tokens=330)["artifacts"]
    assert artifacts == [*before, check, {**log, "summary": "first line"}]
    repeated = empty.pack({**failing, "artifacts": [log, *before]})["artifacts"]
    assert repeated == [*before, log]


def test_the_diff_of_this_turn_precedes_one_in_the_request(project: TurnProject) -> None:
    base = project.commit()
    project.write("src/ws/retry.ts", "changed\n")
    old = {"ref": "diff:src/ws/retry.ts", "type": "diff", "summary": "of an earlier turn"}
    [found] = project.pack({"base": base, "artifacts": [old]})["artifacts"]
    assert found["summary"].startswith("modified, ")


def test_an_entry_that_repeats_keeps_its_first_place(empty: TurnProject) -> None:
    decisions = [{"id": name, "summary": f"{name} {number}"} for number, name in enumerate("aba")]
    assert empty.pack({"decisions": decisions})["decisions"] == decisions[:2]


def test_a_second_run_does_not_see_what_the_first_one_wrote(project: TurnProject) -> None:
    project.commit()
    project.write("request.json", json.dumps({**REQUEST, "base": "HEAD", "entities": ["backoffSeconds"]}))
    arguments = ("request.json", "--sidecar", "turn.sidecar.json", "--out", "pack.json")
    packs, sidecars = [], []
    for _ in range(2):
        assert ctxpack("turn", *arguments, cwd=project.root).code == 0
        packs.append(json.loads((project.root / "pack.json").read_bytes())["data"])
        sidecars.append(json.loads((project.root / "turn.sidecar.json").read_bytes()))
    for pack in packs:
        named = {entry["path"] for entry in pack["relevantFiles"]}
        assert "src/ws/retry.ts" in named
        assert not {"request.json", "turn.sidecar.json", "pack.json"} & named
        assert "artifacts" not in pack
    assert packs[0] == packs[1]


@pytest.mark.parametrize("form", ["json", "text"])
def test_explain_gives_the_reason_of_each_entry_and_the_effect_of_the_limit(
    project: TurnProject, tmp_path: Path, conforms: Any, form: str
) -> None:
    arguments = ("turn", "request.json", "--max-tokens", 240, "--format", form, "--sidecar", tmp_path / "s.json")
    plain, told = ctxpack(*arguments, cwd=project.root), ctxpack(*arguments, "--explain", cwd=project.root)
    entries = json.loads((tmp_path / "s.json").read_bytes())["entries"]
    if form == "json":
        conforms(told.envelope, "envelope")
        assert told.data == plain.data
        lines = [hint["text"] for hint in told.envelope["hints"] if hint["type"] == "info"]
    else:
        assert told.out == plain.out
        said = told.err.removeprefix(plain.err).splitlines()
        assert all(line.startswith("ctxpack: ") for line in said)
        lines = [line.removeprefix("ctxpack: ") for line in said]
    assert len(lines) == len(entries)
    for line, entry in zip(lines, entries, strict=True):
        assert line.startswith(f"{entry['id']} ({entry['field']}): ")
        assert all(why["name"] in line and why.get("detail", "") in line for why in entry["why"])
        assert ("by the limit of 240 tokens" in line) == (entry["shown"] != entry["largest"])
    assert any("dropped, by the limit" in line for line in lines)
    assert any("entity +0.9 (" in line for line in lines)
