"""Parsers and compiled queries, created on first use and cached; tree_sitter is not imported before."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from chunker.kinds import ReferenceKind
from chunker.parse.patterns import KindTest, Pattern, TextTest, read_patterns
from contracts.frozen import frozen

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query
    from tree_sitter_language_pack import SupportedLanguage

_BINDINGS = frozenset({"local", "generic", "part", "member", "variant", "result", "extension"})
_INHERITS = "; inherits:"
# If patterns overlap, the later kind is more specific. The first place is filled so that no rank is 0.
USE_KINDS: Final[tuple[ReferenceKind, ...]] = (
    "type", "value", "type", "attribute", "call", "base", "alias", "demand", "macro",
)  # fmt: skip

FIELD = "field"  # the role of what is only looked for when someone asks for a field
MAX_TREE_DEPTH = 1000  # matching is quadratic in depth: 10,000 nested structs took a minute; people nest less than 200
_FEW_STATES = 1_500  # up to here exact queries compile at most 3 ms longer; Lua is read in 3/4 of the time

QUERIES = Path(__file__).parents[1] / "languages" / "queries"


@frozen
class SymbolQuery:
    """A compiled query file.

    `forms[i]` are the patterns whose form is pattern i of `query`, in the order of the file.
    `roles[i]` says what pattern i of the file finds. `ranks[i]` is positive for a reference: twice the place of its
    kind in `USE_KINDS`, plus one if the pattern has a receiver. It is -1 if the pattern binds a name to a type or a
    value, and 0 otherwise.
    `tests[i]` are the conditions that a match of pattern i must pass.
    """

    query: Query
    forms: tuple[tuple[int, ...], ...]
    roles: tuple[str, ...]
    ranks: tuple[int, ...]
    tests: tuple[tuple[TextTest | KindTest, ...], ...]

    def matches(self, node: Node, data: bytes) -> Iterator[tuple[int, dict[str, list[Node]]]]:
        """The pattern and the captures of each match in a tree of `data`; `ROLE` is the capture with the role."""
        from tree_sitter import QueryCursor

        cursor = QueryCursor(self.query)
        cursor.set_max_start_depth(MAX_TREE_DEPTH)
        forms, tests = self.forms, self.tests
        for form, captures in cursor.matches(node):
            for pattern in forms[form]:
                for test in tests[pattern]:
                    if not test.passes(captures, data):
                        break
                else:
                    yield pattern, captures


@cache
def parser(grammar: str) -> Parser:
    from tree_sitter_language_pack import get_parser

    return get_parser(cast("SupportedLanguage", grammar))


@cache
def symbol_query(name: str, grammar: str, *, fields: bool = False, uses: bool = True) -> SymbolQuery:
    """The query file `name`, compiled for a grammar: the patterns of `fields` only if they are asked for, and those of
    references and bindings, which are most of a file, only for `uses`."""
    from tree_sitter import Query
    from tree_sitter_language_pack import get_language

    language = get_language(cast("SupportedLanguage", grammar))
    patterns = read_patterns(query_text(name), exact=language.parse_state_count <= _FEW_STATES)
    patterns = [one for one in patterns if (fields or one.role != FIELD) and (uses or _rank(one) == 0)]
    numbers: dict[str, list[int]] = {}
    for number, pattern in enumerate(patterns):
        numbers.setdefault(pattern.form, []).append(number)
    query = Query(language, "\n".join(numbers))
    roles, tests = zip(*((pattern.role, pattern.tests) for pattern in patterns), strict=True)
    return SymbolQuery(query, tuple(map(tuple, numbers.values())), roles, tuple(map(_rank, patterns)), tests)


def query_text(name: str) -> str:
    """The text of a query file, after that of the files that its first line inherits (`; inherits: ecma, jsx`)."""
    text = (QUERIES / f"{name}.scm").read_text(encoding="utf-8")
    first = text.partition("\n")[0]
    if not first.startswith(_INHERITS):
        return text
    return "\n".join([*(query_text(base.strip()) for base in first.removeprefix(_INHERITS).split(",")), text])


def _rank(pattern: Pattern) -> int:
    group, _, kind = pattern.role.partition(".")
    if group in _BINDINGS:
        return -1
    return rank_of(kind) + pattern.has_receiver if group == "reference" else 0


def rank_of(kind: str) -> int:
    """The rank of a reference of this kind without a receiver."""
    return 2 * USE_KINDS.index(cast("ReferenceKind", kind), 1)
