"""The inverted index: which chunks hold a term, and Okapi BM25 over them.

BM25 as in Robertson & Zaragoza 2009, with the +1 inside the idf's logarithm that keeps it positive (Lucene's form).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from index.arithmetic import log1p
from index.columns import Array, order_by
from index.segment import Segment
from index.snapshot import Snapshot

K1 = 1.2
B = 0.75
REMEMBERED_TERMS = 4_096  # one query looks each of its terms up several times
FIELDS = ("body", "named", "signature", "doc")


def derive_postings(segment: Segment) -> dict[str, Array]:
    """The arrays that a snapshot keeps beside its columns: postings of every field, chunk -> file, BM25 norms."""
    derived: dict[str, Array] = {}
    vocabulary = len(segment.terms)
    for level in FIELDS:
        term = segment.array(f"{level}.term")
        order = order_by(term)
        derived[f"post/{level}/indptr"] = _indptr(term, vocabulary)
        derived[f"post/{level}/chunk"] = segment.absolute(level, "chunk", "chunk")[order]
        if level == "body":
            derived["post/body/tf"] = segment.array("body.tf")[order]
    term = segment.array("path.term")
    order = order_by(term)
    file = np.repeat(np.arange(segment.files, dtype=np.int32), np.diff(segment.rows["path"]))
    derived["post/path/indptr"] = _indptr(term, vocabulary)
    derived["post/path/file"] = file[order]
    derived["post/path/in_name"] = segment.array("path.in_name")[order]
    derived["chunk_file"] = np.repeat(np.arange(segment.files, dtype=np.int32), np.diff(segment.rows["chunk"]))
    words = segment.array("chunk.words").astype(np.float32)
    average = float(words.mean()) if len(words) else 1.0
    derived["body_norm"] = (K1 * (1 - B + B * words / max(average, 1.0))).astype(np.float32)
    return derived


def _indptr(term: Array, vocabulary: int) -> Array:
    indptr = np.zeros(vocabulary + 1, np.int64)
    np.cumsum(np.bincount(term, minlength=vocabulary), out=indptr[1:])
    return indptr


def idf(total: int, frequency: Array) -> Array:
    """float64 idf of terms that stand in `frequency` of `total` rows."""
    return log1p((total - frequency + 0.5) / (frequency + 0.5))


@dataclass(frozen=True, slots=True)
class Postings:
    """One field's postings: term t stands in rows[indptr[t]:indptr[t + 1]], `weights` beside them where kept."""

    indptr: Array
    rows: Array
    weights: Array | None = None

    def of(self, term: int) -> Array:
        """The rows that hold a term, ascending."""
        return self.rows[self.indptr[term] : self.indptr[term + 1]]

    def weights_of(self, term: int) -> Array:
        assert self.weights is not None
        return self.weights[self.indptr[term] : self.indptr[term + 1]]


class LexicalIndex:
    """The postings of one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.terms = snapshot.strings("terms")
        self.fields = {
            level: Postings(
                snapshot.array(f"post/{level}/indptr"),
                snapshot.array(f"post/{level}/chunk"),
                snapshot.array("post/body/tf") if level == "body" else None,
            )
            for level in FIELDS
        }
        self.path = Postings(
            snapshot.array("post/path/indptr"), snapshot.array("post/path/file"), snapshot.array("post/path/in_name")
        )
        self.norm = snapshot.array("body_norm")
        self._found = lru_cache(maxsize=REMEMBERED_TERMS)(self.terms.find)

    def numbers_of(self, terms: list[str]) -> list[int]:
        """Positions of terms in the vocabulary; -1 for a term that no file holds."""
        return [self._found(term) for term in terms]

    def held(self, terms: Sequence[str]) -> list[int]:
        """The positions of terms that a chunk or a path holds. A refreshed vocabulary also has words that are gone."""
        places = (self.fields["body"].indptr, self.path.indptr)
        return [n for n in self.numbers_of(list(terms)) if n >= 0 and any(at[n + 1] > at[n] for at in places)]

    def idf_of(self, terms: Sequence[str]) -> Array:
        """float64[terms]: log(1 + N / (df + 0.5)) over chunks; a term that no chunk holds has the largest."""
        body = self.fields["body"].indptr
        frequency = [int(body[n + 1] - body[n]) if n >= 0 else 0 for n in self.numbers_of(list(terms))]
        return log1p(len(self.norm) / (np.array(frequency, np.float64) + 0.5))

    def bm25(self, term: int, weight: float) -> tuple[Array, Array]:
        """(chunks, BM25 contributions) of one term whose idf is `weight`."""
        body = self.fields["body"]
        chunks = body.of(term)
        tf = body.weights_of(term).astype(np.float32)
        return chunks, weight * tf * (K1 + 1) / (tf + self.norm[chunks])
