"""What is tied to the primaries: their containers and members, what they call and use, who calls them, their tests."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from heapq import heapify, heappop, heappush

import numpy as np

from index.columns import Array, spread
from index.corpus import Corpus
from index.filtering import allowed_files
from index.graph.edges import LABELS, Edges
from index.likeness import centres_of, nearest
from index.query import parse_query
from index.signals import coverage
from index.types import RESEMBLES, Filters, Follow, Tie

# What one step along an edge is worth, by label, forwards and backwards; a backward edge is named after what it means.
_OUT = {
    "contains": 0.45, "calls": 0.6, "uses": 0.65, "extends": 0.8, "implements": 0.8, "overrides": 0.6,
    "imports": 0.2, "tests": 0.45, "documents": 0.4,
}  # fmt: skip
_IN = {
    "contains": 0.7, "calls": 0.55, "uses": 0.4, "extends": 0.5, "implements": 0.55, "overrides": 0.5,
    "imports": 0.3, "tests": 0.6, "documents": 0.35,
}  # fmt: skip
BACKWARD = {
    "contains": "contained_by", "calls": "called_by", "uses": "used_by", "extends": "extended_by",
    "implements": "implemented_by", "overrides": "overridden_by", "imports": "imported_by", "tests": "tested_by",
    "documents": "documented_by",
}  # fmt: skip
_WORTHS = {**_OUT, **{BACKWARD[label]: worth for label, worth in _IN.items()}}
_NAMES = ("", *_WORTHS, RESEMBLES)  # a step's number is its place here
_WORTH = np.array([0.0, *_WORTHS.values(), 0.0], np.float32)
_FORWARDS = np.array([_NAMES.index(label) for label in LABELS])
_BACKWARDS = np.array([_NAMES.index(BACKWARD[label]) for label in LABELS])
_DEFINING = np.isin(LABELS, ("calls", "uses", "extends", "implements"))
_BASE = len(_NAMES)  # paths are numbers in this base, one digit a step, the last step lowest
MAX_FANOUT = 2_000  # neighbours looked at for one node; of more, any says little
BEAM = 12  # ties of one primary from which the next step goes on; twice as many when exploring
STEP = 0.55  # a tie over two edges is worth about half of their product: a sibling tells less than a caller

# What the named points of a tie are worth. Tie, match and name are shares in 0..1.
MATCH = 0.25  # of the query, covered by the tied chunk
NAME = 0.25  # of the query, covered by its name
COMMON = -0.03  # for each doubling of its users: what everybody calls, a reader knows or can guess
SLIGHT = -0.1  # a chunk of a few words tells little
SLIGHT_WORDS = 8
ASIDE = -0.1  # in an example, a script, generated code; a test keeps half of it
FAR = -0.05  # for each step beyond the first, besides what the steps are worth
LIKENESS = 0.3  # of the cosine to the primary, where likeness is asked for
REPEAT = -0.1  # for each tie of the same primary into the same file before it, where likeness is asked for
LOOKED_AT = 4  # ties for each place that are looked at for another label
SAME_LABEL = 0.5  # of a primary's ties at most this share by one label, as long as there are others


@dataclass(frozen=True, slots=True)
class _Ties:
    """Candidate ties as columns: place of the primary, chunk, path (see _BASE), product of the steps, distance."""

    seed: Array
    node: Array
    path: Array
    strength: Array
    distance: Array

    def take(self, rows: Array) -> _Ties:
        return _Ties(self.seed[rows], self.node[rows], self.path[rows], self.strength[rows], self.distance[rows])


@dataclass(frozen=True, slots=True)
class _Points:
    """The named points of candidate ties: name -> (what was measured, what it was worth), and their sums in 0..1."""

    parts: dict[str, tuple[Array, Array]]
    weight: Array

    def of(self, row: int, repeats: int) -> tuple[tuple[str, float, float], ...]:
        told = ((name, signal, round(float(points[row]), 4)) for name, (signal, points) in self.parts.items())
        parts = tuple((name, round(float(signal[row]), 4), points) for name, signal, points in told if points)
        return (*parts, ("repeat", float(repeats), round(REPEAT * repeats, 4))) if repeats else parts


def ties(corpus: Corpus, primaries: Sequence[int], query: str, follow: Follow, filters: Filters) -> list[Tie]:
    """On average at most `follow.per_primary` chunks for each primary, best first; each once, by its strongest tie.

    `follow.pulls` says how well each primary answers: who answers best gets more of the places, so that a narrow
    question goes deep and the primaries of a broad one share.
    """
    if follow.per_primary <= 0 or follow.depth <= 0 or not primaries:
        return []
    seeds = np.array(primaries, np.int64)
    pulls = np.array(follow.pulls or [1.0 / (1 + 0.15 * place) for place in range(len(seeds))], np.float64)
    allowed = allowed_files(corpus, filters)
    measured = coverage(corpus, parse_query(query))
    found = _shortest(_reached(corpus, seeds, measured, follow))
    group = np.zeros(len(seeds), np.int64) if follow.together else np.arange(len(seeds))
    centres = centres_of(corpus.vectors, seeds, group) if follow.alike else None
    if centres is not None:
        found = _joined([found, _alike(corpus.vectors, centres, found, group)])
    found = found.take(~np.isin(found.node, seeds) & allowed[corpus.chunk_file[found.node]] & corpus.shown[found.node])
    points = _points(corpus, found, measured, None if centres is None else centres[group[found.seed]])
    best: dict[int, Tie] = {}
    rank = np.round(points.weight * pulls[found.seed], 6)
    order = np.lexsort((found.node, found.distance, -rank))
    by_group = group[found.seed[order]]
    for number, quota in enumerate(_quotas(pulls[:1] if follow.together else pulls, follow.per_primary)):
        rows = _firsts(order[by_group == number], found.node, quota * LOOKED_AT)
        repeats = _repeats(rows, rank, corpus.chunk_file[found.node]) if follow.alike else dict.fromkeys(rows, 0)
        for row in _varied(list(repeats), found.path, quota):
            weight = max(0.0, float(points.weight[row]) + REPEAT * repeats[row])
            seed, node, path = int(seeds[found.seed[row]]), int(found.node[row]), _named(int(found.path[row]))
            reasons = partial(points.of, row, repeats[row])
            tie = Tie(seed, node, path, int(found.distance[row]), round(weight, 6), reasons)
            known = best.get(tie.chunk)
            if known is None or _key(tie) < _key(known):
                best[tie.chunk] = tie
    pull_of = dict(zip(primaries, pulls.tolist(), strict=True))
    return sorted(best.values(), key=lambda tie: (-round(tie.weight * pull_of[tie.source], 6), *_key(tie)))


def _key(tie: Tie) -> tuple[int, int, int, int]:
    return (-round(tie.weight * 1_000_000), tie.distance, tie.chunk, tie.source)


def _quotas(pulls: Array, per_primary: int) -> list[int]:
    """How many ties each primary may have: by its pull, at least one, together per_primary for each on average."""
    total = per_primary * len(pulls)
    shares = pulls / max(float(pulls.sum()), 1e-9)
    return [max(1, math.floor(total * share + 0.5)) for share in shares.tolist()]


def _varied(rows: list[int], path: Array, quota: int) -> list[int]:
    """The best rows, but of one last label no more than its share while there are others."""
    most = max(1, math.ceil(quota * SAME_LABEL))
    counts: dict[int, int] = {}
    first: list[int] = []
    rest: list[int] = []
    for row in rows:
        label = int(path[row]) % _BASE
        counts[label] = counts.get(label, 0) + 1
        (first if counts[label] <= most else rest).append(row)
    return (first + rest)[:quota]


def _repeats(rows: list[int], rank: Array, file: Array) -> dict[int, int]:
    """Best first, and how many better rows lead into the same file: another file tells more than a fifth sibling."""
    seen: Counter[int] = Counter()
    repeats: dict[int, int] = {}
    waiting = [(-float(rank[row]), place, row, 0) for place, row in enumerate(rows)]
    heapify(waiting)
    while waiting:
        _, place, row, counted = heappop(waiting)
        before = seen[int(file[row])]
        if before > counted:  # better ones of its file came after it was last weighed
            heappush(waiting, (-round(float(rank[row]) + REPEAT * before, 6), place, row, before))
            continue
        repeats[row] = before
        seen[int(file[row])] += 1
    return repeats


def _firsts(rows: Array, node: Array, most: int) -> list[int]:
    """The first `most` rows, without the later ones of the same chunk."""
    firsts: dict[int, int] = {}
    for row, chunk in zip(rows.tolist(), node[rows].tolist(), strict=True):
        if chunk not in firsts:
            firsts[chunk] = row
            if len(firsts) == most:
                break
    return list(firsts.values())


def _alike(vectors: Array, centres: Array, tied: _Ties, group: Array) -> _Ties:
    """What resembles each group of primaries, other than what the graph ties to it: from the first of the group."""
    found = []
    for number, centre in enumerate(centres):
        node = nearest(vectors, centre, tied.node[group[tied.seed] == number])
        nothing, one = np.zeros(len(node), np.int64), np.ones(len(node), np.int64)
        seed = nothing + np.argmax(group == number)
        found.append(_Ties(seed, node, one * _NAMES.index(RESEMBLES), nothing.astype(np.float32), one))
    return _joined(found)


def _reached(corpus: Corpus, seeds: Array, measured: tuple[Array, Array], follow: Follow) -> _Ties:
    """Everything within `depth` steps of the primaries, by every path that was followed."""
    worth = _followed(follow.edges)
    places = np.arange(len(seeds))
    start = _Ties(places, seeds, np.zeros(len(seeds), np.int64), np.ones(len(seeds), np.float32), places * 0)
    frontier, all_found = start, []
    for distance in range(1, follow.depth + 1):
        reached = [_stepped(frontier, corpus.edges_out, _FORWARDS), _stepped(frontier, corpus.edges_in, _BACKWARDS)]
        found = _joined(reached)
        strength = worth[found.path % _BASE] * found.strength * (1.0 if distance == 1 else STEP)
        found = _Ties(found.seed, found.node, found.path, strength, np.full(len(found.seed), distance))
        found = _shortest(found.take(np.flatnonzero(strength > 0)))
        all_found.append(found)
        frontier = _beam(found, measured, BEAM * (2 if follow.explore else 1))
    return _joined(all_found)


def _followed(edges: Sequence[str]) -> Array:
    """What each step is worth: nothing, where only some labels are asked for and this is none of them."""
    if not edges:
        return _WORTH
    asked = {*edges, *(BACKWARD[label] for label in edges if label in BACKWARD)}
    worth: Array = np.where([name in asked for name in _NAMES], _WORTH, 0)
    return worth


@lru_cache(maxsize=1_024)
def _named(path: int) -> tuple[str, ...]:
    steps: list[str] = []
    while path:
        steps.append(_NAMES[path % _BASE])
        path //= _BASE
    return tuple(reversed(steps))


def _stepped(frontier: _Ties, edges: Edges, names: Array) -> _Ties:
    """One step from every node of the frontier; `names` are the steps' numbers by label, in this direction."""
    first = edges.indptr[frontier.node]
    counts = np.minimum(edges.indptr[frontier.node + 1] - first, MAX_FANOUT)
    at = spread(first, counts)
    row = np.repeat(np.arange(len(frontier.node)), counts)
    step = names[edges.label[at]]
    return _Ties(
        frontier.seed[row], edges.node[at].astype(np.int64), frontier.path[row] * _BASE + step,
        frontier.strength[row] * (edges.weight[at] / np.float32(255)), frontier.distance[row] + 1,
    )  # fmt: skip


def _joined(parts: Sequence[_Ties]) -> _Ties:
    return _Ties(*(np.concatenate([getattr(part, name) for part in parts]) for name in _Ties.__slots__))


def _shortest(found: _Ties) -> _Ties:
    """Each chunk once for each primary: by the shortest path, of several by the strongest."""
    order = np.lexsort((found.path, -np.round(found.strength, 6), found.distance, found.node, found.seed))
    seed, node = found.seed[order], found.node[order]
    first = np.ones(len(order), bool)
    first[1:] = (seed[1:] != seed[:-1]) | (node[1:] != node[:-1])
    return found.take(order[first])


def _beam(found: _Ties, measured: tuple[Array, Array], width: int) -> _Ties:
    """The most promising of each primary's ties."""
    hope = found.strength + MATCH * measured[0][found.node]
    order = np.lexsort((found.node, -np.round(hope, 6), found.seed))
    seed = found.seed[order]
    start = np.searchsorted(seed, seed, side="left")
    return found.take(order[np.arange(len(order)) - start < width])


def _points(corpus: Corpus, found: _Ties, measured: tuple[Array, Array], centres: Array | None) -> _Points:
    """The points of ties; with `centres`, one for each, how much the chunk resembles its primary counts, too."""
    node = found.node
    file = corpus.chunk_file[node]
    users = np.round(np.log2(1 + corpus.edges_in.indptr[node + 1] - corpus.edges_in.indptr[node]), 9)
    words = corpus.snapshot.segment.array("chunk.words")[node]
    kinds = (corpus.static["aside"], corpus.static["generated"], 0.5 * corpus.static["test"])
    aside = np.max([kind[file] for kind in kinds], axis=0) if len(file) else np.zeros(0)
    parts = {
        "tie": (found.strength, found.strength),
        "match": (measured[0][node], MATCH * measured[0][node]),
        "name": (measured[1][node], NAME * measured[1][node]),
        "centrality": (users, COMMON * users),
        "size": (words, np.where(words < SLIGHT_WORDS, SLIGHT, 0.0)),
        "aside": (aside, ASIDE * aside),
        "distance": (found.distance, FAR * (found.distance - 1)),
    }
    if centres is not None:
        likeness = np.round(np.maximum(np.einsum("ij,ij->i", corpus.vectors[node], centres), 0), 4)
        parts["likeness"] = (likeness, LIKENESS * likeness)
    return _Points(parts, np.clip(sum(points for _, points in parts.values()), 0.0, 1.0))


def links(corpus: Corpus, chunks: Sequence[int]) -> list[tuple[int, int]]:
    """(user, definition) for every two of these chunks of which one calls, uses or extends the other, sorted."""
    users = np.array(sorted(set(chunks)), np.int64)
    if not len(users):
        return []
    edges = corpus.edges_out
    first = edges.indptr[users]
    counts = edges.indptr[users + 1] - first
    at = spread(first, counts)
    used = edges.node[at]
    defining = _DEFINING[edges.label[at]] & (users[np.searchsorted(users, used) % len(users)] == used)
    user = np.repeat(users, counts)[defining].tolist()
    return sorted(set(zip(user, used[defining].tolist(), strict=True)))
