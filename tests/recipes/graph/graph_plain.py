"""A plain version of the graph pack, close to the specification; tests compare the real one with it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from context_pack.kinds.graph.config import GraphSettings
from context_pack.kinds.graph.nodes import Node
from context_pack.kinds.graph.work_graph import WorkGraph


def order(graph: WorkGraph, root: str, options: GraphSettings) -> tuple[list[str], int]:
    """All selected qids in order, before any limit, and the number of dangling edges."""
    depth = {root: 0}
    missing = 0
    for level in range(options.depth):
        for qid in [found for found in depth if depth[found] == level]:
            for edge in options.edges:
                for target in dict.fromkeys(_targets(graph.nodes[qid], edge)):
                    missing += target not in graph.nodes
                    if target in graph.nodes:
                        depth.setdefault(target, level + 1)
    chosen = set(depth)
    if options.verbose and graph.core:
        for pin in graph.core.pins.values():
            chosen |= set(_pin(graph, pin, options.workspace))
    keys = {qid: _key(graph.nodes, root, qid, depth) for qid in chosen}
    return sorted(chosen, key=keys.__getitem__), missing


def _pin(graph: WorkGraph, name: str, workspace: str | None) -> list[str]:
    assert graph.core is not None
    if ":" in name:
        return [name] if name in graph.nodes else []
    if f"{graph.core.workspace}:{name}" in graph.nodes:
        return [f"{graph.core.workspace}:{name}"]
    everywhere = [qid for qid, node in graph.nodes.items() if node.id == name]
    found = [qid for qid in everywhere if graph.nodes[qid].workspace == workspace] or everywhere
    return found if len(found) == 1 else []


def _targets(node: Node, edge: str) -> list[str]:
    return [name if ":" in name else f"{node.workspace}:{name}" for name in node.edges.get(edge, [])]


def _key(nodes: Mapping[str, Node], root: str, qid: str, depth: Mapping[str, int]) -> tuple[Any, ...]:
    node, start = nodes[qid], nodes[root]
    digits = node.id.rsplit("-", 1)[-1]
    has_number = "-" in node.id and digits.isascii() and digits.isdigit()
    tail = (float(digits) if has_number else math.inf, node.title.lower(), qid)
    if qid == root:
        return (0, 0, 0, *tail)
    if start.type in ("task", "bug"):
        return (*_in_task(node, start, depth.get(qid)), *tail)
    return (1, 0, _index(node.type, "edd dec rule prd prop epic feat task bug checkpoint"), *tail)


def _in_task(node: Node, start: Node, depth: int | None) -> tuple[int, int, int]:
    ties = [edge for edge in ("parent", "epic", "relates", "blocked_by", "blocks") if node.qid in _targets(start, edge)]
    if node.type != "checkpoint" and "relates" in ties:
        ties.remove("relates")
    if depth == 1 and ties:
        return (1, {"parent": 0, "epic": 1, "relates": 2, "blocked_by": 3, "blocks": 3}[ties[0]], 0)
    if node.type in ("edd", "dec", "rule"):
        return (2, 0, _index(node.type, "edd dec rule"))
    if node.type in ("prd", "prop"):
        return (3 if node.type == "prd" else 4, 0, 0)
    near = [edge for edge in ("blocked_by", "blocks", "prev", "next", "relates") if node.qid in _targets(start, edge)]
    return (5, _index(near[0] if near else "", "blocked_by blocks prev next relates"), _index(node.type, _WORK))


_WORK = "epic feat task bug checkpoint"


def _index(name: str, names: str) -> int:
    order = names.split()
    return order.index(name) if name in order else len(order)
