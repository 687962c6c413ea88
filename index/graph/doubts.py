"""Which names may mean something else than in the published generation: a superset, found without resolving anything.

A reference is resolved by looking up its own name, the names before its dot and the scopes around it, in tables that
the definitions, typed members and imports of all files fill, and through what was learned of them: what imported names
are, the bases of classes, what typed members lead to. What was learned is learned anew after an edit (there is little
of it), and compared here. Where none of these names has a changed entry in any table, the answer is the same.
"""

from __future__ import annotations

import numpy as np

from index.columns import Array
from index.graph.imported import main_classes
from index.graph.learned import Learned
from index.graph.lookup import AMONG
from index.graph.moved import Moved
from index.graph.names import Names
from index.graph.world import FAMILIES, is_class_of, scopes_of

_STEPS = ("first", "second", "third", "fourth")
# Families whose names are followed one by one here. Of any other all is resolved again where one of its files changed.
_FOLLOWED = frozenset("python javascript go java rust c csharp ruby".split())
_INSIDE = 6  # scopes in scopes: one more than anything looks at
_PYTHON_PACKAGE = "__init__.py"


class Doubts:
    """`names`: bool by name, those that may mean something else. `scopes`: bool by qualified name, what in some file is
    or was another definition; the last place of both is for no name. `hopeless`: everything may mean something else.

    `before` and `after` are what was learned of the old and of the new world.
    """

    def __init__(self, moved: Moved, names: Names, before: Learned, after: Learned) -> None:
        world = names.world
        self._moved, self._world, self._wild = moved, world, names.wild
        self._before, self._after = before, after
        self.names = np.zeros(len(world.segment.names) + 1, bool)
        self.scopes = np.zeros(len(world.segment.names) + 1, bool)
        self.hopeless = bool(before.capped[0] or after.capped[0]) or moved.nests_otherwise
        self._scopes()
        self._definitions()
        things = self._typed()
        self._imported(things)
        self._shown()
        if not moved.same_paths:
            self._modules()
        self._members()
        self.names[-1] = self.scopes[-1] = False

    def references(self) -> Array:
        """bool by reference: whether it looks at a name or stands in a scope that is in doubt."""
        world, segment = self._world, self._world.segment
        name = segment.array("reference.name")
        if self.hopeless or not world.definitions:
            return np.ones(len(name), bool)
        chains = np.zeros(int(segment.rows["chain"][-1]) + 1, bool)  # the last place is for none
        for part in _STEPS:
            chains[:-1] |= self.names[segment.array(f"chain.{part}")]
        chain = segment.absolute("reference", "chain", "chain")
        found: Array = self.names[name] | chains[np.where(segment.array("reference.chain") < 0, -1, chain)]
        inside = self.scopes.copy()
        for _ in range(_INSIDE):
            inside |= inside[world.outer]
        within = np.append(inside[world.qualified] | inside[world.container], False)
        home = segment.absolute("reference", "symbol", "definition")
        found |= within[np.where(segment.array("reference.symbol") < 0, -1, home)]
        found |= np.repeat(self._asked_whole(), np.diff(segment.rows["reference"]))
        return found

    def _asked_whole(self) -> Array:
        """bool by file: those of families that are not followed and in which a file changed."""
        moved = self._moved
        old = moved.old.strings("file.language")
        changed = {old[file] for file in [*moved.replaced.tolist(), *moved.removed.tolist()]}
        changed |= {self._world.languages[file] for file in np.flatnonzero(moved.fresh).tolist()}
        whole = {FAMILIES.get(language, language) for language in changed} - _FOLLOWED
        return self._world.speaks(frozenset(one for one in self._world.languages if FAMILIES.get(one, one) in whole))

    def _scopes(self) -> None:
        """Scopes that stand in others, or are classes, or end in other names, than they did."""
        moved, world = self._moved, self._world
        to = moved.name_to
        was_class = is_class_of(moved.old)
        outer, holds = scopes_of(moved.old, was_class)
        was_outer, was_held = np.full(len(world.outer), -1, np.int64), np.zeros(len(world.holds), bool)
        was_outer[to] = _renamed(outer[:-1], to)
        was_held[to] = holds[:-1]
        flipped = was_held != world.holds
        self.scopes |= flipped | (was_outer != world.outer)
        # Then also files that did not change may be about another class.
        self.hopeless |= bool(flipped[world.container[world.is_class]].any())
        mains = (
            main_classes(moved.old, was_class, holds),
            main_classes(world.segment, world.is_class, world.holds),
        )
        was = np.append(moved.definitions.to, -1)[mains[0][moved.replaced]]
        now = mains[1][moved.file_to[moved.replaced]]
        differ = was != now
        old = mains[0][moved.replaced][differ]
        self.scopes[to[moved.old.array("definition.qualified")[old[old >= 0]]]] = True
        self.scopes[world.qualified[now[differ & (now >= 0)]]] = True

    def _definitions(self) -> None:
        moved, world = self._moved, self._world
        found = moved.definitions
        for part, marked in (("name", self.names), ("qualified", self.scopes)):
            marked[moved.name_to[moved.old.array(f"definition.{part}")[found.gone]]] = True
            marked[world.segment.array(f"definition.{part}")[found.came]] = True
        kept = np.flatnonzero(found.to >= 0)
        parts = found.to[kept[found.to[self._before.whole[kept]] != self._after.whole[found.to[kept]]]]
        self.names[world.name[parts]] = self.scopes[world.qualified[parts]] = True
        # Whether an object has an `apply` decides what calling its name means.
        apply = world.segment.names.find("apply")
        old, new = moved.old.array("definition.name"), world.name
        holders = [world.container[found.came[new[found.came] == apply]]]
        if apply >= 0:
            gone = found.gone[moved.name_to[old[found.gone]] == apply]
            holders.append(moved.name_to[moved.old.array("definition.container")[gone]])
        held = np.zeros(len(self.scopes), bool)
        held[np.concatenate(holders).astype(np.int64)] = True
        self.names[new[held[world.qualified]]] = True

    def _typed(self) -> Array:
        """Typed members that are others or lead elsewhere. Gives bool by thing of the new world: what is or gives one
        of those."""
        moved, world, found = self._moved, self._world, self._moved.typed
        name = world.segment.array("typed.name")
        kept = np.flatnonzero(found.to >= 0)
        differ = moved.thing(self._before.values[kept]) != self._after.values[found.to[kept]]
        rows = np.concatenate([found.to[kept[differ]], found.came])
        gone = moved.name_to[moved.old.array("typed.name")[found.gone]]
        self.names[name[rows]] = True
        self.names[gone] = True
        lost = np.zeros(len(self.names), bool)
        lost[gone] = lost[name[rows]] = True
        things = np.zeros(world.first_typed + len(name), bool)
        things[world.first_typed + rows] = True
        things[: world.definitions] = lost[world.name]
        return things

    def _imported(self, things: Array) -> None:
        """Imported names that are something else, or something of which something else is known."""
        moved, segment = self._moved, self._world.segment
        local = segment.array("binding.local")
        to = moved.rows("binding")
        kept = np.flatnonzero(to >= 0)
        was, now = moved.thing(self._before.bound[kept]), self._after.bound[to[kept]]
        self.names[local[to[kept[(was != now) | (now <= AMONG)]]]] = True
        # An import of a name hides others of that name even where its package holds nothing of the kind.
        packages = np.zeros(len(self.names), bool)
        packages[moved.changed_packages] = True
        statement = segment.absolute("binding", "import", "import")
        self.names[local[packages[segment.array("import.module")[statement]]]] = True
        known = np.append(things, False)
        self.names[local[known[np.maximum(self._after.bound, -1)]]] = True
        for old in moved.replaced.tolist():
            before = self._bound_in(old, moved.old.rows["binding"], old=True)
            after = self._bound_in(int(moved.file_to[old]), segment.rows["binding"], old=False)
            differing = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
            ambiguous = [name for name, value in after.items() if value <= AMONG]
            self.names[np.array(differing + ambiguous, np.int64)] = True

    def _bound_in(self, file: int, rows: Array, *, old: bool) -> dict[int, int]:
        """What the imported names of one file are; the first import of a name is the one that counts."""
        run = slice(int(rows[file]), int(rows[file + 1]))
        if old:
            local = self._moved.name_to[self._moved.old.array("binding.local")[run]]
            values = self._moved.thing(self._before.bound[run])
        else:
            local, values = self._world.segment.array("binding.local")[run], self._after.bound[run]
        return dict(zip(local[::-1].tolist(), values[::-1].tolist(), strict=True))

    def _shown(self) -> None:
        """What wildcard imports that came, went or lead elsewhere show."""
        moved, world = self._moved, self._world
        span = world.first_typed + 1
        source, target = moved.file_to[self._before.shown_by], moved.thing(self._before.shown)
        alive = (source >= 0) & (target >= 0)
        differing = np.setxor1d(source[alive] * span + target[alive], self._after.shown_by * span + self._after.shown)
        targets = np.concatenate([differing % span, target[~alive & (target >= 0)]])
        self.scopes[world.qualified[targets[targets < world.definitions]]] = True
        targets = targets[targets >= world.first_file]
        if not len(targets):
            return
        seen = np.zeros(world.files, bool)
        seen[targets[targets < world.first_package] - world.first_file] = True
        packages = np.zeros(world.packages + 1, bool)
        packages[targets[targets >= world.first_package] - world.first_package] = True
        packages[-1] = False
        seen |= packages[world.package]
        seen |= self._wild.shown_by(np.flatnonzero(seen))
        self.names[world.name[seen[world.file]]] = True

    def _modules(self) -> None:
        """Python modules by the package below which they came or went, or that itself did."""
        moved = self._moved
        removed, added = moved.old.strings("file.path"), self._world.segment.strings("file.path")
        paths = [removed[file] for file in moved.removed.tolist()] + [added[file] for file in moved.added.tolist()]
        packages = {path.removesuffix(_PYTHON_PACKAGE) for path in paths if path.endswith(_PYTHON_PACKAGE)}
        if packages:
            paths += [path for path in self._world.paths if _package_above(path) in packages]
        find = self._world.segment.names.find
        words = {path.removesuffix("/" + _PYTHON_PACKAGE).rpartition("/")[2].removesuffix(".py") for path in paths}
        self.names[np.array([at for word in sorted(words) if (at := find(word)) >= 0], np.int64)] = True

    def _members(self) -> None:
        """The names of members of scopes in doubt, of classes whose bases changed, and of all that they derive from."""
        moved, world = self._moved, self._world
        child, base = _edges(self._after)
        old_child, old_base = _edges(self._before)
        to = moved.definitions.to
        qualified = moved.name_to[moved.old.array("definition.qualified")].astype(np.int64)
        place = np.arange(len(child)) - self._after.bases_from[child]
        old_place = np.arange(len(old_child)) - self._before.bases_from[old_child]
        span, most = world.definitions + 1, max(int(place.max(initial=0)), int(old_place.max(initial=0))) + 1
        alive = to[old_child] >= 0
        was = ((to[old_child] * most + old_place) * span + np.where(to[old_base] < 0, span - 1, to[old_base]))[alive]
        differing = np.setxor1d(was, (child * most + place) * span + base)
        reached = self.scopes.copy()
        reached[world.qualified[differing // span // most]] = True
        children = np.concatenate([world.qualified[child], qualified[old_child]])
        bases = np.concatenate([world.qualified[base], qualified[old_base]])
        while (news := bases[reached[children] & ~reached[bases]]).size:
            reached[news] = True
        reached[-1] = False
        self.names[world.name[reached[world.container]]] = True
        typed = world.segment.array("typed.name")
        self.names[typed[reached[world.segment.array("typed.container")]]] = True


def _edges(learned: Learned) -> tuple[Array, Array]:
    """(class, base) by class and place."""
    count = np.diff(learned.bases_from)
    return np.repeat(np.arange(len(count)), count), learned.bases


def _renamed(names: Array, to: Array) -> Array:
    return np.where(names < 0, -1, to[np.maximum(names, 0)]) if len(to) else names


def _package_above(path: str) -> str:
    """The folder, with a slash at its end, of whose package a Python file is a module; a name that no folder has."""
    if not path.endswith(".py"):
        return "//"
    folder = path.removesuffix("/" + _PYTHON_PACKAGE).rpartition("/")[0]
    return folder + "/" if folder else ""
