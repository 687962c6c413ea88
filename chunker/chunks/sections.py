"""The sections of a document: each runs to the next heading and is named by its path of headings."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from chunker.chunks.lines import Lines
from chunker.chunks.outline import Outline
from chunker.languages.heading_readers import TITLE_CHARS, Heading
from chunker.parse.captures import Symbol
from chunker.parse.grammars import SymbolQuery
from chunker.parse.patterns import ROLE

if TYPE_CHECKING:
    from tree_sitter import Node

PATH_SEPARATOR = " > "  # not the dot of code symbols, because headings may contain dots
_MARKUP = re.compile(r"[*`]+|!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|<[^>]+>|\{#[^}]*\}|\s+#+\s*$")


def read_sections(headings: list[Heading], lines: Lines) -> Outline:
    """The sections as symbols of kind `section`, with their level as `depth`; a section without text of its own is
    part of the first one below it.

    The description of an object is a member of the section or description around it.
    """
    symbols: list[Symbol] = []
    top: list[Symbol] = []
    path: list[tuple[Symbol, Heading]] = []  # the headings around, the outermost first
    title: Symbol | None = None  # the last one
    first_row: int | None = None
    groups = _with_aliases(headings, lines)
    end = Heading("", 0, lines.count, lines.count, lines.count)
    for (heading, aliases), (after, _) in pairwise([*groups, (end, [])]):
        _close(path, heading)
        if title is not None and not heading.is_object:
            title.last_row = heading.first_row - 1
        around = path[-1][0] if path else None
        symbols += (_symbol(alias, around, lines) for alias in aliases if alias.title != heading.title)
        symbol = _symbol(heading, around, lines)
        symbols.append(symbol)
        symbol.first_row = heading.first_row if first_row is None else first_row
        path.append((symbol, heading))
        title = title if heading.is_object else symbol
        is_bare = after.level > heading.level and lines.trim(heading.last_row + 1, after.first_row - 1) is None
        first_row = symbol.first_row if is_bare else None
        if not is_bare or after.is_object:
            (around.members if around is not None and heading.is_object else top).append(symbol)
    _close(path, end)
    if title is not None:
        title.last_row = lines.count - 1
    return Outline(symbols, top)


def _with_aliases(headings: list[Heading], lines: Lines) -> list[tuple[Heading, list[Heading]]]:
    """Each heading with the objects right above it that it describes, too; its first row is the first of theirs."""
    groups: list[tuple[Heading, list[Heading]]] = []
    aliases: list[Heading] = []
    for number, heading in enumerate(headings, 1):
        own = heading._replace(first_row=aliases[0].first_row) if aliases else heading
        after = headings[number] if number < len(headings) else None
        if after is not None and heading.is_alias(after) and not lines.trim(heading.last_row + 1, after.first_row - 1):
            aliases.append(heading)
        else:
            groups.append((own, aliases))
            aliases = []
    return groups


def _close(path: list[tuple[Symbol, Heading]], heading: Heading) -> None:
    """Remove from the path what does not enclose a heading, and set the last rows of descriptions."""
    while path and not path[-1][1].encloses(heading):
        symbol, closed = path.pop()
        if closed.is_object:
            limits = heading.first_row - 1, path[-1][1].end_row if path else None
            symbol.last_row = closed.end_row or min(limit for limit in limits if limit is not None)


def _symbol(heading: Heading, around: Symbol | None, lines: Lines) -> Symbol:
    start, end = lines.begin(heading.row) + lines.indents[heading.row], lines.end(heading.row)
    title = heading.title or "#"
    name = title.rpartition(".")[2] or title if heading.is_object else title
    symbol = Symbol(start, end, name, start, "section", start, body=end, depth=heading.level)
    symbol.qualified = title if around is None else f"{around.qualified}{PATH_SEPARATOR}{title}"
    symbol.head_row, symbol.first_row, symbol.last_row = heading.row, heading.first_row, heading.last_row
    return symbol


def headings_of(root: Node, query: SymbolQuery, lines: Lines) -> list[Heading]:
    """The headings in the tree of a document, in its order."""
    headings: list[Heading] = []
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
        title = lines.data[title_start : min(title_end, title_start + TITLE_CHARS)].decode("utf-8", "replace")
        title = " ".join(_MARKUP.sub(r"\1", title).split())
        last_row = lines.row(max(start, end - 1))
        # A title of form feeds is blank; the line below it is none.
        row, _ = lines.trim(lines.row(start), last_row) or (lines.row(start), last_row)
        headings.append(Heading(title, int(role[-1]), row, row, last_row))
    return sorted(headings, key=lambda heading: heading.row)
