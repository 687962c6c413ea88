"""An answer with its hints and stage times, and the reply that a command returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter
from typing import Any, Generic, TypeVar

from context_pack.kinds.code.corpus import Corpus
from contracts.frozen import frozen
from contracts.records import Hint
from index.types import Grade

T = TypeVar("T")
U = TypeVar("U")


@frozen
class Answer(Generic[T]):
    """The data that was asked for, hints for the reader, and the milliseconds of each stage."""

    data: T
    hints: tuple[Hint, ...] = ()
    stages: Mapping[str, float] | None = None
    redactions: Mapping[str, int] | None = None  # secrets removed, by kind; None if nothing was redacted for
    grade: Grade | None = None  # confidence in the answer; None if that does not apply

    def with_data(self, data: U) -> Answer[U]:
        """The same answer with its data in another form."""
        return Answer(data, self.hints, self.stages, self.redactions, self.grade)

    def with_hints(self, more: tuple[Hint, ...]) -> Answer[T]:
        """The same answer with more hints at its end."""
        return replace(self, hints=(*self.hints, *more))


@frozen
class Reply:
    """The reply of a command: `answer` for the envelope, or `printed`, the document in its format.

    Data without a view of its own is shown to people as `markdown`, with its tables drawn, or as `text`. `checked`: the
    tree was compared with the index.
    """

    answer: Answer[Any]
    printed: str | None = None
    corpus: Corpus | None = None
    checked: bool = True
    in_order: bool = False
    text: Callable[[], str] | None = None
    markdown: Callable[[], str] | None = None


class Stages:
    """Milliseconds per stage, and in total since creation. `limit_s`: how long the answer may take.

    Times go into `meta`, never into `data`.
    """

    def __init__(self, limit_s: float | None = None) -> None:
        self._start = perf_counter()
        self._limit_s = limit_s
        self._spent_ms: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = perf_counter()
        try:
            yield
        finally:
            self._spent_ms[name] = self._spent_ms.get(name, 0.0) + (perf_counter() - start) * 1000

    def late(self) -> bool:
        """Whether the time limit has passed; stages that have not begun are then left out."""
        return self._limit_s is not None and perf_counter() - self._start >= self._limit_s

    def durations_ms(self) -> dict[str, float]:
        """Each stage and `total`, rounded to microseconds."""
        total = (perf_counter() - self._start) * 1000
        return {name: round(spent, 3) for name, spent in {**self._spent_ms, "total": total}.items()}
