"""What may go into a pack, in a total order, and how it shrinks until it fits.

A pack whose order is a reading order drops from the end (`longest`), so that what is left is the beginning of the
whole; the code pack leaves out what does not fit and goes on; one that is counted in tokens shrinks, because tokens do
not add up: what two texts cost together is not the sum of what each costs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Generic, TypeVar

from contracts.frozen import frozen
from contracts.records import Why

T = TypeVar("T")
DROPPED = "dropped"


def longest(count: int, holds: Callable[[int], bool]) -> int:
    """The largest number up to `count` for which `holds`, which is called about log2(count) times and never with 0."""
    least, most = 0, count
    while least < most:
        middle = (least + most + 1) // 2
        if holds(middle):
            least = middle
        else:
            most = middle - 1
    return least


@frozen
class Candidate(Generic[T]):
    """Something that was selected: the item as it would be shown, and at least one reason for it."""

    id: str
    item: T
    points: float
    why: tuple[Why, ...]

    def __post_init__(self) -> None:
        if not self.why:
            raise ValueError(f"{self.id} was selected without a reason")


def ordered(
    candidates: Sequence[Candidate[T]], key: Callable[[Candidate[T]], tuple[Any, ...]]
) -> tuple[Candidate[T], ...]:
    """The candidates by `key`, which ends in what tells them apart. ValueError when two keys are equal.

    Were they, the order in which the candidates came would show: a hash seed or a file system.
    """
    keyed = sorted(((key(candidate), candidate) for candidate in candidates), key=lambda pair: pair[0])
    for (one, first), (other, second) in pairwise(keyed):
        if one == other:
            raise ValueError(f"{first.id} and {second.id} have the same place in the order")
    return tuple(candidate for _, candidate in keyed)


@frozen
class Climber(Generic[T]):
    """A candidate and its forms by rung (`excerpt`, `summary`, ...), one at least, the largest first.

    One that `stays` is only shown smaller.
    """

    candidate: Candidate[T]
    forms: Mapping[str, T]
    stays: bool = False


def fit_ladder(
    climbers: Sequence[Climber[T]], limit: int, measure: Callable[[Sequence[T]], int], rungs: Sequence[str]
) -> list[str]:
    """The rung of each candidate, the most wanted first, within `limit` by `measure`, which gets the forms shown.

    Rung by rung (`rungs`, the largest first) every form is replaced by the next smaller one, from the last candidate to
    the first, until the whole fits. Then, from the first on, whatever has room after all gets its larger form back.
    What is not shown at all is DROPPED; what cannot be dropped may exceed the limit.
    """
    every = [(*one.forms, DROPPED) for one in climbers]
    steps = [  # (candidate, its rung after the step)
        (number, smaller)
        for rung in rungs
        for number in range(len(climbers) - 1, -1, -1)
        for larger, smaller in pairwise(every[number])
        if larger == rung and not (smaller == DROPPED and climbers[number].stays)
    ]

    def after(count: int) -> list[str]:
        """The rung of each candidate after the first `count` steps."""
        shown = [own[0] for own in every]
        for number, rung in steps[:count]:
            shown[number] = rung
        return shown

    def cost(shown: Sequence[str]) -> int:
        return measure([one.forms[rung] for one, rung in zip(climbers, shown, strict=True) if rung != DROPPED])

    spared = longest(len(steps), lambda spared: cost(after(len(steps) - spared)) <= limit)
    while spared and cost(after(len(steps) - spared)) > limit:
        spared -= 1  # a tokenizer may count a shorter text as longer: the search above is only nearly exact
    shown = after(len(steps) - spared)
    for number, own in enumerate(every):
        larger = [[*shown[:number], rung, *shown[number + 1 :]] for rung in own[: own.index(shown[number])]]
        shown = next((one for one in larger if cost(one) <= limit), shown)
    return shown
