"""What text costs."""

from __future__ import annotations


def size(text: str) -> int:
    """The length of a text in bytes of UTF-8: what every limit in characters counts, so that no reader gets more."""
    return len(text) if text.isascii() else len(text.encode())
