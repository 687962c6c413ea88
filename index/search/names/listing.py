"""Listing defined symbols by pattern."""

from __future__ import annotations

import re

from index.collection.collection import Collection
from index.collection.tables import LEVELS
from index.types import SymbolId, SymbolRow


def matching_symbols(collection: Collection, pattern: str | None, limit: int) -> list[SymbolRow]:
    """Symbols whose qualified name matches a glob, or contains the pattern; case-insensitive, by file and line."""
    segment = collection.snapshot.segment
    matches = _matcher(pattern)
    names = segment.names
    qualified = [number for level in LEVELS for number in segment.array(f"{level}.qualified").tolist()]
    verdicts: dict[int, bool] = {}
    rows: list[SymbolRow] = []
    for row, name in enumerate(qualified):
        if name not in verdicts:
            verdicts[name] = matches(names[name])
        if verdicts[name]:
            rows.append(collection.definitions.symbol_row(SymbolId(row)))
    rows.sort(key=lambda one: (one.file.encode(), one.line, one.qualified))
    return rows[:limit]


def _matcher(pattern: str | None):  # type: ignore[no-untyped-def]
    if not pattern:
        return lambda name: True
    folded = pattern.casefold()
    if "*" in pattern or "?" in pattern:
        import fnmatch

        shape = re.compile(fnmatch.translate(folded))
        return lambda name: (
            shape.match(name.casefold()) is not None or (shape.match(name.rpartition(".")[2].casefold()) is not None)
        )
    return lambda name: folded in name.casefold()
