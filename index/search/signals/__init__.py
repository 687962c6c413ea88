"""Ranking signals, one record each: `files` has those of files and chunks, `pool` those of the chunks of a pack.

The signals of a whole question are in `index.search.ranker`.

`ranker.json` says how many points each is worth; the ranker rejects tables with other names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from contracts.frozen import frozen

Source = TypeVar("Source")
Value = TypeVar("Value")


@frozen
class Signal(Generic[Source, Value]):
    """A number with a meaning of its own; `measure` returns it for all files or chunks of a query at once.

    `trend` limits what may be learned: at 1, a larger value never costs points, at -1 it never adds any; at 0,
    it may do either.
    """

    name: str
    measure: Callable[[Source], Value]
    trend: int = 0


Signals = Mapping[str, Signal[Source, Value]]  # of one level, by name


def by_name(*signals: Signal[Source, Value]) -> Signals[Source, Value]:
    return {signal.name: signal for signal in signals}


class Values(dict[str, Value]):
    """The signals of one level and query by name, each measured when it is first read; `size` values each.

    `measure` measures one without keeping it.
    """

    def __init__(self, signals: Signals[Source, Value], source: Source, size: int = 1) -> None:
        super().__init__()
        self.size = size
        self.measure: Callable[[str], Value] = lambda name: signals[name].measure(source)

    def __missing__(self, name: str) -> Value:
        value = self[name] = self.measure(name)
        return value
