"""Measures of a ranked list of places for a question: NDCG, reciprocal rank, hits, recall within a budget.

The definitions are those of the public suite's harness, so that its published figures can be compared: a place covers a
target if one path ends in the other and their lines overlap; a target's first covering place gains 1, and a place gains
only once, however many targets it covers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.suites import Target

NDCG_DEPTH = 10
HIT_DEPTHS = (1, 5, 10)
BUDGETS_CHARS = (2_000, 4_000, 8_000, 16_000, 32_000)


@dataclass(frozen=True, slots=True)
class Place:
    """One result: lines 1-based and inclusive, `chars` of content."""

    path: str
    start_line: int
    end_line: int
    chars: int


def same_path(one: str, other: str) -> bool:
    """Whether one path is the other or ends in it at a folder's boundary: trees may be rooted below the repository."""
    return one == other or one.endswith("/" + other) or other.endswith("/" + one)


def covers(place: Place, target: Target) -> bool:
    """Whether a place shows (a line of) a target."""
    if not same_path(place.path, target.path):
        return False
    if target.start_line is None or target.end_line is None:
        return True
    return place.start_line <= target.end_line and place.end_line >= target.start_line


def first_ranks(places: Sequence[Place], targets: Sequence[Target]) -> list[int | None]:
    """For each target the 0-based rank of the first place that covers it; None if none does."""
    return [next((rank for rank, place in enumerate(places) if covers(place, target)), None) for target in targets]


def ndcg(ranks: Sequence[int | None], depth: int = NDCG_DEPTH) -> float:
    """Normalised discounted cumulative gain with binary gains (Järvelin & Kekäläinen 2002); 0..1."""
    if not ranks:
        return 0.0
    right_ranks = {rank for rank in ranks if rank is not None and rank < depth}
    ideal = sum(1 / math.log2(place + 2) for place in range(min(depth, len(ranks))))
    return sum(1 / math.log2(rank + 2) for rank in sorted(right_ranks)) / ideal


def reciprocal_rank(ranks: Sequence[int | None], depth: int = NDCG_DEPTH) -> float:
    """One over the 1-based rank of the first right place; 0 if there is none within `depth`."""
    right_ranks = [rank for rank in ranks if rank is not None and rank < depth]
    return 1 / (min(right_ranks) + 1) if right_ranks else 0.0


def hit(ranks: Sequence[int | None], depth: int) -> float:
    """1 if any of the first `depth` places is right, else 0."""
    return float(any(rank is not None and rank < depth for rank in ranks))


def recall_within(places: Sequence[Place], targets: Sequence[Target], budget_chars: int) -> float:
    """The share of targets covered by the places that end within the first `budget_chars` characters of content."""
    inside: list[Place] = []
    chars = 0
    for place in places:
        chars += place.chars
        if chars > budget_chars:
            break
        inside.append(place)
    return sum(any(covers(place, target) for place in inside) for target in targets) / len(targets) if targets else 0.0


def measures(top: Sequence[Place], deep: Sequence[Place], targets: Sequence[Target]) -> dict[str, float]:
    """Every measure of one question: `top` is the list of ten, `deep` the longer list, which budgets cut."""
    ranks = first_ranks(top, targets)
    values = {"ndcg@10": ndcg(ranks), "mrr@10": reciprocal_rank(ranks)}
    values |= {f"hit@{depth}": hit(ranks, depth) for depth in HIT_DEPTHS}
    values |= {f"recall@{budget}": recall_within(deep, targets, budget) for budget in BUDGETS_CHARS}
    return values


MEASURES = tuple(measures([], [], []))
