"""Guesses what calls on receivers of unknown type mean, by the names of the receivers and of the methods."""

from __future__ import annotations

import re

import numpy as np

from chunker.kinds import REFERENCE_KINDS, UNKNOWN
from index.graph.lookup import MANY, MAX_CANDIDATES, MAX_SHARED, NONE, Lookup, is_any, kinds, unanimous
from index.graph.overloads import ArgumentLists
from index.graph.references import METHODS, Binder, Uses
from index.graph.symbol_table import SymbolTable
from index.segment.columns import Array, distinct, joined

WORDS = re.compile(r"[^\W_]_+[^\W_]|[^\W_A-Z][A-Z]")  # between two words of a name
GUESSED = 2  # a guess counts half of a certain edge
_MAX_CALLS = 20  # a name with more calls on receivers of unknown type is more often one of a library
_EXPECTED = -3  # `reference.chain` of a member of the type that is expected there
_CALL, _IMPL, _INTERFACE, _TRAIT = REFERENCE_KINDS.index("call"), kinds("impl"), kinds("interface"), kinds("trait")
# Members of a type that give an object of it, which a library may define: `Cart.objects.get()`, `Cart::find(1)`.
_MAKERS = re.compile(
    r"objects|query|unscoped|where\w*|find\w*|first\w*|last|sole|get|get_?[iI]nstance|instance|shared|create\w*|build|make"
    r"|open|new|factory"
)


def calls_without_definition(binder: Binder, uses: Uses) -> Array:
    """bool per reference."""
    is_open = binder.kind == _CALL
    is_open[uses.reference] = False
    return is_open


def guess(binder: Binder, is_open: Array, by_receiver: Uses) -> Uses:
    """The methods that calls without a definition may mean: that of the type which the receiver names (`by_receiver`),
    or else the only one of its name, or that of a trait that the file imports."""
    others = joined([_by_method(binder, is_open), _by_trait(binder, is_open)])
    other = ~is_any(others.reference, by_receiver.reference)
    others = _guesses(others.reference[other], others.definition[other])
    return joined([by_receiver, others, _from_outside(binder, is_open)])


def _guesses(rows: Array, method: Array) -> Uses:
    return Uses(rows, method, np.full(len(rows), GUESSED))


def guess_by_receiver(binder: Binder, is_open: Array) -> Uses:
    """Calls on a receiver that is made from a type by a library (`Cart.objects.get()`), or that nothing here defines
    and that is named after a type (`$this->cartModel`, `cart_model`), if the type has the method: of a few types of
    this name, the only one.

    Of 6,400 calls on receivers of known type that are named after a type, in 20 repositories, 99 % call this type, or
    one that it extends, implements or is extended by.
    """
    table, names = binder.table, binder.table.segment.array("reference.name")
    is_method = np.zeros(len(table.names), bool)
    is_method[table.name[METHODS[table.kind]]] = True
    rows = np.flatnonzero(is_open & is_method[names])
    chain = table.pointed("reference", "chain", "chain", rows)
    rows, chain = rows[chain >= 0], chain[chain >= 0]
    file = table.files_at("reference", rows)
    scope = table.scope_of(table.pointed("reference", "symbol", "definition", rows))
    owner = _makers(binder, chain, file, scope)
    made, open_ = np.flatnonzero(owner >= 0), np.flatnonzero(owner < 0)
    named, types = _namesakes(binder, chain[open_], file[open_], scope[open_])
    return _of_owners(binder, rows, np.append(made, open_[named]), np.append(owner[made], types))


def _of_owners(binder: Binder, rows: Array, call: Array, owner: Array) -> Uses:
    """The methods that calls mean (places in `rows`), of the types that may have them."""
    table, names = binder.table, binder.table.segment.array("reference.name")
    method = binder.scopes.member(owner, names[rows[call]].astype(np.int64))
    has = np.flatnonzero(method != NONE)
    has = has[np.argsort(call[has], kind="stable")]
    call, method = call[has], method[has]
    only = unanimous(call, method)  # another type of the name may have another method
    only = only[table.is_definition(method[only], METHODS[table.kind])]
    return _guesses(rows[call[only]], method[only])


def _by_trait(binder: Binder, is_open: Array) -> Uses:
    """Calls of what a trait declares that the file imports: it may give its methods to any type. Of all definitions of
    the name, all but the declaration and one more implement it."""
    table, bound = binder.table, binder.scopes.bound
    extends = table.files_where(lambda rules: rules.extensions_by == "trait")[table.file]
    every = np.flatnonzero(METHODS[table.kind] & extends)
    apart = np.delete(every, binder.scopes.overridden(every)[0])
    is_rare = np.isin(np.bincount(table.name[apart], minlength=len(table.names)), (1, 2))
    traits = np.flatnonzero(table.is_definition(bound, _TRAIT[table.kind] & extends))
    imported = Lookup((table.files_at("binding", traits), bound[traits]))
    name, chain = (table.segment.array(f"reference.{part}") for part in ("name", "chain"))
    rows = np.flatnonzero(is_open & (chain != -1) & is_rare[name])
    call, trait = imported.all(table.files_at("reference", rows), MAX_CANDIDATES)
    return _of_owners(binder, rows, call, trait)


def _makers(binder: Binder, chain: Array, file: Array, scope: Array) -> Array:
    """The types at the start of chains whose other names all make an object of a type, or NONE."""
    table, answers = binder.table, np.full(len(chain), NONE, np.int64)
    steps = binder.steps[chain]
    at = np.flatnonzero(steps[:, 1] >= 0)
    makes, rest = np.zeros(len(table.names) + 1, bool), distinct(steps[at, 1:]).tolist()  # the last is for -1
    makes[[step for step in rest if step < 0 or _MAKERS.fullmatch(table.names[step])]] = True
    at = at[makes[steps[at, 1:]].all(axis=1)]
    at = at[binder.end_of_path(chain[at], scope[at]) == NONE]
    head = binder.class_among(binder.scopes.bare_names(file[at], scope[at], steps[at, 0]))
    is_type = table.is_definition(head, table.is_class)
    # Where variables have declared types, it is rather an element that an object of the type gives: `carts.get(0)`.
    is_type &= ~table.files_where(lambda rules: rules.overloads)[file[at]]
    answers[at[is_type]] = head[is_type]
    return answers


def _namesakes(binder: Binder, chain: Array, file: Array, scope: Array) -> tuple[Array, Array]:
    """(position of the chain, type) of the types that variables and members of unknown type are named after."""
    table, steps, is_self = binder.table, binder.steps[chain], binder.is_self[chain]
    is_second = is_self | (steps[:, 0] == table.names.find(UNKNOWN))
    name = np.where(is_second, steps[:, 1], steps[:, 0])
    at, types = _types_named(table, table.family[file], name)
    short = np.flatnonzero((steps >= 0).sum(axis=1) == 1 + is_second)
    short = short[np.isin(short, at)]
    meaning = binder.scopes.bare_names(file[short], scope[short], name[short])
    own = np.flatnonzero(is_self[short])
    around = binder.class_around(scope[short[own]])
    meaning[own] = binder.scopes.member_at(file[short[own]], around, name[short[own]])
    is_free = is_any(at, short[meaning == NONE])
    return at[is_free], types[is_free]


def _types_named(table: SymbolTable, family: Array, name: Array) -> tuple[Array, Array]:
    """(position of the name, type) for names that begin with a small letter: the types of the family with this name in
    another case, tests apart, if they are few; parts of a type are one."""
    words = {number: table.names[number].lstrip("_$@") for number in distinct(name).tolist()}
    keys = {number: _folded(word) for number, word in words.items() if word[:1].islower()}
    meant = set(keys.values())
    types: dict[tuple[int, str | None], dict[tuple[int, int], int]] = {}
    rows = distinct(table.whole[table.is_class & ~table.is_test[table.file]])
    file, texts = table.file[rows], table.names.take(table.name[rows]).to_list()
    columns = rows, table.family[file], np.where(_IMPL[table.kind[rows]], -1, file), table.qualified[rows]
    for text, row, own, part_of, qualified in zip(texts, *(column.tolist() for column in columns), strict=True):
        if (key := _folded(text)) in meant:
            types.setdefault((own, key), {})[part_of, qualified] = row
    few = {key: list(rows.values()) for key, rows in types.items() if len(rows) <= MAX_SHARED}
    wanted = zip(family.tolist(), map(keys.get, name.tolist()), strict=True)
    hits = [few.get(key, []) for key in wanted]
    every = np.array([row for rows in hits for row in rows], np.int64)
    return np.arange(len(name)).repeat([len(rows) for rows in hits]), every


def _folded(name: str) -> str:
    return name.lower().replace("_", "")


def _by_method(binder: Binder, is_open: Array) -> Uses:
    """Calls of methods by their names alone, on receivers of unknown type.

    The method is the only definition of its name in the tree, and no call of the name has a receiver that is known to
    be something else.
    """
    table, segment = binder.table, binder.table.segment
    names = segment.array("reference.name")
    is_method = METHODS[table.kind] & table.holds[table.container] & ~table.is_test[table.file]
    size = len(table.names)
    # What an interface declares is no other definition, and what is called on it may be the one that a class has.
    declared = np.isin(segment.array("minor.container"), table.qualified[_INTERFACE[table.kind]])
    # Of a method that the parts of a class declare and define, the last is meant.
    parts = table.key(table.family[table.file], -1, table.qualified)[::-1]
    is_part = table.files_where(lambda rules: rules.messages)[table.file] & is_method
    last = np.ones(len(is_method), bool)
    last[is_part] = np.isin(np.flatnonzero(is_part), len(parts) - 1 - np.unique(parts, return_index=True)[1])
    is_method &= last
    every = np.append(segment.array("definition.name")[last], segment.array("minor.name")[~declared])
    defined = np.bincount(every, minlength=size)
    calls = np.bincount(names[is_open], minlength=size)
    rows, method = _only(table, is_open, is_method & ((defined == 1) & (calls <= _MAX_CALLS))[table.name])
    chain = table.pointed("reference", "chain", "chain", rows)
    symbol = table.pointed("reference", "symbol", "definition", rows)
    # A method that calls its own name wraps another one.
    is_other = (chain == -1) | (symbol == method)
    at = np.flatnonzero(chain >= 0)
    chain, file, scope = chain[at], table.files_at("reference", rows[at]), table.scope_of(symbol[at])
    first, is_self = binder.steps[chain, 0], binder.is_self[chain]
    head = binder.scopes.bare_names(file, scope, first)
    # A capital letter begins the name of a type.
    is_type = is_any(first, np.array([name for name in distinct(first).tolist() if table.names[name][:1].isupper()]))
    # An object of a library may have what the tree adds to one of its base classes.
    around = table.class_at(file, binder.class_around(scope))
    is_own = is_self & ~table.is_definition(around, _IMPL[table.kind])
    outside = np.where(is_self, binder.is_short[chain] & is_own, (head == NONE) & is_type & (defined[first] == 0))
    # What extends a type of a library is called on its values.
    outside &= table.extension_at(table.file[method[at]], table.container[method[at]]) == NONE
    owner = binder.end_of_path(chain, scope)
    is_known = (owner >= 0) & ~table.is_definition(owner, (_INTERFACE | METHODS)[table.kind])
    is_other[at] |= outside | (head == MANY) | binder.is_super[chain] | is_known
    is_other |= table.family[table.files_at("reference", rows)] != table.family[table.file[method]]
    good = ~is_any(method, method[is_other])
    lists = ArgumentLists(segment)
    for place in np.flatnonzero(good & (segment.array("reference.chain")[rows] == _EXPECTED)).tolist():
        good[place] = lists.is_static(int(method[place]))  # a member of a type is expected there
    return _guesses(rows[good], method[good])


def _only(table: SymbolTable, is_open: Array, can_be: Array) -> tuple[Array, Array]:
    """(call, method) of the open calls of methods that can be guessed, if their names have two words."""
    names = table.segment.array("reference.name")
    target = np.full(len(table.names), -1, np.int64)
    target[table.name[can_be]] = np.flatnonzero(can_be)
    called = distinct(names[is_open & (target[names] >= 0)])
    target[called[[WORDS.search(table.names[name]) is None for name in called.tolist()]]] = -1
    rows = np.flatnonzero(is_open & (target[names] >= 0))
    return rows, target[names[rows]]


def _from_outside(binder: Binder, is_open: Array) -> Uses:
    """Calls on the object itself, where classes have mixins: of the only method of the name, which the object has from
    a class of a library that the tree adds it to (`class Minitest::Test` in a helper of tests).

    In 7 repositories, 99.9 % of 4,000 of these calls that their tests make are of this method.
    """
    table, segment = binder.table, binder.table.segment
    every = np.append(segment.array("definition.name"), segment.array("minor.name"))
    is_alone = np.bincount(every, minlength=len(table.names)) == 1
    mixes_in = table.files_where(lambda rules: rules.mixins)
    rows, method = _only(table, is_open, METHODS[table.kind] & mixes_in[table.file] & is_alone[table.name])
    chain, file = table.pointed("reference", "chain", "chain", rows), table.files_at("reference", rows)
    is_own = np.append(binder.is_self & binder.is_short, True)[chain]  # -1: a name alone
    good = is_own & mixes_in[file] & (table.is_test[file] | ~table.is_test[table.file[method]])
    return _guesses(rows[good], method[good])
