"""The signals of a chunk's surroundings in a pack: evidence travels one step.

A chunk beside, above, called by or calling one with many points of its own is worth more, which is how the second place
of a mechanism comes in.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from index.collection.collection import Collection
from index.graph.edges import LABELS
from index.search.signals import Signal, Signals, by_name
from index.search.signals.pool import Pool, beside, parent_numbers
from index.segment.columns import Array

LEAST_POINTS = -12.0  # of a neighbour that is not there
LEAST_MASS = 1e-3  # of neighbours' evidence together, so that none has a logarithm


class Surroundings:
    """The chunks of a pool by their own points: `gap` to the best of them, `mass` its exponential."""

    def __init__(self, collection: Collection, pool: Pool, points: Array) -> None:
        self.collection = collection
        self.pool = pool
        self.gap = points - points.max(initial=-np.inf)
        self.mass = np.exp(self.gap).round(9)

    def beside(self, step: int) -> Array:
        return beside(self.pool, self.gap, step, LEAST_POINTS).round(4)

    @cached_property
    def calls(self) -> tuple[Array, Array]:
        """(caller, callee) of every call within the pool, by positions in it."""
        edges, place = self.collection.edges_out, self.pool.place
        caller, at = edges.leaving(self.pool.chunks)
        callee = place[edges.node[at]]
        inside = (callee >= 0) & (callee != caller) & (edges.label[at] == LABELS.index("calls"))
        return caller[inside], callee[inside]

    def best_by_call(self, near: int, far: int) -> Array:
        """The gap of the best chunk at the far end of each chunk's calls; ends are 0 for callers, 1 for callees."""
        return _best_at(self.calls[near], self.gap[self.calls[far]], len(self.gap)).round(4)

    def mass_by_call(self, near: int, far: int) -> Array:
        """The logarithm of the evidence at the far ends together."""
        return _log_mass(np.bincount(self.calls[near], self.mass[self.calls[far]], len(self.gap)))


def _others_in_file(of: Surroundings) -> Array:
    in_file = np.bincount(of.pool.row, of.mass, len(of.pool.files))
    return _log_mass(np.maximum(in_file[of.pool.row] - of.mass, 0))


def _container(of: Surroundings) -> Array:
    numbers = parent_numbers(of.collection, of.pool)
    parent = np.where(numbers >= 0, of.pool.place[numbers], -1)
    return np.where(parent >= 0, of.gap[np.maximum(parent, 0)], LEAST_POINTS).round(4)


def _folder(of: Surroundings) -> Array:
    """The evidence of all chunks of the file's folder together."""
    numbers: dict[str, int] = {}
    folders = (of.collection.files.paths[file].rpartition("/")[0] for file in of.pool.files.tolist())
    folder = np.array([numbers.setdefault(folder, len(numbers)) for folder in folders], np.int64)[of.pool.row]
    return _log_mass(np.bincount(folder, of.mass, len(numbers))[folder])


def _linked_file(of: Surroundings) -> Array:
    """The best chunk among the files that each one's file imports or is imported by."""
    pool, edges = of.pool, of.collection.imports_out
    best = _best_at(pool.row, of.gap, len(pool.files))
    user, at = edges.leaving(pool.files)
    used = np.searchsorted(pool.files, edges.node[at]) % max(len(pool.files), 1)
    both = (pool.files[used] == edges.node[at]) & (user != used)
    user, used = user[both], used[both]
    linked = _best_at(np.concatenate([user, used]), best[np.concatenate([used, user])], len(pool.files))
    return linked[pool.row].round(4)


def _log_mass(mass: Array) -> Array:
    logarithm: Array = np.log(mass + LEAST_MASS).round(4)
    return logarithm


def _best_at(place: Array, values: Array, size: int) -> Array:
    best = np.full(size, LEAST_POINTS)
    np.maximum.at(best, place, values)
    return best


CALLER, CALLEE = 0, 1
AROUND_SIGNALS: Signals[Surroundings, Array] = by_name(
    Signal("beside", lambda of: of.beside(1), 1),
    Signal("beyond", lambda of: of.beside(2), 1),
    Signal("others_in_file", _others_in_file),
    Signal("container", _container, 1),
    Signal("folder", _folder, 1),
    Signal("linked_file", _linked_file, 1),
    Signal("caller", lambda of: of.best_by_call(CALLEE, CALLER), 1),
    Signal("callers", lambda of: of.mass_by_call(CALLEE, CALLER), 1),
    Signal("callee", lambda of: of.best_by_call(CALLER, CALLEE), 1),
    Signal("callees", lambda of: of.mass_by_call(CALLER, CALLEE), 1),
)
