"""The best lines of a text: windows around the lines about the goal, with the gaps marked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from context_pack.core.markdown import Document
from context_pack.core.text import CHARS_PER_TOKEN, MAX_BLANK, Excerpts, priority
from contracts.frozen import frozen
from index.text import indentation, terms_of_text

USUAL = (30, 1_600)  # lines and characters of the shortest excerpt of the best file
LEAST = (10, 400)  # and of any other
STEPS, STEP = 12, 0.7  # longer excerpts, each this part of the one before: the shortest of 20,000 tokens is a usual one
MAX_LINE_CHARS = 300  # of a line in an excerpt; a minified line alone would use up a budget


@frozen
class Spot:
    """Lines of a file, 1-based and inclusive, and what they are worth in an excerpt: a term in a line is worth 1."""

    first: int
    last: int
    weight: float


_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


def best_lines(text: str, terms: Collection[str], max_lines: int, max_chars: int) -> str:
    """The lines that say most about the terms, in the order of the text, with the first line, such as a title."""
    return excerpts(text, terms, ((max_lines, max_chars),))[0]


def excerpts(
    text: str, terms: Collection[str], limits: Sequence[tuple[int, int]], comment: str = "", spots: Sequence[Spot] = (),
    definitions: Collection[tuple[int, int]] = (), without: Collection[int] = (),
) -> list[str]:  # fmt: skip
    """For each of the limits (lines, characters), the longest first: the lines that say most about the terms, and those
    of the spots, in the order of the text. Of `definitions` (first and last line), the first line is shown with lines
    inside. Lines `without`, by number, are no part of any excerpt.

    Without spots, the first line, such as a title, is among them; if no line has a term either, the first lines.
    """
    lines = list(map(clipped, text.rstrip().split("\n")))
    weights = _weights(lines, terms)
    for spot in spots:
        for number in range(spot.first - 1, min(spot.last, len(lines))):
            weights[number] += spot.weight
    ranked = priority(weights, header=weights.index(max(weights)) if spots else 0)
    gaps = _blank_runs(lines).union(number - 1 for number in without)
    ranked = [number for number in ranked if number not in gaps]
    if not ranked:
        return ["" for _ in limits]
    ranked = ranked[: count_within([lines[number] for number in ranked], *limits[0])]
    heads = _heads(lines, definitions, ranked)
    ranked = list(dict.fromkeys(line for number in ranked for line in (*heads[number], number) if line not in gaps))
    best = [lines[number] for number in ranked]
    counts = [count_within(best, *limit) for limit in limits]
    excerpts = Excerpts(lines, 1, comment)
    texts = {count: excerpts.of(ranked[:count])[0] for count in set(counts)}
    return [texts[count] for count in counts]


def lengths_for(max_tokens: int, share: float = 1.0) -> list[tuple[int, int]]:
    """(lines, characters) of a file's excerpt: all that a pack may have, then from that down to the usual ones, each
    reduced to the file's share of those of the best file."""
    whole, *sizes = (int(CHARS_PER_TOKEN * max_tokens * STEP**number) for number in range(STEPS))
    limits = [*((size, size) for size in sizes if size > USUAL[1]), USUAL]
    shares = ((max(LEAST[0], int(share * lines)), max(LEAST[1], int(share * chars))) for lines, chars in limits)
    return [(whole, whole), *shares]


def _blank_runs(lines: Sequence[str]) -> set[int]:
    """The lines of long runs of blank ones, such as the outputs of a notebook, which no excerpt shows."""
    runs = (list(run) for is_blank, run in groupby(range(len(lines)), lambda line: not lines[line].strip()) if is_blank)
    return {line for run in runs if len(run) > MAX_BLANK for line in run}


def _heads(
    lines: Sequence[str], definitions: Collection[tuple[int, int]], numbers: Iterable[int]
) -> dict[int, tuple[int, ...]]:
    """For each of the numbered lines, the first lines of the definitions around it, the outermost first.

    Short definitions may share a chunk, whose end is then the end of each: the next one that is no deeper ends it.
    """
    # The index may be older than the text.
    ends = {first - 1: last for first, last in definitions if first <= len(lines)}
    heads, stack = dict[int, tuple[int, ...]](), list[tuple[int, int, int]]()  # (indentation, first line, end)
    for number in sorted({*numbers, *ends}):
        line = lines[number]
        depth = indentation(line)
        stack = [one for one in stack if number < one[2] and not (number in ends and one[0] >= depth)]
        heads[number] = tuple(first for indent, first, _ in stack if indent < depth) if line.strip() else ()
        if number in ends:
            stack.append((depth, number, ends[number]))
    return heads


def first_lines(text: str, max_lines: int, max_chars: int) -> str:
    """The first lines of a text, then the number of lines that are left out."""
    lines = list(map(clipped, text.rstrip().split("\n")))
    shown = count_within(lines, max_lines, max_chars)
    return "\n".join([*lines[:shown], *([f"... {len(lines) - shown} more lines"] if shown < len(lines) else [])])


def count_within(lines: Sequence[str], max_lines: int, max_chars: int) -> int:
    """How many of the first lines are within both limits; at least one."""
    for count, line in enumerate(lines[:max_lines]):
        max_chars -= len(line) + 1
        if max_chars < 0 and count:
            return count
    return min(len(lines), max_lines)


def anchors(text: str, terms: Collection[str], shown: str, most: int) -> list[str]:
    """GitHub's anchors of headings that contain terms (preferred) or are in the excerpt, in the order of the text."""
    document, visible = Document(text), frozenset(shown.split("\n"))
    titles = {line: title for line, (_, title) in document.headings.items()}
    weights = dict(zip(titles, _weights([*titles.values()], terms), strict=True))
    lines = [line for line, weight in weights.items() if weight or document.lines[line] in visible]
    best = sorted(sorted(lines, key=lambda line: (-weights[line], line))[:most])
    names = (_NOT_IN_ANCHORS.sub("", titles[line].strip().lower()).replace(" ", "-") for line in best)
    return list(dict.fromkeys(filter(None, names)))


def clipped(line: str) -> str:
    return line if len(line) <= MAX_LINE_CHARS else line[:MAX_LINE_CHARS] + " ..."


def _weights(lines: Sequence[str], terms: Collection[str]) -> list[float]:
    """The number of terms in each line. A line is analysed only if it contains the first letters of a term."""
    wanted = frozenset(terms)
    starts = re.compile("|".join(map(re.escape, sorted({term[:3].lower() for term in wanted}))) or r"(?!)").search
    return [float(len(wanted.intersection(terms_of_text(line)))) if starts(line.lower()) else 0.0 for line in lines]
