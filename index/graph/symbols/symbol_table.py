"""The look-ups of a tree by name: members, classes, typed members."""

from __future__ import annotations

import numpy as np

from index.graph.imports.import_files import Imports
from index.graph.symbols.class_parts import extension_functions, named_parts, whole_classes
from index.graph.symbols.lookup import NONE, Lookup, kinds, run_starts
from index.graph.symbols.numbering import Numbering
from index.segment.columns import Array
from index.segment.segment import Segment

_TEST = "test"  # the scope of what a test block defines


class SymbolTable(Numbering):
    """Look-ups give numbers. `outer` and `holds` are by qualified name: the name around it, whether a class has it."""

    def __init__(self, segment: Segment, imports: Imports) -> None:
        super().__init__(segment)
        self.imports = imports
        self.outer, self.holds = self._scopes()
        self.whole = whole_classes(self)
        self.extends = extension_functions(self)
        self.is_extension = np.zeros(self.definitions, bool)
        self.is_extension[self.extends[0]] = True
        self.is_module_named = self.files_where(lambda rules: rules.imports_by_name)
        self.parts = named_parts(self)
        self.members = self._members()
        self.classes = self._classes()
        self.typed = self._typed()

    def _scopes(self) -> tuple[Array, Array]:
        """By qualified name (the last place is -1's): the name around it, or -1, and whether it is that of a class."""
        outer = np.full(len(self.names) + 1, -1, np.int64)
        # What an extension in a class stands in (`Tests.Cart` of `fun Cart.fill()`) nobody defines.
        for name in np.setdiff1d(self.container, np.append(self.qualified, -1)).tolist():
            outer[name] = self.names.find(self.names[name].rpartition(".")[0])
        outer[self.qualified] = self.container
        holds = np.zeros(len(self.names) + 1, bool)
        holds[self.qualified[self.is_class]] = True
        return outer, holds

    def _members(self) -> Lookup:
        """The definitions of each file, package and (where the language lets it) family by container and name."""
        row = np.arange(self.definitions)
        package, family = self.package_place(self.file), self.family[self.file]
        wide = self.is_split | self.files_where(lambda rules: rules.program_wide)
        is_test = self.files_where(lambda rules: rules.file_is_class)[self.file]
        is_test &= (self.container == self.names.find(_TEST)) & (self.container >= 0)
        own = self.keys.of(self.file, self.container, self.name)
        # An `impl Foo` is looked up as the class Foo.
        held = ~kinds("section", "block", "impl")[self.kind] & ~is_test & self._holding(own)
        # Of the parts of a class one stands for it outside of its file; a function is a member of what it extends.
        main = held & (self.whole == row)
        extended = self.extends[1] != self.container[self.extends[0]]
        rows, extended_by = self.extends[0][extended], self.extends[1][extended]
        # What others call `cart.total` is `M.total` in the file of a module that is a table.
        table = held & self.files_where(lambda rules: rules.module_tables)[self.file] & self.holds[self.container]
        in_package, in_family = main & (package >= 0), main & wide[self.file]
        return Lookup(
            (own[held], row[held]),
            (self.keys.of(self.table_place(self.file[table]), -1, self.name[table]), row[table]),
            (self.keys.of(package, self.container, self.name)[in_package], row[in_package]),
            (self.keys.of(family, self.container, self.name)[in_family], row[in_family]),
            (self.keys.of(family[rows], extended_by, self.name[rows]), rows),
            (self.keys.of(self.file[self.parts[0]], -1, self.parts[1]), self.parts[0]),
        )

    def _holding(self, own: Array) -> Array:
        """Which definitions are not replaced by a later one of the same scope. A type and a value may share a name."""
        key = own * 2 + kinds("interface", "type")[self.kind]
        order = np.argsort(key, kind="stable")
        last = np.ones(len(own), bool)
        last[order[:-1]] = run_starts(key[order])[1:]
        return last | ~self.files_where(lambda rules: rules.redefines)[self.file]

    def _classes(self) -> Lookup:
        """The definitions that a class name means in a file, package or family."""
        row = np.flatnonzero(self.is_class)
        file, qualified, main = self.file[row], self.qualified[row], self.whole[row] == row
        package, family = self.package_place(file), self.family[file]
        in_package = main & (package >= 0)
        return Lookup(
            (self.keys.of(file, -1, qualified), row),
            (self.keys.of(package, -1, qualified)[in_package], row[in_package]),
            (self.keys.of(family, -1, qualified)[main], row[main]),
        )

    def _typed(self) -> Lookup:
        file = self.file_of("typed")
        container, name = (self.segment.array(f"typed.{part}").astype(np.int64) for part in ("container", "name"))
        row = self.first_typed + np.arange(len(file))
        own = self.keys.of(file, container, name)
        order = np.argsort(own, kind="stable")
        first = np.ones(len(own), bool)
        first[order] = run_starts(own[order])  # the first that says it is the declaration
        package = self.package_place(file)
        held = first & (container >= 0)
        wide, split = held & (package >= 0), held & self.is_split[file]
        return Lookup(
            (own[first], row[first]),
            (self.keys.of(package, container, name)[wide], row[wide]),
            (self.keys.of(self.family[file], container, name)[split], row[split]),
        )

    def class_at(self, file: Array, qualified: Array) -> Array:
        """The definition of a class as seen from a file: its own, its package's, the only one of the language."""
        if not len(self.classes.values):  # a tree without a class
            return np.full(len(file), NONE)
        own = self.keys.of(file, -1, qualified)
        rows = self.classes.find(own)
        rows = np.where(rows < NONE, self.classes.values[self.classes.place(own)[0]], rows)
        for place in (self.package_place(file), self.family[file]):
            open_ = (rows == NONE) & (place >= 0) & (qualified >= 0)
            rows[open_] = self.classes.find(self.keys.of(place[open_], -1, qualified[open_]))
        return np.where(rows < 0, NONE, self.whole[np.maximum(rows, 0)])
