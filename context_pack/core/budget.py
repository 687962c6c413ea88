"""How much may be spent, in which units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

Unit = Literal["items", "chars", "bytes", "lines", "tokens"]
Amounts = Mapping[Unit, int]
T = TypeVar("T")


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


Measure = Callable[[T], Amounts]
