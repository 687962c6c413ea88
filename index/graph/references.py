"""Resolves references to definitions: a receiver leads to a class, file or package, in which the name is looked up."""

from __future__ import annotations

import re

import numpy as np

from chunker.kinds import KINDS, REFERENCE_KINDS
from chunker.languages.table import FIRST_TIER
from contracts.frozen import frozen
from index.graph.lookup import MANY, MAX_CANDIDATES, NONE, fill, kinds, sole
from index.graph.overloads import ArgumentLists, fitting
from index.graph.scopes import SCOPES, ResolvedNames, Scopes
from index.segment.columns import SCHEMA, Array, offsets_of
from index.types import FileId, SymbolId

SELF_NAMES = {"self", "this", "Self", *(name for rules in FIRST_TIER for name in rules.self_names)}
SUPER_NAMES = {"super", "base", "parent"}
# The kinds of a type or base class, variables included: a call can make a type, which is then assigned.
_IS_TYPE = kinds("class", "struct", "enum", "interface", "trait", "impl", "type", "const", "variable", "module")
# By kinds of references and of definitions: whether the one can mean the other.
METHODS = kinds("function", "method")
_TARGETS = {"call": kinds(*KINDS), "value": METHODS | kinds("class", "struct", "enum", "interface", "trait")}
_MEANS = np.array([_TARGETS.get(kind, _IS_TYPE) for kind in REFERENCE_KINDS])
_CONTRACT, _MACRO = kinds("interface"), KINDS.index("macro")
_CALL, _BASE, _ALIAS, _VALUE, _DEMAND = map(REFERENCE_KINDS.index, ("call", "base", "alias", "value", "demand"))
# Names in prose and in templates, which see no scopes.
_OUTSIDE = [REFERENCE_KINDS.index(kind) for kind in ("mention", "embed", "render")]
WORDS = re.compile(r"[^\W_]_+[^\W_]|[^\W_A-Z][A-Z]")  # between two words of a name
_MOST_CALLS = 20  # a name with more calls on receivers of unknown type is more often one of a library
_EXPECTED = -3  # `reference.chain` of a member of the type that is expected there
GUESSED = 2  # a guess counts half of a certain edge
_ROUNDS = 3  # `app = create_app()`, `def create_app() -> Flask`


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
        self._kind = segment.array("reference.kind")
        steps = [segment.array(f"chain.{part}").astype(np.int64) for part in SCHEMA["chain"]]
        self._steps = np.column_stack(steps)
        self._is_self, self._is_super = (
            np.isin(self._steps[:, 0], [table.names.find(word) for word in sorted(words)]) & (self._steps[:, 0] >= 0)
            for words in (SELF_NAMES, SUPER_NAMES)
        )
        # In languages where `super` is a module, it is not a base class.
        self._is_super &= ~table.files_where(lambda rules: rules.module_words)[table.file_of("chain")]
        self._is_short = self._steps[:, 1] < 0
        self._mixes_in = table.files_where(lambda rules: rules.mixins)
        typed = table.typed.find(table.key(table.file, table.container, table.name))
        self._typed_row = np.where(typed < 0, -1, typed - table.first_typed)
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

    def bind(self, rows: Array) -> Uses:
        """The definitions that these references mean."""
        table = self.table
        rows = rows[~np.isin(self._kind[rows], _OUTSIDE)]
        symbol = table.pointed("reference", "symbol", "definition", rows)
        scope = table.scope_of(symbol)
        is_base = np.isin(self._kind[rows], (_BASE, _DEMAND)) & (symbol >= 0)
        scope[is_base] = self._around_base(symbol[is_base])
        answers = self._look_up(rows, scope)
        self._fill_macros(rows, answers)
        single = table.is_definition(answers)
        answers[single] = self._meaning[answers[single]]
        kind = self._kind[rows]
        is_call = kind == _CALL
        at, targets = table.members.among(answers, MAX_CANDIDATES)
        good = _MEANS[kind[at], table.kind[targets]]
        at, targets = at[good], targets[good]
        left = fitting(table, rows, is_call, at, targets)
        single = np.flatnonzero(table.is_definition(answers))
        single = single[_MEANS[kind[single], table.kind[answers[single]]]]
        at, targets = np.append(single, at[left]), np.append(answers[single], targets[left])
        return Uses(rows[at], targets, np.bincount(at, minlength=len(rows))[at])

    def _fill_macros(self, rows: Array, answers: Array) -> None:
        """Fill in macros that a language shows to all modules: the only one of each name."""
        table = self.table
        shows = table.files_where(lambda rules: rules.shared_macros)
        macros = np.flatnonzero((table.kind == _MACRO) & shows[table.file])
        names, at, counts = np.unique(table.name[macros], return_index=True, return_counts=True)
        only = np.full(len(table.names), NONE, np.int64)
        only[names[counts == 1]] = macros[at[counts == 1]]
        is_bare = (self._kind[rows] == _CALL) & (table.pointed("reference", "chain", "chain", rows) == -1)
        missing = np.flatnonzero((answers == NONE) & is_bare & shows[table.files_at("reference", rows)])
        answers[missing] = only[table.segment.array("reference.name")[rows[missing]]]

    def guess(self, uses: Uses) -> Uses:
        """Calls of methods by their names alone, on receivers of unknown type.

        The method is the only definition of its name in the tree, and no call of the name has a receiver that is known
        to be something else.
        """
        table, segment = self.table, self.table.segment
        names = segment.array("reference.name")
        is_open = self._kind == _CALL
        is_open[uses.reference] = False
        is_method = METHODS[table.kind] & table.holds[table.container] & ~table.is_test[table.file]
        size = len(table.names)
        every = [segment.array(f"{level}.name") for level in ("definition", "minor")]
        defined = np.bincount(np.concatenate(every), minlength=size)
        calls = np.bincount(names[is_open], minlength=size)
        only = np.flatnonzero(is_method & ((defined == 1) & (calls > 0) & (calls <= _MOST_CALLS))[table.name])
        only = only[[WORDS.search(table.names[name]) is not None for name in table.name[only].tolist()]]
        target = np.full(size, -1, np.int64)
        target[table.name[only]] = only
        rows = np.flatnonzero(is_open & (target[names] >= 0))
        method = target[names[rows]]
        chain, symbol = (
            table.pointed("reference", column, level, rows)
            for column, level in (("chain", "chain"), ("symbol", "definition"))
        )
        # A method that calls its own name wraps another one.
        is_other = (chain == -1) | (symbol == method)
        at = np.flatnonzero(chain >= 0)
        chain, file, scope = chain[at], table.files_at("reference", rows[at]), table.scope_of(symbol[at])
        first, is_self = self._steps[chain, 0], self._is_self[chain]
        head = self.scopes.bare_names(file, scope, first)
        # A capital letter begins the name of a type.
        is_type = np.array([table.names[name][:1].isupper() for name in first.tolist()], bool)
        outside = np.where(is_self, self._is_short[chain], (head == NONE) & is_type & (defined[first] == 0))
        # What extends a type of a library is called on its values.
        outside &= table.extension_at(table.file[method[at]], table.container[method[at]]) == NONE
        is_other[at] |= outside | (head == MANY) | self._is_super[chain] | (self._end_of_path(chain, scope) >= 0)
        is_other |= table.family[table.files_at("reference", rows)] != table.family[table.file[method]]
        good = ~np.isin(method, method[is_other])
        good[good] = self._has_kind_of_receiver(rows[good], method[good])
        return Uses(rows[good], method[good], np.full(int(good.sum()), GUESSED))

    def _has_kind_of_receiver(self, rows: Array, method: Array) -> Array:
        """bool per call and method: False where a member of a type is expected and the method is one of its values."""
        table, lists = self.table, ArgumentLists(self.table.segment)
        good = table.segment.array("reference.chain")[rows] != _EXPECTED
        for at in np.flatnonzero(~good).tolist():
            good[at] = lists.is_static(SymbolId(int(method[at])), FileId(int(table.file[method[at]])))
        return good

    def _class_around(self, scope: Array) -> Array:
        """The qualified name of the nearest enclosing class; -1 if none."""
        table = self.table
        around = scope
        for _ in range(SCOPES):
            around = np.where((around < 0) | table.holds[around], around, table.outer[around])
        return np.where(table.holds[around], around, -1)

    def _end_of_path(self, chain: Array, scope: Array) -> Array:
        """The class, file or package that a chain of names leads to from inside `scope`."""
        table, scopes = self.table, self.scopes
        file, steps = table.files_at("chain", chain), self._steps[chain]
        around = self._class_around(scope)
        own = self._is_self[chain] & (around >= 0)
        answers = np.full(len(chain), NONE, np.int64)
        answers[own] = table.class_at(file[own], around[own])
        top = self._is_self[chain] & (around < 0) & table.files_where(lambda rules: rules.file_is_class)[file]
        answers[top] = table.first_file + file[top]
        plain = np.flatnonzero(~own & ~top & ~self._is_super[chain])
        answers[plain] = self._class_among(scopes.bare_names(file[plain], scope[plain], steps[plain, 0]))
        answers = self._member_owner(answers)
        parts = np.ones(len(chain), np.int64)
        fill(answers, table.extension_at, file, steps[:, 0], where=~own & ~top & ~self._is_super[chain])
        open_ = plain[answers[plain] == NONE]
        answers[open_], parts[open_] = scopes.packages_named(file[open_], steps[open_])
        for place in range(1, steps.shape[1]):
            at = np.flatnonzero((steps[:, place] >= 0) & (answers >= 0) & (parts <= place))
            answers[at] = self._member_owner(self._class_among(scopes.member(answers[at], steps[at, place])))
        fill(answers, scopes.whole_named, file, steps, where=table.is_module_named[file])
        return answers

    def _member_owner(self, thing: Array) -> Array:
        """The owner of a thing's members: a class itself, the result of a function, the value of a variable."""
        table = self.table
        answers = thing.copy()
        rows = np.flatnonzero(table.is_definition(thing))
        rows = rows[~table.is_class[thing[rows]]]
        answers[rows] = np.append(self._value, NONE)[self._typed_row[thing[rows]]]
        members = np.flatnonzero(thing >= table.first_typed)
        answers[members] = self._value[thing[members] - table.first_typed]
        return answers

    def _resolve_bases(self) -> None:
        table, segment = self.table, self.table.segment
        rows = np.flatnonzero(np.isin(self._kind, (_BASE, _DEMAND)) & (segment.array("reference.symbol") >= 0))
        child = table.pointed("reference", "symbol", "definition", rows)
        base = self._class_among(self._look_up(rows, self._around_base(child)))
        facades = [rules.facade for rules in FIRST_TIER if rules.facade]
        outside, accessors = ([table.names.find(name) for name in names] for names in zip(*facades, strict=True))
        has_facades = table.files_where(lambda rules: bool(rules.facade))[table.file[child]]
        # A base that is named in a hook of mixins, or in a facade's accessor, belongs to the module or class around it.
        names_other = self._mixes_in[table.file[child]] | (has_facades & np.isin(table.name[child], accessors))
        is_hook = ~table.is_class[child] & names_other
        qualified = np.where(is_hook, table.container[child], table.qualified[child])
        child = np.where(table.is_class[child] | is_hook, table.class_at(table.file[child], qualified), NONE)
        good = (child >= 0) & table.is_definition(base) & (child != base)
        good[good] = table.is_class[base[good]]
        is_facade = has_facades & (child >= 0) & np.isin(segment.array("reference.name")[rows], outside)
        self._find_namesakes(np.flatnonzero(is_facade & ~np.isin(child, child[good])), child, base, good)
        child, base = child[good], base[good]
        # A class that includes a module has the methods of the module's `ClassMethods` for itself.
        inner = self._class_methods(base)
        child, base = np.append(child, child[inner >= 0]), np.append(base, inner[inner >= 0])
        # Interfaces come last: they only declare what classes define.
        order = np.lexsort((np.arange(len(child)), _CONTRACT[table.kind[base]], child))
        self.scopes.bases = offsets_of(np.bincount(child, minlength=table.definitions)), base[order]

    def _class_methods(self, base: Array) -> Array:
        """The module `ClassMethods` inside each of these modules, or NONE."""
        table, answers = self.table, np.full(len(base), NONE, np.int64)
        rows, place = np.unique(base, return_inverse=True)
        names = [table.names.find(f"{table.names[name]}.ClassMethods") for name in table.qualified[rows].tolist()]
        inner = np.where(self._mixes_in[table.file[rows]], np.array(names, np.int64), -1)[place]
        at = np.flatnonzero(inner >= 0)
        answers[at] = table.class_at(table.file[base[at]], inner[at])
        return answers

    def _find_namesakes(self, at: Array, child: Array, base: Array, good: Array) -> None:
        """Give facades without a known base the only other class of their name as the base."""
        table = self.table
        can_be = table.is_class & ~table.is_test[table.file]
        can_be[child[at]] = False
        for row in at.tolist():
            own = table.family[table.file] == table.family[table.file[child[row]]]
            namesakes = np.flatnonzero(can_be & own & (table.name == table.name[child[row]]))
            if len(namesakes) == 1:
                base[row], good[row] = namesakes[0], True

    def _meanings(self) -> Array:
        """For each definition itself; for another name of something, that (`const Page = pages.Page`)."""
        table = self.table
        meaning = np.arange(table.definitions)
        rows = np.flatnonzero((self._kind == _ALIAS) & (table.segment.array("reference.symbol") >= 0))
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

    def _class_among(self, answers: Array) -> Array:
        """The answers; an ambiguous one becomes its only class, or the first part of that class, or the first of
        overloads whose results are of one type, or NONE."""
        table = self.table
        ambiguous, overloads = table.members.among(answers, MAX_CANDIDATES)
        _, begin, place = np.unique(ambiguous, return_index=True, return_inverse=True)
        made = begin[table.constructed[overloads[begin]] >= 0]
        row = self._typed_row[overloads]
        value = np.where(row >= 0, self._value[row], NONE) if len(self._value) else row
        differ = np.bincount(place, weights=(value < 0) | (value != value[begin][place]), minlength=len(begin))
        begin = begin[differ == 0]
        at, among = table.members.among(answers)
        at, among = at[table.is_class[among]], among[table.is_class[among]]
        _, first, place = np.unique(at, return_index=True, return_inverse=True)
        lead = among[first][place]
        # A class and its companion share the name by which members are looked up.
        apart = (table.qualified[among] != table.qualified[lead]) | (table.file[among] != table.file[lead])
        first = first[np.bincount(place, weights=apart, minlength=len(first)) == 0]
        answers = sole(answers)
        answers[ambiguous[made]] = overloads[made]
        answers[ambiguous[begin]] = overloads[begin]
        answers[at[first]] = among[first]
        # In a class, its name means a constructor, through which a path leads to the class.
        alone = np.where(table.is_definition(answers), answers, -1)
        return np.where(table.constructed[alone] >= 0, table.constructed[alone], answers)

    def _resolve_values(self) -> None:
        """Find what the types of members and results mean. One may depend on another, hence the rounds."""
        table = self.table
        rows = np.arange(len(self._value))
        chain = table.pointed("typed", "chain", "chain", rows)
        scope = table.scope_of(table.pointed("typed", "symbol", "definition", rows))
        for _ in range(_ROUNDS):
            open_ = np.flatnonzero(self._value == NONE)
            values = self._end_of_path(chain[open_], scope[open_])
            if not (values >= 0).any():
                break
            self._value[open_] = values

    def _look_up(self, rows: Array, scope: Array) -> Array:
        """The answers to references inside `scope`."""
        table, scopes, segment = self.table, self.scopes, self.table.segment
        file = table.files_at("reference", rows)
        name = segment.array("reference.name")[rows].astype(np.int64)
        chain = table.pointed("reference", "chain", "chain", rows)
        answers = np.full(len(rows), NONE, np.int64)
        plain = chain == -1
        answers[plain] = scopes.bare_names(file[plain], scope[plain], name[plain])
        may_be_module = plain & ~np.isin(self._kind[rows], (_CALL, _VALUE)) & table.is_module_named[file]
        fill(answers, scopes.whole_named, file, name[:, np.newaxis], where=may_be_module)
        through = np.flatnonzero(chain >= 0)
        around = self._class_around(scope[through])
        short = self._is_short[chain[through]] & (around >= 0)
        above, own = short & self._is_super[chain[through]], short & self._is_self[chain[through]]
        for mask, ask in ((above, scopes.inherited_at), (own, scopes.member_at)):
            answers[through[mask]] = ask(file[through[mask]], around[mask], name[through[mask]])
        rest = through[~above & ~own]
        span = len(table.outer) + 1
        pairs, place = np.unique(chain[rest] * span + scope[rest] + 1, return_inverse=True)
        owner = np.full(len(rows), NONE, np.int64)
        owner[rest] = self._end_of_path(pairs // span, pairs % span - 1)[place]
        answers[rest] = scopes.member(owner[rest], name[rest])
        extends = table.files_where(lambda rules: bool(rules.extensions_by))[file]
        # In a lambda with a receiver, extensions of the receiver are called without it (`LazyColumn { cartItems() }`).
        implicit = table.files_where(lambda rules: rules.extensions_by == "scope")[file] & (self._kind[rows] == _CALL)
        fill(answers, scopes.extension, file, name, where=extends & (~plain | implicit))
        # Where modules are tables, a file as a base is the table that it returns.
        is_file = (self._kind[rows] == _BASE) & (answers >= table.first_file) & (answers < table.first_package)
        answers[is_file] = table.main_table[answers[is_file] - table.first_file]
        # `Cart.new` makes a Cart if no `new` is defined, or only one that is inherited by a table.
        is_new, own_table = name == table.names.find("new"), np.append(table.qualified, -1)
        inherited = is_new & table.files_where(lambda rules: rules.module_tables)[file] & table.is_definition(owner)
        inherited &= table.is_definition(answers)
        alone, around = (np.where(inherited, numbers, -1) for numbers in (answers, owner))
        answers[np.append(table.container, -1)[alone] != own_table[around]] = NONE
        fill(answers, lambda owner: owner, owner, where=is_new)
        return answers
