"""The rules of the turn pack, one by one."""

from __future__ import annotations

import hashlib
import json
import math
import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from recipe_shell import ctxpack
from turn_projects import REQUEST, TurnProject, no_index

from context_pack.kinds.turn import answer
from context_pack.kinds.turn.excerpts import excerpts
from context_pack.kinds.turn.pack import is_evidence
from context_pack.kinds.turn.text import render as as_text
from contracts.errors import InvalidRequest

pytestmark = pytest.mark.slow


@pytest.fixture
def project(tmp_path: Path) -> TurnProject:
    return TurnProject(tmp_path / "project")


@pytest.fixture
def empty(tmp_path: Path) -> TurnProject:
    return TurnProject(tmp_path / "empty", example=False)


def tokens(pack: dict[str, Any]) -> int:
    return math.ceil(len(json.dumps(pack, ensure_ascii=False, separators=(",", ":")).encode()) / 4)


def by(field: str, key: str, pack: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {entry[key]: entry for entry in pack.get(field, [])}


# Step 1: docs


def test_documents_come_by_priority_then_by_the_list_then_by_path(empty: TurnProject) -> None:
    for name in ("zebra", "overview", "ARCHITECTURE", "Decisions", "b/notes", "acceptance", "a/PLAN", "PLAN", "apple"):
        empty.write(f"docs/{name}.md", f"# {name}\n")
    empty.write("docs/picture.png", b"\x89PNG")
    empty.write("other/PLAN.md", "# not under docsRoot\n")
    found = [(ref["path"], ref["priority"]) for ref in empty.pack()["docRefs"]]
    assert found == [
        ("docs/PLAN.md", "high"), ("docs/a/PLAN.md", "high"), ("docs/acceptance.md", "high"),
        ("docs/ARCHITECTURE.md", "high"), ("docs/Decisions.md", "medium"), ("docs/overview.md", "medium"),
        ("docs/apple.md", "low"), ("docs/b/notes.md", "low"), ("docs/zebra.md", "low"),
    ]  # fmt: skip


def test_a_number_before_the_name_of_a_document_does_not_count(empty: TurnProject) -> None:
    for name in ("01-plan", "2024", "02_Decisions", "10. Overview", "3 ARCHITECTURE", "01-plans"):
        empty.write(f"docs/{name}.md", f"# {name}\n")
    assert [(ref["path"], ref["priority"]) for ref in empty.pack()["docRefs"]] == [
        ("docs/01-plan.md", "high"), ("docs/3 ARCHITECTURE.md", "high"), ("docs/02_Decisions.md", "medium"),
        ("docs/10. Overview.md", "medium"), ("docs/01-plans.md", "low"), ("docs/2024.md", "low"),
    ]  # fmt: skip


@pytest.mark.parametrize("docs_root", ["/guide", "guide", "/guide/", "guide/deep/.."])
def test_docs_root_is_a_path_from_the_root(empty: TurnProject, docs_root: str) -> None:
    empty.write("guide/PLAN.md", "# Plan\n")
    if ".." in docs_root:
        with pytest.raises(InvalidRequest, match="docsRoot"):
            empty.pack({"docsRoot": docs_root})
        return
    pack = empty.pack({"docsRoot": docs_root})
    assert pack["docsRoot"] == docs_root
    assert [ref["path"] for ref in pack["docRefs"]] == ["guide/PLAN.md"]


def test_docs_root_is_docs_by_default(empty: TurnProject) -> None:
    empty.write("docs/PLAN.md", "# Plan\n")
    assert empty.pack()["docsRoot"] == "/docs"


def test_a_missing_docs_root_gives_no_documents_and_a_hint(empty: TurnProject) -> None:
    turn, hints = empty.turn()
    assert turn.pack["docRefs"] == []
    assert any("there is no folder /docs" in hint for hint in hints)


def test_a_document_shows_its_best_lines_and_their_headings(empty: TurnProject) -> None:
    filler = "".join(f"## Part {n}\n\nwords about nothing in particular, number {n}\n\n" for n in range(60))
    empty.write("docs/ACCEPTANCE.md", f"# Acceptance\n\n{filler}## Backoff\n\nThe backoff delay is capped.\n\n{filler}")
    ref = empty.pack()["docRefs"][0]
    assert "The backoff delay is capped." in ref["excerpt"]
    assert "backoff" in ref["anchors"]
    assert "lines" in ref["excerpt"] and "left out" in ref["excerpt"]
    assert ref["excerpt"].count("\n") < 60


def test_a_comment_in_fenced_code_is_no_heading_of_a_document(empty: TurnProject) -> None:
    empty.write(
        "docs/PLAN.md", "# Plan\n\n```sh\n# set the backoff delay\nrun\n```\n\n## The `backoff_delay`\n\nCapped.\n"
    )
    assert empty.pack()["docRefs"][0]["anchors"] == ["plan", "the-backoff_delay"]


@pytest.mark.parametrize("open_code", [None, no_index])
def test_of_many_documents_the_closest_ones_and_the_folders_of_the_others_are_named(
    empty: TurnProject, open_code: Any
) -> None:
    for number in range(24):
        for folder in ("", "api/", "guide/deep/"):
            empty.write(f"docs/{folder}page{number:02}.md", f"# Page {number}\n")
    empty.write("docs/api/backoff-delay.md", "# Backoff delay\n\nThe delay of a backoff.\n")
    empty.write("docs/guide/PLAN.md", "# Plan\n")
    turn, hints = empty.turn(**({"open_code": open_code} if open_code else {}))
    refs = {ref["path"]: ref.get("excerpt") for ref in turn.pack["docRefs"]}
    assert next(iter(refs)) == "docs/guide/PLAN.md"
    assert "docs/api/backoff-delay.md" in refs
    assert ("docs/" in refs, refs["docs/api/"], refs["docs/guide/"]) == (
        True, "24 more documents", "24 more documents",
    )  # fmt: skip
    named = sum(path.endswith(".md") for path in refs)
    assert f"docRefs: {74 - named} of 74 documents are named by their folders only" in hints
    assert not any(file["path"].startswith("docs/") for file in turn.pack.get("relevantFiles", []))


def test_of_documents_in_many_folders_only_their_root_is_named(empty: TurnProject) -> None:
    for number in range(300):
        empty.write(f"docs/part{number:03}/page.md", "# Page\n")
    empty.write("docs/[a]/backoff.md", "# Backoff\n\nThe backoff delay.\n")
    assert [(ref["path"], ref.get("excerpt")) for ref in empty.pack()["docRefs"]] == [
        ("docs/", "300 more documents"), ("docs/[a]/backoff.md", None),
    ]  # fmt: skip


def test_a_folder_in_place_of_documents_comes_with_those_of_low_priority_whatever_its_name(empty: TurnProject) -> None:
    for number in range(61):
        empty.write(f"docs/decisions/{number:04}.md", "# Decision\n")
    empty.write("docs/ACCEPTANCE.md", "# Acceptance\n")
    empty.write("docs/OVERVIEW.md", "# Overview\n")
    assert [ref["path"] for ref in empty.pack()["docRefs"]] == [
        "docs/ACCEPTANCE.md", "docs/OVERVIEW.md", "docs/decisions/",
    ]  # fmt: skip


# Step 2: deltas


def test_each_file_changed_since_the_base_has_a_diff(project: TurnProject) -> None:
    project.write("gone.txt", "a\n")
    project.write("data.bin", bytes(range(256)))
    base = project.commit()
    project.write(
        "src/ws/retry.ts", "export function backoffSeconds(n: number): number {\n  return Math.min(30, 2 ** n);\n}\n"
    )
    project.write("data.bin", bytes(reversed(range(256))))
    project.write("src/new file ü.ts", "export const x = 1;\n")
    (project.root / "gone.txt").unlink()
    pack = project.pack({"base": base})
    found = by("artifacts", "ref", pack)
    assert sorted(found) == ["diff:data.bin", "diff:gone.txt", "diff:src/new file ü.ts", "diff:src/ws/retry.ts"]
    assert found["diff:data.bin"]["summary"] == "modified, binary"
    assert found["diff:gone.txt"]["summary"] == "deleted, +0 -1"
    assert found["diff:src/new file ü.ts"]["summary"] == "new"
    retry = found["diff:src/ws/retry.ts"]["summary"]
    assert retry.startswith("modified, +2 -3\n@@ ")
    assert "+  return Math.min(30, 2 ** n);" in retry.split("\n")
    assert {entry["type"] for entry in found.values()} == {"diff"}
    assert "gone.txt" not in by("relevantFiles", "path", pack)


def test_the_base_may_be_any_name_of_a_commit(project: TurnProject) -> None:
    first = project.commit()
    project.git("tag", "last-turn")
    project.write("a.txt", "x\n")
    project.commit()
    for name in ("last-turn", "HEAD~1", "main~1", first[:10]):
        turn, _ = project.turn({"base": name})
        assert turn.sidecar["sources"]["baseCommit"] == first
        assert list(by("artifacts", "ref", turn.pack)) == ["diff:a.txt"]


def test_only_changes_below_the_root_count(tmp_path: Path) -> None:
    outer = TurnProject(tmp_path / "outer", example=False)
    outer.write("outside.txt", "a\n")
    outer.write("inner/inside.txt", "a\n")
    base = outer.commit()
    outer.write("outside.txt", "b\n")
    outer.write("inner/inside.txt", "b\n")
    inner = TurnProject(outer.root / "inner", example=False)
    assert list(by("artifacts", "ref", inner.pack({"base": base}))) == ["diff:inside.txt"]


def test_no_program_of_the_repository_runs(project: TurnProject, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    project.write(".gitattributes", "*.ts diff=evil filter=evil\n")
    base = project.commit()
    for key in ("diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "filter.evil.process", "diff.external",
                "core.fsmonitor", "core.pager", "core.hooksPath"):  # fmt: skip
        project.git("config", key, f"touch {mark};")
    project.git("config", "filter.evil.required", "true")
    project.write("src/ws/retry.ts", "changed\n")
    assert "diff:src/ws/retry.ts" in by("artifacts", "ref", project.pack({"base": base}))
    assert not mark.exists()


def test_settings_of_a_person_do_not_change_the_diff(project: TurnProject) -> None:
    base = project.commit()
    project.write("src/ws/retry.ts", "changed\n")
    plain = project.pack({"base": base})
    for key, value in (("diff.noprefix", "true"), ("diff.context", "0"), ("diff.algorithm", "patience"),
                       ("color.ui", "always"), ("diff.renames", "copies"), ("core.quotePath", "true"),
                       ("diff.mnemonicPrefix", "true"), ("diff.relative", "false")):  # fmt: skip
        project.git("config", key, value)
    assert project.pack({"base": base}) == plain


def test_errors_and_failed_tests_are_evidence(empty: TurnProject) -> None:
    request = {
        "errors": ["E1\n  at x", "E2", "E1\n  at x"],
        "testResults": [
            {"name": "t1", "status": "FAILED", "output": "boom"},
            {"name": "t2", "status": "passed", "output": "fine"},
            {"name": "t3", "status": "something new"},
        ],
    }
    pack = empty.pack(request)
    evidence = [entry["summary"] for entry in pack["artifacts"] if is_evidence(entry)]
    assert evidence == ["E1\n  at x", "E2", "t1: FAILED\nboom", "t3: something new"]
    passed = [entry for entry in pack["artifacts"] if not is_evidence(entry)]
    assert [(entry["type"], entry["summary"]) for entry in passed] == [("report", "t2: passed\nfine")]


# Step 3: relevant files


def test_files_by_goal_imports_and_ownership_with_purpose_excerpt_and_hash(project: TurnProject) -> None:
    project.write("src/util.ts", "export const one = 1;\n")
    project.write("src/app.ts", "x\n")
    base = project.commit()
    project.write("src/ws/client.ts", 'import { backoffSeconds } from "./retry";\n')
    edges = {("src/ws/client.ts", "imports"): ["src/ws/retry.ts"], ("src/app.ts", "imports"): ["src/ws/client.ts"]}
    found = by(
        "relevantFiles", "path",
        project.pack({"base": base, "ownership": {"src/util.ts": "platform team", "/src/bill*": ""}}, edges=edges),
    )  # fmt: skip
    assert "changed since the last turn (modified" in found["src/ws/client.ts"]["purpose"]
    assert "used by src/ws/client.ts, which changed" in found["src/ws/retry.ts"]["purpose"]
    assert "uses src/ws/client.ts, which changed" in found["src/app.ts"]["purpose"]
    assert "owned as src/util.ts: platform team" in found["src/util.ts"]["purpose"]
    assert "owned as /src/bill*" in found["src/billing.ts"]["purpose"]
    for path, entry in found.items():
        data = (project.root / path).read_bytes()
        assert entry["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
        excerpt = set[str]() if path == "src/ws/client.ts" else {"excerpt"}  # the diff shows all of the other one
        assert set(entry) == {"path", "purpose", "hash"} | excerpt


def test_documents_and_the_request_itself_are_no_relevant_files(project: TurnProject) -> None:
    asked = {"goal": "Cap what backoffSeconds gives", "entities": ["backoffSeconds"]}
    paths = by("relevantFiles", "path", project.pack(asked, own_files=[str(project.root / "request.json")]))
    assert "src/ws/retry.ts" in paths
    assert not [path for path in paths if path.startswith("docs/") or path == "request.json"]


def test_the_most_relevant_diffs_and_files_keep_their_excerpts(empty: TurnProject) -> None:
    for number in range(12):
        empty.write(f"src/other{number}.ts", "a\n" * 40)
    empty.write("src/backoff.ts", "cap the backoff delay\n" * 40)
    base = empty.commit()
    for number in range(12):
        empty.write(f"src/other{number}.ts", f"{'b' * 60}\n" * 40)
    pack = empty.pack({"base": base}, max_tokens=2_500)
    best = pack["relevantFiles"][0]
    assert best["path"] == "src/backoff.ts"
    assert "excerpt" in best
    assert any("\n" not in one["summary"] for one in pack["artifacts"])


def test_a_budget_chooses_how_many_files_are_looked_at(empty: TurnProject) -> None:
    for number in range(60):
        empty.write(f"src/f{number:02}.ts", "backoff delay\n")
    small, hints = empty.turn(max_tokens=6_000)
    large, _ = empty.turn(max_tokens=20_000, reason="investigation")
    assert (len(small.pack["relevantFiles"]), len(large.pack["relevantFiles"])) == (12, 40)
    assert any("the best 12 of 24 files" in hint for hint in hints)


def test_an_entity_counts_in_files_that_contain_it(project: TurnProject) -> None:
    pack = project.pack({"goal": "zzz", "entities": ["backoffSeconds", "  "]})
    found = by("relevantFiles", "path", pack)
    assert set(found) == {"src/ws/retry.ts", "src/ws/retry.test.ts", "src/ws/client.ts", "request.json"}
    assert all("contains backoffSeconds" in entry["purpose"] for entry in found.values())


def test_an_excerpt_shows_the_lines_about_the_goal(empty: TurnProject) -> None:
    lines = [f"line {n} of a long file that says nothing" for n in range(300)]
    lines[211] = "const backoffDelay = cap(delay);"
    empty.write("src/long.ts", "\n".join(lines))
    excerpt = by("relevantFiles", "path", empty.pack(max_tokens=800))["src/long.ts"]["excerpt"]
    assert lines[211] in excerpt.split("\n")
    assert "// ... lines" in excerpt
    assert len(excerpt) < 2_500


def test_excerpts_are_as_long_as_the_budget_allows(empty: TurnProject) -> None:
    for name, points in (("best", "cap the backoff delay"), ("other", "backoff"), ("third", "delay")):
        empty.write(f"src/{name}.ts", f"// {points}\n" + "".join(f"step({n});\n" for n in range(300)))
    turn, hints = empty.turn()
    short, _ = empty.turn(max_tokens=1_100)
    assert all(one["excerpt"].endswith("step(299);") for one in turn.pack["relevantFiles"])
    assert not [hint for hint in hints if "to fit" in hint]
    assert [len(one["excerpt"]) < 2_000 for one in short.pack["relevantFiles"]] == [False, True, True]
    assert short.sidecar["budget"]["usedTokens"] > 0.85 * 1_100
    for sidecar in (turn.sidecar, short.sidecar):
        assert {entry["shown"] for entry in sidecar["entries"]} == {"excerpt"}


def test_the_better_answer_gets_the_longer_excerpt(empty: TurnProject) -> None:
    for name, points in (("a", "delay"), ("b", "cap the backoff delay"), ("c", "backoff")):
        empty.write(f"src/{name}.ts", f"// {points}\n" + "".join(f"step({n});\n" for n in range(2_000)))
    files = empty.pack(max_tokens=3_000)["relevantFiles"]
    assert [one["path"] for one in files] == ["src/b.ts", "src/a.ts", "src/c.ts"]
    best, *others = (len(one["excerpt"]) for one in files)
    assert all(best > 2 * other > 1_000 for other in others)


def test_what_json_escapes_counts_as_it_is_printed_and_the_rest_goes_to_the_best_excerpts(empty: TurnProject) -> None:
    """A room that is estimated in characters of the files left up to a third of the budget unused."""
    for name in ("a", "b", "c"):
        empty.write(f"src/{name}.ts", "// the backoff delay\n" + '\tsay("x");\n' * 4_000)
    for max_tokens in (1_500, 3_000, 6_000):
        budget = empty.turn(max_tokens=max_tokens)[0].sidecar["budget"]
        assert 0.9 * max_tokens < budget["usedTokens"] <= max_tokens


def test_an_excerpt_shows_the_first_lines_of_the_definitions_around_its_lines(
    empty: TurnProject, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    steps = "".join(f"        self.wait({n})\n" for n in range(60))
    methods = "".join(f"\n    def run_{n}(self):\n{steps}        self.backoff_delay({n})\n{steps}" for n in range(9))
    empty.write("src/steps.py", f"class Steps:{methods}\n\nlimits = [\n    1,\n]\n# backoff delay\n")
    pack = answer({**REQUEST, "goal": "backoff delay of step seven"}, empty.root, max_tokens=900).data.pack
    lines = by("relevantFiles", "path", pack)["src/steps.py"]["excerpt"].split("\n")
    shown = [line for line in lines if re.search("class|def |backoff_delay", line)]
    assert lines[0] == "class Steps:" == shown[0]
    assert len(shown) > 4
    for number in (n for n in range(9) if f"        self.backoff_delay({n})" in lines):
        assert f"    def run_{number}(self):" in lines


def test_a_file_shows_the_places_that_make_it_relevant(
    empty: TurnProject, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    padding = "".join(f"VALUE_{n} = {n}\n" for n in range(300))
    body = "def flush_all(rows):\n    for row in rows:\n        row.write()\n"
    empty.write("src/stop.py", "from src.rows import flush_all\n\ndef stop_backoff():\n    flush_all([])\n")
    empty.write("src/rows.py", padding + body + padding)
    empty.write("src/other.py", padding + body + padding)
    base = empty.commit()
    empty.write("src/other.py", padding + body.replace("write", "put") + padding)
    request = {**REQUEST, "goal": "stop the backoff", "entities": ["stop_backoff"], "base": base}
    pack = answer(request, empty.root, max_tokens=1_200).data.pack
    files = by("relevantFiles", "path", pack)
    assert "        row.write()" in files["src/rows.py"]["excerpt"].split("\n")  # which an answer calls
    assert "+        row.put()" in by("artifacts", "ref", pack)["diff:src/other.py"]["summary"].split("\n")
    around = files["src/other.py"]["excerpt"].split("\n")
    assert "VALUE_296 = 296" in around  # before the lines of the diff, which are not shown again
    assert not {"VALUE_299 = 299", "def flush_all(rows):", "        row.put()"}.intersection(around)
    assert "contains stop_backoff (line 3)" in files["src/stop.py"]["purpose"]


def test_definitions_of_an_index_that_is_older_than_the_file_are_no_fault() -> None:
    assert excerpts("a = 1\nbackoff\n", ["backoff"], [(9, 99)], definitions=[(1, 2), (50, 60)]) == ["a = 1\nbackoff"]


def test_a_file_that_its_diff_shows_has_no_excerpt(empty: TurnProject) -> None:
    empty.write("src/old.py", "OLD = 1\n")
    base = empty.commit()
    empty.write("src/stop.py", "def stop_backoff(delay):\n    return min(delay, 3)\n")
    empty.commit()
    for max_tokens in (300, 600, 6_000):
        pack = empty.pack({**REQUEST, "base": base}, max_tokens=max_tokens)
        assert "+def stop_backoff" in by("artifacts", "ref", pack)["diff:src/stop.py"]["summary"]
        assert "excerpt" not in by("relevantFiles", "path", pack)["src/stop.py"]


def test_no_excerpt_repeats_a_line_of_a_diff_with_a_redacted_key(empty: TurnProject) -> None:
    empty.write("src/old.py", "OLD = 1\n")
    base = empty.commit()
    rows = "".join(f"MIIEowIBAAKCAQEA{number:048d}\n" for number in range(12))
    key = f'KEY = """-----BEGIN RSA PRIVATE KEY-----\n{rows}-----END RSA PRIVATE KEY-----"""\n'
    empty.write("src/stop.py", key + "".join(f"BACKOFF_DELAY_{n} = {n}\n" for n in range(100)))
    empty.commit()
    pack = empty.pack({**REQUEST, "base": base})
    diff = {line[1:] for line in by("artifacts", "ref", pack)["diff:src/stop.py"]["summary"].split("\n")}
    excerpt = by("relevantFiles", "path", pack)["src/stop.py"]["excerpt"].split("\n")
    assert "[REDACTED:private_key]" in "\n".join(diff) and "BACKOFF_DELAY_20 = 20" in diff
    assert "BACKOFF_DELAY_99 = 99" in excerpt and diff.isdisjoint(excerpt)


def test_a_notebook_shows_the_source_of_its_cells(empty: TurnProject) -> None:
    picture = {"output_type": "display_data", "data": {"text/plain": ["x\n"] * 50}}
    cells = [
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [picture],
            "source": [f"delay = backoff({n})\n", "show(delay)"],
        }
        for n in range(3)
    ]
    empty.write("waits.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, indent=1))
    excerpt = by("relevantFiles", "path", empty.pack())["waits.ipynb"]["excerpt"]
    code = [line for line in excerpt.split("\n") if line and "left out" not in line]
    assert code == [line for n in range(3) for line in ("# %%", f"delay = backoff({n})", "show(delay)")]


def test_long_excerpts_shrink_to_the_usual_ones_before_any_is_left_out(empty: TurnProject) -> None:
    for number in range(8):
        empty.write(f"src/f{number}.ts", "// the backoff delay\n" + f"step({number});\n" * 3_000)
    files = empty.pack(max_tokens=3_000)["relevantFiles"]
    lengths = [len(one["excerpt"]) for one in files]
    assert len(lengths) == 8
    assert lengths[0] > 2_000
    assert lengths[-1] < 1_600


def test_an_excerpt_that_cannot_be_shorter_is_not_left_out_before_the_others_are_short(empty: TurnProject) -> None:
    for number in range(8):
        line = f"// the backoff delay {'of carts ' * 5}\n"
        empty.write(f"src/f{number}.ts", line * (800 if number < 4 else 12))
    files = empty.pack(max_tokens=3_000)["relevantFiles"]
    assert [one["path"] for one in files if "excerpt" in one] == [f"src/f{number}.ts" for number in range(8)]


def test_the_files_that_failures_name_are_relevant_and_show_these_lines(
    empty: TurnProject, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    lines = [f"def step_{n}(delay):\n    return delay + {n}\n" for n in range(200)]
    empty.write("src/steps.py", "\n".join(lines))
    empty.write("src/other.py", "def other():\n    raise ValueError('the sky fell on us today')\n")
    request = {
        **REQUEST,
        "errors": ["src/steps.py:301:5: error: bad operand", "ValueError: the sky fell on us today"],
        "testResults": [{"name": "t", "status": "passed", "output": "src/unused.py:1: fine"}],
    }
    files = by("relevantFiles", "path", answer(request, empty.root).data.pack)
    assert "a failure names step_100 (line 301)" in files["src/steps.py"]["purpose"]
    assert "return delay + 100" in files["src/steps.py"]["excerpt"]
    assert "a failure names other (line 2)" in files["src/other.py"]["purpose"]


def test_of_files_that_only_changed_code_comes_before_tests_and_tests_before_data(empty: TurnProject) -> None:
    empty.write("z.txt", "x")
    base = empty.commit()
    for path in ("a.json", "b/tests/test_b.py", "c.py"):
        empty.write(path, "1\n")
    pack = empty.pack({"base": base})
    assert [one["ref"] for one in pack["artifacts"]] == ["diff:c.py", "diff:b/tests/test_b.py", "diff:a.json"]
    assert [one["path"] for one in pack["relevantFiles"]][:3] == ["c.py", "b/tests/test_b.py", "a.json"]


def test_binary_and_huge_files_are_named_and_not_shown(empty: TurnProject) -> None:
    empty.write("src/a.bin", b"backoff\0delay")
    empty.write("src/huge.txt", "backoff delay\n" * 100_000)
    turn, hints = empty.turn({"ownership": {"src/**": "us"}})
    found = by("relevantFiles", "path", turn.pack)
    for path in ("src/a.bin", "src/huge.txt"):
        assert "excerpt" not in found[path]
        assert found[path]["purpose"].endswith("not shown")
        assert any(path in hint for hint in hints)


def test_without_an_index_the_changed_files_are_still_relevant(project: TurnProject) -> None:
    base = project.commit()
    project.write("src/ws/retry.ts", "changed\n")
    turn, hints = project.turn({"base": base}, open_code=no_index)
    assert list(by("relevantFiles", "path", turn.pack)) == ["src/ws/retry.ts"]
    assert any("the index could not be used" in hint for hint in hints)


# Step 5: the budget


def test_the_default_budget_is_6000_tokens_of_minified_json(empty: TurnProject) -> None:
    for number in range(30):
        empty.write(f"src/f{number}.ts", f"const backoff = delay; // {'x' * 90}\n" * 400)
    turn, hints = empty.turn({"errors": ["x" * 4_000]})
    assert turn.sidecar["budget"]["maxTokens"] == 6_000
    assert turn.sidecar["budget"]["usedTokens"] == tokens(turn.pack) <= 6_000
    assert any("entries were shortened" in hint for hint in hints)
    assert tokens(empty.pack(max_tokens=20_000, reason="refactor")) > 6_000


@pytest.mark.parametrize(
    ("options", "fine"),
    [
        ({"max_tokens": 6_000}, True), ({"max_tokens": 6_001}, False), ({"max_tokens": 20_000}, False),
        ({"max_tokens": 20_000, "reason": "investigation"}, True), ({"max_tokens": 6_001, "reason": "refactor"}, True),
        ({"max_tokens": 9_000, "reason": "verification_failure"}, True),
        ({"max_tokens": 20_001, "reason": "refactor"}, False),
        ({"max_tokens": 0}, False), ({"max_tokens": -5}, False), ({"max_tokens": True}, False),
        ({"max_tokens": 1.5}, False), ({"reason": "because"}, False), ({"reason": "investigation"}, True),
    ],
)  # fmt: skip
def test_more_than_6000_tokens_need_a_reason(project: TurnProject, options: dict[str, Any], fine: bool) -> None:
    if fine:
        turn, _ = project.turn(**options)
        assert turn.sidecar["budget"]["maxTokens"] == options.get("max_tokens", 6_000)
        assert turn.sidecar.get("reason") == options.get("reason")
    else:
        with pytest.raises(InvalidRequest):
            project.pack(**options)


def test_entries_shrink_step_by_step_and_the_floor_never(project: TurnProject) -> None:
    request = {
        "errors": ["boom\n" * 20],
        "constraints": {"a": 1},
        "decisions": [{"id": "D", "summary": "s", "rationale": "r" * 200}],
    }
    whole = project.pack(request)
    floor = [one for one in whole["artifacts"] if is_evidence(one)]
    seen: set[str] = set()
    for limit in range(tokens(whole), 60, -25):
        turn, _ = project.turn(request, max_tokens=limit)
        pack = turn.pack
        assert (pack["goal"], pack["definitionOfDone"]) == (whole["goal"], whole["definitionOfDone"])
        assert [ref["path"] for ref in pack["docRefs"]] == [ref["path"] for ref in whole["docRefs"]]
        assert [one for one in pack["artifacts"] if is_evidence(one)] == floor
        assert tokens(pack) <= limit or turn.sidecar["budget"]["over"]
        seen |= {one["shown"] for one in turn.sidecar["entries"]}
    assert turn.sidecar["budget"]["over"]
    assert seen == {"excerpt", "summary", "reference", "dropped"}
    assert "relevantFiles" not in pack and "constraints" not in pack


def test_a_floor_over_the_budget_is_emitted_and_flagged(project: TurnProject) -> None:
    turn, hints = project.turn({"errors": ["x" * 4_000]}, max_tokens=500)
    assert turn.sidecar["budget"]["over"]
    assert turn.sidecar["budget"]["over"] is True
    assert turn.sidecar["budget"]["floorTokens"] == turn.sidecar["budget"]["usedTokens"] == tokens(turn.pack) > 500
    assert any(hint.startswith("over budget") for hint in hints)
    assert "relevantFiles" not in turn.pack
    assert "x" * 4_000 in [entry["summary"] for entry in turn.pack["artifacts"]]


def test_the_counter_can_be_another(project: TurnProject) -> None:
    def words(text: str) -> int:
        return len(text.split())

    turn, _ = project.turn(max_tokens=60, counter=words)
    assert words(json.dumps(turn.pack, ensure_ascii=False, separators=(",", ":"))) <= 60
    assert turn.sidecar["budget"]["counter"] == "words"


def test_text_is_counted_as_it_is_printed(project: TurnProject) -> None:
    for limit in (300, 500, 900):
        turn, _ = project.turn(max_tokens=limit, render=as_text)
        printed = as_text(turn.pack)
        assert math.ceil(len(printed.encode()) / 4) == turn.sidecar["budget"]["usedTokens"] <= limit
        assert REQUEST["goal"] in printed
        assert "docs/PLAN.md (high)" in printed


# Step 6: pack and provenance


def test_the_id_is_a_uuid5_of_the_content(project: TurnProject) -> None:
    pack = project.pack()
    assert uuid.UUID(pack["packId"]).version == 5
    assert project.pack()["packId"] == pack["packId"]
    assert project.pack({"goal": "Cap the backoff delay!"})["packId"] != pack["packId"]
    assert "createdAt" not in pack
    dated = project.pack({"createdAt": "2026-01-01T00:00:00Z"})
    assert dated["createdAt"] == "2026-01-01T00:00:00Z"
    assert dated["packId"] != pack["packId"]
    content = {name: value for name, value in pack.items() if name != "packId"}
    canonical = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert uuid.uuid5(uuid.uuid5(uuid.NAMESPACE_URL, "urn:ctxpack:turn:v1"), canonical) == uuid.UUID(pack["packId"])


def test_every_optional_field_passes_through(empty: TurnProject, conforms: Any) -> None:
    fields = {
        "runId": "r", "nodeId": "n", "createdAt": "2026-01-01T00:00:00+01:00", "nodeMode": "interactive",
        "workspace": {"mode": "worktree", "rootPath": ".w", "worktreePath": ".w/1", "branch": "b"},
        "repoFacts": {"language": "ts"}, "inputs": [{"payloadId": "p", "fromNodeId": "x", "edgeId": "e"}],
        "artifacts": [{"ref": "artifact://log", "type": "log", "summary": "s", "sha256": "0" * 64}],
        "decisions": [{"id": "D-1", "summary": "s", "rationale": "r", "links": ["docs/a.md"]}],
        "constraints": {"noNewDependencies": True}, "toolPolicy": {"allowed": ["read"]}, "outputSchemaRef": "schema://x",
    }  # fmt: skip
    pack = empty.pack(fields)
    conforms(pack, "turn_pack")
    assert {name: pack[name] for name in fields} == fields


def test_the_sidecar_says_where_everything_comes_from(project: TurnProject, conforms: Any) -> None:
    base = project.commit()
    project.write("src/ws/retry.ts", "changed\n")
    turn, _ = project.turn({"base": base, "errors": ["boom"]}, max_tokens=180)
    conforms(turn.sidecar, "turn_sidecar")
    sources = turn.sidecar["sources"]
    assert sources["baseCommit"] == base
    assert sources["modelId"] == "stand-in"
    entries = {f"{one['field']}:{one['id']}": one for one in turn.sidecar["entries"]}
    assert entries["artifacts:diff:src/ws/retry.ts"]["source"] == f"git diff {base[:12]} -- src/ws/retry.ts"
    assert all(one["why"] for one in entries.values())
    in_pack = {ref["path"] for ref in turn.pack["docRefs"]} | {one["ref"] for one in turn.pack["artifacts"]}
    assert in_pack <= {one["id"] for one in entries.values() if one["shown"] != "dropped"}
    assert any(one["shown"] == "dropped" for one in entries.values())
    assert turn.sidecar["packId"] == turn.pack["packId"]
    for one in turn.sidecar["entries"]:
        if one["field"] in ("docRefs", "relevantFiles"):
            data = (project.root / one["id"]).read_bytes()
            assert one["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONHASHSEED": "0"},
        {"LC_ALL": "sv_SE.UTF-8", "PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu"},
        {"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2"},
    ],
)
def test_the_same_request_and_tree_give_the_same_bytes(
    tmp_path: Path, conforms: Any, environment: dict[str, str]
) -> None:
    """Tested through the command line and the real index, with files written in another order."""
    outputs = []
    for number in (0, 1):
        project = TurnProject(tmp_path / f"tree{number}", example=False)
        example = TurnProject(tmp_path / f"example{number}")
        files = sorted(path for path in example.root.rglob("*") if path.is_file())
        for path in files if number else reversed(files):
            project.write(path.relative_to(example.root).as_posix(), path.read_bytes())
        sidecar = tmp_path / f"sidecar{number}.json"
        ran = ctxpack(
            "turn", "request.json", "--root", ".", "--max-tokens", 700, "--sidecar", sidecar, cwd=project.root,
            CTXPACK_CACHE_DIR=str(tmp_path / f"cache{number}"), **(environment if number else {}),
        )  # fmt: skip
        conforms(ran.envelope, "envelope")
        conforms(ran.data, "turn_pack")
        conforms(json.loads(sidecar.read_bytes()), "turn_sidecar")
        outputs.append((json.dumps(ran.data), sidecar.read_bytes(), json.dumps(ran.envelope["hints"])))
    assert outputs[0] == outputs[1]
    assert by("relevantFiles", "path", json.loads(outputs[0][0]))["src/ws/retry.ts"]["purpose"]
