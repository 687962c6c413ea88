"""Finds the definitions of a name, those that a reader most likely means first."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from itertools import chain, islice, takewhile

import numpy as np

from chunker.kinds import TYPES, VALUES
from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from index.collection.collection import Collection
from index.collection.reader import Lines, signature_of
from index.collection.tables import DefinitionRow
from index.roles import is_of_language
from index.search.scope import Location, SearchScope
from index.search.spelling import folded, in_usual_cases, is_compound_name, names_in, plain_in, variants
from index.segment.columns import Array, distinct
from index.text import PROPER_NAMES, terms_of
from index.types import ChunkId, FileId

# A type comes before a method that happens to share its name. The kinds from `impl` on re-open a definition.
_KIND_ORDER = {
    kind: number
    for number, kind in enumerate(
        "class struct interface trait enum type function macro method const variable impl module section block".split()
    )
}
_REDECLARING = frozenset({"impl", "module", "section", "block"})
_MOCK = lazy_regex(
    r"(^|/)(__mocks__|mocks?|fakes?|stubs?)/|(^|[/_.-])(mock|fake|stub)s?[_.-]|[a-z0-9](Mock|Fake|Stub)\.\w+$"
)
_DECLARED = lazy_regex(r"\.d\.[mc]?ts$|\.pyi$|\.rbi$|-stubs?/")  # files that declare what another file defines
_INDEX_NAMES = frozenset({"init", "index", "mod", "lib", "main"})  # a file with such a name stands for its folder
# A folder of one version of an API, and the stages that lead to a version.
_VERSION = lazy_regex(r"v(\d{1,4})(?:(alpha|beta|rc)(\d{0,4}))?")
_STAGES = ("alpha", "beta", "rc", "")
_EXPORTED = lazy_regex(rb"\b(?:export|pub|public|open)\b|\bexports\b")
_BLOCKS = {"local": "locals", "var": "variable"}  # of Terraform, by what refers to their names
_MANIFESTS = ("DESCRIPTION", "Project.toml", "dbt_project.yml", "go.mod", "Cargo.toml")
_PROJECT = lazy_regex(rb"^(?:(?:Package|name)[ \t]*[:=]|module[ \t])[ \t]*[\"']?(?:\S*/)?(?!v\d+\s)([\w.-]+)", re.M)
_MANIFEST_BYTES = 10_000
_NONE = np.zeros(0, np.int64)
MAX_SORTED = 1_000  # definitions of one name that are sorted
QUESTION_CHARS = 600  # longest text whose names are looked up: anything longer was pasted
MAX_NAMED = 6  # names among words that are looked up
FEW_FILES, COMMON_SHARE = 4, 0.25  # with more files, and this share of all, the name of a project is common
MOCK, TEST = 2, 3  # values of `Definition.tier`
RARE = 2  # a name with at most this many definitions means all of them
AMBIGUOUS = 3  # a name among words that only code spells so, with more definitions, may mean none of them
MAX_READ = 200  # definitions of one name whose declarations are read
LIKELY_FILES = 10  # files in which a name of usual words is no coincidence
MAX_BASES = 4  # steps from a class to the base class, or to the subtype, that defines a member
MAX_SUBTYPES = 100  # types of one step whose subtypes are looked at


@frozen
class Definition:
    """One definition of a name; `signature` is the range of its lines, 1-based and inclusive."""

    row: DefinitionRow
    signature: Lines
    redeclares: bool  # it re-opens or declares what another place defines
    tier: int  # 0 for code, 1 for generated code, examples and translations, 2 for mocks, 3 for tests

    @property
    def group(self) -> tuple[bool, bool, bool]:
        """The part of the order that separates the definitions that a reader means from all others."""
        return self.tier > 0, self.redeclares, self.row.is_minor


def definitions(
    collection: Collection, symbol: str, allowed: Array | None = None, points: Array | None = None
) -> list[Definition]:
    """The definitions of a name (parts with dots between them), best first, in a total order.

    Code comes before generated code, mocks and tests; a definition before places that re-open or declare it; then those
    that their file or package is named after, exported ones, types before functions, and larger bodies. `allowed`
    (bool[files]) says which files count, `points` (float[files]) decides between equals.
    """
    first, *rest = symbol.split(".")
    rows = _rows(collection, [first, *rest], 0)
    rows = _rows(collection, [_BLOCKS[first], *rest], 0) if not len(rows) and rest and first in _BLOCKS else rows
    rows = rows if len(rows) or "." not in symbol else collection.definitions.of(symbol)  # `shop.labels` of a template
    if not len(rows):
        return []
    if allowed is not None:
        rows = rows[allowed[collection.chunks.file[collection.definitions.chunk[rows]]]]
    matches = []
    for place, row in enumerate(rows[:MAX_SORTED].tolist()):
        one = definition_of(collection, collection.definitions[row])
        worth = 0.0 if points is None else -round(float(points[one.row.file]), 6)
        key = (*_key(collection, one, read=place < MAX_READ), worth, row)
        matches.append((key, one))
    ordered = [one for _, one in sorted(matches, key=lambda pair: pair[0])]
    if _may_have_versions(collection, ordered):
        ordered = _newest_first(collection, ordered)
    has_clauses = bool(ordered) and collection.rules_of(ordered[0].row.chunk).clauses
    return _with_clauses_together(ordered) if has_clauses else ordered


def _newest_first(collection: Collection, ordered: Sequence[Definition]) -> list[Definition]:
    """The definitions with those in other versions of an API together (`api/v1beta1/cart.go`, `api/v2/cart.go`), at the
    place of the best of them, the newest version first."""
    best: dict[tuple[str, str, tuple[bool, bool, bool]], int] = {}
    keys: list[tuple[int, tuple[tuple[int, int, int], ...]]] = []
    for place, one in enumerate(ordered):
        shared, newest = _version(collection.files.paths[one.row.file])
        keys.append((best.setdefault((shared, one.row.qualified, one.group), place), newest))
    return [one for _, one in sorted(zip(keys, ordered, strict=True), key=lambda pair: pair[0])]


def _newest(collection: Collection, every: list[Definition]) -> list[Definition]:
    """The definitions, newest versions first, without older versions of those before them."""
    if not _may_have_versions(collection, every):
        return every
    newest: dict[tuple[str, str], FileId] = {}
    places = ((_version(collection.files.paths[one.row.file])[0], one) for one in every)
    return [one for place, one in places if newest.setdefault((place, one.row.qualified), one.row.file) == one.row.file]


def _may_have_versions(collection: Collection, every: Sequence[Definition]) -> bool:
    return len(every) > 1 and any("/v" in f"/{collection.files.paths[one.row.file]}" for one in every)


def _version(path: str) -> tuple[str, tuple[tuple[int, int, int], ...]]:
    """A path without the versions among its folders, and these, as numbers that are smaller for newer ones."""
    folders, _, name = path.rpartition("/")
    versions = [(_VERSION.fullmatch(part), part) for part in folders.split("/")]
    shared = "/".join("" if version else part for version, part in versions)
    numbers = ((int(one[1]), _STAGES.index(one[2] or ""), int(one[3] or 0)) for one, _ in versions if one)
    return f"{shared}/{name}", tuple((-major, -stage, -minor) for major, stage, minor in numbers)


def _with_clauses_together(ordered: Sequence[Definition]) -> list[Definition]:
    """The definitions with the clauses of a function in their order, all at the place of the best of them."""
    best: dict[tuple[FileId, str | int], int] = {}
    keys: list[tuple[int, int]] = []
    for place, one in enumerate(ordered):
        name = one.row.number if one.row.kind in TYPES | VALUES else one.row.qualified
        keys.append((best.setdefault((one.row.file, name), place), one.row.line))
    return [one for _, one in sorted(zip(keys, ordered, strict=True), key=lambda pair: pair[0])]


def allowed_definitions(scope: SearchScope, symbol: str) -> list[Definition]:
    """The definitions of a name in the files of a scope, like `definitions`."""
    return definitions(scope.collection, symbol, scope.allowed, scope.points)


def named_definitions(scope: SearchScope, text: str, types: Sequence[str] = ()) -> list[Definition]:
    """The definitions of the names among the words of a text, in the order of `names_in`.

    Names that more than RARE places of code define are left out: they may mean something else; of AMBIGUOUS places, the
    first ones count if only code spells the name so. But a member of a type that is named, too, is that one (`Cart
    get_total`). Headings define nothing, and a proper name (`GitHub`) means a type. What nothing defines is looked for
    in other cases: `maxItems` of JSON may be `MaxItems` of Go. `types` are words that count if they name a type.
    """
    if len(text) > QUESTION_CHARS:
        return []
    meant: list[list[Definition]] = []
    for name in names_in(text)[:MAX_NAMED]:
        is_proper = name in PROPER_NAMES
        every = allowed_definitions(scope, name) or [
            one
            for own in (in_usual_cases(name) if name[:1].islower() else ())  # a type may be one from elsewhere
            for one in allowed_definitions(scope, own)
            if not one.tier
        ]
        places = [one for one in every if one.row.kind in TYPES or not (is_proper or one.row.kind == "section")]
        meant.append([one for one in places if not one.tier and not one.redeclares] or places)
    meant += ([one for one in in_product(scope, name) if one.row.kind in TYPES] for name in types[:MAX_NAMED])
    meant += islice(_unusual(scope, text), MAX_NAMED)
    named = [{one.row.qualified for one in every if one.row.kind in TYPES} for every in meant]
    matches: dict[int, Definition] = {}
    for every, own_types in zip(meant, named, strict=True):
        others = set().union(*named) - own_types  # a constructor is named like its own type
        members = [one for one in every if one.row.qualified.rpartition(".")[0] in others] if len(every) > RARE else ()
        own = _newest(scope.collection, members or every)
        most = AMBIGUOUS if own and is_compound_name(own[0].row.name) else RARE
        if len(own) > most:  # constructors, and often fields, are named like their type
            own, most = [one for one in own if one.row.kind in TYPES], RARE
        matches.update((one.row.number, one) for one in own[:RARE] if len(own) <= most)
    return list(matches.values())


def members_in(text: str) -> list[str]:
    """The names behind an owner among the words of a text: `Cart.total`."""
    return [name for name in names_in(text) if "." in name][:MAX_NAMED] if len(text) <= QUESTION_CHARS else []


def is_likely(scope: SearchScope, one: Definition) -> bool:
    """Whether a definition is in one of the files that fit the question best."""
    points = scope.points.round(6)
    return int((scope.allowed & (points > points[one.row.file])).sum()) < LIKELY_FILES


def _unusual(scope: SearchScope, text: str) -> Iterator[list[Definition]]:
    """The definitions of words in lower case that are unusual elsewhere (`selectinload`), unless so many files contain
    one that it may be the name of the project; of a variable or a field, that it may be a word of the trade (`episodes`
    in a player of podcasts)."""
    collection = scope.collection
    for name, (term, *_) in ((word, terms_of(word)) for word in plain_in(text)):
        if scope.is_usual(term) or not (own := in_product(scope, name)):
            continue
        files = distinct(collection.chunks.file[collection.lexical.holding([term])])
        share = 0.0 if all(one.row.kind == "variable" for one in own) else COMMON_SHARE
        if len(files) <= FEW_FILES + share * len(collection.files):
            yield own


def in_product(scope: SearchScope, name: str) -> list[Definition]:
    """The definitions of a name without those in tests, examples and headings."""
    every = allowed_definitions(scope, name)
    return [one for one in every if not (one.tier or one.redeclares or one.row.kind == "section")]


def definitions_in(collection: Collection, files: Sequence[FileId], names: Container[str]) -> list[Definition]:
    """The definitions of these names in these files, in the order of the files."""
    rows = [row for file in files for row in collection.definitions.in_file(file) if row.name in names]
    return [definition_of(collection, row) for row in rows]


def signatures(matches: Sequence[Definition], why: str) -> list[Location]:
    """The chunks of definitions, each once, with the lines of their signatures."""
    lines: dict[ChunkId, set[Lines]] = {}
    for one in matches:
        lines.setdefault(one.row.chunk, set()).add(one.signature)
    return [Location(chunk, tuple(sorted(own)), why) for chunk, own in lines.items()]


def _rows(collection: Collection, parts: Sequence[str], depth: int) -> Array:
    """The rows of the definitions of the last part inside the container that the other parts name."""
    for name in variants(parts[-1]):
        rows = collection.definitions.of(name)
        if len(rows) and len(parts) > 1:
            named, rows = rows, _qualified(collection, rows, parts[:-1])
            if not len(rows):
                rows = _inherited(collection, [*parts[:-1], name], depth)
            if not len(rows) and not depth:
                rows = _of_subtypes(collection, parts[:-1], named)
            if not len(rows) and len(parts) == 2:
                rows = _of_project(collection, parts[0], named)
        if len(rows):
            return rows
    return _NONE


def _qualified(collection: Collection, rows: Array, outer: Sequence[str]) -> Array:
    """The rows inside the container `outer`, only those with the least mismatch."""
    pairs = ((row, _mismatch(collection, collection.definitions[row], outer)) for row in rows.tolist())
    misses = {row: miss for row, miss in pairs if miss is not None}
    least = min(misses.values(), default=0)
    return np.array([row for row, miss in misses.items() if miss == least], np.int64)


def _mismatch(collection: Collection, row: DefinitionRow, outer: Sequence[str]) -> int | None:
    """0 if `outer` is the row's container, 1 if only the case differs; 2 if the rest of it is the end of the package or
    of the file's path, 3 if these have its parts elsewhere, 4 if they have all of it, 5 if some of it matches nothing;
    None for another one. The container may be inside another one, such as the function that makes it."""
    own = row.qualified.split(".")[:-1]
    pairs = zip(map(folded, reversed(own)), map(folded, reversed(outer)), strict=False)
    inside = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    rest = outer[: len(outer) - inside]
    if not rest:
        return 0 if own[len(own) - inside :] == [*outer] else 1
    if own and not inside:
        return None
    folders, package, stem = ([folded(part) for part in parts] for parts in _homes(collection, row.file))
    rest = [folded(part) for part in rest]
    if any(home[-len(rest) :] == rest for home in (package, folders, [*folders, *stem])):
        return 2
    home, outside = [*folders, *package, *stem], 0
    for part in reversed(rest):
        if part not in home:
            break
        home = home[: home.index(part)]
        outside += 1
    if outside == len(rest):
        return 3 if inside else 4
    return 5 if (outside or inside) and inside == len(own) else None


def _of_project(collection: Collection, project: str, rows: Array) -> Array:
    """The definitions at the top level, if a manifest at the root names the project: R, Julia, dbt and Rust qualify a
    name with that of the project (`dplyr::filter`), as Go does for the package at the root (`gin.Context`)."""
    files = (file for file in map(collection.files.find, _MANIFESTS) if file is not None)
    names = (_PROJECT.search(collection.files.text.raw(file)[:_MANIFEST_BYTES]) for file in files)
    if project.encode() not in {match[1].replace(b"-", b"_") for match in names if match}:
        return _NONE
    own = (collection.definitions[row] for row in rows.tolist())
    return np.array([row.number for row in own if not row.is_member and row.kind != "section"], np.int64)


def _homes(collection: Collection, file: FileId) -> tuple[list[str], list[str], list[str]]:
    """The folders, the parts of the package and the name of a file."""
    package = collection.package_of(file).replace("\\", ".").replace("::", ".")
    folders, _, name = collection.files.paths[file].rpartition("/")
    return folders.split("/"), package.split(".") if package else [], [name.split(".")[0]]


def _inherited(collection: Collection, parts: Sequence[str], depth: int) -> Array:
    """The rows of a member, the last part, in the base classes of its class, the other parts."""
    if depth >= MAX_BASES or len(parts) < 2:
        return _NONE
    for row in _rows(collection, parts[:-1], MAX_BASES).tolist():
        for base, label in collection.edges_out.neighbours(int(collection.definitions.chunk[row])):
            if label in ("extends", "implements") and (symbol := collection.symbol_of(base)):
                matches = _rows(collection, [*symbol.split("."), parts[-1]], depth + 1)
                if len(matches):
                    return matches
    return _NONE


def _of_subtypes(collection: Collection, outer: Sequence[str], rows: Array) -> Array:
    """The rows inside the nearest types that extend the type `outer`, which does not define the member itself."""
    types = [ChunkId(int(collection.definitions.chunk[row])) for row in _rows(collection, outer, MAX_BASES).tolist()]
    for _ in range(MAX_BASES):
        types = [own for one in types[:MAX_SUBTYPES] for own in collection.subtypes_of(one)]
        names = {collection.symbol_of(one) for one in types} - {""}  # several classes may share a chunk without a name
        own = [row for row in rows.tolist() if collection.definitions[row].qualified.rpartition(".")[0] in names]
        if own or not types:
            return np.array(own, np.int64)
    return _NONE


def definition_of(collection: Collection, row: DefinitionRow) -> Definition:
    """The definition with the lines of its signature if its chunk has them, otherwise the line of its name."""
    declares = row.kind == "type" and row.is_member
    redeclares = row.kind in _REDECLARING or declares or _DECLARED.search(collection.files.paths[row.file]) is not None
    signature = signature_of(collection, row.chunk) if collection.symbol_of(row.chunk) == row.qualified else None
    lines = signature if signature and signature[0] <= row.line <= signature[1] else (row.line, row.line)
    return Definition(row, lines, redeclares, _tier(collection, row))


def _key(collection: Collection, one: Definition, *, read: bool) -> tuple[int, bool, bool, bool, bool, int, int]:
    row = one.row
    public = not row.name.startswith("_") and (not read or _is_exported(collection, row))
    unlike = not _is_namesake(collection, row.file, row.name)
    size = row.end_line - row.start_line
    return one.tier, one.redeclares, unlike, not public, row.is_minor, _KIND_ORDER[row.kind], -size


def _tier(collection: Collection, row: DefinitionRow) -> int:
    if collection.static["test"][row.file] or collection.cells.in_tests[row.chunk]:
        return TEST
    if _MOCK.search(collection.files.paths[row.file]):
        return MOCK
    is_aside = collection.static["generated"][row.file] or collection.static["aside"][row.file]
    return 1 if is_aside or is_of_language(collection.files.paths[row.file]) else 0


def _is_namesake(collection: Collection, file: FileId, name: str) -> bool:
    """Whether the file, or the folder or package that it stands for, has the name of a definition."""
    *outer, own = chain(*_homes(collection, file))
    stem = folded(own)
    return folded(name) == (folded(outer[-1]) if stem in _INDEX_NAMES and outer else stem)


def _is_exported(collection: Collection, row: DefinitionRow) -> bool:
    """Whether the declaration says so, or is at the top level: some languages have no keyword for it."""
    text = collection.text_of(row.chunk)
    above = row.line - collection.cells.start_line[row.chunk]
    line = text.split(b"\n", above + 1)[above] if above <= text.count(b"\n") else b""
    return _EXPORTED.search(line) is not None or not row.is_member
