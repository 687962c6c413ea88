"""Code that all kinds of pack share: excerpts, reasons, lines that fit."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_pack.core.fit import Candidate
from context_pack.core.text import MIN_LINES, Excerpts, comment_of, least, open_blocks, priority
from context_pack.kinds.task.draft import fit_lines
from contracts.records import Why
from tests.clock import within

WHY = (Why("test", 1.0, 1.0),)


@given(st.lists(st.integers(1, 6), max_size=8), st.integers(2, 20), st.integers(0, 2), st.integers(0, 1))
def test_shown_and_left_out_parts_are_what_was_selected(sizes: list[int], limit: int, head: int, gap: int) -> None:
    parts = [Candidate(f"p{number}", ("line",) * size, 0.0, WHY) for number, size in enumerate(sizes)]
    digest = fit_lines(parts, limit, ("head",) * head, gap)
    assert sorted((*(part.id for part in digest.parts), *digest.left_out)) == [part.id for part in parts]
    used = head + sum(len(part.item) + gap for part in digest.parts)
    assert used <= limit + gap
    left_out = [part for part in parts if part.id in digest.left_out]
    assert all(used + len(part.item) + gap > limit + gap for part in left_out), "something that fits was left out"


LINES = ["def find(self):", "    a = 1", "    b = 2", "", "    c = needle(a)", "    d = 4", "    e = 5", "    return e"]


def test_an_excerpt_shows_the_header_and_the_lines_with_weight() -> None:
    ranked = priority([0, 0, 0, 0, 3, 0, 0, 0], 0)
    assert ranked[:4] == [0, 4, 3, 5]
    assert least(LINES, ranked) == 4, "the blank line does not count"
    text, elided = Excerpts(LINES, 10, "#").of(ranked[:4])
    assert text == "def find(self):\n    a = 1\n    b = 2\n\n    c = needle(a)\n    d = 4\n    e = 5\n    return e"
    assert elided == (), "marks would be longer than the gaps"


def test_a_gap_is_marked_with_its_lines_in_the_languages_comment() -> None:
    lines = [
        "def find(self):",
        *(f"    step_{n} = {n} * 1_000_000" for n in range(3)),
        "    return 1",
        "    # " + "x" * 90,
    ]
    text, elided = Excerpts(lines, 10, "//").of([0, 4])
    assert text == "def find(self):\n    // ... lines 11-13 left out\n    return 1\n    // ... line 15 left out"
    assert elided == ((11, 13), (15, 15))
    assert Excerpts(lines, 10, "").of([0, 4])[0].splitlines()[1] == "    ... lines 11-13 left out"
    assert Excerpts([*lines[:5], "    # " + "x" * 40], 10, "//").of([0, 4])[1] == ((11, 13),), (
        "a line in place of its mark"
    )


DOCUMENTED = '/** One.\n * Two.\n * Three.\n */\nclass A {\n  int a = 1;\n  int b = 2;\n  String c = "/*";\n  int d;\n}'
QUOTED = 'def a():\n    """One.\n\n    Two.\n    """\n    x = 1  # """\n    y = 2\n    return x'


@pytest.mark.parametrize(
    ("code", "language", "shown", "marks"),
    [
        (DOCUMENTED, "java", [0, 4, 9], [" ... lines 2-4 left out */", "  // ... lines 6-9 left out"]),
        (DOCUMENTED, "java", [0, 2, 9], [" ... line 2 left out", " ... lines 4-9 left out */"]),
        (DOCUMENTED, "java", [2, 3, 4, 9], ["/* ... lines 1-2 left out", "  // ... lines 6-9 left out"]),
        (QUOTED, "python", [0, 7], ["    # ... lines 2-7 left out"]),
        (QUOTED, "python", [0, 1, 5, 6, 7], ['    ... lines 3-5 left out """']),
        (QUOTED, "python", [0, 3, 4, 5, 6, 7], ['    """ ... lines 2-3 left out']),
        ("<ul>\n<li>\n<!-- a\nb -->\n</ul>", "html", [0, 4], ["<!-- ... lines 2-4 left out -->"]),
        ("a {\n  b: c;\n  d: e;\n}", "css", [0, 3], ["  /* ... lines 2-3 left out */"]),
    ],
)
def test_a_mark_is_right_inside_and_outside_of_comments(
    code: str, language: str, shown: list[int], marks: list[str]
) -> None:
    lines = code.split("\n")
    wide = [line.ljust(120) if number not in shown else line for number, line in enumerate(lines)]
    text, _ = Excerpts(wide, 1, comment_of(language), open_blocks(code, language)).of(shown)
    assert [line for line in text.split("\n") if "left out" in line] == marks


def test_quotes_behind_backslashes_open_no_strings() -> None:
    code = '/\\"/\n' + '\\"' * 50_000 + "\n/* a\nb */\nc"
    with within(1.0):
        blocks = open_blocks(code, "typescript")
    assert [line for line, block in enumerate(blocks) if block] == [3]


texts = st.lists(st.sampled_from(["", "  ", "a", "    " + "b" * 30, "ä" * 50]), min_size=1, max_size=30)


@given(texts, st.data())
def test_lines_are_shown_or_elided(lines: list[str], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(0, 5), min_size=len(lines), max_size=len(lines)))
    header = data.draw(st.integers(0, len(lines) - 1))
    ranked = priority(weights, header)
    assert sorted(ranked) == list(range(len(lines)))
    assert ranked[0] == header
    shown = ranked[: data.draw(st.integers(least(lines, ranked), len(lines)))]
    telling = sum(bool(lines[line].strip()) for line in shown)
    assert telling >= min(MIN_LINES, sum(bool(line.strip()) for line in lines))
    text, elided = Excerpts(lines, 1, "#").of(shown)
    missing = {number for start, end in elided for number in range(start - 1, end)}
    assert missing.isdisjoint(shown)
    kept_lines = [line for number, line in enumerate(lines) if number not in missing]
    assert [line for line in text.split("\n") if " left out" not in line] == kept_lines
    if all(any(line.strip() for line in lines[start - 1 : end]) for start, end in elided):
        assert len(text.encode()) <= len("\n".join(lines).encode())  # a mark is longer than a few blank lines


@given(texts, st.data())
def test_earlier_excerpts_of_a_text_change_nothing(lines: list[str], data: st.DataObject) -> None:
    places = st.sets(st.integers(0, len(lines) - 1), min_size=1)
    excerpts = Excerpts(lines, 10, "/* */")
    with patch("context_pack.core.text.MAX_MARKS", 2):  # of a text that is asked for very often, some marks are kept
        for shown in data.draw(st.lists(places, min_size=2, max_size=6)):
            assert excerpts.of(shown) == Excerpts(lines, 10, "/* */").of(shown)
            assert len(excerpts._marks) <= 2
