"""Reading a work graph from a tree: configuration, workspaces, node files, and errors in them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from graph_building import write_config, write_node

from context_pack.kinds.graph.config import GraphSettings, read_config
from context_pack.kinds.graph.work_graph import graph_root, read_graph
from contracts.errors import Ambiguous, BrokenFile, CtxpackError, InvalidRequest, NoFiles, NotADirectory, NotFound


def problems(root: Path) -> list[str]:
    return [str(problem) for problem in read_graph(root).problems]


def test_without_a_config_there_is_one_workspace_root(tmp_path: Path) -> None:
    config = read_config(tmp_path)
    assert config == GraphSettings()
    assert list(config.workspaces.items()) == [("root", ".mdkg")]
    assert (config.depth, config.edges, config.max_nodes, config.max_bytes) == (
        2, ("parent", "epic", "relates"), 25, 2_000_000,
    )  # fmt: skip
    assert config.core_list == ".mdkg/core/core.md"


def test_the_config_sets_every_default(tmp_path: Path) -> None:
    pack = {
        "default_depth": 3, "default_edges": ["relates", "blocked_by"], "verbose_core_list_path": ".mdkg/core/pins.md",
        "limits": {"max_nodes": 7, "max_bytes": 900},
    }  # fmt: skip
    write_config(tmp_path, pack=pack, other={"unknown": 1})
    config = read_config(tmp_path)
    assert (config.depth, config.edges) == (3, ("relates", "blocked_by"))
    assert (config.max_nodes, config.max_bytes, config.core_list) == (7, 900, ".mdkg/core/pins.md")


def test_workspaces_have_a_path_a_folder_and_a_switch(tmp_path: Path) -> None:
    workspaces = {
        "web": {"path": "apps/web", "enabled": True, "mdkg_dir": "graph"},
        "root": {"path": ".", "enabled": True, "mdkg_dir": ".mdkg"},
        "old": {"path": "old", "enabled": False},
    }
    write_config(tmp_path, workspaces=workspaces)
    config = read_config(tmp_path)
    assert list(config.workspaces.items()) == [("root", ".mdkg"), ("web", "apps/web/graph")]


def test_nodes_come_from_enabled_workspaces_only(tmp_path: Path) -> None:
    write_config(tmp_path, workspaces={"root": {}, "api": {"path": "api"}, "old": {"path": "old", "enabled": False}})
    for place in (tmp_path, tmp_path / "api", tmp_path / "old"):
        write_node(place, "task-1")
    assert list(read_graph(tmp_path).nodes) == ["api:task-1", "root:task-1"]
    assert read_graph(tmp_path).nodes["api:task-1"].path == "api/.mdkg/work/task-1.md"


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("{\n  nothing\n}", 2, "not valid JSON"),
        ("[]", 1, "not a JSON object"),
        ("", 1, "not valid JSON"),
        ("[" * 100_000, 1, "nested too deeply"),
        (f'{{"a": {"1" * 5000}}}', 1, "not readable as JSON"),
    ],
)
def test_a_config_that_is_no_json_is_named_with_its_line(tmp_path: Path, text: str, line: int, told: str) -> None:
    write_config(tmp_path)
    (tmp_path / ".mdkg/config.json").write_text(text)
    with pytest.raises(BrokenFile, match=told) as caught:
        read_config(tmp_path)
    assert (caught.value.details["file"], caught.value.details["line"]) == (".mdkg/config.json", line)


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"pack": []}, "pack"),
        ({"pack": {"default_depth": -1}}, "pack.default_depth"),
        ({"pack": {"default_depth": True}}, "pack.default_depth"),
        ({"pack": {"default_depth": "2"}}, "pack.default_depth"),
        ({"pack": {"default_edges": "relates"}}, "pack.default_edges"),
        ({"pack": {"default_edges": ["relates", "likes"]}}, "pack.default_edges"),
        ({"pack": {"limits": 5}}, "pack.limits"),
        ({"pack": {"limits": {"max_nodes": 2.5}}}, "pack.limits.max_nodes"),
        ({"pack": {"limits": {"max_bytes": -2}}}, "pack.limits.max_bytes"),
        ({"pack": {"verbose_core_list_path": "../pins.md"}}, "pack.verbose_core_list_path"),
        ({"pack": {"verbose_core_list_path": "/etc/passwd"}}, "pack.verbose_core_list_path"),
        ({"workspaces": ["root"]}, "workspaces"),
        ({"workspaces": {"root": "."}}, "workspaces.root"),
        ({"workspaces": {"a b": {}}}, "workspaces.a b"),
        ({"workspaces": {"api": {}, "API": {}}}, "workspaces.API"),
        ({"workspaces": {"root": {"enabled": 1}}}, "workspaces.root.enabled"),
        ({"workspaces": {"root": {"path": "a/../.."}}}, "workspaces.root.path"),
        ({"workspaces": {"root": {"mdkg_dir": ""}}}, "workspaces.root.mdkg_dir"),
    ],
)
def test_a_wrong_value_is_named_with_its_key(tmp_path: Path, config: dict[str, object], field: str) -> None:
    write_config(tmp_path, **config)
    with pytest.raises(InvalidRequest) as caught:
        read_config(tmp_path)
    assert caught.value.details["field"] == field
    assert ".mdkg/config.json" in caught.value.message


def test_nodes_are_markdown_files_of_three_folders_at_any_depth(tmp_path: Path) -> None:
    for number, folder in enumerate(("core", "design", "work", "work/2026/q1", "design/x.md")):
        write_node(tmp_path, f"task-{number}", folder=folder)
    write_node(tmp_path, "task-99", folder="archive")
    (tmp_path / ".mdkg/work/notes.txt").write_text("no node")
    (tmp_path / ".mdkg/core/core.md").write_text("task-4\n")
    found = read_graph(tmp_path)
    assert list(found.nodes) == [f"root:task-{number}" for number in (0, 1, 4, 3, 2)]  # by path
    assert not found.problems


def test_the_core_list_has_an_id_on_each_line_which_may_be_a_bullet(tmp_path: Path) -> None:
    write_node(tmp_path, "task-1")
    (tmp_path / ".mdkg/core").mkdir(exist_ok=True)
    (tmp_path / ".mdkg/core/core.md").write_bytes(
        b"\xef\xbb\xbf# Pinned\r\n\r\n- TASK-1\r\nrule-2 # why\n-  api:edd-3\n-\n"
    )
    found = read_graph(tmp_path)
    assert found.core is not None
    assert found.core.pins == {3: "task-1", 4: "rule-2", 5: "api:edd-3"}


def test_the_core_list_is_no_node_wherever_it_lies(tmp_path: Path) -> None:
    write_config(tmp_path, pack={"verbose_core_list_path": ".mdkg/design/pins.md"})
    write_node(tmp_path, "task-1")
    for name in ("design/pins.md", "core/core.md"):
        (tmp_path / ".mdkg" / name).parent.mkdir(exist_ok=True)
        (tmp_path / ".mdkg" / name).write_text("task-1\n")
    found = read_graph(tmp_path)
    assert (list(found.nodes), found.problems) == (["root:task-1"], ())
    assert found.core is not None
    assert (found.core.path, found.core.workspace) == (".mdkg/design/pins.md", "root")


def test_every_field_is_read(tmp_path: Path) -> None:
    write_node(
        tmp_path, "Task-7", type="task", status="todo", priority=3, parent="Epic-1", epic="api:Epic-2",
        prev="task-6", next="task-8",
        tags=["a"], owners=["b"], links=["https://x.y/z"], artifacts=["src/a.py"], relates=["Dec-1", "dec-2"],
        blocked_by=["bug-1"], blocks=["task-9"], refs=["r"], aliases=["the seven"], scope=["task-1"],
        created="2026-01-01", updated="2026-01-02",
    )  # fmt: skip
    one = read_graph(tmp_path).nodes["root:task-7"]
    assert (one.id, one.type, one.title, one.status, one.priority) == ("task-7", "task", "title of Task-7", "todo", 3)
    assert one.lists == {
        "links": ["https://x.y/z"], "artifacts": ["src/a.py"], "refs": ["r"], "aliases": ["the seven"],
    }  # fmt: skip
    assert {edge: one.targets(edge) for edge in one.edges} == {
        "parent": ["root:epic-1"], "epic": ["api:epic-2"], "prev": ["root:task-6"], "next": ["root:task-8"],
        "relates": ["root:dec-1", "root:dec-2"], "blocked_by": ["root:bug-1"], "blocks": ["root:task-9"],
    }  # fmt: skip


def test_a_checkpoint_has_an_id_of_its_own_kind(tmp_path: Path) -> None:
    write_node(tmp_path, "chk-1")
    assert read_graph(tmp_path).nodes["root:chk-1"].type == "checkpoint"


@pytest.mark.parametrize(
    ("fields", "line", "told"),
    [
        ({"relates": "epic-1"}, 5, "relates must be a list: write [epic-1]"),
        ({"tags": "true"}, 5, "tags must be a list"),
        ({"parent": ["a", "b"]}, 5, "parent takes one value"),
        ({"status": "todo", "priority": "high"}, 6, "priority must be a whole number, not 'high'"),
        ({"priority": "9" * 5000}, 5, "priority must be a whole number"),
        ({"title": None}, 1, "no title"),
        ({"title": ["a"]}, 4, "title takes one value"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named_with_its_line(
    tmp_path: Path, fields: dict[str, object], line: int, told: str
) -> None:
    write_node(tmp_path, "task-1", **fields)
    write_node(tmp_path, "task-2")
    found = read_graph(tmp_path)
    assert list(found.nodes) == ["root:task-2"]
    assert [(one.path, one.line) for one in found.problems] == [(".mdkg/work/task-1.md", line)]
    assert told in found.problems[0].message


@pytest.mark.parametrize("name", ["a:b", "a b", "a\tb"])
def test_an_id_has_no_colon_and_no_white_space(tmp_path: Path, name: str) -> None:
    (write_node(tmp_path, "task-1")).write_text(f"---\ntype: task\nid: {name}\ntitle: t\n---\n")
    assert problems(tmp_path) == [
        f".mdkg/work/task-1.md:3: {name!r} is not a valid id: an id has no white space and no colon "
        "(the file was left out)"
    ]


def test_a_broken_file_is_skipped_and_an_error_when_it_is_the_root(tmp_path: Path) -> None:
    write_node(tmp_path, "task-1")
    broken = write_node(tmp_path, "task-2")
    broken.write_text("---\nid: task-2\ntype: task\ntitle t\n---\n")
    found = read_graph(tmp_path)
    assert found.root("task-1") == "root:task-1"
    with pytest.raises(BrokenFile) as caught:
        found.root("task-2")
    assert caught.value.details == {"field": "id", "file": ".mdkg/work/task-2.md", "line": 4}
    assert caught.value.message.startswith(".mdkg/work/task-2.md:4: expected key: value")


def test_a_broken_file_without_an_id_is_known_by_its_name(tmp_path: Path) -> None:
    write_node(tmp_path, "task-1")
    (tmp_path / ".mdkg/work/task-2-do-it.md").write_text("no frontmatter\n")
    found = read_graph(tmp_path)
    with pytest.raises(BrokenFile):
        found.root("root:task-2")
    with pytest.raises(NotFound):
        found.root("task-20")


def test_of_two_files_with_one_id_the_first_by_path_has_it(tmp_path: Path) -> None:
    write_node(tmp_path, "task-1", title="second", folder="work/b")
    write_node(tmp_path, "task-1", title="first", folder="work/a")
    write_node(tmp_path, "task-2")
    found = read_graph(tmp_path)
    assert found.nodes["root:task-1"].title == "first"
    assert problems(tmp_path) == [
        ".mdkg/work/b/task-1.md: root:task-1 is already defined in .mdkg/work/a/task-1.md (this file was left out)"
    ]
    with pytest.raises(Ambiguous) as caught:
        found.root("task-1")
    assert caught.value.details["candidates"] == [".mdkg/work/a/task-1.md", ".mdkg/work/b/task-1.md"]


def test_bytes_that_are_not_utf_8_are_replaced_and_reported(tmp_path: Path) -> None:
    write_node(tmp_path, "task-1").write_bytes(b"---\nid: task-1\ntype: task\ntitle: caf\xe9\n---\nbody \xff\n")
    found = read_graph(tmp_path)
    assert found.nodes["root:task-1"].title == "caf\ufffd"
    assert found.body(found.nodes["root:task-1"]) == "body \ufffd"
    assert "not valid UTF-8" in problems(tmp_path)[0]


def test_a_workspace_without_a_folder_is_reported_and_skipped(tmp_path: Path) -> None:
    write_config(tmp_path, workspaces={"root": {}, "gone": {"path": "gone"}})
    write_node(tmp_path, "task-1")
    assert problems(tmp_path) == ["gone/.mdkg: the workspace gone has no such folder"]
    assert read_graph(tmp_path).root("task-1") == "root:task-1"


def test_nothing_outside_the_root_is_read(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    write_node(outside, "task-9")
    write_node(inside, "task-1")
    write_config(inside, workspaces={"root": {}, "out": {"path": "link"}})
    (inside / "link").symlink_to(outside)
    (inside / ".mdkg/work/linked.md").symlink_to(outside / ".mdkg/work/task-9.md")
    (inside / ".mdkg/design").symlink_to(outside / ".mdkg/work")
    (inside / ".mdkg/work/loop").symlink_to(inside / ".mdkg/work")
    (inside / ".mdkg/core").mkdir()
    (inside / ".mdkg/core/core.md").symlink_to(outside / ".mdkg/work/task-9.md")
    found = read_graph(inside)
    assert list(found.nodes) == ["root:task-1"]
    assert found.core is None
    assert sorted(one.path for one in found.problems) == [".mdkg/design", ".mdkg/work/linked.md", "link/.mdkg"]


def test_a_link_inside_the_root_is_a_file(tmp_path: Path) -> None:
    write_node(tmp_path, "task-1", folder="archive")
    (tmp_path / ".mdkg/work").mkdir()
    (tmp_path / ".mdkg/work/task-1.md").symlink_to("../archive/task-1.md")
    (tmp_path / ".mdkg/work/gone.md").symlink_to("../archive/gone.md")
    assert list(read_graph(tmp_path).nodes) == ["root:task-1"]
    assert problems(tmp_path) == [".mdkg/work/gone.md: the link is broken"]


def test_a_graph_whose_workspaces_are_all_off_says_so(tmp_path: Path) -> None:
    write_node(tmp_path, "task-1")
    write_config(tmp_path, workspaces={"root": {"enabled": False}})
    with pytest.raises(NoFiles, match="no workspace is enabled"):
        read_graph(tmp_path)


def test_a_link_to_a_node_is_not_a_second_node(tmp_path: Path) -> None:
    write_node(tmp_path, "task-1")
    (tmp_path / ".mdkg/design").mkdir(parents=True, exist_ok=True)
    (tmp_path / ".mdkg/design/again.md").symlink_to("../work/task-1.md")
    graph = read_graph(tmp_path)
    assert [node.path for node in graph.nodes.values()] == [".mdkg/work/task-1.md"]
    assert not graph.duplicates and not graph.problems


def test_a_name_that_is_not_utf_8_is_reported(tmp_path: Path) -> None:
    write_node(tmp_path, "task-1")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/.mdkg/work/\xff.md")).write_text("x")
    assert problems(tmp_path) == [".mdkg/work/\\xff.md: the name is not valid UTF-8, so the file is not read"]


def test_a_folder_without_nodes_is_not_a_graph(tmp_path: Path) -> None:
    with pytest.raises(NoFiles, match="there is no \\*\\.md in"):
        read_graph(tmp_path)
    write_config(tmp_path)
    with pytest.raises(NoFiles):
        read_graph(tmp_path)


def test_the_root_is_the_nearest_folder_upwards_with_a_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_node(tmp_path, "task-1")
    below = tmp_path / "src/deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert graph_root(None) == tmp_path
    assert graph_root(str(below)) == below


@pytest.mark.parametrize("named", ["missing", "a\0b", "file"])
def test_the_root_is_a_directory(tmp_path: Path, named: str) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotADirectory):
        graph_root(str(tmp_path / named))


def test_every_failure_of_reading_has_a_code(tmp_path: Path) -> None:
    write_config(tmp_path)
    (tmp_path / ".mdkg/config.json").write_bytes(b"\xff\xfe")
    with pytest.raises(CtxpackError) as caught:
        read_graph(tmp_path)
    assert json.dumps(caught.value.details)
