"""Ranking signals: one record each, a module for each level (files, chunks of a pack and their surroundings).

Those of a whole question stand in `index.search.ranker`.

`ranker.json` says what each is worth; the ranker refuses tables of other names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from contracts.frozen import frozen

Source = TypeVar("Source")
Value = TypeVar("Value")


@frozen
class Signal(Generic[Source, Value]):
    """A number with a meaning of its own: `measure` gives it for all files or chunks of a query at once.

    `trend` binds what is learned: at 1 more of it never counts against a place, at -1 never for it, at 0 both may be.
    """

    name: str
    measure: Callable[[Source], Value]
    trend: int = 0


Signals = Mapping[str, Signal[Source, Value]]  # of one level, by name


def by_name(*signals: Signal[Source, Value]) -> Signals[Source, Value]:
    return {signal.name: signal for signal in signals}


class Values(dict[str, Value]):
    """The signals of one level and query by name, each measured when it is first read; `size` values each."""

    def __init__(self, signals: Signals[Source, Value], source: Source, size: int = 1) -> None:
        super().__init__()
        self.size = size
        self._measured: Callable[[str], Value] = lambda name: signals[name].measure(source)

    def __missing__(self, name: str) -> Value:
        value = self[name] = self._measured(name)
        return value
