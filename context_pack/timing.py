"""How long each stage of an answer took. Times go into `meta`, never into `data`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


class Stages:
    """Milliseconds by stage, and in all since this was made. `limit_s` is how long the answer may take."""

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
        """Whether the time limit has passed: what is not begun is left out."""
        return self._limit_s is not None and perf_counter() - self._start >= self._limit_s

    def durations_ms(self) -> dict[str, float]:
        """Each stage and `total`, rounded to microseconds."""
        total = (perf_counter() - self._start) * 1000
        return {name: round(spent, 3) for name, spent in {**self._spent_ms, "total": total}.items()}
