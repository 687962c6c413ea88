"""What every command hands to whoever writes it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from contracts.records import Hint
from index.types import Grade

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What was asked for, what the reader should know beside it, and how long each stage took."""

    data: T
    hints: tuple[Hint, ...] = ()
    stages: Mapping[str, float] | None = None
    redactions: Mapping[str, int] | None = None  # secrets taken out, by kind; None where none are looked for
    grade: Grade | None = None  # how sure the answer is; None where that is no question

    def holding(self, data: U) -> Answer[U]:
        """The same answer with its data in another form."""
        return Answer(data, self.hints, self.stages, self.redactions, self.grade)

    def with_hints(self, more: tuple[Hint, ...]) -> Answer[T]:
        """The same answer with more hints at its end."""
        return replace(self, hints=(*self.hints, *more))
