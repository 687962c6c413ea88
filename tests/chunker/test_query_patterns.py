"""Forms of patterns: what is compiled, and that it finds what the patterns as they are written find."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import cast

import pytest
from tree_sitter import Node, Query, QueryCursor
from tree_sitter_language_pack import SupportedLanguage, get_language

from chunker.languages.table import FIRST_TIER, LanguageRules
from chunker.parse.grammars import parser, query_text, symbol_query
from chunker.parse.patterns import ROLE, TextTest, read_patterns

FIXTURES = Path(__file__).parent / "fixtures"
PREDICATE = re.compile(r"\(#[\w-]+\?\s+@[\w.]+(?:\s+\"(?:[^\"\\]|\\.)*\")+\s*\)")
PLAIN = [rules for rules in FIRST_TIER if not rules.markup]

Found = tuple[int, tuple[tuple[str, tuple[tuple[int, int], ...]], ...]]


def form(source: str) -> str:
    (pattern,) = read_patterns(source)
    return pattern.form


def test_kinds_below_the_root_become_wildcards() -> None:
    assert form("(body (method name: (x) @name)) @definition.method") == ("( body ( _ name: ( x ) @name ) @_0 ) @role")


def test_the_root_of_a_pattern_below_a_wildcard_keeps_its_kind() -> None:
    assert form("(_ (method name: (x (y)) @name)) @definition.method") == (
        "( _ ( method name: ( _ ( y ) ) @_0 @name ) ) @role"
    )


def test_calls_keep_their_kinds() -> None:
    assert form("(call (member name: (x) @reference.call))") == "( call ( member name: ( x ) @role ) )"


def test_a_node_with_an_anchor_after_a_child_without_a_capture_keeps_its_kind() -> None:
    assert form("(set left: (list (x) . (x) @local))") == "( set left: ( list ( x ) . ( x ) @role ) )"
    assert form("(set left: (list . (x) @local))") == "( set left: ( _ . ( x ) @role ) @_0 )"


def test_patterns_that_differ_in_kinds_roles_and_predicates_have_one_form() -> None:
    source = '((a (b (x) @name)) @definition.class (#eq? @name "x")) (a (c (x) @name)) @definition.enum'
    first, second = read_patterns(source)
    assert first.form == second.form == "( a ( _ ( x ) @name ) @_0 ) @role"


@pytest.mark.parametrize("rules", PLAIN, ids=lambda rules: rules.name)
def test_forms_find_what_the_patterns_find(rules: LanguageRules) -> None:
    (fixture,) = FIXTURES.glob(f"{rules.name}.*")
    data = fixture.read_bytes()
    for source in (data, data[: len(data) // 2], data.replace(b")", b"", 3), data.replace(b"{", b"", 2)):
        root = parser(str(rules.grammar)).parse(source).root_node
        assert _found(rules, root, source) == _found_by_plain_patterns(rules, root, source)


def _found(rules: LanguageRules, root: Node, data: bytes) -> set[Found]:
    query = symbol_query(rules.name, str(rules.grammar), fields=True)
    return {
        (pattern, _spans({query.roles[pattern] if name == ROLE else name: nodes for name, nodes in captures.items()}))
        for pattern, captures in query.matches(root, data)
    }


@cache
def _plain_query(language: str, grammar: str) -> Query:
    return Query(get_language(cast("SupportedLanguage", grammar)), PREDICATE.sub("", query_text(language)))


def _found_by_plain_patterns(rules: LanguageRules, root: Node, data: bytes) -> set[Found]:
    patterns = read_patterns(query_text(rules.name))
    query = _plain_query(rules.name, str(rules.grammar))
    hits: set[Found] = set()
    for number, captures in QueryCursor(query).matches(root):
        role = patterns[number].role
        tests = [test for test in patterns[number].tests if isinstance(test, TextTest)]
        if all(test.passes({**captures, ROLE: captures[role]}, data) for test in tests):
            hits.add((number, _spans(captures)))
    return hits


def _spans(captures: dict[str, list[Node]]) -> tuple[tuple[str, tuple[tuple[int, int], ...]], ...]:
    shown = {name: nodes for name, nodes in captures.items() if not re.fullmatch(r"_\d+", name)}
    return tuple(sorted((name, tuple(node.byte_range for node in nodes)) for name, nodes in shown.items()))
