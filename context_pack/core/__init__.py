"""What every kind of pack is made of: candidates with reasons, a budget, what fits into it, and what text costs."""

from __future__ import annotations

from collections.abc import Callable

Counter = Callable[[str], int]  # of the tokens of a text
CHARS_PER_TOKEN = 4  # the rule of thumb for English and code; a tokenizer counts exactly


def size(text: str) -> int:
    """The length of a text in bytes of UTF-8: what every limit in characters counts, so that no reader gets more."""
    return len(text) if text.isascii() else len(text.encode())


def quarter_of_chars(text: str) -> int:
    """ceil(characters / 4), characters counted in bytes of UTF-8: never less than a count of code points gives."""
    return -(-size(text) // CHARS_PER_TOKEN)


def longest(count: int, holds: Callable[[int], bool]) -> int:
    """The largest number up to `count` for which `holds`, which is called about log2(count) times and never with 0."""
    least, most = 0, count
    while least < most:
        middle = (least + most + 1) // 2
        if holds(middle):
            least = middle
        else:
            most = middle - 1
    return least
