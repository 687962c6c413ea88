"""A text cut around its best lines: which lines stay, and how the gaps are marked.

Lines are 0-based positions here; the ranges that come out are 1-based line numbers of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from context_pack.core import size
from context_pack.core.comments import Block

MIN_LINES = 3  # non-blank lines that an excerpt must show: with fewer it says less than its own heading
SMALL = 3  # a gap of fewer lines is shown where it is no longer than so many marks
MOST_BLANK = 3  # lines without text that a gap shows for being cheaper than its mark
DECAY = 0.8  # a line is worth this much of its neighbour, so that what stays are windows and not single lines


def priority(weights: Sequence[float], header: int) -> list[int]:
    """All lines, the most worth keeping first: the header, then by nearness to lines with weight, then from the top."""
    worth = list(weights)
    worth[header] = max(worth[header], 1.0)
    worth = list(accumulate(worth, _nearby))
    worth = list(accumulate(reversed(worth), _nearby))[::-1]
    keys = [-round(one * 1e6) for one in worth]
    ranked = sorted(range(len(keys)), key=keys.__getitem__)  # stable: of equals the upper one comes first
    ranked.remove(header)
    return [header, *ranked]


def _nearby(before: float, line: float) -> float:
    near = before * DECAY
    return near if near > line else line


def least(lines: Sequence[str], ranked: Sequence[int]) -> int:
    """How many of the first lines of `ranked` make the smallest excerpt."""
    count_shown = 0
    for count, line in enumerate(ranked, start=1):
        count_shown += bool(lines[line].strip())
        if count_shown == MIN_LINES:
            return count
    return len(ranked)


def excerpt(
    lines: Sequence[str], shown: Iterable[int], first_line: int, comment: str, blocks: Sequence[Block | None] = ()
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The shown lines with a mark in each gap, and the ranges of line numbers that are left out.

    A gap that is no longer than its mark is shown instead, one of a line or two where it is not much longer, but no
    long run of blank lines. `comment` and `blocks` are what `core.comments` says of the text.
    """
    text: list[str] = []
    elided: list[tuple[int, int]] = []
    line = 0
    for end in (*sorted(set(shown)), len(lines)):
        if end > line:
            mark = _mark(lines, line, end, first_line, comment, (blocks[line], blocks[end]) if blocks else (None, None))
            gap = lines[line:end]
            room = (size(mark) + 1) * (SMALL if len(gap) < SMALL else 1)
            is_blank = len(gap) > MOST_BLANK and not any(map(str.strip, gap))
            if is_blank or len(gap) > len(mark) or sum(map(size, gap)) + len(gap) > room:
                text.append(mark)
                elided.append((first_line + line, first_line + end - 1))
            else:
                text += gap
        text += lines[end : end + 1]
        line = end + 1
    return "\n".join(text), tuple(elided)


def _mark(
    lines: Sequence[str], start: int, end: int, first_line: int, comment: str, around: tuple[Block | None, Block | None]
) -> str:
    """`    # ... lines 12-40 left out`, indented like the first line that is missing.

    Inside a comment it is bare; where one begins or ends in the gap, it opens or closes it.
    """
    text = next((line for line in lines[start:end] if line.strip()), "")
    indent = text[: len(text) - len(text.lstrip())]
    before, after = around
    opening, _, closing = ("", "", "") if before or after else comment.partition(" ")
    if before and not after:
        closing = before[1]
    elif after and not before:
        opening = after[0]
    first = first_line + start
    numbers = f"line {first}" if end - start == 1 else f"lines {first}-{first_line + end - 1}"
    return indent + " ".join(filter(None, (opening, f"... {numbers} left out", closing)))
