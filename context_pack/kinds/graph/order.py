"""The reading order of a graph pack, as tables, and the sort key that they make.

The key is (group, subgroup, type rank, trailing number or infinity, lower-cased title by code point, qid): total,
because no two nodes share a qid, and the same under every locale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from context_pack.kinds.graph.nodes import EDGES, Node
from context_pack.patterns import later

TASK_TYPES = frozenset({"task", "bug"})
FAVOURED = ("edd", "dec", "rule", "prd")  # a warning is due when one of these goes and something lesser stays
ALL_TYPES = ("edd", "dec", "rule", "prd", "prop", "epic", "feat", "task", "bug", "checkpoint")
CONSTRAINTS = ("edd", "dec", "rule")
WORK = ("epic", "feat", "task", "bug", "checkpoint")
NEIGHBOURS = ("blocked_by", "blocks", "prev", "next", "relates")  # the root's edge to a neighbour ranks it

SLOTS = ("root", "immediate", "constraints", "requirements", "supporting", "neighbours")
OTHERS = "related"  # the one slot after the root when the root is no task

_TRAILING = later(r"-0*([0-9]+)\Z")
_NO_NUMBER = (1, 0, "")

Key = tuple[int, int, int, tuple[int, int, str], str, str]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands: the group, and its ranks there."""

    group: int
    subgroup: int = 0
    rank: int = 0


class ReadingOrder:
    """The order around one root. `depths` holds the nodes that the traversal reached."""

    def __init__(self, root: Node, depths: Mapping[str, int]) -> None:
        self._root = root
        self._depths = depths
        self._tied = {edge: frozenset(root.targets(edge)) for edge in EDGES}
        self._is_task = root.type in TASK_TYPES

    def slot(self, node: Node) -> str:
        """The name of the part of the order that a node stands in."""
        group = self.place(node).group
        return SLOTS[group] if self._is_task or not group else OTHERS

    def key(self, node: Node) -> Key:
        place = self.place(node)
        return (place.group, place.subgroup, place.rank, trailing_number(node.id), node.title.lower(), node.qid)

    def place(self, node: Node) -> Place:
        if node.qid == self._root.qid:
            return Place(0)
        if not self._is_task:
            return Place(1, 0, _rank(node.type, ALL_TYPES))
        immediate = self._immediate(node)
        if immediate is not None:
            return Place(1, immediate)
        if node.type in CONSTRAINTS:
            return Place(2, 0, _rank(node.type, CONSTRAINTS))
        if node.type in {"prd", "prop"}:
            return Place(3 if node.type == "prd" else 4)
        return Place(5, self._neighbourhood(node.qid), _rank(node.type, WORK))

    def _immediate(self, node: Node) -> int | None:
        """The subgroup of a node of the immediate context: one step away, by one of these edges of the root."""
        if self._depths.get(node.qid) != 1:
            return None
        for subgroup, edge in enumerate(("parent", "epic")):
            if node.qid in self._tied[edge]:
                return subgroup
        if node.type == "checkpoint" and node.qid in self._tied["relates"]:
            return 2
        blocking = node.qid in self._tied["blocked_by"] or node.qid in self._tied["blocks"]
        return 3 if blocking else None

    def _neighbourhood(self, qid: str) -> int:
        return next((n for n, edge in enumerate(NEIGHBOURS) if qid in self._tied[edge]), len(NEIGHBOURS))


def trailing_number(name: str) -> tuple[int, int, str]:
    """The number of `task-12` as a key that sorts as numbers do, of any length; no number comes last."""
    found = _TRAILING.search(name)
    return (0, len(found[1]), found[1]) if found else _NO_NUMBER


def _rank(kind: str, order: tuple[str, ...]) -> int:
    """The position in an order; unknown types come last."""
    return order.index(kind) if kind in order else len(order)
