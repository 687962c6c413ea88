"""A format whose packs tell of the change that they were made for, and which lines of their items it touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from context_pack.render import Layout
from contracts.records import Diff, Item, Pack

Lines = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ChangedLayout:
    """Another layout; `query` is the text that was asked, `lines` are the changed ones of each file."""

    layout: Layout
    query: str
    diff: Diff
    lines: Mapping[str, Sequence[Lines]]

    def item_chars(self, item: Item) -> int:
        return self.layout.item_chars(self._marked(item))

    def frame_chars(self, pack: Pack, selected: int) -> int:
        return self.layout.frame_chars(self._told(pack), selected)

    def finish(self, pack: Pack) -> Pack:
        return self.layout.finish(self._told(pack))

    def render(self, pack: Pack) -> str | None:
        return self.layout.render(self._told(pack))

    def _told(self, pack: Pack) -> Pack:
        return replace(pack, query=self.query, diff=self.diff, items=tuple(map(self._marked, pack.items)))

    def _marked(self, item: Item) -> Item:
        """The item with the lines that changed in it, in order, ranges that touch as one."""
        found: list[Lines] = []
        for start, end in sorted(self.lines.get(item.file, ())):
            first, last = max(start, item.start_line), min(end, item.end_line)
            if first > last:
                continue
            if found and first <= found[-1][1] + 1:
                found[-1] = (found[-1][0], max(last, found[-1][1]))
            else:
                found.append((first, last))
        return replace(item, changed=tuple(found))
