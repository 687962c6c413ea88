"""The ladder: fewest steps, least wanted items first; only items that must stay may exceed the limit."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from context_pack.core.fit import DROPPED, Shrinkable, fit_ladder

RUNGS = ("excerpt", "summary", "reference")


def shrinkable(number: int, sizes: Sequence[int], stays: bool = False) -> Shrinkable[str]:
    """An item whose forms have the lengths `sizes`; the last form is a bare reference."""
    rungs = RUNGS[3 - len(sizes) :]
    forms = {rung: str(number) * size for rung, size in zip(rungs, sizes, strict=True)}
    return Shrinkable(forms, stays)


def length(items: Sequence[str]) -> int:
    return sum(map(len, items))


def fitted(candidates: Sequence[Shrinkable[str]], limit: int) -> list[str]:
    """The forms that are shown."""
    return forms_of(candidates, fit_ladder(candidates, limit, length, RUNGS))


def forms_of(candidates: Sequence[Shrinkable[str]], rungs: Sequence[str]) -> list[str]:
    return [one.forms[rung] for one, rung in zip(candidates, rungs, strict=True) if rung != DROPPED]


def test_everything_that_fits_is_shown_whole() -> None:
    candidates = [shrinkable(0, (9, 5, 1)), shrinkable(1, (9, 5, 1))]
    assert fitted(candidates, 18) == ["0" * 9, "1" * 9]
    assert fit_ladder(candidates, 18, length, RUNGS) == ["excerpt", "excerpt"]


def test_the_last_shrinks_first_and_a_rung_at_a_time() -> None:
    candidates = [shrinkable(0, (9, 5, 1)), shrinkable(1, (9, 5, 1)), shrinkable(2, (9, 5, 1))]
    assert fitted(candidates, 23) == ["0" * 9, "1" * 9, "2" * 5]
    assert fitted(candidates, 19) == ["0" * 9, "1" * 5, "2" * 5]
    assert fitted(candidates, 15) == ["0" * 5, "1" * 5, "2" * 5]
    assert fitted(candidates, 11) == ["0" * 5, "1" * 5, "2"]
    assert fitted(candidates, 3) == ["0", "1", "2"]
    assert fitted(candidates, 2) == ["0", "1"]
    assert fitted(candidates, 0) == []


def test_remaining_room_goes_back_to_the_most_wanted() -> None:
    candidates = [shrinkable(0, (9, 1)), shrinkable(1, (3, 1)), shrinkable(2, (50, 1))]
    assert fitted(candidates, 14) == ["0" * 9, "1" * 3, "2"]
    assert fit_ladder(candidates, 14, length, RUNGS) == ["summary", "summary", "reference"]


def test_entries_that_stay_are_never_dropped_and_may_exceed_the_limit() -> None:
    candidates = [shrinkable(0, (9, 4), stays=True), shrinkable(1, (9, 1))]
    assert fitted(candidates, 2) == ["0" * 4]
    assert fit_ladder(candidates, 2, length, RUNGS) == ["reference", DROPPED]


def test_a_counter_that_is_not_monotone_is_still_obeyed() -> None:
    """Some tokenizers need more tokens for a shorter text."""

    def odd(items: Sequence[str]) -> int:
        return {0: 0, 3: 9, 2: 20, 1: 5}[len(items)]

    candidates = [shrinkable(n, (1,)) for n in range(3)]
    assert odd(forms_of(candidates, fit_ladder(candidates, 8, odd, RUNGS))) <= 8


sizes = st.lists(st.integers(0, 40), min_size=1, max_size=3).map(lambda some: tuple(sorted(some, reverse=True)))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(sizes, st.booleans()), max_size=8), st.integers(0, 200))
def test_the_ladder_keeps_its_promises(items: list[tuple[tuple[int, ...], bool]], limit: int) -> None:
    candidates = [shrinkable(number, forms, stays) for number, (forms, stays) in enumerate(items)]
    rungs = fit_ladder(candidates, limit, length, RUNGS)
    spent = length(forms_of(candidates, rungs))
    dropped = [one for one, rung in zip(candidates, rungs, strict=True) if rung == DROPPED]
    assert not any(one.stays for one in dropped)
    floor = sum(forms[-1] for forms, stays in items if stays)
    assert spent <= max(limit, floor)
    if spent > limit:
        assert spent == floor
        assert not any(one.forms[rung] for one, rung in zip(candidates, rungs, strict=True)
                       if rung != DROPPED and not one.stays)  # fmt: skip
    for one in dropped:  # no dropped item would have fitted in its smallest form
        assert spent + len([*one.forms.values()][-1]) > limit
