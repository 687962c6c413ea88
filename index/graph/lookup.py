"""Look-up of many (place, container, name) triples at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from chunker.kinds import KINDS
from index.arithmetic import is_in
from index.segment.columns import Array, begins_run, spread

NONE, MANY = -1, -2
MAX_PACKAGE_CHARS = 500  # of a name with its packages; all of them are looked up
MAX_SHARED = 3  # a name that could mean more definitions means none
MAX_CANDIDATES = 31  # of more overloads, none is matched to a call
AMONG = -16  # an ambiguous answer is at most this: AMONG - (place of its first value * _COUNTS + number of values)
_COUNTS = MAX_CANDIDATES + 1


def kinds(*names: str) -> Array:
    """bool per kind number."""
    return np.array([kind in names for kind in KINDS], bool)


def fill(answers: Array, ask: Callable[..., Array], *columns: Array, where: Array | None = None) -> None:
    """Look up the rows that have no answer yet (`where` limits them) and write the answers in place."""
    open_ = answers == NONE
    at = (open_ if where is None else open_ & where).nonzero()[0]
    if len(at):
        answers[at] = ask(*(column[at] for column in columns))


def is_any(values: Array, others: Array) -> Array:
    """bool per value: whether it is one of the others. For numbers that are far apart, such as keys, `np.isin` takes
    three times as long, and 10 ms at its first call."""
    return is_in(values, np.sort(others))


def unanimous(at: Array, *values: Array) -> Array:
    """The first rows of those runs of `at` (ascending) whose rows all have the same values."""
    begins = begins_run(at)
    first = np.flatnonzero(begins)[np.cumsum(begins) - 1]
    differs = np.any([value != value[first] for value in values], axis=0)
    return np.flatnonzero(begins & ~is_in(at, at[differs]))


class Lookup:
    """Values by key; a key may have several."""

    def __init__(self, *parts: tuple[Array, Array]) -> None:
        """`parts`: keys and their values."""
        keys, values = (np.concatenate([part[column] for part in parts]) for column in (0, 1))
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        starts = np.flatnonzero(begins_run(ordered))
        counts = np.diff(np.append(starts, len(keys)))
        self.values = np.append(values[order], NONE)
        few = np.where(counts > MAX_CANDIDATES, MANY, AMONG - (starts * _COUNTS + counts))
        # The last of each is for keys without a value.
        self._keys = np.append(ordered[starts], np.iinfo(np.int64).max)
        self._starts, self._counts = np.append(starts, len(keys)), np.append(counts, 0)
        self._answers = np.append(np.where(counts == 1, self.values[starts], few), NONE)

    def place(self, keys: Array) -> tuple[Array, Array]:
        """(position of the first value of each key, number of its values)."""
        at = self._rows(keys)
        return self._starts[at], self._counts[at]

    def first(self, keys: Array) -> Array:
        """The first value of each key, or NONE."""
        return self.values[self.place(keys)[0]]

    def all(self, keys: Array, most: int | None = None) -> tuple[Array, Array]:
        """(position of the key, one of its values) for every value of the keys that have at most `most`."""
        start, count = self.place(keys)
        count = count if most is None else np.where(count > most, 0, count)
        return np.repeat(np.arange(len(keys)), count), self.values[spread(start, count)]

    def find(self, keys: Array) -> Array:
        """The value of each key: NONE if it has none, a number for `among` if it has a few, MANY if it has more."""
        return self._answers[self._rows(keys)]

    def _rows(self, keys: Array) -> Array:
        rows = self._keys.searchsorted(keys)
        return np.where(self._keys[rows] == keys, rows, -1)

    def among(self, answers: Array, most: int = MAX_SHARED) -> tuple[Array, Array]:
        """(position of the answer, one of its values) for every value of ambiguous answers that have at most `most`."""
        at = np.flatnonzero(answers <= AMONG)
        start, count = np.divmod(AMONG - answers[at], _COUNTS)
        at, start, count = at[count <= most], start[count <= most], count[count <= most]
        return np.repeat(at, count), self.values[spread(start, count)]


def sole(answers: Array) -> Array:
    """The answers, with NONE in place of ambiguous ones."""
    return np.where(answers < 0, NONE, answers)
