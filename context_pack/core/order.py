"""Candidates in a total order, held to be one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from context_pack.core.candidate import Candidate

T = TypeVar("T")


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
