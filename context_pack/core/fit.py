"""Candidates for a pack, and the ways to make them fit a budget.

A pack in reading order drops items from the end (`longest`), so that its beginning remains. The code pack skips an item
that does not fit and goes on. A pack counted in tokens shrinks (`fit_ladder`), because tokens do not add up: two texts
together do not cost the sum of what each costs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Generic, TypeVar

from contracts.frozen import frozen
from contracts.records import Why

T = TypeVar("T")
DROPPED = "dropped"


def longest(count: int, holds: Callable[[int], bool]) -> int:
    """The largest number up to `count` for which `holds` is true (0: none). About log2(count) calls, never with 0."""
    return bisect_left(range(1, count + 1), True, key=lambda number: not holds(number))


@frozen
class Candidate(Generic[T]):
    """A selected item, as it would be shown, and at least one reason for it."""

    id: str
    item: T
    points: float
    why: tuple[Why, ...]


@frozen
class Shrinkable(Generic[T]):
    """The forms of an item by rung (`excerpt`, `summary`, ...), at least one, the largest first.

    If it `stays`, it may shrink but is never dropped.
    """

    forms: Mapping[str, T]
    stays: bool = False


def fit_ladder(
    candidates: Sequence[Shrinkable[T]], limit: int, measure: Callable[[Sequence[T]], int], rungs: Sequence[str]
) -> list[str]:
    """The rung of each candidate (most wanted first), so that `measure` of the forms shown is within `limit`.

    Rung by rung (`rungs`, the largest first), each form is replaced by the next smaller one, from the last candidate to
    the first, until the whole fits. Then, from the first candidate on, larger forms are restored if there is room.
    Candidates that are not shown are DROPPED; those that cannot be dropped may exceed the limit.
    """
    every = [(*one.forms, DROPPED) for one in candidates]
    steps = [  # (candidate, its rung after the step)
        (number, smaller)
        for rung in rungs
        for number in range(len(candidates) - 1, -1, -1)
        for larger, smaller in pairwise(every[number])
        if larger == rung and not (smaller == DROPPED and candidates[number].stays)
    ]

    def after(count: int) -> list[str]:
        """The rung of each candidate after the first `count` steps."""
        shown = [own[0] for own in every]
        for number, rung in steps[:count]:
            shown[number] = rung
        return shown

    def cost(shown: Sequence[str]) -> int:
        return measure([one.forms[rung] for one, rung in zip(candidates, shown, strict=True) if rung != DROPPED])

    steps_left = longest(len(steps), lambda steps_left: cost(after(len(steps) - steps_left)) <= limit)
    while steps_left and cost(after(len(steps) - steps_left)) > limit:
        steps_left -= 1  # a shorter text may have more tokens, so the search above is only nearly exact
    shown = after(len(steps) - steps_left)
    for number, own in enumerate(every):
        larger = [[*shown[:number], rung, *shown[number + 1 :]] for rung in own[: own.index(shown[number])]]
        shown = next((one for one in larger if cost(one) <= limit), shown)
    return shown
