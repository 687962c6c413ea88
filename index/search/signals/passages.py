"""What is measured of the chunks that a pack may show: each for what it is, then for what stands around it.

A pack is judged by the lines that must be read, so its order is an order of chunks: the file's points are one signal
among the chunk's own. The second set of signals lets evidence travel one step: a chunk beside, above, called by or
calling one with much evidence of its own is worth more, which is how the second place of a mechanism comes in.

Measured on explore questions (benchmarks/explore): a word's rarity says little about whether the answer holds it. What
answers holds a word that one chunk in a thousand holds three times as often as its neighbours do, one that every third
chunk holds half as often again; with the words that are absent counted, too, all words weigh nearly the same. So
`match` counts words alike, except those that questions are phrased with.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from index.arithmetic import best, cosines, standardised, weighted_sum
from index.collection.collection import Corpus
from index.graph.edges import LABELS
from index.lexical import KnownTerms
from index.search.query import Query
from index.search.signals.files import Measured
from index.segment.columns import Array, begins_run

OWN_SIGNALS = (
    "file", "file_gap", "match", "match_gap", "match_names", "match_around", "dense", "dense_symbol", "dense_beside",
    "dense_place", "feedback", "kind", "lines", "density", "part", "called_by", "test", "aside", "prose", "nested",
    "transformer",
)  # fmt: skip
AROUND_SIGNALS = (
    "beside", "beyond", "others_in_file", "container", "folder", "linked_file", "caller", "callers", "callee",
    "callees", "member",
)  # fmt: skip

BEST_FILES = 40  # files by their points whose chunks are looked at
BEST_CHUNKS = 30  # chunks by words, and by meaning, whose files are looked at as well
KEPT = 400  # chunks by their first evidence that are measured closely
FEEDBACK = (1.0, 0.8, 0.6, 0.5, 0.4, 0.3)  # weights of the best chunks by first evidence, whose mean is asked for again
FILE_SHARE = 0.5  # of the file's points in the first evidence
LEAST_COVERED = 20  # chunks of a pool with vectors of a transformer, before they are compared
BEHIND = 1e6  # more than the points of a file can make up for
LEAST_POINTS = -12.0  # of a neighbour that is not there
LEAST_MASS = 1e-3  # of neighbours' evidence together, so that none has a logarithm


@dataclass(frozen=True, slots=True)
class Pool:
    """The chunks that are measured closely, ascending, with their files and how the files stand.

    `file` are file numbers, `row` positions in the sorted distinct files; `file_points` float64 of each chunk's file.
    """

    chunks: Array
    file: Array
    row: Array
    files: Array
    file_points: Array
    evidence: Array  # float64: first evidence, from the file's points, the chunk's tables, words and meaning
    symbol: Array  # of each chunk, counted from 0: the parts of one symbol have one number
    place: Array  # int32[all chunks]: where each stands in the pool, -1 for those that do not


def pool_of(
    corpus: Corpus, measured: Measured, files: Array, file_points: Array, chunk_points: Callable[[Array], Array],
    docs_first: bool = False,
) -> Pool:  # fmt: skip
    """The chunks worth a closer look among those of the best `files`; with `docs_first` documents are best.

    `file_points` float64[files]; `chunk_points` gives the sum of the tables for chunks, float64, of some chunks.
    """
    points = np.zeros(corpus.files)
    points[files] = file_points
    code = corpus.static["prose"][files] == 0 if docs_first else 0
    chosen = np.zeros(corpus.files, bool)
    chosen[files[best(file_points.round(6) - BEHIND * code, BEST_FILES)]] = True
    candidates = corpus.chunks_of(files)
    for signal in ("bm25", "dense", "transformer"):
        if measured.chunk[signal].any():
            chosen[corpus.chunk_file[candidates[best(measured.chunk[signal][candidates], BEST_CHUNKS)]]] = True
    chunks = corpus.chunks_of(chosen.nonzero()[0])
    file = corpus.chunk_file[chunks]
    words = measured.chunk["bm25"]
    evidence = FILE_SHARE * points[file] + chunk_points(chunks) + standardised(words[chunks], words)
    evidence = (evidence + measured.chunk["dense"][chunks]).round(4)
    kept = best(evidence, KEPT)
    chunks, file = chunks[kept], file[kept]
    row = begins_run(file).cumsum() - 1
    symbol = (~_continues(corpus, chunks)).cumsum() - 1
    place = _places_of(chunks, corpus.chunks)
    return Pool(chunks, file, row, file[begins_run(row)], points[file], evidence[kept], symbol, place)


def _continues(corpus: Corpus, chunks: Array) -> Array:
    """bool[chunks]: whether each is a further part of the symbol that the one before it, in order, is a part of."""
    segment = corpus.snapshot.segment
    part, symbol = segment.array("chunk.part")[chunks], segment.array("chunk.symbol")[chunks]
    same = np.zeros(len(chunks), bool)
    same[1:] = (part[1:] > 0) & (symbol[1:] == symbol[:-1]) & (chunks[1:] == chunks[:-1] + 1)
    same[1:] &= corpus.chunk_file[chunks[1:]] == corpus.chunk_file[chunks[:-1]]
    return same


def own_signals(
    corpus: Corpus, query: Query, measured: Measured, vector: Array | None, pool: Pool, words: Mapping[str, float]
) -> dict[str, Array]:
    """Signal -> float64[pool]. `words` are the weights of those that questions are phrased with."""
    segment = corpus.snapshot.segment
    chunks, row = pool.chunks, pool.row
    dense = measured.chunk["dense"][chunks].astype(np.float64)
    match, names, around = _matches(corpus, measured, pool, words)
    lines = segment.array("chunk.end_line")[chunks].astype(np.float64) - segment.array("chunk.start_line")[chunks] + 1
    kind = segment.array("chunk.kind")[chunks]
    top = pool.file_points.max(initial=-np.inf)
    return {
        "file": pool.file_points,
        "file_gap": top - pool.file_points,
        "match": standardised(match, match),
        "match_count": match,
        "match_gap": match.max(initial=0.0) - match,
        "match_names": names,
        "match_around": around,
        "dense": dense,
        "dense_symbol": _best_of_symbol(pool, dense),
        "dense_beside": _beside(chunks, row, dense, 1, 0.0),
        "dense_place": np.minimum(_places(row, dense), 20).astype(np.float64),
        "feedback": _feedback(corpus, vector, pool),
        "transformer": _transformer(measured.chunk["transformer"][chunks]),
        "kind": kind.astype(np.float64),
        "lines": lines,
        "density": segment.array("chunk.words")[chunks] / lines,
        "part": measured.chunk["part"][chunks],
        "called_by": measured.chunk["called_by"][chunks],
        **{name: measured.file[name][pool.file] for name in ("test", "aside", "prose")},
        "nested": segment.array("chunk.parent")[chunks] >= 0,
    }


def around_signals(corpus: Corpus, pool: Pool, points: Array) -> dict[str, Array]:
    """Signal -> float64[pool]: what stands around each chunk, by the points of its own that everything has."""
    gap = points - points.max(initial=-np.inf)
    mass = np.exp(gap).round(9)
    chunks, row = pool.chunks, pool.row
    in_file = np.bincount(row, mass, len(pool.files))
    parent = _parents(corpus, pool)
    best_in_file = np.full(len(pool.files), LEAST_POINTS)
    np.maximum.at(best_in_file, row, gap)
    folder = _folders(corpus, pool)
    by_folder = np.bincount(folder[row], mass, int(folder.max(initial=0)) + 1)
    found = {
        "beside": _beside(chunks, row, gap, 1, LEAST_POINTS),
        "beyond": _beside(chunks, row, gap, 2, LEAST_POINTS),
        "others_in_file": np.log(np.maximum(in_file[row] - mass, 0) + LEAST_MASS),
        "container": np.where(parent >= 0, gap[np.maximum(parent, 0)], LEAST_POINTS),
        "folder": np.log(by_folder[folder[row]] + LEAST_MASS),
        "linked_file": _linked_files(corpus, pool, best_in_file)[row],
    }
    user, used, label = _edges(corpus, pool)
    calls, contains = label == LABELS.index("calls"), label == LABELS.index("contains")
    for one, many, at, other in (("callee", "callees", user, used), ("caller", "callers", used, user)):
        found[one] = _best_at(at[calls], gap[other[calls]], len(chunks))
        found[many] = np.log(np.bincount(at[calls], mass[other[calls]], len(chunks)) + LEAST_MASS)
    found["member"] = _best_at(user[contains], gap[used[contains]], len(chunks))
    return {name: values.round(4) for name, values in found.items()}


def _matches(corpus: Corpus, measured: Measured, pool: Pool, words: Mapping[str, float]) -> tuple[Array, Array, Array]:
    """float64[pool] three times: the words of the query that a chunk answers to, by weight.

    In its text, in the names and signatures of what contains it or in its path; in its own names and signature; and,
    as a share of all, in its text or that of the chunks before and behind it.
    """
    known = measured.known
    size = len(pool.chunks)
    if not known.terms:
        return np.zeros(size), np.zeros(size), np.zeros(size)
    weight = np.array([words.get(term, 1.0) for term in known.terms])
    numbers = _parent_numbers(corpus, pool)
    parents, parent_row = np.unique(np.maximum(numbers, 0), return_inverse=True)
    in_parents = _places_of(parents, corpus.chunks)
    body, named, signature = (_held(known, field, pool.place, size) for field in ("body", "named", "signature"))
    outer = _held(known, "named", in_parents, len(parents)) | _held(known, "signature", in_parents, len(parents))
    path = _held(known, "path", _places_of(pool.files, corpus.files), len(pool.files))
    named |= signature
    answered = body | path[:, pool.row] | (outer[:, parent_row] & (numbers >= 0))
    around = body.copy()
    same = ((pool.row[1:] == pool.row[:-1]) & (pool.chunks[1:] == pool.chunks[:-1] + 1))[None, :]
    around[:, 1:] |= body[:, :-1] & same
    around[:, :-1] |= body[:, 1:] & same
    match, names, near = (np.einsum("t,tc->c", weight, rows).round(4) for rows in (answered, named, around))
    return match, names, (near / max(float(weight.sum()), 1e-9)).round(4)


def _places_of(rows: Array, size: int) -> Array:
    """int32[size]: the place of each row among these, -1 for others."""
    places = np.full(size, -1, np.int32)
    places[rows] = np.arange(len(rows), dtype=np.int32)
    return places


def _held(known: KnownTerms, field: str, places: Array, size: int) -> Array:
    """bool[terms, size]: whether the row at each place holds each term."""
    held = np.zeros((len(known.terms), size), bool)
    found = known.rows(field)
    at = places[found.rows]
    some = (at >= 0).nonzero()[0]
    held[found.term[some], at[some]] = True
    return held


def _feedback(corpus: Corpus, vector: Array | None, pool: Pool) -> Array:
    """How near each chunk is to the query and to the best chunks by first evidence together (Rocchio 1971)."""
    if vector is None or not len(pool.chunks) or corpus.vectors.shape[1] != len(vector):
        return np.zeros(len(pool.chunks))
    vectors = corpus.vectors[pool.chunks]
    best = np.argsort(-pool.evidence, kind="stable")[: len(FEEDBACK)]
    centre = _unit(_unit(weighted_sum(np.array(FEEDBACK[: len(best)]), vectors[best])) + vector)
    near = cosines(vectors, centre.astype(np.float32)).astype(np.float64)
    return standardised(near, near)


def _transformer(values: Array) -> Array:
    """What a transformer says of the chunks, among those of the pool that have a vector of it; 0 for the others.

    Its vectors come one by one, the most used files first, so what is usual among all that are there says little.
    """
    covered = values != 0
    found = np.zeros(len(values))
    if np.count_nonzero(covered) >= LEAST_COVERED:
        some = values[covered].astype(np.float64)
        found[covered] = standardised(some, some)
    return found


def _unit(vector: Array) -> Array:
    """The vector at length one, to nine digits."""
    length = round(math.sqrt(round(float(np.square(vector.astype(np.float64)).sum()), 9)), 9)
    return (vector / max(length, 1e-9)).round(9)


def _best_of_symbol(pool: Pool, values: Array) -> Array:
    """The largest value among the parts of each chunk's symbol that are in the pool."""
    return np.maximum.reduceat(values, begins_run(pool.symbol).nonzero()[0])[pool.symbol] if len(values) else values


def _beside(chunks: Array, row: Array, values: Array, step: int, nothing: float) -> Array:
    """The larger value of the two chunks `step` before and behind in the same file; `nothing` where none is there."""
    found = np.full(len(chunks), nothing)
    if len(chunks) > step:
        next_to = (row[step:] == row[:-step]) & (chunks[step:] == chunks[:-step] + step)
        found[step:] = np.where(next_to, np.maximum(found[step:], values[:-step]), found[step:])
        found[:-step] = np.where(next_to, np.maximum(found[:-step], values[step:]), found[:-step])
    return found


def _places(row: Array, values: Array) -> Array:
    """int64: 0 for the largest value of each file, 1 for the next, ..."""
    places = np.empty(len(row), np.int64)
    places[np.lexsort((-values.round(6), row))] = np.arange(len(row)) - begins_run(row).nonzero()[0][row]
    return places


def _parent_numbers(corpus: Corpus, pool: Pool) -> Array:
    """int64[pool]: the chunk that contains each, -1 without one."""
    parent = corpus.snapshot.segment.array("chunk.parent")[pool.chunks].astype(np.int64)
    return np.where(parent >= 0, parent + corpus.first_chunk[pool.file], -1)


def _parents(corpus: Corpus, pool: Pool) -> Array:
    """int64[pool]: the position in the pool of the chunk that contains each, -1 where it is not in the pool."""
    numbers = _parent_numbers(corpus, pool)
    return np.where(numbers >= 0, pool.place[numbers], -1)


def _folders(corpus: Corpus, pool: Pool) -> Array:
    """int64[pool.files]: the number of each file's folder among theirs."""
    numbers: dict[str, int] = {}
    folders = (corpus.paths[file].rpartition("/")[0] for file in pool.files.tolist())
    return np.array([numbers.setdefault(folder, len(numbers)) for folder in folders], np.int64)


def _linked_files(corpus: Corpus, pool: Pool, best: Array) -> Array:
    """float64[pool.files]: the best chunk among the files that each one imports or is imported by."""
    found = np.full(len(pool.files), LEAST_POINTS)
    edges = corpus.imports_out
    user, at = edges.leaving(pool.files)
    used = np.searchsorted(pool.files, edges.node[at]) % max(len(pool.files), 1)
    both = (pool.files[used] == edges.node[at]) & (user != used)
    np.maximum.at(found, user[both], best[used[both]])
    np.maximum.at(found, used[both], best[user[both]])
    return found


def _edges(corpus: Corpus, pool: Pool) -> tuple[Array, Array, Array]:
    """(user, used, label) of every edge of the code graph within the pool, by positions in it."""
    edges = corpus.edges_out
    user, at = edges.leaving(pool.chunks)
    used = pool.place[edges.node[at]]
    inside = (used >= 0) & (used != user)
    return user[inside], used[inside], edges.label[at][inside]


def _best_at(place: Array, values: Array, size: int) -> Array:
    found = np.full(size, LEAST_POINTS)
    np.maximum.at(found, place, values)
    return found
