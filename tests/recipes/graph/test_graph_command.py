"""`ctxpack graph` from the shell: answers, failures, exit codes, and the same bytes everywhere."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import toon_format
from graph_building import write_config, write_node
from recipe_shell import copied, ctxpack

FORMATS = ("md", "json", "toon", "xml")
# Swedish sorts å, ä, ö after z; setting the locale must not change anything even if it is not installed.
LOCALES = ("C", "C.UTF-8", "sv_SE.UTF-8")
STAMPED = re.compile(rb'generated_at"?>?:? ?"?20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ')


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_node(tmp_path, "task-1", epic="epic-1", relates=["rule-1", "rule-2", "rule-3"], next="task-2", priority=1)
    write_node(tmp_path, "task-2", prev="task-1")
    write_node(tmp_path, "epic-1", relates=["edd-1"])
    write_node(tmp_path, "edd-1")
    for number, title in enumerate(["Ängel", "zebra", "Ödla"], 1):
        write_node(tmp_path, f"rule-{'abc'[number - 1]}", title=title)
        write_node(tmp_path, f"rule-{number}", title=title, relates=["rule-a", "rule-b", "rule-c"])
    (tmp_path / ".mdkg/core/core.md").write_text("# pins\nrule-a\n")
    return tmp_path


def test_every_format_is_one_document(project: Path, conforms: Any) -> None:
    data = ctxpack("graph", "task-1", "--root", project, "--format", "json", "--no-timestamp").data
    conforms(data, "graph")
    assert data["meta"]["node_count"] == 9
    toon = ctxpack("graph", "task-1", "--root", project, "--format", "toon", "--no-timestamp").out
    assert toon_format.loads(toon.decode()) == data
    parsed = ElementTree.fromstring(ctxpack("graph", "task-1", "--root", project, "--format", "xml").out)
    assert [one.text for one in parsed.findall("nodes/node/qid")] == [node["qid"] for node in data["nodes"]]
    text = ctxpack("graph", "task-1", "--root", project).out.decode()
    assert re.findall(r"^- (\S+)$", text, re.MULTILINE) == [node["qid"] for node in data["nodes"]]


def test_the_envelope_is_valid(project: Path, conforms: Any) -> None:
    ran = ctxpack("graph", "task-1", "--root", project, "--format", "json", "--explain", "--max-nodes", 2)
    conforms(ran.envelope, "envelope")
    conforms(ran.data, "graph")
    assert [one["limit"] for one in ran.data["left_out"]] == ["max_nodes"] * 7
    assert {hint["type"] for hint in ran.envelope["hints"]} == {"warn", "action"}


def test_titles_follow_code_points_under_every_locale(project: Path) -> None:
    data = ctxpack("graph", "rule-1", "--root", project, "--format", "json", LC_ALL="sv_SE.UTF-8").data
    assert [node["title"] for node in data["nodes"]][1:] == ["zebra", "Ängel", "Ödla"]


@pytest.mark.parametrize("form", FORMATS)
def test_only_the_timestamp_differs(project: Path, form: str) -> None:
    runs = [ctxpack("graph", "task-1", "--root", project, "--format", form, "--no-timestamp").out for _ in range(2)]
    stamped = ctxpack("graph", "task-1", "--root", project, "--format", form).out
    without_meta = [re.sub(rb'"duration_ms":\{[^}]*\}', b"", run) for run in runs]
    assert without_meta[0] == without_meta[1]
    assert len(STAMPED.findall(stamped)) == 1
    assert not STAMPED.search(runs[0])


def test_the_same_bytes_under_locales_hash_seeds_and_shuffled_files(project: Path, tmp_path_factory: Any) -> None:
    """Files written in another order and another folder, queried with another locale and hash seed."""
    files = sorted(path for path in project.rglob("*") if path.is_file())
    arguments = ("task-1", "--verbose", "--edges", "next,prev", "--explain", "--no-timestamp")
    for form in FORMATS:
        seen = set()
        for number, (locale, seed) in enumerate(itertools.product(LOCALES, "012")):
            random.Random(number).shuffle(files)
            copy = tmp_path_factory.mktemp("copy")
            copied(files, project, copy)
            ran = ctxpack("graph", *arguments, "--root", copy, "--format", form, LC_ALL=locale, PYTHONHASHSEED=seed)
            seen.add((ran.code, repr(ran.data) if form == "json" else ran.out, ran.err))
        assert len(seen) == 1, form


def test_a_warning_reaches_the_reader_of_every_format(project: Path) -> None:
    write_node(project, "task-3", relates=["gone-1"])
    (project / ".mdkg/work/broken.md").write_text("---\nid: x-1\n\n---\n")
    told = [
        ".mdkg/work/broken.md:3: a blank line (the file was left out)",
        ".mdkg/work/task-3.md: relates root:gone-1 was skipped: there is no such node",
    ]
    assert ctxpack("graph", "task-3", "--root", project, "--format", "json").warnings == told
    for form in ("md", "toon", "xml"):
        ran = ctxpack("graph", "task-3", "--root", project, "--format", form)
        assert ran.err.splitlines() == [f"ctxpack: warning: {text}" for text in told]
        assert ran.code == 0


def test_an_edge_to_a_broken_file_says_so(project: Path) -> None:
    write_node(project, "task-3", relates=["task-4"])
    write_node(project, "task-4").write_text("---\nid: task-4\ntype task\n---\n")
    ran = ctxpack("graph", "task-3", "--root", project, "--format", "json")
    assert ran.warnings[-1] == (
        ".mdkg/work/task-3.md: relates root:task-4 was skipped: its file is broken "
        "(.mdkg/work/task-4.md:3: expected key: value, not 'type task')"
    )


def test_a_broken_root_is_an_error_with_file_and_line(project: Path, conforms: Any) -> None:
    write_node(project, "task-4").write_text("---\nid: task-4\ntype: task\ntype: bug\n---\n")
    ran = ctxpack("graph", "task-4", "--root", project)
    conforms(ran.envelope, "envelope")
    assert (ran.code, ran.error["code"]) == (1, "invalid_request")
    assert ran.error["message"] == ".mdkg/work/task-4.md:4: the key type appears twice (first in line 3)"
    assert ran.error["details"] == {"field": "id", "file": ".mdkg/work/task-4.md", "line": 4}


def test_many_broken_files_are_counted(project: Path) -> None:
    for number in range(30):
        (project / f".mdkg/work/broken-{number:02}.md").write_text("x")
    warnings = ctxpack("graph", "task-2", "--root", project, "--format", "json").warnings
    assert len(warnings) == 21
    assert warnings[-1] == "10 more files with problems"


@pytest.mark.parametrize(
    ("arguments", "code", "error", "told"),
    [
        (["task-99"], 1, "not_found", "task-99"),
        (["api:task-1"], 1, "not_found", "api:task-1"),
        ([""], 1, "not_found", "the id is empty"),
        (["task-1", "--ws", "api"], 1, "invalid_request", "'api'"),
        (["task-1", "--edges", "likes"], 2, "invalid_request", "likes"),
        (["task-1", "--depth", "-1"], 2, "invalid_request", "depth"),
        (["task-1", "--max-nodes", "-1"], 2, "invalid_request", "--max-nodes"),
        (["task-1", "--max-bytes", "many"], 2, "invalid_request", "--max-bytes"),
        (["task-1", "--format", "yaml"], 2, "invalid_request", "format must be"),
        (["task-1", "--colour"], 2, "invalid_request", "--colour"),
        ([], 2, "invalid_request", "ID_OR_QID"),
        (["task-1", "--root", "nowhere"], 1, "not_a_directory", "nowhere"),
        (["task-1", "--root", "~nobody/here"], 1, "not_a_directory", "~nobody/here"),
        (["task-1", "--root", "/dev/null"], 1, "not_a_directory", "/dev/null"),
        (["task-1", "--out", "no/such/folder/x.md"], 1, "io_error", "no/such/folder"),
    ],
)
def test_wrong_requests_are_usage_errors(
    project: Path, conforms: Any, arguments: list[str], code: int, error: str, told: str
) -> None:
    ran = ctxpack("graph", *arguments, cwd=project)
    conforms(ran.envelope, "envelope")
    assert (ran.code, ran.error["code"]) == (code, error)
    assert told in ran.error["message"]


def test_an_empty_folder_is_no_graph(tmp_path: Path) -> None:
    ran = ctxpack("graph", "task-1", "--root", tmp_path)
    assert (ran.code, ran.error["code"]) == (1, "no_files")
    assert "ctxpack init graph" in ran.error["hint"]


def test_duplicate_ids_warn_and_are_ambiguous_as_root(project: Path) -> None:
    write_node(project, "task-2", folder="work/more")
    ran = ctxpack("graph", "task-1", "--root", project, "--edges", "next", "--format", "json")
    assert ran.code == 0
    assert any("root:task-2 is already defined in .mdkg/work/more/task-2.md" in text for text in ran.warnings)
    ran = ctxpack("graph", "task-2", "--root", project)
    assert (ran.code, ran.error["code"]) == (1, "ambiguous")
    assert ran.error["details"]["candidates"] == [".mdkg/work/more/task-2.md", ".mdkg/work/task-2.md"]
    assert [hint["text"] for hint in ran.envelope["hints"]] == ["`ctxpack graph --help`"]  # a file is not an id


def test_an_id_of_several_workspaces_is_ambiguous(project: Path) -> None:
    write_config(project, workspaces={"root": {}, "api": {"path": "api"}})
    write_node(project / "api", "task-1")
    ran = ctxpack("graph", "TASK-1", "--root", project)
    assert (ran.code, ran.error["code"], ran.error["details"]["candidates"]) == (
        1, "ambiguous", ["api:task-1", "root:task-1"],
    )  # fmt: skip
    assert ctxpack("graph", "Task-1", "--ws", "API", "--root", project, "--format", "json").data["meta"]["root"] == (
        "api:task-1"
    )


def test_control_characters_and_an_oversized_node(project: Path) -> None:
    write_node(project, "task-3", "\x00\x1b[31m\x07 \u2028" + "x" * 3_000_000, title="odd \x01 one", relates=["edd-1"])
    ran = ctxpack("graph", "task-3", "--root", project, "--format", "xml")
    parsed = ElementTree.fromstring(ran.out)
    assert parsed.findtext("meta/replaced_characters") == "4"
    assert "4 characters that XML 1.0 forbids" in ran.err
    ran = ctxpack("graph", "task-3", "--root", project)
    assert b"truncated: max_nodes=false max_bytes=true\ndropped: [root:edd-1]" in ran.out
    assert f"the root alone takes {len(ran.out)} of 2000000 bytes" in ran.err
    neighbour = ctxpack("graph", "edd-1", "--root", project)
    assert (neighbour.code, neighbour.err) == (0, "")


def test_the_answer_goes_to_a_file(project: Path) -> None:
    ran = ctxpack("graph", "task-1", "--root", project, "--out", project / "pack.md")
    assert ran.out == b""
    assert (project / "pack.md").read_text().startswith("# Context pack\nroot: root:task-1\n")


def test_the_graph_is_found_from_a_folder_below(project: Path) -> None:
    below = project / "src/deep"
    below.mkdir(parents=True)
    assert ctxpack("graph", "task-2", cwd=below).code == 0


def test_the_configured_defaults_hold(project: Path) -> None:
    write_config(project, pack={"default_depth": 1, "default_edges": ["next"], "limits": {"max_nodes": 1}})
    data = ctxpack("graph", "task-1", "--root", project, "--format", "json").data
    assert data["meta"]["depth"] == 1
    assert data["meta"]["truncated"] == {"max_nodes": True, "max_bytes": False, "dropped": ["root:task-2"]}
    more = ctxpack("graph", "task-1", "--root", project, "--format", "json", "--max-nodes", 0, "--edges", "epic").data
    assert [node["id"] for node in more["nodes"]] == ["task-1", "epic-1", "task-2"]
