"""A graph pack as Markdown: a head of `key: value` lines and the list of nodes, then each node behind a divider."""

from __future__ import annotations

from collections.abc import Sequence

from context_pack.kinds.graph.pack import GraphLayout
from contracts.graph import GraphMeta, GraphNode, GraphPack, LeftOut
from contracts.records import Why

DIVIDER = "---"
# What would end a line of the head in some reader; a body is the file's own and stays as it is.
_LINE_ENDS = {code: f"\\u{code:04x}" for code in (*range(0x20), 0x7F, 0x85, 0x2028, 0x2029)}


def head(meta: GraphMeta, qids: Sequence[str], left_out: Sequence[LeftOut]) -> str:
    """Everything before the first node, to its last newline."""
    truncated = meta.truncated
    lines = [
        "# Context pack",
        f"root: {_line(meta.root)}",
        f"depth: {meta.depth}",
        f"verbose: {_flag(meta.verbose)}",
        f"nodes: {meta.node_count}",
        f"truncated: max_nodes={_flag(truncated.max_nodes)} max_bytes={_flag(truncated.max_bytes)}",
        f"dropped: {_list(truncated.dropped)}",
        *([f"generated_at: {meta.generated_at}"] if meta.generated_at else []),
        "",
        "included_nodes:",
        *(f"- {_line(qid)}" for qid in qids),
    ]
    if left_out:
        lines += ["", "left_out:", *(f"- {_line(one.qid)} ({one.limit}): {_why(one.why)}" for one in left_out)]
    return "".join(f"{line}\n" for line in lines)


def section(node: GraphNode) -> str:
    """A node behind its divider, to its last newline."""
    lines = [
        "",
        DIVIDER,
        "",
        f"## {_line(node.qid)}",
        f"qid: {_line(node.qid)}",
        f"type: {_line(node.type)}",
        f"title: {_line(node.title)}",
        *([f"status: {_line(node.status)}"] if node.status is not None else []),
        *([f"priority: {node.priority}"] if node.priority is not None else []),
        f"path: {_line(node.path)}",
        *(f"{name}: {_list(node.frontmatter.get(name, ()))}" for name in ("links", "artifacts", "refs")),
        *([f"slot: {node.slot}", f"why: {_why(node.why)}"] if node.why else []),
        *(["", node.body] if node.body.strip() else []),
    ]
    return "".join(f"{line}\n" for line in lines)


LAYOUT = GraphLayout(head, section)


def render(pack: GraphPack) -> str:
    """The whole document."""
    qids = [node.qid for node in pack.nodes]
    return head(pack.meta, qids, pack.left_out) + "".join(map(section, pack.nodes))


def _why(why: Sequence[Why]) -> str:
    """`relates at depth 1 from root:task-1; pinned .mdkg/core/core.md:3`."""
    return "; ".join(_line(_reason(part)) for part in why)


def _reason(part: Why) -> str:
    if part.name in {"root", "pinned"}:
        return f"{part.name} {part.detail}".rstrip()
    return f"{part.name} at depth {part.signal:.0f} {part.detail}"


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _list(values: Sequence[str]) -> str:
    """A list in the form that the frontmatter has."""
    return f"[{', '.join(map(_line, values))}]"


def _line(text: str) -> str:
    return text if text.isprintable() else text.translate(_LINE_ENDS)
