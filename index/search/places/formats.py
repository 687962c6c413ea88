"""The formats in which languages and tools print a frame, one record each. Each matches a single line.

Lines are cut to MAX_LINE_CHARS before they are matched, and no pattern has two unbounded runs that can match the same
characters more than once, so that hostile text costs a bounded number of steps per character.
"""

# ruff: noqa: E501 - a pattern that is broken up is harder to read than a long line

from __future__ import annotations

import re

from contracts.frozen import frozen

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


def _format(
    name: str, literal: str, pattern: str, *, last: bool = False, callee: bool = False, above: str = ""
) -> Format:
    return Format(name, literal, re.compile(pattern), last, callee, re.compile(above) if above else None)


FORMATS = (
    _format("python", 'File "', r'\s*File "(?P<file>[^"]{1,400})", line (?P<line>[0-9]{1,9})(?:,? in (?P<function>.*))?', last=True),
    _format("python", "File ", rf"\s*File (?P<file>{_PATH}){_AT}, in (?P<function>[^(\s]+)", last=True),  # IPython
    _format("pytest", ".py:", rf"(?P<file>{_PATH}\.py):(?P<line>[0-9]{{1,9}}): in (?P<function>\S+)\s*$", last=True),
    _format("pytest", ".py:", rf"(?P<file>{_PATH}\.py):(?P<line>[0-9]{{1,9}}): (?:[\w.]+(?:Error|Exception|Failed|Exit|Interrupt))?\s*$", last=True),
    _format("node id", "::", r"(?:(?:FAILED|ERROR|PASSED|XFAIL|SKIPPED)\s+)?(?P<file>[^\s:]{1,400}\.\w{1,8})::(?P<function>[\w:]+)"),
    _format("java", "at ", r"\s*at (?:[^\s()/]{0,100}/){0,3}(?P<function>[^\s()/:]{1,400})\((?P<file>[^():\s/]{1,200}\.(?:java|kts?|scala|sc|groovy|clj)):(?P<line>[0-9]{1,9})\)"),
    _format("java", "at ", r"\s*at (?:[^\s()/]{0,100}/){0,3}(?P<function>[^\s()/:]{1,400})\((?:Native Method|Unknown Source|<generated>|[^():\s/]{1,200}\.(?:java|kts?|scala|groovy))\)"),
    _format("csharp", ":line ", r"\s*at (?P<function>.{1,500}?) in (?P<file>[^\"<>|*]{1,400}):line (?P<line>[0-9]{1,9})"),
    _format("javascript", "at ", r"\s*at (?P<function>[^(]{1,300}) \((?P<file>[^()\s][^()]{0,500}?|.{1,500}):(?P<line>[0-9]{1,9}):(?P<column>[0-9]{1,9})\)"),
    _format("javascript", "at ", r"\s+at (?:async )?(?P<file>[^\s(][^(]{0,500}):(?P<line>[0-9]{1,9}):(?P<column>[0-9]{1,9})\s*$",
            above=r"\s*[0-9]{1,5}:\s+(?:0x[0-9a-fA-F]+ - )?(?P<function>\S.*)"),  # Rust's backtraces look the same
    _format("javascript", "at ", r"\s+at (?P<function>[^(]{1,300}) \((?:<anonymous>|native|index [0-9]+)\)\s*$"),
    _format("javascript", "@", r"(?P<function>[^@\s]{0,200})@(?P<file>(?:[a-z][a-z+.-]{0,20}://)?[^\s@()]{1,400}):(?P<line>[0-9]{1,9}):(?P<column>[0-9]{1,9})\s*$"),
    _format("go", ".go:", r"\s+(?P<file>[^\s:][^:]{0,400}\.go):(?P<line>[0-9]{1,9})(?: \+0x[0-9a-f]+)?\s*$",
            above=r"(?:created by )?(?P<function>[^\s(]+(?:\(\*?[\w\[\].]+\)[^\s(]*)?)(?:\(.*\)| in goroutine [0-9]+)?\s*$"),
    _format("elixir", ".ex", r"\s*(?:\([^()]{1,80}\) )?(?P<file>[\w./-]{1,300}\.(?:exs?|erl)):(?P<line>[0-9]{1,9}): (?P<function>(?:anonymous fn|\(\w+\)|[\w.:\"-]).*)"),
    _format("erlang", "{line,", r".{0,400}?\{\w{1,100},(?P<function>[^\s,{}]{1,200}),[^{}]{1,100},\s*\[\{file,\s*\"(?P<file>[^\"]{1,400})\"\},\s*\{line,\s*(?P<line>[0-9]{1,9})\}"),
    _format("zig", " in ", rf"(?P<file>{_PATH}):(?P<line>[0-9]{{1,9}}):(?P<column>[0-9]{{1,9}}): 0x[0-9a-f]+ in (?P<function>\S+)"),
    _format("haskell", "called at ", rf"\s*(?P<function>\S{{1,200}}), called at (?P<file>{_PATH}){_AT} in (?P<package>\S+)", callee=True),
    _format("ruby", ":in ", r"\s*(?:[0-9]{1,4}: )?(?:from )?(?P<file>[^\s:'\"][^:'\"]{0,400}):(?P<line>[0-9]{1,9}):in [`'](?P<function>[^'`]*)'"),
    _format("lua", ": in ", r"\s*(?P<file>[^\s:'\"][^:'\"]{0,400}):(?P<line>[0-9]{1,9}): in (?:(?:local |upvalue |global )?(?:function|method|field|upvalue|local|metamethod) )?['<]?(?P<function>[^'>]*)"),
    _format("php", "): ", r"\s*#[0-9]{1,5} (?P<file>[^\"<>|*()]{1,400})\((?P<line>[0-9]{1,9})\): (?P<function>[^(]{1,400})", callee=True),
    _format("php", "[internal function]", r"\s*#[0-9]{1,5} \[internal function\]: (?P<function>[^(]{1,400})", callee=True),
    _format("php", " on line ", r".{0,600}? in (?P<file>/?[^\"<>|*()\s]{1,400}) on line (?P<line>[0-9]{1,9})"),
    _format("native", " at ", r"\s*(?:\* )?(?:frame )?#?[0-9]{1,5}:?\s+(?:\[ra\] )?(?:0x[0-9a-fA-F]+\s+)?(?:in\s+)?(?:[^\s`]{1,200}`)?(?P<function>[^\s(]{1,300}).{0,600}?\sat (?P<file>[^\s:]{1,400}):(?P<line>[0-9]{1,9})"),
    _format("native", " in ", r"\s*#[0-9]{1,5}\s+0x[0-9a-fA-F]+ in (?P<function>[^\s(]{1,300}).{0,600}?\s(?P<file>[^\s():]{1,400}):(?P<line>[0-9]{1,9})(?::[0-9]{1,9})?\s*$"),
    _format("native", "0x", r"\s*#[0-9]{1,5}\s+0x[0-9a-fA-F]+ in (?P<function>\S{1,300})"),
    _format("valgrind", " 0x", r"(?:==[0-9]+==)?\s*(?:at|by) 0x[0-9A-Fa-f]+: (?P<function>[^\s(]{1,300}).{0,400}?\((?P<file>[^\s():]{1,400}):(?P<line>[0-9]{1,9})\)"),
    _format("bash", ", line ", r".{0,400}?(?:\b(?:from )?function [`'](?P<function>[^'`]{1,100})' )?\bin (?:test )?file (?P<file>[^\s,]{1,400}), line (?P<line>[0-9]{1,9})"),
    _format("swift", ", line ", r".{0,700}?\bfile (?P<file>[^\s,\"]{1,400}), line (?P<line>[0-9]{1,9})"),
    _format("bash", ": line ", r"\s*(?P<file>[^\s:][^:]{0,300}): line (?P<line>[0-9]{1,9}):"),
    _format("tsc", "(", rf"(?:\[\w+\] ?)?\s*(?P<file>{_PATH})\((?P<line>[0-9]{{1,9}}),(?P<column>[0-9]{{1,9}})\)"),
    _format("ghc", ":(", rf"\s*(?P<file>{_PATH}):\((?P<line>[0-9]{{1,9}}),[0-9]{{1,9}}\)"),
    _format("csharp", "at ", r"\s+at (?P<function>[\w.+<>`\[\],$]{3,300})\([^()]{0,400}\)\s*$"),
    _format("kotlin", ": (", rf"(?:[ewi]: )?(?P<file>{_PATH}): \((?P<line>[0-9]{{1,9}}), ?[0-9]{{1,9}}\)"),
)  # fmt: skip
# A place anywhere in a line, as compilers, linters and tests print it: `src/a.c:12:5: error: ...`, `--> src/a.rs:3:1`.
ANYWHERE = re.compile(
    r"(?<![^\s\"'`(\[{<=,;|])(?P<file>(?:[a-z][a-z+.-]{1,20}://)?(?:[A-Za-z]:(?=[\\/]))?"
    r"[^\s:\"'`()<>|*=,;\[\]{}]{1,400}+):(?P<line>[0-9]{1,9})(?![0-9])"
)
NAMED_ALONE = re.compile(
    r"(?P<file>(?:[A-Za-z]:(?=[\\/]))?[^\s:\"'`()<>|*]{1,400}\.\w{1,8})\s*$"
)  # eslint prints a file, then its lines
INDENTED = re.compile(r"\s+(?P<line>[0-9]{1,9}):(?P<column>[0-9]{1,9})\s+(?:error|warning|info|problem)\b")

# The beginning of another list of frames.
BLOCK = re.compile(
    r"Traceback \(most recent call|Current thread|Thread 0x|Caused by:|Suppressed:|During handling|The above exception"
    r"|goroutine [0-9]+|stack backtrace:|_{5,} |\[?(?:Previous|Next)\b|\s*● |--- FAIL|FAIL\b|thread '|Stack trace:"
)
LATEST_FIRST = re.compile(r".*most recent call first")
LATEST_LAST = re.compile(r".*Traceback \(most recent call last")
CAUSE = re.compile(r"\s*Caused by: ")

# The error message in a line; the first pattern that matches counts.
MESSAGES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\*\* \([\w.]+\) (?P<message>.+)",  # Elixir
        r".*?panicked at '(?P<message>.+)', [^\s:]+:[0-9]+",  # Rust before 1.73
        r"(?:thread [0-9]+ )?panic: (?P<message>.+)",
        r".*?: (?P<message>[^:].*) \((?:[A-Z]\w*::)*[A-Z]\w*(?:Error|Exception)\)\s*$",  # Ruby
        r"(?:E\s+)?(?:.{0,200}?[\s:(])?(?:[\w$]+[.\\:/]+)*[A-Z]\w*(?:Error|Exception|Failure|Fault|Warning|Exit|Timeout)\b(?:\s*\[\w+\])?: (?P<message>\S.*)",
        r"(?:.{0,400}?[\s:.\"])?(?:[Ff]atal )?[Ee]rror(?:\[\w+\])?(?: \w+[0-9]+)?(?: \([^()]{1,80}\))?: +(?P<message>\S.*)",
        r"(?:.{0,400}?[\s:=])?(?:fatal|FATAL|ERROR|CRITICAL)\b(?: \[[^\]]{0,80}\])?:? +(?P<message>\S.*)",
        r"(?:.{0,200}?[\s\]|=])?\[?(?:WARN(?:ING)?|INFO|DEBUG|NOTICE|(?:warn(?:ing)?|info|debug)(?=[\]:]))\]?(?: \[[^\]]{0,80}\])?[:\s|-]+(?P<message>\S.{9,})",
        r"(?:lua|luajit): [^\s:]+:[0-9]+: (?P<message>\S.*)",
        r"[^\s:]{1,300}: line [0-9]+: (?P<message>\S.*)",
        r"\s+[0-9]+:[0-9]+\s+(?:error|warning)\s+(?P<message>\S.*?)(?:\s{2,}\S+)?\s*$",  # eslint
    )
)  # fmt: skip
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
NOT_A_FILE = re.compile(r"<|node:|internal/|\[native|\[C\]|\(|native ")
