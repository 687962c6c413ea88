"""Parses a pasted text into frames and error messages; `trace` then looks them up in an index."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from index.search.places.formats import (
    ANYWHERE,
    BLOCK,
    CAUSE,
    EXCEPTION,
    FORMATS,
    INDENTED,
    LATEST_FIRST,
    LATEST_LAST,
    MAX_LINE_CHARS,
    MESSAGES,
    NAMED_ALONE,
    PANIC_ABOVE,
    PROGRAM,
    Format,
)
from index.search.places.functions import Function, function_of

MAX_FRAMES = 400
MAX_MESSAGES = 6
MAX_MESSAGE_CHARS = 500
ANYWHERE_IN_LINE = 4  # places that one line of a log names
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_PREFIX = re.compile(r"\s*(?:[\w.-]{1,40}\s*)?\| ?")  # `web_1  | Traceback ...`, Python's groups of exceptions
_ESCAPED = re.compile(r"\\n\s*(?:\\t)?\s*(?:at |File |from |#[0-9])")
_SCHEME = re.compile(r"^(?:[a-z][a-z0-9+.-]{1,20}:)?//[^/:\s]*(?::[0-9]+)?(?=/)")
_BARE_SCHEME = re.compile(r"^(?:webpack|webpack-internal|rsc|turbopack|ng|vite):/*(?:\([\w-]+\)/)?(?:\./)?")
_PLAIN = Format("place", ":", ANYWHERE)


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: `path` with forward slashes as it was printed, empty where none was; `line` is None where none was.

    `function` is the one around the line. `plain` frames are mere places: nothing says that they belong to a stack.
    """

    path: str
    line: int | None
    function: Function
    plain: bool = False

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}" if self.line is not None else self.path


@dataclass(frozen=True, slots=True)
class Trace:
    """The frames of a text, the innermost first, each place once; and what its errors say."""

    frames: tuple[Frame, ...]
    messages: tuple[str, ...]


@dataclass(slots=True)
class _Block:
    """Frames that were printed one below the other."""

    frames: list[Frame]
    family: str
    last: bool = False
    callee: bool = False
    cause: bool = False


class _Reader:
    """Reads lines one after the other."""

    def __init__(self) -> None:
        self.blocks: list[_Block] = []
        self.messages: list[str] = []
        self._count = 0
        self._above = ""
        self._named = ""  # the file that an indented list of places is about
        self._order: bool | None = None  # whether a header said that the innermost frame comes last
        self._new = True
        self._cause = False

    def read(self, line: str) -> None:
        if not line.strip():
            return
        if BLOCK.match(line) or CAUSE.match(line):
            self._new, self._cause = True, CAUSE.match(line) is not None
            self._order = True if LATEST_LAST.match(line) else False if LATEST_FIRST.match(line) else None
        if self._count < MAX_FRAMES and ("::" in line or any(map(str.isdigit, line))):
            self._read_frames(line)
        self._read_message(line)
        self._above = line

    def _read_frames(self, line: str) -> None:
        for form in FORMATS:
            if form.literal in line and (match := form.pattern.match(line)):
                named = match.groupdict()
                function = named.get("function") or ""
                if form.above and (above := form.above.match(self._above)):
                    function = above["function"]
                self._add(form, named.get("file") or "", named.get("line"), function)
                return
        if (match := INDENTED.match(line)) and self._named:
            self._add(_PLAIN, self._named, match["line"], "")
            return
        for number, match in enumerate(ANYWHERE.finditer(line)):
            if number == ANYWHERE_IN_LINE:
                break
            if any(character.isalpha() for character in match["file"]):
                self._add(_PLAIN, match["file"], match["line"], "")

    def _add(self, form: Format, file: str, line: str | None, function: str) -> None:
        frame = Frame(normal_path(file), int(line) if line else None, function_of(function, form.name), form is _PLAIN)
        last = form.last if self._order is None else self._order
        if self._new or not self.blocks or self.blocks[-1].family != form.name:
            self.blocks.append(_Block([], form.name, last, form.callee, self._cause))
            self._new = False
        self.blocks[-1].frames.append(frame)
        self._count += 1

    def _read_message(self, line: str) -> None:
        alone = NAMED_ALONE.match(line)
        if alone:
            self._named = alone["file"]
        if len(self.messages) >= MAX_MESSAGES:
            return
        message = self._message(line)
        if message and message not in self.messages:
            self.messages.append(message[:MAX_MESSAGE_CHARS])

    def _message(self, line: str) -> str:
        if PANIC_ABOVE.match(self._above):
            return line.strip()
        for pattern in MESSAGES:
            if match := pattern.match(line):
                return match["message"].strip()
        if self.blocks and self.blocks[-1].family == "python" and not line[0].isspace():
            match = EXCEPTION.match(line)
            return (match["message"] or "").strip() if match else ""
        return ""


def read_trace(text: str) -> Trace:
    """The frames and error messages in a text; both are empty for ordinary prose."""
    reader = _Reader()
    lines = list(_lines(text))
    for line in lines:
        reader.read(line)
    messages = list(reader.messages)
    if not messages:
        messages = _messages_above(lines)
    return Trace(tuple(_ordered(reader.blocks)), tuple(messages))


def _lines(text: str) -> Iterator[str]:
    if "\\n" in text and _ESCAPED.search(text):  # a log in JSON
        text = text.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"')
    yield from map(_plain, text.splitlines())


def _plain(line: str) -> str:
    """A line without colours and without the name of the service that a log puts before it."""
    line = line[:MAX_LINE_CHARS]
    if "\x1b" in line:
        line = _COLOURS.sub("", line)
    match = _PREFIX.match(line) if "|" in line else None
    return line[match.end() :] if match else line


def _messages_above(lines: list[str]) -> list[str]:
    """The message in the line above a call stack: `program: message` of Haskell and others."""
    for line, below in pairwise(lines):
        if below.startswith("CallStack (from") and (match := PROGRAM.match(line)):
            return [match["message"][:MAX_MESSAGE_CHARS]]
    return []


def _ordered(blocks: list[_Block]) -> list[Frame]:
    """Each place once, the innermost first: of a chain of causes the last, else block after block as printed."""
    by_place: dict[tuple[str, int | None, str, str], Frame] = {}
    for block in _causes_first(blocks):
        frames = _around(block.frames) if block.callee else block.frames
        for frame in reversed(frames) if block.last else frames:
            named = "" if frame.line is not None else frame.function.name
            key = (frame.path, frame.line, frame.function.package, named)
            if key not in by_place or (frame.function.name and not by_place[key].function.name):
                by_place[key] = frame  # in the place of the first: a message may name its line before the stack does
    return list(by_place.values())


def _causes_first(blocks: list[_Block]) -> list[_Block]:
    """The blocks with each run of `Caused by:` reversed and put first."""
    ordered: list[_Block] = []
    chain: list[_Block] = []
    for block in blocks:
        if not block.cause:
            ordered += reversed(chain)
            chain = []
        chain.append(block)
    return ordered + chain[::-1]


def _around(frames: list[Frame]) -> list[Frame]:
    """The frames of a format that names what is called: the function around a line is called in the next frame."""
    behind = [*(frame.function for frame in frames[1:]), Function()]
    return [replace(frame, function=function) for frame, function in zip(frames, behind, strict=True)]


def normal_path(path: str) -> str:
    """A printed path with forward slashes, without the scheme, the host and the parameters of an address."""
    path = path.strip().replace("\\", "/")
    path = _BARE_SCHEME.sub("", path, count=1)
    if "://" in path:
        path = _SCHEME.sub("", path, count=1)
    path = path.partition("?")[0].partition("#")[0]
    if path.startswith("..."):  # Lua cuts long paths in front, in the middle of a name
        path = "/" + path.partition("/")[2] if "/" in path else path[3:]
    while path.startswith(("./", "../", "~/")):
        path = path.partition("/")[2]
    return path
