"""Which lines of a text hold the terms of a query."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from index.analysis import content_terms, terms_of_text, words_of

if TYPE_CHECKING:
    from context_pack.core.excerpt import Lines

REMEMBERED_LINES = 8_192  # whoever answers many questions looks at the same ones again and again
STEM_CHARS = 5  # of a term, which a line must hold for a closer look; a compound's parts may stand apart


class Telling:
    """Weighs lines for one query."""

    def __init__(self, query: str) -> None:
        self._query = query

    def weights(self, text: str, lines: Lines) -> list[float]:
        """How many of the query's terms each line holds; `lines` are those of the text."""
        weights = [0.0] * len(lines)
        found = self._found(text, lines) if text.isascii() and self._ascii else self._matched(text)
        for line in found:
            weights[line] = float(len(self._terms & _held(lines.lines[line])))
        return weights

    def _found(self, text: str, lines: Lines) -> set[int]:
        """The lines that may hold a term, where a character is a byte: a search for a string runs at memory speed."""
        plain, begins = text.lower(), lines.begins
        found: set[int] = set()
        for start in self._starts:
            at = plain.find(start)
            while at >= 0:
                line = bisect_right(begins, at)
                found.add(line - 1)
                at = plain.find(start, begins[line])
        return found

    def _matched(self, text: str) -> Iterator[int]:
        """The same for any text and terms."""
        line, counted_to, known_to = 0, 0, -1
        for found in self._pattern.finditer(text):
            line += text.count("\n", counted_to, found.start())
            counted_to = found.start()
            if line > known_to:
                known_to = line
                yield line

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, self._starts)) or "(?!)", re.IGNORECASE)

    @cached_property
    def _starts(self) -> list[str]:
        return sorted({term[:STEM_CHARS].lower() for term in self._terms})

    @cached_property
    def _ascii(self) -> bool:
        return all(map(str.isascii, self._starts))

    @cached_property
    def _terms(self) -> frozenset[str]:
        return frozenset(content_terms(words_of(self._query)))


@lru_cache(maxsize=REMEMBERED_LINES)
def _held(line: str) -> frozenset[str]:
    return frozenset(terms_of_text(line))
