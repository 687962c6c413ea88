"""The embedded model: one vector a term, a document is a weighted sum of its terms' vectors.

    document = sum_t log2(1 + tf) * wd[t] * E[t]  +  sum_{t in path} wp[t] * E[t]
    query    = sum_t wq[t] * E[t]

brought to length one. `E` is int8; its rows' scales are part of the weights. Terms outside the vocabulary share rows
that a hash chooses. How the numbers were trained: `weights/MODEL_CARD.md`.

All sums are of integers held in float64 and stay below 2^53, so they are exact: a vector depends neither on the order
of its terms, nor on its batch, nor on the machine's vector unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from zlib import crc32

import numpy as np
import numpy.typing as npt

from index.analysis import content_terms, terms_of_text, words_of
from index.columns import Array, Strings, offsets_of

Floats = npt.NDArray[np.float32]

MODEL_ID = "ctxpack-static-v1"
WEIGHTS = Path(__file__).parent / "weights"
MAX_TF = 255  # the index stores counts in a byte
FIXED_POINT = 2.0**16  # weights are 0.001..100: five digits survive, and 10^6 terms of the heaviest kind fit 2^53
FEW_TERMS = 64  # up to here a binary search beats reading the whole vocabulary
_LOG_TF = np.log2(1.0 + np.arange(MAX_TF + 1))


class StaticEmbedder:
    """`matrix` int8[terms + hashed, d], `weights` float16[3, terms + hashed] (document, query, path), sorted terms.

    `terms` holds each term with a newline behind it: a newline sorts before everything that a term contains.
    """

    def __init__(self, matrix: Array, weights: Array, terms: Strings) -> None:
        self._matrix = matrix
        self._terms = terms
        self._hashed = len(matrix) - len(terms)
        self._document, self._query, self._path = weights.astype(np.float64)

    @classmethod
    def load(cls, folder: Path = WEIGHTS) -> StaticEmbedder:
        """The model of a folder; its matrix stays on disk until rows are used."""
        blob = np.fromfile(folder / "terms.txt", np.uint8)
        ends = np.flatnonzero(blob == ord("\n")) + 1
        matrix = np.load(folder / "matrix.npy", mmap_mode="r").view(np.ndarray)
        return cls(matrix, np.load(folder / "weights.npy"), Strings(blob, np.concatenate([[0], ends])))

    @property
    def model_id(self) -> str:
        return MODEL_ID

    @property
    def dimensions(self) -> int:
        return int(self._matrix.shape[1])

    def embed_documents(self, texts: Sequence[str]) -> Floats:
        """float32[n, d]; the first line of a text is its path. An empty text gives zeros."""
        counted = [_document_terms(text) for text in texts]
        numbers: dict[str, int] = {}
        for body, path in counted:
            for term in (*body, *path):
                numbers.setdefault(term, len(numbers))
        bodies, paths = [body for body, _ in counted], [path for _, path in counted]
        return self.embed_counts(
            list(numbers),
            offsets_of(map(len, bodies)),
            np.array([numbers[term] for body in bodies for term in body], np.int64),
            np.array([count for body in bodies for count in body.values()], np.int64),
            offsets_of(map(len, paths)),
            np.array([numbers[term] for path in paths for term in path], np.int64),
        )

    def embed_counts(
        self, terms: Sequence[str], indptr: Array, term_ids: Array, counts: Array, path_indptr: Array, path_ids: Array
    ) -> Floats:
        """float32[n, d]: the vectors of n documents whose term counts and path terms are CSR rows over `terms`.

        `term_ids[indptr[i]:indptr[i + 1]]` are positions in `terms`, `counts` how often each stands in document i;
        `path_ids` likewise, without counts.
        """
        rows = self._rows(terms)
        documents = len(indptr) - 1
        vectors = np.zeros((documents, self.dimensions))
        log_tf = _LOG_TF[np.minimum(counts, MAX_TF)]
        self._add(vectors, indptr, rows[term_ids], log_tf * self._document[rows][term_ids])
        self._add(vectors, path_indptr, rows[path_ids], self._path[rows][path_ids])
        return _unit(vectors)

    def embed_query(self, text: str) -> Floats:
        """float32[d]; zeros where the text has no word."""
        terms = content_terms(words_of(text)) or terms_of_text(text)
        rows = self._rows(terms)
        vectors = np.zeros((1, self.dimensions))
        self._add(vectors, np.array([0, len(rows)]), rows, self._query[rows])
        vector: Floats = _unit(vectors)[0]
        return vector

    def _add(self, vectors: Array, indptr: Array, rows: Array, weights: Array) -> None:
        """Add to each document its weighted rows."""
        fixed = np.rint(weights * FIXED_POINT)
        bounds = indptr.tolist()
        for number, (start, end) in enumerate(pairwise(bounds)):
            if end > start:
                vectors[number] += fixed[start:end] @ self._matrix[rows[start:end]].astype(np.float64)

    def _rows(self, terms: Sequence[str]) -> Array:
        """int64[n]: each term's row, a hashed one for terms outside the vocabulary."""
        if len(terms) <= FEW_TERMS:
            found: Iterable[int] = (self._terms.find(f"{term}\n") for term in terms)
        else:
            found = (self._numbers.get(term, -1) for term in terms)
        rows = np.fromiter(found, np.int64, len(terms))
        for place in np.flatnonzero(rows < 0).tolist():
            rows[place] = len(self._terms) + crc32(terms[place].encode("utf-8", "surrogatepass")) % self._hashed
        return rows

    @cached_property
    def _numbers(self) -> dict[str, int]:
        terms = self._terms.blob.tobytes().decode().split("\n")
        return {term: number for number, term in enumerate(terms[:-1])}


def _document_terms(text: str) -> tuple[Counter[str], list[str]]:
    """Term counts of a document's body, and the distinct terms of its folders, then of its file's name."""
    path, _, body = text.partition("\n")
    folder, _, name = path.rpartition("/")
    stem = name.split(".")[0] or name
    return Counter(terms_of_text(body)), [*dict.fromkeys(terms_of_text(folder)), *dict.fromkeys(terms_of_text(stem))]


def _unit(vectors: Array) -> Floats:
    """Rows of length one; rows of zeros stay so."""
    lengths = np.sqrt(np.square(vectors).sum(axis=1, keepdims=True))
    units: Floats = (vectors / np.maximum(lengths, 1.0)).astype(np.float32)
    return units
