"""How a budget is spent best: which of its forms each item takes, or none, so that the whole is worth most.

A multiple-choice knapsack over Pareto frontiers (Nemhauser & Ullmann 1969): of all ways to show the first n items only
those stay that no cheaper way outdoes. That is exact while a frontier has at most MAX_STATES ways, as in every small
case; beyond, the best way of each price range stays, which is nearly exact. Costs are exact always, so no budget is
ever exceeded. Values are whole numbers, so that sums are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Longs = npt.NDArray[np.int64]
MAX_STATES = 128
VALUE_BITS = 31  # of a pack's value: a thousand items of a million each; as many are left for what it costs
ABSENT = -1


@dataclass(frozen=True, slots=True)
class Rung:
    """One form of an item: what it costs and what it is worth."""

    cost: int
    value: int


Ladder = Sequence[Rung]  # the forms of one item


@dataclass(frozen=True, slots=True)
class Allocation:
    """For each ladder of both slots the rung that it is shown in, or ABSENT."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    cost: int
    value: int


def allocate(first: Sequence[Ladder], second: Sequence[Ladder], limit: int, share: int = 0) -> Allocation:
    """The most valuable choice of rungs within `limit`.

    The first ladder of the first slot is in whenever one of its rungs fits: nothing comes before the best hit. The
    second slot is worth at least what `share` alone could buy for it, as far as that best hit leaves `share`; what it
    has no use for flows back, and beyond its share it competes by value.
    """
    must = bool(first) and any(rung.cost <= limit for rung in first[0])
    one, other = _Frontier(limit), _Frontier(limit)
    for number, ladder in enumerate(first):
        one.add(ladder, must=must and number == 0)
    for ladder in second:
        other.add(ladder)
    taken = max((rung.cost for rung in first[0] if rung.cost <= limit), default=0) if must else 0
    guaranteed = other.best_within(max(0, min(share, limit - taken)))
    at_least = other.value >= other.value[guaranteed]
    best = np.searchsorted(one.cost, limit - other.cost, side="right") - 1
    total = np.where(at_least & (best >= 0), one.value[best] + other.value, -1)
    chosen = int(np.argmax(total))  # the first of the best: the cheapest second slot
    left, right = int(best[chosen]), chosen
    return Allocation(
        one.choices(left), other.choices(right), int(one.cost[left] + other.cost[right]), int(total[chosen])
    )


class _Frontier:
    """The ways to show a growing list of items, by rising cost and value, and how each came about."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.cost: Longs = np.zeros(1, np.int64)
        self.value: Longs = np.zeros(1, np.int64)
        self._steps: list[tuple[Longs, Longs]] = []  # for each item: the way before it, the rung taken

    def add(self, ladder: Ladder, *, must: bool = False) -> None:
        rungs = ([] if must else [(ABSENT, 0, 0)]) + [(n, r.cost, r.value) for n, r in enumerate(ladder)]
        number, cost, value = np.array(rungs, np.int64).T
        ways = len(self.cost)
        costs = np.add.outer(cost, self.cost).ravel()
        values = np.add.outer(value, self.value).ravel()
        order = np.argsort((costs << VALUE_BITS) - values, kind="stable")  # by cost, of equals the most valuable first
        order = order[: np.count_nonzero(costs <= self.limit)]
        ordered = values[order]
        better = np.ones(len(order), bool)
        better[1:] = ordered[1:] > np.maximum.accumulate(ordered)[:-1]
        kept = self._thinned(order[better], costs)
        self.cost, self.value = costs[kept], values[kept]
        self._steps.append((kept % ways, number[kept // ways]))

    def _thinned(self, ways: Any, costs: Longs) -> Longs:
        """Of each price range the best way, which on a frontier is the dearest, when there are too many."""
        if len(ways) > MAX_STATES:
            price_range = costs[ways] * MAX_STATES // (self.limit + 1)
            last = np.append(price_range[1:] != price_range[:-1], True)
            last[0] = True  # the cheapest way leaves most room for what comes
            ways = ways[last]
        kept: Longs = ways
        return kept

    def best_within(self, limit: int) -> int:
        return max(int(np.searchsorted(self.cost, limit, side="right")) - 1, 0)

    def choices(self, way: int) -> tuple[int, ...]:
        chosen = []
        for before, rung in reversed(self._steps):
            chosen.append(int(rung[way]))
            way = int(before[way])
        return tuple(reversed(chosen))
