"""The names of code that a document mentions: in backticks, roles and directives, in calls of an example."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chunker.chunks.lines import Lines
from chunker.kinds import MAX_STEPS
from chunker.languages.table import HISTORY
from chunker.model import FileChunks, Reference, chunk_at

_QUOTED = re.compile(rb"`{1,2}[~!.]?([A-Za-z_][^`\n]{0,78})`{1,2}")
_LABEL = re.compile(rb":(?:ref|doc|numref|term|download):\Z")  # roles whose text is no code
_TARGET = re.compile(r"[^<>]*<[~!.]?([^<>]+)>")  # of a role: `the method <Task.run>`
_DIRECTIVE = re.compile(
    rb"^[ \t]*\.\.[ \t]+(?:py:)?(?:auto)?(?:attribute|class|data|exception|function|method)::[ \t]+([A-Za-z_][\w.]*)",
    re.M,
)
_CALLED = re.compile(rb"(?<![\w.`])([A-Za-z_]\w{2,60})\(")  # in an example; a plain word there could be anything
_PATH = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|#|->)[A-Za-z_]\w*)*")
_STEP = re.compile(r"\.|::|#|->")
_TELLING = re.compile(r"[a-z0-9][A-Z]|_|^[A-Z][a-z]+[A-Z]|^[A-Z]\w*[a-z]\w*$")
_MIN_CHARS = 3


def read_mentions(path: str, document: FileChunks, lines: Lines) -> tuple[Reference, ...]:
    """Each name once per chunk, in the innermost section around it."""
    if HISTORY.search(path):
        return ()
    starts = [chunk.start_byte for chunk in document.chunks]
    sections: list[int | None] = [None] * (lines.count + 1)  # by line
    for number, section in enumerate(document.definitions):  # inner sections come later
        sections[section.start_line : section.end_line + 1] = [number] * (section.end_line + 1 - section.start_line)
    mentions: dict[tuple[str, str | None, int], Reference] = {}
    for at, steps in _names(lines.data):
        chunk = chunk_at(starts, at)
        line = lines.row(at) + 1
        receiver = ".".join(steps[-MAX_STEPS - 1 : -1]) or None
        key = (steps[-1], receiver, chunk)
        if key not in mentions:
            mentions[key] = Reference(steps[-1], "mention", chunk, line, receiver, sections[line])
    return tuple(mentions.values())


def _names(data: bytes) -> Iterator[tuple[int, list[str]]]:
    for match in _QUOTED.finditer(data):
        text = match[1].decode("utf-8", "replace")
        if data[match.start() - 1 : match.start()] == b":":
            if _LABEL.search(data, max(match.start() - 10, 0), match.start()):
                continue
            if target := _TARGET.fullmatch(text):
                text = target[1]
        text = text.partition("(")[0].rstrip()
        if len(text) >= _MIN_CHARS and _PATH.fullmatch(text):
            yield match.start(1), _STEP.split(text)
    for match in _DIRECTIVE.finditer(data):
        yield match.start(1), match[1].decode("utf-8", "replace").rstrip(".").split(".")
    for match in _CALLED.finditer(data):
        word = match[1].decode("ascii")
        if _TELLING.search(word):
            yield match.start(1), [word]
