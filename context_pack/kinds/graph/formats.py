"""A graph pack in each of its formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contracts.records import Hint
from contracts.wire import as_data

if TYPE_CHECKING:
    from context_pack.kinds.graph.pack import GraphLayout
    from contracts.graph import GraphPack

FORMATS = ("md", "json", "toon", "xml")
_XML_ITEMS = {
    "nodes": "node", "dropped": "qid", "links": "link", "artifacts": "artifact", "refs": "ref", "aliases": "alias",
    "why": "reason", "left_out": "left_out_node",
}  # fmt: skip


def layout(name: str) -> GraphLayout | None:
    """The layout by which `max_bytes` counts: Markdown's; the other formats have no such limit."""
    if name != "md":
        return None
    from context_pack.kinds.graph.markdown import LAYOUT

    return LAYOUT


def render(pack: GraphPack, name: str) -> tuple[str | None, tuple[Hint, ...]]:
    """What is printed, and what the reader should know about it; None when the pack is `data` of the envelope."""
    if name == "md":
        from context_pack.kinds.graph import markdown

        return markdown.render(pack), ()
    if name == "toon":
        import toon_format

        return toon_format.dumps(as_data(pack)) + "\n", ()
    if name == "xml":
        document, replaced = _xml(pack)
        lost = f"{replaced} characters that XML 1.0 forbids are replaced by U+FFFD"
        return document, (Hint("warn", lost),) if replaced else ()
    return None, ()


def _xml(pack: GraphPack) -> tuple[str, int]:
    """`<pack><meta/><nodes><node/>...`; characters that XML cannot hold are counted in `<replaced_characters>`."""
    from context_pack.render.xml import XmlWriter

    content = as_data(pack)
    version = content.pop("version")
    writer = XmlWriter(_XML_ITEMS)
    document = writer.document("pack", content, version=version)
    if writer.replaced:
        content["meta"] = {**content["meta"], "replaced_characters": writer.replaced}
        document = XmlWriter(_XML_ITEMS).document("pack", content, version=version)
    return document, writer.replaced
