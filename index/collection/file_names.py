"""The files of a generation by the ends of their paths: what a path from another machine means here."""

from __future__ import annotations

from collections.abc import Sequence

from index.types import FileId


class FileNames:
    """Finds files by the last parts of paths."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = paths
        self._by_name: dict[str, list[FileId]] = {}
        for number, path in enumerate(paths):
            self._by_name.setdefault(path.rpartition("/")[2], []).append(FileId(number))

    def named(self, path: str) -> list[FileId]:
        """The files with the same name as the last part of the path."""
        return self._by_name.get(path.rpartition("/")[2], [])

    def ending(self, path: str) -> list[FileId]:
        """The files whose path is this one or ends with it."""
        behind = "/" + path.lstrip("/")
        return [number for number in self.named(path) if f"/{self.paths[number]}".endswith(behind)]

    def longest(self, path: str) -> tuple[int, list[FileId]]:
        """(n, files): those that share the most last parts with the path, and how many these are."""
        shared = [(_shared(path, self.paths[number]), number) for number in self.named(path)]
        most = max((count for count, _ in shared), default=0)
        return most, [number for count, number in shared if count == most]

    def nearest(self, path: str, most: int) -> list[str]:
        """Paths that may have been meant: the same name elsewhere, then names that are spelled like it."""
        from difflib import get_close_matches

        folder, _, name = path.rpartition("/")
        same = sorted(self.named(path), key=lambda number: (-_shared(path, self.paths[number]), self.paths[number]))
        paths = [self.paths[number] for number in same]
        if len(paths) < most:
            like = [other for other in self._by_name if abs(len(other) - len(name)) <= _LENGTHS and other != name]
            for other in get_close_matches(name, sorted(like), n=most, cutoff=_LIKE):
                places = [self.paths[number] for number in self._by_name[other]]
                paths += sorted(places, key=lambda one: (one.rpartition("/")[0] != folder, one))
        return paths[:most]


_LENGTHS = 4  # by how many characters a misspelt name differs at most
_LIKE = 0.7  # how alike names are, by difflib's measure


def _shared(one: str, other: str) -> int:
    """How many last parts two paths have in common."""
    count = 0
    for left, right in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if left != right:
            break
        count += 1
    return count
