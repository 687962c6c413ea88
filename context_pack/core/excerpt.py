"""A text cut around its telling lines: which lines stay, and how the gaps are marked.

Lines are 0-based positions here; the ranges that come out are 1-based line numbers of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MIN_LINES = 3  # non-blank lines that an excerpt must show: with fewer it says less than its own heading
DECAY = 0.8  # a line is worth this much of its neighbour, so that what stays are windows and not single lines


def priority(weights: Sequence[float], header: int) -> list[int]:
    """All lines, the most worth keeping first: the header, then by nearness to lines with weight, then from the top."""
    worth = list(weights)
    worth[header] = max(worth[header], 1.0)
    for line in range(1, len(worth)):
        worth[line] = max(worth[line], worth[line - 1] * DECAY)
    for line in range(len(worth) - 2, -1, -1):
        worth[line] = max(worth[line], worth[line + 1] * DECAY)
    return sorted(range(len(worth)), key=lambda line: (line != header, -round(worth[line] * 1e6), line))


def least(lines: Sequence[str], ranked: Sequence[int]) -> int:
    """How many of the first lines of `ranked` make the smallest excerpt."""
    told = 0
    for count, line in enumerate(ranked, start=1):
        told += bool(lines[line].strip())
        if told == MIN_LINES:
            return count
    return len(ranked)


def excerpt(
    lines: Sequence[str], shown: Iterable[int], first_line: int, comment: str
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The shown lines with a mark in each gap, and the ranges of line numbers that are left out.

    A gap that is no longer than its mark is shown instead. `comment` starts a comment in the text's language.
    """
    text: list[str] = []
    elided: list[tuple[int, int]] = []
    line = 0
    for end in (*sorted(set(shown)), len(lines)):
        if end > line:
            gap = lines[line:end]
            mark = _mark(gap, first_line + line, comment)
            if _is_larger(gap, len(mark.encode()) + 1):
                text.append(mark)
                elided.append((first_line + line, first_line + end - 1))
            else:
                text += gap
        text += lines[end : end + 1]
        line = end + 1
    return "\n".join(text), tuple(elided)


def _mark(gap: Sequence[str], start: int, comment: str) -> str:
    """`    # ... lines 12-40 left out`, indented like the first line that is missing."""
    told = next((line for line in gap if line.strip()), "")
    indent = told[: len(told) - len(told.lstrip())]
    lines = f"line {start}" if len(gap) == 1 else f"lines {start}-{start + len(gap) - 1}"
    return f"{indent}{comment} ... {lines} left out" if comment else f"{indent}... {lines} left out"


def _is_larger(lines: Sequence[str], size: int) -> bool:
    """Whether the lines take more bytes than this; most gaps do by their characters alone."""
    chars = len(lines) + sum(map(len, lines))
    return chars > size or chars + sum(len(line.encode()) - len(line) for line in lines) > size
