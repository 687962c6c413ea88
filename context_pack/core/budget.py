"""How much may be spent, in which units, and how far items may shrink to make do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

Unit = Literal["items", "chars", "bytes", "lines", "tokens"]
Amounts = Mapping[Unit, int]
T = TypeVar("T")

# Which items may be cut: none; the first, when it alone is larger than the whole budget; any.
Shrinking = Literal["none", "first", "any"]


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a pack, and what is spent whatever goes in (a header, a footer).

    `protected` ids are kept even where they exceed a limit; the pack then says that it is over.
    """

    limits: Amounts
    fixed: Amounts = field(default_factory=dict)
    protected: frozenset[str] = frozenset()
    shrinking: Shrinking = "none"


class Account:
    """What has been spent of a budget so far."""

    def __init__(self, budget: Budget) -> None:
        self.limits = budget.limits
        self.spent: dict[Unit, int] = {unit: budget.fixed.get(unit, 0) for unit in budget.limits}

    def holds(self, cost: Amounts, reserve: Amounts | None = None) -> bool:
        """Whether `cost` can be spent and `reserve` is still there afterwards, in every unit that has a limit."""
        kept = reserve or {}
        return all(self.spent[u] + cost.get(u, 0) + kept.get(u, 0) <= limit for u, limit in self.limits.items())

    def spend(self, cost: Amounts) -> None:
        for unit in self.spent:
            self.spent[unit] += cost.get(unit, 0)

    @property
    def over(self) -> bool:
        """Whether a protected item has taken more than there was."""
        return not self.holds({})


Measure = Callable[[T], Amounts]


class Shrinker(Protocol[T]):
    """Makes items smaller, honestly: what it returns says what is missing."""

    def smallest(self, item: T) -> T | None:
        """The smallest form worth showing; None when there is none below the item itself."""
        ...

    def shrink(self, item: T, accepts: Callable[[T], bool]) -> T | None:
        """The largest form that is accepted; None exactly when the smallest one is not."""
        ...
