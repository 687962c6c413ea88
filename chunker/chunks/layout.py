"""Lays out symbols and lines as drafts of chunks: every non-blank row in exactly one draft, no draft over the limit.

A region of rows is swept from top to bottom. A symbol that fits is one draft. A container that does not fit is a region
of its own: the rows up to its first member are its header, rows between members continue it. A long function is cut
into parts. Rows outside all symbols form `module` drafts. A row that two symbols share goes to the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from chunker.chunks.lines import Lines
from chunker.chunks.outline import same_extent
from chunker.chunks.splitting import split_line, split_rows
from chunker.kinds import ROUTINES, VALUES, Kind
from chunker.parse.captures import Symbol

Boundaries = Callable[[int, int], dict[int, int]]

_GROUPED = VALUES | {"type", "macro"}

# A row that only closes a scope stays with the code before it, a row that only opens one with the code after it:
# neither says anything alone.
_CLOSER = re.compile(
    rb"\s*(?:(?:[)}\]][;,]?|;|\b(?:end|fi|esac|done|endif|endfunction)\b|#\s*endif\b)\s*)+(?:(?://|--|/\*|#)[^\n]*)?"
)
_OPENER = re.compile(
    rb"\s*(?:(?:public|protected|private|internal|fileprivate|signals|slots|module_function)(?:\s+slots)?\s*:?"
    rb"|class\s*<<\s*self|companion\s+object\s*\{?|#\s*(?:if|ifdef|ifndef|else|elif)\b[^\n]*|#\s*\[[^\n]*\]|@[\w.:]+(?:\([^\n]*\))?"
    rb"|try\s*:|else\s*:|finally\s*:|if\s+[\w. ]{1,40}:|extern\s+\"C\"\s*\{|(?:type|const|var)\s*\(|[\w$]+\s*:\s*\{)\s*"
)
_LARGE_SHARE = 4  # a nested function under a quarter of the limit reads better with the code around it
_CUT_ANYWAY = 1 << 62


@dataclass(slots=True, eq=False)
class Draft:
    """A chunk in the making. `symbol` is None if the draft contains no symbol or several."""

    start: int
    end: int
    first_row: int
    last_row: int
    kind: Kind
    symbol: Symbol | None = None
    part: int = 0
    parent: Draft | None = None


@dataclass(slots=True)
class _Region:
    """Rows that are being swept; `owner` is the container around them, `parts` how many drafts it has so far."""

    last: int
    cursor: int
    members: Iterator[tuple[Symbol, ...]]
    owner: Symbol | None = None
    header: Draft | None = None
    parts: int = 0


@dataclass(slots=True)
class Layout:
    """Sweeps the regions of one file without recursion, because a file may nest 10,000 classes.

    `boundaries` returns the depths of the rows at which code may be cut; `comment_rows` contain only comments and
    attributes that belong to the code below; `clauses` is the rule of the language.
    """

    lines: Lines
    boundaries: Boundaries
    max_chars: int
    module_kind: Kind = "module"
    clauses: bool = False
    comment_rows: frozenset[int] = frozenset()
    drafts: list[Draft] = field(default_factory=list)
    namespaces: dict[int, Symbol] = field(default_factory=dict)
    file_comment_rows: int = field(init=False)

    def __post_init__(self) -> None:
        self.file_comment_rows = next(row for row in range(self.lines.count + 1) if row not in self.comment_rows)

    def sweep(self, top: list[Symbol]) -> list[Draft]:
        """All drafts, in file order."""
        stack = [_Region(self.lines.count - 1, 0, self._units(top))]
        while stack:
            region = stack[-1]
            for unit in region.members:
                inner = self._place(region, unit)
                if inner is not None:
                    stack.append(inner)
                    break
            else:
                self._gap(region, region.last)
                stack.pop()
        return self.drafts

    def _place(self, region: _Region, unit: tuple[Symbol, ...]) -> _Region | None:
        """Turn one unit into drafts; a container that is too large is returned as the region to sweep next."""
        first, last = max(unit[0].first_row, region.cursor), min(unit[-1].last_row, region.last)
        if first > last:
            return None
        first = self._with_openers(region.cursor, first, last)
        self._gap(region, first - 1)
        region.cursor = last + 1
        symbol = unit[0]
        single = all(other.qualified == symbol.qualified for other in unit)
        if symbol.kind not in _GROUPED:
            single |= same_extent(symbol, unit[-1])  # `typedef struct tag {...} name`
        if self.lines.chars(first, last) > self.max_chars:
            members = self._own_chunks(symbol)
            if members:
                return _Region(last, first, self._units(members), symbol)
        self._add(first, last, symbol.kind, symbol if single else None, region.header)
        return None

    def _own_chunks(self, symbol: Symbol) -> list[Symbol]:
        """The members to split a too large symbol into: all members of a container, the large ones of a function."""
        if symbol.kind not in ROUTINES:
            return symbol.members
        least = self.max_chars // _LARGE_SHARE
        return [member for member in symbol.members if self.lines.chars(member.first_row, member.last_row) >= least]

    def _with_openers(self, cursor: int, first: int, last: int) -> int:
        """The first row of a unit, including rows above it that only open a scope or only contain comments.

        Comments at the top of the file belong to the file.
        """
        begin = first
        # A unit that is cut anyway takes its comments along; a unit that fits must still fit with them.
        room = self.max_chars if self.lines.chars(first, last) <= self.max_chars else _CUT_ANYWAY
        for row in range(first - 1, max(cursor, self.file_comment_rows) - 1, -1):
            if self.lines.blank[row]:
                continue
            opens = row in self.comment_rows or self._matches(_OPENER, row)
            if not opens or self.lines.chars(row, last) > room:
                break
            begin = row
        return begin

    def _gap(self, region: _Region, last: int) -> None:
        """Add the rows up to `last`, which belong to no member."""
        first = self._closing(region.cursor, last)
        region.cursor = last + 1
        rows = self.lines.trim(first, last)
        if rows is None:
            return
        if (owner := region.owner) is None:
            self._add(*rows, self.module_kind, self.namespaces.get(rows[0]), None)
        else:
            drafts = self._add(*rows, owner.kind, owner, region.header, region.parts)
            region.parts += len(drafts)
            region.header = region.header or drafts[0]

    def _closing(self, first: int, last: int) -> int:
        """Extend the previous draft by rows that only close scopes, if they fit; return the row after them."""
        if not self.drafts or first == 0:
            return first
        previous, after = self.drafts[-1], first
        for row in range(first, last + 1):
            if self.lines.chars(previous.first_row, row) > self.max_chars:
                break
            if not self.lines.blank[row]:
                if not self._matches(_CLOSER, row):
                    break
                previous.end, previous.last_row, after = self.lines.end(row), row, row + 1
        return after

    def _matches(self, pattern: re.Pattern[bytes], row: int) -> bool:
        return pattern.fullmatch(self.lines.data, self.lines.begin(row), self.lines.end(row)) is not None

    def _add(
        self, first: int, last: int, kind: Kind, symbol: Symbol | None, parent: Draft | None, part: int = 0
    ) -> list[Draft]:
        """Add drafts for the rows, cut if they are too long; their parts are numbered from `part`."""
        spans: list[tuple[int, int, int, int]] = []
        is_cut = last > first and self.lines.chars(first, last) > self.max_chars
        depths = self.boundaries(first, last) if is_cut else {}
        for head, tail in split_rows(first, last, self.lines, depths, self.max_chars):
            if self.lines.chars(head, tail) > self.max_chars:
                spans += ((*span, head, head) for span in split_line(head, self.lines, self.max_chars))
            else:
                spans.append((self.lines.begin(head), self.lines.end(tail), head, tail))
        made = [Draft(*span, kind, symbol, part + at, parent) for at, span in enumerate(spans)]
        self.drafts += made
        return made

    def _units(self, members: list[Symbol]) -> Iterator[tuple[Symbol, ...]]:
        """Members in file order, transparent ones replaced by their own members, small neighbours grouped."""
        group: list[Symbol] = []
        for symbol in self._hoisted(members):
            if group and not self._joins(group, symbol):
                yield tuple(group)
                group = []
            group.append(symbol)
        if group:
            yield tuple(group)

    def _joins(self, group: list[Symbol], symbol: Symbol) -> bool:
        """Whether a symbol shares a chunk with the group before it."""
        before = group[-1]
        if same_extent(before, symbol):
            return True
        if symbol.kind != before.kind or self.lines.chars(group[0].first_row, symbol.last_row) > self.max_chars:
            return False
        if self.clauses and symbol.qualified == before.qualified:
            return self.lines.trim(before.last_row + 1, symbol.first_row - 1) is None
        one_liners = before.first_row == before.last_row and symbol.first_row == symbol.last_row
        without_body = symbol.kind in _GROUPED or (before.body is None and symbol.body is None)
        return one_liners and without_body and symbol.first_row - before.last_row <= 1

    def _hoisted(self, members: list[Symbol]) -> Iterator[Symbol]:
        stack = [iter(members)]
        while stack:
            for symbol in stack[-1]:
                if symbol.transparent:
                    if symbol.name:
                        self.namespaces.setdefault(symbol.first_row, symbol)
                    stack.append(iter(symbol.members))
                    break
                yield symbol
            else:
                stack.pop()
