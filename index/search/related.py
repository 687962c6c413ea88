"""Finds the chunks tied to the hits of a query, by code graph or similarity: which, how strongly, and why."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise

import numpy as np

from contracts.frozen import frozen
from index.arithmetic import is_in, nearest
from index.collection.collection import Collection
from index.graph.edges import LABELS, Edges
from index.lexical import QueryTerms
from index.search.query import parse_query
from index.segment.columns import Array, begins_run, joined, rows_of
from index.types import RESEMBLES, Filters, Follow, Tie

# By label: the weight of a step along an edge, the name of the step back, and the weight of that.
_EDGES = {
    "contains": (0.45, "contained_by", 0.7),
    "calls": (0.6, "called_by", 0.55),
    "uses": (0.65, "used_by", 0.4),
    "extends": (0.8, "extended_by", 0.5),
    "implements": (0.8, "implemented_by", 0.55),
    "overrides": (0.6, "overridden_by", 0.5),
    "imports": (0.2, "imported_by", 0.3),
    "tests": (0.45, "tested_by", 0.6),
    "documents": (0.4, "documented_by", 0.35),
}
BACKWARD = {label: name for label, (_, name, _) in _EDGES.items()}
STEPS = ("", *_EDGES, *BACKWARD.values(), RESEMBLES)  # a step's number is its position here
LAST_STEP = 255  # masks the byte of a path with the number of its last step
_MIN_STEPS = np.int64(1) << 8 * np.arange(8)  # the least number of a path of 1, 2, ... steps
_WORTH = np.array([0, *(on for on, _, _ in _EDGES.values()), *(back for _, _, back in _EDGES.values()), 0], np.float32)
_FORWARDS = np.array([STEPS.index(label) for label in LABELS])
_BACKWARDS = np.array([STEPS.index(BACKWARD[label]) for label in LABELS])
MATCH = 0.25  # points of a chunk that covers the whole query
MAX_FANOUT = 2_000  # neighbours that are followed from one node; among more, each says little
BEAM = 12  # paths of one primary that are continued in the next step; twice as many when exploring
STEP = 0.55  # a tie over two edges is worth about half of their product: a sibling says less than a caller

_DEFINING = np.isin(LABELS, ("calls", "uses", "extends", "implements"))

# The weights of the named points of a tie. Tie, match (MATCH) and name are shares in 0..1.
NAME = 0.25  # for a name that covers the whole query
COMMON = -0.03  # per doubling of its users: a reader knows or can guess what everybody calls
SLIGHT = -0.1  # for a chunk of fewer than SLIGHT_WORDS words, which says little
SLIGHT_WORDS = 8
ASIDE = -0.1  # for examples, scripts and generated code; half of it for tests
FAR = -0.05  # per step after the first, in addition to the weights of the steps
RESEMBLANCE = 0.3  # times the cosine with the primary, if `Follow.alike`
REPEAT = -0.1  # per better tie of the same primary into the same file, if `Follow.alike`
LOOKED_AT = 4  # ties per place that are considered, so that labels can vary
LOOKED_AT_FILES = 40  # the same if files vary, too: the members of a large class may be the first hundred
MIN_COSINE = 0.35  # unrelated chunks of one repository reach 0.3
MAX_ALIKE = 30  # similar chunks per group of primaries
SAME_LABEL = 0.5  # largest share of a primary's ties with one label, as long as there are others


@frozen
class _Points:
    """The named points of candidate ties: name -> (signal, points), and their sums in 0..1."""

    parts: dict[str, tuple[Array, Array]]
    weight: Array

    def of(self, row: int, repeats: int) -> tuple[tuple[str, float, float], ...]:
        named = ((name, signal, round(float(points[row]), 4)) for name, (signal, points) in self.parts.items())
        parts = tuple((name, round(float(signal[row]), 4), points) for name, signal, points in named if points)
        return (*parts, ("repeat", float(repeats), round(REPEAT * repeats, 4))) if repeats else parts


def ties(collection: Collection, primaries: Sequence[int], query: str, follow: Follow, filters: Filters) -> list[Tie]:
    """On average at most `follow.per_primary` ties per primary, best first; each chunk once, by its strongest tie.

    `follow.pulls` says how well each primary answers. A better one gets more ties, so that a narrow question goes deep
    and the primaries of a broad one share.
    """
    if follow.per_primary <= 0 or follow.depth <= 0 or not primaries:
        return []
    seeds = np.array(primaries, np.int64)
    pulls = np.array(follow.pulls or [1.0 / (1 + 0.15 * place) for place in range(len(seeds))], np.float64)
    group = np.zeros(len(seeds), np.int64) if follow.together else np.arange(len(seeds))
    parsed = parse_query(query)
    terms = collection.query_terms(parsed.terms, parsed.leading)
    paths = reach(collection, seeds, terms.coverage("body"), follow)
    centres = _centres(collection.vectors, seeds, group) if follow.alike else None
    if centres is not None:
        paths = joined([paths, _alike(collection.vectors, centres, paths, group)])
    shown = collection.shown.copy()
    shown[seeds] = False
    allowed = collection.allowed_files(filters)[collection.chunks.file[paths.node]]
    paths = rows_of(paths, shown[paths.node] & allowed)
    points = _points(collection, paths, terms, None if centres is None else centres[group[paths.seed]])
    rank = (points.weight * pulls[paths.seed]).round(6)
    file = collection.chunks.file[paths.node]
    quotas = _quotas(pulls[:1] if follow.together else pulls, follow.per_primary)
    looked_at = LOOKED_AT_FILES if follow.alike else LOOKED_AT
    chosen: dict[int, int] = {}  # row -> number of better rows in the same file
    leadings = _leading(paths, rank, group, [quota * looked_at for quota in quotas], follow)
    for quota, leading in zip(quotas, leadings, strict=True):
        repeats = _repeats(list(leading), rank, file) if follow.alike else dict.fromkeys(leading, 0)
        chosen.update((row, repeats[row]) for row in _varied(repeats, leading, quota))
    rows = np.array([*chosen], np.int64)
    best: dict[int, Tie] = {}
    best_paths = rows_of(paths, rows)
    columns = (best_paths.seed, best_paths.node, best_paths.steps, best_paths.distance, points.weight[rows])
    values = zip(*(column.tolist() for column in columns), strict=True)
    for (row, repeat), (seed, node, steps, distance, points_of_row) in zip(chosen.items(), values, strict=True):
        weight = round(max(0.0, points_of_row + REPEAT * repeat), 6)
        tie = Tie(primaries[seed], node, step_names(steps), distance, weight, partial(points.of, row, repeat))
        same = best.get(node)
        if same is None or _key(tie) < _key(same):
            best[node] = tie
    pull_of = dict(zip(primaries, pulls.tolist(), strict=True))
    return sorted(best.values(), key=lambda tie: (-round(tie.weight * pull_of[tie.source], 6), *_key(tie)))


def _key(tie: Tie) -> tuple[int, int, int, int]:
    return (-round(tie.weight * 1_000_000), tie.distance, tie.chunk, tie.source)


def _quotas(pulls: Array, per_primary: int) -> list[int]:
    """The number of ties of each primary: in proportion to its pull, at least one, `per_primary` on average."""
    total = per_primary * len(pulls)
    shares = pulls / max(float(pulls.sum()), 1e-9)
    return [max(1, math.floor(total * share + 0.5)) for share in shares.tolist()]


def _varied(rows: Iterable[int], steps: Mapping[int, int], quota: int) -> list[int]:
    """The best rows, with at most SAME_LABEL of the quota for one last step if there are others."""
    most = max(1, math.ceil(quota * SAME_LABEL))
    counts = Counter[int]()
    first: list[int] = []
    rest: list[int] = []
    for row in rows:
        counts[steps[row]] += 1
        (first if counts[steps[row]] <= most else rest).append(row)
        if len(first) == quota:
            return first
    return (first + rest)[:quota]


def _repeats(rows: list[int], rank: Array, file: Array) -> dict[int, int]:
    """Row -> number of better rows in the same file, best first: another file says more than a fifth sibling.

    `rows`: the best first, before their repeats count.
    """
    repeats: dict[int, int] = {}
    of_file = Counter[int]()
    for row in rows:
        repeats[row] = of_file[int(file[row])]
        of_file[int(file[row])] += 1
    return dict(sorted(repeats.items(), key=lambda pair: -round(float(rank[pair[0]]) + REPEAT * pair[1], 6)))


def _leading(paths: Paths, rank: Array, group: Array, most: Sequence[int], follow: Follow) -> list[dict[int, int]]:
    """The rows that are considered for each group of primaries, best first, each chunk once, with their last steps."""
    of_row, falling = group[paths.seed].astype(np.uint16), -rank  # two bytes sort fastest
    if follow.together or follow.alike:
        rows = np.lexsort((paths.distance, falling, paths.node, of_row))
        rows = rows[begins_run(of_row[rows]) | begins_run(paths.node[rows])]
        rows = rows[np.lexsort((paths.distance[rows], falling[rows], of_row[rows]))]
    else:  # the paths of a primary are sorted by distance, then by chunk, and lead to each chunk once
        rows = np.lexsort((falling, of_row))
    bounds = pairwise(of_row[rows].searchsorted(np.arange(len(most) + 1)).tolist())
    leading = [rows[start:end][:limit] for limit, (start, end) in zip(most, bounds, strict=True)]
    return [dict(zip(own.tolist(), (paths.steps[own] & LAST_STEP).tolist(), strict=True)) for own in leading]


def _alike(vectors: Array, centres: Array, tied: Paths, group: Array) -> Paths:
    """Paths from the first primary of each group to the chunks that resemble the group and that no path reaches."""
    paths = []
    for number, (near, cosine) in enumerate(nearest(vectors, centres, MIN_COSINE)):
        node = near[np.argsort(-cosine, kind="stable")]
        node = node[~is_in(node, np.sort(tied.node[group[tied.seed] == number]))][:MAX_ALIKE]
        seed, steps = (np.full(len(node), value) for value in (np.argmax(group == number), STEPS.index(RESEMBLES)))
        paths.append(Paths(seed, node, steps, np.zeros(len(node), np.float32)))
    return joined(paths)


def _centres(vectors: Array, chunks: Array, group: Array) -> Array | None:
    """float32[groups, dimensions]: the unit vector of each group's mean; None without vectors."""
    if not vectors.shape[1]:
        return None
    centres = np.zeros((int(group.max()) + 1, vectors.shape[1]), np.float32)
    np.add.at(centres, group, vectors[chunks])
    lengths: Array = np.linalg.norm(centres, axis=1, keepdims=True)
    return centres / np.maximum(lengths, 1e-9)


def _points(collection: Collection, paths: Paths, terms: QueryTerms, centres: Array | None) -> _Points:
    """The points of ties; with `centres`, one per tie, also for how much the chunk resembles its primary."""
    node, distance = paths.node, paths.distance
    match, name = terms.coverage("body")[node], terms.coverage("named")[node]
    users = collection.users[node]
    words = collection.chunks.words[node]
    aside = collection.aside[collection.chunks.file[node]]
    parts = {
        "tie": (paths.strength, paths.strength),
        "match": (match, MATCH * match),
        "name": (name, NAME * name),
        "centrality": (users, COMMON * users),
        "size": (words, np.where(words < SLIGHT_WORDS, SLIGHT, 0.0)),
        "aside": (aside, ASIDE * aside),
        "distance": (distance, FAR * (distance - 1)),
    }
    if centres is not None:
        cosine = np.einsum("ij,ij->i", collection.vectors[node], centres).clip(0).round(4)
        parts["likeness"] = (cosine, RESEMBLANCE * cosine)
    return _Points(parts, np.clip(sum(points for _, points in parts.values()), 0.0, 1.0))


def links(collection: Collection, chunks: Sequence[int]) -> list[tuple[int, int]]:
    """Sorted pairs of these chunks, (user, definition): the first calls, uses, extends or implements the second."""
    users = np.array(sorted(set(chunks)), np.int64)
    if not len(users):
        return []
    row, at = collection.edges_out.leaving(users)
    used = collection.edges_out.node[at]
    defining = _DEFINING[collection.edges_out.label[at]] & is_in(used, users)
    return sorted(set(zip(users[row[defining]].tolist(), used[defining].tolist(), strict=True)))


@frozen
class Paths:
    """Paths from seeds to chunks, as columns: position of the seed, chunk, steps, their strength.

    `steps` is an integer with one byte per step, its position in STEPS; the last step is the lowest byte.
    """

    seed: Array
    node: Array
    steps: Array
    strength: Array

    @property
    def distance(self) -> Array:
        """int64[paths]: the number of steps."""
        return _MIN_STEPS.searchsorted(self.steps, side="right")


@cache
def step_names(steps: int) -> tuple[str, ...]:
    return tuple(STEPS[step] for step in steps.to_bytes(8) if step)


def labels_of(edges: Iterable[str]) -> set[str]:
    """The labels of the steps over these edges: `used_by` is a step back, `uses` both ways."""
    return {name for label in edges for name in (label, BACKWARD.get(label, label))}


def reach(collection: Collection, seeds: Array, cover: Array, follow: Follow) -> Paths:
    """The chunks within `depth` steps of each seed, once per seed: by the shortest path, or the strongest of several.

    `cover` float32[chunks] is the share of the query that each chunk covers: only the most promising paths continue.
    Of those that lead from seeds that belong together to one chunk, only the strongest does.
    """
    worth = _WORTH
    if follow.edges:
        labels = labels_of(follow.edges)
        worth = np.where([name in labels for name in STEPS], _WORTH, 0)
    if not worth.any():  # only what resembles the seeds counts
        return Paths(seeds[:0], seeds[:0], seeds[:0], np.zeros(0, np.float32))
    places = np.arange(len(seeds))
    frontier = Paths(places, seeds, places * 0, np.ones(len(seeds), np.float32))
    visited, reached = np.zeros(0, np.int64), []
    for distance in range(1, follow.depth + 1):
        if distance > 1:
            frontier = _most_promising(frontier, cover, BEAM * (2 if follow.explore else 1))
            if follow.together:
                frontier, _ = _strongest(frontier, 0, len(collection.chunks))
        frontier = _one_step(collection, frontier, worth, STEP if distance > 1 else 1.0)
        if follow.edges:
            frontier = rows_of(frontier, frontier.strength > 0)
        frontier, key = _strongest(frontier, frontier.seed, len(collection.chunks))
        is_new = ~is_in(key, visited)
        reached.append(rows_of(frontier, is_new) if len(visited) else frontier)
        if distance < follow.depth:
            visited = np.sort(np.concatenate([visited, key[is_new]]))
    return joined(reached)


def _one_step(collection: Collection, frontier: Paths, worth: Array, share: float) -> Paths:
    """One step further along all edges, forwards, then backwards.

    A step counts `share * worth[its number]`, times the weight of its edge.
    """
    ways = ((collection.edges_out, _FORWARDS), (collection.edges_in, _BACKWARDS))
    parts = [_edges_from(frontier.node, edges, numbers) for edges, numbers in ways]
    row, node, step, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    strength = worth[step] * (frontier.strength[row] * (weight / np.float32(255)))
    return Paths(frontier.seed[row], node.astype(np.int64), (frontier.steps << 8)[row] | step, strength * share)


def _edges_from(nodes: Array, edges: Edges, numbers: Array) -> tuple[Array, Array, Array, Array]:
    """The edges of one direction that leave nodes, as columns: position in `nodes`, the other end, number of the step,
    weight; `numbers` are the steps' numbers, by label."""
    row, at = edges.leaving(nodes, MAX_FANOUT)
    return row, edges.node[at], numbers[edges.label[at]], edges.weight[at]


def _strongest(reached: Paths, source: Array | int, chunks: int) -> tuple[Paths, Array]:
    """The strongest path to each chunk from each source, all of equal length; and the key that they are sorted by."""
    key = source * chunks + reached.node
    order = np.lexsort((reached.steps, -reached.strength.round(6), key))
    key = key[order]
    first = begins_run(key)
    return rows_of(reached, order[first]), key[first]


def _most_promising(reached: Paths, cover: Array, width: int) -> Paths:
    """The `width` most promising paths of each seed."""
    hope = reached.strength + MATCH * cover[reached.node]
    order = np.lexsort((reached.node, -hope.round(6), reached.seed))
    seed = reached.seed[order]
    return rows_of(reached, order[np.arange(len(order)) - seed.searchsorted(seed) < width])
