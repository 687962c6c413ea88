"""Finds a name as other languages spell it: the code generated from `rpc GetCart` has a `get_cart` in Rust and a
`getCart` in TypeScript, and code names the control `cart_total` of a layout `cartTotal`."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from chunker.kinds import TYPES
from contracts.lazy_regex import lazy_regex
from index.collection.collection import ASIDE, CODE, Collection
from index.search.definitions import Definition, allowed_definitions
from index.search.indirection import in_one_language
from index.search.occurrences import MAX_READ
from index.search.scope import Location, SearchScope
from index.search.spelling import in_usual_cases, pattern_in_any_case
from index.segment.columns import distinct
from index.text import parts_of, stem, terms_of_text
from index.types import ChunkId

_MODELS = lazy_regex(r"(?:^|/)(?:models?|entit(?:y|ies)|schemas?)[/.]", re.IGNORECASE)
# What gives a model the name of its table, before the name: `db_table = "carts"` (Django), `__tablename__`, `$table`,
# `self.table_name = :carts`, `@Table(name = "carts"`, `[Table("carts")]`, `@Entity({ name: "carts"`, `schema "carts"`
# (Ecto), `@@map("carts")`, `table_name = carts` (Diesel); `return "carts"` in `TableName` of Go.
_GIVES_TABLE = (
    rb"(?:\b(?:db_table|__tablename__|table_name|tableName|schema|return)|\$table|\bTable\(|@Entity\(|@@map\()"
    rb"\W{0,6}(?:\w{1,20}\s?[=:]\s?[\"'][^\"'\n]{0,60}[\"'],\s?){0,3}(?:\w{1,20}\s?[=:]\s?)?[\"'`:]?%s(?!\w)"
)
_GIVING = ("table", "tablename", "entity", "schema", "map")  # one of them is in the code that gives a table its name
MAX_USERS = 12  # chunks of code
MAX_BESIDE = 2  # chunks beside code that may declare the name


def spelled_otherwise(scope: SearchScope, name: str) -> list[Location]:
    """The places that spell a name in another case: code that defines it, code that uses it, data that declares it."""
    collection = scope.collection
    pattern = pattern_in_any_case(name, other=True)
    if not pattern:
        return []
    other = re.compile(pattern.encode())
    # A pattern that begins with a letter is found five times as fast in lower case.
    likely = re.compile("[_-]?".join(parts_of(name)).encode())
    is_generated = collection.static["generated"]
    by_kind: dict[int, list[Location]] = {CODE: [], ASIDE: []}
    kind_of_file = cache(collection.kind_of)
    for chunk in _holders(scope, name):
        file = collection.file_of(chunk)
        kind = kind_of_file(file)
        is_aside = is_generated[file] or collection.is_in_tests(chunk) or collection.cells.in_tests[chunk]
        if kind in by_kind and not is_aside and likely.search(collection.text_of(chunk).lower()):
            by_kind[kind] += scope.places_of([chunk], other)
    declaring = defining(collection, name)
    imports_only = collection.cells.imports_only

    def order(hit: Location) -> tuple[bool, bool, bool]:
        return collection.rules_of(hit.chunk).schema, bool(imports_only[hit.chunk]), hit.chunk not in declaring

    code = sorted(scope.in_turns(by_kind[CODE]), key=order)
    beside = in_one_language(by_kind[ASIDE], lambda hit: collection.path_of(hit.chunk))
    return [*code[:MAX_USERS], *beside[:MAX_BESIDE]]


def _holders(scope: SearchScope, name: str) -> list[ChunkId]:
    """The chunks with all parts of a name, or of many only those with the parts in one word; none if these are many."""
    parts = parts_of(name)
    for terms in ([stem(part) for part in parts if len(part) > 1 and not part.isdigit()], ["".join(parts)]):
        chunks = scope.holding(terms)
        if len(chunks) <= MAX_READ:
            return [ChunkId(chunk) for chunk in chunks.tolist()]
    return []


def defining(collection: Collection, name: str) -> set[int]:
    """The chunks that define a name in any case."""
    table = collection.definitions
    return {int(chunk) for own in in_usual_cases(name) for chunk in table.chunk[table.of(own)].tolist()}


def in_schemas(scope: SearchScope, name: str) -> list[Definition]:
    """The definitions of a name of several words, in any case, in schemas, whose generated code spells it otherwise."""
    names = in_usual_cases(name) if pattern_in_any_case(name) else []
    matches = (one for own in names for one in allowed_definitions(scope, own))
    return [one for one in matches if scope.collection.rules_of(one.row.chunk).schema]


def models_of_table(scope: SearchScope, name: str, *, of_app: bool = True) -> list[Definition]:
    """The classes among the models that a table of the database is named after: `Cart` in the folder `shop` for
    `shop_cart`, `CartItem` for `shop_cartitem` (Django), `CartItem` for `cart_items` (Rails, Laravel). Without
    `of_app`, `Cart` in any folder, because an app may have another name than its folder."""
    splits = (name.partition("_"), name.rpartition("_"))[: 1 + of_app]  # an app of several words: `web_shop_cart`
    bases = {name: ""} | {own: app for app, _, own in splits}
    rows = scope.collection.definitions
    models = [
        ("".join(map(str.capitalize, table.split("_"))), folder)
        for base, folder in bases.items()
        for table in singulars(base)
    ]
    models += [(model, "") for base in bases for model in _of_several_words(scope.collection, base)]
    for model, folder in models if name.islower() else ():
        files = {scope.collection.path_of(chunk) for chunk in rows.chunk[rows.of(model)].tolist()}
        fitting = {path for path in files if _MODELS.search(path) and (not of_app or f"/{folder}" in f"/{path}")}
        for one in allowed_definitions(scope, model) if fitting else ():  # which reads and sorts all of them
            is_model = one.row.kind in TYPES - {"module"} and not one.tier
            if is_model and scope.collection.path_of(one.row.chunk) in fitting:
                return [one]
    return _with_table(scope, name) if name.isidentifier() and name.islower() else []


def _with_table(scope: SearchScope, name: str) -> list[Definition]:
    """The first model whose code gives its table this name."""
    collection = scope.collection
    # Many chunks contain a name such as `client`, few also one of these words.
    holding = (scope.holding(terms_of_text(f"{name} {word}")) for word in _GIVING)
    few = [chunks for chunks in holding if len(chunks) <= MAX_READ]
    chunks = distinct(np.concatenate(few or [np.zeros(0, np.int64)]))
    code = collection.code_among(chunks)
    if not code:  # compiling the pattern takes a millisecond
        return []
    for hit in scope.places_of(code, re.compile(_GIVES_TABLE % re.escape(name.encode())), name.encode()):
        line = hit.lines[0][0]
        around = [one for one in collection.definitions.in_file(collection.file_of(hit.chunk)) if one.has_line(line)]
        method = next((one for one in around if one.name == "TableName"), None)
        is_return = "return" in scope.row(hit.chunk, line)
        types = [one.qualified for one in around if one.kind in TYPES and one.name != "Meta"]
        owner = method.qualified.rpartition(".")[0] if method else next(reversed(types), "")
        if owner and (method is not None or not is_return):
            path = collection.path_of(hit.chunk)
            own = (one for one in allowed_definitions(scope, owner) if not one.tier)
            if models := [one for one in own if collection.path_of(one.row.chunk) == path and one.row.kind in TYPES]:
                return models[:1]
    return []


def _of_several_words(collection: Collection, letters: str) -> list[str]:
    """The names that are these letters in lower case, but have capitals inside: `CartItem`, `APIToken`."""
    lexical, table = collection.lexical, collection.definitions
    number = lexical.number_of(letters)
    rows = np.flatnonzero(np.isin(table.chunk, lexical.fields["named"].of(number))) if number >= 0 else ()
    names = dict.fromkeys(table[int(row)].name for row in rows)
    return [one for one in names if one.lower() == letters and not one[1:].islower()]


def singulars(word: str) -> list[str]:
    """The word, then what it may be the plural of."""
    endings = (("ies", "y"), ("ses", "s"), ("s", ""))
    return [word, *(word.removesuffix(many) + one for many, one in endings if word.endswith(many))]
