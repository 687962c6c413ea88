"""The embedded model: one vector per term; a document is a weighted sum of its terms' vectors.

    content  = sum_t log2(1 + tf) * wd[t] * E[t]
    path     = sum_{t in folders} wp[t] * E[t]  +  NAME_WEIGHT * sum_{t in file name} wp[t] * E[t]
    document = unit(content) + PATH_WEIGHT * unit(path)
    query    = unit(sum_t wq[t] * E[t]) * T

Documents and queries are normalised to length one. `E` is int8; its rows' scales are part of the weights. Terms outside
the vocabulary share rows that a hash chooses. `T` turns a question's vector towards the code that answers it.
`weights/MODEL_CARD.md` describes the training.

The sums add integers in float64 and stay below 2^53, so they are exact: a vector depends neither on the order of its
terms, nor on its batch, nor on the machine's vector unit.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from zlib import crc32

import numpy as np
import numpy.typing as npt

from index.arithmetic import products
from index.embed import MODEL_ID, WEIGHTS
from index.segment.columns import Array, Segment, Strings
from index.text import content_terms, terms_of_text, words_of

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

MAX_TF = 255  # the index stores counts in a byte
FIXED_POINT = 2.0**16  # weights are 0.001..100: five digits survive, and 10^6 terms of the heaviest kind fit 2^53
PATH_WEIGHT = 0.6  # like NAME_WEIGHT, chosen on the development repositories; training uses the same values
NAME_WEIGHT = 2.0
MAX_TERMS = 1_024  # terms of questions whose rows are cached
FEW_TERMS = 64  # up to here a binary search beats reading the whole vocabulary
ROUNDED = 0.001  # more than a rounded cosine differs from an exact one
_LOG_TF = np.log2(1.0 + np.arange(MAX_TF + 1))


class StaticEmbedder:
    """`matrix` int8[terms + hashed, d], `weights` float16[3, terms + hashed] (document, query, path), sorted terms.

    `turn` int16[d, d] is `T` in steps of 2^-14. `terms` has a newline after each term: a newline sorts before every
    character of a term.
    """

    def __init__(self, matrix: Array, weights: Array, turn: Array, terms: Strings) -> None:
        self._matrix = matrix
        self.turn = turn.astype(np.float64)
        self._terms = terms
        # Questions about one repository share words. A cache of a bound method would keep the model's file open.
        self._number = lru_cache(MAX_TERMS)(terms.find)
        self._hashed = len(matrix) - len(terms)
        self._document, self._query, self._path = weights.astype(np.float64)
        self.model_id, self.dimensions = MODEL_ID, int(matrix.shape[1])

    @classmethod
    def load(cls, folder: Path = WEIGHTS) -> StaticEmbedder:
        """The model in a folder; its matrix stays on disk until rows are used."""
        blob = np.fromfile(folder / "terms.txt", np.uint8)
        ends = np.flatnonzero(blob == ord("\n")) + 1
        matrix = np.load(folder / "matrix.npy", mmap_mode="r").view(np.ndarray)
        weights, turn = (np.load(folder / name) for name in ("weights.npy", "turn.npy"))
        return cls(matrix, weights, turn, Strings(blob, np.concatenate([[0], ends])))

    def embed_segment(self, segment: Segment) -> Floats:
        """float32[chunks, d]: the vectors of the chunks of some files; only their terms are read."""
        rows, chunks = self._rows(segment.terms.to_list()), segment.rows["chunk"]
        chunk, terms = segment.absolute("body", "chunk", "chunk"), segment.array("body.term")
        weights = _LOG_TF[segment.array("body.tf")] * self._document[rows][terms]
        content = self._sums(np.searchsorted(chunk, np.arange(chunks[-1] + 1)), rows[terms], weights)
        terms = segment.array("path.term")
        weights = self._path[rows][terms] * np.where(segment.array("path.in_name"), NAME_WEIGHT, 1.0)
        path = PATH_WEIGHT * _unit(self._sums(segment.rows["path"], rows[terms], weights))
        return _unit(_unit(content) + path.repeat(np.diff(chunks), axis=0)).astype(np.float32)

    def embed_query(self, text: str, idf: Callable[[Sequence[str]], Array] | None = None) -> Floats:
        """float32[d]; zeros if the text has no word.

        `idf` returns how rare terms are in this corpus (`log(1 + chunks / (df + 0.5))`): a word that every file of a
        repository contains says less there than elsewhere.
        """
        terms = content_terms(words_of(text)) or terms_of_text(text)
        rows = self._rows(terms)
        weights = self._query[rows]
        if idf is not None:
            weights = weights * np.sqrt(idf(terms))
        unit = _unit(self._sums(np.array([0, len(rows)]), rows, weights))
        return _unit(np.rint(unit * FIXED_POINT) @ self.turn)[0].astype(np.float32)

    def knows(self, term: str) -> bool:
        """Whether a term is in the vocabulary."""
        return self._number(f"{term}\n") >= 0

    def similarity(self, one: str, other: str) -> float:
        """The cosine of two terms; 1 if the first is outside the vocabulary, 0 if only the other is."""
        rows = [self._terms.find(f"{term}\n") for term in (one, other)]
        if min(rows) < 0:
            return float(rows[0] < 0)
        first, second = _unit(self._matrix[rows].astype(np.float64))
        return round(float(first @ second), 4)

    def similar(self, term: str, start: str, least: float) -> list[str]:
        """The terms that begin with an ASCII text and have about the cosine `least` with a term, or more."""
        first, end = (self._terms.place(text.encode()) for text in (start, f"{start}\x7f"))
        vectors = self._matrix[first:end].astype(np.float32)  # their products are integers below 2^24, which are exact
        vector = self._matrix[self._number(f"{term}\n")].astype(np.float32)
        lengths = np.sqrt(products(vectors, vectors) * products(vector, vector))
        near = (products(vectors, vector) >= (least - ROUNDED) * lengths).nonzero()[0]
        return [self._terms[first + number][:-1] for number in near.tolist()]

    def _sums(self, indptr: Array, rows: Array, weights: Array) -> Doubles:
        """float64[n, d]: the exact sums of the weighted rows of each CSR row."""
        sums = np.zeros((len(indptr) - 1, self.dimensions))
        fixed = np.rint(weights * FIXED_POINT)
        for number, (start, end) in enumerate(pairwise(indptr.tolist())):
            if end > start:
                sums[number] = fixed[start:end] @ self._matrix[rows[start:end]].astype(np.float64)
        return sums

    def _rows(self, terms: Sequence[str]) -> Array:
        """int64[n]: each term's row; for a term outside the vocabulary, one chosen by hash."""
        if len(terms) <= FEW_TERMS:
            numbers: Iterable[int] = (self._number(f"{term}\n") for term in terms)
        else:
            numbers = map(self._place, terms)
        rows = np.fromiter(numbers, np.int64, len(terms))
        for place in np.flatnonzero(rows < 0).tolist():
            rows[place] = len(self._terms) + crc32(terms[place].encode("utf-8", "surrogatepass")) % self._hashed
        return rows

    def _place(self, term: str) -> int:
        place = bisect_left(self._vocabulary, term, 0, len(self._terms))
        return place if self._vocabulary[place] == term else -1

    @cached_property
    def _vocabulary(self) -> list[str]:
        """All terms, and an empty one. A dictionary takes twice as long to make, in every process that reads files."""
        return self._terms.blob.tobytes().decode().split("\n")


def _unit(vectors: Doubles) -> Doubles:
    """The rows scaled to length one; rows of zeros stay zeros."""
    lengths = np.sqrt(np.square(vectors).sum(axis=1, keepdims=True))
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
