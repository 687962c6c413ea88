"""The measures for a list of places."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from context_pack.benchmark.measures import BUDGETS_CHARS, Place, Result, median, result_of, share, shown

PLACES = st.lists(
    st.builds(Place, st.sampled_from("abcdef"), st.integers(0, 9_000), st.just(1), st.just(1)), max_size=12
)
TARGETS = st.lists(st.sampled_from("abcxyz"), min_size=1, max_size=3, unique=True)


def test_ranks_count_different_files_and_characters_count_all_that_is_read() -> None:
    places = [Place("a", 1_500, 1, 9), Place("a", 300, 20, 29), Place("b", 400, 1, 9), Place("c", 3_000, 1, 9)]
    assert result_of(places, ["b", "c"]) == Result(2, 2_200, (0.0, 0.5, 1.0, 1.0, 1.0))


def test_a_list_without_a_right_file() -> None:
    assert result_of([Place("a", 10, 1, 1)], ["b"]) == Result(None, None, (0.0,) * 5)
    assert result_of([], ["b"]) == Result(None, None, (0.0,) * 5)


def test_lines_are_those_of_the_places_that_fit() -> None:
    places = [Place("a", 600, 1, 4), Place("b", 500, 1, 9), Place("a", 400, 3, 6)]
    assert shown(places, 1_000) == {("a", line) for line in range(1, 7)}
    assert share(shown(places, 1_000), {("a", 6), ("a", 7), ("b", 1), ("a", 1)}) == 0.5
    assert shown(places, 399) == set()


@given(PLACES, TARGETS)
def test_the_measures_are_the_plain_ones(places: list[Place], targets: list[str]) -> None:
    given_by = result_of(places, targets)
    files: list[str] = []
    read = 0
    first: int | None = None
    shown: dict[int, set[str]] = {budget: set() for budget in BUDGETS_CHARS}
    for place in places:
        read += place.chars
        files += [place.path] if place.path not in files else []
        if place.path in targets:
            first = read if first is None else first
            for budget in BUDGETS_CHARS:
                shown[budget] |= {place.path} if read <= budget else set()
    ranks = [files.index(path) + 1 for path in targets if path in files]
    assert given_by.rank == (min(ranks) if ranks else None)
    assert given_by.chars == first
    assert list(given_by.recall) == [len(shown[budget]) / len(targets) for budget in BUDGETS_CHARS]


@given(st.lists(st.none() | st.integers(0, 9), min_size=1))
def test_none_counts_as_the_largest(values: list[int | None]) -> None:
    middle = median(values)
    below = sum(value is not None and (middle is None or value <= middle) for value in values)
    assert below * 2 >= len(values) or middle is None
    assert middle in values
