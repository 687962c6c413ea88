"""Merging turn packs: united by key, the first one wins, and the budget applies again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recipe_shell import ctxpack

from context_pack.kinds.turn import merge
from contracts.errors import InvalidRequest

IDS = [f"{n}0000000-0000-5000-8000-000000000000" for n in "123"]


def pack(number: int, **fields: Any) -> dict[str, Any]:
    base = {"packId": IDS[number], "goal": "g", "definitionOfDone": [], "globalMode": "planning", "docsRoot": "/docs"}
    return {**base, "docRefs": [], **fields}


def merged(*packs: dict[str, Any], **options: Any) -> dict[str, Any]:
    return merge([(f"p{n}.json", one) for n, one in enumerate(packs)], **options).data.pack


def test_entries_are_merged_by_key_and_the_first_wins() -> None:
    one = pack(
        1, createdAt="2026-01-02T00:00:00Z", definitionOfDone=["b", "a"], goal="later",
        relevantFiles=[{"path": "x", "purpose": "later"}, {"path": "y"}],
        decisions=[{"id": "D", "summary": "later"}], inputs=[{"payloadId": "p", "edgeId": "later"}],
        artifacts=[{"ref": "r", "type": "log", "summary": "later"}], constraints={"a": 2, "b": 2},
    )  # fmt: skip
    two = pack(
        2, createdAt="2026-01-01T00:00:00Z", definitionOfDone=["a", "c"], goal="sooner",
        relevantFiles=[{"path": "z"}, {"path": "x", "purpose": "sooner"}],
        decisions=[{"id": "D", "summary": "sooner"}, {"id": "E", "summary": "e"}],
        inputs=[{"payloadId": "p", "edgeId": "sooner"}, {"payloadId": "q"}],
        artifacts=[{"ref": "r", "type": "log", "summary": "sooner"}, {"ref": "s", "type": "file"}],
        constraints={"a": 1},
    )  # fmt: skip
    found = merged(one, two)
    assert found["goal"] == "sooner"
    assert found["createdAt"] == "2026-01-01T00:00:00Z"
    assert found["definitionOfDone"] == ["a", "c", "b"]
    assert found["relevantFiles"] == [{"path": "z"}, {"path": "x", "purpose": "sooner"}, {"path": "y"}]
    assert found["decisions"] == [{"id": "D", "summary": "sooner"}, {"id": "E", "summary": "e"}]
    assert found["inputs"] == [{"payloadId": "p", "edgeId": "sooner"}, {"payloadId": "q"}]
    assert found["artifacts"] == [{"ref": "r", "type": "log", "summary": "sooner"}, {"ref": "s", "type": "file"}]
    assert found["constraints"] == {"a": 1, "b": 2}
    assert found["packId"] not in IDS
    assert merged(two, one) == found


def test_the_moment_counts_and_not_its_spelling() -> None:
    early = pack(2, createdAt="2026-01-01T12:00:00+10:00", goal="early")
    late = pack(1, createdAt="2026-01-01T03:00:00Z", goal="late")
    assert merged(late, early)["goal"] == "early"
    same = pack(0, createdAt="2026-01-01T02:00:00Z", goal="same moment, smaller id")
    assert merged(early, same)["goal"] == "same moment, smaller id"


def test_packs_with_equal_headers_are_ordered_by_their_content() -> None:
    one, two = pack(1, goal="one"), pack(1, goal="two")
    assert merged(one, two) == merged(two, one)


def test_documents_and_decisions_shrink_before_the_excerpts_of_files() -> None:
    one = pack(
        1, relevantFiles=[{"path": "f", "purpose": "p", "excerpt": "line\n" * 400}],
        docRefs=[{"path": "docs/a.md", "anchors": [], "excerpt": "line\n" * 400, "priority": "low"}],
        decisions=[{"id": "D", "summary": "d", "rationale": "r" * 2_000}],
    )  # fmt: skip
    small = merged(one, max_tokens=1_000)
    assert "excerpt" in small["relevantFiles"][0]
    assert "excerpt" not in small["docRefs"][0]


@pytest.mark.parametrize("tokens", [3_000, 20_000])
def test_excerpts_shrink_before_any_is_left_out(tokens: int) -> None:
    files = [{"path": f"f{n}", "excerpt": f"first {n}\n" + "a line of code\n" * 10 * tokens} for n in range(8)]
    packs = pack(1, relevantFiles=files[:4]), pack(2, relevantFiles=files[4:])
    found = merged(*packs, max_tokens=tokens, reason="refactor")["relevantFiles"]
    texts = [one["excerpt"].split("\n") for one in found]
    assert [lines[0] for lines in texts] == [f"first {n}" for n in range(8)]
    assert all(f"... {10 * tokens + 2 - len(lines)} more lines" == lines[-1] for lines in texts)
    assert sum(map(len, texts)) > tokens * 4 / len("a line of code\\n") * 0.9


def test_explain_names_the_pack_that_each_entry_comes_from(tmp_path: Path) -> None:
    for number in (1, 2):
        fields = {"relevantFiles": [{"path": f"f{number}"}, {"path": "both"}]}
        (tmp_path / f"{number}.json").write_text(json.dumps(pack(number, **fields)))
    ran = ctxpack("turn", "merge", "2.json", "1.json", "--explain", cwd=tmp_path)
    lines = [hint["text"] for hint in ran.envelope["hints"]]
    assert lines == [
        f"f1 (relevantFiles): whole; merged (from pack {IDS[1]})",
        f"both (relevantFiles): whole; merged (from pack {IDS[1]})",
        f"f2 (relevantFiles): whole; merged (from pack {IDS[2]})",
    ]


def test_a_document_keeps_its_highest_priority() -> None:
    one = pack(
        1,
        docRefs=[
            {"path": "docs/a.md", "priority": "low", "excerpt": "first"},
            {"path": "docs/z.md", "priority": "low"},
        ],
    )
    two = pack(2, docRefs=[{"path": "docs/a.md", "priority": "medium"}, {"path": "docs/PLAN.md", "priority": "high"}])
    assert merged(one, two)["docRefs"] == [
        {"path": "docs/PLAN.md", "priority": "high"},
        {"path": "docs/a.md", "priority": "medium", "excerpt": "first"},
        {"path": "docs/z.md", "priority": "low"},
    ]


def test_the_budget_holds_again_and_evidence_is_not_trimmed() -> None:
    files = [{"path": f"f{n}", "purpose": "p", "excerpt": "x" * 400} for n in range(20)]
    failure = {"ref": "failed:t:1", "type": "verification", "summary": "boom" * 50}
    found = merged(pack(1, relevantFiles=files), pack(2, artifacts=[failure]), max_tokens=400)
    assert len(json.dumps(found, separators=(",", ":"))) <= 1_600
    assert found["artifacts"] == [failure]
    assert any("excerpt" not in entry for entry in found["relevantFiles"])


def test_failures_of_the_same_test_that_say_different_things_are_both_kept(tmp_path: Path) -> None:
    from turn_projects import TurnProject

    project = TurnProject(tmp_path / "p")
    packs = [project.pack({"testResults": [{"name": "t", "status": status, "output": said}]})
             for status, said in (("failed", "one"), ("failed", "two"), ("passed", "three"))]  # fmt: skip
    summaries = {one["summary"] for one in merged(*packs)["artifacts"]}
    assert summaries == {"t: failed\none", "t: failed\ntwo", "t: passed\nthree"}


def test_a_pack_merged_with_itself_is_the_same_content() -> None:
    one = pack(1, definitionOfDone=["a"], docRefs=[{"path": "docs/PLAN.md", "priority": "high"}], runId="r")
    once = merged(one)
    assert merged(one, one) == once
    assert {name: value for name, value in once.items() if name != "packId"} == {
        name: value for name, value in one.items() if name != "packId"
    }


def test_envelopes_are_accepted_and_differing_goals_reported() -> None:
    answer = merge([("a", {"status": "ok", "data": pack(1), "hints": []}), ("b", pack(2, goal="other"))])
    assert answer.data.pack["goal"] == "g"
    assert any("2 goals" in hint.text for hint in answer.hints)
    assert answer.data.sidecar["sources"]["packs"] == [IDS[1], IDS[2]]


@pytest.mark.parametrize("document", [None, [], {}, {"packId": "x"}, pack(1, extra=1), pack(1, goal=7), "text"])
def test_a_document_that_is_not_a_pack_is_named(document: Any) -> None:
    with pytest.raises(InvalidRequest, match=r"bad\.json is not a valid turn pack"):
        merge([("good.json", pack(1)), ("bad.json", document)])


def test_through_the_command_line(tmp_path: Path, conforms: Any) -> None:
    for number in (1, 2):
        (tmp_path / f"{number}.json").write_text(json.dumps(pack(number, definitionOfDone=[str(number)])))
    ran = ctxpack("turn", "merge", "2.json", "1.json", "--sidecar", "s.json", cwd=tmp_path)
    conforms(ran.data, "turn_pack")
    conforms(json.loads((tmp_path / "s.json").read_bytes()), "turn_sidecar")
    assert ran.data["definitionOfDone"] == ["1", "2"]
    text = ctxpack("turn", "merge", "2.json", "1.json", "--format", "text", cwd=tmp_path)
    assert text.out.startswith(b"GOAL: g\nDONE WHEN: 1\n")
    assert ctxpack("turn", "merge", cwd=tmp_path).code == 2
    assert ctxpack("turn", "merge", "none.json", cwd=tmp_path).error["code"] == "io_error"


names = st.sampled_from(["a", "b", "docs/PLAN.md", "ü"])
packs = st.builds(
    pack,
    st.integers(0, 2),
    definitionOfDone=st.lists(names, max_size=3),
    docRefs=st.lists(
        st.fixed_dictionaries({"path": names, "priority": st.sampled_from(["low", "medium", "high"])}), max_size=3
    ),
    relevantFiles=st.lists(st.fixed_dictionaries({"path": names, "excerpt": st.text(max_size=300)}), max_size=3),
    artifacts=st.lists(
        st.fixed_dictionaries(
            {
                "ref": st.sampled_from(["error:1", "failed:2", "x"]),
                "type": st.just("log"),
                "summary": st.text(max_size=200),
            }
        ),
        max_size=3,
    ),
)


@settings(max_examples=100, deadline=None)
@given(documents=st.lists(packs, min_size=1, max_size=3), limit=st.integers(1, 400))
def test_any_packs_merge_in_any_order_to_the_same_valid_pack(
    conforms: Any, documents: list[dict[str, Any]], limit: int
) -> None:
    distinct = {one["packId"]: one for one in documents}.values()
    answer = merge([("p", one) for one in distinct], max_tokens=limit)
    conforms(answer.data.pack, "turn_pack")
    conforms(answer.data.sidecar, "turn_sidecar")
    assert merge([("q", one) for one in reversed(list(distinct))], max_tokens=limit).data.pack == answer.data.pack
    size = len(json.dumps(answer.data.pack, ensure_ascii=False, separators=(",", ":")).encode())
    assert size <= 4 * limit or answer.data.sidecar["budget"]["over"]
    paths = {ref["path"] for one in distinct for ref in one["docRefs"]}
    assert {ref["path"] for ref in answer.data.pack["docRefs"]} == paths
