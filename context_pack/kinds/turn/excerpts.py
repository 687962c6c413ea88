"""The best lines of a text: those that speak of the goal, in windows, with the gaps marked."""

from __future__ import annotations

import re
from collections.abc import Collection

from context_pack.core.excerpt import excerpt, priority
from index.analysis import content_terms, terms_of_text, words_of

MAX_LINE_CHARS = 300  # of a line in an excerpt: a minified line would eat a budget alone
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$")
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


def terms_of_goal(*texts: str) -> frozenset[str]:
    """The telling terms of some texts."""
    return frozenset(term for text in texts for term in content_terms(words_of(text)))


def best_lines(text: str, terms: Collection[str], most_lines: int, most_chars: int, comment: str = "") -> str:
    """The lines that say most about the terms, in the order of the text; from the top where none says anything."""
    lines = [_clipped(line) for line in text.rstrip().split("\n")]
    if len(lines) <= most_lines and sum(len(line) + 1 for line in lines) <= most_chars:
        return "\n".join(lines)
    shown: list[int] = []
    room = most_chars
    for line in priority(weights(lines, terms), header=0)[:most_lines]:
        room -= len(lines[line]) + 1
        if room < 0 and shown:
            break
        shown.append(line)
    return excerpt(lines, shown, 1, comment)[0]


def weights(lines: Collection[str], terms: Collection[str]) -> list[float]:
    """For each line how many of the terms it holds. A term's first letters are looked for before it is analysed."""
    wanted = frozenset(terms)
    starts = sorted({term[:3].lower() for term in wanted})
    found = []
    for line in lines:
        low = line.lower()
        hit = any(start in low for start in starts)
        found.append(float(len(wanted.intersection(terms_of_text(line)))) if hit else 0.0)
    return found


def anchors(text: str, terms: Collection[str], shown: str, most: int) -> list[str]:
    """GitHub's anchors of headings that hold the terms or that an excerpt shows, the first kind first; in order."""
    lines = text.split("\n")
    headings = [match[1] for line in lines if (match := _HEADING.match(line)) and match[1]]
    visible = {match[1] for line in shown.split("\n") if (match := _HEADING.match(line))}
    weight = weights(headings, terms)
    telling = [number for number, heading in enumerate(headings) if weight[number] or heading in visible]
    best = sorted(sorted(telling, key=lambda number: (-weight[number], number))[:most])
    return list(dict.fromkeys(anchor for number in best if (anchor := _anchor(headings[number]))))


def _anchor(heading: str) -> str:
    return _NOT_IN_ANCHORS.sub("", heading.strip().lower()).replace(" ", "-")


def _clipped(line: str) -> str:
    return line if len(line) <= MAX_LINE_CHARS else line[:MAX_LINE_CHARS] + " ..."
