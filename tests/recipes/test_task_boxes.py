"""The seed's fourteen success boxes on its own `src/auth` example, through the real command line."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from recipe_shell import copied, ctxpack

from contracts.task import HEADER, SLOTS

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("boxes") / "project"
    assert ctxpack("init", "task", root).code == 0
    return root


@pytest.fixture(scope="module")
def packet(project: Path) -> dict[str, Any]:
    return ctxpack("task", "T02", "--root", project).data


def test_exactly_ten_slots_and_four_header_fields_in_their_order(packet: dict[str, Any]) -> None:
    assert list(packet) == [*HEADER, *SLOTS]
    assert (len(HEADER), len(SLOTS)) == (4, 10)


def test_files_are_the_tasks_and_never_broader(packet: dict[str, Any]) -> None:
    assert packet["files"] == ["src/auth/middleware.ts", "src/auth/middleware.test.ts"]


def test_every_file_has_its_content_and_a_new_one_none(packet: dict[str, Any], project: Path) -> None:
    assert packet["filesContent"] == {
        "src/auth/middleware.ts": (project / "src/auth/middleware.ts").read_text("utf-8"),
        "src/auth/middleware.test.ts": "",
    }


def test_only_the_modules_that_own_the_files(packet: dict[str, Any], project: Path) -> None:
    modules = json.loads((project / ".nexus/02-architecture/modules.json").read_text("utf-8"))["modules"]
    assert packet["architectureSlice"] == {"modules": [modules[0]]}
    assert modules[0]["id"] == "auth"


def test_only_the_contracts_that_overlap(packet: dict[str, Any], project: Path) -> None:
    contracts = json.loads((project / ".nexus/02-architecture/api_contracts.json").read_text("utf-8"))["contracts"]
    assert packet["contractsSlice"] == {"contracts": [contracts[0]]}


def test_symbols_of_imported_files_that_are_not_owned(packet: dict[str, Any]) -> None:
    assert packet["dependencySymbols"] == {
        "src/shared/jwt.ts": ["signToken", "verifyToken", "JWTPayload"],
        "src/db/users.ts": ["findUserById", "UserRecord"],
        "src/api/routes.ts": ["Request", "Response", "Next"],
    }


def test_tests_of_the_modified_files(packet: dict[str, Any]) -> None:
    assert packet["testsSlice"] == [
        "src/auth/middleware.test.ts",
        "src/auth/__integration__/middleware.int.test.ts",
    ]


def test_only_the_prevention_rules(packet: dict[str, Any]) -> None:
    lines = packet["scarsDigest"].split("\n")
    assert lines[0] == "## Active Prevention Rules"
    assert all(line.startswith("|") for line in lines[1:])
    assert [line.split("|")[1].strip() for line in lines[3:]] == ["SCAR-001", "SCAR-002", "SCAR-003"]
    assert len(lines) <= 30
    assert "Root Cause" not in packet["scarsDigest"]


def test_only_the_criteria_of_the_task(packet: dict[str, Any]) -> None:
    assert packet["acceptanceCriteria"] == (
        "AC-3: Session Validation\n"
        "  Given: A request with a valid JWT in the Authorization header\n"
        "  When: validateSession middleware runs\n"
        "  Then: req.user is populated with decoded payload and next() is called\n"
        "\n"
        "AC-4: Invalid Token Rejection\n"
        "  Given: A request with an expired or malformed JWT\n"
        "  When: validateSession middleware runs\n"
        "  Then: 401 response returned, req.user is not set"
    )


def test_the_state_is_short(packet: dict[str, Any], project: Path) -> None:
    assert packet["stateDigest"] == (project / ".nexus/01-governance/STATE.md").read_text("utf-8")
    assert packet["stateDigest"].count("\n") <= 150


def test_boundaries_verbatim(packet: dict[str, Any]) -> None:
    assert packet["boundaries"] == [
        "src/auth/login.ts — modified by T01, do not touch",
        "src/api/routes.ts — will be modified by T03, do not touch",
        "package.json — dependencies are frozen in this phase",
    ]


def test_mode_and_risk_are_at_the_top(packet: dict[str, Any]) -> None:
    assert (packet["taskId"], packet["tddMode"], packet["riskTier"]) == ("T02", "hard", "high")
    assert packet["generatedAt"] == "2026-03-02T09:30:00Z"


def test_no_content_of_another_file_anywhere(packet: dict[str, Any], project: Path) -> None:
    text = json.dumps(packet, ensure_ascii=False)
    for file in ("src/shared/jwt.ts", "src/db/users.ts", "src/payments/charge.ts", "src/auth/login.ts"):
        content = (project / file).read_text("utf-8")
        bodies = [line.strip() for line in content.split("\n") if len(line.strip()) > 25]
        assert bodies and not [line for line in bodies if json.dumps(line)[1:-1] in text]
    assert "payment-charge" not in text


@pytest.mark.parametrize("digest", ["full", "compact"])
def test_the_packet_is_valid_with_and_without_explanation(project: Path, conforms: Any, digest: str) -> None:
    plain = ctxpack("task", "T02", "--root", project, "--digest", digest)
    conforms(plain.envelope, "envelope")
    conforms(plain.data, "task_packet")
    explained = ctxpack("task", "T02", "--root", project, "--digest", digest, "--explain")
    conforms(explained.data, "task_packet")
    assert {name: value for name, value in explained.data.items() if name != "explain"} == plain.data
    assert all(one["why"] for one in explained.data["explain"]["shown"])


def test_markdown_has_the_slots_in_order(project: Path) -> None:
    ran = ctxpack("task", "T02", "--root", project, "--format", "md")
    text = ran.out.decode()
    assert [line[3:] for line in text.split("\n") if line.startswith("## ") and line[3:] in SLOTS] == list(SLOTS)
    assert "(new file)" in text
    assert "SCAR-003" in text


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONHASHSEED": "0"},
        {"LC_ALL": "sv_SE.UTF-8", "PYTHONHASHSEED": "1"},
        {"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2", "TZ": "Pacific/Kiritimati"},
    ],
)
def test_the_same_project_gives_the_same_bytes(
    project: Path, packet: dict[str, Any], environment: dict[str, str]
) -> None:
    ran = ctxpack("task", "T02", "--root", project, cwd=project, **environment)
    assert json.dumps(ran.data) == json.dumps(packet)


def test_the_same_bytes_under_locales_hash_seeds_and_shuffled_files(project: Path, tmp_path_factory: Any) -> None:
    """Files written in another order and another folder; the code index supplies what the records lack."""
    left_out = {"symbols.json", "test_map.json"}
    files = sorted(path for path in project.rglob("*") if path.is_file() and path.name not in left_out)
    seen: dict[str, set[object]] = {"json": set(), "md": set()}
    for number, locale in enumerate(("C", "sv_SE.UTF-8", "C.UTF-8")):
        random.Random(number).shuffle(files)
        copy = tmp_path_factory.mktemp("copy")
        copied(files, project, copy)
        for form, runs in seen.items():
            ran = ctxpack("task", "T02", "--root", copy, "--format", form, "--explain", LC_ALL=locale,
                          PYTHONHASHSEED=str(number))  # fmt: skip
            runs.add((ran.code, json.dumps([ran.data, ran.envelope["hints"]]) if form == "json" else ran.out, ran.err))
    assert {form: len(runs) for form, runs in seen.items()} == {"json": 1, "md": 1}
    [(code, printed, _)] = seen["json"]
    assert code == 0
    assert json.loads(str(printed))[0]["dependencySymbols"], "the index answers"


def test_the_root_is_found_from_below(project: Path, packet: dict[str, Any]) -> None:
    assert ctxpack("task", "T02", cwd=project / "src" / "auth").data == packet


def test_a_task_from_a_file_and_from_stdin(project: Path, packet: dict[str, Any], tmp_path: Path) -> None:
    graph = json.loads((project / ".nexus/05-runtime/TASK_GRAPH.json").read_text("utf-8"))
    task = {**graph["tasks"][1], "generatedAt": "2026-03-02T09:30:00Z"}
    file = tmp_path / "task.json"
    file.write_text(json.dumps(task), "utf-8")
    assert ctxpack("task", file, "--root", project).data == packet
    assert ctxpack("task", "-", "--root", project, stdin=json.dumps(task).encode()).data == packet


def test_snake_case_twins_are_the_same_task(project: Path, tmp_path: Path) -> None:
    snake = ctxpack("task", "T03", "--root", project).data
    assert (snake["tddMode"], snake["riskTier"], snake["files"]) == ("standard", "medium", ["src/api/routes.ts"])
    assert snake["acceptanceCriteria"].startswith("AC-12: ")


def test_the_index_fills_in_for_missing_index_files(project: Path, tmp_path: Path) -> None:
    """The real index, on the same project without its folder `03-index`."""
    bare = tmp_path / "bare"
    assert ctxpack("init", "task", bare).code == 0
    for name in ("symbols", "ownership", "test_map"):
        (bare / f".nexus/03-index/{name}.json").unlink()
    ran = ctxpack("task", "T02", "--root", bare)
    assert {path: set(names) for path, names in ran.data["dependencySymbols"].items()} == {
        "src/api/routes.ts": {"Request", "Response", "Next"},
        "src/db/users.ts": {"UserRecord", "findUserById"},
        "src/shared/jwt.ts": {"JWTPayload", "signToken", "verifyToken"},
    }
    assert ran.data["testsSlice"] == ["src/auth/__integration__/middleware.int.test.ts"]
    assert any("the index was used instead" in hint["text"] for hint in ran.envelope["hints"])
