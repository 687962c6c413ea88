"""The inverted index: which chunks contain a term, and Okapi BM25 over them.

BM25 as in Robertson & Zaragoza 2009, with +1 inside the logarithm of the idf to keep it positive (Lucene's form).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from contracts.frozen import frozen
from index.arithmetic import is_in, log1p
from index.generation.reader import Snapshot
from index.segment.columns import Array, Segment, offsets_of

if TYPE_CHECKING:
    from index.generation.diff import GenerationDiff
    from index.segment.memory import Workspace

K1 = 1.2
B = 0.75
REMEMBERED_TERMS = 1_024  # terms whose vocabulary positions are cached
# The weight of a term of a report that its title does not have. On 62 issues of 21 repositories, packs of 20,000
# characters show 0.42 instead of 0.34 of the lines that the fix changed.
BEHIND_TITLE = 0.2
_UNKNOWN_IDF = 0.5  # an unknown term weighs half as much as the rarest: it may be a typo or the point of the query
Field = tuple[str, str, str]  # its level, what its rows are, and the column of their weights, if any
_INVERTED: tuple[Field, ...] = (
    ("body", "chunk", "tf"), ("named", "chunk", ""), ("signature", "chunk", ""), ("doc", "chunk", ""),
    ("path", "file", "in_name"),
)  # fmt: skip
_WEIGHT_BITS, _ROW_BITS = 8, 32
_WEIGHTS, _ROWS = (1 << _WEIGHT_BITS) - 1, (1 << _ROW_BITS) - 1
_MAX_TERMS = 1 << 62 - _ROW_BITS - _WEIGHT_BITS
_ROW_BYTES = 32  # of memory per row of a block
_MAX_RUNS = 100  # of files that changed, up to which the postings of all other files are reused


def derive_postings(segment: Segment, workspace: Workspace, diff: GenerationDiff | None = None) -> dict[str, Array]:
    """The arrays that a snapshot stores besides its columns: postings of every field, chunk -> file, BM25 norms.

    With `diff`, the postings of unchanged files are taken from the generation before, which is faster.
    """
    derived: dict[str, Array] = {}
    for field in _INVERTED:
        derived |= _inverted(segment, workspace, diff, field)
    derived["chunk_file"] = np.repeat(np.arange(segment.files, dtype=np.int32), np.diff(segment.rows["chunk"]))
    words = segment.array("chunk.words").astype(np.float32)
    average = float(words.mean()) if len(words) else 1.0
    derived["body_norm"] = (K1 * (1 - B + B * words / max(average, 1.0))).astype(np.float32)
    return derived


def _inverted(segment: Segment, workspace: Workspace, diff: GenerationDiff | None, field: Field) -> dict[str, Array]:
    """The postings of a field, built for as many terms at a time as have rows that fit in a block of memory."""
    level, target, weights = field
    most = max(1, workspace.block // _ROW_BYTES)
    terms = segment.array(f"{level}.term")
    step = max(1, most // 4)
    runs = [slice(start, min(start + step, len(terms))) for start in range(0, len(terms), step)] or [slice(0, 0)]
    counts = np.zeros(len(segment.terms), np.int64)
    for run in runs:
        counts += np.bincount(terms[run], minlength=len(counts))
    indptr = offsets_of(counts)
    bytes_of_weights: list[Array] = [np.zeros(0, np.uint8)]
    changed = [] if diff is None else _changed_runs(segment.rows[level], diff)
    before = None
    if diff is not None and len(changed) <= _MAX_RUNS and sum(run.stop - run.start for run in changed) <= step:
        runs, before = changed, _before(diff, field)

    def rows() -> Iterator[Array]:
        """The rows of all terms, by term, one block at a time."""
        yield np.zeros(0, np.int32)
        first = 0
        while first < len(counts):
            last = int(np.searchsorted(indptr, indptr[first] + most, side="right")) - 1
            last = min(max(last, first + 1), first + _MAX_TERMS)
            packed = (_packed(segment, field, run, first, last) for run in runs)
            keys = np.concatenate([np.zeros(0, np.int64), *packed])
            workspace.release()
            keys.sort()
            if before is not None:
                others = before(first, last)
                keys = np.insert(others, np.searchsorted(others, keys), keys)
                if len(keys) != indptr[last] - indptr[first]:  # a forged one: a shared index may come from anybody
                    raise ValueError("the postings of the generation before do not fit its columns")
            if weights:
                bytes_of_weights.append((keys & _WEIGHTS).astype(np.uint8))
            yield (keys >> _WEIGHT_BITS & _ROWS).astype(np.int32)
            first = last

    derived = {f"post/{level}/indptr": indptr}
    derived[f"post/{level}/{target}"] = workspace.keep(f"post/{level}/{target}", rows())
    if weights:
        derived[f"post/{level}/{weights}"] = np.concatenate(bytes_of_weights)
    return derived


def _changed_runs(bounds: Array, diff: GenerationDiff) -> list[slice]:
    """The rows of the files that changed, in as few runs as possible; `bounds`: the first row of each file."""
    edges = np.flatnonzero(np.diff(diff.fresh, prepend=False, append=False))
    return [slice(*run) for run in bounds[edges].reshape(-1, 2).tolist()]


def _before(diff: GenerationDiff, field: Field) -> Callable[[int, int], Array]:
    """A function that returns, as `_packed` but sorted, the postings in the generation before of the files that did not
    change, with their new numbers, for the terms `first..last - 1`."""
    level, target, weights = field
    terms, numbers = diff.terms, diff.rows(target)
    indptr, rows, *weight = (diff.old.array(f"post/{level}/{part}") for part in ("indptr", target, weights) if part)

    def packed(first: int, last: int) -> Array:
        low, high = np.searchsorted(terms, [first, last])
        bounds = indptr[low : high + 1]
        run = slice(bounds[0], bounds[-1])
        row = numbers[rows[run]]
        keys: Array = np.repeat((terms[low:high] - first) << _ROW_BITS + _WEIGHT_BITS, np.diff(bounds))
        keys |= row << _WEIGHT_BITS
        for column in weight:
            keys |= column[run]
        return keys[row >= 0]

    return packed


def _packed(segment: Segment, field: Field, run: slice, first: int, last: int) -> Array:
    """int64 for each row of a run whose term is in `first..last - 1`: the term, the chunk or file that contains it, and
    its weight, packed into one number because this sorts many times faster."""
    level, target, weights = field
    term = segment.array(f"{level}.term")[run]
    chosen = np.flatnonzero((term >= first) & (term < last))
    bounds = segment.rows[level]
    files = slice(np.searchsorted(bounds, run.start, side="right") - 1, np.searchsorted(bounds, run.stop))
    count: Array = np.diff(np.clip(bounds[files.start : files.stop + 1], run.start, run.stop))
    if target == "file":
        row = np.repeat(np.arange(files.start, files.stop), count)[chosen]
    else:
        row = np.repeat(segment.rows[target][files], count)[chosen] + segment.array(f"{level}.{target}")[run][chosen]
    keys: Array = (term[chosen].astype(np.int64) - first) << _ROW_BITS + _WEIGHT_BITS
    keys |= row << _WEIGHT_BITS
    if weights:
        keys |= segment.array(f"{level}.{weights}")[run][chosen]
    return keys


def idf(total: int, frequency: Array) -> Array:
    """float64: the idf of terms that occur in `frequency` of `total` rows."""
    return log1p((total - frequency + 0.5) / (frequency + 0.5))


def emphasis_of(count: int, leading: int | None) -> Array:
    """float64: the weights of a query's terms before their idf."""
    return np.where(np.arange(count) < (count if leading is None else leading), 1.0, BEHIND_TITLE)


@frozen
class TermRows:
    """The postings of several terms, term by term: the rows, and for each row the position of its term and its weight.

    All weights are 1 if the field stores none.
    """

    rows: Array
    term: Array
    weights: Array


@frozen
class Postings:
    """The postings of one field: term t occurs in rows[indptr[t]:indptr[t + 1]], with parallel `weights`, if any."""

    indptr: Array
    rows: Array
    weights: Array | None = None

    def of(self, term: int) -> Array:
        """The rows that contain a term, ascending; none for -1, that of an unknown term."""
        return self.rows[self.indptr[term] : self.indptr[term + 1]]

    def counts(self, terms: Array) -> Array:
        """int64[terms]: how many rows contain each term; 0 or a negative number for -1, an unknown term."""
        return self.indptr[terms + 1] - self.indptr[terms]

    def of_all(self, terms: Array) -> TermRows:
        if not len(terms):
            return TermRows(self.rows[:0], np.zeros(0, np.int64), self.rows[:0])
        starts, ends = self.indptr[terms], self.indptr[terms + 1]
        runs = [slice(*run) for run in zip(starts.tolist(), ends.tolist(), strict=True)]
        # 64 bits, because numpy would convert narrower indices at each use.
        rows, column = np.concatenate([self.rows[run] for run in runs], dtype=np.int64), self.weights
        weights = np.ones(len(rows), np.uint8) if column is None else np.concatenate([column[run] for run in runs])
        return TermRows(rows, np.arange(len(terms)).repeat(ends - starts), weights)


class QueryTerms:
    """The terms of a query that occur in a chunk or a path, with their weights and postings.

    `numbers` int64[terms] are their positions in the vocabulary, `weights` float64[terms] their idf.
    `total` is the idf of all terms of the query, `share` float32[terms] the share of each of these in it. Terms after
    the first `leading` weigh less.
    """

    def __init__(self, lexical: LexicalIndex, terms: tuple[str, ...], leading: int | None = None) -> None:
        numbers = np.array(lexical.numbers_of(terms), np.int64)
        self._fields = lexical.fields
        body, path = self._fields["body"], self._fields["path"]
        occurs = (body.counts(numbers) > 0) | (path.counts(numbers) > 0)
        self._rows: dict[str, TermRows] = {}
        self._coverage: dict[str, Array] = {}
        self._norm = lexical.norm
        self.terms = [*compress(terms, occurs.tolist())]
        self.numbers = numbers[occurs]
        emphasis = emphasis_of(len(terms), leading)
        self.weights = idf(len(self._norm), body.counts(self.numbers).astype(np.float64)) * emphasis[occurs]
        unknown = _UNKNOWN_IDF * float(log1p(np.array(2 * len(self._norm) + 1)) * emphasis[~occurs].sum())
        self.total = max(float(self.weights.sum()) + unknown, 1e-9)
        self.share = (self.weights / self.total).astype(np.float32)

    def rows(self, field: str) -> TermRows:
        """The postings of all these terms in one field, or in the paths."""
        if field not in self._rows:
            self._rows[field] = self._fields[field].of_all(self.numbers)
        return self._rows[field]

    def bm25(self) -> Array:
        """float64[chunks]: Okapi BM25 of the text of each chunk."""
        body = self.rows("body")
        tf = body.weights.astype(np.float32)
        parts = self.weights[body.term] * tf * (K1 + 1) / (tf + self._norm[body.rows])
        return np.bincount(body.rows, parts, len(self._norm))

    def coverage(self, field: str) -> Array:
        """float32[chunks]: the share of the query that occurs in a field of each chunk. Read-only."""
        if field not in self._coverage:
            postings = self.rows(field)
            share = np.bincount(postings.rows, self.share[postings.term], len(self._norm))
            self._coverage[field] = share.astype(np.float32)
        return self._coverage[field]


class LexicalIndex:
    """The postings of one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.terms = snapshot.strings("terms")
        self.fields = {
            level: Postings(*(snapshot.array(f"post/{level}/{part}") for part in ("indptr", rows, weights) if part))
            for level, rows, weights in _INVERTED
        }
        self.norm = snapshot.array("body_norm")
        # The position of a term in the vocabulary, or -1; a query looks up the same term several times.
        self.number_of = lru_cache(REMEMBERED_TERMS)(self.terms.find)

    def numbers_of(self, terms: Iterable[str]) -> list[int]:
        """Positions of terms in the vocabulary; -1 for a term that is not in it."""
        return [self.number_of(term) for term in terms]

    def holding(self, terms: Iterable[str]) -> Array:
        """The chunks whose text contains all the terms, ascending; none if a term is unknown or no term is given."""
        postings = sorted(map(self.fields["body"].of, dict.fromkeys(self.numbers_of(terms))), key=len)
        chunks = postings[0] if postings else np.zeros(0, np.int64)
        for more in postings[1:] if len(chunks) else ():
            chunks = chunks[is_in(chunks, more)]
        return chunks

    def idf_of(self, terms: Sequence[str], leading: int | None = None) -> Array:
        """float64[terms]: log(1 + N / (df + 0.5)) over chunks; a term in no chunk gets the largest value. Vectors weigh
        terms by its root."""
        numbers = np.array(self.numbers_of(terms), np.int64)
        frequency = np.maximum(self.fields["body"].counts(numbers), 0)
        return log1p(len(self.norm) / (frequency + 0.5)) * emphasis_of(len(terms), leading) ** 2
