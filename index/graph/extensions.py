"""Functions that extend a class of elsewhere (Kotlin, C#): where they are seen, and calls of what has no known type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from index.columns import Array, spread
from index.graph.lookup import NONE, Lookup

if TYPE_CHECKING:
    from index.graph.imported import Wildcards
    from index.graph.world import World

_MOST = 64  # extensions of one name
_NESTED = 5  # namespaces in namespaces


class Extensions:
    """The extension functions of one world. `module` is what each import statement leads to."""

    def __init__(self, world: World, wild: Wildcards, module: Array) -> None:
        self._world = world
        self._wild = wild
        rows = world.extends[0]
        self.are = np.zeros(world.definitions, bool)
        self.are[rows] = True
        self.files = world.speaks(frozenset({"kotlin", "csharp"}))
        self._by_name = Lookup(world.keys.of(world.family[world.file[rows]], -1, world.name[rows]), rows)
        # A name that is a method, too, may be one of a type that is not of this tree.
        self._plain = np.zeros(len(world.segment.names) + 1, bool)
        self._plain[world.name[~self.are]] = True
        segment = world.segment
        owner = module[segment.absolute("binding", "import", "import").astype(np.int64)]
        named = np.flatnonzero((owner >= world.first_package) & (owner < world.first_typed))
        file, name = world.file_of("binding")[named], segment.array("binding.local")[named].astype(np.int64)
        self._named = np.unique(file * (len(segment.names) + 1) + name)
        self._imported = np.unique(self._triple(file, owner[named] - world.first_package, name))

    def _triple(self, file: Array, package: Array, name: Array) -> Array:
        triple: Array = (file * (self._world.packages + 1) + package) * (len(self._world.segment.names) + 1) + name
        return triple

    def seen(self, file: Array, row: Array, *, by_name: bool = False) -> Array:
        """Whether a file sees an extension: it imports it by its name, or (unless that is asked) its package. What is
        imported by name comes before what has the same name in a package."""
        world = self._world
        other, name = world.file[row], world.name[row]
        found: Array = np.isin(self._triple(file, world.package[other], name), self._imported)
        if by_name:
            return found
        shown = self._wild.shows(file, other)
        package = world.package[file]
        for _ in range(_NESTED):
            shown |= (package >= 0) & (world.package[other] == package)
            package = np.where(package < 0, -1, world.around[package])
        return found | (shown & ~np.isin(file * (len(world.segment.names) + 1) + name, self._named))

    def find(self, file: Array, name: Array) -> Array:
        """The only extension of a name that a file sees, its overloads included."""
        world = self._world
        answers = np.full(len(name), NONE, np.int64)
        start, count = self._by_name.place(world.keys.of(world.family[file], -1, name))
        count = np.where(self.files[file] & (count <= _MOST), count, 0)
        ask = np.repeat(np.arange(len(file)), count)
        row = self._by_name.values[spread(start, count)]
        good = self.seen(file[ask], row, by_name=True)
        good |= ~self._plain[name[ask]] & self.seen(file[ask], row)
        ask, row = ask[good], row[good]
        # One function and its overloads stand in one file and extend one class.
        low = np.full(len(name), world.definitions)
        np.minimum.at(low, ask, row)
        other = world.file[row] != world.file[low[ask]]
        other |= world.container[row] != world.container[low[ask]]
        found = np.unique(ask)
        found = found[np.bincount(ask, weights=other, minlength=len(name))[found] == 0]
        first = low[found]
        answers[found] = world.members.find(world.keys.of(world.file[first], world.container[first], world.name[first]))
        return answers
