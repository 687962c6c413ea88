"""JSON: the pack is `data` of the envelope. Its costs are fixed by contract v1."""

from __future__ import annotations

from dataclasses import replace

from context_pack.core import size
from contracts.records import Item, Pack

ITEM_CHARS = 128  # what contract v1 charges for an item's keys, id, role, lines and score


class JsonLayout:
    def item_chars(self, item: Item) -> int:
        """`content`, each import and each line of a hunk with its separator, and a flat charge.

        The envelope and the budget are free.
        """
        lines = sum(size(text) + 1 for hunk in item.hunks for text in (hunk.old, hunk.new) if text is not None)
        return size(item.content) + lines + sum(size(statement) + 1 for statement in item.imports) + ITEM_CHARS

    def frame_chars(self, pack: Pack, selected: int) -> int:
        return 0

    def finish(self, pack: Pack) -> Pack:
        """The pack without notes: hints stand beside it."""
        return replace(pack, notes=())

    def render(self, pack: Pack) -> str | None:
        return None


LAYOUT = JsonLayout()
