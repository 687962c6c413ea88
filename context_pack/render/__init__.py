"""The output formats of a pack. The code that prints a part also computes what it costs.

A layout is the `LAYOUT` of its module, which is loaded on use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

from context_pack.core.text import size
from context_pack.options.spec import FORMATS
from contracts.records import Item, Pack

ITEM_CHARS = 128  # charge of contract v1 for an item's keys, id, role, lines and score


class Layout:
    """That of JSON, whose envelope and budget are free. Other formats override all of its methods."""

    def item_chars(self, item: Item) -> int:
        """What an item adds to the pack, in bytes of UTF-8.

        In JSON: `content`, each import and each line of a hunk with its separator, and a flat charge.
        """
        chars = size(item.content) + ITEM_CHARS
        if item.hunks or item.imports:
            texts = [text for hunk in item.hunks for text in (hunk.old, hunk.new) if text is not None]
            chars += sum(size(text) + 1 for text in (*texts, *item.imports))
        return chars

    def frame_chars(self, pack: Pack, selected: int) -> int:
        """The most that is printed around the items of a pack, if it may contain `selected` items."""
        return 0

    def finish(self, pack: Pack) -> Pack:
        """The pack with the exact `used_chars`. In JSON it has no notes: the envelope has hints."""
        return replace(pack, notes=()) if pack.notes else pack

    def render(self, pack: Pack) -> str | None:
        """The printed text; None if the pack is `data` of the JSON envelope."""
        return None


JSON = Layout()


def layout(name: str) -> Layout:
    """The layout of an output format; that of an HTML page, whose markup does not count, is that of JSON."""
    return JSON if name in ("json", "html") else import_module(f"context_pack.render.{FORMATS[name]}").LAYOUT


def listing(data: Any, name: str) -> str | None:
    """Places as plain text; None if the format is JSON."""
    return import_module("context_pack.render.text").listing(data) if name == "text" else None


def settled(stating: Callable[[int], Pack], counted: Callable[[Pack], int]) -> Pack:
    """A pack that states a number at least as large as its own count.

    The stated number is itself counted. It only grows, by digits, so the loop ends.
    """
    number = 0
    while (now := counted(pack := stating(number))) > number:
        number = now
    return pack


def with_used_chars(pack: Pack, printed: Callable[[Pack], int]) -> Pack:
    """The pack with the `used_chars` that `printed` counts."""
    return settled(lambda used: replace(pack, budget=replace(pack.budget, used_chars=used)), printed)
