"""Symbols and lines -> drafts of chunks: every non-blank row in exactly one draft, no draft over the limit.

A region of rows is swept from top to bottom. A symbol that fits is one draft. A container that does not is a region of
its own: the rows up to its first member are its header, rows between members continue it. A long function is cut into
parts. Rows that no symbol claims form `module` drafts. Two symbols on one row: the row goes to the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from chunker.lines import Lines
from chunker.model import Kind
from chunker.outline import Symbol, same_extent
from chunker.splitting import split_line, split_rows

Boundaries = Callable[[int, int], dict[int, int]]

_GROUPED = frozenset({"const", "variable", "type"})
# What closes a scope and says nothing of its own; it stays with the code before it.
_CLOSERS = re.compile(rb"(?:[\s(){}\[\];,]|\bend\b|\bfi\b|\besac\b|\bdone\b|(?://|--|#)[ \t]*(?:end|namespace)\b[^\n]*)*")
_CLOSER_CHARS = 200


@dataclass(slots=True, eq=False)
class Draft:
    """A chunk in the making. `symbol` is absent where it stands for none or for several."""

    start: int
    end: int
    kind: Kind
    symbol: Symbol | None = None
    part: int = 0
    parent: Draft | None = None


@dataclass(slots=True)
class _Region:
    """Rows that are being swept; `owner` is the container they lie in, `parts` how many drafts it has so far."""

    last: int
    cursor: int
    members: Iterator[tuple[Symbol, ...]]
    owner: Symbol | None = None
    header: Draft | None = None
    parts: int = 0


class Layout:
    """Sweeps the regions of one file without recursion: 10,000 nested classes are an input too."""

    def __init__(self, lines: Lines, boundaries: Boundaries, max_chars: int, module_kind: Kind = "module") -> None:
        self.lines = lines
        self.boundaries = boundaries
        self.max_chars = max_chars
        self.module_kind = module_kind
        self.drafts: list[Draft] = []

    def sweep(self, top: list[Symbol]) -> list[Draft]:
        """Drafts in the order of the file."""
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
        """Put one unit into drafts; a container that is too large comes back as the region to sweep next."""
        first, last = max(unit[0].first_row, region.cursor), min(unit[-1].last_row, region.last)
        if first > last:
            return None
        self._gap(region, first - 1)
        region.cursor = last + 1
        symbol = unit[0]
        single = all(other.qualified == symbol.qualified for other in unit)
        if self.lines.chars(first, last) > self.max_chars and self._is_splittable(symbol):
            return _Region(last, first, self._units(symbol.members), symbol)
        self._add(first, last, symbol.kind, symbol if single else None, region.header)
        return None

    def _is_splittable(self, symbol: Symbol) -> bool:
        return bool(symbol.members) and symbol.kind != "function" and symbol.kind != "method"

    def _gap(self, region: _Region, last: int) -> None:
        """Rows up to `last` that no member claims."""
        rows = self.lines.trim(region.cursor, last)
        region.cursor = last + 1
        if rows is None or self._closes_previous(*rows):
            return
        owner = region.owner
        if owner is None:
            self._add(*rows, self.module_kind, None, None)
            return
        drafts = self._add(*rows, owner.kind, owner, region.header, region.parts)
        region.parts += len(drafts)
        region.header = region.header or drafts[0]

    def _closes_previous(self, first: int, last: int) -> bool:
        """Let the draft before take rows that only close scopes, if it has room for them."""
        begin, end = self.lines.begin(first), self.lines.end(last)
        if not self.drafts or end - begin > _CLOSER_CHARS or not _CLOSERS.fullmatch(self.lines.data, begin, end):
            return False
        previous = self.drafts[-1]
        before = self.lines.row(previous.start)
        if self.lines.chars(before, last) > self.max_chars:
            return False
        previous.end = end
        return True

    def _add(
        self, first: int, last: int, kind: Kind, symbol: Symbol | None, parent: Draft | None, part: int = 0
    ) -> list[Draft]:
        """Drafts for the rows, cut where they are too long; the parts of one symbol count from `part`."""
        spans: list[tuple[int, int]] = []
        for head, tail in self._runs(first, last):
            if self.lines.chars(head, tail) > self.max_chars:
                spans += split_line(head, self.lines, self.max_chars)
            else:
                spans.append((self.lines.begin(head), self.lines.end(tail)))
        made = [Draft(*span, kind, symbol, part + at, parent) for at, span in enumerate(spans)]
        self.drafts += made
        return made

    def _runs(self, first: int, last: int) -> list[tuple[int, int]]:
        if self.lines.chars(first, last) <= self.max_chars:
            return [rows] if (rows := self.lines.trim(first, last)) else []
        depths = self.boundaries(first, last) if last > first else {}
        return split_rows(first, last, self.lines, depths, self.max_chars)

    def _units(self, members: list[Symbol]) -> Iterator[tuple[Symbol, ...]]:
        """Members in the order of the file, those of transparent ones in their place, neighbouring one-liners grouped."""
        group: list[Symbol] = []
        for symbol in _hoisted(members):
            if group and not self._joins(group, symbol):
                yield tuple(group)
                group = []
            group.append(symbol)
        if group:
            yield tuple(group)

    def _joins(self, group: list[Symbol], symbol: Symbol) -> bool:
        before = group[-1]
        if same_extent(before, symbol):
            return True
        return (
            symbol.kind == before.kind
            and symbol.kind in _GROUPED
            and before.first_row == before.last_row
            and symbol.first_row == symbol.last_row
            and symbol.first_row - before.last_row <= 1
            and self.lines.chars(group[0].first_row, symbol.last_row) <= self.max_chars
        )


def _hoisted(members: list[Symbol]) -> Iterator[Symbol]:
    stack = [iter(members)]
    while stack:
        for symbol in stack[-1]:
            if symbol.transparent:
                stack.append(iter(symbol.members))
                break
            yield symbol
        else:
            stack.pop()


