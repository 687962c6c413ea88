"""Where the rows of a published generation stand in the segment that follows it.

Files that did not change stand there as blocks. In a file that did, a definition or a typed member that can be looked
up as before keeps its identity. Numbers are those of the `World` of either side; GONE is what has no place any more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chunker.kinds import KINDS
from index.columns import Array, Ints, insertions, spread
from index.graph.lookup import NONE
from index.graph.overloads import stated
from index.graph.parts import NESTED
from index.graph.world import REDEFINING, packages_of
from index.segment import Segment

GONE = -3  # no answer of a look-up is this
_VALUE_FREE = frozenset(KINDS.index(kind) for kind in ("interface", "type"))
_DEFINITION = ("name", "qualified", "container")
Key = tuple[object, ...]
Package = tuple[str, int | str]
KeysOf = Callable[[Segment, int, Ints | None], list[tuple[int, Key]]]


@dataclass(frozen=True, slots=True)
class Identity:
    """`to`: int64[old rows], the new row or GONE; the old rows that can be looked up no more, the new ones that can."""

    to: Array
    gone: Array
    came: Array


class Moved:
    """`fresh`: bool by new file, read anew. `file_to`: new numbers of old files by path; `file_from`: the reverse."""

    def __init__(self, old: Segment, new: Segment, fresh: Array) -> None:
        self.old, self.new, self.fresh = old, new, fresh
        self.name_to = insertions(old.names, new.names)
        self.file_to, self.file_from = _by_path(old, new)
        kept = np.flatnonzero(~fresh)
        self.kept = kept, self.file_from[kept]  # new and old numbers of what did not change
        before = self.file_from[fresh]
        self.replaced = before[before >= 0]  # old files that were read anew
        self.removed, self.added = np.flatnonzero(self.file_to < 0), np.flatnonzero(self.file_from < 0)
        self.same_paths = not len(self.removed) and not len(self.added)

    def rows(self, level: str) -> Array:
        """int64[old rows of a level]: new rows of the files that did not change, GONE elsewhere."""
        kept, before = self.kept
        old, new = self.old.rows[level], self.new.rows[level]
        count = new[kept + 1] - new[kept]
        found = np.full(int(old[-1]), GONE, np.int64)
        found[spread(old[before], count)] = spread(new[kept], count)
        return found

    @cached_property
    def definitions(self) -> Identity:
        """Definitions, identified in changed files by all that a look-up can see of them."""
        return self._identified("definition", definition_keys)

    @cached_property
    def typed(self) -> Identity:
        """Typed members; of several in a file under one name only the first can be looked up, and has an identity."""
        return self._identified("typed", typed_keys)

    def _identified(self, level: str, keys_of: KeysOf) -> Identity:
        to = self.rows(level)
        gone: list[int] = []
        came: list[int] = []
        for before in self.replaced.tolist():
            file = int(self.file_to[before])
            rows = {key: row for row, key in keys_of(self.new, file, None)}
            same = self.spoken(self.old, before) == self.spoken(self.new, file)
            last = GONE
            for row, key in keys_of(self.old, before, self.name_to):
                # What changes places with another is another: of several the first may count.
                found = to[row] = rows.pop(key) if same and rows.get(key, GONE) > last else GONE
                last = max(found, last)
                if found == GONE:
                    gone.append(row)
            came += rows.values()
        for files, segment, found_rows in ((self.removed, self.old, gone), (self.added, self.new, came)):
            found_rows += [row for file in files.tolist() for row, _ in keys_of(segment, file, None)]
        return Identity(to, np.array(gone, np.int64), np.array(came, np.int64))

    def spoken(self, segment: Segment, file: int) -> tuple[str, int]:
        """What decides who sees a file's names besides its path: its language and its package."""
        package = int(segment.array("file.package")[file])
        if segment is self.old and package >= 0:
            package = int(self.name_to[package])
        return segment.strings("file.language")[file], package

    @cached_property
    def _packages(self) -> tuple[dict[Package, bool], dict[Package, bool]]:
        """The packages of both sides, with new names; and whether files see the names of packages around them."""
        found: list[dict[Package, bool]] = []
        for segment in (self.old, self.new):
            numbers, package_of = packages_of(segment)
            languages = segment.strings("file.language").to_list()
            nested = {package for package, one in zip(package_of, languages, strict=True) if one in NESTED}
            to = self.name_to if segment is self.old else None
            found.append(
                {
                    (family, name if isinstance(name, str) or to is None else int(to[name])): number in nested
                    for (family, name), number in numbers.items()
                }
            )
        return found[0], found[1]

    @property
    def changed_packages(self) -> list[int]:
        """The names (new numbers) of packages that came or went."""
        old, new = self._packages
        return sorted({package for _, package in old.keys() ^ new.keys() if not isinstance(package, str)})

    @property
    def nests_otherwise(self) -> bool:
        """Whether a package sees the names around it that did not, or the other way about."""
        old, new = self._packages
        return any(old[package] != new[package] for package in old.keys() & new.keys())

    @cached_property
    def things(self) -> Array:
        """int64[numbers of the old world]: numbers of the new world, or GONE."""
        first_file = int(self.new.rows["definition"][-1])
        first_package = first_file + self.new.files
        old, new = self._packages  # in the order of their numbers
        place = {package: first_package + number for number, package in enumerate(new)}
        package_to = np.array([place.get(package, GONE) for package in old], np.int64)
        first_typed = first_package + len(new)
        return np.concatenate(
            [
                self.definitions.to,
                np.where(self.file_to < 0, GONE, self.file_to + first_file),
                package_to,
                np.where(self.typed.to < 0, GONE, self.typed.to + first_typed),
            ]
        )

    def thing(self, numbers: Array) -> Array:
        """Numbers of the old world in the new one; what is no number stays."""
        return np.where(numbers < 0, numbers, self.things[np.maximum(numbers, 0)] if len(self.things) else NONE)


def definition_keys(segment: Segment, file: int, name_to: Ints | None) -> list[tuple[int, Key]]:
    """(row, identity) of a file's definitions: name, qualified name, container, kind, whether a later definition
    replaces it, its parameters where calls choose by them, what it says to extend, and the how-manieth it is of these.
    Names by `name_to` where it is given."""
    first, last = (int(row) for row in segment.rows["definition"][file : file + 2])
    columns = [_names(segment, f"definition.{part}", first, last, name_to) for part in _DEFINITION]
    kinds = segment.array("definition.kind")[first:last].tolist()
    holding: dict[tuple[int, int, bool], int] = {}
    if segment.strings("file.language")[file] in REDEFINING:
        for at, (name, container, kind) in enumerate(zip(columns[0], columns[2], kinds, strict=True)):
            holding[name, container, kind in _VALUE_FREE] = at
    parameters, extended = stated(segment, file), _extended(segment, file, name_to)
    counted: dict[Key, int] = {}
    found: list[tuple[int, Key]] = []
    for at, (name, qualified, container, kind) in enumerate(zip(*columns, kinds, strict=True)):
        holds = holding.get((name, container, kind in _VALUE_FREE), at) == at
        key = (name, qualified, container, kind, holds, parameters[at] if parameters else None, extended.get(at))
        counted[key] = counted.get(key, -1) + 1
        found.append((first + at, (*key, counted[key])))
    return found


def typed_keys(segment: Segment, file: int, name_to: Ints | None) -> list[tuple[int, Key]]:
    """(row, (container, name)) of a file's typed members, each pair once."""
    first, last = (int(row) for row in segment.rows["typed"][file : file + 2])
    rows: dict[Key, int] = {}
    for at, key in enumerate(zip(*_typed_names(segment, first, last, name_to), strict=True), start=first):
        rows.setdefault(key, at)
    return [(row, key) for key, row in rows.items()]


def _extended(segment: Segment, file: int, name_to: Ints | None) -> dict[int, Key]:
    """Of which classes a file says that its definitions (by place in the file) are typed members."""
    first, last = (int(row) for row in segment.rows["typed"][file : file + 2])
    found: dict[int, Key] = {}
    symbols = segment.array("typed.symbol")[first:last].tolist()
    for symbol, *key in zip(symbols, *_typed_names(segment, first, last, name_to), strict=True):
        found[symbol] = (*found.get(symbol, ()), *key)
    return found


def _typed_names(segment: Segment, first: int, last: int, name_to: Ints | None) -> list[list[int]]:
    return [_names(segment, f"typed.{part}", first, last, name_to) for part in ("container", "name")]


def _names(segment: Segment, column: str, first: int, last: int, name_to: Ints | None) -> list[int]:
    values = segment.array(column)[first:last]
    moved: list[int] = (values if name_to is None else np.where(values < 0, values, name_to[values])).tolist()
    return moved


def _by_path(old: Segment, new: Segment) -> tuple[Array, Array]:
    before, after = old.strings("file.path"), new.strings("file.path")
    if np.array_equal(before.blob, after.blob) and np.array_equal(before.offsets, after.offsets):
        return np.arange(old.files), np.arange(new.files)
    place = {path: number for number, path in enumerate(after.to_bytes())}
    file_to = np.array([place.get(path, -1) for path in before.to_bytes()], np.int64)
    file_from = np.full(new.files, -1, np.int64)
    file_from[file_to[file_to >= 0]] = np.flatnonzero(file_to >= 0)
    return file_to, file_from
