"""Look-up of many (place, container, name) triples at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from index.columns import Array

NONE, MANY = -1, -2
MAX_SHARED = 3  # a name that could mean more than so many definitions means none
MAX_CANDIDATES = 12  # among more overloads nobody looks for the one that a call fits
AMONG = -16  # from here down: an ambiguous answer, see `Lookup.find`


@dataclass(frozen=True, slots=True)
class Keys:
    """One int64 for each (place, container, name): a place is a file, a package or a family of languages, container
    and name are positions in the vocabulary of names, -1 for no container."""

    names: int

    def of(self, place: Array | int, container: Array | int, name: Array) -> Array:
        size = self.names + 1
        key: Array = (np.asarray(place, np.int64) * size + container + 1) * size + name + 1
        return key


class Lookup:
    """Values by key; a key may have several."""

    def __init__(self, keys: Array, values: Array) -> None:
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        first = np.ones(len(keys), bool)
        first[1:] = ordered[1:] != ordered[:-1]
        self._starts = np.flatnonzero(first)
        self._keys = np.append(ordered[self._starts], np.iinfo(np.int64).max)
        self._counts = np.diff(np.append(self._starts, len(keys)))
        self.values = values[order]

    def place(self, keys: Array) -> tuple[Array, Array]:
        """(where the values of each key start, how many there are)."""
        if not len(self._starts):
            nothing = np.zeros(len(keys), np.int64)
            return nothing, nothing
        at = np.searchsorted(self._keys, keys)
        hit = self._keys[at] == keys
        at[~hit] = 0
        return self._starts[at], np.where(hit, self._counts[at], 0)

    def values_of(self, key: int) -> Array:
        """The values of one key: for those who ask one by one."""
        at = int(self._keys.searchsorted(key))
        if at == len(self._starts) or int(self._keys[at]) != key:
            return self.values[:0]
        return self.values[int(self._starts[at]) :][: int(self._counts[at])]

    def find(self, keys: Array) -> Array:
        """The value of each key; NONE, MANY, or for a few values a number that `among` understands."""
        if not len(keys):
            return np.zeros(0, np.int64)
        start, count = self.place(keys)
        found = np.full(len(keys), NONE, np.int64)
        single = count == 1
        found[single] = self.values[start[single]]
        few = (count > 1) & (count <= MAX_CANDIDATES)
        found[few] = AMONG - (start[few] * 16 + count[few])
        found[count > MAX_CANDIDATES] = MANY
        return found

    def among(self, answers: Array, most: int = MAX_SHARED) -> tuple[Array, Array]:
        """(position of the answer, one of its values) for every value of the ambiguous answers with at most so many."""
        at = np.flatnonzero(answers <= AMONG)
        code = AMONG - answers[at]
        start, count = code // 16, code % 16
        at, start, count = at[count <= most], start[count <= most], count[count <= most]
        reach = np.repeat(np.arange(len(at)), count)
        within = np.arange(len(reach)) - np.repeat(np.cumsum(count) - count, count)
        return at[reach], self.values[start[reach] + within]


def sole(answers: Array) -> Array:
    """The answers without those that are ambiguous."""
    return np.where(answers < 0, NONE, answers)
