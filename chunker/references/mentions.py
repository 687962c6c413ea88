"""The names of code that a document mentions: in backticks, in reStructuredText roles, in calls of an example."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from chunker.chunks.lines import Lines
from chunker.kinds import MAX_STEPS
from chunker.languages.table import HISTORY
from chunker.model import Reference

_QUOTED = re.compile(rb"`{1,2}[~!.]?([A-Za-z_][^`\n]{0,78})`{1,2}")
_CALLED = re.compile(rb"(?<![\w.`])([A-Za-z_]\w{2,60})\(")  # in an example; a plain word there could be anything
_PATH = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|#|->)[A-Za-z_]\w*)*")
_STEP = re.compile(r"\.|::|#|->")
_TELLING = re.compile(r"[a-z0-9][A-Z]|_|^[A-Z][a-z]+[A-Z]|^[A-Z]\w*[a-z]\w*$")
_LEAST_CHARS = 3


def read_mentions(path: str, starts: Sequence[int], sections: Sequence[int], lines: Lines) -> tuple[Reference, ...]:
    """Each name once per chunk. `starts` are the bytes at which chunks start, `sections` the lines (1-based) at which
    the definitions of the document start, ascending."""
    if HISTORY.search(path):
        return ()
    mentions: dict[tuple[str, str | None, int], Reference] = {}
    for at, steps in _names(lines.data):
        chunk = max(bisect_right(starts, at) - 1, 0)
        line = lines.row(at) + 1
        section = bisect_right(sections, line) - 1
        receiver = ".".join(steps[-MAX_STEPS - 1 : -1]) or None
        key = (steps[-1], receiver, chunk)
        if key not in mentions:
            mentions[key] = Reference(steps[-1], "mention", chunk, line, receiver, section if section >= 0 else None)
    return tuple(mentions.values())


def _names(data: bytes) -> Iterator[tuple[int, list[str]]]:
    for match in _QUOTED.finditer(data):
        text = match[1].decode("utf-8", "replace").partition("(")[0].rstrip()
        if len(text) >= _LEAST_CHARS and _PATH.fullmatch(text):
            yield match.start(1), _STEP.split(text)
    for match in _CALLED.finditer(data):
        word = match[1].decode("ascii")
        if _TELLING.search(word):
            yield match.start(1), [word]
