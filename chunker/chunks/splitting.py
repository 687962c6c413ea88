"""Cuts code that is too long for one chunk: at statement boundaries, into nearly equal parts, best at a blank line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from chunker.chunks.lines import Lines

if TYPE_CHECKING:
    from tree_sitter import Node

_DEPTH_COST = 0.12  # a level of nesting costs as much as a cut 12 % of the limit away from the ideal place
_BLANK_GAIN = 0.10
_DEEPEST = 7  # levels that a row in the middle of a statement counts as
_OPENED = 3  # extra levels of a row that opens a block, or that follows the line that opens its block
_WITHIN_COMMENT = 2  # extra levels of a row in the middle of a comment
_PARAGRAPH = 3  # levels of a row in a statement after a blank one: the next paragraph of a docstring or comment
_ELSE = re.compile(rb"[ \t]*(?:\}[ \t]*)?else\b")
_LINE_CUTS = (";}", ",>", " ")  # where to cut inside a line, the best first


def boundaries(
    roots: Sequence[Node], first: int, last: int, lines: Lines, max_chars: int, comment: str
) -> dict[int, int]:
    """Rows in `first..last` where a node starts, with the depth of the outermost such node; searches in large nodes.

    A comment on lines of its own belongs to the code that follows.
    """
    start, end = lines.begin(first), lines.end(last)
    depths: dict[int, int] = {}
    covers = (root.descendant_for_byte_range(start, max(start, end - 1)) or root for root in roots)
    stack: list[tuple[Node, int]] = [(cover, 0) for cover in covers]
    while stack:
        node, depth = stack.pop()
        for child in node.children:
            child_start, child_end = child.byte_range
            if child_end <= start or child_start >= end:
                continue
            row = lines.row(child_start)
            if first < row and depths.get(row, depth + 1) > depth:
                depths[row] = depth
            if child_end - child_start > max_chars // 2:
                stack.append((child, depth + 1))
    depths = _level(depths, lines)
    return _above_comments(depths, first, last, lines, comment.encode()) if comment else depths


def _level(depths: Mapping[int, int], lines: Lines) -> dict[int, int]:
    """The boundaries, with each `else if` as deep as the first of its chain: the tree nests each in the one before."""
    levels: dict[int, int] = {}
    chains: list[int] = []  # rows that begin with `else` in the enclosing blocks, the innermost last
    for row, depth in sorted(depths.items()):
        while chains and lines.indents[chains[-1]] > lines.indents[row]:
            chains.pop()
        levels[row] = depth
        if _ELSE.match(lines.data, lines.begin(row)):
            if chains and lines.indents[chains[-1]] == lines.indents[row]:
                levels[row] = min(depth, levels[chains.pop()])
            chains.append(row)
    return levels


def _above_comments(depths: Mapping[int, int], first: int, last: int, lines: Lines, mark: bytes) -> dict[int, int]:
    """The boundaries, with each one right below a comment moved up to the start of that comment."""
    tops: dict[int, int] = {}
    top = first
    is_comment = True  # the first row is no boundary, nor is the row below a comment that begins there
    for row in range(first, last + 1):
        top = top if is_comment else row
        is_comment = lines.data.startswith(mark, lines.begin(row) + lines.indents[row])
        if (depth := depths.get(row)) is not None:
            if top > first:
                tops[top] = min(depth, tops.get(top, depth))
            if top < row and is_comment:
                tops[row] = depth + _WITHIN_COMMENT
    return tops


def paragraphs(first: int, last: int, lines: Lines, *, indented: int = 0) -> dict[int, int]:
    """Boundaries for text without a grammar: the first row after a blank one; `indented` is the depth of those that
    begin further right than others."""
    rows = [row for row in range(first + 1, last + 1) if lines.blank[row - 1] and not lines.blank[row]]
    margin = min((lines.indents[row] for row in rows), default=0)
    return {row: indented * (lines.indents[row] > margin) for row in rows}


def split_rows(first: int, last: int, lines: Lines, depths: Mapping[int, int], max_chars: int) -> list[tuple[int, int]]:
    """Cut rows `first..last` into consecutive runs of at most `max_chars`, without blank rows at their ends.

    A single row that is longer than `max_chars` becomes a run of its own, for the caller to cut inside the line.
    """
    runs: list[tuple[int, int]] = []
    trimmed = lines.trim(first, last)
    while trimmed is not None:
        first, last = trimmed
        total = lines.chars(first, last)
        if total <= max_chars:
            runs.append((first, last))
            break
        fit = lines.fitting(first, max_chars)
        # Cuts are made before a row, so a first row that does not fit is a run of its own.
        cut = first + 1 if fit <= first else _best_cut(first, min(fit + 1, last), total, lines, depths, max_chars)
        head = lines.trim(first, cut - 1)
        if head is not None:
            runs.append(head)
        trimmed = lines.trim(cut, last)
    return runs


def _best_cut(first: int, farthest: int, total: int, lines: Lines, depths: Mapping[int, int], max_chars: int) -> int:
    """The row in `first+1..farthest` to start the next run at: shallow, near an equal share, after a blank row."""
    share, indents = total / -(-total // max_chars), lines.indents
    rows = range(first + 1, farthest + 1)
    shallowest = min((depths[row] for row in rows if row in depths), default=0)

    def cost(row: int) -> float:
        within = _PARAGRAPH if lines.blank[row - 1] else _DEEPEST
        depth = min(depths.get(row, within + shallowest) - shallowest, _DEEPEST)
        depth += _OPENED * lines.data.startswith(b"{", lines.begin(row) + indents[row])
        off = abs(lines.chars(first, row - 1) - share) / max_chars
        depth += _OPENED * (not lines.blank[row - 1] and indents[row - 1] < indents[row])
        return depth * _DEPTH_COST + off - _BLANK_GAIN * lines.blank[row - 1]

    return min(rows, key=cost)


def split_line(row: int, lines: Lines, max_chars: int) -> list[tuple[int, int]]:
    """Byte spans of at most `max_chars` of an overlong line, cut after a `;`, `}`, `,`, `>` or space if one is near."""
    text = lines.text(row).decode("utf-8")
    spans: list[tuple[int, int]] = []
    byte, at = lines.begin(row), 0
    while at < len(text):
        stop = min(at + max_chars, len(text))
        if stop < len(text):
            nearest = (max(text.rfind(mark, at + 3 * max_chars // 4, stop) for mark in marks) for marks in _LINE_CUTS)
            stop = next((near + 1 for near in nearest if near >= 0), stop)
        size = len(text[at:stop].encode("utf-8"))
        if text[at:stop].strip():
            spans.append((byte, byte + size))
        byte, at = byte + size, stop
    return spans
