"""The records of languages: every required field is set, and every field is used."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from chunker.api import chunk_file
from chunker.languages.import_readers import READERS
from chunker.languages.table import FIRST_TIER, LANGUAGES, LanguageRules, rules_of
from chunker.parse.grammars import QUERIES, parser, query_text, symbol_query

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CODE = [rules for rules in FIRST_TIER if not rules.prose]


@pytest.mark.parametrize("rules", FIRST_TIER, ids=lambda rules: rules.name)
def test_a_language_has_a_grammar_a_query_a_fixture_and_a_golden(rules: LanguageRules) -> None:
    assert rules.symbols and rules.extensions and rules.grammar is not None
    assert symbol_query(rules.name, rules.grammar).roles
    (fixture,) = (HERE / "fixtures").glob(f"{rules.name}.*")
    assert fixture.suffix in rules.extensions
    assert (HERE / "golden" / f"{rules.name}.txt").is_file()


ONLY_DECLARE = {"ocaml_interface"}  # languages whose files contain no code that calls anything


@pytest.mark.parametrize("rules", CODE, ids=lambda rules: rules.name)
def test_a_programming_language_has_every_rule_that_the_graph_needs(rules: LanguageRules) -> None:
    assert rules.comment or rules.markup or rules.blocks
    (fixture,) = (HERE / "fixtures").glob(f"{rules.name}.*")
    assert rules.name in READERS and chunk_file(fixture.read_bytes(), fixture.name).imports
    roles = symbol_query(rules.name, str(rules.grammar)).roles
    assert "import" in roles and "comment" in roles
    assert ("reference.call" in roles) == (rules.name not in ONLY_DECLARE)
    assert any(role.startswith("definition.") for role in roles)
    assert LANGUAGES[rules.family].family == rules.family


def test_every_query_file_is_read() -> None:
    texts = [query_text(rules.name) for rules in LANGUAGES.values() if rules.symbols]
    texts += [query_text(f"{rules.markup}_markup") for rules in LANGUAGES.values() if rules.markup]
    unread = [path.name for path in QUERIES.iterdir() if not any(path.read_text("utf-8") in text for text in texts)]
    assert not unread


@pytest.mark.parametrize("name", sorted(LANGUAGES.keys() - {rules.name for rules in FIRST_TIER}))
def test_other_languages_have_no_rules_of_the_graph(name: str) -> None:
    rules = LANGUAGES[name]
    if rules.grammar is not None:
        assert parser(rules.grammar) is not None
    said = {rule for rule, silent in LanguageRules._field_defaults.items() if getattr(rules, rule) != silent}
    recognised = {"extensions", "filenames", "interpreters", "grammar", "comment", "prose", "mentions_code", "template"}
    recognised |= {"deepest_column", "keys", "blocks"}  # how it is read
    recognised |= {"family"} if rules.family == name else set()
    recognised |= {"hosts"} if rules.template else set()  # the languages of its code
    if rules.symbols:
        recognised |= {"symbols", "clauses", "conditionals", "mask", "schema"}
    assert said <= recognised


@pytest.mark.parametrize("rules", LANGUAGES.values(), ids=LANGUAGES)
def test_marks_of_blocks_are_pairs_and_definitions_are_shown_or_hidden(rules: LanguageRules) -> None:
    assert len(rules.blocks) % 2 == 0 and all(rules.blocks)
    assert not (rules.shown_definitions and rules.hidden_definitions)
    assert re.compile(rules.shown_definitions) and re.compile(rules.hidden_definitions)


def test_every_rule_is_set_by_a_language_and_read_by_code() -> None:
    read = {
        node.attr
        for folder in ("chunker", "index", "context_pack")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
    }
    for rule in LanguageRules._fields:
        assert rule in read, f"nobody reads {rule}"
        assert len({getattr(rules, rule) for rules in LANGUAGES.values()}) > 1, f"all languages say the same of {rule}"


def test_text_of_an_unknown_language_is_not_a_document() -> None:
    documents = ("README.md", "docs/a.rst", "notes.txt", "LICENSE", "CHANGELOG")
    assert all(rules_of(chunk_file(b"a\n", path).language).prose for path in documents)
    assert not any(rules_of(chunk_file(b"a\n", path).language).prose for path in ("a.py", "lib.pc.in", "scene.obj"))
