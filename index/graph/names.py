"""What a name means where it stands: by lexical scope, imports, packages; and what members things have.

Everything works on arrays of questions at once. An answer is a number of the `World`, or NONE, MANY, or an ambiguous
one (see `Lookup.find`); a wider scope is asked only where a narrower one knows nothing.
"""

from __future__ import annotations

import numpy as np

from index.columns import Array, Strings, spread
from index.graph.extensions import Extensions
from index.graph.imported import children, class_wildcards, main_classes, modules, wildcards
from index.graph.learned import Learned
from index.graph.lookup import MANY, NONE, Lookup
from index.graph.world import World, kinds

_SCOPES = 5  # functions in functions in classes: deeper nobody looks
_BASES = 8  # levels of inheritance, which also ends a cycle; and bases of one class
_ALIASES = 6  # re-exports of re-exports
_WILD = 64  # files of one name that a wildcard is searched for


class Names:
    """Answers questions about one world. `bases` are rows of classes by rows of classes (CSR), empty at first."""

    def __init__(self, world: World, learned: Learned | None = None) -> None:
        self.world = world
        self.keys = world.keys
        names = world.segment.names
        self.bases: tuple[Array, Array] = (np.zeros(world.definitions + 1, np.int64), np.zeros(0, np.int64))
        local = world.segment.array("binding.local").astype(np.int64)
        self._known = np.zeros(len(names) + 1, bool)  # what nobody defines or imports needs no search
        self._known[world.name] = self._known[local] = True
        self._known[world.segment.array("typed.name")] = True
        top = np.flatnonzero(world.is_top & ~kinds("section", "block", "impl")[world.kind])
        top = top[world.whole[top] == top]
        parts, part_names = world.parts
        self._tops = Lookup(
            self.keys.of(
                world.family[world.file[np.concatenate([top, parts])]], -1, np.append(world.name[top], part_names)
            ),
            np.concatenate([top, parts]),
        )
        self._is_ruby = world.speaks(frozenset({"ruby"}))
        self._constant = np.zeros(len(names) + 1, bool)
        if self._is_ruby.any():
            self._constant[:-1] = _are_constants(names)
        self._main = main_classes(world.segment, world.is_class, world.holds)
        self._children = children(world)
        module = modules(world)
        self.wild = wildcards(world, module)
        self._wild_parts = wildcards(world, module, parts=True) if len(parts) else self.wild
        self._shown_from, self._shown = class_wildcards(world, module)
        self._shown, self._shown_from = (
            column[np.argsort(self._shown_from, kind="stable")] for column in (self._shown, self._shown_from)
        )
        self.extensions = Extensions(world, self.wild, module)
        rows = np.flatnonzero(local != names.find("*"))
        own = self.keys.of(world.file_of("binding")[rows], -1, local[rows])
        _, first = np.unique(own, return_index=True)
        self._binding_rows = Lookup(own[first], rows[first])
        self.bound = np.full(len(local), NONE, np.int64)
        if learned is None:
            self._bind(rows, local, module)
        else:
            self.bound, self.bases = learned.bound, (learned.bases_from, learned.bases)

    def named(self, file: Array, scope: Array, name: Array) -> Array:
        """What a bare name means in a file inside `scope` (a qualified name, -1 at the top)."""
        found = np.full(len(name), NONE, np.int64)
        known = np.flatnonzero(self._known[name])
        if not len(known):
            return found
        file, scope, name = file[known], scope[known], name[known]
        answers = self._lexical(file, scope, name)
        for ask in (self._exported, self._of_shown_class, self._in_package, self._in_language):
            open_ = np.flatnonzero(answers == NONE)
            if len(open_):
                answers[open_] = ask(file[open_], name[open_])
        # A part of a class in this file means the class, too.
        rows = np.flatnonzero((answers >= 0) & (answers < self.world.definitions))
        answers[rows] = self.world.whole[answers[rows]]
        found[known] = answers
        return found

    def _lexical(self, file: Array, scope: Array, name: Array) -> Array:
        """Inside the symbols around: their own, and where methods see them the members of their class."""
        world = self.world
        answers = np.full(len(name), NONE, np.int64)
        scope = scope.copy()
        for _ in range(_SCOPES):
            at = np.flatnonzero((answers == NONE) & (scope >= 0))
            if not len(at):
                break
            is_class = world.holds[scope[at]]
            implicit = is_class & world.is_implicit[file[at]]
            plain, own = at[~is_class], at[implicit]
            answers[plain] = world.members.find(self.keys.of(file[plain], scope[plain], name[plain]))
            answers[own] = self.member_at(file[own], scope[own], name[own])
            scope[at] = world.outer[scope[at]]
            # In Ruby only constants are looked for in what stands around a class.
            near = own[self._is_ruby[file[own]]]
            scope[near[~self._constant[name[near]]]] = -1
        return answers

    def _exported(self, file: Array, name: Array) -> Array:
        """At the top of a file: defined, imported, typed, or shown by a wildcard import."""
        world = self.world
        answers = world.members.find(self.keys.of(file, -1, name))
        for table, values in ((self._binding_rows, self.bound), (world.typed, None)):
            open_ = np.flatnonzero(answers == NONE)
            rows = table.find(self.keys.of(file[open_], -1, name[open_]))
            hit = rows >= 0
            answers[open_[hit]] = rows[hit] if values is None else values[rows[hit]]
        open_ = np.flatnonzero((answers == NONE) & self._wild_parts.any[file])
        answers[open_] = self._by_wildcard(file[open_], name[open_])
        return answers

    def _by_wildcard(self, file: Array, name: Array) -> Array:
        world = self.world
        start, count = self._tops.place(self.keys.of(world.family[file], -1, name))
        count = np.where(count > _WILD, 0, count)
        ask = np.repeat(np.arange(len(file)), count)
        row = self._tops.values[spread(start, count)]
        seen = self.wild.shows(file[ask], world.file[row])
        part = np.flatnonzero(~seen & (world.name[row] != name[ask]))
        seen[part] = self._wild_parts.shows(file[ask[part]], world.file[row[part]])
        return self._agreed(ask[seen], row[seen], name)

    def _of_shown_class(self, file: Array, name: Array) -> Array:
        """A member of a class that the file imports all members of; of several the first."""
        start, stop = (np.searchsorted(self._shown_from, file, side=side) for side in ("left", "right"))
        answers = np.full(len(name), NONE, np.int64)
        ask = np.repeat(np.arange(len(file)), stop - start)
        if not len(ask):
            return answers
        found = self.member(self._shown[spread(start, stop - start)], name[ask])
        hit = np.flatnonzero(found != NONE)[::-1]
        answers[ask[hit]] = found[hit]
        return answers

    def _in_package(self, file: Array, name: Array) -> Array:
        """In the file's package, or in the namespaces around it."""
        world = self.world
        answers = np.full(len(name), NONE, np.int64)
        package = world.package[file]
        for _ in range(_SCOPES):
            open_ = np.flatnonzero((answers == NONE) & (package >= 0))
            if not len(open_):
                break
            answers[open_] = world.members.find(self.keys.of(package[open_] + world.files, -1, name[open_]))
            package[open_] = world.around[package[open_]]
        return answers

    def _in_language(self, file: Array, name: Array) -> Array:
        found = self.world.members.find(self.keys.of(self.world.family[file], -1, name))
        return np.where(self.world.is_open[file], found, NONE)

    def member_at(self, file: Array, qualified: Array, name: Array, *, inherited_only: bool = False) -> Array:
        """A member of the class of this qualified name as a file sees it: its own, or from its bases."""
        world = self.world
        answers = np.full(len(name), NONE, np.int64)
        if not inherited_only:
            answers = self._own_member(file, qualified, name)
        open_ = np.flatnonzero(answers == NONE)
        row = world.class_at(file[open_], qualified[open_])
        hit = row >= 0
        answers[open_[hit]] = self.inherited(row[hit], name[open_[hit]])
        return answers

    def _own_member(self, file: Array, qualified: Array, name: Array) -> Array:
        world = self.world
        answers = np.full(len(name), NONE, np.int64)
        if not len(name):
            return answers
        places = (file, world.package_place(file), np.where(world.is_split[file], world.family[file], -1))
        for table in (world.members, world.typed):
            for place in places:
                open_ = np.flatnonzero((answers == NONE) & (place >= 0))
                if len(open_):
                    found = table.find(self.keys.of(place[open_], qualified[open_], name[open_]))
                    # An ambiguous answer stands for members; what several say of a type is no answer.
                    answers[open_] = found if table is world.members else np.where(found < NONE, MANY, found)
        return answers

    def inherited(self, row: Array, name: Array) -> Array:
        """From the nearest base that has it; the bases of one class in their order."""
        world = self.world
        indptr, targets = self.bases
        answers = np.full(len(row), NONE, np.int64)
        ask = np.arange(len(row))
        for _ in range(_BASES):
            start, count = indptr[row], np.minimum(indptr[row + 1] - indptr[row], _BASES)
            ask, row = np.repeat(ask, count), targets[spread(start, count)]
            if not len(ask):
                break
            found = self._own_member(world.file[row], world.qualified[row], name[ask])
            hit = np.flatnonzero(found != NONE)
            # Reversed, so that of several the first base is written last.
            answers[ask[hit[::-1]]] = found[hit[::-1]]
            ask, row = ask[answers[ask] == NONE], row[answers[ask] == NONE]
            pairs = np.unique(ask * (world.definitions + 1) + row)
            ask, row = pairs // (world.definitions + 1), pairs % (world.definitions + 1)
        return answers

    def member(self, owner: Array, name: Array) -> Array:
        """What `owner.name` is: a member of a class, or what a file or package has at its top."""
        world = self.world
        answers = np.full(len(name), NONE, np.int64)
        inside = (owner >= 0) & (owner < world.definitions)
        classes = np.flatnonzero(inside)
        classes = classes[world.is_class[owner[classes]]]
        row = owner[classes]
        answers[classes] = self._own_member(world.file[row], world.qualified[row], name[classes])
        open_ = classes[answers[classes] == NONE]
        row = world.class_at(world.file[owner[open_]], world.qualified[owner[open_]])
        answers[open_] = self.inherited(row, name[open_])
        files = np.flatnonzero((owner >= world.first_file) & (owner < world.first_package))
        answers[files] = self._of_file(owner[files] - world.first_file, name[files])
        packages = np.flatnonzero((owner >= world.first_package) & (owner < world.first_typed))
        place = owner[packages] - world.first_package + world.files
        answers[packages] = world.members.find(self.keys.of(place, -1, name[packages]))
        return answers

    def _of_file(self, file: Array, name: Array) -> Array:
        """A file's name, a module below it, or a member of the one class that it is about."""
        answers = self.world.members.find(self.keys.of(self.world.table_place(file), -1, name))
        open_ = np.flatnonzero(answers == NONE)
        answers[open_] = self._exported(file[open_], name[open_])
        open_ = np.flatnonzero(answers == NONE)
        answers[open_] = self._children.find(self.keys.of(file[open_], -1, name[open_]))
        open_ = np.flatnonzero((answers == NONE) & (self._main[file] >= 0))
        row = self._main[file[open_]]
        answers[open_] = self._own_member(self.world.file[row], self.world.qualified[row], name[open_])
        return answers

    def _bind(self, rows: Array, local: Array, module: Array) -> None:
        """Find what each imported name is. `rows` are the bindings that are no wildcards."""
        world, segment = self.world, self.world.segment
        owner = module[segment.absolute("binding", "import", "import").astype(np.int64)]
        target = segment.array("binding.target").astype(np.int64)
        whole = rows[target[rows] == segment.names.find("")]
        self.bound[whole] = owner[whole]
        named = rows[(target[rows] != segment.names.find("")) & (owner[rows] >= 0)]
        self._settle(named, owner, target)
        inner = world.imports.names.astype(np.int64)
        missing = rows[(self.bound[rows] == NONE) & (inner[rows] >= 0)]
        self.bound[missing] = inner[missing] + world.first_file
        default = named[(self.bound[named] == NONE) & (target[named] == segment.names.find("default"))]
        self.bound[default] = self.member(owner[default], local[default])
        default = default[self.bound[default] == NONE]
        self.bound[default] = owner[default]
        self._settle(named, owner, target)
        # An import from outside of the tree hides what has the same name inside.
        self.bound[rows[self.bound[rows] == NONE]] = MANY

    def _settle(self, rows: Array, owner: Array, target: Array) -> None:
        """Follow re-exports until nothing new is found."""
        for _ in range(_ALIASES):
            rows = rows[self.bound[rows] == NONE]
            found = self.member(owner[rows], target[rows])
            if not (found != NONE).any():
                break
            self.bound[rows] = found

    def _agreed(self, ask: Array, row: Array, name: Array) -> Array:
        """The only answer to each question; where several stand in one file, what that file says of the name."""
        world = self.world
        number = np.bincount(ask, minlength=len(name))
        answers = np.where(number > 1, MANY, NONE).astype(np.int64)
        answers[ask[number[ask] == 1]] = row[number[ask] == 1]
        file = world.file[row]
        low, high = np.full(len(name), world.files, np.int64), np.full(len(name), -1, np.int64)
        np.minimum.at(low, ask, file)
        np.maximum.at(high, ask, file)
        first = np.zeros(len(name), np.int64)
        first[ask[::-1]] = row[::-1]
        container = np.where(world.is_module_named[world.file[first]], world.container[first], -1)
        one = np.flatnonzero((number > 1) & (low == high))
        answers[one] = world.members.find(self.keys.of(low[one], container[one], name[one]))
        return answers

    def whole_named(self, file: Array, paths: list[str]) -> Array:
        """The modules that whole names mean (`App.Core.Cart`), whose first part may be an alias."""
        world, segment = self.world, self.world.segment
        heads = [path.partition(".")[0] for path in paths]
        numbers = {head: segment.names.find(head) for head in sorted(set(heads))}
        first = np.array([numbers[head] for head in heads], np.int64)
        row = self._binding_rows.find(self.keys.of(file, -1, first))
        statement = segment.absolute("binding", "import", "import")
        module = segment.array("import.module")
        number = np.full(len(paths), -1, np.int64)
        for at, (path, head, binding) in enumerate(zip(paths, heads, row.tolist(), strict=True)):
            alias = segment.names[int(module[int(statement[binding])])] if binding >= 0 else head
            number[at] = world.modules_by_name.get(alias + path[len(head) :], -1)
        return world.class_at(file, number)


def _are_constants(names: Strings) -> Array:
    """bool by name: which begin with a capital letter."""
    first = np.append(names.blob, np.uint8(0))[names.offsets[:-1]]
    found: Array = (first >= ord("A")) & (first <= ord("Z")) & (np.diff(names.offsets) > 0)
    for number in np.flatnonzero(first > 0x7F).tolist():  # not ASCII: few
        found[number] = names[number][:1].isupper()
    return found
