"""What may go into a pack, and why, in a total order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Generic, TypeVar

from contracts.records import Why

T = TypeVar("T")


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
