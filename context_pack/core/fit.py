"""What may go into a pack, in a total order, and two ways to fit it into limits: drop from the end, or shrink.

The code pack has a third of its own, which leaves out what does not fit and goes on. A pack whose order is a reading
order drops from the end, so that what is left is the beginning of the whole; one that is counted in tokens shrinks,
because tokens do not add up: what two texts cost together is not the sum of what each costs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Generic, TypeVar

from context_pack.core import longest
from contracts.records import Why

T = TypeVar("T")
DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Cut(Generic[T]):
    """The beginning that fits, and the rest, in its order, each with the limit that dropped it.

    `over` names the limits that even the protected candidates exceed.
    """

    head: tuple[Candidate[T], ...]
    dropped: tuple[tuple[Candidate[T], str], ...]
    over: tuple[str, ...]

    def hit(self, limit: str) -> bool:
        """Whether a limit dropped something or is exceeded."""
        return limit in self.over or any(name == limit for _, name in self.dropped)


def drop_tail(
    candidates: Sequence[Candidate[T]], limits: Sequence[tuple[str, Callable[[int], bool]]], protected: int = 0
) -> Cut[T]:
    """The longest beginning that every limit holds for, and at least the first `protected` candidates.

    A limit is its name and whether the first n candidates are within it: what is false for one n is false for every
    larger one. The limits are applied in turn, each to what those before it left.
    """
    end = len(candidates)
    least = min(protected, end)
    dropped: list[tuple[Candidate[T], str]] = []
    over: list[str] = []
    for name, holds in limits:
        fits = longest(end, holds)
        if fits < least:
            over.append(name)
        cut = max(fits, least)
        dropped[:0] = [(candidate, name) for candidate in candidates[cut:end]]
        end = cut
    return Cut(tuple(candidates[:end]), tuple(dropped), tuple(over))


@dataclass(frozen=True, slots=True)
class Climber(Generic[T]):
    """A candidate and its forms by rung (`excerpt`, `summary`, ...), one at least, the largest first.

    One that `stays` is only shown smaller.
    """

    candidate: Candidate[T]
    forms: Mapping[str, T]
    stays: bool = False


@dataclass(frozen=True, slots=True)
class Laddered(Generic[T]):
    """Candidates with the form that they are shown in, in their order.

    `smaller`: the rung of each that is not shown in its largest form, by id; DROPPED where it is not shown at all.
    """

    shown: tuple[Candidate[T], ...]
    smaller: Mapping[str, str]
    spent: int
    over: bool


def fit_ladder(
    climbers: Sequence[Climber[T]], limit: int, measure: Callable[[Sequence[T]], int], rungs: Sequence[str]
) -> Laddered[T]:
    """Candidates, the most wanted first, within `limit` by `measure`, which gets the forms that are shown.

    Rung by rung (`rungs`, the largest first) every form is replaced by the next smaller one, from the last candidate to
    the first, until the whole fits. Then, from the first on, whatever has room after all gets its larger form back.
    What cannot be dropped may exceed the limit; the result says so.
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
    pairs = list(zip(climbers, shown, strict=True))
    return Laddered(
        shown=tuple(replace(one.candidate, item=one.forms[rung]) for one, rung in pairs if rung != DROPPED),
        smaller={one.candidate.id: rung for (one, rung), own in zip(pairs, every, strict=True) if rung != own[0]},
        spent=cost(shown),
        over=cost(shown) > limit,
    )
