"""The parts that every kind of pack shares: fitting under several limits, excerpts, reasons."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_pack.core.candidate import Candidate, Slot
from context_pack.core.excerpt import MIN_LINES, excerpt, least, priority
from context_pack.core.fit import Amounts, Budget, fit
from contracts.records import Why

WHY = (Why("test", 1.0, 1.0),)


def slot(*sizes: int, name: str = "only") -> Slot[int]:
    return Slot(name, tuple(Candidate(f"{name}{n}", size, 1.0, WHY) for n, size in enumerate(sizes)))


def chars(item: int) -> Amounts:
    return {"chars": item}


def kept(*slots: Slot[int], budget: Budget) -> list[str]:
    return [candidate.id for candidate in fit(slots, budget, chars).kept]


def test_nothing_is_selected_without_a_reason() -> None:
    with pytest.raises(ValueError, match=r"src/a\.py:1:2 was selected without a reason"):
        Candidate("src/a.py:1:2", 1, 1.0, ())


def test_every_unit_with_a_limit_counts() -> None:
    def measure(item: int) -> Amounts:
        return {"chars": item, "items": 1}

    fitted = fit([slot(5, 5, 5)], Budget({"chars": 100, "items": 2}), measure)
    assert ([c.id for c in fitted.kept], fitted.spent) == (["only0", "only1"], {"chars": 10, "items": 2})
    assert [(drop.candidate.id, drop.cause) for drop in fitted.dropped] == [("only2", "no_room")]


def test_what_is_fixed_is_spent_first() -> None:
    assert kept(slot(5, 5), budget=Budget({"chars": 10}, fixed={"chars": 1})) == ["only0"]


def test_what_is_protected_is_kept_and_the_pack_says_that_it_is_over() -> None:
    fitted = fit([slot(5, 50, 5)], Budget({"chars": 10}, protected=frozenset({"only1"})), chars)
    assert ([c.id for c in fitted.kept], fitted.over) == (["only0", "only1"], True)
    assert fitted.spent == {"chars": 55}
    assert not fit([slot(5, 50, 5)], Budget({"chars": 10}), chars).over


@given(
    st.lists(st.lists(st.integers(1, 50), max_size=6), min_size=1, max_size=3),
    st.integers(0, 150),
    st.integers(0, 20),
)
def test_kept_and_dropped_are_what_was_selected(sizes: list[list[int]], limit: int, fixed: int) -> None:
    slots = [slot(*found, name=f"s{n}-") for n, found in enumerate(sizes)]
    budget = Budget({"chars": limit}, fixed={"chars": fixed})
    fitted = fit(slots, budget, chars)
    selected = [candidate for one in slots for candidate in one.candidates]
    dropped = [drop.candidate for drop in fitted.dropped]
    assert sorted(c.id for c in (*fitted.kept, *dropped)) == sorted(c.id for c in selected)
    assert fitted.spent["chars"] == fixed + sum(c.item for c in fitted.kept)
    assert fitted.spent["chars"] <= limit or not fitted.kept
    room = limit - fitted.spent["chars"]
    assert all(drop.candidate.item > room for drop in fitted.dropped), "something that fits was left out"
    assert all((drop.cause == "too_large") == (fixed + drop.cost["chars"] > limit) for drop in fitted.dropped)


LINES = ["def find(self):", "    a = 1", "    b = 2", "", "    c = needle(a)", "    d = 4", "    e = 5", "    return e"]


def test_an_excerpt_shows_the_header_and_the_lines_with_weight() -> None:
    ranked = priority([0, 0, 0, 0, 3, 0, 0, 0], 0)
    assert ranked[:4] == [0, 4, 3, 5]
    assert least(LINES, ranked) == 4, "the blank line does not count"
    text, elided = excerpt(LINES, ranked[:4], 10, "#")
    assert text == "def find(self):\n    a = 1\n    b = 2\n\n    c = needle(a)\n    d = 4\n    e = 5\n    return e"
    assert elided == (), "marks would be longer than the gaps"


def test_a_gap_is_marked_with_its_lines_in_the_languages_comment() -> None:
    lines = [
        "def find(self):",
        *(f"    step_{n} = {n} * 1_000_000" for n in range(3)),
        "    return 1",
        "    # " + "x" * 40,
    ]
    text, elided = excerpt(lines, [0, 4], 10, "//")
    assert text == "def find(self):\n    // ... lines 11-13 left out\n    return 1\n    // ... line 15 left out"
    assert elided == ((11, 13), (15, 15))
    assert excerpt(lines, [0, 4], 10, "")[0].splitlines()[1] == "    ... lines 11-13 left out"


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
    text, elided = excerpt(lines, shown, 1, "#")
    missing = {number for start, end in elided for number in range(start - 1, end)}
    assert missing.isdisjoint(shown)
    kept_lines = [line for number, line in enumerate(lines) if number not in missing]
    assert [line for line in text.split("\n") if " left out" not in line] == kept_lines
    assert len(text.encode()) <= len("\n".join(lines).encode())
