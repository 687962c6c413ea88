"""XML 1.0: `<pack>` with its items; objects become elements, lists repeated children, the rest text or attributes.

Characters that XML cannot contain become U+FFFD and are counted in the attribute `replaced_characters`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from context_pack.render.document import DocumentLayout
from contracts.records import with_texts

# https://www.w3.org/TR/xml/#charsets: characters that no document may contain, not even as a reference.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
REPLACEMENT = "\ufffd"
# A carriage return is written as a reference: a parser turns a bare one into a newline.
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
# In an attribute a parser turns every white space into a space (https://www.w3.org/TR/xml/#AVNormalize).
_IN_ATTRIBUTE = str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})
_NESTED = (Mapping, list, tuple)
_LISTS = {
    "items": "item", "imports": "import", "relationship": "label", "elided": "range", "range": "line", "alike": "place",
    "hunks": "hunk", "notes": "note", "why": "reason", "dropped": "drop",
}  # fmt: skip
_TEXTS = frozenset({"query", "content", "old", "new"})
_REPLACED = "replaced_characters"


class XmlWriter:
    """Writes documents whose texts `without_forbidden` has cleaned.

    `items` maps the name of a list to that of its children; the default is `part`.

    With `texts`, an object's scalars are attributes, except those named in `texts`; without it, all are elements.
    """

    def __init__(self, items: Mapping[str, str], *, texts: frozenset[str] | None = None) -> None:
        self._items = items
        self._texts = texts

    def document(self, tag: str, value: Mapping[str, Any], **attributes: object) -> str:
        """The document of an object, to its last newline."""
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{self._element(tag, value, 0, **attributes)}'

    def _split(self, value: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """The parts of an object that are attributes, and those that are children."""
        texts = value.keys() if self._texts is None else self._texts
        own = {name: part for name, part in value.items() if name not in texts and not isinstance(part, _NESTED)}
        return own, {name: part for name, part in value.items() if name not in own}

    def _attributes(self, values: Mapping[str, Any]) -> str:
        return "".join(f' {name}="{_scalar(part).translate(_IN_ATTRIBUTE)}"' for name, part in values.items())

    def _element(self, tag: str, value: Any, depth: int, **attributes: object) -> str:
        indent, given = "  " * depth, ""
        if isinstance(value, Mapping):
            own, children = self._split(value)
            given = self._attributes({**attributes, **own})
            inner = "".join(self._element(name, part, depth + 1) for name, part in children.items())
        elif isinstance(value, list | tuple):
            inner = "".join(self._element(self._items.get(tag, "part"), part, depth + 1) for part in value)
        else:
            return f"{indent}<{tag}>{_scalar(value)}</{tag}>\n"
        return f"{indent}<{tag}{given}>\n{inner}{indent}</{tag}>\n" if inner else f"{indent}<{tag}{given}/>\n"


def _scalar(value: Any) -> str:
    return (str(value).lower() if isinstance(value, bool) else str(value)).translate(_ESCAPES)


def without_forbidden(data: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """The data with what XML forbids replaced in all texts, and the number of characters that were."""
    counts: list[int] = []

    def clean(text: str) -> str:
        text, replaced = _FORBIDDEN.subn(REPLACEMENT, text)
        counts.append(replaced)
        return text

    return with_texts(data, clean), sum(counts)


def _document(data: Mapping[str, Any]) -> str:
    clean, replaced = without_forbidden(data)
    return XmlWriter(_LISTS, texts=_TEXTS).document("pack", {**clean, _REPLACED: replaced} if replaced else clean)


LAYOUT = DocumentLayout(_document, reserve=lambda max_chars: len(f' {_REPLACED}="{max_chars}"'))
