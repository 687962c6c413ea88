"""The reading order: groups, subgroups, types, numbers, titles, qids."""

from __future__ import annotations

import pytest
from graph_building import graph, ids, node, packed

from context_pack.kinds.graph.order import trailing_number

FOLLOWED = ("parent", "epic", "relates", "blocked_by", "blocks", "prev", "next")
TYPES = ("edd", "dec", "rule", "prd", "prop", "epic", "feat", "task", "bug", "checkpoint")


@pytest.mark.parametrize("kind", ["task", "bug"])
def test_the_groups_of_a_task_root(kind: str) -> None:
    """Immediate context (parent, epic, checkpoint, blockers), constraints, prd, prop, then the other work."""
    root = node(
        "x-1", kind, parent="feat-9", epic="epic-9", blocked_by="task-9", blocks="bug-9",
        relates=["task-3", "prop-1", "prd-1", "rule-1", "dec-1", "edd-1", "chk-9"],
    )  # fmt: skip
    others = ["feat-9", "epic-9", "chk-9", "bug-9", "task-9", "edd-1", "dec-1", "rule-1", "prd-1", "prop-1", "task-3"]
    found = packed(graph(root, *map(node, reversed(others))), "x-1", edges=FOLLOWED)
    assert ids(found) == ["x-1", *others]


def test_immediate_context_has_no_rank_by_type() -> None:
    """The number decides between two blockers, whatever their types."""
    root = node("task-1", blocked_by=["rule-3", "task-2"], blocks="edd-1")
    given = graph(root, node("rule-3"), node("task-2"), node("edd-1"))
    assert ids(packed(given, "task-1", edges=FOLLOWED)) == ["task-1", "edd-1", "task-2", "rule-3"]


def test_immediate_context_is_one_step_away() -> None:
    """epic-1 is the root's epic, but that edge is not followed, so it takes two steps to reach it."""
    root = node("task-1", relates="task-2", epic="epic-1")
    given = graph(root, node("task-2", relates="epic-1"), node("epic-1"), node("edd-1"), pins=["edd-1"])
    assert ids(packed(given, "task-1", edges=("relates",), verbose=True)) == ["task-1", "edd-1", "task-2", "epic-1"]


def test_a_parent_that_is_also_epic_and_blocker_is_the_parent() -> None:
    root = node("task-1", parent="epic-5", epic="epic-5", blocked_by="epic-5", relates="chk-1")
    given = graph(root, node("epic-5"), node("chk-1"))
    assert [one.slot for one in packed(given, "task-1", edges=FOLLOWED, explain=True).nodes] == [
        "root", "immediate", "immediate",
    ]  # fmt: skip
    assert ids(packed(given, "task-1", edges=FOLLOWED)) == ["task-1", "epic-5", "chk-1"]


def test_a_blocker_that_is_reached_by_another_edge_is_immediate_context() -> None:
    """The root's edge decides, not the edge that was followed."""
    root = node("task-1", blocked_by="task-9", relates=["task-9", "task-2", "edd-1"])
    given = graph(root, node("task-9"), node("task-2"), node("edd-1"))
    assert ids(packed(given, "task-1")) == ["task-1", "task-9", "edd-1", "task-2"]


def test_only_a_related_checkpoint_is_immediate_context() -> None:
    root = node("task-1", relates=["task-2", "chk-1"], next="chk-2")
    given = graph(root, node("task-2"), node("chk-1"), node("chk-2"))
    assert ids(packed(given, "task-1", edges=FOLLOWED)) == ["task-1", "chk-1", "chk-2", "task-2"]


def test_a_type_counts_in_any_case_and_chk_means_checkpoint() -> None:
    nodes = [node("chk-1", "chk"), node("chk-2", "Checkpoint"), node("edd-1", "EDD"), node("rule-1"), node("task-2")]
    names = ["task-2", "rule-1", "edd-1", "chk-2", "chk-1"]
    found = packed(graph(node("task-1", "Task", relates=names), *nodes), "task-1")
    assert ids(found) == ["task-1", "chk-1", "chk-2", "edd-1", "rule-1", "task-2"]
    assert found.nodes[1].type == "chk", "shown as it is written"
    others = packed(graph(node("epic-1", relates=names), *nodes), "epic-1")
    assert ids(others) == ["epic-1", "edd-1", "rule-1", "task-2", "chk-1", "chk-2"]


def test_neighbours_rank_by_the_roots_edge_to_them() -> None:
    """blocked_by, blocks, prev, next, relates, none: even two steps away."""
    far = ["task-6", "task-5", "task-4", "task-3", "task-2", "task-7"]
    root = node(
        "task-1", blocked_by="task-6", blocks="task-5", prev="task-4", next="task-3", relates=["feat-1", "task-2"]
    )
    given = graph(root, node("feat-1", relates=far), *map(node, far))
    assert ids(packed(given, "task-1", edges=("relates",))) == [
        "task-1", "task-6", "task-5", "task-4", "task-3", "feat-1", "task-2", "task-7",
    ]  # fmt: skip


def test_neighbours_of_one_edge_rank_by_type() -> None:
    kinds = ["epic-9", "feat-8", "task-7", "bug-6", "chk-5", "spike-1"]
    root = node("task-1", relates="feat-1")
    given = graph(root, node("feat-1", relates=kinds[::-1]), *map(node, kinds))
    assert ids(packed(given, "task-1")) == ["task-1", "feat-1", *kinds]


@pytest.mark.parametrize("root", [kind for kind in (*TYPES, "spike") if kind not in {"task", "bug"}])
def test_other_roots_rank_by_type_alone(root: str) -> None:
    """Unknown types come last; the edges of the root do not count."""
    others = [f"{kind}-{9 - n}" for n, kind in enumerate((*TYPES, "spike"))]
    start = node("x-1", root, parent="bug-1", relates=others[::-1])
    kinds = dict(zip(others, (*TYPES, "spike"), strict=True))
    given = graph(start, *(node(name, kind) for name, kind in kinds.items()))
    assert ids(packed(given, "x-1")) == ["x-1", *others]


def test_numbers_sort_as_numbers_then_titles_then_qids() -> None:
    names = ["rule-2", "rule-10", "rule-guide", "rule-x2"]
    given = graph(node("edd-1", relates=names), *(node(name, title="same") for name in reversed(names)))
    assert ids(packed(given, "edd-1")) == ["edd-1", "rule-2", "rule-10", "rule-guide", "rule-x2"]


def test_titles_compare_lower_cased_by_code_point() -> None:
    """Swedish would put ö and ä after z in another order, and case first."""
    titles = ["Abc", "abd", "Z", "ä", "Ö"]
    names = [f"rule-{chr(97 + n)}" for n in range(len(titles))]
    nodes = [node(name, title=title) for name, title in zip(reversed(names), titles, strict=True)]
    found = packed(graph(node("edd-1", relates=names), *nodes), "edd-1")
    assert [one.title for one in found.nodes[1:]] == titles


def test_equal_titles_are_ordered_by_the_qid() -> None:
    nodes = [node(f"{alias}:rule-1", title="t") for alias in ("web", "api", "root")]
    root = node("edd-1", relates=["web:rule-1", "api:rule-1", "rule-1"])
    found = packed(graph(root, *nodes), "edd-1")
    assert [one.qid for one in found.nodes[1:]] == ["api:rule-1", "root:rule-1", "web:rule-1"]


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        ("a-2", "a-10"),
        ("a-0", "a-1"),
        ("b-9", f"a-1{'0' * 5000}"),
        ("a-99", "a-b"),
        ("a-1-3", "a-1-4"),
        ("z-007", "a-8"),
    ],
)
def test_trailing_numbers(smaller: str, larger: str) -> None:
    assert trailing_number(smaller) < trailing_number(larger)


def test_text_that_is_not_a_trailing_number() -> None:
    assert len({trailing_number(name) for name in ("guide", "a-b", "a1", "a-1b", "a-", "a-١")}) == 1
    assert trailing_number("a-007") == trailing_number("b-7")
