"""Parses a pasted text into frames and error messages; `resolver` then looks them up in an index."""

# ruff: noqa: E501 - a pattern that is broken up is harder to read than a long line

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from operator import attrgetter

from contracts.frozen import frozen
from index.search.spelling import without_escapes
from index.search.traces import formats
from index.search.traces.formats import Format

MAX_FRAMES = 400
MAX_MESSAGES = 6
MAX_MESSAGE_CHARS = 500
ANYWHERE_IN_LINE = 4  # places that are read from one line of a log
BEFORE_CHARS = 300  # before a place, which may be folders whose names contain blanks
# `web_1  | Traceback ...`, Python's exception groups; not vim's `cart.py|12 col 5|`.
_PREFIX = re.compile(r"\s*(?:[\w.-]{1,40}\s*)?\|(?![0-9]+ col ) ?")
_ESCAPED = re.compile(r"\\n\s*(?:\\t)?\s*(?:at |File |from |#[0-9])")
_SCHEME = re.compile(r"^(?:[a-z][a-z0-9+.-]{1,20}:)?//[^/:\s]*(?::[0-9]+)?(?=/)")
_BARE_SCHEME = re.compile(r"^(?:webpack|webpack-internal|rsc|turbopack|ng|vite):/*(?:\([\w-]+\)/)?(?:\./)?")
_PLAIN = Format("place", ":", formats.ANYWHERE)
_NAMELESS = re.compile(
    r"<(?:anonymous|module|lambda|listcomp|genexpr|dictcomp|setcomp|main|top [^>]*|class:[^>]*|init)>$|main chunk$|^\?$"
)
_NOISE = re.compile(
    r"::h[0-9a-f]{16}$|\{\{.*?\}\}|\{closure.*|\{lambda.*| \[as .*|\[clone .*|\(anonymous namespace\)::|\[[^\[\]]*\](?=[(.]|$)|<[^<>]{0,300}>(?=::|\.|\(|$)|\(\*?([\w.]+)\)(?=\.)"
)
_WORD = re.compile(r"[^\W\d][\w']*[?!=]?")
_LEADING = re.compile(
    r"(?:async|new|static|block in|block \([^)]*\) in|rescue in|ensure in|anonymous fn/[0-9]+ in|closure #[0-9]+ in|implicit closure #[0-9]+ in|anonymous namespace)\s+"
)
_GENERATED = re.compile(
    r"func[0-9]+|gowrap[0-9]+|lambda|anonfun|anonymous|MoveNext|invokeSuspend|closure|fun|init|b__[\w]*|d__[0-9]+|apply"
)
_CSHARP = re.compile(r"<(\w+)>[a-z]__[\w|]*|<>c\w*")  # `<Load>d__5.MoveNext` is compiled from Load
_JAVA = re.compile(r"lambda\$(\w+)\$[0-9]+|\$\$Lambda.*|\$anonfun\$(\w+)\$[0-9]+|\$(?=\.)")
_OF_CLASS = re.compile(r"(?P<package>(?:[a-z_][\w]*\.)*)(?P<class>[A-Z]\w*)")


@frozen
class Function:
    """`name` is empty if a frame has no name that could be looked up; `package` is that of a Java class."""

    name: str = ""
    qualifier: str = ""
    package: str = ""


def function_of(printed: str, format_name: str) -> Function:
    """The function in a printed frame: `main.(*Server).Handle.func1` -> Handle of Server."""
    text = printed.strip()
    of_class = _OF_CLASS.match(text) if format_name == "java" else None
    package = of_class["package"].rstrip(".") if of_class else ""  # `com.foo.Bar$1.run` -> `com.foo`
    if not text or _NAMELESS.search(text):
        return Function(package=package)
    text = _LEADING.sub("", text)
    if format_name == "java":
        text = _JAVA.sub(lambda match: match[1] or match[2] or "", text)
    if "<" in text and "__" in text:
        text = _CSHARP.sub(lambda match: match[1] or "", text)
    text = _NOISE.sub(lambda match: match[1] or "", text)
    text = text.partition("(")[0]
    words = _WORD.findall(re.sub(r"/[0-9]+.*$", "", text))
    while len(words) > 1 and _GENERATED.fullmatch(words[-1]):
        words.pop()
    if len(words) > 1 and words[-1] in ("ctor", "cctor"):  # .NET prints `Cart..ctor` for the constructor `Cart.Cart`
        words[-1] = words[-2]
    if not words or (printed.strip().startswith("new ") and format_name == "javascript"):
        return Function(package=package)
    return Function(words[-1].strip("'"), words[-2] if len(words) > 1 else "", package)


@frozen
class Frame:
    """One frame: `path` as printed, but with forward slashes, empty if none was printed; `line` is None if none was.

    `function` is the one around the line; `last` ends a range of lines. `plain` frames are mere places: nothing says
    that they belong to a stack. `before` is the text before such a place: a path may contain blanks. `minor` frames are
    those of warnings.
    """

    path: str
    line: int | None
    function: Function
    plain: bool = False
    before: str = ""
    minor: bool = False
    last: int | None = None

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}" if self.line is not None else self.path


@frozen
class Trace:
    """The frames of a text, innermost first, each place once, and its error messages; those of warnings last."""

    frames: tuple[Frame, ...]
    messages: tuple[str, ...]


@dataclass(slots=True)
class _Block:
    """Frames that were printed as one list."""

    frames: list[Frame]
    family: str
    last: bool = False
    callee: bool = False
    cause: bool = False


class _Reader:
    """Collects frames and messages, line by line."""

    def __init__(self) -> None:
        self.blocks: list[_Block] = []
        self.messages: dict[str, bool] = {}  # to whether only warnings have it
        self._counts = [0, 0]  # of frames, and of those of warnings
        self._minor = False
        self._above = ""
        self._named = ""  # the file that an indented list of places is about
        self._order: bool | None = None  # whether a header says that the innermost frame comes last
        self._new = True
        self._cause = False

    def read(self, line: str) -> None:
        if not line.strip():
            self._named = ""
            return
        if formats.BLOCK.match(line) or formats.CAUSE.match(line):
            self._new, self._cause = True, formats.CAUSE.match(line) is not None
            latest_last = formats.LATEST_LAST.match(line) is not None
            self._order = latest_last if latest_last or formats.LATEST_FIRST.match(line) else None
        if level := formats.LEVEL.search(line):
            self._minor = level["fault"] is None
        elif not line[0].isspace():
            self._minor = False
        is_call = "::" in line or line.lstrip().startswith(("at ", "Failed "))
        if self._counts[self._minor] < MAX_FRAMES and (is_call or any(map(str.isdigit, line))):
            self._read_frames(line)
        self._read_message(line)
        self._above = line

    def _read_frames(self, line: str) -> None:
        for form in formats.FORMATS:
            frame = form.pattern.match(line) if form.literal in line else None
            while frame:
                named = frame.groupdict()
                function = named.get("function") or ""
                if form.above and (above := form.above.match(self._above)):
                    function = above["function"]
                self._add(form, named.get("file") or "", named.get("line"), function)
                frame = form.pattern.match(line, frame.end())  # Erlang logs a stack on one line
                if not frame:
                    return
        if self._named and (match := formats.INDENTED.match(line) or formats.NUMBERED.match(line)):
            self._add(_PLAIN, self._named, match["line"], "")
            return
        for match in islice(formats.ANYWHERE.finditer(line), ANYWHERE_IN_LINE):
            if any(character.isalpha() for character in match["file"]):
                before = line[: match.start()][-BEFORE_CHARS:]
                self._add(_PLAIN, match["file"], match["line"], "", before, match["last"])

    def _add(
        self, form: Format, file: str, line: str | None, function: str, before: str = "", last: str | None = None
    ) -> None:
        number, called = int(line) if line else None, function_of(function, form.name)
        end = int(last) if last else None
        frame = Frame(normal_path(file), number, called, form is _PLAIN, before, self._minor, end)
        is_last = form.last if self._order is None else self._order
        if self._new or not self.blocks or self.blocks[-1].family != form.name:
            self.blocks.append(_Block([], form.name, is_last, form.callee, self._cause))
            self._new = False
        self.blocks[-1].frames.append(frame)
        self._counts[self._minor] += 1

    def _read_message(self, line: str) -> None:
        if alone := formats.NAMED_ALONE.match(line):
            self._named = alone["file"]
        fields = [match["message"].replace('\\"', '"') for match in formats.FIELDS.finditer(line)]
        for message in (*fields, self._message(line)):
            if message and (len(self.messages) < MAX_MESSAGES or not self._minor):
                self.messages.setdefault(message[:MAX_MESSAGE_CHARS], self._minor)

    def _message(self, line: str) -> str:
        if formats.PANIC_ABOVE.match(self._above):
            return line.strip()
        for pattern in formats.MESSAGES:
            if match := pattern.match(line):
                return match["message"].strip()
        if self.blocks and self.blocks[-1].family == "python" and not line[0].isspace():
            match = formats.EXCEPTION.match(line)
            return (match["message"] or "").strip() if match else ""
        return ""


def read_trace(text: str) -> Trace:
    """The frames and error messages in a text; both are empty for ordinary prose."""
    if "\\n" in text and _ESCAPED.search(text):  # a log in JSON
        text = text.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"')
    lines = [_plain(line[: formats.MAX_LINE_CHARS]) for line in text.splitlines()]
    failing = [line for line in lines if not ("::" in line and formats.SUCCESS.search(line))]
    reader = _read(failing)
    if not reader.blocks and len(failing) < len(lines):
        reader = _read(lines)  # the output of a test that passes
    frames = sorted(_ordered(reader.blocks), key=attrgetter("minor"))
    messages = sorted(reader.messages, key=reader.messages.__getitem__)[:MAX_MESSAGES]
    return Trace(tuple(frames), tuple(messages or _message_above(lines)))


def _read(lines: Iterable[str]) -> _Reader:
    reader = _Reader()
    for line in lines:
        reader.read(line)
    return reader


def _plain(line: str) -> str:
    """A line without the name of the service that a log puts before it."""
    match = _PREFIX.match(line) if "|" in line else None
    return line[match.end() :] if match else line


def _message_above(lines: list[str]) -> list[str]:
    """The message in the line above a call stack: `program: message` of Haskell and others."""
    above = (line for line, below in pairwise(lines) if below.startswith("CallStack (from"))
    return [match["message"][:MAX_MESSAGE_CHARS] for match in map(formats.PROGRAM.match, above) if match][:1]


def _ordered(blocks: list[_Block]) -> list[Frame]:
    """Each place once, innermost first: blocks as printed, except that a chain of causes begins with the last."""
    by_place: dict[tuple[str, int | None, str, Function | None], Frame] = {}
    ordered: list[_Block] = []
    start = 0  # of the chain of `Caused by:` blocks, which is reversed
    for block in blocks:
        start = start if block.cause else len(ordered)
        ordered.insert(start, block)
    for block in ordered:
        frames = _around(block.frames) if block.callee else block.frames
        for frame in reversed(frames) if block.last else frames:
            named = None if frame.line is not None else frame.function
            key = (frame.path, frame.line, frame.function.package, named)
            if key not in by_place or (frame.function.name and not by_place[key].function.name):
                by_place[key] = frame  # at the position of the first: a message may name its line before the stack does
    return list(by_place.values())


def _around(frames: list[Frame]) -> list[Frame]:
    """The frames of a `callee` format, each with the function around its line: the one that the next frame names."""
    behind = [*(frame.function for frame in frames[1:]), Function()]
    return [replace(frame, function=function) for frame, function in zip(frames, behind, strict=True)]


def normal_path(path: str) -> str:
    """A printed path with forward slashes, without the scheme, host, escapes (`%20`) and parameters of a URL."""
    path = path.strip().replace("\\", "/")
    path = _BARE_SCHEME.sub("", path, count=1)
    if "://" in path:
        path = _SCHEME.sub("", path, count=1)
    path = without_escapes(path.partition("?")[0].partition("#")[0])
    if path.startswith("..."):  # Lua cuts off the beginning of long paths, even inside a name
        path = "/" + path.partition("/")[2] if "/" in path else path[3:]
    while path.startswith(("./", "../", "~/")):
        path = path.partition("/")[2]
    return path
