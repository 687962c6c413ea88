"""Finds a name as other languages spell it: the code generated from `rpc GetCart` has a `get_cart` in Rust and a
`getCart` in TypeScript, and code names the control `cart_total` of a layout `cartTotal`."""

from __future__ import annotations

import re
from functools import cache, partial

from chunker.languages.table import rules_of
from contracts.lazy_regex import lazy_regex
from index.collection.collection import Collection
from index.collection.kinds import ASIDE, CODE, kind_of
from index.search.definitions import TYPES, Definition, definitions
from index.search.indirection import in_one_language
from index.search.occurrences import MOST_READ, in_turns, lines_with
from index.search.places.locations import Location
from index.search.spelling import in_usual_cases, pattern_in_any_case
from index.segment.columns import Array
from index.text import parts_of, stem
from index.types import ChunkId, FileId

_MODELS = lazy_regex(r"(?:^|/)(?:models?|entit(?:y|ies)|schemas?)[/.]", re.IGNORECASE)
MOST_USERS = 12  # chunks of code
MOST_BESIDE = 2  # chunks beside code that may declare the name


def spelled_otherwise(collection: Collection, name: str, allowed: Array, file_points: Array) -> list[Location]:
    """The places that spell a name in another case: code that defines it, code that uses it, data that declares it."""
    pattern = pattern_in_any_case(name, other=True)
    if not pattern:
        return []
    other = re.compile(pattern.encode())
    # A pattern that begins with a letter is found five times as fast in lower case.
    likely = re.compile("[_-]?".join(parts_of(name)).encode())
    files, is_test, is_generated = collection.cells.file, collection.static["test"], collection.static["generated"]
    by_kind: dict[int, list[Location]] = {CODE: [], ASIDE: []}
    kind_of_file = cache(partial(kind_of, collection))
    for chunk in _holders(collection, name, allowed):
        file = FileId(files[chunk])
        kind = kind_of_file(file)
        if kind not in by_kind or is_test[file] or is_generated[file] or collection.cells.in_tests[chunk]:
            continue
        if likely.search(collection.text_of(chunk).lower()) and (lines := lines_with(collection, chunk, other)):
            by_kind[kind].append(Location(chunk, lines, "key"))
    declaring = defining(collection, name)
    languages, imports_only = collection.files.languages, collection.cells.imports_only

    def order(hit: Location) -> tuple[bool, bool, bool]:
        is_schema = rules_of(languages[files[hit.chunk]]).schema
        return is_schema, bool(imports_only[hit.chunk]), hit.chunk not in declaring

    code = sorted(in_turns(collection, by_kind[CODE], file_points), key=order)
    beside = in_one_language(collection, by_kind[ASIDE], lambda hit: FileId(files[hit.chunk]))
    return [*code[:MOST_USERS], *beside[:MOST_BESIDE]]


def _holders(collection: Collection, name: str, allowed: Array) -> list[ChunkId]:
    """The chunks with all parts of a name, or of many only those with the parts in one word; none if these are many."""
    parts = parts_of(name)
    for terms in ([stem(part) for part in parts if len(part) > 1 and not part.isdigit()], ["".join(parts)]):
        chunks = collection.lexical.holding(terms)
        chunks = chunks[allowed[collection.chunks.file[chunks]]]
        if len(chunks) <= MOST_READ:
            return [ChunkId(chunk) for chunk in chunks.tolist()]
    return []


def defining(collection: Collection, name: str) -> set[int]:
    """The chunks that define a name in any case."""
    table = collection.definitions
    return {int(chunk) for own in in_usual_cases(name) for chunk in table.chunk[table.of(own)].tolist()}


def in_schemas(collection: Collection, name: str, allowed: Array) -> list[Definition]:
    """The definitions of a name of several words, in any case, in schemas, whose generated code spells it otherwise."""
    names = in_usual_cases(name) if pattern_in_any_case(name) else []
    matches = (one for own in names for one in definitions(collection, own, allowed))
    return [one for one in matches if rules_of(collection.files.languages[one.row.file]).schema]


def models_of_table(collection: Collection, name: str, allowed: Array, *, of_app: bool = True) -> list[Definition]:
    """The classes among the models that a table of the database is named after: `Cart` in the folder `shop` for
    `shop_cart` (Django), `CartItem` for `cart_items` (Rails, Laravel). Without `of_app`, `Cart` in any folder, because
    an app may have another name than its folder."""
    app, _, own = name.partition("_")
    tables = {table: folder for base, folder in ((name, ""), (own, app)) for table in singulars(base)}
    rows, paths, file_of = collection.definitions, collection.files.paths, collection.cells.file
    for table, folder in tables.items() if name.islower() else ():
        model = "".join(part.capitalize() for part in table.split("_"))
        files = {paths[file_of[chunk]] for chunk in rows.chunk[rows.of(model)].tolist()}
        fitting = {path for path in files if _MODELS.search(path) and (not of_app or f"/{folder}" in f"/{path}")}
        for one in definitions(collection, model, allowed) if fitting else ():  # which reads and sorts all of them
            if one.row.kind in TYPES - {"module"} and not one.tier and paths[one.row.file] in fitting:
                return [one]
    return []


def singulars(word: str) -> list[str]:
    """The word, then what it may be the plural of."""
    endings = (("ies", "y"), ("ses", "s"), ("s", ""))
    return [word, *(word.removesuffix(many) + one for many, one in endings if word.endswith(many))]
