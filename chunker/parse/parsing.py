"""Parses bytes into the syntax tree with the fewest errors, within a budget of work.

Grammars see code before the preprocessor does, and do not know every word. A conditional that opens a brace in each of
its branches, or a macro in the place of a keyword, can turn half a file into one error node. A second attempt puts
blanks in their place, which keep every offset, so that a tree of the masked bytes is a tree of the file. The scripts
of a component are parsed in the same way, with blanks for its markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from math import inf
from time import process_time
from typing import TYPE_CHECKING

from chunker.languages.table import LanguageRules
from chunker.parse.grammars import parser

if TYPE_CHECKING:
    from tree_sitter import Node

# The parser reports back every hundred operations: real code needs 2 to 45 reports per kilobyte. Error recovery is
# quadratic on some garbage; this budget stops it at the same place every time.
_REPORTS_PER_KB = 150
_MIN_REPORTS = 1000
# On some garbage, a few operations take seconds and gigabytes each. Real code takes 0.1 s per megabyte.
_SECONDS_PER_MB = 4.0
_MIN_SECONDS = 2.0
_CLOCK_EVERY = 8  # reports between two readings of the clock: each is a system call, and some reports are 50 ms apart
# If a text opens elements and closes none, Svelte's scanner looks ahead to its end at every token: half a minute for
# 60 kB. Real components are read 1.4 times in total, piece by piece.
_MAX_READ, _PIECE, _MIN_READ = 8, 4_096, 65_536
# Queries are quadratic in the children of errors, of Kotlin's paths and of Groovy's statements: a minute for 90,000
# open parentheses. So they are in the children of a node that the tree shows as flat although they are nested, as
# Perl's parentheses are: hardly any of these is a node with a name.
_QUADRATIC = frozenset({"ERROR", "identifier", "command"})
_MAX_CHILDREN = 10_000
_MIN_NAMED = 0.1

_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(ifn?(?:def)?|el(?:se)?if(?:def)?|else|endif)\b(?:[^\n\\]|\\\r?\n|\\.)*", re.M)
# Strings, characters and comments: braces in them do not count.
_QUOTED = re.compile(rb"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|//[^\n]*|/\*.*?\*/", re.S)
_VISIBLE = re.compile(rb"[^\s]")
_BREAK = re.compile(rb"[\r\n]")


def parse(data: bytes, language: LanguageRules) -> list[Node]:
    """The root of the tree, for a markup file after that of its scripts; empty if parsing would take unreasonably long.

    Offsets are those of `data`, even if something was masked; rows may differ.
    """
    if language.markup:
        page = _parse(data, language.markup, _MAX_READ * len(data) + _MIN_READ)
        roots = [page and _parse(_scripts(data, page), str(language.grammar)), page]
    else:
        roots = [_read(data, language)]
    return [root for root in roots if root is not None] if all(map(_is_readable, roots)) else []


def _is_readable(root: Node | None) -> bool:
    """Whether there is a tree, and no node in it is so wide that a query would not finish."""
    nodes = [root] if root is not None else []
    for node in nodes:
        if (count := node.child_count) > _MAX_CHILDREN and (
            node.type in _QUADRATIC or node.named_child_count < _MIN_NAMED * count
        ):
            return False
        if node.descendant_count > _MAX_CHILDREN:
            nodes += (child for child in node.children if child.descendant_count > _MAX_CHILDREN)
    return root is not None


def _scripts(data: bytes, page: Node) -> bytes:
    """`data` with everything outside its `<script>` elements replaced by blanks of the same length."""
    masked = bytearray(_VISIBLE.sub(b" ", data))
    for element in page.children:
        for node in element.children if element.type == "script_element" else ():
            if node.type == "raw_text":
                start, end = node.byte_range
                masked[start:end] = data[start:end]
    return bytes(masked)


def _read(data: bytes, language: LanguageRules) -> Node | None:
    grammar = str(language.grammar)
    if language.one_line_heads:
        data = _pattern(language.one_line_heads).sub(lambda match: _BREAK.sub(b" ", match[0]), data)
    for pattern in language.misread:
        data = _blanked(data, pattern)
    root = _parse(data, grammar)
    if root is None or not root.has_error or not (language.conditionals or language.mask):
        return root
    masked = _parse(_mask(data, language), grammar)
    return root if masked is None else min(root, masked, key=unread_bytes)


def _parse(data: bytes, grammar: str, max_read: int | None = None) -> Node | None:
    reports_left = _MIN_REPORTS + _REPORTS_PER_KB * len(data) // 1024
    deadline = process_time() + _MIN_SECONDS + _SECONDS_PER_MB * len(data) / 1e6
    views = [memoryview(data)]
    piece, bytes_left = (len(data), inf) if max_read is None else (_PIECE, max_read)

    def read(offset: int, _: object) -> memoryview:
        nonlocal bytes_left
        views.append(views[0][offset : offset + piece * (bytes_left >= 0)])
        bytes_left -= len(views[-1])
        return views[-1]

    def exhausted(_offset: int, _has_error: bool) -> bool:
        nonlocal reports_left
        reports_left -= 1
        return reports_left < 0 or (reports_left % _CLOCK_EVERY == 0 and process_time() > deadline)

    reader = parser(grammar)
    try:
        # Never read the text of a node in a tree that was parsed from a function: this crashes on a memoryview, and
        # with bytes it copies the rest of the file each time.
        tree = reader.parse(read, progress_callback=exhausted)
        return tree.root_node if bytes_left >= 0 else None
    except ValueError:  # the parse was stopped
        reader.reset()
        return None
    finally:
        for view in views:  # tree-sitter 0.26 never releases the last one, which would keep the file in memory
            view.release()


def unread_bytes(root: Node) -> int:
    """The length of the code that the grammar could not parse, of each piece at least 1."""
    nodes, total = [root], 0
    for node in nodes:
        if node.is_error or node.is_missing:
            total += node.end_byte - node.start_byte + 1
        nodes += [child for child in node.children if child.has_error or child.is_error]
    return total


def _mask(data: bytes, language: LanguageRules) -> bytes:
    """`data` with conditionals and text that the grammar may not know replaced by blanks of the same length."""
    masked = bytearray(data)
    for start, end in _conditional_spans(data) if language.conditionals else ():
        masked[start:end] = _VISIBLE.sub(b" ", data[start:end])
    return _blanked(bytes(masked), language.mask) if language.mask else bytes(masked)


def _blanked(data: bytes, pattern: str) -> bytes:
    """`data` with blanks over the groups of each match."""
    masked = bytearray(data)
    for match in _pattern(pattern).finditer(data):
        for start, end in match.regs[1:] or match.regs:
            masked[start:end] = b" " * (end - start)
    return bytes(masked)


@cache
def _pattern(text: str) -> re.Pattern[bytes]:
    return re.compile(text.encode(), re.M)


def _conditional_spans(data: bytes) -> Iterator[tuple[int, int]]:
    """The directives, and the branches after the first if any branch does not close what it opens."""
    enclosing: list[list[int]] = []  # for each open conditional, the start and the end of each branch in turn
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
    """How many more braces and parentheses the code opens than it closes."""
    bare = _QUOTED.sub(b"", code)
    return bare.count(b"{") + bare.count(b"(") - bare.count(b"}") - bare.count(b")")
