"""The embedded model for a handful of texts, without numpy, whose import takes longer than such a question.

    query       = sum_t wq[t] * E[t], of length one                     (as in `static`, before its turn)
    similarity  = sum_t w_t * (E[t] . query) / sqrt(sum_t w_t^2)    with  w_t = log2(1 + tf) * wd[t]

This is the cosine's numerator, divided by the length that the text would have if its terms had nothing in common (the
generalised vector space of Wong et al. 1985 on one side only): the true length would need the vector of every text.
"""

from __future__ import annotations

import mmap
import struct
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import log2, sqrt
from operator import mul
from zlib import crc32

from index.embed import DIMENSIONS, WEIGHTS
from index.text import content_terms, terms_of_text, words_of

_HEADER_BYTES = 128  # of an .npy file of ours
_DOCUMENT, _QUERY = 0, 1  # rows of weights.npy


class SoftModel:
    """The shipped model, memory-mapped: rows are read on use."""

    def __init__(self) -> None:
        self._terms = (WEIGHTS / "terms.txt").read_bytes().split(b"\n")[:-1]
        self._matrix, self._weights = _mapped("matrix.npy").cast("b"), _mapped("weights.npy")
        self._rows = len(self._matrix) // DIMENSIONS

    def similarities(self, query: str, texts: Sequence[str]) -> list[float]:
        """How close each text is to a query; 0 without words. The same on every machine: plain sums in order."""
        vector = self.query_vector(query)
        closeness: dict[str, tuple[float, float]] = {}  # term -> (its weight, its dot product with the query)
        cosines = []
        for text in texts:
            dot = square = 0.0
            for term, count in Counter(terms_of_text(text)).items():
                entry = closeness.get(term)
                if entry is None:
                    row = self._row(term)
                    entry = closeness[term] = (self._weight(_DOCUMENT, row), sum(map(mul, self._vector(row), vector)))
                weight = log2(1 + count) * entry[0]
                dot += weight * entry[1]
                square += weight * weight
            cosines.append(dot / sqrt(square) if square else 0.0)
        return cosines

    def query_vector(self, text: str) -> list[float]:
        """The unit vector of a query; zeros if it has no word."""
        sums = [0.0] * DIMENSIONS
        for term in content_terms(words_of(text)) or terms_of_text(text):
            row = self._row(term)
            weight = self._weight(_QUERY, row)
            sums = [one + weight * other for one, other in zip(sums, self._vector(row), strict=True)]
        length = sqrt(sum(map(mul, sums, sums)))
        return [one / length for one in sums] if length else sums

    def _row(self, term: str) -> int:
        """A term's row; for a term outside the vocabulary, one chosen by hash."""
        raw = term.encode("utf-8", "surrogatepass")
        place = bisect_left(self._terms, raw)
        if place < len(self._terms) and self._terms[place] == raw:
            return place
        return len(self._terms) + crc32(raw) % (self._rows - len(self._terms))

    def _vector(self, row: int) -> memoryview:
        return self._matrix[row * DIMENSIONS : (row + 1) * DIMENSIONS]

    def _weight(self, kind: int, row: int) -> float:
        return float(struct.unpack_from("<e", self._weights, 2 * (kind * self._rows + row))[0])


@cache
def soft_model() -> SoftModel:
    """The shipped model, opened once."""
    return SoftModel()


def _mapped(name: str) -> memoryview:
    """The values of one of our .npy files, as bytes."""
    with (WEIGHTS / name).open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))[_HEADER_BYTES:]
