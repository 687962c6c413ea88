"""Formats that print a pack's data as one document, which parses back to it: everything that is printed counts.

An item costs what it adds to a document; the frame is the document without its items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from context_pack.core.text import size
from context_pack.render import Layout, with_used_chars
from context_pack.render.phrases import CLIPPED_CHARS
from contracts.frozen import frozen
from contracts.records import Item, Pack, as_data

QUERY_SHARE = 8  # the query gets at most an eighth of the budget, so that a pasted log leaves room for code
_BARE = Item("", "primary", "", 1, 1, 0.0, (), "")


@frozen
class DocumentLayout(Layout):
    """`document` prints a pack's data, to the last newline; `reserve` is how much it may add, by the pack's limit.

    An item must add the same to every document; a document that states the number of items may grow by its digits.
    """

    document: Callable[[Mapping[str, Any]], str]
    reserve: Callable[[int], int] = lambda max_chars: 0

    def item_chars(self, item: Item) -> int:
        bare = {"items": [as_data(_BARE)]}
        return self._size({"items": [*bare["items"], as_data(item)]}) - self._size(bare)

    def frame_chars(self, pack: Pack, selected: int) -> int:
        limit = pack.budget.max_chars
        widest = replace(pack.budget, used_chars=limit, dropped_items=selected)
        framed = replace(pack, items=(_BARE,), dropped=(), budget=replace(widest, truncated=False))
        empty = self._size(data_of(replace(framed, items=())))
        around = self._size(data_of(framed)) - self.item_chars(_BARE)
        return max(empty, around) + len(str(selected)) - 1 + self.reserve(limit)

    def finish(self, pack: Pack) -> Pack:
        return with_used_chars(pack, lambda stated: size(self.render(stated)))

    def render(self, pack: Pack) -> str:
        return self.document(data_of(pack))

    def _size(self, data: Mapping[str, Any]) -> int:
        return size(self.document(data))


def data_of(pack: Pack) -> dict[str, Any]:
    """The pack's data in reading order: the query, clipped if it is long, and the costs come before the items."""
    data, most = as_data(pack), max(CLIPPED_CHARS, pack.budget.max_chars // QUERY_SHARE)
    if len(pack.query) > most:
        data["query"] = f"{pack.query[: most - 3]}..."
    late = ("items", "dropped")
    return {
        "version": data.pop("version"),
        **{name: part for name, part in data.items() if name not in late},
        **{name: data[name] for name in late if name in data},
    }
