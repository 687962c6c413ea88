"""Numbers the definitions and typed members of a tree, and looks up their names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from chunker.kinds import ROUTINES, TYPES, VALUES
from index.graph.import_files import Imports, file_modules
from index.graph.lookup import NONE, Lookup, is_any, kinds
from index.graph.path_ends import FileModules
from index.graph.places import Places
from index.segment.columns import SCHEMA, Array, Segment, begins_run, distinct

_IMPL = kinds("impl")
_TEST = "test"  # the scope of definitions in a test block


def spaces(segment: Segment, first: int = 0, last: int | None = None) -> Array:
    """Per definition from row `first` to `last`: the namespace directly around it that its qualified name omits, or
    -1."""
    run = slice(first, last)
    columns = ("container", "qualified", "kind", "line", "end_line")
    container, qualified, kind, line, end = (segment.array(f"definition.{column}")[run] for column in columns)
    file = np.searchsorted(segment.rows["definition"], np.arange(first, first + len(kind)), side="right") << 32
    # The members of a namespace follow it directly; other modules qualify the names of their members.
    rows = np.flatnonzero(kinds("module")[kind] & (np.append(container[1:], 0) < 0))
    around = np.full(len(kind), -1, np.int64)
    for row, stop in zip(rows.tolist(), np.searchsorted(file + line, (file + end)[rows], side="right"), strict=True):
        around[row + 1 : stop] = qualified[row]  # an inner one comes later and overwrites it
    return np.where(container < 0, around, -1)


class SymbolTable(Places):
    """Look-ups return numbers: definitions from 0, then those of `Places`, then typed members.

    `outer` and `holds` are indexed by qualified name: the enclosing name, and whether it is the name of a class.
    """

    def __init__(self, segment: Segment, imports: Imports) -> None:
        super().__init__(segment)
        self.names = segment.names
        self.name = segment.array("definition.name").astype(np.int64)
        self.qualified = segment.array("definition.qualified").astype(np.int64)
        self.kind = segment.array("definition.kind")
        self.space = spaces(segment)
        self.is_space = kinds("module")[self.kind] & np.isin(self.qualified, self.space)
        container = segment.array("definition.container").astype(np.int64)
        self._inside = self._names_inside_spaces(container)
        self.container = self._inside[container]
        self.file = self.file_of("definition")
        self.first_typed = self.first_package + len(self.packages)
        self.is_class = self._classes_and_tables()
        self.imports = imports
        self.outer, self.holds = self._scopes()
        self.whole = self._whole_classes()
        self.extends = self._extension_functions()
        self.is_extension = np.zeros(self.definitions, bool)
        self.is_extension[self.extends[0]] = True
        self.is_module_named = self.files_where(lambda rules: rules.imports_by_name)
        self.parts = self._named_parts()
        self.members = self._members()
        self.classes = self._classes()
        self.typed = self._typed()

    def modules_named(self, file: Array, steps: Array) -> tuple[Array, Array]:
        """The files that are the modules which the first steps of paths name, and the number of these steps."""
        words = [[self.names[step] for step in path if step >= 0] for path in steps[:, :2].tolist()]
        hits = [self.file_modules.find(own, *path) for own, path in zip(file.tolist(), words, strict=True)]
        answers, counts = np.array(hits, np.int64).reshape(-1, 2).T
        return np.where(answers < 0, NONE, answers + self.first_file), counts

    def key(self, place: Array | int, container: Array | int, name: Array) -> Array:
        """int64 per (place, container, name); the last two are positions in the vocabulary, -1 for no container."""
        size = len(self.names) + 1
        return np.asarray(place, np.int64) * size**2 + (container * size + size + 1) + name

    @cached_property
    def modules_of_words(self) -> dict[str, Array]:
        """For each word that stands for a module, int64 per file: the module that it means there, or NONE."""
        own = np.where(self.files_where(lambda rules: rules.module_words), np.arange(self.files), -1)
        files = {"crate": self.imports.root, "super": self.imports.around, "self": own}
        return {word: np.where(at < 0, NONE, at + self.first_file) for word, at in files.items()}

    @cached_property
    def file_modules(self) -> FileModules:
        """The files that are modules; few languages have any."""
        return file_modules(self.segment)

    def pointed(self, level: str, column: str, target: str, rows: Array) -> Array:
        """The rows of `target` that these rows point to; negative values stay as they are."""
        value = self.segment.array(f"{level}.{column}")[rows].astype(np.int64)
        first = self.segment.rows[target][self.files_at(level, rows)]
        return np.where(value < 0, value, value + first)

    def sources(self, references: Array) -> Array:
        """The symbol that each reference is in, or its file."""
        symbol = self.pointed("reference", "symbol", "definition", references)
        return np.where(symbol < 0, self.files_at("reference", references) + self.first_file, symbol)

    @cached_property
    def statements(self) -> Array:
        """int64 per imported name: its statement."""
        return self.segment.absolute("binding", "import", "import").astype(np.int64)

    @cached_property
    def _steps(self) -> Array:
        """int64 per chain: its names, -1 behind the last one; the last row is for no chain."""
        return np.column_stack([np.append(self.segment.array(f"chain.{part}"), -1) for part in SCHEMA["chain"]])

    @property
    def steps(self) -> Array:
        """int64 per chain: its names, -1 behind the last one."""
        return self._steps[:-1]

    def steps_of(self, chain: Array) -> Array:
        """The names of these chains, only -1 without a chain."""
        return self._steps[np.maximum(chain, -1)]

    def last_steps(self, chain: Array) -> Array:
        """The last name of each chain, -1 without a chain."""
        steps = self.steps_of(chain)
        count = (steps >= 0).sum(axis=1)
        return steps[np.arange(len(chain)), np.maximum(count, 1) - 1]

    @cached_property
    def last_names(self) -> Array:
        """The last part of each qualified name, -1 for other names; the last is for -1."""
        last = np.full(len(self.names) + 1, -1, np.int64)
        last[self.qualified] = self.name
        return last

    def scope_of(self, symbols: Array) -> Array:
        """The qualified names of these definitions, -1 for none."""
        return np.append(self.qualified, -1)[symbols]

    def is_definition(self, answers: Array, of: Array | None = None) -> Array:
        """bool per answer: whether it is a definition, of those in `of` (bool per definition)."""
        is_one: Array = (answers >= 0) & (answers < self.definitions)
        return is_one if of is None else np.append(of, False)[np.where(is_one, answers, -1)]

    def _names_inside_spaces(self, container: Array) -> Array:
        """For each name itself, or the name of the class (`Cart`) for a container that begins with a namespace (`void
        shop::Cart::add() {`); the last is for -1."""
        names = np.append(np.arange(len(self.names)), -1)
        spaces = {self.names[name] for name in distinct(self.name[self.is_space]).tolist()}
        for name in distinct(container[(container >= 0) & ~np.isin(container, self.qualified)]).tolist():
            parts = self.names[name].split(".")
            while len(parts) > 1 and parts[0] in spaces:
                del parts[0]
            inner = self.names.find(".".join(parts))
            names[name] = name if inner < 0 else inner
        return names

    def _classes_and_tables(self) -> Array:
        """bool per definition: classes, and others that have members: tables, objects, functions that construct one."""
        is_class: Array = kinds(*TYPES)[self.kind]
        constructs = kinds("function")[self.kind] & self.files_where(lambda rules: rules.closures)[self.file]
        rows = np.flatnonzero(kinds(*VALUES)[self.kind] | constructs)
        # A function inside the value of a variable is no member, except of a table.
        is_member = kinds("method")[self.kind] | self.files_where(lambda rules: rules.module_tables)[self.file]
        is_member |= self.is_apart
        owners = self.key(self.file, -1, self.container)[is_member & (self.container >= 0)]
        own = self.key(self.file, -1, self.qualified)
        # Not if a class has the same name: `Cart = Struct.new(:total)` before `class Cart`.
        is_class[rows] |= is_any(own[rows], owners) & ~is_any(own[rows], own[is_class])
        return is_class

    def _scopes(self) -> tuple[Array, Array]:
        """By qualified name (the last entry is for -1): the enclosing name or -1, and whether it names a class."""
        outer = np.full(len(self.names) + 1, -1, np.int64)
        # The container of an extension in a class (`Tests.Cart` of `fun Cart.fill()`) has no definition.
        undefined = self.container[(self.container >= 0) & ~np.isin(self.container, self.qualified)]
        for name in distinct(undefined).tolist():
            outer[name] = self.names.find(self.names[name].rpartition(".")[0])
        # A function of a module elsewhere (`Base.show(cart) = 1`) does not see the names of that module.
        is_far = self.files_where(lambda rules: rules.imports_by_name)[self.file]
        is_far &= ~np.isin(self.container, self.qualified)
        outer[self.qualified] = np.where(is_far, -1, self.container)
        holds = np.zeros(len(self.names) + 1, bool)
        holds[self.qualified[self.is_class]] = True
        return outer, holds

    @cached_property
    def main_table(self) -> Array:
        """Per file, the table with the most members in languages whose modules are tables, or NONE."""
        main = np.full(self.files, NONE, np.int64)
        rows = np.flatnonzero(self.is_class & self.files_where(lambda rules: rules.module_tables)[self.file])
        rows = rows[np.lexsort((-rows, self._member_counts(rows)))]
        main[self.file[rows]] = rows
        return main

    @cached_property
    def constructed(self) -> Array:
        """Per definition, the class of a constructor that has the name of its class, or NONE; the last is for -1."""
        answers = np.full(self.definitions + 1, NONE, np.int64)
        own, around = self.key(0, self.qualified, self.name), self.key(0, self.container, self.name)
        is_method = kinds(*ROUTINES)[self.kind] & (self.container >= 0)
        rows = np.flatnonzero(is_method & is_any(around, own[self.is_class & ~kinds("module")[self.kind]]))
        answers[rows] = self.class_at(self.file[rows], self.container[rows])
        return answers

    @cached_property
    def is_part_of_package(self) -> Array:
        """bool per definition: whether its members are the names of its package: namespaces, modules that are
        folders."""
        declares_package = self.files_where(lambda rules: rules.package == "declared")[self.file]
        has_folder = self.files_where(lambda rules: rules.module_folders)[self.file]
        is_part: Array = (self.is_space & declares_package) | (kinds("module")[self.kind] & has_folder)
        return is_part

    @cached_property
    def is_apart(self) -> Array:
        """bool per definition: whether code inside its container does not see it: a method, `Cart.total = () => 1`."""
        is_apart: Array = self.files_where(lambda rules: rules.closures)[self.file] & (self.container >= 0)
        rows = np.flatnonzero(is_apart & ~kinds("method")[self.kind])
        # Around it is the last definition of its container's name before it; a file may have 10,000 of that name.
        named = self.key(self.file, -1, self.qualified), self.key(self.file[rows], -1, self.container[rows])
        size, number = self.definitions, np.unique(np.concatenate(named), return_inverse=True)[1]
        places = np.sort(number[:size] * size + np.arange(size))
        around = places[np.searchsorted(places, number[size:] * size + rows) - 1]
        line, end = (self.segment.array(f"definition.{column}") for column in ("line", "end_line"))
        is_inside = (around // size == number[size:]) & (line[rows] <= end[around % size])
        is_apart[rows[is_inside]] = False
        return is_apart

    @cached_property
    def holds_names(self) -> Array:
        """Like `holds`, for modules: their members see each other."""
        holds = np.zeros(len(self.names) + 1, bool)
        holds[self.qualified[kinds("module")[self.kind]]] = True
        return holds

    @cached_property
    def attributes(self) -> Array:
        """Ascending keys of what macros define in classes with mixins (`attr_reader :total`), by family."""
        file = self.file_of("minor")
        container, name = (self.segment.array(f"minor.{part}").astype(np.int64) for part in ("container", "name"))
        key = self.key(self.family[file], container, name)
        return distinct(key[self.files_where(lambda rules: rules.mixins)[file]])

    def _members(self) -> Lookup:
        """The definitions of each file, package and (if the language allows) family, by container and name."""
        row = np.arange(self.definitions)
        family = self.family[self.file]
        wide = (self.is_split | self.files_where(lambda rules: rules.program_wide))[self.file]
        # A page (`edit`) is no component that other files name.
        pages = np.flatnonzero(wide & self.files_where(lambda rules: bool(rules.markup))[self.file])
        wide[pages] = [self.names[name][:1].isupper() for name in self.name[pages].tolist()]
        is_test = self.files_where(lambda rules: rules.file_is_class)[self.file]
        is_test &= (self.container == self.names.find(_TEST)) & (self.container >= 0)
        own = self.key(self.file, self.container, self.name)
        # An `impl Foo` is looked up as the class Foo.
        is_member = ~kinds("section", "block", "impl")[self.kind] & ~is_test & self._is_last(own)
        # Outside its file, one part of a class represents it; a function is a member of the type that it extends.
        main = is_member & (self.whole == row)
        extended = self.extends[1] != self.container[self.extends[0]]
        rows, extended_by = self.extends[0][extended], self.extends[1][extended]
        # In languages whose modules are tables, a file defines `M.total` and other files use it as `cart.total`.
        table = is_member & self.files_where(lambda rules: rules.module_tables)[self.file] & self.holds[self.container]
        # Members of namespaces (`ns::f`), and a namespace declared as `outer::inner` by its last part (`inner::f`).
        spaced, inner = main & (self.space >= 0), main & self.is_space & (self.container >= 0)
        without_package = self.packages.root_of_file[self.file]
        root = np.flatnonzero(main & (self.container < 0) & (without_package >= 0))
        return Lookup(
            *self._visible(self.file, self.container, self.name, row, (is_member, main, main & wide)),
            (self.key(self.files + without_package[root], -1, self.name[root]), root),
            (self.key(self.table_place(self.file[table]), -1, self.name[table]), row[table]),
            (self.key(family[rows], extended_by, self.name[rows]), rows),
            (self.key(family[spaced], self.space[spaced], self.name[spaced]), row[spaced]),
            (self.key(family[inner], -1, self.name[inner]), row[inner]),
            (self.key(self.file[self.parts[0]], -1, self.parts[1]), self.parts[0]),
        )

    def _visible(
        self, file: Array, container: Array | int, name: Array, row: Array, masks: tuple[Array, Array, Array]
    ) -> Iterator[tuple[Array, Array]]:
        """Keys and rows as seen from file, package and family, each limited by its mask."""
        for place, mask in zip((file, self.package_place(file), self.family[file]), masks, strict=True):
            at = np.flatnonzero(mask & (place >= 0))
            yield self.key(place, container, name)[at], row[at]

    def _is_last(self, own: Array) -> Array:
        """bool per definition: no later one in its scope replaces it. A type and a value may share a name."""
        key = own * 2 + kinds("interface", "type")[self.kind]
        order = np.argsort(key, kind="stable")
        last = np.ones(len(own), bool)
        last[order[:-1]] = begins_run(key[order])[1:]
        return last | ~self.files_where(lambda rules: rules.redefines)[self.file]

    def _classes(self) -> Lookup:
        """The definitions that a class name means in a file, package or family: an `impl` only if there is no class."""
        row = np.flatnonzero(self.is_class)
        row = row[np.argsort(_IMPL[self.kind[row]], kind="stable")]
        is_impl, name = _IMPL[self.kind[row]], self.key(self.family[self.file[row]], -1, self.qualified[row])
        main = (self.whole[row] == row) & ~(is_impl & is_any(name, name[~is_impl]))
        return Lookup(*self._visible(self.file[row], -1, self.qualified[row], row, (main | True, main, main)))

    def _typed(self) -> Lookup:
        file = self.file_of("typed")
        container, name = self._typed_names
        row = self.first_typed + np.arange(len(file))
        own = self.key(file, container, name)
        first = np.zeros(len(own), bool)
        first[np.unique(own, return_index=True)[1]] = True  # the first one is the declaration
        first &= ~is_any(own, self._overloaded(own, file, container, name))
        wide = first & (container >= 0)
        split = np.flatnonzero(wide & self.is_split[file])
        chain = self.pointed("typed", "chain", "chain", split)
        # The declaration of a method and its definition, in two files, mostly say the same.
        same = np.column_stack(
            [self.key(self.family[file[split]], container[split], name[split]), self.steps_of(chain)]
        )
        is_shown = np.zeros(len(file), bool)
        is_shown[split[np.unique(same, axis=0, return_index=True)[1]]] = True
        return Lookup(*self._visible(file, container, name, row, (first, wide, is_shown)))

    def _overloaded(self, own: Array, file: Array, container: Array, name: Array) -> Array:
        """The keys of overloads with different results, of which a call may give any: of equal ones, a file has one."""
        symbol = self.pointed("typed", "symbol", "definition", np.arange(len(own)))
        at = np.flatnonzero((symbol >= 0) & self.files_where(lambda rules: rules.overloads)[file])
        symbol = symbol[at]
        is_result = (self.name[symbol] == name[at]) & (self.container[symbol] == container[at])
        is_prototype = self.qualified[symbol] == container[at]
        keys = [np.sort(own[at[rows]]) for rows in (is_result, is_prototype)]
        return np.concatenate([one[~begins_run(one)] for one in keys])

    def typed_owner(self, typed: Array) -> Array:
        """The classes of these typed members, or NONE."""
        row = typed - self.first_typed
        return self.class_at(self.files_at("typed", row), self._typed_names[0][row])

    @cached_property
    def _typed_names(self) -> tuple[Array, Array]:
        """int64 per typed name: its container and the name."""
        container, name = (self.segment.array(f"typed.{part}").astype(np.int64) for part in ("container", "name"))
        return self._inside[container], name

    @cached_property
    def is_namesake(self) -> Array:
        """bool per number: whether it is a member named like its type; the last entry, for no answer, is False."""
        steps = self.steps_of(self.pointed("typed", "chain", "chain", np.arange(len(self._typed_names[1]))))
        typed = (steps[:, 0] == self._typed_names[1]) & (steps[:, 1] < 0)
        row = self.typed.find(self.key(self.file, self.container, self.name))
        member = np.append(typed, False)[np.where(row < 0, -1, row - self.first_typed)]
        return np.concatenate([member, np.zeros(self.first_typed - self.definitions, bool), typed, [False]])

    def _whole_classes(self) -> Array:
        """int64 per definition: for a part of a class the part that represents the class, for anything else itself.

        A class is represented by its part in the file of its name, or else by the one with the most members; what only
        extends it represents no class that the tree defines.
        """
        whole = np.arange(self.definitions)
        reopens = self.files_where(lambda rules: rules.reopens_classes)[self.file]
        rows = np.flatnonzero(self.is_class & (reopens | self.is_space))
        file, qualified = self.file[rows], self.qualified[rows]
        # If files declare packages, all parts of a class are in one package.
        is_declared = self.files_where(lambda rules: rules.package == "declared")[file]
        place = np.where(is_declared, self.package_place(file), self.family[file])
        home = np.array([self._home(row) for row in rows.tolist()], np.int64)
        key = self.key(place, -1, qualified)
        order = np.lexsort((rows, -self._member_counts(rows), -home, _IMPL[self.kind[rows]], key))
        first = begins_run(key[order])
        whole[rows[order]] = rows[order][np.flatnonzero(first)[np.cumsum(first) - 1]]
        return whole

    def _member_counts(self, rows: Array) -> Array:
        """How many members each of these definitions has in its file."""
        members = Lookup((self.key(self.file, -1, self.container), np.arange(self.definitions)))
        return members.place(self.key(self.file[rows], -1, self.qualified[rows]))[1]

    def _home(self, row: int) -> int:
        """How likely the file of this definition is the home of the class: 1 if it is named after the class, 2 more if
        it is for all platforms."""
        path = self.paths[int(self.file[row])]
        stem = path.rpartition("/")[2].partition(".")[0]
        is_namesake = stem.replace("_", "").lower() == self.names[int(self.name[row])].replace("_", "").lower()
        return is_namesake + 2 * ("/commonMain/" in path)

    def _extension_functions(self) -> tuple[Array, Array]:
        """(definitions that extend a class defined elsewhere, the name of that class), by their scope or by a
        parameter's type."""
        is_function = kinds(*ROUTINES)[self.kind]
        by_scope = self.files_where(lambda rules: rules.extensions_by == "scope")[self.file]
        # A method of what has no definition here extends it inside the class around it.
        is_member = kinds("method")[self.kind] & ~np.isin(self.container, self.qualified)
        rows = np.flatnonzero((kinds("function")[self.kind] | is_member) & by_scope & (self.container >= 0))
        # A nested function has a scope too, but extends nothing.
        around = distinct(self.key(self.file, -1, self.qualified)[is_function & by_scope])
        rows = rows[~is_any(self.key(self.file[rows], -1, self.container[rows]), around)]
        by_parameter = self.files_where(lambda rules: rules.extensions_by == "parameter")
        typed = np.flatnonzero(by_parameter[self.file_of("typed")])
        symbol = self.pointed("typed", "symbol", "definition", typed)
        typed, symbol = typed[symbol >= 0], symbol[symbol >= 0]
        container, name = (column[typed] for column in self._typed_names)
        apart = (name == self.name[symbol]) & (container != self.container[symbol]) & is_function[symbol]
        return np.concatenate([rows, symbol[apart]]), np.concatenate([self.container[rows], container[apart]])

    def _named_parts(self) -> tuple[Array, Array]:
        """(types, the names of their constructors and fields) in languages in which these names mean the type."""
        applies = self.files_where(lambda rules: rules.constructors_mean_types)
        typed_file = self.file_of("typed")
        container, name = self._typed_names
        at = np.flatnonzero(applies[typed_file] & (container >= 0))
        type_ = self._by_name(applies, "type").find(self.key(typed_file[at], -1, container[at]))
        good = (type_ >= 0) & (name[at] != self.name[np.maximum(type_, 0)])
        span = len(self.names) + 1
        pairs = distinct(type_[good] * span + name[at[good]])
        # The methods of a class of types are functions of the file.
        methods = np.flatnonzero(applies[self.file] & (self.container >= 0))
        around = self._by_name(applies, "trait").find(self.key(self.file[methods], -1, self.container[methods]))
        line, end = (self.segment.array(f"definition.{column}") for column in ("line", "end_line"))
        methods = methods[(around >= 0) & (line[around] <= line[methods]) & (line[methods] <= end[around])]
        return np.append(pairs // span, methods), np.append(pairs % span, self.name[methods])

    def _by_name(self, files: Array, kind: str) -> Lookup:
        """The definitions of a kind in some files (bool per file), by file and qualified name."""
        rows = np.flatnonzero(files[self.file] & kinds(kind)[self.kind])
        return Lookup((self.key(self.file[rows], -1, self.qualified[rows]), rows))

    def class_at(self, file: Array, qualified: Array) -> Array:
        """The definition of a class as seen from a file: its own, its package's, or the only one of the family."""
        if not len(qualified):
            return np.zeros(0, np.int64)
        own = self.key(file, -1, qualified)
        rows = self.classes.find(own)
        rows = np.where(rows < NONE, self.classes.first(own), rows)
        for place in (self.package_place(file), self.family[file]):
            open_ = (rows == NONE) & (place >= 0) & (qualified >= 0)
            rows[open_] = self.classes.find(self.key(place[open_], -1, qualified[open_]))
        return np.where(rows < 0, NONE, self.whole[np.maximum(rows, 0)])

    def extension_at(self, file: Array, name: Array) -> Array:
        """What the files of a family add to a type of a library (`extension Font { ... }`), by the type's name."""
        # In languages with words for modules, these are the methods of traits: any type may have them.
        applies = self.is_split & ~self.files_where(lambda rules: rules.module_words)
        row = np.where(applies[file], self.classes.first(self.key(self.family[file], -1, name)), NONE)
        return np.where(np.append(_IMPL[self.kind], False)[row], row, NONE)
