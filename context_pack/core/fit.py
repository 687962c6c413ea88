"""Candidates and a budget in; what is kept, what is dropped and why. Kept + dropped = selected, always."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from context_pack.core.budget import Account, Amounts, Budget, Measure
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
