"""Finds the lines of migrations, and of schemas, that create or change a table or a column: `which migration adds total
to carts`, `where is the table carts created`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from contracts.lazy_regex import lazy_regex
from index.collection.reader import MAX_LINE
from index.search.definitions import signatures
from index.search.other_cases import models_of_table
from index.search.scope import MAX_CHUNKS, Location, SearchScope, distinct, on_lines
from index.text import STOP_WORDS, terms_of_text
from index.types import ChunkId, FileId

_MIGRATION = lazy_regex(r"(?:^|/)(?:\w*migrat\w*|alembic|schema\.(?:rb|sql))(?:/|\.\w+$|$)|\.(?:cql|ddl|sql)$", re.I)
# Before a column: what undoes or repeats what another line declares, such as an index, a column to stand after.
_UNDOES = lazy_regex(
    r"drop|remove|rename|modify|index|\bafter\b|(?:alter|change)[_ ]?(?:column|field)"
    r"|migrations\.(?!AddField|CreateModel)\w|\b(?:foreign|primary|unique)(?:[_ ]?key)?[\s(\"'`:\[]{0,4}$",
    re.I,
)
_CHANGES = lazy_regex(r"->change\(")  # behind a column of Laravel
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
_QUOTE = r"[`'\"]?"
_NAME = (
    rf"{_QUOTE}(?:(?P<owner{{0}}>\w+)\.)?(?P<name{{0}}>\w+){_QUOTE}"
    rf"(?: (?:in|of|on|to) (?:the )?{_QUOTE}(?P<table{{0}}>\w+){_QUOTE})?"
)
_MADE = r"(?:add|creat|introduc)(?:e[ds]?|ed|ing|s)?"
_KINDS = frozenset(("column", "field", "table"))  # `columns of the table` names none
_KIND = r"(?:column |field |table )"
_FORMS = (
    rf"(?:which |what |where is |the )*migrations? (?:(?:that|which) )?(?:{_MADE}|for|of) (?:the )?{_KIND}?NAME"
    r"(?: column| field| table)?",
    rf"(?:when|where) (?:is|was) (?:the )?{_KIND}NAME {_MADE}",
    rf"(?:when|where) (?:is|was) (?:the )?NAME {_KIND}{_MADE}",
    r"(?:add column|create table) NAME(?: table)?",
    r"(?:(?:show|what is) )?(?:the )?(?:columns|schema) of (?:the )?(?:table )?NAME(?: table)?",
)
_OF_MIGRATION = lazy_regex(
    "|".join(f"(?:{form.replace('NAME', _NAME.format(at))})" for at, form in enumerate(_FORMS)), re.IGNORECASE
)
_OF_STATE = lazy_regex(r"\b(?:columns|schema)\b", re.IGNORECASE)
_SUM = lazy_regex(r"(?:^|/)(?:schema|structure)\.\w+$")
MAX_READ = 40  # places that are compared


def migration_hits(scope: SearchScope, text: str) -> list[Location]:
    """The lines of migrations, or of schemas, that create the table or the column that a text names."""
    match = _OF_MIGRATION.fullmatch(" ".join(text.rstrip("?. ").split()))
    groups = {key.rstrip("0123456789"): value for key, value in match.groupdict().items() if value} if match else {}
    name, table = groups.get("name", ""), groups.get("table") or groups.get("owner", "")
    if not name or name.lower() in STOP_WORDS | _KINDS:
        return []
    created = in_migrations(scope, name, "", MAX_READ, creating=True) if not table else []
    hits = created or in_migrations(scope, table, name, MAX_READ, creating=True)
    if not _OF_STATE.search(text):  # the change rather than the sum of all
        hits = sorted(hits, key=lambda hit: _SUM.search(scope.collection.path_of(hit.chunk)) is not None)
    return hits[:MAX_CHUNKS]


def declarations_of(scope: SearchScope, table: str, column: str) -> list[Location]:
    """The model of a table, and the lines of migrations that create it; or those of a column of any table."""
    models = models_of_table(scope, table, of_app=False) if table else []
    return distinct([*signatures(models, "key"), *in_migrations(scope, table, column)])


def creations(scope: SearchScope, table: str) -> list[Location]:
    """The lines of migrations that create a table."""
    return in_migrations(scope, table, "", creating=True)


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
