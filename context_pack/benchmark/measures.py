"""Measures of a ranked list of places, for a question whose answer is some files and some of their lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from itertools import accumulate

from contracts.frozen import frozen
from contracts.records import Item

HIT_DEPTHS = (1, 5, 10)
BUDGETS_CHARS = (2_000, 4_000, 8_000, 16_000, 32_000)

Line = tuple[str, int]  # path, 1-based number


@frozen
class Place:
    """Lines of a file (1-based, inclusive), and the number of their characters."""

    path: str
    chars: int
    start_line: int
    end_line: int


@frozen
class Result:
    """The result of one tool for one question.

    `rank` is the 1-based rank of the first right file among the distinct files of the list, `chars` the characters read
    up to the end of its first place; None if the list has no right file. `recall`: for each budget, the share of the
    right files that have a place within it; `lines`: for each budget, the share of the changed lines that it shows
    (empty if these are unknown: the commit changed a file's mode, or git lacks an object).
    """

    rank: int | None
    chars: int | None
    recall: tuple[float, ...]
    lines: tuple[float, ...] = ()


def result_of(places: Sequence[Place], targets: Sequence[str], lines: Iterable[float] = ()) -> Result:
    """`places`: best first; `targets`: the right files, at least one; `lines`: as in `Result`."""
    right = frozenset(targets)
    files = list(dict.fromkeys(place.path for place in places))
    rank = next((number for number, path in enumerate(files, 1) if path in right), None)
    read = list(zip(places, accumulate(place.chars for place in places), strict=True))  # with the characters so far
    chars = next((end for place, end in read if place.path in right), None)
    recall = tuple(
        len({place.path for place, end in read if end <= budget and place.path in right}) / len(right)
        for budget in BUDGETS_CHARS
    )
    return Result(rank, chars, recall, tuple(lines))


def lines_shown(items: Iterable[Item]) -> set[Line]:
    """Every line that the items of a pack show, without the lines that they leave out."""
    shown: set[Line] = set()
    for item in items:
        left_out = {line for first, last in item.elided for line in range(first, last + 1)}
        shown.update((item.file, line) for line in range(item.start_line, item.end_line + 1) if line not in left_out)
    return shown


def shown(places: Iterable[Place], budget_chars: int) -> set[Line]:
    """The lines of the places that fit into a budget, in order; a place that does not fit is skipped."""
    lines: set[Line] = set()
    for place in places:
        if place.chars <= budget_chars:
            budget_chars -= place.chars
            lines.update((place.path, line) for line in range(place.start_line, place.end_line + 1))
    return lines


def share(lines: Set[Line], wanted: Set[Line]) -> float:
    """The share of the wanted lines, at least one, that are among `lines`."""
    return len(lines & wanted) / len(wanted)


def median(values: Sequence[int | None]) -> int | None:
    """The lower median; None counts as larger than every number."""
    ordered = sorted(values, key=lambda value: (value is None, value or 0))
    return ordered[(len(ordered) - 1) // 2]
