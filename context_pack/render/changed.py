"""The change that a pack is made for: the changed and removed lines of each item, which count in every format."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import accumulate

from contracts.frozen import frozen
from contracts.records import Diff, HunkText, Item

Lines = tuple[int, int]


@frozen
class Change:
    """The changed `lines` of each file.

    `hunks` are the lines of the change that each file does not contain, with the lines around them; each item shows at
    most `hunk_chars` of them.
    """

    diff: Diff
    lines: Mapping[str, Sequence[Lines]]
    hunks: Mapping[str, Sequence[tuple[Lines, HunkText]]] = field(default_factory=dict)
    hunk_chars: int = 0

    def marked(self, item: Item) -> Item:
        """The item with its changed lines, in order; ranges that touch are merged."""
        changed: list[Lines] = []
        for start, end in sorted(self.lines.get(item.file, ())):
            first, last = max(start, item.start_line), min(end, item.end_line)
            if first > last:
                continue
            if changed and first <= changed[-1][1] + 1:
                changed[-1] = (changed[-1][0], max(last, changed[-1][1]))
            else:
                changed.append((first, last))
        return replace(item, changed=tuple(changed), hunks=self._hunks(item))

    def _hunks(self, item: Item) -> tuple[HunkText, ...]:
        """The hunks in the item or at its ends, as far as there is room, and how many of their lines are left out."""
        room, more = self.hunk_chars, 0
        shown: list[HunkText] = []
        for (first, last), hunk in self.hunks.get(item.file, ()):
            if last < item.start_line or first > item.end_line:
                continue
            old, rest_old, room = _within(hunk.old, room)
            new, rest_new, room = _within(hunk.new, room)
            more += rest_old + rest_new
            if old is not None or new is not None or not shown:
                shown.append(replace(hunk, old=old, new=new))
        if more:
            shown[-1] = replace(shown[-1], more=more)
        return tuple(shown)


def _within(text: str | None, room: int) -> tuple[str | None, int, int]:
    """(the first lines that fit into `room` characters, the number of lines left out, the remaining room)."""
    if text is None:
        return None, 0, room
    lines = text.split("\n")
    ends = [*accumulate((len(line) + 1 for line in lines), initial=0)]
    count = bisect_right(ends, room) - 1
    rest = room - ends[-1] if count == len(lines) else 0
    return "\n".join(lines[:count]) if count else None, len(lines) - count, rest
