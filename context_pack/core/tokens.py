"""Tokens without a tokenizer. Another counter is any function from a text to a number."""

from __future__ import annotations

from collections.abc import Callable

from context_pack.core.size import size

Counter = Callable[[str], int]
CHARS_PER_TOKEN = 4  # the rule of thumb for English and code; a tokenizer of one's own is exact


def quarter_of_chars(text: str) -> int:
    """ceil(characters / 4), characters counted in bytes of UTF-8: never less than a count of code points gives."""
    return -(-size(text) // CHARS_PER_TOKEN)
