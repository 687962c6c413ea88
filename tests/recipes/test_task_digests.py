"""Slots with extracts of documents: their content, what the limits leave out, and that the packet says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from task_projects import TaskProject

from context_pack.kinds.task import digests
from context_pack.kinds.task.boundaries import listed


@pytest.fixture
def project(tmp_path: Path) -> TaskProject:
    return TaskProject(tmp_path / "project")


FILES = ["src/auth/middleware.ts"]
HEAD = "# Scars\n\n## Active Prevention Rules\n\n> Note.\n\n| Rule | Applies To | Constraint |\n|---|---|---|\n"


def _rules(count: int, applies: dict[int, str]) -> str:
    return HEAD + "".join(f"| S-{n:03} | {applies.get(n, 'src/other/')} | c{n} |\n" for n in range(count))


def test_rules_that_fit_stay_in_their_order() -> None:
    found = digests.prevention_rules(_rules(27, {20: "src/auth/"}), FILES)
    lines = found.text.split("\n")
    assert lines[:3] == ["## Active Prevention Rules", "| Rule | Applies To | Constraint |", "|---|---|---|"]
    assert [line.split("|")[1].strip() for line in lines[3:]] == [f"S-{n:03}" for n in range(27)]
    assert found.left_out == ()


def test_when_there_are_too_many_those_that_apply_come_first_and_the_rest_is_recorded() -> None:
    found = digests.prevention_rules(_rules(40, {35: "src/auth/", 38: "*/middleware*", 39: "`**/auth/**`"}), FILES)
    lines = found.text.split("\n")
    assert len(lines) == 30
    names = [line.split("|")[1].strip() for line in lines[3:]]
    assert names[:3] == ["S-035", "S-038", "S-039"]
    assert names[3:] == [f"S-{n:03}" for n in range(24)]
    assert set(names) | set(found.left_out) == {f"S-{n:03}" for n in range(40)}
    assert not set(names) & set(found.left_out)


def test_the_drop_is_recorded_in_the_packet(project: TaskProject) -> None:
    project.nexus("01-governance/SCARS.md", _rules(40, {}))
    data, hints = project.ask(explain=True)
    assert len([one for one in data["explain"]["withheld"] if one["slot"] == "scarsDigest"]) == 13
    assert any("scarsDigest: 13 left out by the limit of 30 lines" in hint for hint in hints)


def test_only_that_section_and_only_its_table() -> None:
    text = (
        HEAD
        + "| A | all | x |\n\nProse.\n\n### More\n\n| B | all | y |\n|---|---|---|\n"
        + "\n## Scar Log\n\n| C | d | e |\n|--|--|--|\n"
    )
    assert digests.prevention_rules(text, FILES).text.split("\n")[3:] == ["| A | all | x |"]
    assert digests.prevention_rules("# Scars\n\n| A | all | x |\n|---|---|---|\n", FILES) is None


@pytest.mark.parametrize(
    ("scope", "applies"),
    [
        ("src/auth/", True), ("src/auth", True), ("`src/auth/`", True), ("src/aut", False), ("*/middleware*", True),
        ("**/*.ts", True), ("*.py", False), ("all", True), ("All files", True), ("src/api/, src/auth/", True),
        ("auth", True), ("—", False), ("", False), ("src/auth/login.ts", False), ("middleware.ts", True),
    ],
)  # fmt: skip
def test_a_rule_applies_by_path_glob_or_name(scope: str, applies: bool) -> None:
    assert digests.applies_to(scope, "src/auth/middleware.ts") == applies


TABLE = """# Criteria

| ID | Description | Test |
|----|-------------|------|
| AC-1 | one | a |
| AC-10 | ten | b |
| **AC-2** | two | c |

```
AC-1 | a template | x
```
"""
TAGGED = """## CLI

[MUST] AC-01: Shows help
  Given: a
  Then: b,
        and more

[SHOULD] AC-02: Shows version
  Given: c

---

## Database

[MUST] AC-03: Connects
  Given: d
"""
HEADED = """### AC-1: First

Given x

#### Notes

kept

### AC-10: Tenth

no

## Other

words
"""


@pytest.mark.parametrize(
    ("text", "ids", "wanted"),
    [
        (TABLE, ["AC-1"], "| AC-1 | one | a |"),
        (TABLE, ["AC-2", "AC-1"], "| **AC-2** | two | c |\n| AC-1 | one | a |"),
        (TABLE, ["AC-10"], "| AC-10 | ten | b |"),
        (TAGGED, ["AC-01"], "[MUST] AC-01: Shows help\n  Given: a\n  Then: b,\n        and more"),
        (TAGGED, ["AC-02"], "[SHOULD] AC-02: Shows version\n  Given: c"),
        (TAGGED, ["AC-03", "AC-02"], "[MUST] AC-03: Connects\n  Given: d\n\n[SHOULD] AC-02: Shows version\n  Given: c"),
        (HEADED, ["AC-1"], "### AC-1: First\n\nGiven x\n\n#### Notes\n\nkept"),
        (HEADED, ["AC-10"], "### AC-10: Tenth\n\nno"),
        ("### AC-1 First\n\nx\n### AC-2. Second\n\ny\n", ["AC-1"], "### AC-1 First\n\nx"),
        ("### AC-1 First\n\nx\n### AC-2. Second\n\ny\n", ["AC-2"], "### AC-2. Second\n\ny"),
        ("- **AC-1** one\n  more\n- **AC-2** two\n", ["AC-1"], "- **AC-1** one\n  more"),
        ("AC-3: Session\n  Given: A\nAC-30: Other\n  Given: B\n", ["AC-3"], "AC-3: Session\n  Given: A"),
        ("- [ ] **AC-1**: x\n  more\n- [x] AC-2: y\n", ["AC-1"], "- [ ] **AC-1**: x\n  more"),
        ("AUTH-AC-1: x\nAC-1: y\n", ["AC-1"], "AC-1: y"),
        ("AC-1.1: x\nAC-1: y\n", ["AC-1"], "AC-1: y"),
        ("See AC-1 for more.\n\nAC-1: y\n", ["AC-1"], "AC-1: y"),
        ("AC-1: y\r\n  Given: z\r\n", ["AC-1"], "AC-1: y\n  Given: z"),
    ],
)
def test_criteria_by_whole_ids(project: TaskProject, text: str, ids: list[str], wanted: str) -> None:
    project.nexus("00-mission/ACCEPTANCE_MASTER.md", text)
    project.task(acceptanceCriteria=ids)
    assert project.slot("acceptanceCriteria") == wanted


def test_criteria_that_do_not_exist_are_named(project: TaskProject) -> None:
    project.task(acceptanceCriteria=["AC-3", "AC-99", "AC-98"])
    data, hints = project.ask()
    assert data["acceptanceCriteria"].startswith("AC-3: ")
    assert any("no criterion AC-99, AC-98" in hint for hint in hints)


def test_a_task_without_criteria_says_so(project: TaskProject) -> None:
    project.task(acceptanceCriteria=[])
    data, hints = project.ask()
    assert data["acceptanceCriteria"] == ""
    assert any(hint.startswith("acceptanceCriteria is empty: task T02") for hint in hints)


def test_criteria_are_whole_and_at_most_fifty_lines(project: TaskProject) -> None:
    text = "".join(f"AC-{n}: x\n" + "  Given: y\n" * 9 for n in range(1, 9))
    project.nexus("00-mission/ACCEPTANCE_MASTER.md", text)
    project.task(acceptanceCriteria=[f"AC-{n}" for n in range(1, 9)])
    data, hints = project.ask(explain=True)
    assert len(data["acceptanceCriteria"].split("\n")) == 43  # four of ten lines, three blank ones between them
    assert [one["id"] for one in data["explain"]["withheld"]] == ["AC-5", "AC-6", "AC-7", "AC-8"]
    assert any("limit of 50 lines: AC-5, AC-6, AC-7, AC-8" in hint for hint in hints)


def test_a_criterion_that_is_too_long_alone_is_cut_and_says_so(project: TaskProject) -> None:
    project.nexus("00-mission/ACCEPTANCE_MASTER.md", "AC-1: x\n" + "  line\n" * 80)
    project.task(acceptanceCriteria=["AC-1"])
    data, hints = project.ask()
    assert len(data["acceptanceCriteria"].split("\n")) == 50
    assert any("AC-1 from its line 51" in hint for hint in hints)


def test_the_state_is_its_first_150_lines(project: TaskProject) -> None:
    project.nexus("01-governance/STATE.md", "".join(f"line {n}\n" for n in range(5_000)))
    data, hints = project.ask()
    assert data["stateDigest"].split("\n") == [f"line {n}" for n in range(150)]
    assert any(hint.startswith("stateDigest: the first 150 lines of") for hint in hints)


@pytest.mark.parametrize("line", ["x" * 5_000_000, "words and more words\n" * 250_000])
def test_a_state_of_five_megabytes_is_no_trouble(project: TaskProject, line: str) -> None:
    project.nexus("01-governance/STATE.md", line)
    data, hints = project.ask()
    assert 0 < len(data["stateDigest"]) <= 200_000
    assert any(hint.startswith("stateDigest: the first") for hint in hints)


def test_long_lines_of_the_state_are_whole(project: TaskProject) -> None:
    project.nexus("01-governance/STATE.md", ("é" * 999 + "\n") * 151)
    assert project.slot("stateDigest").split("\n") == ["é" * 999] * 150
    project.nexus("01-governance/STATE.md", "one\n" + ("é" * 60_000 + "\n") * 9)
    assert project.slot("stateDigest").split("\n") == ["one", *["é" * 60_000] * 3]


def test_an_empty_state_is_named(project: TaskProject) -> None:
    project.nexus("01-governance/STATE.md", "\n")
    assert "stateDigest is empty: .nexus/01-governance/STATE.md is empty" in project.ask()[1]


def test_the_compact_state_is_goal_rules_and_decisions_about_these_files(project: TaskProject) -> None:
    digest = project.slot("stateDigest", digest="compact")
    lines = digest.split("\n")
    assert lines[:2] == ["## Current Phase Goal", "Every route below /api sees a verified user or answers 401."]
    assert "| SCAR-001 | src/auth/ | Always verify DB call wired before marking auth complete |" in lines
    assert any(line.startswith("| DEC-1 |") for line in lines)
    assert not any("DEC-2" in line or "cents (src" in line for line in lines)
    assert "NEXUS_PERMISSION_REQUEST" in lines[-1]
    assert "Blockers" not in digest


def test_the_compact_state_has_at_most_eighty_lines(project: TaskProject) -> None:
    rows = "".join(f"| DEC-{n} | d | `src/auth/middleware.ts` does {n} | r |\n" for n in range(200))
    project.nexus("01-governance/DECISION_LOG.md", f"| ID | Date | Decision | Why |\n|--|--|--|--|\n{rows}")
    project.nexus("01-governance/STATE.md", "## Phase Goal\n" + "goal line\n" * 30)
    data, hints = project.ask(digest="compact")
    lines = data["stateDigest"].split("\n")
    assert len(lines) == 80
    assert lines[:31] == ["## Phase Goal", *["goal line"] * 30]
    assert any(hint.startswith("stateDigest: ") and "80 lines" in hint for hint in hints)


def test_a_long_goal_keeps_room_for_rules_and_decisions(project: TaskProject) -> None:
    project.nexus("01-governance/STATE.md", "## Phase Goal\n" + "goal line\n" * 300)
    data, hints = project.ask(digest="compact")
    lines = data["stateDigest"].split("\n")
    assert len(lines) == digests.COMPACT_LINES
    assert any(line.startswith("| SCAR-001 |") for line in lines)
    assert any(line.startswith("| DEC-1 |") for line in lines)
    assert lines.count("goal line") >= digests.COMPACT_LINES // 2 - 1
    assert any(hint.startswith("stateDigest: ") and "phase goal" in hint for hint in hints)


PLANS = [
    ("## Boundaries\n\n**DO NOT CHANGE:**\n- a — x\n- b\n  goes on\n\n**DO NOT:**\n- c\n", ["a — x", "b\ngoes on"]),
    ("## DO NOT CHANGE\n\n- `a` — x\n* b\n1. c\n\n## Next\n- d\n", ["`a` — x", "b", "c"]),
    ("### Do not change\n\nThese:\n\n- a\n\n#### Also\n\n- b\n\n### Other\n- c\n", ["a", "b"]),
    ("DO NOT CHANGE:\n- a\n\nSCOPE LIMIT:\n- b\n", ["a"]),
    ("```\nDO NOT CHANGE:\n- a\n```\n", []),
    ("## DO NOT CHANGE\n- a\n\n## Later\n\n**DO NOT CHANGE**\n- b\n- a\n", ["a", "b"]),
]


@pytest.mark.parametrize(("plan", "wanted"), PLANS)
def test_boundaries_are_the_bullets_verbatim_then_the_settings(
    project: TaskProject, plan: str, wanted: list[str]
) -> None:
    project.nexus("04-plans/02-auth/PLAN.md", plan)
    settings_own = "package.json — dependencies are frozen in this phase"
    assert project.slot("boundaries") == [*wanted, settings_own]


def test_a_plan_without_the_list_says_so(project: TaskProject) -> None:
    project.nexus("04-plans/02-auth/PLAN.md", "# Plan\n")
    assert any("has no DO NOT CHANGE list" in hint for hint in project.ask()[1])


@pytest.mark.parametrize(
    ("phase", "folders", "found"),
    [
        ("02", ["02-auth", "03-b"], ["02-auth"]), ("2", ["02-auth", "20-b"], ["02-auth"]),
        (2, ["02-auth"], ["02-auth"]),
        ("02-auth", ["02-auth", "02-auth-more"], ["02-auth"]), ("1", ["10-a", "11-b"], []),
        ("phase-2", ["phase-2-auth", "phase-20-x"], ["phase-2-auth"]), ("02", ["02-a", "02-b"], ["02-a", "02-b"]),
        ("02", ["021-a"], []), ("phase-02", ["02-a"], ["02-a"]),
    ],
)  # fmt: skip
def test_the_plan_is_the_phases(project: TaskProject, phase: Any, folders: list[str], found: list[str]) -> None:
    project.remove("04-plans/02-auth/PLAN.md")
    (project.root / ".nexus/04-plans/02-auth").rmdir()
    project.nexus("01-governance/settings.json", {})
    for folder in folders:
        project.nexus(f"04-plans/{folder}/PLAN.md", f"## DO NOT CHANGE\n- {folder}\n")
    project.task(phase=phase)
    data, hints = project.ask()
    assert data["boundaries"] == found
    assert any("plans belong to phase" in hint for hint in hints) == (len(found) > 1)
    assert any("there is no PLAN.md" in hint for hint in hints) == (not found)


TELLING = (
    "## Active Prevention Rules", "| a | src/auth/ | b |", "|--|--|--|", "- [ ] AC-1: x", "### AC-2: y", "AC-3: z",
    "```", "---", "  indented", "**DO NOT CHANGE:**", "- item",
)  # fmt: skip
words = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=40)


@settings(max_examples=100, deadline=None)
@given(
    text=st.lists(st.one_of(words, st.sampled_from(TELLING)), max_size=200).map("\n".join),
    ids=st.lists(st.sampled_from(["AC-1", "AC-2", "AC-3", "AC-4"]), max_size=4),
)
def test_digests_keep_their_limits_whatever_the_document(text: str, ids: list[str]) -> None:
    scars = digests.prevention_rules(text, FILES) or digests.Digest("")
    found, missing = digests.criteria(text, ids)
    compact = digests.compact_state(text, scars.text, [text], FILES)
    assert scars.text.count("\n") < digests.SCARS_LINES
    assert found.text.count("\n") < digests.CRITERIA_LINES
    assert compact.text.count("\n") < digests.COMPACT_LINES
    assert set(missing) <= set(ids)
    lines = {line.rstrip() for line in text.split("\n")}
    assert not scars.text or all(line.rstrip() in lines for line in scars.text.split("\n"))
    listed(text)
