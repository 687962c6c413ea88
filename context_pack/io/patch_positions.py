"""Locating the hunks of a patch in a tree, which may be in the state before the patch, after it, or later."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from context_pack.io.patches import Block, ChangedFile, Hunk, Patched

NEAR = 20  # nearest places of a block's rarest line that are compared; a patch may have 100,000 blocks


def located(file: Patched, path: str, text: str | None) -> ChangedFile:
    """The file at `path` in a tree, with its hunks in the lines of `text` (None: the file does not exist).

    If the text is the old side, `added` contains the lines that the patch would add; else `removed` those it removed.
    """
    lines = [] if text is None else [line.rstrip("\r") for line in text.split("\n")]
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        places.setdefault(line, []).append(number)
    placed: list[Hunk] = []
    lost = before = 0
    for block in file.blocks:
        place = _position(block, lines, places)
        if place is None:
            lost += 1
            continue
        is_old, offset = place
        before += is_old
        for run in block.runs:
            if is_old:
                placed.append(replace(run, line=run.old_line + offset, count=run.old_count, removed=()))
            else:
                placed.append(replace(run, line=run.line + offset, added=()))
    was = file.old if file.state == "renamed" else ""
    hunks = tuple(sorted(placed, key=lambda hunk: (hunk.line, hunk.count)))
    return ChangedFile(path, file.state, was, hunks, lost=lost, ahead=before > 0 or (text is None and not file.old))


def undone(text: str, hunks: Sequence[Hunk]) -> str:
    """The text before the hunks, whose line numbers refer to `text`."""
    lines, before, at = text.split("\n"), list[str](), 0
    for start, hunk in sorted(((hunk.line - (hunk.count > 0), hunk) for hunk in hunks), key=itemgetter(0)):
        before += [*lines[at:start], *hunk.removed]
        at = max(at, start + hunk.count)
    return "\n".join([*before, *lines[at:]])


def _position(block: Block, lines: Sequence[str], places: dict[str, list[int]]) -> tuple[bool, int] | None:
    """(whether the file contains the old side, the offset from the patch's lines); None if it contains neither side."""
    new = _nearest(lines, places, block.new, block.line)
    old = _nearest(lines, places, block.old, block.old_line)
    if new is not None and (old is None or (abs(new), -len(block.new)) <= (abs(old), -len(block.old))):
        return False, new
    if old is not None:
        return True, old
    # Without context, a side that only adds or removes is empty and cannot be searched: trust the patch's position.
    return None if block.new and block.old else (bool(block.new), 0)


def _nearest(lines: Sequence[str], places: dict[str, list[int]], side: list[str], line: int) -> int | None:
    """The offset of a side's lines from `line`, the nearest of several; None if they are not found."""
    if not side:
        return None
    rarest = min(range(len(side)), key=lambda place: len(places.get(side[place], ())))
    numbers, wanted = places.get(side[rarest], []), line + rarest
    middle = bisect_left(numbers, wanted)
    around = sorted(numbers[max(0, middle - NEAR) : middle + NEAR], key=lambda place: (abs(place - wanted), place))
    starts = [place - rarest for place in around[:NEAR] if place > rarest]
    return next((start - line for start in starts if lines[start - 1 : start - 1 + len(side)] == side), None)
