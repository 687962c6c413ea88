"""The reading order of a graph pack, as tables, and the sort key made from them.

The key is (group, subgroup, type rank, trailing number or infinity, lower-cased title by code point, qid): total,
because no two nodes share a qid, and the same under every locale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from context_pack.kinds.graph.nodes import EDGES, Node
from contracts.lazy_regex import lazy_regex

TASK_TYPES = frozenset({"task", "bug"})
FAVOURED = ("edd", "dec", "rule", "prd")  # warn if one of these is left out while a lesser node stays
ALL_TYPES = ("edd", "dec", "rule", "prd", "prop", "epic", "feat", "task", "bug", "checkpoint")
CONSTRAINTS = ("edd", "dec", "rule")
WORK = ("epic", "feat", "task", "bug", "checkpoint")
NEIGHBOURS = ("blocked_by", "blocks", "prev", "next", "relates")  # neighbours rank by the root's edge to them

SLOTS = ("root", "immediate", "constraints", "requirements", "supporting", "neighbours")
OTHERS = "related"  # the only slot after the root if the root is not a task

_TRAILING = lazy_regex(r"-0*([0-9]+)\Z")

Place = tuple[int, int, int]  # the group of a node, and its ranks in the group
Key = tuple[int, int, int, tuple[int, int, str], str, str]


class ReadingOrder:
    """The order around one root. `depths` are those of the nodes that the traversal reached, by qid."""

    def __init__(self, root: Node, depths: Mapping[str, int]) -> None:
        self._root, self._depths = root, depths
        self._tied = {edge: frozenset(root.targets(edge)) for edge in EDGES}
        self._is_task = root.kind in TASK_TYPES

    def slot(self, node: Node) -> str:
        """The name of the part of the order that contains a node."""
        group = self._place(node)[0]
        return SLOTS[group] if self._is_task or not group else OTHERS

    def key(self, node: Node) -> Key:
        return (*self._place(node), trailing_number(node.id), node.title.lower(), node.qid)

    def _place(self, node: Node) -> Place:
        if node.qid == self._root.qid:
            return 0, 0, 0
        if not self._is_task:
            return 1, 0, _rank(node.kind, ALL_TYPES)
        edges = [edge for edge in EDGES if node.qid in self._tied[edge]]
        immediate = self._immediate(node, edges)
        if immediate is not None:
            return 1, immediate, 0
        if node.kind in CONSTRAINTS:
            return 2, 0, _rank(node.kind, CONSTRAINTS)
        if node.kind in {"prd", "prop"}:
            return 3 if node.kind == "prd" else 4, 0, 0
        return 5, min((_rank(edge, NEIGHBOURS) for edge in edges), default=len(NEIGHBOURS)), _rank(node.kind, WORK)

    def _immediate(self, node: Node, edges: Sequence[str]) -> int | None:
        """The subgroup of a node that is one step from the root, by one of these edges; None for other nodes."""
        if self._depths.get(node.qid) != 1:
            return None
        ranks = {"parent": 0, "epic": 1, "blocked_by": 3, "blocks": 3}
        if node.kind == "checkpoint":
            ranks["relates"] = 2
        return min((ranks[edge] for edge in edges if edge in ranks), default=None)


def trailing_number(name: str) -> tuple[int, int, str]:
    """The number in `task-12` as a key that sorts numerically at any length; names without a number come last."""
    match = _TRAILING.search(name)
    return (0, len(match[1]), match[1]) if match else (1, 0, "")


def _rank(name: str, order: tuple[str, ...]) -> int:
    """The position in an order; names that are not in it come last."""
    return order.index(name) if name in order else len(order)
