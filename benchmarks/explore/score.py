"""Score the lines that a tool shows for a question."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import mean
from typing import Protocol

from benchmarks.explore.suite import MUST, Question, Span
from benchmarks.metrics import Place
from context_pack.benchmark.measures import Line

BUDGETS = (2_000, 4_000, 8_000, 16_000)  # characters
MEASURES = ("cover", "spans", "touch", "yield")
SEEN_SHARE = 0.6  # share of a span's lines: with less of them shown, the question is not answered


class LineRange(Protocol):
    @property
    def path(self) -> str: ...
    @property
    def start_line(self) -> int: ...
    @property
    def end_line(self) -> int: ...


def lines_of(place: LineRange) -> set[Line]:
    """Every line of a place."""
    return {(place.path, line) for line in range(place.start_line, place.end_line + 1)}


def first_come(places: Iterable[Place], budget_chars: int) -> list[Place]:
    """The places that fit into a budget, in order, at the cost of their content alone, as in a plain list of
    results."""
    selection: list[Place] = []
    for place in places:
        if place.chars <= budget_chars:
            budget_chars -= place.chars
            selection.append(place)
    return selection


def must_read(question: Question) -> list[Span]:
    return [span for span in question.spans if span.grade == MUST]


def score(shown: set[Line], question: Question) -> dict[str, float]:
    """The four measures, each 0..1.

    cover: the mean share of each must-read span that is shown; spans: the share of those spans with at least SEEN_SHARE
    shown; touch: the share with any line shown; yield: the share of the shown lines that are in a span of any grade.
    """
    shares = [len(lines & shown) / len(lines) for lines in map(lines_of, must_read(question))]
    marked = set().union(*map(lines_of, question.spans))
    return {
        "cover": mean(shares),
        "spans": mean(share >= SEEN_SHARE for share in shares),
        "touch": mean(share > 0 for share in shares),
        "yield": len(shown & marked) / max(1, len(shown)),
    }
