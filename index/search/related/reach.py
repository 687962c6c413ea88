"""Finds the chunks that are reached from others along the edges of the code graph, and by which path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from index.collection.collection import Collection
from index.graph.edges import LABELS, Edges
from index.segment.columns import Array, begins_run
from index.types import RESEMBLES, Follow

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
STEPS = ("", *_WORTHS, RESEMBLES)  # a step's number is its place here
LAST_STEP = 255  # the byte of a path that is the number of its last step
_WORTH = np.array([0.0, *_WORTHS.values(), 0.0], np.float32)
_FORWARDS = np.array([STEPS.index(label) for label in LABELS])
_BACKWARDS = np.array([STEPS.index(BACKWARD[label]) for label in LABELS])
MATCH = 0.25  # what a chunk that covers all of the query is worth
MAX_FANOUT = 2_000  # neighbours looked at for one node; of more, any says little
BEAM = 12  # ties of one primary from which the next step goes on; twice as many when exploring
STEP = 0.55  # a tie over two edges is worth about half of their product: a sibling tells less than a caller


@dataclass(frozen=True, slots=True)
class Paths:
    """Paths from some seeds to chunks, as columns: place of the seed, chunk, steps, their product, how many they are.

    `steps` are an integer with a byte for each, the last one lowest: its place in STEPS.
    """

    seed: Array
    node: Array
    steps: Array
    strength: Array
    distance: Array

    def take(self, rows: Array) -> Paths:
        return Paths(*(getattr(self, name)[rows] for name in self.__slots__))


def joined(parts: Sequence[Paths]) -> Paths:
    return Paths(*(np.concatenate([getattr(part, name) for part in parts]) for name in Paths.__slots__))


@cache
def step_names(steps: int) -> tuple[str, ...]:
    return tuple(STEPS[step] for step in steps.to_bytes(8) if step)


def reach(collection: Collection, seeds: Array, cover: Array, follow: Follow) -> Paths:
    """The chunks within `depth` steps of each seed, once for each: by the shortest path, of several by the best.

    `cover` float32[chunks] is how much of the query each chunk covers: the next step goes on from the most promising.
    """
    worth = _WORTH
    if follow.edges:
        followed = {*follow.edges, *(BACKWARD[label] for label in follow.edges if label in BACKWARD)}
        worth = np.where([name in followed for name in STEPS], _WORTH, 0)
    places = np.arange(len(seeds))
    frontier = Paths(places, seeds, places * 0, np.ones(len(seeds), np.float32), places * 0)
    visited, reached = np.zeros(0, np.int64), []
    for distance in range(1, follow.depth + 1):
        if distance > 1:
            frontier = _most_promising(frontier, cover, BEAM * (2 if follow.explore else 1))
        both = ((collection.edges_out, _FORWARDS), (collection.edges_in, _BACKWARDS))
        share = STEP if distance > 1 else 1.0
        frontier = joined([_one_step(frontier, edges, numbers, worth, share) for edges, numbers in both])
        frontier, key = _strongest(frontier.take(frontier.strength > 0), len(collection.chunks))
        new = np.ones(len(key), bool)
        if len(key):
            at = key.searchsorted(visited) % len(key)
            new[at[key[at] == visited]] = False
        visited = np.concatenate([visited, key[new]])
        reached.append(frontier.take(new))
    return joined(reached)


def _one_step(frontier: Paths, edges: Edges, numbers: Array, worth: Array, share: float) -> Paths:
    """One step further along all edges of one direction; `numbers` are those of the steps, by label.

    A step of a number is worth `worth[number]`, of which `share` counts.
    """
    row, at = edges.leaving(frontier.node, MAX_FANOUT)
    step = numbers[edges.label[at]]
    strength = worth[step] * (frontier.strength[row] * (edges.weight[at] / np.float32(255)))
    return Paths(
        frontier.seed[row], edges.node[at].astype(np.int64), (frontier.steps << 8)[row] | step,
        strength * share, frontier.distance[row] + 1,
    )  # fmt: skip


def _strongest(reached: Paths, chunks: int) -> tuple[Paths, Array]:
    """Each chunk once for each seed, by the strongest of equally many steps; and the key that they are sorted by."""
    key = reached.seed * chunks + reached.node
    order = np.lexsort((reached.steps, -reached.strength.round(6), key))
    key = key[order]
    first = begins_run(key)
    return reached.take(order[first]), key[first]


def _most_promising(reached: Paths, cover: Array, width: int) -> Paths:
    """The best `width` of each seed's paths."""
    hope = reached.strength + MATCH * cover[reached.node]
    order = np.lexsort((reached.node, -hope.round(6), reached.seed))
    seed = reached.seed[order]
    return reached.take(order[np.arange(len(order)) - seed.searchsorted(seed) < width])
