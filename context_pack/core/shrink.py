"""Shrink step by step: what does not fit becomes smaller before it goes, the least wanted first.

The third policy beside `fit` (leave out and go on) and `drop_tail`. It measures the pack as a whole, because tokens do
not add up: what two texts cost together is not the sum of what each costs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from context_pack.core.candidate import Candidate

T = TypeVar("T")
DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """One way to show an item; `rung` is its name, such as `excerpt`, `summary` or `reference`."""

    rung: str
    item: T


@dataclass(frozen=True, slots=True)
class Climber(Generic[T]):
    """A candidate and its forms, the largest first. One that `stays` is never dropped, only shown smaller."""

    candidate: Candidate[T]
    forms: tuple[Form[T], ...]
    stays: bool = False

    def __post_init__(self) -> None:
        if not self.forms:
            raise ValueError(f"{self.candidate.id} has no form")


@dataclass(frozen=True, slots=True)
class Step:
    """A candidate that is not shown in its largest form: from which to which (`dropped`: not at all)."""

    id: str
    largest: str
    shown: str


@dataclass(frozen=True, slots=True)
class Laddered(Generic[T]):
    """Kept candidates with the form that they are shown in, in their order. Kept + dropped = candidates, always."""

    kept: tuple[Candidate[T], ...]
    dropped: tuple[Candidate[T], ...]
    steps: tuple[Step, ...]
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
    return _Ladder(climbers, limit, measure, rungs).run()


class _Ladder(Generic[T]):
    """`levels[n]` is the form in which candidate n is shown; one past its last form means dropped."""

    def __init__(
        self, climbers: Sequence[Climber[T]], limit: int, measure: Callable[[Sequence[T]], int], rungs: Sequence[str]
    ) -> None:
        self._climbers, self._limit, self._measure = climbers, limit, measure
        self._steps = [
            (number, level + 1)
            for rung in rungs
            for number in range(len(climbers) - 1, -1, -1)
            for level, form in enumerate(climbers[number].forms)
            if form.rung == rung and not (climbers[number].stays and level + 1 == len(climbers[number].forms))
        ]

    def run(self) -> Laddered[T]:
        levels = self._descend()
        self._climb(levels)
        spent = self._cost(levels)
        kept, dropped, steps = [], [], []
        for climber, level in zip(self._climbers, levels, strict=True):
            shown = climber.forms[level] if level < len(climber.forms) else None
            if shown is None:
                dropped.append(climber.candidate)
            else:
                kept.append(replace(climber.candidate, item=shown.item))
            if level:
                rung = shown.rung if shown else DROPPED
                steps.append(Step(climber.candidate.id, climber.forms[0].rung, rung))
        return Laddered(tuple(kept), tuple(dropped), tuple(steps), spent, spent > self._limit)

    def _descend(self) -> list[int]:
        """The levels after the fewest steps that make the whole fit; after all of them when nothing does."""
        least, most = 0, len(self._steps)
        while least < most:
            middle = (least + most) // 2
            if self._fits(self._after(middle)):
                most = middle
            else:
                least = middle + 1
        while least < len(self._steps) and not self._fits(self._after(least)):
            least += 1  # a tokenizer may count a shorter text as longer: the search above is only nearly exact
        return self._after(least)

    def _climb(self, levels: list[int]) -> None:
        for number, climber in enumerate(self._climbers):
            for level in range(min(levels[number], len(climber.forms))):
                larger = [*levels[:number], level, *levels[number + 1 :]]
                if self._fits(larger):
                    levels[number] = level
                    break

    def _after(self, steps: int) -> list[int]:
        levels = [0] * len(self._climbers)
        for number, level in self._steps[:steps]:
            levels[number] = level
        return levels

    def _fits(self, levels: Sequence[int]) -> bool:
        return self._cost(levels) <= self._limit

    def _cost(self, levels: Sequence[int]) -> int:
        shown = [
            climber.forms[level].item
            for climber, level in zip(self._climbers, levels, strict=True)
            if level < len(climber.forms)
        ]
        return self._measure(shown)
