"""Finds paths by their last parts, and those of them that are near a folder."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from posixpath import commonprefix

Parts = tuple[str, ...]
Place = tuple[Parts, int]  # a folder, or the steps of a path from its end, with the number of the path
MAX_NEAR = 100  # more paths that fit equally well do not name one of them


class PathEnds:
    """The paths of a tree by their last parts. The time to find one does not grow with the number of its namesakes."""

    def __init__(self, paths: Iterable[tuple[Parts, Parts]]) -> None:
        """`paths`: each path as it is compared, with the folder that it is in. They are numbered in this order."""
        pairs = list(paths)
        self._folders = [folder for _, folder in pairs]
        self._ends = sorted((path[::-1], number) for number, (path, _) in enumerate(pairs))
        self.fitting = cache(self._find_fitting)

    def _find_fitting(self, end: Parts) -> list[Place]:
        """The paths that end with these parts, in the order of their folders."""
        hits = _range(self._ends, end[::-1], len(end))
        return sorted((self._folders[number], number) for _, number in self._ends[hits])

    def longest(self, path: Parts, others: Collection[int] = ()) -> int:
        """The most last parts that a path of the tree, except `others`, shares with this one."""
        steps = path[::-1]
        at, most = bisect_left(self._ends, (steps, -1)), len(others)
        near = self._ends[max(at - 1 - most, 0) : at + 1 + most]
        return max((shared_parts(one, steps) for one, number in near if number not in others), default=0)


def nearest(places: Sequence[Place], folder: Parts) -> int:
    """The most leading folders that a place shares with `folder`."""
    at = bisect_left(places, (folder, -1))
    return max((shared_parts(place, folder) for place, _ in places[max(at - 1, 0) : at + 1]), default=0)


def within(places: Sequence[Place], folder: Parts) -> Sequence[Place]:
    """The first places in a folder, those directly in it first."""
    hits = _range(places, folder, len(folder))
    return places[hits.start : min(hits.stop, hits.start + MAX_NEAR)]


def _range(places: Sequence[Place], start: Parts, length: int) -> slice:
    """Where the places are whose first `length` steps are `start`."""

    def head(place: Place) -> Parts:
        return place[0][:length]

    return slice(bisect_left(places, start, key=head), bisect_right(places, start, key=head))


def shared_parts(one: Parts, other: Parts) -> int:
    """The number of leading parts that two paths share."""
    return len(commonprefix([one, other]))
