"""Finds paths by their last parts, and those of them that are near a folder."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from posixpath import commonprefix

from chunker.languages.table import LanguageRules
from index.roles import roles_of

Parts = tuple[str, ...]
Place = tuple[Parts, int]  # a folder, or the steps of a path from its end, with the number of the path
_MAX_ALIKE = 8  # modules of one name at one distance
_ASIDE = 0b11  # the roles of tests and examples
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


class FileModules:
    """The files that are modules, by the names that code gives them.

    A module is seen in its folder and in the library around it; others see the library by its name, and by its parts if
    it has no file of this name. A module outside libraries is seen everywhere; of several, the nearest is meant, and of
    those as near, the one that is no test or example.
    """

    def __init__(self, paths: Sequence[str], rules: Sequence[LanguageRules], libraries: Mapping[str, Parts]) -> None:
        """`libraries`: the folder of each library, by name."""
        self._paths, self._folders = paths, [tuple(path.split("/")[:-1]) for path in paths]
        self._family = [one.family for one in rules]
        self._libraries, self._homes = libraries, set(libraries.values())
        self._home = cache(self._find_home)
        best: dict[tuple[str, str], dict[Parts, tuple[bool, int]]] = {}
        for file, (path, one) in enumerate(zip(paths, rules, strict=True)):
            stem, *_ = path.rpartition("/")[2].partition(".")
            if one.file_modules and path.endswith(one.extensions[0]):
                is_second = one.family != one.name  # an interface is meant only where no file has the code
                places = best.setdefault((one.family, capital(stem)), {})
                place = self._folders[file]
                places[place] = min(places.get(place, (True, len(paths))), (is_second, file))
        self._files = {name: {place: file for place, (_, file) in of.items()} for name, of in best.items()}
        # By name and library, or None: sorted places.
        self._seen: dict[tuple[str, str, Parts | None], list[Place]] = {}
        for (family, stem), of in self._files.items():
            for place, file in sorted(of.items()):
                self._seen.setdefault((family, stem, self._home(place)), []).append((place, file))
        self.find = cache(self._find)

    def _find(self, file: int, *words: str) -> tuple[int, int]:
        """The file that the first words of a path mean in another file, or -1, and how many words these are."""
        family, own, name = self._family[file], self._folders[file], capital(words[0])
        places, home = self._files.get((family, name), {}), self._home(own)
        if own in places:
            return places[own], 1
        if (library := self._libraries.get(name)) is not None and home != library:
            inner = self._files.get((family, capital(words[1])), {}) if len(words) > 1 else {}
            return (places[library], 1) if library in places else (inner.get(library, -1), 2)
        seen = [self._seen.get((family, name, one), []) for one in dict.fromkeys((home, None))]
        around = own[: max(nearest(one, own) for one in seen)]
        near = sorted(place for one in seen for place in within(one, around))
        if len(near) <= _MAX_ALIKE:
            near = [one for one in near if not self._is_aside(one[1])] or near
        return (near[0][1] if near and (len(near) == 1 or near[0][0] == around) else -1), 1

    def _is_aside(self, file: int) -> bool:
        """Whether a file is a test, an example or the like."""
        return roles_of(self._paths[file], generated=False, prose=False) & _ASIDE != 0

    def _find_home(self, folder: Parts) -> Parts | None:
        """The innermost folder of a library around this one."""
        around = (folder[:depth] for depth in range(len(folder), -1, -1))
        return next((one for one in around if one in self._homes), None)


def capital(name: str) -> str:
    """The name of the module in a file of this name."""
    return name[:1].upper() + name[1:]


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
