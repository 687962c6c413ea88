"""Markdown headings -> sections: each runs to the next heading and is named by its path of headings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunker.chunks.lines import Lines
from chunker.chunks.outline import Outline
from chunker.parse.captures import Symbol
from chunker.parse.grammars import SymbolQuery

if TYPE_CHECKING:
    from tree_sitter import Node

PATH_SEPARATOR = " > "  # headings contain dots, so that the dot of code symbols would not separate them
_MARKUP = re.compile(r"[*`]+|!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|<[^>]+>|\{#[^}]*\}|\s+#+\s*$")
_TITLE_CHARS = 200


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    start: int
    end: int
    title: str
    title_start: int


def read_sections(root: Node, query: SymbolQuery, lines: Lines) -> Outline:
    """The sections as symbols of kind `section`; one without text of its own is part of the first below it."""
    headings = sorted(_headings(root, query, lines), key=lambda heading: heading.start)
    symbols: list[Symbol] = []
    path: list[_Heading] = []
    for at, heading in enumerate(headings):
        path = [outer for outer in path if outer.level < heading.level] + [heading]
        end = headings[at + 1].start if at + 1 < len(headings) else len(lines.data)
        symbol = Symbol(heading.start, end, heading.title, heading.title_start, "section", heading.start)
        symbol.qualified = PATH_SEPARATOR.join(outer.title for outer in path)
        symbol.body = heading.end
        symbol.head_row = symbol.first_row = lines.row(heading.start)
        symbol.last_row = lines.row(max(heading.start, end - 1))
        symbols.append(symbol)
    return Outline(symbols, _with_text(headings, symbols, lines), {}, [], frozenset())


def _headings(root: Node, query: SymbolQuery, lines: Lines) -> list[_Heading]:
    found: list[_Heading] = []
    skip_end = 0
    for pattern, captures in query.matches(root):
        role = query.roles[pattern]
        start, end = captures[role][0].byte_range
        if start < skip_end:
            continue
        if role == "skip":
            skip_end = end
            continue
        title_start, title_end = captures["name"][0].byte_range
        title = lines.data[title_start : min(title_end, title_start + _TITLE_CHARS)].decode("utf-8", "replace")
        title = " ".join(_MARKUP.sub(r"\1", title).split())
        found.append(_Heading(int(role[-1]), start, end, title or "#", title_start))
    return found


def _with_text(headings: list[_Heading], symbols: list[Symbol], lines: Lines) -> list[Symbol]:
    kept: list[Symbol] = []
    first_row: int | None = None
    for at, (heading, symbol) in enumerate(zip(headings, symbols, strict=True)):
        if first_row is not None:
            symbol.first_row, first_row = first_row, None
        bare = lines.trim(lines.row(max(heading.start, heading.end - 1)) + 1, symbol.last_row) is None
        if bare and at + 1 < len(headings) and headings[at + 1].level > heading.level:
            first_row = symbol.first_row
        else:
            kept.append(symbol)
    return kept
