"""Finds where YAML describes a column of a table, as dbt does: `- name: paid_at` below `columns:` of the table."""

from __future__ import annotations

import re

from contracts.lazy_regex import lazy_regex
from index.search.routing.mounts import enclosing
from index.search.scope import MAX_CHUNKS, Location, SearchScope, on_lines
from index.text import terms_of_text

_COLUMNS = lazy_regex(r"\s*(?:-\s+)?columns:\s*$")
MAX_READ = 200  # chunks with the words of a column


def described_columns(scope: SearchScope, table: str, column: str) -> list[Location]:
    """The lines that begin the description of a column of a table, or of any table if its name is empty, best first."""
    chunks = scope.holding(terms_of_text(column)).tolist()[:MAX_READ]
    collection, name = scope.collection, column.encode()
    data = [chunk for chunk in chunks if collection.rules_of(chunk).keys and name in collection.text_of(chunk)]
    if not data:  # the patterns take longer to compile
        return []
    entry = r"[ \t]*-[ \t]+name:[ \t]*[\"']?{}[\"']?[ \t]*$"
    own = re.compile(rf"^{entry.format(re.escape(column))}".encode(), re.MULTILINE)
    of_table = re.compile(entry.format(re.escape(table)))

    def describes(hit: Location, line: int) -> bool:
        head, *outer = [*enclosing(scope.rows(hit.chunk), line), ""]
        return _COLUMNS.match(head) is not None and (not table or any(map(of_table.match, outer[:1])))

    return scope.by_points(on_lines(scope.places_of(data, own, name), describes))[:MAX_CHUNKS]
