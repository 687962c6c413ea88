"""What may go into a pack, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

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


@dataclass(frozen=True, slots=True)
class Slot(Generic[T]):
    """A named part of a pack. Its candidates are in their order, best first."""

    name: str
    candidates: tuple[Candidate[T], ...]
