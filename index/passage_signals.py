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

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from index.arithmetic import cosines, weighted_sum
from index.columns import Array, spread
from index.corpus import Corpus
from index.graph.edges import LABELS
from index.lexical import Postings
from index.query import Query
from index.signals import Measured

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


def pool_of(
    corpus: Corpus, measured: Measured, files: Array, file_points: Array, chunk_points: Array, docs_first: bool = False
) -> Pool:
    """The chunks worth a closer look among those of the best `files`; with `docs_first` documents are best.

    `file_points` float64[files]; `chunk_points` float64[chunks]: the tables for chunks, of every chunk.
    """
    points = np.full(corpus.files, -np.inf)
    points[files] = file_points
    code = corpus.static["prose"][files] == 0 if docs_first else np.zeros(len(files), bool)
    best = files[np.lexsort((files, -np.round(file_points, 6), code))[:BEST_FILES]]
    allowed = np.isfinite(points)
    named = [best]
    candidates = allowed[corpus.chunk_file] & corpus.shown
    for signal in ("bm25", "dense", "transformer"):
        if measured.chunk[signal].any():
            values = np.where(candidates, measured.chunk[signal], -np.inf)
            named.append(corpus.chunk_file[_largest(values, BEST_CHUNKS)])
    chosen = np.unique(np.concatenate(named))
    chosen = chosen[allowed[chosen]]
    chunks = spread(corpus.first_chunk[chosen], corpus.chunk_counts[chosen])
    chunks = chunks[corpus.shown[chunks]]
    file = corpus.chunk_file[chunks]
    evidence = FILE_SHARE * points[file] + chunk_points[chunks] + _standard(measured.chunk["bm25"])[chunks]
    evidence = np.round(evidence + measured.chunk["dense"][chunks], 4)
    kept = np.sort(_largest(evidence, KEPT))
    chunks, file = chunks[kept], file[kept]
    files, row = np.unique(file, return_inverse=True)
    return Pool(chunks, file, row, files, points[file], evidence[kept])


def own_signals(
    corpus: Corpus, query: Query, measured: Measured, vector: Array | None, pool: Pool, words: Mapping[str, float]
) -> dict[str, Array]:
    """Signal -> float64[pool]. `words` are the weights of those that questions are phrased with."""
    segment = corpus.snapshot.segment
    chunks, row = pool.chunks, pool.row
    dense = measured.chunk["dense"][chunks].astype(np.float64)
    match, names, around = _matches(corpus, query, pool, words)
    lines = segment.array("chunk.end_line")[chunks].astype(np.float64) - segment.array("chunk.start_line")[chunks] + 1
    kind = segment.array("chunk.kind")[chunks]
    top = pool.file_points.max(initial=-np.inf)
    return {
        "file": pool.file_points,
        "file_gap": top - pool.file_points,
        "match": _standard(match),
        "match_count": match,
        "match_gap": match.max(initial=0.0) - match,
        "match_names": names,
        "match_around": around,
        "dense": dense,
        "dense_symbol": _best_of_symbol(corpus, chunks, dense),
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
    mass = np.round(np.exp(gap), 9)
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
    return {name: np.round(values, 4) for name, values in found.items()}


def _matches(corpus: Corpus, query: Query, pool: Pool, words: Mapping[str, float]) -> tuple[Array, Array, Array]:
    """float64[pool] three times: the words of the query that a chunk answers to, by weight.

    In its text, in the names and signatures of what contains it or in its path; in its own names and signature; and,
    as a share of all, in its text or that of the chunks before and behind it.
    """
    lexical = corpus.lexical
    numbers = lexical.numbers_of(list(query.terms))
    held = set(lexical.held(query.terms))
    known = [
        (number, words.get(term, 1.0)) for term, number in zip(query.terms, numbers, strict=True) if number in held
    ]
    size = len(pool.chunks)
    if not known:
        return np.zeros(size), np.zeros(size), np.zeros(size)
    terms, weight = [number for number, _ in known], np.array([weight for _, weight in known])
    parents, parent_row = np.unique(np.maximum(_parent_numbers(corpus, pool), 0), return_inverse=True)
    has_parent = _parent_numbers(corpus, pool) >= 0
    body = _held(lexical.fields["body"], terms, pool.chunks, corpus.chunks)
    named = _held(lexical.fields["named"], terms, pool.chunks, corpus.chunks)
    named |= _held(lexical.fields["signature"], terms, pool.chunks, corpus.chunks)
    outer = _held(lexical.fields["named"], terms, parents, corpus.chunks)
    outer |= _held(lexical.fields["signature"], terms, parents, corpus.chunks)
    path = _held(lexical.path, terms, pool.files, corpus.files)
    answered = body | path[:, pool.row] | (outer[:, parent_row] & has_parent)
    around = body.copy()
    same = ((pool.row[1:] == pool.row[:-1]) & (pool.chunks[1:] == pool.chunks[:-1] + 1))[None, :]
    around[:, 1:] |= body[:, :-1] & same
    around[:, :-1] |= body[:, 1:] & same
    match, names, near = (np.round(weight @ rows.astype(np.float64), 4) for rows in (answered, named, around))
    return match, names, np.round(near / max(float(weight.sum()), 1e-9), 4)


def _held(field: Postings, terms: list[int], rows: Array, size: int) -> Array:
    """bool[terms, rows]: whether each row holds each term; `size` rows there are in all."""
    place = np.full(size, -1, np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    held = np.zeros((len(terms), len(rows)), bool)
    for number, term in enumerate(terms):
        at = place[field.of(term)]
        held[number, at[at >= 0]] = True
    return held


def _feedback(corpus: Corpus, vector: Array | None, pool: Pool) -> Array:
    """How near each chunk is to the query and to the best chunks by first evidence together (Rocchio 1971)."""
    if vector is None or not len(pool.chunks) or corpus.vectors.shape[1] != len(vector):
        return np.zeros(len(pool.chunks))
    vectors = corpus.vectors[pool.chunks]
    best = np.lexsort((pool.chunks, -pool.evidence))[: len(FEEDBACK)]
    centre = _unit(_unit(weighted_sum(np.array(FEEDBACK[: len(best)]), vectors[best])) + vector)
    return _standard(cosines(vectors, centre.astype(np.float32)).astype(np.float64))


def _transformer(values: Array) -> Array:
    """What a transformer says of the chunks, among those of the pool that have a vector of it; 0 for the others.

    Its vectors come one by one, the most used files first, so what is usual among all that are there says little.
    """
    covered = values != 0
    found = np.zeros(len(values))
    if np.count_nonzero(covered) >= LEAST_COVERED:
        found[covered] = _standard(values[covered].astype(np.float64))
    return found


def _unit(vector: Array) -> Array:
    """The vector at length one, to nine digits."""
    length = float(np.round(np.sqrt(weighted_sum(np.abs(vector), np.abs(vector)[:, None])[0]), 9))
    return np.round(vector / max(length, 1e-9), 9)


def _best_of_symbol(corpus: Corpus, chunks: Array, values: Array) -> Array:
    """The largest value among the parts of each chunk's symbol that are in the pool."""
    if not len(chunks):
        return values
    first = np.flatnonzero(~continues(corpus, chunks))
    return np.repeat(np.maximum.reduceat(values, first), np.diff(np.append(first, len(chunks))))


def continues(corpus: Corpus, chunks: Array) -> Array:
    """bool[chunks]: whether each is a further part of the symbol that the one before it, in order, is a part of."""
    segment = corpus.snapshot.segment
    part, symbol = segment.array("chunk.part")[chunks], segment.array("chunk.symbol")[chunks]
    same = np.zeros(len(chunks), bool)
    same[1:] = (part[1:] > 0) & (symbol[1:] == symbol[:-1]) & (chunks[1:] == chunks[:-1] + 1)
    same[1:] &= corpus.chunk_file[chunks[1:]] == corpus.chunk_file[chunks[:-1]]
    return same


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
    order = np.lexsort((-np.round(values, 6), row))
    starts = np.searchsorted(row[order], np.arange(int(row.max(initial=-1)) + 1))
    places = np.empty(len(row), np.int64)
    places[order] = np.arange(len(row)) - starts[row[order]]
    return places


def _parent_numbers(corpus: Corpus, pool: Pool) -> Array:
    """int64[pool]: the chunk that contains each, -1 without one."""
    parent = corpus.snapshot.segment.array("chunk.parent")[pool.chunks].astype(np.int64)
    return np.where(parent >= 0, parent + corpus.first_chunk[pool.file], -1)


def _parents(corpus: Corpus, pool: Pool) -> Array:
    """int64[pool]: the position in the pool of the chunk that contains each, -1 where it is not in the pool."""
    numbers = _parent_numbers(corpus, pool)
    at = np.searchsorted(pool.chunks, numbers) % max(len(pool.chunks), 1)
    return np.where((numbers >= 0) & (pool.chunks[at] == numbers), at, -1) if len(at) else numbers


def _folders(corpus: Corpus, pool: Pool) -> Array:
    """int64[pool.files]: the number of each file's folder among theirs."""
    paths = corpus.snapshot.strings("file.path")
    folders = [paths[int(number)].rpartition("/")[0] for number in pool.files]
    return np.unique(np.array(folders, object), return_inverse=True)[1] if folders else np.zeros(0, np.int64)


def _linked_files(corpus: Corpus, pool: Pool, best: Array) -> Array:
    """float64[pool.files]: the best chunk among the files that each one imports or is imported by."""
    found = np.full(len(pool.files), LEAST_POINTS)
    edges = corpus.imports_out
    first = edges.indptr[pool.files]
    counts = edges.indptr[pool.files + 1] - first
    at = spread(first, counts)
    user = np.repeat(np.arange(len(pool.files)), counts)
    used = np.searchsorted(pool.files, edges.node[at]) % max(len(pool.files), 1)
    both = (pool.files[used] == edges.node[at]) & (user != used)
    np.maximum.at(found, user[both], best[used[both]])
    np.maximum.at(found, used[both], best[user[both]])
    return found


def _edges(corpus: Corpus, pool: Pool) -> tuple[Array, Array, Array]:
    """(user, used, label) of every edge of the code graph within the pool, by positions in it."""
    edges = corpus.edges_out
    first = edges.indptr[pool.chunks]
    counts = edges.indptr[pool.chunks + 1] - first
    at = spread(first, counts)
    user = np.repeat(np.arange(len(pool.chunks)), counts)
    node = edges.node[at]
    used = np.searchsorted(pool.chunks, node) % max(len(pool.chunks), 1)
    inside = (pool.chunks[used] == node) & (used != user) if len(used) else np.zeros(0, bool)
    return user[inside], used[inside], edges.label[at][inside]


def _best_at(place: Array, values: Array, size: int) -> Array:
    found = np.full(size, LEAST_POINTS)
    np.maximum.at(found, place, values)
    return found


def _largest(values: Array, count: int) -> Array:
    """Positions of the largest values, of equal ones the first; those that are not finite never."""
    order = np.lexsort((np.arange(len(values)), -values))[:count]
    return order[np.isfinite(values[order])]


def _standard(values: Array) -> Array:
    """Distances from the mean in standard deviations, to four digits."""
    if not len(values):
        return values
    deviation = float(values.std())
    return np.round((values - values.mean()) / deviation, 4) if deviation > 1e-6 else np.zeros(len(values))
