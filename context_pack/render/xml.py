"""Plain data as XML 1.0: objects become elements, lists repeated children, everything else text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# https://www.w3.org/TR/xml/#charsets: what no document may hold, not even as a reference.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
REPLACEMENT = "\ufffd"
# A carriage return is written as a reference: a parser turns a bare one into a newline.
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})


class XmlWriter:
    """Writes one document and counts the characters that it had to replace. `items` names the children of lists."""

    def __init__(self, items: Mapping[str, str]) -> None:
        self._items = items
        self.replaced = 0

    def document(self, tag: str, value: Mapping[str, Any], **attributes: object) -> str:
        """The document of an object, to its last newline."""
        inner = "".join(self._element(name, part, 1) for name, part in value.items())
        given = "".join(f' {name}="{self._text(str(part))}"' for name, part in attributes.items())
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<{tag}{given}>\n{inner}</{tag}>\n'

    def _element(self, tag: str, value: Any, depth: int) -> str:
        indent = "  " * depth
        if isinstance(value, Mapping):
            inner = "".join(self._element(name, part, depth + 1) for name, part in value.items())
        elif isinstance(value, list | tuple):
            inner = "".join(self._element(self._items[tag], part, depth + 1) for part in value)
        else:
            return f"{indent}<{tag}>{self._text(_scalar(value))}</{tag}>\n"
        return f"{indent}<{tag}>\n{inner}{indent}</{tag}>\n" if inner else f"{indent}<{tag}/>\n"

    def _text(self, text: str) -> str:
        clean, replaced = _FORBIDDEN.subn(REPLACEMENT, text)
        self.replaced += replaced
        return clean.translate(_ESCAPES)


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
