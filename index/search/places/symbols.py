"""Finds the definitions of a name, and the code that says more about it than they do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from chunker.kinds import ROUTINES, TYPES, VALUES
from index.collection.collection import ASIDE, Collection
from index.search.definitions import MOCK, RARE, Definition, allowed_definitions, signatures
from index.search.fields.data_names import declared_first
from index.search.indirection import readers
from index.search.other_cases import defining, in_schemas, models_of_table, spelled_otherwise
from index.search.scope import Location, SearchScope, distinct
from index.search.spelling import VARIABLE, is_code_name, is_compound_name
from index.search.texts import MAX_OF_KEY
from index.types import ChunkId

MAX_ELSEWHERE = 2  # definitions in tests, mocks and generated code that are shown if code also defines the name
_NEAR_PARTS = 4  # of one of several definitions, the later parts that come before the next definition


def symbol_hits(scope: SearchScope, symbol: str, *, is_key: bool) -> list[Location]:
    """The definitions of a name with the lines of their signatures, their later parts, and the constructor of a class.

    Fields and variants come last. They do not say what they are for, nor do constants: the code that contains the name
    comes after them, unless it is also a type's. If only tests, mocks or headings define the name, or only generated
    code and it is no type's, that code comes first.
    """
    collection = scope.collection
    matches = allowed_definitions(scope, symbol)
    is_generated = collection.static["generated"]
    defined = [one for one in matches if not one.tier]
    defined = defined or [one for one in matches if one.tier < MOCK and not is_generated[one.row.file]]
    if defined or (matches and matches[0].tier < MOCK):
        numbers = {one.row.number for one in defined}
        matches = [*defined, *[one for one in matches if one.row.number not in numbers][:MAX_ELSEWHERE]]
    fields = [one for one in defined if one.row.is_minor]
    first = [one for one in defined if not one.row.is_minor]
    hits = [*signatures(first, "symbol"), *signatures(fields, "key"), *signatures(matches[len(defined) :], "symbol")]
    own, shown = {hit.chunk for hit in hits}, _with_parts(collection, hits, matches)
    is_elsewhere = bool(matches) and all(
        one.tier >= MOCK
        or (one.row.kind == "section" and is_key)
        or (is_generated[one.row.file] and one.row.kind not in TYPES)
        for one in matches
    )
    outside = bool(first) and not any(collection.rules_of(one.row.chunk).graph for one in first)
    # A word says nothing without its owner: `queue:send`.
    is_word = bool(matches) and "." in symbol and not is_code_name(matches[0].row.name)
    strict = (outside and is_word) or all(one.tier >= MOCK for one in matches)
    is_read = bool(defined) and (strict or _needs_users(collection, first, fields, outside=outside))
    generated = _of_schema(scope, matches)
    if not (is_elsewhere or is_read):
        return distinct([*shown, *generated])
    users = distinct([*_users(scope, symbol, matches[0].row.name, strict=strict), *generated])
    if any(collection.rules_of(one.row.chunk).schema for one in first) and matches[0].row.name.islower():
        shown = distinct([*_models(scope, matches[0].row.name, generated), *shown])
    if outside:  # templates of YAML, too
        users = [user for user in users if user.chunk not in own]
        spelled = symbol if is_word else matches[0].row.name
        aside = [] if users else scope.occurrences(spelled, "key").get(ASIDE, [])
        aside = [hit for hit in aside if hit.chunk not in own]
        users = users or scope.by_points(aside)[:MAX_OF_KEY]
    if is_elsewhere:
        options = readers(scope, users, symbol)[:MAX_OF_KEY] if VARIABLE.fullmatch(symbol) else []
        return distinct([*users, *options, *shown])
    elsewhere = {one.row.chunk for one in matches[len(defined) :]} if defined else set()
    end = next((at for at, hit in enumerate(shown) if hit.chunk in elsewhere), len(shown))
    return distinct([*shown[:end], *users, *shown[end:]])


def _with_parts(collection: Collection, hits: Sequence[Location], matches: Sequence[Definition]) -> list[Location]:
    """One hit for each chunk of these definitions, each followed by the later parts of its definition, and by the
    constructors of its class; of several definitions, the parts after the first few come after all of them."""
    ends: dict[ChunkId, int] = {}  # of the definitions in a chunk, the last line of the longest
    for one in matches:
        ends[one.row.chunk] = max(one.row.end_line, ends.get(one.row.chunk, 0))
    own, starts = {hit.chunk for hit in hits}, collection.cells.start_line
    shown: dict[ChunkId, Location] = {}
    rest: list[Location] = []
    for hit in hits:
        shown.setdefault(hit.chunk, hit)
        parts = map(ChunkId, range(hit.chunk + 1, collection.parts_of(hit.chunk).stop))
        later_parts = [part for part in parts if starts[part] <= ends[hit.chunk]]
        constructors = collection.constructors_of(hit.chunk)[:1] if hit.why == "symbol" else ()
        near = len(later_parts) if len(hits) == 1 else _NEAR_PARTS
        rest += [Location(part, (), "symbol") for part in later_parts[near:] if part not in own]
        for other in (*later_parts[:near], *constructors):
            if other not in own:
                shown.setdefault(other, Location(other, (), "symbol"))
    return distinct([*shown.values(), *rest])


def _needs_users(
    collection: Collection, first: Sequence[Definition], fields: Sequence[Definition], *, outside: bool
) -> bool:
    """Whether the code that contains a name says more than its definitions, or than the graph knows of them; `outside`:
    it does not know their language (a table of SQL)."""
    kinds, are_called = {one.row.kind for one in first}, _are_called(collection, first)
    # The prototype of a method is a minor definition, too: the graph knows who calls it, or the text says so.
    are_known = not fields or (are_called and all(one.row.kind in ROUTINES for one in fields))
    if kinds <= VALUES if are_known else not kinds & TYPES:
        return True
    # Nor does it know who reads a getter of an unknown object.
    is_own = len(first) <= RARE and kinds <= ROUTINES and not are_called
    is_spelled = is_compound_name(first[0].row.name)
    return (is_own and is_spelled) or (outside and (is_spelled or "." in first[0].row.name))


def _of_schema(scope: SearchScope, matches: Sequence[Definition]) -> list[Location]:
    """The definitions of a name in schemas, and what spells it in another case if there are any: code that implements
    or calls `rpc GetCart`."""
    name = matches[0].row.name if matches else ""
    schemas = in_schemas(scope, name)
    users = spelled_otherwise(scope, name) if schemas else []
    schemas = [one for one in schemas if one.row.name != name][:MAX_ELSEWHERE]
    return distinct([*signatures(schemas, "symbol"), *users])


def _models(scope: SearchScope, name: str, otherwise: Sequence[Location]) -> list[Location]:
    """The model of a table that SQL defines, or else what defines its name in another case."""
    models = signatures(models_of_table(scope, name), "symbol")
    declaring = defining(scope.collection, name)
    return models or [hit for hit in otherwise if hit.chunk in declaring][:RARE]


def _users(scope: SearchScope, symbol: str, name: str, *, strict: bool) -> list[Location]:
    """The code that contains a name; for a member (`Action.Up`), first the code that names it behind its type, and then
    none that names it behind another one (`MouseAction::Up`); if `strict`, then none at all."""
    collection = scope.collection
    users = scope.in_code(name, "key")
    owner = symbol.removesuffix(name).rstrip(".").rpartition(".")[2]
    own, others = (
        re.compile(rf"(?<!\w)(?:{form})(?:\.|::?|->){re.escape(name)}(?!\w)".encode())
        for form in (re.escape(owner), r"(?!Self\b)[A-Z]\w*")
    )
    text = collection.text_of
    first = {user.chunk: user for user in users if owner and own.search(text(user.chunk))}
    if owner and strict:
        users = []
    elif first:
        declaring = {*first, *collection.definitions.chunk[collection.definitions.of(name)].tolist()}
        users = [user for user in users if user.chunk not in declaring and not others.search(text(user.chunk))]
    most = MAX_OF_KEY if name.isupper() else 0  # a variable of the environment that scripts set again and again
    in_order = (declared_first(scope, name, part, most) for part in ([*first.values()], users))
    ordered = sorted(chain(*in_order), key=lambda hit: collection.cells.imports_only[hit.chunk])
    return ordered[:MAX_OF_KEY]


def _are_called(collection: Collection, matches: Sequence[Definition]) -> bool:
    """Whether code apart from these definitions calls or uses one of them."""
    chunks = {one.row.chunk for one in matches}
    ties = (tie for chunk in chunks for tie in collection.edges_in.neighbours(chunk))
    return any(label in ("calls", "uses") and other not in chunks for other, label in ties)
