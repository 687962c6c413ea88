"""How a budget is spent best: which of its forms each item takes, or none, so that the whole is worth most.

A multiple-choice knapsack over Pareto frontiers (Nemhauser & Ullmann 1969): of all ways to show the first n items only
those stay that no cheaper way outdoes. That is exact while a frontier has at most MAX_STATES ways, as in every small
case; beyond, the best way of each price range stays, which is nearly exact. Costs are exact always, so no budget is
ever exceeded. Values are whole numbers, so that sums are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Longs = npt.NDArray[np.int64]
MAX_STATES = 128
VALUE_BITS = 31  # of a pack's value: a thousand items of a million each; as many are left for what it costs
ABSENT = -1
_VALUES = (1 << VALUE_BITS) - 1


class Rung(NamedTuple):
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
    best = one.cost.searchsorted(limit - other.cost, side="right") - 1
    total = np.where(at_least & (best >= 0), one.value[best] + other.value, -1)
    chosen = int(total.argmax())  # the first of the best: the cheapest second slot
    left, right = int(best[chosen]), chosen
    return Allocation(
        one.choices(left), other.choices(right), int(one.cost[left] + other.cost[right]), int(total[chosen])
    )


class _Frontier:
    """The ways to show a growing list of items, by rising cost and value, and how each came about.

    A way is one number, its cost above its value's complement: in their order ways rise by cost, and of equals the most
    valuable comes first. To add an item in one of its forms is to add such a number.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._most = limit << VALUE_BITS
        self._ways: Longs = np.zeros(1, np.int64)
        self._steps: list[
            tuple[Longs, int, int]
        ] = []  # of each item: where its ways stood, how many before, first rung

    @property
    def cost(self) -> Longs:
        return (self._ways + _VALUES) >> VALUE_BITS

    @property
    def value(self) -> Longs:
        return -self._ways & _VALUES

    def add(self, ladder: Ladder, *, must: bool = False) -> None:
        forms = [] if must else [0]
        forms += [(rung.cost << VALUE_BITS) - rung.value for rung in ladder]
        ways = (np.array(forms, np.int64)[:, None] + self._ways).ravel()
        order = ways.argsort(kind="stable")
        ways = ways[order]
        ways = ways[: ways.searchsorted(self._most, side="right")]
        value = -ways & _VALUES
        better = np.ones(len(ways), bool)
        better[1:] = value[1:] > np.maximum.accumulate(value)[:-1]
        kept = better.nonzero()[0]
        ways = ways[kept]
        if len(ways) > MAX_STATES:
            some = self._thinned(ways)
            kept, ways = kept[some], ways[some]
        self._steps.append((order[kept], len(self._ways), 0 if must else ABSENT))
        self._ways = ways

    def _thinned(self, ways: Longs) -> npt.NDArray[np.bool_]:
        """Of each price range the best way, which on a frontier is the dearest."""
        price_range = ((ways + _VALUES) >> VALUE_BITS) * MAX_STATES // (self._limit + 1)
        last = np.ones(len(ways), bool)
        last[:-1] = price_range[1:] != price_range[:-1]
        last[0] = True  # the cheapest way leaves most room for what comes
        return last

    def best_within(self, limit: int) -> int:
        return max(int(self.cost.searchsorted(limit, side="right")) - 1, 0)

    def choices(self, way: int) -> tuple[int, ...]:
        chosen = []
        for places, before, first in reversed(self._steps):
            rung, way = divmod(int(places[way]), before)
            chosen.append(first + rung)
        return tuple(reversed(chosen))
