"""Parsers and compiled queries, created on first use and cached; tree_sitter is not imported before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from chunker.kinds import ReferenceKind
from contracts.frozen import frozen

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query
    from tree_sitter_language_pack import SupportedLanguage

_DETAILS = frozenset("name whole body tail scope receiver from doc wrapped type value".split())
_BINDINGS = frozenset({"local", "member", "result", "extension"})
_CAPTURE = re.compile(r"@([\w.]+)")
_PREDICATE = re.compile(
    r"\(#(?P<word>eq|any-of|match|not-match)\?\s+@(?P<capture>[\w.]+)\s+(?P<values>(?:\"(?:[^\"\\]|\\.)*\"\s*)+)\)"
)
_STRING = re.compile(r"\"((?:[^\"\\]|\\.)*)\"")
_ESCAPED = re.compile(r"\\(.)")
_INHERITS = "; inherits:"
_COMMENT = re.compile(r"^\s*;.*$", re.M)
# If patterns overlap, the later kind is more specific. The first place is filled so that no rank is 0.
USE_KINDS: Final[tuple[ReferenceKind, ...]] = ("type", "type", "call", "base")

MAX_TREE_DEPTH = 1000  # matching is quadratic in depth: 10,000 nested structs took a minute; people nest less than 200

QUERIES = Path(__file__).parents[1] / "languages" / "queries"

Match = tuple[int, "dict[str, list[Node]]"]


@frozen
class TextTest:
    """A predicate of a query file (`#eq?`, `#any-of?`, `#match?`, `#not-match?`): the text of `capture` must pass.

    It is tested here because a tree whose source was read piece by piece does not know its text.
    """

    capture: str
    pattern: re.Pattern[bytes]
    wanted: bool = True

    def passes(self, captures: Mapping[str, Sequence[Node]], data: bytes) -> bool:
        start, end = captures[self.capture][0].byte_range
        return (self.pattern.search(data[start:end]) is not None) is self.wanted


@frozen
class SymbolQuery:
    """A compiled query file.

    `roles[i]` is the capture that says what pattern i finds. `ranks[i]` is positive for a reference: twice the place of
    its kind in `USE_KINDS`, plus one if the pattern has a receiver. It is -1 if the pattern binds a name to a type or a
    value, and 0 otherwise.
    `tests[i]` are the conditions on the texts of captures that a match of pattern i must pass.
    """

    query: Query
    roles: tuple[str, ...]
    ranks: tuple[int, ...]
    tests: tuple[tuple[TextTest, ...], ...]

    def matches(self, node: Node) -> list[Match]:
        from tree_sitter import QueryCursor

        cursor = QueryCursor(self.query)
        cursor.set_max_start_depth(MAX_TREE_DEPTH)
        return cursor.matches(node)


@cache
def parser(grammar: str) -> Parser:
    from tree_sitter_language_pack import get_parser

    return get_parser(cast("SupportedLanguage", grammar))


@cache
def symbol_query(name: str, grammar: str) -> SymbolQuery:
    """The query file `name`, compiled for a grammar."""
    from tree_sitter import Query
    from tree_sitter_language_pack import get_language

    source = query_text(name)
    # Blanks replace the predicates, so that the patterns keep their offsets.
    bare = _PREDICATE.sub(lambda match: " " * len(match[0]), source)
    query = Query(get_language(cast("SupportedLanguage", grammar)), bare)
    raw = source.encode()
    spans = [(query.start_byte_for_pattern(i), query.end_byte_for_pattern(i)) for i in range(query.pattern_count)]
    patterns = [raw[start:end].decode() for start, end in spans]
    roles = tuple(_role(pattern) for pattern in patterns)
    tests = tuple(tuple(_text_tests(pattern)) for pattern in patterns)
    return SymbolQuery(query, roles, tuple(map(_rank, roles, patterns)), tests)


@cache
def error_query(grammar: str) -> Query:
    """A query that finds what the grammar could not parse."""
    from tree_sitter import Query
    from tree_sitter_language_pack import get_language

    return Query(get_language(cast("SupportedLanguage", grammar)), "(ERROR) @error (MISSING) @error")


def query_text(name: str) -> str:
    """The text of a query file, after that of the files that its first line inherits (`; inherits: ecma, jsx`)."""
    text = (QUERIES / f"{name}.scm").read_text(encoding="utf-8")
    first = text.partition("\n")[0]
    if not first.startswith(_INHERITS):
        return text
    bases = first.removeprefix(_INHERITS).split(",")
    return "\n".join([*(query_text(base.strip()) for base in bases), text])


def _text_tests(source: str) -> Iterator[TextTest]:
    for match in _PREDICATE.finditer(source):
        values = [_ESCAPED.sub(r"\1", value) for value in _STRING.findall(match["values"])]
        if match["word"] in ("eq", "any-of"):
            values = [rf"\A(?:{'|'.join(map(re.escape, values))})\Z"]
        (pattern,) = values
        yield TextTest(match["capture"], re.compile(pattern.encode()), not match["word"].startswith("not-"))


def _rank(role: str, source: str) -> int:
    group, _, kind = role.partition(".")
    if group in _BINDINGS:
        return -1
    if group != "reference":
        return 0
    return 2 * USE_KINDS.index(cast("ReferenceKind", kind), 1) + ("@receiver" in source or "@from" in source)


def _role(source: str) -> str:
    """The one capture of a pattern that is not a detail of another one."""
    names = dict.fromkeys(_CAPTURE.findall(_COMMENT.sub("", source)))
    roles: list[str] = [name for name in names if name not in _DETAILS and not name.startswith("_")]
    if len(roles) != 1:
        raise ValueError(f"a pattern must have one capture with a role, this one has {roles}: {source}")
    return roles[0]
