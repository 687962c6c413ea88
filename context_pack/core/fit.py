"""Candidates and a budget in; what is kept, what is dropped and why. Kept + dropped = selected, always."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from context_pack.core.candidate import Candidate, Slot

Unit = Literal["items", "chars", "bytes", "lines", "tokens"]
Amounts = Mapping[Unit, int]
T = TypeVar("T")
Cause = Literal["too_large", "no_room"]  # larger than the whole budget; larger than what the others left
Measure = Callable[[T], Amounts]


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a pack, and what is spent whatever goes in (a header, a footer).

    `protected` ids are kept even where they exceed a limit; the pack then says that it is over.
    """

    limits: Amounts
    fixed: Amounts = field(default_factory=dict)
    protected: frozenset[str] = frozenset()


class Account:
    """What has been spent of a budget so far."""

    def __init__(self, budget: Budget) -> None:
        self.limits = budget.limits
        self.spent: dict[Unit, int] = {unit: budget.fixed.get(unit, 0) for unit in budget.limits}

    def holds(self, cost: Amounts) -> bool:
        """Whether `cost` can be spent, in every unit that has a limit."""
        return all(self.spent[unit] + cost.get(unit, 0) <= limit for unit, limit in self.limits.items())

    def spend(self, cost: Amounts) -> None:
        for unit in self.spent:
            self.spent[unit] += cost.get(unit, 0)

    @property
    def over(self) -> bool:
        """Whether a protected item has taken more than there was."""
        return not self.holds({})


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
    over: bool


def fit(slots: Sequence[Slot[T]], budget: Budget, measure: Measure[T]) -> Fitted[T]:
    """Fill the slots in their order; an item that does not fit is left out and the next one is tried."""
    account = Account(budget)
    kept: list[Candidate[T]] = []
    dropped: list[Drop[T]] = []
    alone = Account(budget)
    for candidate in (candidate for slot in slots for candidate in slot.candidates):
        cost = measure(candidate.item)
        if candidate.id in budget.protected or account.holds(cost):
            kept.append(candidate)
            account.spend(cost)
        else:
            dropped.append(Drop(candidate, "no_room" if alone.holds(cost) else "too_large", cost))
    return Fitted(tuple(kept), tuple(dropped), account.spent, account.over)
