"""Finds the lines that a change removes in one place and adds in another: a move says little to its reader.

Lines are compared without the indentation that a block has as a whole, so that a function that becomes a method has
moved. Lines that only get another indentation where they are have not: what is in a loop may have left it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from context_pack.io.patches import ChangedFile, Hunk, Lines
from contracts.frozen import frozen
from index.text import indentation

WINDOW = 3  # lines with text that two places must have in common
MIN_CHARS = 60  # letters and digits of a block; shorter ones are alike by chance: `return nil, err`

_Window = tuple[tuple[str, int], ...]  # each line without blanks around it, and its depth below the first one


@frozen
class Move:
    """Lines of the file at `path`, which began at line `was_line` of the file at `was` before the change."""

    path: str
    lines: Lines
    was: str
    was_line: int


@dataclass(eq=False, slots=True)
class _Side:
    """One side of a hunk: its lines, the first of which has the number `first` in `file`, and those that have moved, by
    their position: the side and the position of the same line in the other place."""

    file: ChangedFile
    number: int  # of its hunk, over all files
    first: int
    lines: Sequence[str]
    elsewhere: dict[int, tuple[_Side, int]] = field(default_factory=dict)


def without_moves(
    files: Sequence[ChangedFile], text_of: Callable[[str], str | None]
) -> tuple[tuple[ChangedFile, ...], list[Move]]:
    """The files without the lines that have moved, on both sides of their hunks, and the moves.

    `text_of` returns the text of a file now. Nothing has moved by a patch that is not applied: the tree has the old
    places only.
    """
    if any(file.ahead for file in files) or not any(_is_long(hunk.removed) for file in files for hunk in file.hunks):
        return tuple(files), []
    sides = [*_sides(files, text_of)]
    _match([old for _, old, _ in sides], [new for _, _, new in sides])
    touched = {side.file.path for _, *both in sides for side in both if side.elsewhere}
    rest: dict[str, list[Hunk]] = {}
    for hunk, old, new in sides:
        rest.setdefault(new.file.path, []).extend(_rest(hunk, old, new) if old.elsewhere or new.elsewhere else (hunk,))
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
        may_be_new = file.state != "deleted" and (is_untracked or any(hunk.count >= WINDOW for hunk in file.hunks))
        text = text_of(file.path) if may_be_new else None
        lines = [] if text is None else [line.rstrip("\r") for line in text.split("\n")]
        count = len(lines) - (not (lines and lines[-1]))
        for hunk in (Hunk(0, 0, 1, count),) if is_untracked else file.hunks:
            number += 1
            old = _Side(file, number, hunk.old_line, hunk.removed)
            yield hunk, old, _Side(file, number, hunk.line, lines[hunk.line - 1 : hunk.line - 1 + hunk.count])


def _match(olds: Sequence[_Side], news: Sequence[_Side]) -> None:
    """Enters the lines that have moved into both sides of all hunks."""
    before, after = _places(olds), _places(news)
    for sides, others in ((olds, after), (news, before)):
        for side in sides:
            for window, places in _windows(side.lines) if others else ():
                for other, there in [one for one in others.get(window, ()) if one[0].number != side.number][:1]:
                    for at, place in zip(places, there, strict=True):
                        side.elsewhere.setdefault(at, (other, place))
            for block in list(_blocks(side)):
                if _chars(side.lines[at] for at in block) < MIN_CHARS:
                    for at in block:
                        del side.elsewhere[at]


def _places(sides: Sequence[_Side]) -> dict[_Window, list[tuple[_Side, list[int]]]]:
    """Each window's first place, and its first place in another hunk: lines do not move within one."""
    places: dict[_Window, list[tuple[_Side, list[int]]]] = {}
    for side in sides:
        for window, own in _windows(side.lines):
            others = places.setdefault(window, [])
            if not others or (len(others) == 1 and others[0][0].number != side.number):
                others.append((side, own))
    return places


def _windows(lines: Sequence[str]) -> Iterator[tuple[_Window, list[int]]]:
    """Each WINDOW lines in a row, not counting blank ones, with their positions."""
    rows = [(at, line.strip(), indentation(line)) for at, line in enumerate(lines) if line.strip()]
    for at in range(len(rows) - WINDOW + 1):
        window = rows[at : at + WINDOW]
        depth = window[0][2]
        yield tuple((text, own - depth) for _, text, own in window), [place for place, _, _ in window]


def _blocks(side: _Side) -> Iterator[list[int]]:
    """The positions of lines that have moved, by runs between which there are other lines with text."""
    block: list[int] = []
    for at in sorted(side.elsewhere):
        if block and any(line.strip() for line in side.lines[block[-1] + 1 : at]):
            yield block
            block = []
        block.append(at)
    if block:
        yield block


def _left(side: _Side) -> Iterator[Lines]:
    """The first and the last position of each run of lines that have not moved, without blank lines at its ends."""
    ends = [-1, *(at for block in _blocks(side) for at in (block[0], block[-1])), len(side.lines)]
    for before, after in list(pairwise(ends))[::2]:
        texts = [at for at in range(before + 1, after) if at not in side.elsewhere and side.lines[at].strip()]
        if texts:
            yield texts[0], texts[-1]


def _rest(hunk: Hunk, old: _Side, new: _Side) -> Iterator[Hunk]:
    """The parts of a hunk that have not moved: the removed lines belong to the first part, or are one of their own."""
    gone = [*_left(old)]
    removed = tuple(line for first, last in gone for line in old.lines[first : last + 1])
    old_line = old.first + (gone[0][0] if gone else 0)
    for first, last in _left(new):
        yield Hunk(old_line - (not removed), len(removed), new.first + first, last - first + 1, removed)
        old_line, removed = old_line + len(removed), ()
    if removed:
        yield Hunk(old_line, len(removed), hunk.line + max(0, hunk.count - 1), 0, removed)


def _moves(new: _Side) -> Iterator[Move]:
    """The blocks of a side that came from elsewhere."""
    for block in _blocks(new):
        old, at = new.elsewhere[block[0]]
        lines = new.first + block[0], new.first + block[-1]
        yield Move(new.file.path, lines, old.file.was or old.file.path, old.first + at)
