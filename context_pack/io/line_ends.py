"""Leaves out of a change what only the ends of lines have: a file saved with other line ends changes no code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby

from context_pack.io.patches import ChangedFile, Hunk, hunks


def without_line_ends(file: ChangedFile, text: str) -> ChangedFile:
    """The file, whose text is given, without changed lines that differ only in blanks at their end (`\\r`, too)."""
    lines = text.split("\n")
    sides = ((hunk, _stripped(lines[hunk.line - 1 : hunk.line - 1 + hunk.count])) for hunk in file.hunks)
    rows = [(hunk, here, [*_parts(hunk, here)]) for hunk, here in sides]
    if all(parts == [hunk] for hunk, _, parts in rows):  # of most changes: their patch is not parsed again
        return file
    # The tree may no longer contain what a change between two revisions added.
    added = {run.old_line: _stripped(run.added) for run in hunks(file.patch)}
    rest = (parts if here == added.get(hunk.old_line, here) else [hunk] for hunk, here, parts in rows)
    return replace(file, hunks=tuple(chain.from_iterable(rest)))


def _parts(hunk: Hunk, here: Sequence[str]) -> Iterator[Hunk]:
    """The parts of a hunk, whose lines are `here`, that change more than their ends: the runs of other lines if it has
    as many as before, or else all between the first and the last of them."""
    other = _stripped(hunk.removed or hunk.added)
    if not here or not other:
        yield hunk
        return
    if len(here) == len(other):
        for is_same, numbers in groupby(range(len(here)), key=lambda at: here[at] == other[at]):
            run = [*numbers]
            if not is_same:
                yield _part(hunk, run[0], len(run), len(run))
        return
    shortest = min(len(here), len(other))
    first = next((at for at in range(shortest) if here[at] != other[at]), shortest)
    last = next((at for at in range(shortest - first) if here[-1 - at] != other[-1 - at]), shortest - first)
    yield _part(hunk, first, len(here) - first - last, len(other) - first - last)


def _part(hunk: Hunk, first: int, count: int, other: int) -> Hunk:
    """The part of a hunk from a line on: `count` lines of the file now, and `other` ones that it does not contain."""
    removed, added = (side[first : first + other] for side in (hunk.removed, hunk.added))
    old_count = other if hunk.removed else count
    return Hunk(
        hunk.old_line + first - (not old_count), old_count, hunk.line + first - (not count), count, removed, added
    )


def _stripped(lines: Sequence[str]) -> list[str]:
    return [line.rstrip() for line in lines]
