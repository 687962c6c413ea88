"""Which lines of a text hold the terms of a query."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from index.text import content_terms, words_of

STEM_CHARS = 5  # of a term: words that begin alike count as one


class Telling:
    """Weighs lines for one query."""

    def __init__(self, query: str) -> None:
        self._starts = sorted({term[:STEM_CHARS].lower() for term in content_terms(words_of(query))})

    def weights(self, text: str) -> list[float]:
        """How many of the query's terms each line of a text holds, at the beginning of a word or of a word's part."""
        low = text.lower()
        begins = [0, *accumulate(len(line) + 1 for line in low.split("\n"))]
        weights = [0.0] * (len(begins) - 1)
        same = text if len(low) == len(text) else low  # a few letters have a longer lower case
        for start in self._starts:
            at = low.find(start)
            while at >= 0:
                if at == 0 or not low[at - 1].isalpha() or same[at].isupper():
                    line = bisect_right(begins, at)
                    weights[line - 1] += 1.0
                    at = low.find(start, begins[line])
                else:
                    at = low.find(start, at + 1)
        return weights
