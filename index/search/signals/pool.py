"""The chunks that are measured closely for a pack, and their signals: of each by itself, then of its surroundings.

Measured on explore questions (benchmarks/explore): a word's rarity says little about whether the answer contains it.
Compared with their neighbours, chunks that answer contain a word of one chunk in a thousand three times as often, and a
word of every third chunk 1.5 times as often; if absent words are counted, too, all words weigh nearly the same. So
`match` counts words alike, except those that questions are phrased with.

Evidence travels one step: a chunk that is next to, inside, called by or calling one with many points of its own is
worth more. This finds the second place of a mechanism.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from contracts.frozen import frozen
from index.arithmetic import best, cosines, standardised, weighted_sum
from index.collection.collection import Collection
from index.graph.edges import LABELS
from index.search.signals import Signal, Signals, by_name
from index.search.signals.files import Measurement
from index.segment.columns import Array, begins_run
from index.types import First

BEST_FILES = 40  # best files by points, whose chunks are considered
BEST_CHUNKS = 30  # best chunks by words, and by meaning, whose files are also considered
POOL_CHUNKS = 400  # best chunks by first evidence, which are measured closely
FILE_SHARE = 0.5  # weight of the file's points in the first evidence
BEHIND = 1e6  # more than the points of a file can make up for
FEEDBACK = (1.0, 0.8, 0.6, 0.5, 0.4, 0.3)  # weights of the best chunks by first evidence, whose mean is a second query
# A document comes before all code if it covers this share of the query; so many standard deviations above the average
# cosine count as full coverage. On questions to six repositories this separates the sections that answer from others.
DOCUMENT_COVER, DENSE_OF_COVER = 0.75, 6.0
MIN_COVERED = 20  # with fewer transformer vectors in a pool, they are not compared
MAX_PLACES = 20  # ranks within a file that are distinguished
MIN_POINTS = -12.0  # of a neighbour that does not exist
MIN_MASS = 1e-3  # added to the neighbours' total evidence, because zero has no logarithm


@frozen
class Pool:
    """The chunks that are measured closely, ascending, with their files and the files' points.

    `file` has the file number of each chunk, `row` its position in the sorted, distinct `files`, and `file_points`
    (float64) the points of its file.
    """

    chunks: Array
    file: Array
    row: Array
    files: Array
    file_points: Array
    evidence: Array  # float64: first evidence, from the file's points, the chunk's tables, words and meaning
    symbol: Array  # per chunk, from 0: the parts of one symbol share a number
    place: Array  # int32[all chunks]: the position of each in the pool, -1 for all others

    @classmethod
    def of(
        cls, measured: Measurement, files: Array, file_points: Array, points_of: Callable[[Array], Array],
        first: First = "",
    ) -> Pool:  # fmt: skip
        """The chunks worth a closer look among those of the best `files`; with `first`, documents or tests are best.

        `file_points` float64[files]; `points_of` returns the points of chunks.
        """
        collection, words, dense = measured.collection, measured.bm25, measured.chunk["dense"]
        points = np.zeros(len(collection.files))
        points[files] = file_points
        is_behind = behind(measured, first, files)
        chosen = np.zeros(len(collection.files), bool)
        chosen[files[best(file_points.round(6) - BEHIND * is_behind, BEST_FILES)]] = True
        candidates = collection.chunks_of(files)
        for values in (words, dense, measured.second):
            if values.any():
                chosen[collection.chunks.file[candidates[best(values[candidates], BEST_CHUNKS)]]] = True
        chunks = collection.chunks_of(chosen.nonzero()[0])
        file = collection.chunks.file[chunks]
        evidence = FILE_SHARE * points[file] + points_of(chunks) + standardised(words[chunks], words)
        evidence = (evidence + dense[chunks]).round(4)
        places = best(evidence, POOL_CHUNKS)
        chunks, file = chunks[places], file[places]
        row = begins_run(file).cumsum() - 1
        symbol = (~_continues(collection, chunks)).cumsum() - 1
        place = places_of(chunks, len(collection.chunks))
        return cls(chunks, file, row, file[begins_run(row)], points[file], evidence[places], symbol, place)


def behind(measured: Measurement, first: First, files: Array, chunks: Array | None = None) -> Array:
    """bool: which of the files, or of the chunks in them, come after the documents or the tests that answer the query.

    These are all others, and those that neither contain the query's words nor are near it in meaning; none if nothing
    comes `first`.
    """
    if not first:
        return np.zeros(len(files), bool)
    collection = measured.collection
    cover, dense = (
        (measured.file["cover_chunk"][files], measured.file["dense_chunk"][files])
        if chunks is None
        else (measured.chunk["cover"][chunks], measured.chunk["dense"][chunks])
    )
    evidence = cover + dense / DENSE_OF_COVER
    if first == "documents":
        return ~(collection.documents[files] & (evidence >= DOCUMENT_COVER))
    inside = 0 if chunks is None else collection.chunks.in_tests[chunks]
    # The texts that tests read are no tests, and the word `tests` is no evidence: as much of the others must match.
    least = DOCUMENT_COVER + (1 - DOCUMENT_COVER) / max(measured.query.words, 1)
    return ~(((collection.static["test"] > collection.static["prose"])[files] + inside > 0) & (evidence >= least))


def _continues(collection: Collection, chunks: Array) -> Array:
    """bool[chunks]: whether each chunk continues the symbol of the chunk before it."""
    part, symbol, file = (
        column[chunks] for column in (collection.chunks.part, collection.chunks.symbol, collection.chunks.file)
    )
    same = np.zeros(len(chunks), bool)
    same[1:] = (part[1:] > 0) & (symbol[1:] == symbol[:-1]) & (chunks[1:] == chunks[:-1] + 1)
    same[1:] &= (file[1:] == file[:-1]) & ~collection.is_alone[chunks[1:]]
    return same


def places_of(rows: Array, size: int) -> Array:
    """int32[size]: the position of each row in `rows`, -1 for others."""
    places = np.full(size, -1, np.int32)
    places[rows] = np.arange(len(rows), dtype=np.int32)
    return places


def parent_numbers(collection: Collection, pool: Pool) -> Array:
    """int64[pool]: the chunk that contains each chunk, -1 if none does."""
    parent = collection.chunks.parent[pool.chunks].astype(np.int64)
    return np.where(parent >= 0, parent + collection.files.first_chunk[pool.file], -1)


def larger_neighbour(pool: Pool, values: Array, step: int, nothing: float) -> Array:
    """The larger value of the chunks `step` before and after each in its file; `nothing` if neither is in the pool."""
    chunks, row = pool.chunks, pool.row
    larger = np.full(len(chunks), nothing)
    next_to = (row[step:] == row[:-step]) & (chunks[step:] == chunks[:-step] + step)
    before, after = larger[:-step], larger[step:]
    np.maximum(after, values[:-step], out=after, where=next_to)
    np.maximum(before, values[step:], out=before, where=next_to)
    return larger


class PoolMeasurement:
    """The chunks of a pool measured against the query. `words` weighs the terms that questions are phrased with."""

    def __init__(self, measured: Measurement, pool: Pool, words: Mapping[str, float]) -> None:
        self.measured = measured
        self.collection = measured.collection
        self.pool = pool
        self.words = words
        self.dense = measured.chunk["dense"][pool.chunks].astype(np.float64)

    @cached_property
    def lines(self) -> Array:
        chunks, pool = self.collection.chunks, self.pool.chunks
        return chunks.end_line[pool].astype(np.float64) - chunks.start_line[pool] + 1

    @cached_property
    def match(self) -> Array:
        """float64[pool]: the weight of the query's words in a chunk's text, its path or its container's names."""
        files = self.pool.files
        path = self._presence("path", places_of(files, len(self.collection.files)), len(files))
        return self._weighted_sum(self._body | path[:, self.pool.row] | self._names[1])

    @cached_property
    def match_names(self) -> Array:
        """float64[pool]: the weight of the query's words in a chunk's own names and signature."""
        return self._weighted_sum(self._names[0])

    @cached_property
    def match_around(self) -> Array:
        """float64[pool]: the weight of the query's words in a chunk or its two neighbours, as a share of all words."""
        row, chunks, body = self.pool.row, self.pool.chunks, self._body
        around = body.copy()
        same = ((row[1:] == row[:-1]) & (chunks[1:] == chunks[:-1] + 1))[None, :]
        around[:, 1:] |= body[:, :-1] & same
        around[:, :-1] |= body[:, 1:] & same
        return (self._weighted_sum(around) / max(float(self._weights.sum()), 1e-9)).round(4)

    @cached_property
    def _body(self) -> Array:
        return self._presence("body", self.pool.place, len(self.pool.chunks))

    @cached_property
    def _names(self) -> tuple[Array, Array]:
        """bool[terms, pool], twice: whether the names or the signature of each chunk contain each term, and those of
        the chunk that contains it."""
        chunks, parents = self.pool.chunks, parent_numbers(self.collection, self.pool)
        some = np.zeros(len(self.collection.chunks), bool)
        some[chunks] = some[parents[parents >= 0]] = True
        rows = some.nonzero()[0]
        places = places_of(rows, len(some))
        presence = self._presence("named", places, len(rows)) | self._presence("signature", places, len(rows))
        return presence[:, places[chunks]], presence[:, places[parents]] & (parents >= 0)

    @cached_property
    def _weights(self) -> Array:
        return np.array([self.words.get(term, 1.0) for term in self.measured.terms.terms], np.float64)

    def _weighted_sum(self, presence: Array) -> Array:
        return np.einsum("t,tc->c", self._weights, presence).round(4)

    def _presence(self, field: str, places: Array, size: int) -> Array:
        """bool[terms, size]: whether the row at each place contains each term."""
        terms = self.measured.terms
        presence = np.zeros((len(terms.terms), size), bool)
        rows = terms.rows(field)
        at = places[rows.rows]
        some = (at >= 0).nonzero()[0]
        presence[rows.term[some], at[some]] = True
        return presence


def _dense_symbol(of: PoolMeasurement) -> Array:
    """The largest `dense` among the parts of each chunk's symbol that are in the pool."""
    return np.maximum.reduceat(of.dense, begins_run(of.pool.symbol).nonzero()[0])[of.pool.symbol]


def _dense_place(of: PoolMeasurement) -> Array:
    """The rank of each chunk by `dense` within its file: 0 for the largest, 1 for the next, ..."""
    row = of.pool.row
    places = np.empty(len(row), np.float64)
    order = np.lexsort((-of.dense.round(6), row.astype(np.uint16)))  # two bytes sort fastest
    places[order] = np.arange(len(row)) - begins_run(row).nonzero()[0][row]
    return np.minimum(places, MAX_PLACES)


def _feedback(of: PoolMeasurement) -> Array:
    """How near each chunk is to the mean of the query and the best chunks by first evidence (Rocchio 1971)."""
    vector, pool = of.measured.vector, of.pool
    if vector is None or not len(pool.chunks) or of.collection.vectors.shape[1] != len(vector):
        return np.zeros(len(pool.chunks))
    vectors = of.collection.vectors.take(pool.chunks, axis=0)
    best = np.argsort(-pool.evidence, kind="stable")[: len(FEEDBACK)]
    centre = _unit(_unit(weighted_sum(np.array(FEEDBACK[: len(best)]), vectors[best])) + vector)
    near = cosines(vectors, centre.astype(np.float32)).astype(np.float64)
    return standardised(near, near)


def _unit(vector: Array) -> Array:
    """The vector scaled to length one, to nine digits."""
    length = round(math.sqrt(round(float(np.square(vector.astype(np.float64)).sum()), 9)), 9)
    return (vector / max(length, 1e-9)).round(9)


def _kind(of: PoolMeasurement) -> Array:
    """The number of each chunk's kind; 0 for all if the query asks for a setting, because any kind may define it."""
    kinds = of.collection.chunks.kind[of.pool.chunks].astype(np.float64)
    return np.zeros_like(kinds) if of.measured.wants("setting") else kinds


def _in_tests(of: PoolMeasurement) -> Array:
    """1 for a test in the file that it tests, unless the query asks for tests."""
    within = of.collection.chunk_priors["in_tests"][of.pool.chunks]
    return np.zeros_like(within) if of.measured.wants("test") else within


def _transformer(of: PoolMeasurement) -> Array:
    """The transformer's cosines, standardised among the chunks of the pool that have its vectors; 0 for the others.

    The vectors are computed over time, those of the most used files first, so the average of all of them says little.
    """
    values = of.measured.second[of.pool.chunks]
    covered = values != 0
    among = np.zeros(len(values))
    if np.count_nonzero(covered) >= MIN_COVERED:
        some = values[covered].astype(np.float64)
        among[covered] = standardised(some, some)
    return among


OWN_SIGNALS: Signals[PoolMeasurement, Array] = by_name(
    Signal("file_gap", lambda of: of.pool.file_points.max(initial=-np.inf) - of.pool.file_points, -1),
    Signal("match", lambda of: standardised(of.match, of.match), 1),
    Signal("match_gap", lambda of: of.match.max(initial=0.0) - of.match, -1),
    Signal("match_names", lambda of: of.match_names, 1),
    Signal("match_around", lambda of: of.match_around, 1),
    Signal("dense_symbol", _dense_symbol, 1),
    Signal("dense_beside", lambda of: larger_neighbour(of.pool, of.dense, 1, 0.0), 1),
    Signal("dense_place", _dense_place, -1),
    Signal("feedback", _feedback, 1),
    Signal("kind", _kind),
    Signal("branches", lambda of: of.collection.branches[of.pool.chunks]),
    Signal("density", lambda of: of.collection.chunks.words[of.pool.chunks] / of.lines),
    Signal("called_by", lambda of: of.collection.chunk_priors["called_by"][of.pool.chunks], 1),
    Signal("test", lambda of: of.measured.file["test"][of.pool.file], -1),
    Signal("in_tests", _in_tests, -1),
    Signal("transformer", _transformer, 1),
)


class Surroundings:
    """The chunks of a pool by their own points: `gap` is the distance to the best (<= 0), `mass` its exponential."""

    def __init__(self, collection: Collection, pool: Pool, points: Array) -> None:
        self.collection = collection
        self.pool = pool
        self.gap = points - points.max(initial=-np.inf)
        self.mass = np.exp(self.gap).round(9)

    @cached_property
    def calls(self) -> tuple[Array, Array]:
        """(caller, callee) of every call within the pool, by positions in it."""
        edges, place = self.collection.edges_out, self.pool.place
        caller, at = edges.leaving(self.pool.chunks)
        callee = place[edges.node[at]]
        inside = (callee >= 0) & (callee != caller) & (edges.label[at] == LABELS.index("calls"))
        return caller[inside], callee[inside]

    def best_by_call(self, near: int, far: int) -> Array:
        """The gap of the best chunk at the far end of each chunk's calls; ends are CALLER or CALLEE."""
        return _best_at(self.calls[near], self.gap[self.calls[far]], len(self.gap)).round(4)

    def mass_by_call(self, near: int, far: int) -> Array:
        """The logarithm of the total evidence at the far ends."""
        return _log_mass(np.bincount(self.calls[near], self.mass[self.calls[far]], len(self.gap)))


def _others_in_file(of: Surroundings) -> Array:
    in_file = np.bincount(of.pool.row, of.mass, len(of.pool.files))
    return _log_mass(np.maximum(in_file[of.pool.row] - of.mass, 0))


def _container(of: Surroundings) -> Array:
    numbers = parent_numbers(of.collection, of.pool)
    parent = np.where(numbers >= 0, of.pool.place[numbers], -1)
    return np.where(parent >= 0, of.gap[np.maximum(parent, 0)], MIN_POINTS).round(4)


def _folder(of: Surroundings) -> Array:
    """The logarithm of the total evidence in the folder of each chunk's file."""
    numbers: dict[str, int] = {}
    folders = (of.collection.files.paths[file].rpartition("/")[0] for file in of.pool.files.tolist())
    folder = np.array([numbers.setdefault(folder, len(numbers)) for folder in folders], np.int64)[of.pool.row]
    return _log_mass(np.bincount(folder, of.mass, len(numbers))[folder])


def _linked_file(of: Surroundings) -> Array:
    """The gap of the best chunk in the files that each chunk's file imports or is imported by."""
    pool, edges = of.pool, of.collection.imports_out
    best = _best_at(pool.row, of.gap, len(pool.files))
    user, at = edges.leaving(pool.files)
    used = np.searchsorted(pool.files, edges.node[at]) % max(len(pool.files), 1)
    both = (pool.files[used] == edges.node[at]) & (user != used)
    user, used = user[both], used[both]
    linked = _best_at(np.concatenate([user, used]), best[np.concatenate([used, user])], len(pool.files))
    return linked[pool.row].round(4)


def _log_mass(mass: Array) -> Array:
    return np.log(mass + MIN_MASS).round(4)


def _best_at(place: Array, values: Array, size: int) -> Array:
    best = np.full(size, MIN_POINTS)
    np.maximum.at(best, place, values)
    return best


CALLER, CALLEE = 0, 1
AROUND_SIGNALS: Signals[Surroundings, Array] = by_name(
    Signal("beside", lambda of: larger_neighbour(of.pool, of.gap, 1, MIN_POINTS).round(4), 1),
    Signal("beyond", lambda of: larger_neighbour(of.pool, of.gap, 2, MIN_POINTS).round(4), 1),
    Signal("others_in_file", _others_in_file),
    Signal("container", _container, 1),
    Signal("folder", _folder, 1),
    Signal("linked_file", _linked_file, 1),
    Signal("caller", lambda of: of.best_by_call(CALLEE, CALLER), 1),
    Signal("callers", lambda of: of.mass_by_call(CALLEE, CALLER), 1),
    Signal("callee", lambda of: of.best_by_call(CALLER, CALLEE), 1),
    Signal("callees", lambda of: of.mass_by_call(CALLER, CALLEE), 1),
)
