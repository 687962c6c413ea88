"""A second reading for code that the preprocessor keeps from being syntax: the same bytes with the obstacles blanked.

The C family's grammars see code before the preprocessor. A conditional that opens a brace in each of its branches, or
a macro where a keyword would stand, can turn half a file into one error node. Blanks in their place keep every offset,
so that a tree of the masked bytes is a tree of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|else|endif)\b(?:[^\n\\]|\\\r?\n|\\.)*", re.M)
# Strings, characters and comments: braces in them do not count.
_QUOTED = re.compile(rb"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|//[^\n]*|/\*.*?\*/", re.S)
_CAPITALS = rb"[A-Z][A-Z0-9]*_[A-Z0-9_]*"
_CLASS_MACRO = re.compile(rb"\b(?:class|struct|union|enum)[ \t]+(" + _CAPITALS + rb"(?:\([^()\n]*\))?)(?=\s+[A-Za-z_])")
_LINE_MACRO = re.compile(rb"^[ \t]{0,2}(" + _CAPITALS + rb"(?:\([^()\n]*\))?)[ \t]*\r?$", re.M)
_SPECIFIER = re.compile(
    rb"(?:^[ \t]*(?:(?:inline|static|constexpr|explicit|virtual|friend|extern|export)[ \t]+)*|>[ \t]+)"
    rb"((?:" + _CAPITALS + rb"(?:\([^()\n]*\))?[ \t]+)+)(?=[A-Za-z_~:])",
    re.M,
)
_VISIBLE = re.compile(rb"[^\s]")


def mask(data: bytes, *, macros: bool) -> bytes:
    """`data` with conditionals, and what may be macros, replaced by blanks of the same length."""
    masked = bytearray(data)
    for start, end in _conditional_spans(data):
        masked[start:end] = _VISIBLE.sub(b" ", data[start:end])
    for pattern in (_CLASS_MACRO, _LINE_MACRO, _SPECIFIER) if macros else ():
        for match in pattern.finditer(bytes(masked)):
            start, end = match.span(1)
            masked[start:end] = b" " * (end - start)
    return bytes(masked)


def _conditional_spans(data: bytes) -> Iterator[tuple[int, int]]:
    """The directives, and the branches after the first where the branches do not all close what they open."""
    enclosing: list[list[int]] = []  # for each open conditional, where its branches start and end in turn
    for match in _DIRECTIVE.finditer(data):
        yield match.span()
        if match[1].startswith(b"if"):
            enclosing.append([match.end()])
        elif enclosing:
            enclosing[-1].append(match.start())
            if match[1] != b"endif":
                enclosing[-1].append(match.end())
                continue
            edges = enclosing.pop()
            branches = list(zip(edges[::2], edges[1::2], strict=True))
            if any(_opened(data[start:end]) for start, end in branches):
                yield from branches[1:]


def _opened(code: bytes) -> int:
    """How many braces and parentheses the code opens beyond those that it closes."""
    bare = _QUOTED.sub(b"", code)
    return bare.count(b"{") + bare.count(b"(") - bare.count(b"}") - bare.count(b")")
