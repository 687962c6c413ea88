"""Finds the lines that declare fields of types, keys of constants and columns of models, which are no symbols."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from chunker.kinds import ROUTINES, TYPES, VALUES
from contracts.lazy_regex import lazy_regex
from index.collection.reader import MAX_LINE, last_inside
from index.collection.tables import DefinitionRow
from index.search.definitions import Definition, allowed_definitions, definitions, members_in, signatures
from index.search.other_cases import models_of_table, singulars
from index.search.scope import MAX_CHUNKS, Location, SearchScope, on_lines
from index.text import parts_of

_PARAMETER = r"\b(?:private|public|protected|readonly|val|var)\b"  # of a constructor, which is a field
# Before brackets on a line, inside of which fields are declared; inside of others are arguments and values.
_HEAD = lazy_regex(rf"{_PARAMETER}|\b(?:class|enum|interface|message|record|struct|type)\b")
_BRACKET = lazy_regex(r"[({]")
COMMENT = lazy_regex(r"\s*(?:#(?!\[)|//|/?\*|--|<!--|\"\"\"|''')")


def field_hits(scope: SearchScope, symbol: str) -> list[Location]:
    """The first line that declares a field in its type (`Profile.nag_period`), or a key in a constant that is an object
    or a table (`KEYS.ESCAPE`), for fields that are not symbols; the type may be that of a variable, or of a table, with
    its name (`profile.nag_period`, `profiles.nag_period`)."""
    container, _, field = symbol.rpartition(".")
    for name in (container, *_types_named_after(container)) if container and field else ():
        matches = allowed_definitions(scope, name)
        hits = _lines_of_field(scope, [one for one in matches if one.group == matches[0].group], field)
        getters = allowed_definitions(scope, f"{name}.{field}") if name != container else []
        own = [one for one in getters if not one.tier]
        if hits := hits or signatures(own, "key")[:MAX_CHUNKS]:
            return hits
    return []


def column_hits(scope: SearchScope, symbol: str) -> tuple[list[Location], list[Definition]]:
    """The line of a column in the model of its table (`nag_period` in `Profile` for `accounts_profile.nag_period`), or
    else in the migrations that create it, or where YAML describes it; and the model."""
    table, _, column = symbol.rpartition(".")
    if not (table and column):
        return [], []
    models = models_of_table(scope, table, of_app=False)
    if own := _lines_of_field(scope, models, column):
        return own, models
    from index.search.fields.migrations import in_migrations

    if lines := in_migrations(scope, table, column):
        return lines, models
    from index.search.fields.described_columns import described_columns

    return described_columns(scope, table, column), models


def named_fields(scope: SearchScope, text: str) -> list[Location]:
    """The lines of the fields among the words of a text, which the index does not contain."""
    is_file = scope.collection.files.names.ending
    names = [name for name in members_in(text) if not (is_file(name) or definitions(scope.collection, name))]
    hits = [hit for name in names for hit in (*field_hits(scope, name), *column_hits(scope, name)[0])]
    return [replace(hit, why="named") for hit in hits]


def _types_named_after(name: str) -> list[str]:
    """The types that a variable or a table may be named after: `DelayProfile` for `delay_profiles`; none of a path of
    data (`shop.web.cookie`)."""
    words = parts_of(name) if "." not in name else []
    names = ("".join(map(str.capitalize, [*words[:-1], last])) for last in singulars(words[-1])) if words else ()
    return [own for own in dict.fromkeys(names) if own != name]


def _lines_of_field(scope: SearchScope, matches: Sequence[Definition], field: str) -> list[Location]:
    """The first line in each of these types and values that declares a field, or has it as a key."""
    keyed = re.compile(rb"^[ \t]*[\"']?" + re.escape(field.encode()) + rb"[\"']?\s*[:=,(]", re.M)
    collection, hits = scope.collection, list[Location]()
    for row in (one.row for one in matches if one.row.kind in TYPES | VALUES):
        # The name may be at the end: `typedef struct { ... } cart;`
        inside = range(collection.parts_of(row.chunk).start, last_inside(collection, row.chunk) + 1)
        places = scope.places_with(field, inside) if row.kind in TYPES else scope.places_of(inside, keyed)
        own = on_lines(places, _declaring(scope, row, field))
        hits += [replace(hit, lines=hit.lines[:1]) for hit in own[:1]]
    return hits[:MAX_CHUNKS]


def _declaring(scope: SearchScope, row: DefinitionRow, field: str) -> Callable[[Location, int], bool]:
    """Tells whether a line with the name of a field is in a value or declares the field in a type: outside of the
    methods of the type, or where one sets it, or as a parameter of the constructor that is a field."""
    name = re.escape(field)
    begin = row.line if row.line < row.end_line else row.start_line  # `typedef struct { ... } cart;`
    methods = [
        own
        for own in scope.collection.definitions.in_file(row.file)
        if own.kind in ROUTINES and row.line < own.start_line and own.end_line <= row.end_line
    ]
    declared = re.compile(
        rf"^\s*[\"`\[]?{name}[\"`\]]?[ \t]+[\w\[*<&(]|(?<![\w.>-]){name}(?:[\"'`]|\s*(?:[:;,()?!{{\]]|=(?!=)|$))"
    )
    is_set = re.compile(rf"(?:(?:self|this)(?:\.|->)|(?<!\w)@){name}\s*(?::[^=]*)?=(?!=)|{_PARAMETER}.*\b{name}\b")

    def declares(hit: Location, line: int) -> bool:
        if row.kind in VALUES or not begin <= line <= row.end_line:
            return begin <= line <= row.end_line
        text = scope.row(hit.chunk, line)
        is_inside = any(own.has_line(line) for own in methods)
        is_code = len(text) <= MAX_LINE and not COMMENT.match(text)
        match = (is_set if is_inside else declared).search(text) if is_code else None
        before = text[: match.start()] if match else ""
        return match is not None and (is_inside or not _BRACKET.search(before) or _HEAD.search(before) is not None)

    return declares
