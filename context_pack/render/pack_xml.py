"""XML 1.0: `<pack>` with its items; short values are attributes, texts are elements.

Characters that XML cannot hold become U+FFFD and are counted in the attribute `replaced_characters`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from context_pack.render.document import DocumentLayout
from context_pack.render.xml import XmlWriter

_LISTS = {
    "items": "item", "imports": "import", "relationship": "label", "elided": "range", "range": "line",
    "why": "reason", "dropped": "drop", "alike": "place",
}  # fmt: skip
_TEXTS = frozenset({"query", "content"})
_REPLACED = "replaced_characters"


def _document(data: Mapping[str, Any]) -> str:
    writer = XmlWriter(_LISTS, texts=_TEXTS)
    document = writer.document("pack", data)
    if not writer.replaced:
        return document
    return XmlWriter(_LISTS, texts=_TEXTS).document("pack", {**data, _REPLACED: writer.replaced})


def _reserve(max_chars: int) -> int:
    """What the count of replaced characters may take."""
    return len(f' {_REPLACED}="{max_chars}"')


LAYOUT = DocumentLayout(_document, _reserve)
