"""The graph pack: a node and the nodes its edges lead to, in reading order, within limits of nodes and bytes.

`select` and `pack` are pure functions of a work graph; `answer` reads the graph and calls them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any

from context_pack.answer import Answer, Stages
from context_pack.core.fit import Candidate, longest
from context_pack.io.markdown_files import problem_hints
from context_pack.kinds.graph.config import GraphSettings, read_config
from context_pack.kinds.graph.formats import markdown, printed_node
from context_pack.kinds.graph.nodes import Node
from context_pack.kinds.graph.order import FAVOURED, ReadingOrder
from context_pack.kinds.graph.work_graph import WorkGraph, graph_root, read_graph
from context_pack.options.resolve import checked_options
from context_pack.redaction import Redactor
from contracts.errors import InvalidRequest
from contracts.frozen import frozen
from contracts.graph import DroppedNode, GraphMeta, GraphNode, GraphPack, GraphTruncation
from contracts.records import Hint, Why

MAX_NODES, MAX_BYTES = "max_nodes", "max_bytes"


@frozen
class Selection:
    """The selected nodes in reading order, the root first, and warnings about nodes that are missing."""

    root: str
    candidates: tuple[Candidate[Node], ...]
    order: ReadingOrder
    warnings: tuple[str, ...]


def options(config: GraphSettings, given: Mapping[str, Any]) -> GraphSettings:
    """The given options, else those of the graph's configuration; given `edges` are added to the configured ones."""
    chosen = checked_options("graph", given)
    edges = tuple(dict.fromkeys((*config.edges, *chosen.pop("edges", ()))))
    return replace(config, edges=edges, workspace=chosen.pop("ws", None), **chosen)


def select(graph: WorkGraph, name: str, options: GraphSettings) -> Selection:
    """The nodes for a root, in reading order. Errors are those of `WorkGraph.root`."""
    workspace = None if options.workspace is None else options.workspace.strip().lower()
    if workspace not in (None, *graph.workspaces):
        hint = f"the workspaces are {', '.join(graph.workspaces)}"
        raise InvalidRequest("ws", f"there is no enabled workspace {options.workspace!r}", hint=hint)
    root = graph.root(name, workspace)
    reached = _Traversal(graph)
    reached.run(root, options.edges, options.depth)
    if options.verbose:
        reached.pin(workspace)
    order = ReadingOrder(graph.nodes[root], reached.depths)
    candidates = [Candidate(qid, graph.nodes[qid], 0.0, tuple(why)) for qid, why in reached.why.items()]
    in_order = sorted(candidates, key=lambda candidate: order.key(candidate.item))
    return Selection(root, tuple(in_order), order, tuple(reached.warnings))


class _Traversal:
    """Breadth-first traversal; the first visit of a node fixes its depth. `why` has the reasons by qid."""

    def __init__(self, graph: WorkGraph) -> None:
        self._graph = graph
        self.depths: dict[str, int] = {}
        self.why: dict[str, list[Why]] = {}
        self.warnings: list[str] = []

    def run(self, root: str, edges: Sequence[str], most: int) -> None:
        self.depths[root] = 0
        self.why[root] = [Why("root", 0.0, 0.0)]
        queue = deque([root])
        while queue and (depth := self.depths[queue[0]] + 1) <= most:
            node = self._graph.nodes[queue.popleft()]
            for edge, target in dict.fromkeys((name, qid) for name in edges for qid in node.targets(name)):
                if target not in self._graph.nodes:
                    broken = self._graph.broken_file(target)
                    place = f"its file is broken ({broken.path}:{broken.line}: {broken.message})" if broken else ""
                    fault = place or "there is no such node"
                    self.warnings.append(f"{node.path}: {edge} {target} was skipped: {fault}")
                elif target not in self.depths:
                    self.depths[target] = depth
                    self.why[target] = [Why(edge, float(depth), 0.0, f"from {node.qid}")]
                    queue.append(target)

    def pin(self, workspace: str | None) -> None:
        """Add the pins of the core list. An unqualified pin is looked up in the workspace that owns the list, then in
        the chosen workspace, then in all."""
        core = self._graph.core
        if core is None:
            self.warnings.append("there is no readable core list, so --verbose adds nothing")
            return
        for line, name in core.pins.items():
            own = f"{core.workspace}:{name}"
            narrow = [own] if own in self._graph.nodes else self._graph.find(name, workspace)
            qids = narrow or self._graph.find(name)
            place = f"{core.path}:{line}"
            if len(qids) == 1:
                self.why.setdefault(qids[0], []).append(Why("pinned", float(line), 0.0, place))
            else:
                what = f"ambiguous: {', '.join(qids)}" if qids else "missing"
                self.warnings.append(f"{place}: the pinned id {name} is {what}; it was skipped")


def pack(
    graph: WorkGraph, chosen: Selection, options: GraphSettings, form: str = "json", generated_at: str | None = None,
    redactor: Redactor | None = None,
) -> tuple[GraphPack, tuple[str, ...]]:  # fmt: skip
    """The part of a selection that fits, without secrets, and warnings about the limits.

    `max_bytes` limits printed Markdown (`md`); the other formats have no limit in bytes.
    """
    clean = redactor or Redactor()
    candidates, explain, max_bytes = chosen.candidates, options.explain, options.max_bytes if form == "md" else 0
    count = most = min(len(candidates), options.max_nodes or len(candidates))

    @cache
    def shown(place: int) -> GraphNode:
        """A node as it is shown; its body is read on first use."""
        node, why = candidates[place].item, candidates[place].why
        return GraphNode(
            qid=node.qid, id=node.id, workspace=node.workspace, type=node.type, path=clean.path(node.path),
            status=node.status, priority=node.priority, title=clean.text(node.title, place=node.qid),
            frontmatter=clean.data(node.lists, node.qid), body=clean.text(graph.body(node), node.path, node.qid),
            slot=chosen.order.slot(node) if explain else "", why=why if explain else (),
        )  # fmt: skip

    def limits(count: int) -> list[str]:
        """The limit that left out each candidate from `count` on."""
        return [MAX_BYTES] * (most - count) + [MAX_NODES] * (len(candidates) - most)

    def packed(count: int, over: bool = False) -> GraphPack:
        """The pack of the first `count` nodes; `over`: even these exceed the bytes."""
        left_out = tuple(map(lambda one, limit: DroppedNode(one.id, limit, one.why), candidates[count:], limits(count)))
        truncated = GraphTruncation(most < len(candidates), over or count < most, tuple(one.qid for one in left_out))
        meta = GraphMeta(root=chosen.root, depth=options.depth, verbose=options.verbose, generated_at=generated_at,
                         node_count=count, truncated=truncated)  # fmt: skip
        return GraphPack(meta, tuple(map(shown, range(count))), left_out if explain else ())

    def size(count: int) -> int:
        return len(markdown(packed(count)).encode())

    if max_bytes:
        ends = accumulate(len(printed_node(shown(place)).encode()) for place in range(most))
        within = sum(1 for _ in takewhile(lambda end: end <= max_bytes, ends))  # the bodies of others are not read
        count = longest(within, lambda count: size(count) <= max_bytes)
    warnings = () if count else (f"the root alone takes {size(1)} of {options.max_bytes} bytes; it was kept whole",)
    result = packed(max(count, 1), over=not count)
    count = result.meta.node_count
    favoured = [f"{one.id} ({limit})" for one, limit in zip(candidates[count:], limits(count), strict=True)
                if one.item.kind in FAVOURED]  # fmt: skip
    lesser = [one.id for one in candidates[1:count] if one.item.kind not in FAVOURED]
    if favoured and lesser:
        stay = f"left out although less important nodes stay ({', '.join(lesser)})"
        warnings = (f"{stay}: {', '.join(favoured)}", *warnings)
    return result, warnings


def answer(
    name: str, root: str | Path | None, given: Mapping[str, Any], form: str = "json", generated_at: str | None = None,
    max_bytes: int = 0,
) -> Answer[GraphPack]:  # fmt: skip
    """The pack for an id or qid of the graph in `root`; warnings become hints.

    `max_bytes` (0: none) caps the limit of the graph's configuration; only `given` can ask for more.
    """
    stages = Stages()
    folder = graph_root(root)
    config = read_config(folder)
    if max_bytes:
        config = replace(config, max_bytes=min(config.max_bytes or max_bytes, max_bytes))
    chosen_options = options(config, given)
    with stages.stage("read"):
        graph = read_graph(folder, config)
    with stages.stage("select"):
        chosen = select(graph, name, chosen_options)
    with stages.stage("fit"):
        redactor = Redactor(not chosen_options.no_redact)
        packed, warnings = pack(graph, chosen, chosen_options, form, generated_at, redactor)
    hints = problem_hints(graph.problems, graph.unsaved)
    hints += [Hint("warn", text) for text in (*chosen.warnings, *warnings)]
    limits = packed.meta.truncated
    if limits.dropped:
        hit = ((f"--{name.replace('_', '-')}", getattr(limits, name)) for name in (MAX_NODES, MAX_BYTES))
        more = " and ".join(option for option, was_hit in hit if was_hit)
        hints.append(Hint("action", f"{len(limits.dropped)} of {len(chosen.candidates)} nodes left out: raise {more}"))
    redactions = redactor.counts_at(place for node in packed.nodes for place in (node.qid, node.path))
    return Answer(packed, redactor.hints(hints), stages.durations_ms(), redactions)
