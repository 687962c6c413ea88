"""Candidates and a budget in; what is kept, what is dropped and why. Kept + dropped = selected, always."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from context_pack.core.budget import Account, Amounts, Budget, Measure, Shrinker, Unit
from context_pack.core.candidate import Candidate, Slot

T = TypeVar("T")
Cause = Literal["too_large", "no_room"]  # larger than the whole budget; larger than what the others left


@dataclass(frozen=True, slots=True)
class Drop(Generic[T]):
    """A candidate that is not in the pack, what kept it out, and what it would have cost."""

    candidate: Candidate[T]
    cause: Cause
    cost: Amounts


@dataclass(frozen=True, slots=True)
class Fitted(Generic[T]):
    """What fits, in the order of the slots; `spent` includes the budget's fixed amounts."""

    kept: tuple[Candidate[T], ...]
    dropped: tuple[Drop[T], ...]
    spent: Amounts
    shrunk: bool
    over: bool


def fit(
    slots: Sequence[Slot[T]], budget: Budget, measure: Measure[T], shrinker: Shrinker[T] | None = None
) -> Fitted[T]:
    """Fill the slots in their order; an item that does not fit is left out and the next one is tried.

    First every slot leaves the later ones their shares (the very first candidate is exempt: nothing related comes
    before the best hit). Then what the shares did not use goes to what was left out, best first. Last, where the
    budget allows it, what is still out is cut to the room that is left.
    """
    return _Filling(slots, budget, measure, shrinker).run()


def smallest_limit(
    slots: Sequence[Slot[T]], budget: Budget, measure: Measure[T], unit: Unit, shrinker: Shrinker[T] | None = None
) -> int:
    """The smallest limit in `unit` under which `fit` keeps something; with no candidates, the fixed amount."""
    costs: list[int] = []
    for number, candidate in enumerate(c for slot in slots for c in slot.candidates):
        forms = [candidate.item]
        if shrinker is not None and _may_shrink(budget, number):
            form = shrinker.smallest(candidate.item)
            forms += [] if form is None else [form]
        costs += [measure(form).get(unit, 0) for form in forms]
    return budget.fixed.get(unit, 0) + min(costs, default=0)


def _may_shrink(budget: Budget, number: int) -> bool:
    return budget.shrinking == "any" or (budget.shrinking == "first" and number == 0)


class _Filling(Generic[T]):
    """One run of `fit`: the candidates in order, their costs, and the forms of those that are in."""

    def __init__(
        self, slots: Sequence[Slot[T]], budget: Budget, measure: Measure[T], shrinker: Shrinker[T] | None
    ) -> None:
        self.budget, self.measure, self.shrinker = budget, measure, shrinker
        self.account = Account(budget)
        self.candidates = [candidate for slot in slots for candidate in slot.candidates]
        self.costs = [measure(candidate.item) for candidate in self.candidates]
        self.reserves = self._reserves(slots)
        self.alone = [self.account.holds(cost) for cost in self.costs]
        self.kept: dict[int, T] = {}
        self.shrunk = False

    def run(self) -> Fitted[T]:
        for number in range(len(self.candidates)):
            self._place(number)
        for number in self._left_out():
            if self.account.holds(self.costs[number]):
                self._keep(number, self.candidates[number].item)
        if self.budget.shrinking == "any":
            for number in self._left_out():
                self._cut(number, {})
        return Fitted(
            kept=tuple(replace(self.candidates[n], item=self.kept[n]) for n in sorted(self.kept)),
            dropped=tuple(self._drop(n) for n in self._left_out()),
            spent=self.account.spent,
            shrunk=self.shrunk,
            over=self.account.over,
        )

    def _place(self, number: int) -> None:
        """First pass: whole, and leaving the later slots their shares."""
        reserve = self.reserves[number] if number else {}
        protected = self.candidates[number].id in self.budget.protected
        if protected or self.account.holds(self.costs[number], reserve):
            self._keep(number, self.candidates[number].item)
        elif number == 0 and _may_shrink(self.budget, 0) and not self.alone[0]:
            _ = self._cut(0, self.reserves[0]) or self._cut(0, {})

    def _cut(self, number: int, reserve: Amounts) -> bool:
        if self.shrinker is None:
            return False
        item = self.candidates[number].item
        form = self.shrinker.shrink(item, lambda small: self.account.holds(self.measure(small), reserve))
        if form is None:
            return False
        self.shrunk = True
        self._keep(number, form)
        return True

    def _keep(self, number: int, form: T) -> None:
        self.kept[number] = form
        self.account.spend(self.measure(form))

    def _left_out(self) -> list[int]:
        return [number for number in range(len(self.candidates)) if number not in self.kept]

    def _drop(self, number: int) -> Drop[T]:
        cause: Cause = "no_room" if self.alone[number] else "too_large"
        return Drop(self.candidates[number], cause, self.costs[number])

    def _reserves(self, slots: Sequence[Slot[T]]) -> list[Amounts]:
        """What each candidate has to leave: the later slots' shares, but no more than their candidates could use."""
        reserves: list[Amounts] = []
        later: dict[Unit, int] = dict.fromkeys(self.budget.limits, 0)
        end = len(self.candidates)
        for slot in reversed(slots):
            start = end - len(slot.candidates)
            reserves[:0] = [dict(later)] * len(slot.candidates)
            for unit, limit in self.budget.limits.items():
                wanted = sum(cost.get(unit, 0) for cost in self.costs[start:end])
                later[unit] += min(int(slot.share * limit), wanted)
            end = start
        return reserves
