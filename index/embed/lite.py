"""The embedded model for a handful of texts, without numpy, whose import takes longer than such a question.

    query       = sum_t wq[t] * E[t], of length one                     (as in `static`, before its turn)
    similarity  = sum_t w_t * (E[t] . query) / sqrt(sum_t w_t^2)    with  w_t = log2(1 + tf) * wd[t]

This is the cosine's numerator, divided by the length that the text would have if its terms had nothing in common (the
generalised vector space of Wong et al. 1985 on one side only): the true length would need the vector of every text.
"""

from __future__ import annotations

import mmap
import re
import struct
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import log2, sqrt
from operator import mul
from pathlib import Path
from zlib import crc32

from index.text import content_terms, terms_of_text, words_of

MODEL_ID = "ctxpack-static-v1"  # the same weights as in `static`
WEIGHTS = Path(__file__).parent / "weights"
_NPY_MAGIC = b"\x93NUMPY\x01\x00"
_NPY_HEADER = re.compile(
    r"\{'descr': '(?P<kind>[^']+)', 'fortran_order': False, 'shape': \((?P<rows>\d+), (?P<columns>\d+)\), \} *\n"
)
_DOCUMENT, _QUERY = 0, 1  # rows of weights.npy


class SoftModel:
    """The model in a folder, memory-mapped: rows are read on use."""

    def __init__(self, folder: Path = WEIGHTS) -> None:
        self._terms = (folder / "terms.txt").read_bytes().split(b"\n")[:-1]
        self._matrix, (self._rows, self._dimensions), self._first = _mapped(folder / "matrix.npy", "|i1")
        self._weights, _, self._first_weight = _mapped(folder / "weights.npy", "<f2")

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
        sums = [0.0] * self._dimensions
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
        start = self._first + row * self._dimensions
        return self._matrix[start : start + self._dimensions].cast("b")

    def _weight(self, kind: int, row: int) -> float:
        at = self._first_weight + 2 * (kind * self._rows + row)
        return float(struct.unpack_from("<e", self._weights, at)[0])


@cache
def soft_model() -> SoftModel:
    """The shipped model, opened once."""
    return SoftModel()


def _mapped(path: Path, kind: str) -> tuple[memoryview, tuple[int, int], int]:
    """A two-dimensional .npy file: its bytes, its shape, the offset of its first value. ValueError for any other file.

    The format is numpy's NEP 1: magic, two bytes of header length, a Python literal.
    """
    with path.open("rb") as file:
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    start = len(_NPY_MAGIC) + 2
    first = start + int.from_bytes(data[start - 2 : start], "little")
    header = _NPY_HEADER.fullmatch(bytes(data[start:first]).decode("latin-1"))
    if bytes(data[: len(_NPY_MAGIC)]) != _NPY_MAGIC or header is None or header["kind"] != kind:
        raise ValueError(f"{path.name} is not a two-dimensional array of {kind}")
    return data, (int(header["rows"]), int(header["columns"])), first
