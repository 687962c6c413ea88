"""Finds the lines that a change removes in one place and adds in another: a move says little to its reader.

Lines are compared without the indentation that a block has as a whole, so that a function that becomes a method has
moved. Lines that only get another indentation where they are have not: what is in a loop may have left it. Neither have
lines that change their place within one symbol: the order of statements matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, zip_longest

from context_pack.io.patches import ChangedFile, Hunk, Lines
from contracts.frozen import frozen
from index.text import indentation

WINDOW = 3  # lines with text that two places must have in common
MIN_CHARS = 60  # letters and digits of a run of lines; shorter ones are alike by chance: `return nil, err`

_Row = tuple[int, str, int]  # a line with text: its position on its side, its text without blanks around it, its depth
_Window = tuple[tuple[str, int], ...]  # WINDOW rows: the text of each, and its depth below the first one
_Places = dict[_Window, list[tuple["_Side", int]]]
SymbolAt = Callable[[str, int], str | None]  # (path, line) -> the symbol that contains the line now


@frozen
class Move:
    """Lines of the file at `path`, which began at line `was_line` of the file at `was` before the change."""

    path: str
    lines: Lines
    was: str
    was_line: int


@dataclass(eq=False)
class _Side:
    """One side of a hunk: its lines, the first of which has the number `first` in `file`, and the runs that have moved.

    `lines` is empty if the text of the file is not available.
    """

    file: ChangedFile
    number: int  # of its hunk, over all files
    first: int
    lines: Sequence[str]
    gap: int = 0  # of a side before the change: the line where it was
    runs: Sequence[_Run] = ()

    @cached_property
    def rows(self) -> list[_Row]:
        return [(at, line.strip(), indentation(line)) for at, line in enumerate(self.lines) if line.strip()]

    @cached_property
    def windows(self) -> list[_Window]:
        rows = [(text, depth) for _, text, depth in self.rows]
        groups = (rows[at : at + WINDOW] for at in range(len(rows) - WINDOW + 1))
        return [tuple((text, depth - group[0][1]) for text, depth in group) for group in groups]

    def place(self, row: int) -> tuple[str, int]:
        """The path and the line of a row now."""
        return self.file.path, self.gap or self.first + self.rows[row][0]


@frozen
class _Run:
    """The rows from `first` up to `end` of a side, which are those from `start` on of the `other` one."""

    first: int
    end: int
    other: _Side
    start: int


def without_moves(
    files: Sequence[ChangedFile], text_of: Callable[[str], str | None], symbol_at: SymbolAt
) -> tuple[tuple[ChangedFile, ...], list[Move]]:
    """The files without the lines that have moved, on both sides of their hunks, and the moves.

    `text_of` returns the text of a file now, `symbol_at` the symbol at a line of it. Nothing has moved by a patch that
    is not applied: the tree has the old places only.
    """
    if any(file.ahead for file in files) or not any(_is_long(hunk.removed) for file in files for hunk in file.hunks):
        return tuple(files), []
    sides = [*_sides(files, text_of)]
    _match([old for _, old, _ in sides], [new for _, _, new in sides], symbol_at)
    touched = {side.file.path for _, *both in sides for side in both if side.runs}
    rest: dict[str, list[Hunk]] = {}
    for hunk, old, new in sides:
        rest.setdefault(new.file.path, []).extend(_rest(hunk, old, new) if old.runs or new.runs else (hunk,))
    moves = [move for _, _, new in sides for move in _moves(new)]
    return tuple(replace(one, hunks=tuple(rest[one.path])) if one.path in touched else one for one in files), moves


def _is_long(lines: Sequence[str]) -> bool:
    return len(lines) >= WINDOW and _chars(lines) >= MIN_CHARS


def _chars(lines: Iterable[str]) -> int:
    return sum(char.isalnum() for line in lines for char in line)


def _sides(files: Sequence[ChangedFile], text_of: Callable[[str], str | None]) -> Iterator[tuple[Hunk, _Side, _Side]]:
    """Each hunk with its sides before and after the change. All lines of an untracked file are one hunk."""
    number = 0
    for file in files:
        is_untracked = file.is_new and not file.hunks
        has_lines = file.state != "deleted" and (is_untracked or any(hunk.count for hunk in file.hunks))
        text = text_of(file.path) if has_lines else None
        lines = [] if text is None else [line.rstrip("\r") for line in text.split("\n")]
        count = len(lines) - (not (lines and lines[-1]))
        for hunk in (Hunk(0, 0, 1, count),) if is_untracked else file.hunks:
            number += 1
            old = _Side(file, number, hunk.old_line, hunk.removed, max(1, hunk.line))
            yield hunk, old, _Side(file, number, hunk.line, lines[hunk.line - 1 : hunk.line - 1 + hunk.count])


def _match(olds: Sequence[_Side], news: Sequence[_Side], symbol_at: SymbolAt) -> None:
    """Sets the runs that have moved on both sides of all hunks."""
    before, after = _places(olds), _places(news)
    for sides, others in ((olds, after), (news, before)):
        for side in sides:
            side.runs = [run for run in _runs(side, others) if not _is_within_symbol(side, run, symbol_at)]


def _is_within_symbol(side: _Side, run: _Run, symbol_at: SymbolAt) -> bool:
    """Whether both places of a run are in the same symbol."""
    if side.file is not run.other.file:
        return False
    symbol = symbol_at(*side.place(run.first))
    return symbol is not None and symbol == symbol_at(*run.other.place(run.start))


def _places(sides: Sequence[_Side]) -> _Places:
    """Each window's first place, and its first place in another hunk: lines do not move within one."""
    places: _Places = {}
    for side in sides:
        for at, window in enumerate(side.windows):
            others = places.setdefault(window, [])
            if not others or (len(others) == 1 and others[0][0].number != side.number):
                others.append((side, at))
    return places


def _runs(side: _Side, places: _Places) -> Iterator[_Run]:
    """The runs of a side that are long enough, each the longest one from its first window on."""
    at = end = 0  # the next window, and the end of the last run
    while at < len(side.windows):
        others = [one for one in places.get(side.windows[at], ()) if one[0].number != side.number]
        counts = [_common(side.windows, at, other.windows, start) for other, start in others]
        count = max(counts, default=0)
        if count:
            other, start = others[counts.index(count)]
            back = 0  # windows before, of which an earlier place was no part of a run
            while min(at - end, start) > back and side.windows[at - back - 1] == other.windows[start - back - 1]:
                back += 1
            run = _Run(at - back, at + count + WINDOW - 1, other, start - back)
            if _chars(text for _, text, _ in side.rows[run.first : run.end]) >= MIN_CHARS:
                yield run
                end = at + count
        at += max(count, 1)


def _common(windows: Sequence[_Window], at: int, others: Sequence[_Window], start: int) -> int:
    """How many windows from `at` on are those from `start` on."""
    most = min(len(windows) - at, len(others) - start)
    return next((count for count in range(most) if windows[at + count] != others[start + count]), most)


def _left(side: _Side, count: int) -> Iterator[Lines]:
    """The first and the last position of each run of the `count` lines that have not moved, without blank lines at its
    ends."""
    if count and not side.lines:
        yield 0, count - 1
    numbers = {number for run in side.runs for number in range(run.first, run.end)}
    for is_moved, group in groupby(enumerate(side.rows), key=lambda row: row[0] in numbers):
        rows = [at for _, (at, _, _) in group]
        if not is_moved:
            yield rows[0], rows[-1]


def _rest(hunk: Hunk, old: _Side, new: _Side) -> Iterator[Hunk]:
    """The parts of a hunk that have not moved: each run of removed lines with one of the added ones, in order; those
    without a partner alone."""
    at = old.first
    for added, gone in zip_longest(_left(new, hunk.count), _left(old, hunk.old_count)):
        removed = tuple(old.lines[gone[0] : gone[1] + 1]) if gone else ()
        at = old.first + gone[0] if gone else at
        end = hunk.line + max(0, hunk.count - 1)
        line, count = (new.first + added[0], added[1] - added[0] + 1) if added else (end, 0)
        if removed or count:
            yield Hunk(at - (not removed), len(removed), line, count, removed)
        at += len(removed)


def _moves(new: _Side) -> Iterator[Move]:
    """The runs of a side that came from elsewhere, each without the rows that it has in common with the one before."""
    end = 0
    for run in new.runs:
        first = max(run.first, end)
        end = run.end
        lines = new.first + new.rows[first][0], new.first + new.rows[end - 1][0]
        was = run.other
        was_line = was.first + was.rows[run.start + first - run.first][0]
        yield Move(new.file.path, lines, was.file.was or was.file.path, was_line)
