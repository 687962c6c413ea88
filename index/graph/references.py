"""Resolves references to definitions: a receiver leads to a class, file or package, in which the name is looked up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from chunker.kinds import CLASSES, KINDS, REFERENCE_KINDS, ROUTINES, TYPES, VALUES
from chunker.languages.table import FIRST_TIER, LanguageRules
from contracts.frozen import frozen
from index.graph.lookup import AMONG, MAX_CANDIDATES, NONE, Lookup, fill, is_any, kinds, sole, unanimous
from index.graph.overloads import fitting
from index.graph.scopes import SCOPES, ResolvedNames, Scopes
from index.segment.columns import Array, begins_run, distinct, offsets_of

_SELF_NAMES = ("self", "this", "Self")
# The kinds of a type or base class, variables included: a call can make a type, which is then assigned.
_IS_TYPE = kinds(*TYPES | VALUES)
# By kinds of references and of definitions: whether the one can mean the other.
METHODS = kinds(*ROUTINES)
_TARGETS = {"call": kinds(*KINDS), "value": METHODS | kinds(*CLASSES - {"impl"})}
_TARGETS["macro"] = kinds("macro")
_TARGETS["base"] = _IS_TYPE | kinds("function")  # that constructs an object
_MEANS = np.array([_TARGETS.get(kind, _IS_TYPE) for kind in REFERENCE_KINDS])
_MACRO = KINDS.index("macro")
_CALL, _BASE, _ALIAS, _VALUE, _DEMAND, _MACRO_CALL, _ATTRIBUTE = map(
    REFERENCE_KINDS.index, ("call", "base", "alias", "value", "demand", "macro", "attribute")
)
# Names in prose and in templates, which see no scopes.
_OUTSIDE = [REFERENCE_KINDS.index(kind) for kind in ("mention", "embed", "render")]
_ROUNDS = 3  # `app = create_app()`, `def create_app() -> Flask`
_LEVELS = 6  # of base classes in which overloads are looked for


@frozen
class Uses:
    """Rows of (reference, definition, number of definitions that share the reference)."""

    reference: Array
    definition: Array
    shared: Array


class Binder:
    """Binds the references of one tree: base classes first, then the types of names, then everything else."""

    def __init__(self, scopes: Scopes, resolved: ResolvedNames | None = None) -> None:
        self.scopes = scopes
        self.table = table = scopes.table
        segment = table.segment
        self.kind = segment.array("reference.kind")
        self.steps = table.steps
        self.is_self = self._begins_with(lambda rules: (*_SELF_NAMES, *rules.self_names))
        self.is_super = self._begins_with(lambda rules: rules.super_names)
        self.is_short = self.steps[:, 1] < 0
        self._names_apart = table.files_where(lambda rules: rules.modules_apart)
        self._names_modules = table.files_where(lambda rules: rules.file_modules)
        self._mixes_in = table.files_where(lambda rules: rules.mixins)
        typed = table.typed.find(table.key(table.file, table.container, table.name))
        self._typed_row = np.where(typed < 0, -1, typed - table.first_typed)
        self._has_closures = table.files_where(lambda rules: rules.closures)[table.file] & METHODS[table.kind]
        self._has_closures &= self._typed_row < 0
        self._value = np.full(int(segment.rows["typed"][-1]), NONE, np.int64)
        if resolved is None:
            self._resolve_bases()
            self._resolve_values()
        else:
            self._value = resolved.values
        self._meaning = self._meanings()

    @property
    def resolved(self) -> ResolvedNames:
        return ResolvedNames(self.scopes.bound, *self.scopes.bases, self._value)

    def _begins_with(self, words_of: Callable[[LanguageRules], Sequence[str]]) -> Array:
        """bool per chain: whether its first name is one of these words of its language."""
        table, file = self.table, self.table.file_of("chain")
        answers = np.zeros(len(file), bool)
        for word in sorted({word for rules in FIRST_TIER for word in words_of(rules)}):
            has_word = table.files_where(partial(lambda word, rules: word in words_of(rules), word))
            answers |= (self.steps[:, 0] == table.names.find(word)) & has_word[file]
        return answers & (self.steps[:, 0] >= 0)

    def bind(self, rows: Array) -> Uses:
        """The definitions that these references mean."""
        table = self.table
        rows = rows[~np.isin(self.kind[rows], _OUTSIDE)]
        symbol = table.pointed("reference", "symbol", "definition", rows)
        scope = table.scope_of(symbol)
        is_base = np.isin(self.kind[rows], (_BASE, _DEMAND)) & (symbol >= 0)
        scope[is_base] = self._around_base(symbol[is_base])
        answers = self._look_up(rows, scope)
        self._fill_macros(rows, answers)
        kind = self.kind[rows]
        is_call = kind == _CALL
        answers[~is_call] = self._class_of_constructor(answers[~is_call])
        single = table.is_definition(answers)
        answers[single] = self._meaning[answers[single]]
        at, targets = table.members.among(answers, MAX_CANDIDATES)
        single = np.flatnonzero(table.is_definition(answers))
        at, targets = np.append(single, at), np.append(answers[single], targets)
        has_companions = table.files_where(lambda rules: rules.companions)
        good = _MEANS[kind[at], table.kind[targets]]
        # Where an object may have the name of a class, no value is a type.
        good &= table.is_class[targets] | is_call[at] | ~has_companions[table.file[targets]] | (kind[at] == _VALUE)
        # Of a variable and a function of one name, a call means the function.
        is_value = kinds(*VALUES)[table.kind[targets]] & is_call[at]
        good &= ~(is_value & is_any(at, at[good & ~is_value]))
        at, targets, depth = self._with_inherited(at[good], targets[good], is_call)
        left = fitting(table, rows, is_call, at, targets, depth)
        at, targets = at[left], targets[left]
        return Uses(rows[at], targets, np.bincount(at, minlength=len(rows))[at])

    def _with_inherited(self, at: Array, targets: Array, is_call: Array) -> tuple[Array, Array, Array]:
        """The pairs, sorted by `at`, with the overloads that the classes of called methods inherit, and how far up each
        is."""
        table = self.table
        overloads = table.files_where(lambda rules: rules.overloads and not rules.hides_overloads)
        depth = np.zeros(len(at), np.int64)
        ends = at, targets
        for level in range(1, _LEVELS + 1):
            called = is_call[ends[0]] & overloads[table.file[ends[1]]] & METHODS[table.kind[ends[1]]]
            if not called.any():
                break
            call, target = ends[0][called], ends[1][called]
            # The overloads of one class hide the same.
            key = table.key(table.file[target], table.container[target], table.name[target])
            _, first, place = np.unique(key, return_index=True, return_inverse=True)
            pairs = distinct(call * table.definitions + place)
            call, place = pairs // table.definitions, pairs % table.definitions
            method, base = self.scopes.overridden(target[first])
            is_method = METHODS[table.kind[base]]
            above = Lookup((method[is_method], base[is_method]))
            few = np.bincount(call, above.place(place)[1])[call] <= MAX_CANDIDATES
            pair, more = above.all(place[few])
            ends = call[few][pair], more
            at, targets = np.append(at, ends[0]), np.append(targets, more)
            depth = np.append(depth, np.full(len(pair), level))
        # What a type lacks, an extension of it may have.
        extends = table.files_where(lambda rules: bool(rules.extensions_by))[table.file[targets]]
        own = np.flatnonzero(is_call[at] & extends & METHODS[table.kind[targets]] & ~table.is_extension[targets])
        calls, first = np.unique(at[own], return_index=True)
        pair, more = self.scopes.extensions_named(targets[own[first]])
        at, targets = np.append(at, calls[pair]), np.append(targets, more)
        depth = np.append(depth, np.full(len(pair), _LEVELS + 1))
        order = np.lexsort((depth, targets, at))
        order = order[begins_run(at[order] * table.definitions + targets[order])]
        return at[order], targets[order], depth[order]

    def _fill_macros(self, rows: Array, answers: Array) -> None:
        """Fill in macros that a language shows to all modules: the only one of each name. One in a module or function
        is for that alone."""
        table = self.table
        shows = table.files_where(lambda rules: rules.shared_macros)
        macros = np.flatnonzero((table.kind == _MACRO) & (table.container < 0) & shows[table.file])
        by_name = Lookup((table.name[macros], macros))
        where = (self.kind[rows] == _MACRO_CALL) & (table.segment.array("reference.chain")[rows] == -1)
        answers[where & table.is_definition(answers, table.kind != _MACRO)] = NONE
        fill(answers, lambda name: sole(by_name.find(name)), table.segment.array("reference.name")[rows], where=where)

    def class_around(self, scope: Array) -> Array:
        """The qualified name of the nearest enclosing class; -1 if none."""
        table = self.table
        around = scope
        for _ in range(SCOPES):
            around = np.where((around < 0) | table.holds[around], around, table.outer[around])
        return np.where(table.holds[around], around, -1)

    def end_of_path(self, chain: Array, scope: Array) -> Array:
        """The class, file or package that a chain of names leads to from inside `scope`."""
        table, scopes = self.table, self.scopes
        file, steps = table.files_at("chain", chain), self.steps[chain]
        around = self.class_around(scope)
        own = self.is_self[chain] & (around >= 0)
        answers = np.full(len(chain), NONE, np.int64)
        answers[own] = table.class_at(file[own], around[own])
        top = self.is_self[chain] & (around < 0) & table.files_where(lambda rules: rules.file_is_class)[file]
        has_exports = table.files_where(lambda rules: rules.closures)[file]
        top |= has_exports & (steps[:, 0] == table.names.find("exports"))
        answers[top] = table.first_file + file[top]
        plain = np.flatnonzero(~own & ~top & ~self.is_super[chain])
        apart = self._names_apart[file[plain]]
        named, other = plain[~apart], plain[apart]
        answers[named] = self.class_among(scopes.bare_names(file[named], scope[named], steps[named, 0]))
        answers[other] = scopes.imported(file[other], steps[other, 0])
        is_whole = table.files_where(lambda rules: rules.package_separator == "::")[file]
        fill(answers, scopes.whole_named, file, steps[:, :1], where=is_whole)
        answers = self._member_owner(answers)
        parts = np.ones(len(chain), np.int64)
        fill(answers, table.extension_at, file, steps[:, 0], where=~own & ~top & ~self.is_super[chain])
        open_ = plain[answers[plain] == NONE]
        answers[open_], parts[open_] = table.packages.named(file[open_], steps[open_])
        open_ = open_[(answers[open_] == NONE) & self._names_modules[file[open_]]]
        answers[open_], parts[open_] = table.modules_named(file[open_], steps[open_])
        for place in range(1, steps.shape[1]):
            at = np.flatnonzero((steps[:, place] >= 0) & (answers >= 0) & (parts <= place))
            if len(at):
                answers[at] = self._member_owner(self.class_among(scopes.member(answers[at], steps[at, place])))
        fill(answers, scopes.whole_named, file, steps, where=table.is_module_named[file])
        return answers

    def _member_owner(self, thing: Array) -> Array:
        """The owner of a thing's members: a class itself, the value of a variable, the result of a function or, if that
        is unknown, the function itself."""
        table = self.table
        answers = thing.copy()
        rows = np.flatnonzero(table.is_definition(thing, ~table.is_class))
        value = np.append(self._value, NONE)[self._typed_row[thing[rows]]]
        answers[rows] = np.where(self._has_closures[thing[rows]], thing[rows], value)
        members = np.flatnonzero(thing >= table.first_typed)
        answers[members] = self._value[thing[members] - table.first_typed]
        return answers

    def _resolve_bases(self) -> None:
        table, segment = self.table, self.table.segment
        rows = np.flatnonzero(np.isin(self.kind, (_BASE, _DEMAND)) & (segment.array("reference.symbol") >= 0))
        child = table.pointed("reference", "symbol", "definition", rows)
        base = self.class_among(self._look_up(rows, self._around_base(child)))
        facades = [rules.facade for rules in FIRST_TIER if rules.facade]
        outside, accessors = ([table.names.find(name) for name in names] for names in zip(*facades, strict=True))
        has_facades = table.files_where(lambda rules: bool(rules.facade))[table.file[child]]
        # A base that is named in a hook of mixins, or in a facade's accessor, belongs to the module or class around it.
        names_other = self._mixes_in[table.file[child]] | (has_facades & np.isin(table.name[child], accessors))
        is_hook = ~table.is_class[child] & names_other
        qualified = np.where(is_hook, table.container[child], table.qualified[child])
        child = np.where(table.is_class[child] | is_hook, table.class_at(table.file[child], qualified), NONE)
        good = (child >= 0) & table.is_definition(base, table.is_class) & (child != base)
        is_facade = has_facades & (child >= 0) & np.isin(segment.array("reference.name")[rows], outside)
        at = np.flatnonzero(is_facade & ~is_any(child, child[good]))
        base[at] = self._namesakes(child[at])
        good[at] = base[at] != NONE
        child, base = child[good], base[good]
        # A class that includes a module has the methods of the module's `ClassMethods` for itself.
        inner = self._class_methods(base)
        child, base = np.append(child, child[inner >= 0]), np.append(base, inner[inner >= 0])
        order = np.argsort(child, kind="stable")
        self.scopes.bases = offsets_of(np.bincount(child, minlength=table.definitions)), base[order]

    def _class_methods(self, base: Array) -> Array:
        """The module `ClassMethods` inside each of these modules, or NONE."""
        table = self.table
        rows, place = np.unique(base, return_inverse=True)
        names = [table.names.find(f"{table.names[name]}.ClassMethods") for name in table.qualified[rows].tolist()]
        inner = np.where(self._mixes_in[table.file[rows]], np.array(names, np.int64), -1)
        return table.class_at(table.file[base], inner[place])

    def _namesakes(self, facades: Array) -> Array:
        """For each of these classes the only other one of its name, or NONE."""
        table = self.table
        can_be = table.is_class & ~table.is_test[table.file]
        can_be[facades] = False
        key = table.key(table.family[table.file], -1, table.name)
        return sole(Lookup((key[can_be], np.flatnonzero(can_be))).find(key[facades]))

    def _meanings(self) -> Array:
        """For each definition itself; for another name of something, that (`const Page = pages.Page`)."""
        table = self.table
        meaning = np.arange(table.definitions)
        rows = np.flatnonzero((self.kind == _ALIAS) & (table.segment.array("reference.symbol") >= 0))
        if not len(rows):
            return meaning
        alias = table.pointed("reference", "symbol", "definition", rows)
        answers = self._look_up(rows, table.container[alias])
        good = table.is_definition(answers)
        meaning[alias[good]] = answers[good]
        for _ in range(_ROUNDS):
            meaning = meaning[meaning]
        return meaning

    def _around_base(self, child: Array) -> Array:
        """The scope in which the bases of these symbols are named: around the class, or inside it for mixins."""
        table = self.table
        inside = table.is_class[child] & self._mixes_in[table.file[child]]
        return np.where(inside, table.qualified[child], table.container[child])

    def class_among(self, answers: Array) -> Array:
        """The answers; an ambiguous one becomes its only class, or the first part of that class, or the first of
        overloads whose results are of one type, or NONE."""
        table = self.table
        answers = self._class_of_constructor(answers)
        ambiguous, overloads = table.members.among(answers, MAX_CANDIDATES)
        value = np.append(self._value, NONE)[self._typed_row[overloads]]
        alike = unanimous(ambiguous, value)
        alike = alike[value[alike] >= 0]
        at, classes = table.members.among(answers)
        at, classes = at[table.is_class[classes]], classes[table.is_class[classes]]
        # A class and its companion share the name by which members are looked up.
        only = unanimous(at, table.qualified[classes], table.file[classes])
        answers = sole(answers)
        answers[ambiguous[alike]] = overloads[alike]
        answers[at[only]] = classes[only]
        return answers

    def _class_of_constructor(self, answers: Array) -> Array:
        """The answers, with the class in place of its constructors: in the class, its name means one of them."""
        at, overloads = self.table.members.among(answers, MAX_CANDIDATES)
        row = np.where(self.table.is_definition(answers), answers, -1)
        row[at] = overloads
        class_ = self.table.constructed[row]
        return np.where(class_ >= 0, class_, answers)

    def _resolve_values(self) -> None:
        """Find what the types of members and results mean. One may depend on another, hence the rounds."""
        table = self.table
        rows = np.arange(len(self._value))
        chain = table.pointed("typed", "chain", "chain", rows)
        scope = table.scope_of(table.pointed("typed", "symbol", "definition", rows))
        for _ in range(_ROUNDS):
            open_ = np.flatnonzero(self._value == NONE)
            values = self.end_of_path(chain[open_], scope[open_])
            if not (values >= 0).any():
                break
            self._value[open_] = values

    def _full_names(self, rows: Array) -> Array:
        """The names of these references; that of an attribute with its suffix, if the tree has such a name."""
        names = self.table.names
        name = self.table.segment.array("reference.name")[rows].astype(np.int64)
        at = np.flatnonzero(self.kind[rows] == _ATTRIBUTE)
        for suffix in (rules.attribute_suffix for rules in FIRST_TIER if rules.attribute_suffix):
            short, place = np.unique(name[at], return_inverse=True)
            full = np.array([names.find(names[one] + suffix) for one in short.tolist()], np.int64)
            name[at] = np.where(full < 0, short, full)[place]
        return name

    def _look_up(self, rows: Array, scope: Array) -> Array:
        """The answers to references inside `scope`."""
        table, scopes = self.table, self.scopes
        file = table.files_at("reference", rows)
        name = self._full_names(rows)
        chain = table.pointed("reference", "chain", "chain", rows)
        answers = np.full(len(rows), NONE, np.int64)
        plain = chain == -1
        answers[plain] = scopes.bare_names(file[plain], scope[plain], name[plain])
        may_be_module = plain & ~np.isin(self.kind[rows], (_CALL, _VALUE)) & table.is_module_named[file]
        fill(answers, scopes.whole_named, file, name[:, np.newaxis], where=may_be_module)
        through = np.flatnonzero(chain >= 0)
        around = self.class_around(scope[through])
        short = self.is_short[chain[through]] & (around >= 0)
        above, own = short & self.is_super[chain[through]], short & self.is_self[chain[through]]
        for mask, ask in ((above, scopes.inherited_at), (own, scopes.member_at)):
            answers[through[mask]] = ask(file[through[mask]], around[mask], name[through[mask]])
        rest = through[~above & ~own]
        span = len(table.outer) + 1
        pairs, place = np.unique(chain[rest] * span + scope[rest] + 1, return_inverse=True)
        owner = np.full(len(rows), NONE, np.int64)
        owner[rest] = self.end_of_path(pairs // span, pairs % span - 1)[place]
        answers[rest] = scopes.member(owner[rest], name[rest])
        # A field with the name of an inherited method does not hide it from a call.
        field = np.flatnonzero((self.kind[rows] == _CALL) & (answers >= table.first_typed))
        method = scopes.inherited(table.typed_owner(answers[field]), name[field])
        is_method = table.is_definition(method) | (method <= AMONG)
        answers[field[is_method]] = method[is_method]
        extends = table.files_where(lambda rules: bool(rules.extensions_by))[file]
        # In a lambda with a receiver, extensions of the receiver are called without it (`LazyColumn { cartItems() }`).
        implicit = table.files_where(lambda rules: rules.extensions_by == "scope")[file] & (self.kind[rows] == _CALL)
        fill(answers, scopes.extension, file, name, where=extends & (~plain | implicit))
        # A file is what it exports as a whole; where modules are tables, only a base is the table that it returns.
        is_file = (self.kind[rows] == _BASE) | ~table.files_where(lambda rules: rules.module_tables)[file]
        is_file &= (answers >= table.first_file) & (answers < table.first_package)
        main = np.where(scopes.whole >= 0, scopes.whole, table.main_table)
        answers[is_file] = main[answers[is_file] - table.first_file]
        # `Cart.new` makes a Cart if no `new` is defined, or only one that is inherited by a table.
        is_new, own_table = name == table.names.find("new"), np.append(table.qualified, -1)
        inherited = is_new & table.files_where(lambda rules: rules.module_tables)[file] & table.is_definition(owner)
        inherited &= table.is_definition(answers)
        alone, around = (np.where(inherited, numbers, -1) for numbers in (answers, owner))
        answers[np.append(table.container, -1)[alone] != own_table[around]] = NONE
        # `new(1)` inside a class makes one of it.
        inside = np.flatnonzero(is_new & self._mixes_in[file] & (plain | np.isin(np.arange(len(rows)), through[own])))
        owner[inside] = table.class_at(file[inside], self.class_around(scope[inside]))
        fill(answers, lambda owner: owner, owner, where=is_new)
        return answers
