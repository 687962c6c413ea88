"""The selection: names, traversal, dangling edges, pins."""

from __future__ import annotations

import pytest
from graph_building import ALL_EDGES, graph, ids, node, packed

from context_pack.kinds.graph.config import GraphSettings, edge_names
from context_pack.kinds.graph.pack import options, select
from contracts.errors import Ambiguous, InvalidRequest, NotFound

TWO = graph(node("api:task-1"), node("web:task-1"), node("web:task-2"))


def warnings(given: object, name: str, **chosen: object) -> tuple[str, ...]:
    return select(given, name, GraphSettings(**chosen)).warnings  # type: ignore[arg-type]


def test_ids_are_lower_cased() -> None:
    assert TWO.root("WEB:Task-2") == "web:task-2"
    assert TWO.root(" Task-2 ") == "web:task-2"


def test_a_qid_matches_exactly() -> None:
    assert TWO.root("api:task-1") == "api:task-1"
    with pytest.raises(NotFound):
        TWO.root("api:task-2")


def test_a_bare_id_means_every_workspace() -> None:
    assert TWO.root("task-2") == "web:task-2"
    with pytest.raises(Ambiguous) as caught:
        TWO.root("task-1")
    assert caught.value.details["candidates"] == ["api:task-1", "web:task-1"]


def test_ws_narrows_a_bare_id() -> None:
    assert select(TWO, "task-1", GraphSettings(workspace="API")).root == "api:task-1"
    with pytest.raises(NotFound) as caught:
        select(TWO, "task-2", GraphSettings(workspace="api"))
    assert "web:task-2" in caught.value.hint


def test_ws_does_not_change_what_a_qid_means() -> None:
    assert select(TWO, "web:task-1", GraphSettings(workspace="api")).root == "web:task-1"


def test_an_unknown_workspace_is_refused() -> None:
    with pytest.raises(InvalidRequest) as caught:
        select(TWO, "task-1", GraphSettings(workspace="ios"))
    assert caught.value.details["field"] == "ws"
    assert "api, web" in caught.value.hint


def test_a_missing_id_says_what_was_meant() -> None:
    with pytest.raises(NotFound) as caught:
        TWO.root("task-22")
    assert "task-2" in caught.value.hint


def test_each_suggestion_is_made_once_and_is_as_qualified_as_the_id() -> None:
    given = graph(node("api:task-1"), node("web:task-1"))
    for name, nearest in (("wbe:task-1", ["web:task-1", "api:task-1"]), ("tsak-1", ["task-1"])):
        with pytest.raises(NotFound) as caught:
            given.root(name)
        assert caught.value.details["nearest"] == nearest


def test_an_id_like_no_other_lists_the_nodes() -> None:
    with pytest.raises(NotFound) as caught:
        graph(*(node(f"task-{n}") for n in range(22))).root("zebra")
    assert caught.value.hint.startswith("the graph has root:task-0, root:task-1,")
    assert caught.value.hint.endswith(" and 2 more")


def test_an_unqualified_target_means_the_nodes_own_workspace() -> None:
    given = graph(node("api:task-1", epic="epic-1", relates=["web:epic-1"]), node("api:epic-1"), node("web:epic-1"))
    found = packed(given, "api:task-1")
    assert [one.qid for one in found.nodes] == ["api:task-1", "api:epic-1", "web:epic-1"]


def test_only_outgoing_edges_are_followed() -> None:
    given = graph(node("task-1", relates="task-2"), node("task-2"), node("task-3", relates="task-1"))
    assert ids(packed(given, "task-1")) == ["task-1", "task-2"]


def test_the_default_edges_are_parent_epic_and_relates() -> None:
    edges = {edge: f"{edge.replace('_', '-')}-1" for edge in ALL_EDGES}
    given = graph(node("task-9", **edges), *(node(name, "feat") for name in edges.values()))
    assert set(ids(packed(given, "task-9"))) == {"task-9", "parent-1", "epic-1", "relates-1"}
    more = options(GraphSettings(), {"edges": ("blocked_by", "blocks", "prev", "next", "relates")})
    assert more.edges == ALL_EDGES
    assert len(ids(packed(given, "task-9", edges=more.edges))) == 8


def test_edges_add_to_the_configured_ones_each_once() -> None:
    config = GraphSettings(edges=("relates", "next"))
    assert options(config, {"edges": ("next", "prev", "prev", "relates")}).edges == ("relates", "next", "prev")
    assert options(config, {}).edges == ("relates", "next")


@pytest.mark.parametrize("names", [["likes"], [""], ["relates", "parents"]])
def test_an_unknown_edge_is_refused(names: list[str]) -> None:
    with pytest.raises(InvalidRequest) as caught:
        options(GraphSettings(), {"edges": names})
    assert caught.value.details["field"] == "edges"


def test_edge_names_are_taken_in_any_case_and_with_dashes() -> None:
    assert edge_names([" Blocked-By ", "relates"]) == ("blocked_by", "relates")


@pytest.mark.parametrize("depth", range(5))
def test_depth_counts_steps(depth: int) -> None:
    chain = [node(f"feat-{n}", relates=f"feat-{n + 1}") for n in range(4)]
    assert ids(packed(graph(*chain, node("feat-4")), "feat-0", depth=depth)) == [f"feat-{n}" for n in range(depth + 1)]


def test_the_first_visit_fixes_the_depth() -> None:
    """task-3 is two steps by relates and one by parent: it is one step away, so it is in the immediate context."""
    given = graph(node("task-1", relates="task-2", parent="task-3"), node("task-2", relates="task-3"), node("task-3"))
    found = packed(given, "task-1", explain=True)
    assert [(one.id, one.slot, one.why[0].signal) for one in found.nodes] == [
        ("task-1", "root", 0), ("task-3", "immediate", 1), ("task-2", "neighbours", 1),
    ]  # fmt: skip


def test_cycles_and_a_node_that_names_itself_end() -> None:
    given = graph(node("task-1", relates=["task-1", "task-2"], parent="task-1"), node("task-2", parent="task-1"))
    assert ids(packed(given, "task-1", depth=50)) == ["task-1", "task-2"]


def test_a_missing_target_is_skipped_with_a_warning() -> None:
    given = graph(node("task-1", epic="epic-9", relates=["task-2", "api:x-1", "api:x-1"]), node("task-2"))
    assert ids(packed(given, "task-1")) == ["task-1", "task-2"]
    assert warnings(given, "task-1") == (
        ".mdkg/work/task-1.md: epic root:epic-9 was skipped: there is no such node",
        ".mdkg/work/task-1.md: relates api:x-1 was skipped: there is no such node",
    )


def test_edges_that_are_not_followed_warn_of_nothing() -> None:
    given = graph(node("task-1", relates="task-2", blocks="gone-1"), node("task-2", relates="gone-2"))
    assert warnings(given, "task-1", depth=1) == ()


def test_verbose_adds_the_pins_in_their_place() -> None:
    given = graph(
        node("task-1", relates="dec-1"), node("dec-1"), node("rule-2"), node("edd-1"), pins=["rule-2", "edd-1"]
    )
    assert ids(packed(given, "task-1")) == ["task-1", "dec-1"]
    assert ids(packed(given, "task-1", verbose=True)) == ["task-1", "edd-1", "dec-1", "rule-2"]


def test_a_pin_is_never_immediate_context() -> None:
    given = graph(node("task-1", blocks="task-2"), node("task-2"), node("epic-1"), pins=["task-2", "epic-1"])
    found = packed(given, "task-1", verbose=True, explain=True)
    assert [(one.id, one.slot) for one in found.nodes] == [
        ("task-1", "root"), ("task-2", "neighbours"), ("epic-1", "neighbours"),
    ]  # fmt: skip


def test_missing_and_ambiguous_pins_warn_and_are_skipped() -> None:
    given = graph(
        node("task-1"), node("api:rule-1"), node("web:rule-1"), node("web:rule-2"),
        pins=["rule-9", "rule-1", "web:rule-1", "rule-2", "api:rule-7"],
    )  # fmt: skip
    found = packed(given, "task-1", verbose=True)
    assert [one.qid for one in found.nodes] == ["root:task-1", "web:rule-1", "web:rule-2"]
    assert warnings(given, "task-1", verbose=True) == (
        ".mdkg/core/core.md:1: the pinned id rule-9 is missing; it was skipped",
        ".mdkg/core/core.md:2: the pinned id rule-1 is ambiguous: api:rule-1, web:rule-1; it was skipped",
        ".mdkg/core/core.md:5: the pinned id api:rule-7 is missing; it was skipped",
    )


def test_an_unqualified_pin_first_means_the_workspace_that_owns_the_core_list() -> None:
    nodes = (node("web:task-1"), node("api:rule-1"), node("web:rule-1"), node("root:rule-1"))
    for owner in ("api", "web", "root"):
        found = packed(graph(*nodes, pins=["rule-1"], owner=owner), "task-1", verbose=True, workspace="web")
        assert [one.qid for one in found.nodes] == ["web:task-1", f"{owner}:rule-1"]


def test_ws_narrows_a_pin_that_its_owner_lacks() -> None:
    given = graph(node("task-1"), node("api:rule-1"), node("web:rule-1"), pins=["rule-1"])
    assert len(packed(given, "task-1", verbose=True).nodes) == 1
    found = packed(given, "root:task-1", verbose=True, workspace="web")
    assert [one.qid for one in found.nodes] == ["root:task-1", "web:rule-1"]


def test_a_pin_that_neither_its_owner_nor_ws_has_is_looked_up_everywhere() -> None:
    given = graph(node("web:task-1"), node("api:rule-1"), pins=["rule-1"])
    found = packed(given, "task-1", verbose=True, workspace="web")
    assert [one.qid for one in found.nodes] == ["web:task-1", "api:rule-1"]


def test_a_pin_that_was_reached_anyway_has_both_reasons() -> None:
    given = graph(node("task-1", relates="rule-1"), node("rule-1"), pins=["rule-1", "rule-1"])
    found = packed(given, "task-1", verbose=True, explain=True)
    assert [(part.name, part.detail) for part in found.nodes[1].why] == [
        ("relates", "from root:task-1"), ("pinned", ".mdkg/core/core.md:1"), ("pinned", ".mdkg/core/core.md:2"),
    ]  # fmt: skip


@pytest.mark.parametrize("given", [{"depth": -1}, {"max_nodes": True}, {"max_bytes": "9"}, {"colour": 1}])
def test_options_are_checked(given: dict[str, object]) -> None:
    with pytest.raises(InvalidRequest) as caught:
        options(GraphSettings(), given)
    assert caught.value.details["field"] == next(iter(given))
