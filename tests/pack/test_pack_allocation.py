"""The allocator against every choice there is, and what it holds for larger cases."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from context_pack.core.allocate import ABSENT, Rung, allocate
from tests.reference import best_allocation

forms = st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), min_size=1, max_size=3)
few = st.lists(forms, max_size=3)
many = st.lists(st.lists(st.tuples(st.integers(1, 3000), st.integers(1, 10**6)), min_size=1, max_size=4), max_size=40)

Forms = list[list[tuple[int, int]]]


def rungs(ladders: Forms) -> list[list[Rung]]:
    return [[Rung(cost, value) for cost, value in ladder] for ladder in ladders]


@settings(max_examples=400, deadline=None)
@given(few, few, st.integers(0, 100), st.integers(0, 60))
def test_small_cases_are_solved_exactly(first: Forms, second: Forms, limit: int, share: int) -> None:
    found = allocate(rungs(first), rungs(second), limit, share)
    assert found.value == best_allocation(first, second, limit, share)


@settings(max_examples=60, deadline=None)
@given(many, many, st.integers(0, 30_000), st.integers(0, 9_000))
def test_what_is_chosen_is_what_is_counted_and_within_the_limit(
    first: Forms, second: Forms, limit: int, share: int
) -> None:
    found = allocate(rungs(first), rungs(second), limit, share)
    chosen = [
        ladder[rung]
        for ladders, taken in ((first, found.first), (second, found.second))
        for ladder, rung in zip(ladders, taken, strict=True)
        if rung != ABSENT
    ]
    assert (found.cost, found.value) == (sum(cost for cost, _ in chosen), sum(value for _, value in chosen))
    assert found.cost <= limit
    if first and any(cost <= limit for cost, _ in first[0]):
        assert found.first[0] != ABSENT, "the best hit is in whenever one of its forms fits"


def test_the_share_is_a_guarantee_and_flows_back() -> None:
    primary, related = [[Rung(60, 100)], [Rung(40, 90)]], [[Rung(30, 1)]]
    assert allocate(primary, related, 100).second == (ABSENT,)
    assert allocate(primary, related, 100, 30).second == (0,), "worth little, but within its share"
    assert allocate(primary, [], 100, 30).first == (0, 0), "nobody uses the share"
    assert allocate(primary, related, 60, 30).first == (0, ABSENT), "nothing related comes before the best hit"
