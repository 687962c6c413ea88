"""The measures for questions about names: shown lines, comments above them, names that are really misspelt."""

from __future__ import annotations

import random

from benchmarks.research import ctags, misspelling
from benchmarks.research.ctags import Tag
from benchmarks.research.names import shows
from contracts.records import Hint, Item


def _item(start: int, end: int, *elided: tuple[int, int]) -> Item:
    return Item("a.py:1:9", "primary", "a.py", start, end, None, None, 1.0, (), "", elided=elided)


def test_a_line_is_shown_if_the_item_contains_it_and_does_not_omit_it() -> None:
    tag = Tag("run", "a.py", 5, "function", "Python", 0, True)
    assert shows(_item(1, 9), tag) and not shows(_item(6, 9), tag) and not shows(_item(1, 9, (4, 6)), tag)
    assert not shows(_item(1, 9), Tag("run", "b.py", 5, "function", "Python", 0, True))


def test_comments_and_attributes_above_a_line_are_counted() -> None:
    lines = ["code();", "/**", " * Says what.", " */", "@Override", "void run() {", "// not above", "}"]
    assert ctags._above(lines, 5) == 4
    assert ctags._above(lines, 0) == 0


def test_misspelt_names_do_not_exist_and_are_repeatable() -> None:
    names = ["HelpFormatter", "HelpFormatters", "write_usage", "parse_query", "max_size", "Cart"]
    made = list(misspelling.misspellings(names, 4, random.Random(1)))
    assert made == list(misspelling.misspellings(names, 4, random.Random(1))) and len(made) == 4
    assert all(name in names and wrong not in names for name, wrong, _ in made)


def test_the_suggestions_are_read_from_the_hints() -> None:
    hints = [
        Hint("info", "Nothing is named x"),
        Hint("action", "`ctxpack query Cart`"),
        Hint("action", "`ctxpack index`"),
    ]
    assert misspelling.suggestions(hints) == ["Cart"]
