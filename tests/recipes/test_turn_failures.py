"""Wrong requests, hostile trees, planted secrets: an error that names the field, or a pack without secrets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted_secrets import planted
from recipe_shell import ctxpack
from turn_projects import REQUEST, TurnProject, no_index

from context_pack.kinds.turn import answer, merge
from context_pack.kinds.turn.pack import is_evidence
from context_pack.kinds.turn.text import render as as_text
from contracts import schemas
from contracts.errors import CtxpackError, InvalidRequest
from tests.code_index import code_index

pytestmark = pytest.mark.slow


@pytest.fixture
def project(tmp_path: Path) -> TurnProject:
    return TurnProject(tmp_path / "project")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"goal": None}, "goal"), ({"goal": ""}, "goal"), ({"goal": "  "}, "goal"), ({"goal": 7}, "goal"),
        ({"definitionOfDone": None}, "definitionOfDone"), ({"definitionOfDone": "x"}, "definitionOfDone"),
        ({"definitionOfDone": [7]}, "definitionOfDone[0]"), ({"globalMode": None}, "globalMode"),
        ({"globalMode": "fast"}, "globalMode"), ({"extra": 1}, "extra"), ({"packId": "x"}, "packId"),
        ({"docRefs": []}, "docRefs"), ({"nodeMode": "manual"}, "nodeMode"), ({"createdAt": "yesterday"}, "createdAt"),
        ({"createdAt": "2026-13-01T00:00:00Z"}, "createdAt"), ({"errors": "boom"}, "errors"),
        ({"testResults": [{"name": "t"}]}, "testResults[0].status"), ({"testResults": [7]}, "testResults[0]"),
        ({"testResults": [{"name": "t", "status": "x", "more": 1}]}, "testResults[0].more"),
        ({"ownership": ["a"]}, "ownership"), ({"ownership": {"a": 1}}, "ownership.a"),
        ({"entities": [1]}, "entities[0]"),
        ({"artifacts": [{"ref": "r", "type": "movie"}]}, "artifacts[0].type"), ({"workspace": {}}, "workspace.mode"),
        ({"inputs": [{}]}, "inputs[0].payloadId"), ({"decisions": [{"id": "d"}]}, "decisions[0].summary"),
        ({"constraints": []}, "constraints"), ({"docsRoot": 7}, "docsRoot"), ({"docsRoot": "../x"}, "docsRoot"),
        ({"docsRoot": "/docs/../../x"}, "docsRoot"), ({"docsRoot": "d" * 5_000}, "docsRoot"),
        ({"base": ""}, "base"), ({"base": "--output=x"}, "base"),
        ({"base": "a b"}, "base"), ({"base": "no-such-commit"}, "base"), ({"base": "HEAD..HEAD"}, "base"),
        ({"base": "HEAD^{tree}"}, "base"),
    ],
)  # fmt: skip
def test_a_wrong_request_names_its_field(project: TurnProject, change: dict[str, Any], field: str) -> None:
    project.commit()
    request = {name: value for name, value in {**REQUEST, **change}.items() if value is not None}
    with pytest.raises(InvalidRequest) as caught, code_index(no_index):
        answer(request, project.root)
    assert caught.value.details["field"] == field
    assert not (project.root / "x").exists()


def test_the_schema_has_the_fields_of_the_specification_and_no_others() -> None:
    schema = schemas.schema("turn_pack")
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    parts = {"": schema, **schema["$defs"]}
    told = {
        name: " ".join(f"{field}{'' if field in part['required'] else '?'}" for field in sorted(part["properties"]))
        for name, part in parts.items()
    }
    assert told == {
        "": "artifacts? constraints? createdAt? decisions? definitionOfDone docRefs docsRoot globalMode goal inputs? "
            "nodeId? nodeMode? outputSchemaRef? packId relevantFiles? repoFacts? runId? toolPolicy? workspace?",
        "docRef": "anchors? excerpt? path priority", "workspace": "branch? mode rootPath worktreePath?",
        "relevantFile": "excerpt? hash? path purpose?", "input": "edgeId? fromNodeId? payloadId",
        "artifact": "ref sha256? summary? type", "decision": "id links? rationale? summary",
    }  # fmt: skip
    assert all(part["additionalProperties"] is False for part in parts.values())


@pytest.mark.parametrize("request_text", ["", "{", "[]", "7", "null", '"x"', "\0", '{"goal": NaN}', "[" * 100_000])
def test_documents_that_are_not_requests(project: TurnProject, request_text: str, tmp_path: Path) -> None:
    ran = ctxpack("turn", "-", "--root", project.root, stdin=request_text.encode())
    assert (ran.code, ran.error["code"]) == (1, "invalid_request")


@pytest.mark.parametrize(("levels", "code"), [(90, 0), (300, 1), (900, 1)])
def test_a_request_that_is_nested_too_deeply(project: TurnProject, levels: int, code: int) -> None:
    facts = "[" * levels + "]" * levels
    request = f'{json.dumps(REQUEST)[:-1]}, "repoFacts": {{"a": {facts}}}}}'
    ran = ctxpack("turn", "-", "--root", project.root, stdin=request.encode())
    assert ran.code == code
    if code:
        assert (ran.error["code"], "nested too deeply" in ran.error["message"]) == ("invalid_request", True)
        document = {**REQUEST, "repoFacts": {"a": json.loads(facts)}}
        for refused in (lambda: project.pack(document), lambda: merge([("p.json", document)])):
            with pytest.raises(InvalidRequest, match="nested too deeply"):
                refused()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["no-such.json"], 1), (["request.json", "--root", "/no/such"], 1),
        (["request.json", "--max-tokens", "7000"], 1), (["request.json", "--max-tokens", "much"], 2),
        (["request.json", "--reason", "fun"], 2), ([], 2), (["build"], 2),
        (["request.json", "--format", "md"], 2), (["request.json", "more.json"], 2), (["."], 1),
    ],
)  # fmt: skip
def test_a_wrong_command_line(project: TurnProject, arguments: list[str], code: int) -> None:
    ran = ctxpack("turn", *arguments, cwd=project.root)
    assert ran.code == code
    assert not code or ran.error["message"]


def test_a_base_without_a_repository(project: TurnProject) -> None:
    with pytest.raises(InvalidRequest, match="not in a git repository"):
        project.pack({"base": "HEAD"})


def test_a_sidecar_that_cannot_be_written(project: TurnProject) -> None:
    ran = ctxpack("turn", "request.json", "--sidecar", "no/such/folder/s.json", cwd=project.root)
    assert (ran.code, ran.error["code"]) == (1, "io_error")
    assert "no/such/folder/s.json" in ran.error["message"]


def test_an_empty_tree(tmp_path: Path, conforms: Any) -> None:
    project = TurnProject(tmp_path / "empty", example=False)
    project.write("../request.json", json.dumps(REQUEST))
    ran = ctxpack("turn", tmp_path / "request.json", "--root", project.root)
    conforms(ran.data, "turn_pack")
    assert ran.data["docRefs"] == []
    assert any("the index could not be used" in text for text in ran.warnings)


def test_documents_that_cannot_be_shown(project: TurnProject) -> None:
    project.write("docs/PLAN.md", b"\0\1binary")
    project.write("docs/OVERVIEW.md", "x" * 1_100_000)
    (project.root / "docs/outside.md").symlink_to("/etc/hostname")
    (project.root / "docs/loop").symlink_to(project.root / "docs")
    turn, hints = project.turn()
    paths = {ref["path"]: ref for ref in turn.pack["docRefs"]}
    assert "docs/outside.md" not in paths
    assert set(paths["docs/PLAN.md"]) == set(paths["docs/OVERVIEW.md"]) == {"path", "priority"}
    assert any("docs/PLAN.md is binary" in hint for hint in hints)
    assert any("docs/OVERVIEW.md is too large" in hint for hint in hints)


def test_a_relevant_file_that_vanished_is_left_out_and_reported(project: TurnProject) -> None:
    code = project.code()
    (project.root / "src/ws/retry.ts").unlink()
    turn, hints = project.turn({"goal": "backoffSeconds"}, open_code=lambda root: code)
    assert "src/ws/retry.ts" not in [entry["path"] for entry in turn.pack["relevantFiles"]]
    assert any("src/ws/retry.ts was left out" in hint for hint in hints)


def test_secrets_of_every_kind_reach_no_output(project: TurnProject, conforms: Any) -> None:
    secrets = planted("turn")
    third = len(secrets) // 3
    base = project.commit()
    for number, secret in enumerate(secrets):
        project.write(f"src/s{number}.{'py' if number % 2 else 'yml'}", f"backoff delay\n{secret.text}\n")
        project.write(f"docs/d{number}.md", f"# Backoff delay\n\n{secret.text}\n")
    project.write("docs/PLAN.md", "# Plan\n\n" + "\n".join(secret.text for secret in secrets[:third]))
    request = {
        "base": base,
        "goal": f"Cap the backoff delay, see {secrets[0].text}",
        "definitionOfDone": [secret.text for secret in secrets[:third]],
        "errors": [secret.text for secret in secrets[third:]],
        "testResults": [{"name": "t", "status": "failed", "output": secret.text} for secret in secrets],
        "ownership": {"src/**": secrets[1].text},
        "entities": [secret.secret for secret in secrets[:3]],
        "constraints": {secret.name: secret.text for secret in secrets},
        "toolPolicy": {"nested": [{"deep": secret.text} for secret in secrets]},
        "decisions": [{"id": "D", "summary": secrets[2].text, "rationale": secrets[3].text}],
        "artifacts": [{"ref": secrets[4].text, "type": "log", "summary": secrets[5].text}],
    }
    for limit in (20_000, 6_000, 300):
        turn, hints = project.turn(request, max_tokens=limit, reason="investigation")
        united = merge([("p", turn.pack)], max_tokens=limit, reason="investigation").data
        outputs = [json.dumps(turn.pack, ensure_ascii=False), json.dumps(turn.sidecar, ensure_ascii=False), repr(hints),
                   as_text(turn.pack), json.dumps(united.pack), json.dumps(united.sidecar)]  # fmt: skip
        leaked = [
            s.name
            for s in secrets
            if any(s.secret in output or json.dumps(s.secret)[1:-1] in output for output in outputs)
        ]
        assert leaked == []
        conforms(turn.pack, "turn_pack")
        conforms(turn.sidecar, "turn_sidecar")
    redactions = turn.sidecar["redactions"]
    assert redactions["total"] == sum(redactions["byKind"].values()) > 200
    assert len(redactions["byKind"]) >= 20
    assert redactions["byPlace"]["docs/PLAN.md"]


def test_redaction_keeps_line_numbers_in_excerpts(project: TurnProject) -> None:
    key = next(secret for secret in planted("lines") if secret.name == "RSA private key").text
    project.write("src/key.ts", f"const a = 1;\n{key}\nconst backoffDelay = 2;\n")
    turn, _ = project.turn({"goal": "backoffDelay"})
    excerpt = next(entry["excerpt"] for entry in turn.pack["relevantFiles"] if entry["path"] == "src/key.ts")
    last = 1 + 1 + key.count("\n")
    assert excerpt.split("\n")[-2:] == [f"// ... lines 3-{last} left out", "const backoffDelay = 2;"]
    assert turn.sidecar["redactions"]["byPlace"]["src/key.ts"] == {"private_key": 1}


words = st.text(st.characters(codec="utf-8"), max_size=30)
requests = st.fixed_dictionaries(
    {
        "goal": st.text(st.characters(codec="utf-8"), min_size=1, max_size=40).map(lambda text: f"g{text}"),
        "definitionOfDone": st.lists(words, max_size=3),
        "globalMode": st.sampled_from(["planning", "implementation"]),
    },
    optional={
        "errors": st.lists(st.text(st.characters(codec="utf-8"), max_size=300), max_size=3),
        "testResults": st.lists(
            st.fixed_dictionaries({"name": words.map(lambda n: f"t{n}"), "output": words,
                                   "status": st.sampled_from(["passed", "failed", "odd"])}), max_size=3),
        "entities": st.lists(words, max_size=2),
        "ownership": st.dictionaries(st.sampled_from(["src/**", "*.md", "[", "{a,b}", "/", "docs"]), words, max_size=3),
        "constraints": st.dictionaries(words, words, max_size=2),
        "decisions": st.lists(
            st.fixed_dictionaries({"id": words.map(lambda n: f"d{n}"), "summary": words, "rationale": words}),
            max_size=2),
        "docsRoot": st.sampled_from(["/docs", "/", "/nowhere", "docs/deep"]),
        "createdAt": st.just("2026-01-01T00:00:00Z"),
    },
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(request=requests, limit=st.integers(1, 1_500), texts=st.booleans(), seed=st.integers(0, 99))
def test_any_request_gives_a_valid_pack_within_its_budget_or_flagged(
    project: TurnProject, conforms: Any, request: dict[str, Any], limit: int, texts: bool, seed: int
) -> None:
    secret = planted(str(seed))[seed % 40]
    asked = {**request, "errors": [*request.get("errors", []), secret.text]}
    render = as_text if texts else None
    turn, _ = project.turn(asked, max_tokens=limit, render=render)
    conforms(turn.pack, "turn_pack")
    conforms(turn.sidecar, "turn_sidecar")
    printed = as_text(turn.pack) if texts else json.dumps(turn.pack, ensure_ascii=False, separators=(",", ":"))
    assert len(printed.encode()) <= 4 * limit or turn.sidecar["budget"]["over"]
    assert secret.secret not in printed + json.dumps(turn.sidecar)
    failed = {one["summary"] for one in turn.pack.get("artifacts", []) if is_evidence(one)}
    tests = [one for one in request.get("testResults", []) if one["status"] != "passed"]
    assert len(failed) >= len({one["name"] for one in tests})
    again, _ = project.turn(asked, max_tokens=limit, render=render)
    assert json.dumps(again.pack) == json.dumps(turn.pack)
    assert json.dumps(again.sidecar) == json.dumps(turn.sidecar)


def _json(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names = st.sampled_from(list(REQUEST)) | words
    return st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4)


@settings(max_examples=150, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | words, _json, max_leaves=8))
def test_any_json_is_a_request_or_an_error(document: Any) -> None:
    try:
        with code_index(no_index):
            answer(document, Path(__file__).parent / "graph")
    except CtxpackError as error:
        assert error.code == "invalid_request"
