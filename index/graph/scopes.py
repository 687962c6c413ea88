"""Looks up names by lexical scope, imports and packages, and members of classes, files and packages.

All functions take arrays of questions. An answer is a number of the `SymbolTable`, NONE, MANY or an ambiguous number
(see `Lookup.find`); a wider scope is searched only if a narrower one has no answer.
"""

from __future__ import annotations

from functools import cache
from pathlib import PurePosixPath

import numpy as np

from chunker.kinds import JOINT
from chunker.languages.table import LanguageRules
from chunker.model import OWN, SHOWN
from contracts.frozen import frozen
from index.graph.import_scopes import modules, root_modules, wildcards
from index.graph.lookup import MANY, MAX_CANDIDATES, NONE, Lookup, fill, is_any, kinds, sole
from index.graph.symbol_table import SymbolTable
from index.segment.columns import Array, distinct, spread
from index.types import FileId

SCOPES = 5  # nesting levels that are searched: functions in functions in classes
# Bases per class at each level of inheritance, which also end cycles. One that is made of the parts of a program has
# many bases; further up, their number multiplies.
_BASES = (40, 40, 8, 8, 8, 8, 8, 8)
_ALIASES = 6  # re-exports of re-exports
_MAX_SHOWN = 64  # definitions of one name (of more, none is looked at) and wildcards of a file


@frozen
class ResolvedNames:
    """Names resolved before the references: imported names, the bases of classes (CSR), and the types of members.

    They are stored for the next generation: an edit of a body in a small tree takes 51 ms with them, 65 without.
    """

    bound: Array
    bases_from: Array
    bases: Array
    values: Array


class Scopes:
    """Answers questions about one tree. `bases`: for each class, the rows of its bases (CSR); empty at first."""

    def __init__(self, table: SymbolTable, resolved: ResolvedNames | None = None) -> None:
        self.table = table
        segment = table.segment
        self.bases: tuple[Array, Array] = (np.zeros(table.definitions + 1, np.int64), np.zeros(0, np.int64))
        local = segment.array("binding.local").astype(np.int64)
        # Top-level definitions of files, by family and name.
        is_top = (table.container < 0) | (table.is_module_named[table.file] & np.isin(table.container, table.qualified))
        top = np.flatnonzero(is_top & (table.whole == np.arange(table.definitions)))
        top = top[~kinds("section", "block", "impl")[table.kind[top]]]
        parts, part_names = table.parts
        rows, names = np.append(top, parts), np.append(table.name[top], part_names)
        self._tops = Lookup((self.table.key(table.family[table.file[rows]], -1, names), rows))
        module = modules(table)
        self._wild = wildcards(table, module)
        self._wild_parts = wildcards(table, module, parts=True) if len(parts) else self._wild
        self._sources = owner = module[table.statements]
        is_star = local == table.names.find("*")
        stars = np.flatnonzero(is_star & table.is_definition(owner))  # `import static com.shop.Cart.*`
        self._wildcard_classes = Lookup((table.files_at("binding", stars), owner[stars]))
        rows = np.flatnonzero(~is_star)
        self._binding_rows = self._by_name(rows, local)
        self._place_shown(rows, local, module)
        extending = table.extends[0]
        own = table.key(table.family[table.file[extending]], -1, table.name[extending])
        self._extensions = Lookup((own, extending))
        # A name that is also a method may be the method of a type outside the tree.
        self._only_extends = np.ones(len(table.names), bool)
        self._only_extends[table.name[~table.is_extension & (table.container >= 0)]] = False
        # Modules by enclosing module, for those that no parsed statement declares (`cfg! { mod util; }`).
        inner = np.flatnonzero(table.imports.around >= 0)
        stems = [_module_name(PurePosixPath(table.paths[row]), table.rules(FileId(row))) for row in inner.tolist()]
        names = np.array([table.names.find(stem) for stem in stems], np.int64)
        self._inner = Lookup((table.key(table.imports.around[inner], -1, names), inner + table.first_file))
        self._crates = root_modules(table)
        self.bound = np.full(len(local), NONE, np.int64)
        self._exports = np.array([table.names.find(word) for word in ("default", "module.exports")], np.int64)
        self.whole = np.full(table.files, NONE, np.int64)
        if resolved is None:
            self._bind(rows, local, owner)
        else:
            self.bound, self.bases = resolved.bound, (resolved.bases_from, resolved.bases)
        self.whole = self._wholes()

    def _by_name(self, rows: Array, local: Array) -> Lookup:
        return Lookup((self.table.key(self.table.files_at("binding", rows), -1, local[rows]), rows))

    def _place_shown(self, rows: Array, local: Array, module: Array) -> None:
        """Find the names that files import and show to files that import all of them; in languages with words for
        modules, they show private ones to the modules inside them."""
        table = self.table
        reach = table.segment.array("binding.reach")
        pairs = wildcards(table, module, shown=True)
        file = table.file_of("binding")
        is_shown = reach == SHOWN
        self._is_shown = np.append(is_shown, False)  # the last for -1
        is_private = (reach == OWN) & table.files_where(lambda rules: rules.module_words)[file]
        rows = rows[(is_shown | is_private)[rows] & np.isin(file[rows], pairs % table.files)]
        self._shown_rows = self._by_name(rows[np.argsort(~is_shown[rows], kind="stable")], local)
        self._shows = pairs[np.isin(pairs % table.files, file[rows])]
        around, other = np.divmod(self._shows, table.files)
        self._shows_of = Lookup((around, np.arange(len(around))))
        self._is_inside = np.zeros(len(around), bool)
        for _ in range(SCOPES):
            around = np.where(around < 0, -1, table.imports.around[around])
            self._is_inside |= around == other

    def bare_names(self, file: Array, scope: Array, name: Array) -> Array:
        """The answers to bare names in a file inside `scope` (a qualified name, -1 at top level)."""
        answers = self._lexical(file, scope, name)
        # Beside an import, only a member can have its name: `exports.merge = function () {}`.
        fill(answers, self.imported, file, name, where=self.table.files_where(lambda rules: rules.closures)[file])
        for ask in (self._exported, self._in_wildcard_class, self._in_package, self._in_program):
            fill(answers, ask, file, name)
        # A part of a class in this file means the whole class.
        rows = np.flatnonzero(self.table.is_definition(answers))
        answers[rows] = self.table.whole[answers[rows]]
        return self._types_of_namesakes(answers, file, scope, name)

    def _types_of_namesakes(self, answers: Array, file: Array, scope: Array, name: Array) -> Array:
        """The answers, with the type in place of a member that has its name (`public Cart Cart { get; }`)."""
        at = np.flatnonzero((scope >= 0) & self.table.is_namesake[np.maximum(answers, -1)])
        if len(at):
            types = self.bare_names(file[at], self.table.outer[scope[at]], name[at])
            is_type = self.table.is_definition(types, self.table.is_class)
            answers[at[is_type]] = types[is_type]
        return answers

    def _lexical(self, file: Array, scope: Array, name: Array) -> Array:
        """Search the enclosing scopes; in languages with implicit self, also the members of the class."""
        table = self.table
        answers = np.full(len(name), NONE, np.int64)
        implicit = table.files_where(lambda rules: rules.implicit_self)[file]
        has_closures = table.files_where(lambda rules: rules.closures)[file]
        for _ in range(SCOPES):
            inside = scope >= 0
            if not inside.any():
                break
            is_class = table.holds[scope]
            is_open = ~is_class | (table.holds_names[scope] & ~implicit) | has_closures
            fill(answers, self._nested_in, file, scope, name, where=inside & is_open)
            fill(answers, self.member_at, file, scope, name, where=inside & is_class & implicit)
            scope = np.where(inside, table.outer[scope], -1)
        # A name alone means a module inside a module of the file, but none that only shares a part of its full name.
        named = np.flatnonzero(table.is_definition(answers, table.is_class) & table.is_module_named[file])
        row, file = answers[named], file[named]
        is_inside = table.classes.find(table.key(file, -1, table.container[row])) != NONE
        answers[named[~is_inside | (table.file[row] != file)]] = NONE
        return answers

    def _defined_in(self, place: Array, scope: Array, name: Array) -> Array:
        return self.table.members.find(self.table.key(place, scope, name))

    def _nested_in(self, file: Array, scope: Array, name: Array) -> Array:
        hits = self._defined_in(file, scope, name)
        return np.where(self.table.is_definition(hits, self.table.is_apart), NONE, hits)

    def _top(self, place: Array, name: Array) -> Array:
        return self.table.members.find(self.table.key(place, -1, name))

    def _typed_in(self, place: Array, scope: Array, name: Array) -> Array:
        """Like `_defined_in`, but several declarations of a type are no answer."""
        hits = self.table.typed.find(self.table.key(place, scope, name))
        return np.where(hits < NONE, MANY, hits)

    def _exported(self, file: Array, name: Array) -> Array:
        """Search the top level of a file: names that it defines, imports, types or sees by wildcard, and modules."""
        answers, is_export = self._top(file, name), (name == self._exports[0]) | (name == self._exports[1])
        fill(answers, self.imported, file, name)
        fill(answers, self._export, file, name, where=is_export)
        typed = self.table.typed
        fill(answers, lambda file, name: typed.find(self.table.key(file, -1, name)), file, name, where=~is_export)
        fill(answers, self._by_wildcard, file, name)
        fill(answers, self._shown_by_wildcard, file, name)
        has_words = self.table.files_where(lambda rules: rules.module_words)
        fill(answers, self._module_of_word, file, name, where=has_words[file])
        fill(answers, lambda file, name: sole(self._inner.find(self.table.key(file, -1, name))), file, name)
        return answers

    def _export(self, file: Array, name: Array) -> Array:
        """The definition that a file exports by default or as a whole."""
        table = self.table
        typed = table.typed.first(table.key(file, -1, name))
        own, rows = np.full(len(name), -1), np.flatnonzero(typed >= 0)
        own[rows] = table.last_steps(table.pointed("typed", "chain", "chain", typed[rows] - table.first_typed))
        answers = self._top(file, own)
        fill(answers, self.imported, file, own)
        return answers

    def _wholes(self) -> Array:
        """By file, the definition that it exports as a whole (`module.exports = Cart`), or NONE."""
        table, name = self.table, self._exports[1]
        exports = self._exported(np.arange(table.files), np.full(table.files, name))
        rows = np.flatnonzero(table.qualified == name)
        exports[table.file[rows]] = rows
        return np.where(table.is_definition(exports), exports, NONE)

    def _module_of_word(self, file: Array, name: Array) -> Array:
        """The module that `crate`, `super` or `self` means in a file of a language with these words."""
        table, answers = self.table, self._crates[name]
        for word, modules_of in table.modules_of_words.items():
            answers = np.where((name == table.names.find(word)) & (modules_of[file] >= 0), modules_of[file], answers)
        return answers

    def imported(self, file: Array, name: Array) -> Array:
        row = self._binding_rows.first(self.table.key(file, -1, name))
        return np.where(row >= 0, np.append(self.bound, NONE)[row], NONE)

    def _by_wildcard(self, file: Array, name: Array) -> Array:
        table = self.table
        ask, row = self._tops.all(self.table.key(table.family[file], -1, name), _MAX_SHOWN)
        pair = file[ask] * table.files + table.file[row]
        is_part = (table.name[row] != name[ask]) | (table.container[row] >= 0)
        is_shown = _holds(self._wild, pair) | (is_part & _holds(self._wild_parts, pair))
        return self._unanimous(ask[is_shown], row[is_shown], name, table.file)

    def _shown_by_wildcard(self, file: Array, name: Array) -> Array:
        """A name that files show which the file imports by wildcard. One from outside the tree counts as different."""
        table = self.table
        ask, pair = self._shows_of.all(file, _MAX_SHOWN)
        row = self._shown_rows.first(table.key(self._shows[pair] % table.files, -1, name[ask]))
        good = (row >= 0) & (self._is_shown[row] | self._is_inside[pair])
        return _agreed(ask[good], self.bound[row[good]], len(name))

    def _in_wildcard_class(self, file: Array, name: Array) -> Array:
        """A member of a class whose members the file imports by wildcard; the first class that has it, of the
        first that are imported."""
        answers = np.full(len(name), NONE, np.int64)
        start, count = self._wildcard_classes.place(file)
        for place in range(min(int(count.max(initial=0)), _MAX_SHOWN)):
            row = np.where(count > place, start, 0) + place
            fill(answers, self.member, self._wildcard_classes.values[row], name, where=count > place)
        return answers

    def _in_package(self, file: Array, name: Array) -> Array:
        """Search the file's package, then the enclosing packages."""
        table = self.table
        answers = np.full(len(name), NONE, np.int64)
        package = table.packages.of_file[file]
        for _ in range(SCOPES):
            fill(answers, self._top, package + table.files, name, where=package >= 0)
            package = np.where(package < 0, -1, np.append(table.packages.around, -1)[package])
        return answers

    def _in_program(self, file: Array, name: Array) -> Array:
        hits = self._top(self.table.family[file], name)
        return np.where(self.table.files_where(lambda rules: rules.program_wide)[file], hits, NONE)

    def member_at(self, file: Array, qualified: Array, name: Array) -> Array:
        """A member of the class with this qualified name, as a file sees it: its own or an inherited one."""
        answers = self._own_member(file, qualified, name)
        fill(answers, self.inherited_at, file, qualified, name, where=~self._hides(file, qualified, name))
        return answers

    def inherited_at(self, file: Array, qualified: Array, name: Array) -> Array:
        return self.inherited(self.table.class_at(file, qualified), name)

    def _own_member(self, file: Array, qualified: Array, name: Array) -> Array:
        table = self.table
        answers = np.full(len(name), NONE, np.int64)
        family = np.where(table.is_split[file], table.family[file], -1)
        for look_up in (self._defined_in, self._typed_in):
            for place in (file, table.package_place(file), family):
                fill(answers, look_up, place, qualified, name, where=place >= 0)
        return answers

    def _hides(self, file: Array, qualified: Array, name: Array) -> Array:
        """bool per name: whether the class has an attribute of this name, which is no symbol, but hides a method."""
        return _holds(self.table.attributes, self.table.key(self.table.family[file], qualified, name))

    def inherited(self, row: Array, name: Array) -> Array:
        """A member from the nearest base class that has it, or else from the nearest interface; of one class, the first
        base. `row`: classes, -1 for none."""
        answers = np.full(len(row), NONE, np.int64)
        late = self._climb(answers, np.flatnonzero(row >= 0), row, name, kinds("interface"))
        self._climb(answers, late[answers[late] == NONE], row, name, kinds())
        return answers

    def _climb(self, answers: Array, ask: Array, row: Array, name: Array, without: Array) -> Array:
        """Write the answers of the nearest bases, and return the questions about classes with bases of a kind that is
        left out (`without`: bool per kind)."""
        table = self.table
        indptr, targets = self.bases
        row, late = row[ask], [ask[:0]]
        for most in _BASES:
            count = np.minimum(indptr[row + 1] - indptr[row], most)
            ask, row = np.repeat(ask, count), targets[spread(indptr[row], count)]
            is_out = without[table.kind[row]]
            late.append(ask[is_out])
            ask, row = ask[~is_out], row[~is_out]
            if not len(ask):
                break
            _write_firsts(answers, ask, self._own_member(table.file[row], table.qualified[row], name[ask]))
            open_ = (answers[ask] == NONE) & ~self._hides(table.file[row], table.qualified[row], name[ask])
            pairs = distinct(ask[open_] * (table.definitions + 1) + row[open_])
            ask, row = pairs // (table.definitions + 1), pairs % (table.definitions + 1)
        return distinct(np.concatenate(late))

    def overridden(self, rows: Array) -> tuple[Array, Array]:
        """(position in `rows`, definition) of what members of classes hide: all overloads in the nearest base class
        that has the name."""
        table = self.table
        is_member = table.holds[table.container[rows]]
        owner = np.where(is_member, table.class_at(table.file[rows], table.container[rows]), NONE)
        base = self.inherited(owner, table.name[rows])
        at, overloads = table.members.among(base, MAX_CANDIDATES)
        one = np.flatnonzero(table.is_definition(base))
        return np.append(one, at), np.append(base[one], overloads)

    def member(self, owner: Array, name: Array) -> Array:
        """The answers to `owner.name`: a member of a class, or a top-level name of a file or package."""
        table = self.table
        answers = np.full(len(name), NONE, np.int64)
        is_file = (owner >= table.first_file) & (owner < table.first_package)
        is_package = (owner >= table.first_package) & (owner < table.first_typed)
        fill(answers, self._of_class, owner, name, where=table.is_definition(owner, table.is_class))
        fill(answers, self._of_space, owner, name, where=table.is_definition(owner, table.is_part_of_package))
        # What is inside a function may be a member of its result.
        rows = np.flatnonzero(table.is_definition(owner, ~table.is_class))
        answers[rows] = self._defined_in(table.file[owner[rows]], table.qualified[owner[rows]], name[rows])
        fill(answers, self._of_file, owner - table.first_file, name, where=is_file)
        fill(answers, self._top, owner - table.first_package + table.files, name, where=is_package)
        return answers

    def _of_class(self, row: Array, name: Array) -> Array:
        return self.member_at(self.table.file[row], self.table.qualified[row], name)

    def _of_space(self, row: Array, name: Array) -> Array:
        """A name of the package that a namespace or package object is a part of; of a module, those of the program."""
        file = self.table.file[row]
        answers = self._top(self.table.package_place(file), name)
        has_folder = self.table.files_where(lambda rules: rules.module_folders)
        fill(answers, self._in_program, file, name, where=has_folder[file])
        return answers

    def _of_file(self, file: Array, name: Array) -> Array:
        """A top-level name of a file."""
        answers, whole = self._top(self.table.table_place(file), name), self.whole[file]
        fill(answers, self._of_class, whole, name, where=self.table.is_definition(whole, self.table.is_class))
        for ask in (self._exported, self._in_wildcard_class):
            fill(answers, ask, file, name)
        return answers

    def _bind(self, rows: Array, local: Array, owner: Array) -> None:
        """Resolve each imported name. `rows`: the bindings that are not wildcards."""
        table = self.table
        target = table.segment.array("binding.target").astype(np.int64)
        for _ in range(2):  # the second time with modules that have another name
            is_whole = target[rows] == table.names.find("")
            self.bound[rows[is_whole]] = owner[rows[is_whole]]
            members = rows[~is_whole & (owner[rows] >= 0)]
            self._follow_exports(members, owner, target)
            self._find_modules(rows, owner)
            # What a file exports as its default mostly has the name under which it is imported.
            default = members[(self.bound[members] == NONE) & (target[members] == table.names.find("default"))]
            self.bound[default] = self.member(owner[default], local[default])
        inner = table.imports.names.astype(np.int64)
        missing = rows[(self.bound[rows] == NONE) & (inner[rows] >= 0)]
        self.bound[missing] = inner[missing] + table.first_file
        default = default[self.bound[default] == NONE]
        self.bound[default] = owner[default]
        self._follow_exports(members, owner, target)
        # An extension function is imported by its own name, not by the name of the type that it extends.
        extended = members[self.bound[members] == NONE]
        extended = extended[table.files_where(lambda rules: rules.imports_members)[table.files_at("binding", extended)]]
        self.bound[extended] = self.extension(table.files_at("binding", extended), target[extended])
        # An import from outside the tree hides definitions of the same name inside it.
        self.bound[rows[self.bound[rows] == NONE]] = MANY

    def _find_modules(self, rows: Array, owner: Array) -> None:
        """Fill in modules with a name of a file: of `use crate::cart::Item`, after `pub use shop_cart as cart`."""
        table = self.table
        file, statement = table.files_at("binding", rows), table.statements[rows]
        has_words = table.files_where(lambda rules: rules.module_words)[file]
        at = np.flatnonzero((owner[rows] == NONE) & has_words)
        text = table.segment.array("import.module")[statement[at]].astype(np.int64)
        pairs, place = np.unique(np.column_stack([file[at], text]), axis=0, return_inverse=True)
        paths = [table.names[number].removeprefix("::").split("::")[:_ALIASES] for number in pairs[:, 1].tolist()]
        steps = np.full((len(pairs), _ALIASES), -1, np.int64)
        for row, path in enumerate(paths):
            steps[row, : len(path)] = [table.names.find(step) for step in path]
        answers = self._exported(pairs[:, 0], steps[:, 0])
        for word, modules_of in table.modules_of_words.items():
            heads = np.flatnonzero([path[0] == word for path in paths])
            answers[heads] = modules_of[pairs[heads, 0]]
        for step, path_has in enumerate((steps >= 0).T[1:], 1):
            open_ = np.flatnonzero(path_has & (answers >= 0))
            answers[open_] = self.member(answers[open_], steps[open_, step])
        owner[rows[at]] = np.where(answers >= 0, answers, NONE)[place.reshape(-1)]

    def _follow_exports(self, rows: Array, owner: Array, target: Array) -> None:
        """Follow re-exports until none leads further."""
        for _ in range(_ALIASES):
            rows = rows[self.bound[rows] == NONE]
            hits = self.member(owner[rows], target[rows])
            if not (hits != NONE).any():
                break
            self.bound[rows] = hits

    def _unanimous(self, ask: Array, row: Array, name: Array, place: Array) -> Array:
        """The only answer to each question; if all rows are in one scope of a place, the answer of that scope."""
        key = self.table.key(place[row], self.table.container[row], name[ask])
        answers = _agreed(ask, key, len(name))
        answers[answers >= 0] = self.table.members.find(answers[answers >= 0])
        return answers

    def extension(self, file: Array, name: Array) -> Array:
        """The only function of this name that extends a class, its overloads included. One that names the class by its
        scope is seen in its package and where it is imported; in a class, in its file; others, in the whole tree."""
        table = self.table
        ask, row = self._extensions.all(table.key(table.family[file], -1, name), _MAX_SHOWN)
        is_apart = self._only_extends[name[ask]]
        ask, row = ask[is_apart], row[is_apart]
        package_of, source = table.packages.of_file, table.file[row]
        package = package_of[source]
        binding = self._binding_rows.first(table.key(file, -1, name))
        imported = np.append(self._sources, NONE)[binding]
        is_seen = (package == package_of[file][ask]) | (package == imported[ask] - table.first_package)
        is_seen |= _holds(self._wild, file[ask] * table.files + source)
        by_scope = table.files_where(lambda rules: rules.extensions_by == "scope")[source]
        is_seen &= ~kinds("method")[table.kind[row]] | ~by_scope
        is_seen |= source == file[ask]
        is_seen |= ~by_scope & ~is_any(ask, ask[is_seen])
        is_seen &= ((binding < 0) | (imported != NONE))[ask]  # an import from outside the tree hides those of the tree
        return self._unanimous(ask[is_seen], row[is_seen], name, table.package_place(table.file))

    def extensions_named(self, methods: Array) -> tuple[Array, Array]:
        """(position of the method, function) for all functions that extend a class and have the names of methods."""
        table = self.table
        family, name = table.family[table.file[methods]], table.name[methods]
        return self._extensions.all(table.key(family, -1, name), MAX_CANDIDATES)

    def whole_named(self, file: Array, steps: Array) -> Array:
        """The modules that full names mean (`App.Core.Cart`); the first part may be an alias."""
        table = self.table
        pairs, place = np.unique(np.column_stack([file, steps]), axis=0, return_inverse=True)
        file, steps = pairs[:, 0], pairs[:, 1:]
        names = cache(lambda step: table.names[step].replace(JOINT, "."))
        paths = [".".join(map(names, filter((-1).__lt__, path))).partition(".") for path in steps.tolist()]
        find = cache(table.names.find)
        first = np.array([find(head) for head, *_ in paths], np.int64)
        row = self._binding_rows.first(table.key(file, -1, first))
        bound = np.append(table.segment.array("import.module")[table.statements], -1)[row].tolist()
        heads = [head if module < 0 else table.names[module] for (head, *_), module in zip(paths, bound, strict=True)]
        whole = [find("".join((head, *rest))) for head, (_, *rest) in zip(heads, paths, strict=True)]
        return table.class_at(file, np.array(whole, np.int64))[place.reshape(-1)]


def _module_name(path: PurePosixPath, rules: LanguageRules) -> str:
    return path.parent.name if path.stem in rules.entry_stems else path.stem


def _write_firsts(answers: Array, ask: Array, hits: Array) -> None:
    """Write the first hit of each question."""
    hit = np.flatnonzero(hits != NONE)[::-1]
    answers[ask[hit]] = hits[hit]  # reversed, so that the first one is written last


def _agreed(ask: Array, values: Array, asks: int) -> Array:
    """The one value of each question; NONE without a value, MANY if there are several."""
    ask, values = ask[values != NONE], values[values != NONE]
    answers = np.full(asks, NONE, np.int64)
    answers[ask] = values
    answers[ask[values != answers[ask]]] = MANY
    return answers


def _holds(ascending: Array, values: Array) -> Array:
    return np.searchsorted(ascending, values, "right") > np.searchsorted(ascending, values)
