"""Finds the named templates of a Go template, such as the helpers of a Helm chart. The time is linear in its size."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chunker.parse.captures import Symbol

if TYPE_CHECKING:
    from chunker.chunks.lines import Lines

# A comment that nothing closes is read once, to the end, and not again for each comment that seems to begin in it.
_ACTION = re.compile(
    rb"\{\{-?\s*(?:/\*(?:[^*]|\*(?!/))*+(?:\*/(?P<comment>\s*-?\}\})?)?"
    rb"|(?P<word>define|block|if|with|range|end)\b(?:\s*\"(?P<name>[^\"\n]{1,200})\")?)"
)


def read_templates(lines: Lines) -> tuple[list[Symbol], set[int], str]:
    """The named templates, in order, the rows that only contain comments, and no package."""
    symbols: list[Symbol] = []
    comment_rows: set[int] = set()
    around: list[Symbol | None] = []  # the actions that an `end` closes
    for match in _ACTION.finditer(lines.data):
        if match["comment"]:
            comment_rows.update(range(lines.row(match.start()), lines.row(match.end() - 1) + 1))
        elif match["word"] == b"end":
            if around and (symbol := around.pop()):
                symbol.end = match.end()
        elif match["word"]:
            symbol = None
            if match["word"] == b"define":  # it is never inside of another one
                for unclosed in filter(None, around):
                    unclosed.end = match.start()
                around.clear()
            if match["name"] and match["word"] in (b"define", b"block"):
                name = match["name"].decode("utf-8", "replace")
                symbol = Symbol(match.start(), len(lines.data), name, match.start("name"), "function", match.start())
                symbols.append(symbol)
            around.append(symbol)
    return symbols, comment_rows, ""
