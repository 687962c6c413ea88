"""Limits: which nodes are kept and dropped, in which order, and how the pack reports it."""

from __future__ import annotations

import pytest
from graph_building import graph, ids, node, packed
from hypothesis import given
from hypothesis import strategies as st

from context_pack.core.fit import longest
from context_pack.kinds.graph.config import GraphSettings
from context_pack.kinds.graph.formats import markdown as render
from context_pack.kinds.graph.pack import pack, select
from context_pack.kinds.graph.work_graph import WorkGraph
from contracts.graph import GraphPack

NAMES = ["task-1", "epic-1", "edd-1", "dec-1", "task-2"]
ROOT = node("task-1", epic="epic-1", relates=["edd-1", "dec-1", "task-2"])
FIVE = graph(ROOT, *map(node, NAMES[1:]), body="\n" + "x" * 200)


def in_markdown(of: WorkGraph, name: str, **chosen: object) -> tuple[GraphPack, str, tuple[str, ...]]:
    settings = GraphSettings(**chosen)  # type: ignore[arg-type]
    found, warnings = pack(of, select(of, name, settings), settings, "md")
    return found, render(found), warnings


@pytest.mark.parametrize("most", range(1, 6))
def test_max_nodes_keeps_the_first(most: int) -> None:
    found = packed(FIVE, "task-1", max_nodes=most)
    assert ids(found) == NAMES[:most]
    assert found.meta.truncated.dropped == tuple(f"root:{name}" for name in NAMES[most:])
    assert (found.meta.truncated.max_nodes, found.meta.truncated.max_bytes) == (most < 5, False)
    assert found.meta.node_count == most


def test_no_nodes_means_no_limit() -> None:
    many = [node(f"task-{n}") for n in range(1, 101)]
    given_graph = graph(node("epic-1", relates=[one.id for one in many]), *many)
    assert len(packed(given_graph, "epic-1", max_nodes=0).nodes) == 101
    assert len(packed(given_graph, "epic-1").nodes) == 25


def test_max_bytes_pops_from_the_end_until_the_output_fits() -> None:
    whole = len(in_markdown(FIVE, "task-1")[1].encode())
    found, text, _ = in_markdown(FIVE, "task-1", max_bytes=whole)
    assert len(found.nodes) == 5
    found, text, _ = in_markdown(FIVE, "task-1", max_bytes=whole - 1)
    assert ids(found) == NAMES[:4]
    assert found.meta.truncated.dropped == ("root:task-2",)
    assert found.meta.truncated.max_bytes
    assert len(text.encode()) < whole


@pytest.mark.parametrize("explain", [False, True])
def test_max_bytes_keeps_as_much_as_fits(explain: bool) -> None:
    """One more node would exceed the limit, whatever the limit is."""
    sizes = [len(in_markdown(FIVE, "task-1", max_nodes=n, explain=explain)[1].encode()) for n in range(1, 6)]
    for limit in range(sizes[0] - 2, sizes[-1] + 50, 37):
        found, text, _ = in_markdown(FIVE, "task-1", max_bytes=limit, explain=explain)
        assert len(text.encode()) <= limit or len(found.nodes) == 1
        fitting = [n for n in range(1, 6) if _size_of_first(n, explain) <= limit]
        assert len(found.nodes) == max(fitting, default=1)


def _size_of_first(count: int, explain: bool) -> int:
    """The size if the limit in bytes leaves `count` nodes: found by trying every limit near it."""
    text = in_markdown(FIVE, "task-1", max_nodes=count, explain=explain)[1]
    if count == 5:
        return len(text.encode())
    return len(text.replace("max_nodes=true max_bytes=false", "max_nodes=false max_bytes=true").encode()) + (
        text.count("(max_nodes)") * (len("max_bytes") - len("max_nodes"))
    )


def test_a_root_over_the_limit_is_kept_and_flagged() -> None:
    found, text, warnings = in_markdown(FIVE, "task-1", max_bytes=10)
    assert ids(found) == ["task-1"]
    assert found.meta.truncated.max_bytes
    assert "truncated: max_nodes=false max_bytes=true" in text
    assert warnings == (f"the root alone takes {len(text.encode())} of 10 bytes; it was kept whole",)


@pytest.mark.parametrize("explain", [False, True])
@pytest.mark.parametrize("tree", [FIVE, graph(node("task-1"))], ids=["with others", "alone"])
def test_the_flag_names_the_smallest_limit_that_works(tree: WorkGraph, explain: bool) -> None:
    for limit in (1, 10, 99, 100):
        _, _, (flag,) = in_markdown(tree, "task-1", max_bytes=limit, explain=explain)
        smallest = int(flag.removeprefix("the root alone takes ").split()[0])
        assert in_markdown(tree, "task-1", max_bytes=smallest - 1, explain=explain)[2]
        _, text, warnings = in_markdown(tree, "task-1", max_bytes=smallest, explain=explain)
        assert len(text.encode()) == smallest and not warnings


def test_a_lone_root_over_the_limit_drops_nothing_and_is_flagged() -> None:
    found, _, warnings = in_markdown(graph(node("task-1")), "task-1", max_bytes=10)
    assert (found.meta.truncated.max_bytes, found.meta.truncated.dropped) == (True, ())
    assert len(warnings) == 1


def test_no_bytes_means_no_limit() -> None:
    assert len(in_markdown(FIVE, "task-1", max_bytes=0)[0].nodes) == 5


def test_both_limits_give_one_list_in_order() -> None:
    most = len(in_markdown(FIVE, "task-1", max_nodes=2)[1].encode()) + 20
    found, text, _ = in_markdown(FIVE, "task-1", max_nodes=3, max_bytes=most, explain=True)
    assert found.meta.truncated.max_nodes
    assert found.meta.truncated.max_bytes
    assert found.meta.truncated.dropped == tuple(f"root:{name}" for name in NAMES[len(found.nodes) :])
    assert [one.limit for one in found.left_out] == ["max_bytes"] * (3 - len(found.nodes)) + ["max_nodes"] * 2
    assert "dropped: [root:" in text


def test_an_oversized_neighbour_does_not_spoil_the_pack() -> None:
    huge = graph(ROOT, *map(node, NAMES[1:]), edd_1="y" * 3_000_000)
    found, text, warnings = in_markdown(huge, "task-1")
    assert ids(found) == ["task-1", "epic-1"]
    assert len(text) < 2_000
    assert warnings == (
        "left out although less important nodes stay (root:epic-1): root:edd-1 (max_bytes), root:dec-1 (max_bytes)",
    )


def test_only_markdown_counts_bytes() -> None:
    assert len(packed(FIVE, "task-1", max_bytes=10).nodes) == 5


def test_a_warning_when_a_constraint_goes_and_a_lesser_node_stays() -> None:
    settings = GraphSettings(max_nodes=3)
    _, warnings = pack(FIVE, select(FIVE, "task-1", settings), settings)
    assert warnings == ("left out although less important nodes stay (root:epic-1): root:dec-1 (max_nodes)",)


@pytest.mark.parametrize("most", [1, 4])
def test_no_warning_when_only_lesser_nodes_go_or_none_stays(most: int) -> None:
    settings = GraphSettings(max_nodes=most)
    assert pack(FIVE, select(FIVE, "task-1", settings), settings)[1] == ()


def test_pins_obey_the_limits() -> None:
    given_graph = graph(ROOT, *map(node, NAMES[1:]), node("rule-1"), pins=["rule-1"])
    found = packed(given_graph, "task-1", verbose=True, max_nodes=4)
    assert "rule-1" not in ids(found)
    assert "root:rule-1" in found.meta.truncated.dropped


def test_bodies_that_cannot_fit_are_not_read() -> None:
    """If all nodes are wanted in few bytes, a large graph is not read to its end."""
    read = []
    many = [node(f"task-{n}") for n in range(2, 2000)]
    source = graph(node("epic-1", relates=[one.id for one in many]), *many)
    counting = WorkGraph(source.nodes, source.workspaces, lambda one: read.append(one.id) or "x" * 100)
    settings = GraphSettings(max_nodes=0, max_bytes=60_000)
    pack(counting, select(counting, "epic-1", settings), settings, "md")
    assert len(read) < 400


@given(st.integers(0, 300), st.integers(0, 300))
def test_longest_is_the_largest_number_that_holds(count: int, most: int) -> None:
    assert longest(count, lambda number: number <= most) == min(count, most)
