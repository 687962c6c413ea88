"""Finds what creates a table or a column: `which migration adds total to carts`, `where is the table carts created`."""

from __future__ import annotations

import re

from contracts.lazy_regex import lazy_regex
from index.search.places.field_lines import in_migrations
from index.search.scope import MAX_CHUNKS, Location, SearchScope
from index.text import STOP_WORDS

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
