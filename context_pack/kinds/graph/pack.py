"""The graph pack: a node and what its edges lead to, in reading order, within a number of nodes and bytes.

`select`, `pack` and the layouts are pure functions of a work graph; `answer` reads the graph and calls them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from context_pack.answer import Answer
from context_pack.core.candidate import Candidate
from context_pack.core.order import ordered
from context_pack.core.tail import Limit, Tail, drop_tail
from context_pack.kinds.graph.config import GraphConfig, edge_names
from context_pack.kinds.graph.nodes import Node
from context_pack.kinds.graph.order import FAVOURED, ReadingOrder
from context_pack.kinds.graph.work_graph import WorkGraph
from context_pack.redaction import Redactor
from context_pack.stages import Stages
from contracts.errors import InvalidRequest
from contracts.graph import GraphMeta, GraphNode, GraphPack, GraphTruncation, LeftOut
from contracts.records import Hint, Why

MAX_NODES, MAX_BYTES = "max_nodes", "max_bytes"
OPTIONS = frozenset({"depth", "edges", "verbose", "ws", MAX_NODES, MAX_BYTES, "explain", "no_redact"})
MAX_PROBLEMS = 20  # files named in the hints of one pack; the rest are counted


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """Every option with its value. 0 nodes or bytes mean no limit; `edges` are in the order they are followed."""

    depth: int = 2
    edges: tuple[str, ...] = ("parent", "epic", "relates")
    verbose: bool = False
    workspace: str | None = None
    max_nodes: int = 25
    max_bytes: int = 2_000_000
    explain: bool = False
    no_redact: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A selected node and the part of the order that it stands in."""

    node: Node
    slot: str


@dataclass(frozen=True, slots=True)
class Selection:
    """What was selected, the root first, in reading order; what was missing on the way."""

    root: str
    candidates: tuple[Candidate[Draft], ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """A format that counts bytes: `head` is everything before the nodes, `section` one node, both as printed."""

    head: Callable[[GraphMeta, Sequence[str], Sequence[LeftOut]], str]
    section: Callable[[GraphNode], str]


def options(config: GraphConfig, given: Mapping[str, Any]) -> GraphOptions:
    """The options: what is given, else what the graph's configuration says. InvalidRequest names what is wrong.

    `edges` adds to the default ones.
    """
    for name in given:
        if name not in OPTIONS:
            raise InvalidRequest(name, f"graph takes no {name}", hint=f"it takes {', '.join(sorted(OPTIONS))}")
    try:
        edges = edge_names(given.get("edges") or ())
    except ValueError as error:
        raise InvalidRequest("edges", str(error)) from None
    chosen = {name: value for name, value in given.items() if name not in {"edges", "ws"} and value is not None}
    for name in ("depth", MAX_NODES, MAX_BYTES):
        value = chosen.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise InvalidRequest(name, f"{name} must be a whole number from 0, not {value!r}")
    defaults = GraphOptions(depth=config.depth, max_nodes=config.max_nodes, max_bytes=config.max_bytes)
    edges = tuple(dict.fromkeys((*config.edges, *edges)))
    return replace(defaults, edges=edges, workspace=given.get("ws"), **chosen)


def select(graph: WorkGraph, name: str, options: GraphOptions) -> Selection:
    """The nodes for a root, in reading order. Errors are those of `WorkGraph.root`."""
    workspace = None if options.workspace is None else graph.check_workspace(options.workspace)
    root = graph.root(name, workspace)
    reached = _Traversal(graph, options.edges)
    reached.run(root, options.depth)
    if options.verbose:
        reached.pin(workspace)
    reading = ReadingOrder(graph.nodes[root], reached.depths)
    candidates = [
        Candidate(qid, Draft(graph.nodes[qid], reading.slot(graph.nodes[qid])), 0.0, tuple(why))
        for qid, why in reached.why.items()
    ]
    in_order = ordered(candidates, lambda candidate: reading.key(candidate.item.node))
    return Selection(root, in_order, tuple(reached.warnings))


class _Traversal:
    """Breadth first, first in first out; the first visit fixes the depth. Reasons are kept by qid."""

    def __init__(self, graph: WorkGraph, edges: Sequence[str]) -> None:
        self._graph = graph
        self._edges = edges
        self.depths: dict[str, int] = {}
        self.why: dict[str, list[Why]] = {}
        self.warnings: list[str] = []

    def run(self, root: str, depth: int) -> None:
        self.depths[root] = 0
        self.why[root] = [Why("root", 0.0, 0.0)]
        waiting = deque([root])
        while waiting:
            qid = waiting.popleft()
            if self.depths[qid] < depth:
                waiting += self._visit(self._graph.nodes[qid], self.depths[qid] + 1)

    def _visit(self, node: Node, depth: int) -> list[str]:
        """The nodes that are reached from here for the first time."""
        found = []
        for edge in self._edges:
            for target in dict.fromkeys(node.targets(edge)):
                if target not in self._graph.nodes:
                    self.warnings.append(self._dangling(node, edge, target))
                elif target not in self.depths:
                    self.depths[target] = depth
                    self.why[target] = [Why(edge, float(depth), 0.0, f"from {node.qid}")]
                    found.append(target)
        return found

    def _dangling(self, node: Node, edge: str, target: str) -> str:
        broken = self._graph.broken_file(target)
        reason = f"its file is broken ({broken.problem})" if broken else "there is no such node"
        return f"{node.path}: {edge} {target} is skipped: {reason}"

    def pin(self, workspace: str | None) -> None:
        """Add the pins of the core list. An unqualified one means the workspace that owns the list, if it is there;
        else the chosen workspace, if it is there; else any."""
        core = self._graph.core
        if core is None:
            self.warnings.append("there is no core list to read, so --verbose adds nothing")
            return
        for pin in core.pins:
            own = f"{core.workspace}:{pin.name}"
            narrow = [own] if own in self._graph.nodes else self._graph.find(pin.name, workspace)
            found = narrow or self._graph.find(pin.name)
            if len(found) == 1:
                self.why.setdefault(found[0], []).append(Why("pinned", float(pin.line), 0.0, f"{core.path}:{pin.line}"))
                continue
            what = f"ambiguous: {', '.join(found)}" if found else "missing"
            self.warnings.append(f"{core.path}:{pin.line}: the pinned id {pin.name} is {what}; it is skipped")


def pack(
    graph: WorkGraph, chosen: Selection, options: GraphOptions, layout: GraphLayout | None, generated_at: str | None,
    redactor: Redactor | None = None,
) -> tuple[GraphPack, tuple[str, ...]]:  # fmt: skip
    """What fits of a selection, without secrets, and a warning where the limits took the wrong things.

    `max_bytes` holds for what `layout` prints; without one there is no limit in bytes.
    """
    fitting = _Fitting(graph, chosen, options, layout, generated_at, redactor or Redactor())
    tail = fitting.run()
    left_out = fitting.left_out(tail.dropped) if options.explain else ()
    nodes = tuple(map(fitting.shown, tail.kept))
    meta = fitting.meta(len(tail.kept), tail.hit(MAX_NODES), tail.hit(MAX_BYTES))
    return GraphPack(meta, nodes, left_out), _limit_warnings(tail, options)


class _Fitting:
    """One run of the limits over a selection; nodes are read and printed once, and only as far as they may fit."""

    def __init__(
        self,
        graph: WorkGraph,
        chosen: Selection,
        options: GraphOptions,
        layout: GraphLayout | None,
        generated_at: str | None,
        redactor: Redactor,
    ) -> None:
        self._redactor = redactor
        self._graph, self._chosen, self._options = graph, chosen, options
        self._layout, self._generated_at = layout, generated_at
        self._qids = [candidate.id for candidate in chosen.candidates]
        self._within_nodes = min(len(self._qids), options.max_nodes or len(self._qids))
        self._shown: dict[str, GraphNode] = {}
        self._sizes = [0]  # bytes of the first n sections

    def run(self) -> Tail[Draft]:
        limits = [Limit(MAX_NODES, lambda count: count <= self._within_nodes)]
        layout = self._layout
        if layout is not None and self._options.max_bytes:
            limits.append(Limit(MAX_BYTES, lambda count: self._fits(count, layout)))
        return drop_tail(self._chosen.candidates, limits, protected=1)

    def meta(self, kept: int, max_nodes: bool, max_bytes: bool) -> GraphMeta:
        truncated = GraphTruncation(max_nodes, max_bytes, tuple(self._qids[kept:]))
        options = self._options
        return GraphMeta(
            root=self._chosen.root,
            depth=options.depth,
            verbose=options.verbose,
            generated_at=self._generated_at,
            node_count=kept,
            truncated=truncated,
        )

    def left_out(self, dropped: Sequence[tuple[Candidate[Draft], str]]) -> tuple[LeftOut, ...]:
        return tuple(LeftOut(candidate.id, limit, candidate.why) for candidate, limit in dropped)

    def shown(self, candidate: Candidate[Draft]) -> GraphNode:
        """A node as it is shown; its body is read when it is first asked for."""
        if candidate.id not in self._shown:
            explain = self._options.explain
            node = candidate.item.node
            self._shown[candidate.id] = GraphNode(
                qid=node.qid,
                id=node.id,
                workspace=node.workspace,
                type=node.type,
                title=self._redactor.text(node.title, place=node.qid),
                path=self._redactor.path(node.path),
                frontmatter=self._redactor.data(node.lists, node.qid),
                body=self._redactor.text(self._graph.body(node), node.path, node.qid),
                status=node.status,
                priority=node.priority,
                slot=candidate.item.slot if explain else "",
                why=candidate.why if explain else (),
            )
        return self._shown[candidate.id]

    def _fits(self, count: int, layout: GraphLayout) -> bool:
        """Whether the first `count` nodes, printed with the head that they would have, are within the bytes."""
        limit = self._options.max_bytes
        while len(self._sizes) <= count and self._sizes[-1] <= limit:
            section = layout.section(self.shown(self._chosen.candidates[len(self._sizes) - 1]))
            self._sizes.append(self._sizes[-1] + len(section.encode()))
        if len(self._sizes) <= count:
            return False
        by_bytes = [(candidate, MAX_BYTES) for candidate in self._chosen.candidates[count : self._within_nodes]]
        by_nodes = [(candidate, MAX_NODES) for candidate in self._chosen.candidates[self._within_nodes :]]
        dropped = self.left_out([*by_bytes, *by_nodes]) if self._options.explain else ()
        head = layout.head(self.meta(count, bool(by_nodes), bool(by_bytes)), self._qids[:count], dropped)
        return len(head.encode()) + self._sizes[count] <= limit


def _limit_warnings(tail: Tail[Draft], options: GraphOptions) -> tuple[str, ...]:
    warnings = []
    favoured = [(c.id, limit) for c, limit in tail.dropped if c.item.node.type in FAVOURED]
    lesser = [c.id for c in tail.kept[1:] if c.item.node.type not in FAVOURED]
    if favoured and lesser:
        gone = ", ".join(f"{qid} ({limit})" for qid, limit in favoured)
        warnings.append(f"left out although lesser nodes stay ({', '.join(lesser)}): {gone}")
    if MAX_BYTES in tail.over:
        warnings.append(f"the root alone is larger than {options.max_bytes} bytes; it is kept whole")
    return tuple(warnings)


def answer(
    name: str, root: str | Path | None, given: Mapping[str, Any], layout: GraphLayout | None, generated_at: str | None
) -> Answer[GraphPack]:
    """The pack for an id or qid of the graph in `root`; warnings are its hints."""
    from context_pack.kinds.graph.config import read_config
    from context_pack.kinds.graph.reading import graph_root, read_graph

    stages = Stages()
    folder = graph_root(root)
    config = read_config(folder)
    chosen_options = options(config, given)
    with stages.stage("read"):
        graph = read_graph(folder, config)
    with stages.stage("select"):
        chosen = select(graph, name, chosen_options)
    with stages.stage("fit"):
        redactor = Redactor(not chosen_options.no_redact)
        packed, warnings = pack(graph, chosen, chosen_options, layout, generated_at, redactor)
    hints = [Hint("warn", text) for text in (*_problems(graph), *chosen.warnings, *warnings)]
    if graph.unsaved:
        hints.append(Hint("info", f"the graph will be read anew next time: {graph.unsaved}"))
    left_out = len(packed.meta.truncated.dropped)
    if left_out:
        hints.append(Hint("action", f"{left_out} of {len(chosen.candidates)} nodes left out: raise {_raise(packed)}"))
    taken_out = redactor.counts_at(place for node in packed.nodes for place in (node.qid, node.path))
    return Answer(packed, redactor.hints(hints), stages.durations_ms(), taken_out)


def _raise(packed: GraphPack) -> str:
    hit = packed.meta.truncated
    return " and ".join(name for name, was in (("--max-nodes", hit.max_nodes), ("--max-bytes", hit.max_bytes)) if was)


def _problems(graph: WorkGraph) -> list[str]:
    shown = [str(problem) for problem in graph.problems[:MAX_PROBLEMS]]
    more = len(graph.problems) - len(shown)
    return [*shown, f"{more} more files with problems"] if more else shown
