"""The sections of a Markdown document: each runs to the next heading and is named by its path of headings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chunker.chunks.lines import Lines
from chunker.chunks.outline import Outline
from chunker.parse.captures import Symbol
from chunker.parse.grammars import SymbolQuery
from chunker.parse.patterns import ROLE

if TYPE_CHECKING:
    from tree_sitter import Node

PATH_SEPARATOR = " > "  # not the dot of code symbols, because headings may contain dots
_MARKUP = re.compile(r"[*`]+|!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|<[^>]+>|\{#[^}]*\}|\s+#+\s*$")
_TITLE_CHARS = 200


def read_sections(root: Node, query: SymbolQuery, lines: Lines) -> Outline:
    """The sections as symbols of kind `section`, with their level as `depth`; a section without text of its own is
    part of the first one below it."""
    symbols = sorted(_headings(root, query, lines), key=lambda symbol: symbol.start)
    path: list[Symbol] = []
    top: list[Symbol] = []
    first_row: int | None = None
    for at, symbol in enumerate(symbols):
        path = [outer for outer in path if outer.depth < symbol.depth] + [symbol]
        symbol.qualified = PATH_SEPARATOR.join(outer.name for outer in path)
        last_of_heading = lines.row(max(symbol.start, symbol.end - 1))
        symbol.end = symbols[at + 1].start if at + 1 < len(symbols) else len(lines.data)
        symbol.head_row = lines.row(symbol.start)
        symbol.first_row = symbol.head_row if first_row is None else first_row
        symbol.last_row = lines.row(max(symbol.start, symbol.end - 1))
        is_bare = lines.trim(last_of_heading + 1, symbol.last_row) is None
        if is_bare and at + 1 < len(symbols) and symbols[at + 1].depth > symbol.depth:
            first_row = symbol.first_row
        else:
            first_row = None
            top.append(symbol)
    return Outline(symbols, top, {}, [], frozenset())


def _headings(root: Node, query: SymbolQuery, lines: Lines) -> list[Symbol]:
    headings: list[Symbol] = []
    skip_end = 0
    for pattern, captures in query.matches(root, lines.data):
        role = query.roles[pattern]
        start, end = captures[ROLE][0].byte_range
        if start < skip_end:
            continue
        if role == "skip":
            skip_end = end
            continue
        title_start, title_end = captures["name"][0].byte_range
        title = lines.data[title_start : min(title_end, title_start + _TITLE_CHARS)].decode("utf-8", "replace")
        title = " ".join(_MARKUP.sub(r"\1", title).split())
        headings.append(Symbol(start, end, title or "#", title_start, "section", start, body=end, depth=int(role[-1])))
    return headings
