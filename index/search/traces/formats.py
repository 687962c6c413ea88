"""The formats in which languages and tools print a frame, a row of `frames.tsv` each. Each matches a single line.

Lines are cut to MAX_LINE_CHARS before they are matched, and no pattern has two unbounded runs that can match the same
characters more than once, so that hostile text costs a bounded number of steps per character.
"""

from __future__ import annotations

import re

from contracts.frozen import frozen
from contracts.rows import rows

MAX_LINE_CHARS = 1_000
_PATH = r"(?:[A-Za-z]:(?=[\\/]))?[^\s:\"'`()<>|*]{1,400}"  # a path without blanks
_AT = r":(?P<line>[0-9]{1,9})(?:[:.](?P<column>[0-9]{1,9}))?"


@frozen
class Format:
    """`literal` occurs in every line of the format and is looked for first.

    `last`: the innermost frame is printed last. `callee`: a frame names the function that its line calls; the function
    around the line is the one that the next frame names. `above` matches the line above, which names the function.
    """

    name: str
    literal: str
    pattern: re.Pattern[str]
    last: bool = False
    callee: bool = False
    above: re.Pattern[str] | None = None


def _format(name: str, literal: str, pattern: str, marks: str = "", above: str = "") -> Format:
    whole = re.compile(pattern.replace("{PATH}", _PATH).replace("{AT}", _AT))
    return Format(name, literal, whole, "last" in marks, "callee" in marks, re.compile(above) if above else None)


FORMATS = tuple(_format(*row) for row in rows(__file__, "frames.tsv"))
# A place anywhere in a line, as compilers, linters and tests print it: `src/a.c:12:5: error: ...`, `--> src/a.rs:3:1`.
ANYWHERE = re.compile(
    r"(?<![^\s\"'`(\[{<=,;|*])(?P<file>(?:[a-z][a-z+.-]{1,20}://)?(?:[A-Za-z]:(?=[\\/]))?"
    r"[^\s:\"'`()<>|*=,;\[\]{}]{1,400}+):(?P<line>[0-9]{1,9})(?![0-9/])(?:-(?P<last>[0-9]{1,9})\b)?"  # no port
)
# eslint and ripgrep print a file, then its lines.
NAMED_ALONE = re.compile(r"(?P<file>(?:[A-Za-z]:(?=[\\/]))?[^\s:\"'`()<>|*]{1,400}\.\w{1,8})\s*$")
INDENTED = re.compile(r"\s+(?P<line>[0-9]{1,9}):(?P<column>[0-9]{1,9})\s+(?:error|warning|info|problem)\b")
NUMBERED = re.compile(r"(?P<line>[0-9]{1,9}):(?:[0-9]{1,9}:)?")

# The beginning of another list of frames.
BLOCK = re.compile(
    r"Traceback \(most recent call|Current thread|Thread 0x|Caused by:|Suppressed:|During handling|The above exception"
    r"|goroutine [0-9]+|stack backtrace:|_{5,} |\[?(?:Previous|Next)\b|\s*● |--- FAIL|FAIL\b|thread '|Stack trace:"
)
# What a line of output calls itself: a fault or less; and a test that does not fail.
LEVEL = re.compile(
    r"(?:^|[\s\[(:\"=])(?:(?P<fault>error|fatal|critical|fail(?:ed|ure)?|e(?=: ))"
    r"|warn(?:ing)?|w(?=: )|note|notice|info|debug|trace|hint|help|remark)(?=[\s:\]\[(,\"]|$)",
    re.IGNORECASE,
)
SUCCESS = re.compile(r"(?:^|\s)(?:PASSED|XFAIL|SKIPPED)(?=\s|$)")
LATEST_FIRST = re.compile(r".*most recent call first")
LATEST_LAST = re.compile(r".*Traceback \(most recent call last")
CAUSE = re.compile(r"\s*Caused by: ")

# The error message in a line; the first pattern that matches counts.
MESSAGES = tuple(re.compile(pattern) for _, pattern in rows(__file__, "messages.tsv"))
# Those of a structured log: `level=error msg="..." err="..."`, `{"level": "error", "message": "..."}`.
FIELDS = re.compile(
    r"(?<![^\s{,])\"?(?:error|err|exception|message|msg)\"?[=:] ?\"(?P<message>(?:[^\"\\]|\\.){9,}+)\"(?![^\s,}])"
)
PANIC_ABOVE = re.compile(r"thread '.*panicked at [^\s:]+:[0-9]+(?::[0-9]+)?:\s*$")  # Rust: the message is the next line
EXCEPTION = re.compile(r"(?P<class>[A-Za-z_][\w.]{0,200})(?:: (?P<message>.+))?$")  # the line after a Python traceback
PROGRAM = re.compile(r"[\w.-]{1,80}: (?P<message>\S.*)")  # Haskell's and others' `program: message` above a call stack

# Folders into which other people's code is installed; the path inside the package follows the match.
FOREIGN = re.compile(
    r"(?:^|/)(?:(?:site|dist)-packages|lib/python[0-9.]+|node_modules(?:/@[^/]+)?/[^/]+|\.cargo/registry/src/[^/]+/[^/]+"
    r"|rustc/[0-9a-f]+|rustlib/src/rust|pkg/mod/.*@[^/]+|usr/local/go/src|(?:gems|ruby)/[^/]*-?[0-9.]+(?=/)(?:/gems/[^/]+)?"
    r"|vendor/[^/]+/[^/]+|usr/(?:local/)?include(?:/c\+\+/[0-9]+)?|usr/src|usr/share|usr/lib(?:/[^/]+)?|Cellar/[^/]+/[^/]+"
    r"|deps/[^/]+|internal/modules|\.stack|\.cabal)(?=/)"
)
NOT_A_FILE = re.compile(r"<|node:|internal/\S+\.js\b|\[native|\[C\]|\(|native ")
