"""Drop from the end: what does not fit goes, the least wanted first, and nothing is skipped over.

The other policy, `fit`, leaves out what does not fit and goes on. Packs whose order is a reading order drop from the
end, so that what is left is the beginning of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from context_pack.core.candidate import Candidate
from context_pack.core.size import longest

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit by the name that readers know it by.

    `holds(n)` says whether the first `n` candidates are within it; false for one `n` is false for every larger one.
    """

    name: str
    holds: Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class Tail(Generic[T]):
    """The beginning that fits, and the rest, in its order, each with the limit that dropped it.

    `over` names the limits that even the protected candidates exceed. Kept + dropped = candidates, always.
    """

    kept: tuple[Candidate[T], ...]
    dropped: tuple[tuple[Candidate[T], str], ...]
    over: tuple[str, ...]

    def hit(self, limit: str) -> bool:
        """Whether a limit dropped something or is exceeded."""
        return limit in self.over or any(name == limit for _, name in self.dropped)


def drop_tail(candidates: Sequence[Candidate[T]], limits: Sequence[Limit], protected: int = 0) -> Tail[T]:
    """The longest beginning that every limit holds for, and at least the first `protected` candidates.

    The limits are applied in turn, each to what those before it left.
    """
    kept = len(candidates)
    least = min(protected, kept)
    dropped: list[tuple[Candidate[T], str]] = []
    over: list[str] = []
    for limit in limits:
        fits = longest(kept, limit.holds)
        if fits < least:
            over.append(limit.name)
        cut = max(fits, least)
        dropped[:0] = [(candidate, limit.name) for candidate in candidates[cut:kept]]
        kept = cut
    return Tail(tuple(candidates[:kept]), tuple(dropped), tuple(over))
