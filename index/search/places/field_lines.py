"""Finds the lines that declare fields of types, keys of constants and columns of tables, which are no symbols."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace

from chunker.kinds import ROUTINES, VALUES
from contracts.lazy_regex import lazy_regex
from index.collection.reader import MAX_LINE, last_inside
from index.collection.tables import DefinitionRow
from index.search.definitions import TYPES, Definition, allowed_definitions, definitions, members_in, signatures
from index.search.other_cases import models_of_table, singulars
from index.search.scope import MAX_CHUNKS, Location, SearchScope, distinct, on_lines
from index.text import parts_of, terms_of_text
from index.types import ChunkId, FileId

_MIGRATION = lazy_regex(r"(?:^|/)(?:\w*migrat\w*|alembic|schema\.(?:rb|sql))(?:/|\.\w+$|$)|\.(?:cql|ddl|sql)$", re.I)
# Before a column: what undoes or repeats what another line declares, such as an index, a column to stand after.
_UNDOES = lazy_regex(
    r"drop|remove|rename|modify|index|\bafter\b|(?:alter|change)[_ ]?(?:column|field)"
    r"|migrations\.(?!AddField|CreateModel)\w|\b(?:foreign|primary|unique)(?:[_ ]?key)?[\s(\"'`:\[]{0,4}$",
    re.I,
)
_CHANGES = lazy_regex(r"->change\(")  # behind a column of Laravel
_PARAMETER = r"\b(?:private|public|protected|readonly|val|var)\b"  # of a constructor, which is a field
# Before brackets on a line, inside of which fields are declared; inside of others are arguments and values.
_HEAD = lazy_regex(rf"{_PARAMETER}|\b(?:class|enum|interface|message|record|struct|type)\b")
_BRACKET = lazy_regex(r"[({]")
_COMMENT = lazy_regex(r"\s*(?:#(?!\[)|//|/?\*|--|<!--|\"\"\"|''')")
# The head of the lines of a migration that change one table. The name may be on the next lines.
_TABLE = lazy_regex(
    r"(?:(?<![a-z_])|(?:alter|change|create|drop|rename)_?)table\w{0,40}(?:[\"'(:]|\s(?!\s*=>))|\bschema::"
    r"|(?<!batch_op\.)(?:add|change|alter)_?column"
    r"|\bmigrations\.\w+\(",
    re.I,
)
_OF_TABLE = ("table", "schema", "column", "migrations")  # a head has one of them
_OPEN = lazy_regex(r"[(,]\s*$", re.M)
HEAD = 3  # lines of a head
# Before the name of a table: in any head, in one that creates it, and where a model gives it.
_BEFORE_TABLE = (
    r"(?:[\"'`:\[]|\btable\s+(?:if not exists\s+)?(?:\w+\.)?)",
    r"create\w*[\s(]+(?:(?:\w+\s*[=:]|if not exists|table\b[(:]?)\s*){0,3}[\"'`:\[]?(?:\w+[\"'`\]]?\.[\"'`\[]?)?",
    r"\bdb_table[\"']?\s*[:=]\s*[\"']",
)
# A column: quoted, at the start of a line, behind `column`, or with its type behind a comma. `name="Cart"` is none.
_COLUMN = (
    r"(?:[\"'`:\[]|^\s*|\bcolumn\s+(?:if not exists\s+)?(?:\w+\.)?){0}(?!\w|\s*=\s*[\"'])"
    r"|[(,]\s*[\"`\[]?{0}[\"`\]]?\s+(?!(?:and|asc|desc|in|is|not|or)\b)[a-z]"
)
MAX_ABOVE = 200  # lines from the head of a table to a column
MAX_MIGRATIONS = 2  # lines of migrations that are shown for a column: the first ones create it


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
    lines = _lines_of_field(scope, models, column) or in_migrations(scope, table, column)
    if lines:
        return lines, models
    from index.search.data.described_columns import described_columns

    return described_columns(scope, table, column), models


def named_fields(scope: SearchScope, text: str) -> list[Location]:
    """The lines of the fields among the words of a text, which the index does not contain."""
    is_file = scope.collection.files.names.ending
    names = [name for name in members_in(text) if not (is_file(name) or definitions(scope.collection, name))]
    hits = [hit for name in names for hit in (*field_hits(scope, name), *column_hits(scope, name)[0])]
    return [replace(hit, why="named") for hit in hits]


def declarations_of(scope: SearchScope, table: str, column: str) -> list[Location]:
    """The model of a table, and the lines of migrations that create it; or those of a column of any table."""
    models = models_of_table(scope, table, of_app=False) if table else []
    return distinct([*signatures(models, "key"), *in_migrations(scope, table, column)])


def creations(scope: SearchScope, table: str) -> list[Location]:
    """The lines of migrations that create a table."""
    return in_migrations(scope, table, "", creating=True)


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
        is_inside = any(own.start_line <= line <= own.end_line for own in methods)
        is_code = len(text) <= MAX_LINE and not _COMMENT.match(text)
        match = (is_set if is_inside else declared).search(text) if is_code else None
        before = text[: match.start()] if match else ""
        return match is not None and (is_inside or not _BRACKET.search(before) or _HEAD.search(before) is not None)

    return declares


def in_migrations(
    scope: SearchScope, table: str, column: str, most: int = MAX_MIGRATIONS, *, creating: bool = False
) -> list[Location]:
    """The lines of migrations that name a column of a table, or of any, or else a table, those that create it first;
    only those if `creating`. Migrations of Django name the model of a table."""
    models = [one.row.name for one in models_of_table(scope, table, of_app=False)] if table else []
    names = tuple(dict.fromkeys((table, *models)))
    files = _Migrations(scope, names, column)
    hits = [
        hit
        for text in ((column,) if column else names)
        for hit in scope.places_with(text, filter(files.is_migration, scope.holding(terms_of_text(text)).tolist()))
    ]
    hits = on_lines(hits, files.is_of_column if column else files.is_of_table)
    hits = on_lines(hits, files.creates) if creating else hits

    def order(hit: Location) -> tuple[bool, bool, str, int]:
        path = scope.collection.path_of(hit.chunk)
        return not files.creates(hit, hit.lines[0][0]), "migrat" in path.lower(), path, hit.chunk  # a schema is the sum

    return sorted(distinct(hits), key=order)[:most]


class _Migrations:
    """Tells which lines of migrations are about a column of a table, or about the table, by one of its `names`; for an
    empty name, about any."""

    def __init__(self, scope: SearchScope, names: Sequence[str], column: str) -> None:
        self._scope, self._collection, self._column = scope, scope.collection, column
        self._generated = scope.collection.static["generated"]  # the whole model behind each migration
        table = f"(?:{'|'.join(map(re.escape, names))})(?!\\w)" if names[0] else ""
        self._table, self._new_table, self._given = (
            re.compile(before + table if table else "", re.I) for before in _BEFORE_TABLE
        )
        self._declares = re.compile(_COLUMN.format(re.escape(column)) if column else "", re.I)
        self._heads = dict[FileId, list[tuple[int, str]]]()

    def is_migration(self, chunk: int) -> bool:
        """Whether a chunk is in a migration."""
        file = self._collection.file_of(ChunkId(chunk))
        is_of_code = not (self._generated[file] or self._collection.is_in_tests(ChunkId(chunk)))
        return is_of_code and _MIGRATION.search(self._collection.files.paths[file]) is not None

    def is_of_column(self, hit: Location, line: int) -> bool:
        """Whether a line names the column where the nearest head of a table is that of the table."""
        if not self._declares.search(self._scope.row(hit.chunk, line)[:MAX_LINE]):
            return False
        above, head = self._head(hit, line)
        return above < MAX_ABOVE and self._table.search(head) is not None

    def is_of_table(self, hit: Location, line: int) -> bool:
        """Whether a line is the head of the table, or names the table of a model."""
        above, head = self._head(hit, line)
        is_on_head = above <= len(_OPEN.findall(head)) and self._table.search(head) is not None
        return is_on_head or self._given.search(self._scope.row(hit.chunk, line)) is not None

    def creates(self, hit: Location, line: int) -> bool:
        """Whether a line creates the column or the table, rather than changing it."""
        above, head = self._head(hit, line)
        if not self._column:
            return self._new_table.search(head) is not None or not self._table.search(head)  # that of a model
        before, _, after = self._scope.row(hit.chunk, line)[:MAX_LINE].partition(self._column)
        undoes = _UNDOES.search(before) or _CHANGES.search(after)
        return not (undoes or (above and _UNDOES.search(head.partition("(")[0])))

    def _head(self, hit: Location, line: int) -> tuple[int, str]:
        """How many lines the nearest head of a table is above a line, 0 if on it; and its text."""
        file = self._collection.file_of(hit.chunk)
        if file not in self._heads:  # a cached method would keep the collection open
            self._heads[file] = self._heads_of(file)
        heads = self._heads[file]
        at = bisect_left(heads, (line + 1,)) - 1
        return (line - heads[at][0], heads[at][1]) if at >= 0 else (MAX_ABOVE, "")

    def _heads_of(self, file: FileId) -> list[tuple[int, str]]:
        """The heads of tables in a file, with the next lines if they end in the middle of a call."""
        rows = [row[:MAX_LINE] for row in self._scope.lines.lines(file)]
        likely = ((at, row) for at, row in enumerate(rows) if any(map(row.lower().__contains__, _OF_TABLE)))
        heads = (at for at, row in likely if _TABLE.search(row))
        return [(at + 1, "\n".join(rows[at : at + (HEAD if _OPEN.search(rows[at]) else 1)])) for at in heads]
