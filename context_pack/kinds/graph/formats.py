"""The formats of a graph pack. Markdown has a head of `key: value` lines, then each node after a divider."""

from __future__ import annotations

import json
from collections.abc import Sequence

from contracts.graph import GraphNode, GraphPack
from contracts.records import Hint, Why, as_data

DIVIDER = "---"
# Characters that end a line of the head in some reader. A body is printed as it is in the file.
_LINE_ENDS = {code: f"\\u{code:04x}" for code in (*range(0x20), 0x7F, 0x85, 0x2028, 0x2029)}
_XML_ITEMS = {
    "nodes": "node", "dropped": "qid", "links": "link", "artifacts": "artifact", "refs": "ref", "aliases": "alias",
    "why": "reason", "left_out": "left_out_node",
}  # fmt: skip


def render(pack: GraphPack, name: str) -> tuple[str | None, tuple[Hint, ...]]:
    """The printed text and hints about it; the text is None if the pack is `data` of the envelope."""
    if name == "md":
        return markdown(pack), ()
    if name == "toon":
        from context_pack.render.toon import LAYOUT

        return LAYOUT.document(as_data(pack)), ()
    if name == "xml":
        from context_pack.render.xml import XmlWriter, without_forbidden

        content, replaced = without_forbidden(as_data(pack))
        content["meta"] |= {"replaced_characters": replaced} if replaced else {}
        lost = f"{replaced} characters that XML 1.0 forbids were replaced by U+FFFD"
        version = content.pop("version")
        document = XmlWriter(_XML_ITEMS).document("pack", content, version=version)
        return document, (Hint("warn", lost),) if replaced else ()
    return None, ()


def markdown(pack: GraphPack) -> str:
    """The whole document."""
    meta, truncated = pack.meta, pack.meta.truncated
    head = _block(
        "# Context pack",
        f"root: {_line(meta.root)}",
        f"depth: {meta.depth}",
        f"verbose: {json.dumps(meta.verbose)}",
        f"nodes: {meta.node_count}",
        f"truncated: max_nodes={json.dumps(truncated.max_nodes)} max_bytes={json.dumps(truncated.max_bytes)}",
        f"dropped: {_list(truncated.dropped)}",
        *([f"generated_at: {meta.generated_at}"] if meta.generated_at else []),
        "",
        "included_nodes:",
        *(f"- {_line(node.qid)}" for node in pack.nodes),
        *(["", "left_out:"] if pack.left_out else []),
        *(f"- {_line(one.qid)} ({one.limit}): {_why(one.why)}" for one in pack.left_out),
    )
    return head + "".join(map(printed_node, pack.nodes))


def printed_node(node: GraphNode) -> str:
    """A node after its divider, to its last newline."""
    return _block(
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
    )


def _block(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def _why(why: Sequence[Why]) -> str:
    """`relates at depth 1 from root:task-1; pinned .mdkg/core/core.md:3`."""
    return "; ".join(
        _line(f"{one.name} {one.detail}".rstrip() if one.name in {"root", "pinned"}
              else f"{one.name} at depth {one.signal:.0f} {one.detail}")
        for one in why
    )  # fmt: skip


def _list(values: Sequence[str]) -> str:
    """A list as the frontmatter writes it."""
    return f"[{', '.join(map(_line, values))}]"


def _line(text: str) -> str:
    return text if text.isprintable() else text.translate(_LINE_ENDS)
