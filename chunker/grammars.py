"""Parsers and compiled queries, made on first use and kept. The only module that imports tree_sitter at run time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from chunker.model import ReferenceKind

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query
    from tree_sitter_language_pack import SupportedLanguage

_DETAILS = frozenset({"name", "body", "scope", "receiver", "doc", "wrapped"})
_CAPTURE = re.compile(r"@([\w.]+)")
_INHERITS = "; inherits:"
_COMMENT = re.compile(r"^\s*;.*$", re.M)
# Where patterns overlap, the later kind tells more. The first place is taken so that no rank is 0.
USE_KINDS: Final[tuple[ReferenceKind, ...]] = ("type", "type", "call", "base")

QUERIES = Path(__file__).parent / "queries"

Match = tuple[int, "dict[str, list[Node]]"]


@dataclass(frozen=True, slots=True)
class SymbolQuery:
    """A compiled query file.

    `roles[i]` is the capture of pattern i that says what the pattern finds. `ranks[i]` is 0 unless that is a
    reference: then twice the place of its kind in `USE_KINDS`, so that a receiver can add one.
    """

    query: Query
    roles: tuple[str, ...]
    ranks: tuple[int, ...]

    def matches(self, node: Node) -> list[Match]:
        from tree_sitter import QueryCursor

        return QueryCursor(self.query).matches(node)


@cache
def parser(grammar: str) -> Parser:
    from tree_sitter_language_pack import get_parser

    return get_parser(cast("SupportedLanguage", grammar))


@cache
def symbol_query(name: str, grammar: str) -> SymbolQuery:
    """The query file of a first-tier language, compiled for its grammar."""
    from tree_sitter import Query
    from tree_sitter_language_pack import get_language

    source = query_text(name)
    query = Query(get_language(cast("SupportedLanguage", grammar)), source)
    raw = source.encode()
    spans = [(query.start_byte_for_pattern(i), query.end_byte_for_pattern(i)) for i in range(query.pattern_count)]
    roles = tuple(_role(raw[start:end].decode()) for start, end in spans)
    return SymbolQuery(query, roles, tuple(_rank(role) for role in roles))


@cache
def error_query(grammar: str) -> Query:
    """Finds what the grammar could not read."""
    from tree_sitter import Query
    from tree_sitter_language_pack import get_language

    return Query(get_language(cast("SupportedLanguage", grammar)), "(ERROR) @error")


def query_text(name: str) -> str:
    """A query file; those that its first line inherits (`; inherits: ecma, jsx`) come before it."""
    text = (QUERIES / f"{name}.scm").read_text(encoding="utf-8")
    first = text.partition("\n")[0]
    if not first.startswith(_INHERITS):
        return text
    bases = first.removeprefix(_INHERITS).split(",")
    return "\n".join([*(query_text(base.strip()) for base in bases), text])


def _rank(role: str) -> int:
    group, _, kind = role.partition(".")
    return 2 * USE_KINDS.index(cast("ReferenceKind", kind), 1) if group == "reference" else 0


def _role(source: str) -> str:
    """The capture of a pattern that is no detail of another one."""
    names = dict.fromkeys(_CAPTURE.findall(_COMMENT.sub("", source)))
    roles: list[str] = [name for name in names if name not in _DETAILS and not name.startswith("_")]
    if len(roles) != 1:
        raise ValueError(f"a pattern must have one capture with a role, this one has {roles}: {source}")
    return roles[0]
