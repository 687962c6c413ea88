"""The readers of headings of documents without a grammar, one per language: each finds them line by line.

A reader takes time linear in the size of a document, whatever is in it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Final, NamedTuple

from chunker.chunks.lines import Lines

MAX_LEVELS = 6  # of titles, as in Markdown; deeper ones count as the last
_OBJECT = MAX_LEVELS + 1  # the level of the outermost objects that a document describes
_MAX_NESTED = 4  # objects inside each other; deeper ones are text
TITLE_CHARS = 200


class Heading(NamedTuple):
    """A title of level 1 to 6, or the description of an object, which has a higher level.

    All rows are 0-based: `row` has the name, `last_row` ends the heading, `first_row` includes anchors above it.
    `end_row` is the last row of an indented description; None if what is described ends at the next heading.
    """

    title: str
    level: int
    first_row: int
    row: int
    last_row: int
    end_row: int | None = None

    @property
    def is_object(self) -> bool:
        return self.level >= _OBJECT

    def encloses(self, other: Heading) -> bool:
        """Whether a heading below is part of what this one is about."""
        is_inside = not self.is_object or other.row <= (self.end_row or 0)
        return is_inside and other.level > self.level

    def is_alias(self, other: Heading) -> bool:
        """Whether an object without a description of its own is described together with the next heading."""
        is_sibling = other.level == self.level or (self.level == _OBJECT and not other.is_object)
        return self.is_object and self.end_row is None and is_sibling


# reStructuredText

# Underlines and overlines; `::` and `..` alone are other markup, and of two characters only under two.
_ADORNMENT = re.compile(rb"^(?!(?:::|\.\.)[ \t\r]*$)([!-/:-@[-`{-~])\1++(?=[ \t\r]*$)", re.M)
_NO_TITLE = re.compile(rb"(?:[-*+]|\.\.|>>>|\|)\s|\+[-=]")  # lists, explicit markup, examples, tables
_RST_ANCHOR = re.compile(rb"[ \t]*\.\.[ \t]+(?:_.*:|(?:index|rst-class|module|py:module)::.*)\s*")
_OBJECT_KINDS = (
    "attribute class classmethod cmdoption command concept confval control coroutine data decorator decoratormethod"
    " directive django-admin django-admin-option enum enumerator envvar event exception fieldlookup function"
    " interface macro member method opcode option pdbcommand property setting sig signal state staticmethod struct"
    " templatefilter templatetag test trait type union var variable"
)
_DIRECTIVE = re.compile(
    rb"^[ \t]*\.\.[ \t]+(?:([\w.+-]+):)?(%s)::[ \t]+(\S[^\n]*)" % "|".join(_OBJECT_KINDS.split()).encode(), re.M
)
_C_DOMAINS = frozenset({"c", "cpp"})
_OPTIONS = frozenset({"option", "cmdoption", "django-admin-option"})
_ROLE = re.compile(r"(?::[\w.+:-]+:)?`[~!]?([^`<]*?)(?:\s*<[^`>]*>)?`_{0,2}")
_RST_MARKUP = re.compile(r"[*`]+|\\(.)")
_OPTION_END = re.compile(r"[\s=<\[,]")
_ARGUMENT_START = re.compile(r"[(\[=]|:\s|\s->")


def _read_rst(lines: Lines) -> list[Heading]:
    return sorted([*_rst_titles(lines), *_rst_objects(lines)], key=lambda heading: heading.row)


def _rst_titles(lines: Lines) -> Iterator[Heading]:
    """Titles with an underline or with lines of the same characters on both sides, as levels in order of appearance."""
    levels: dict[tuple[bytes, bool], int] = {}
    last = -1  # the last row of the title before
    for match in _ADORNMENT.finditer(lines.data):
        row = lines.row(match.start())
        title = row - 1
        if title <= last or lines.blank[title]:
            continue
        text, top = lines.text(title).strip(), title
        if title - 1 > last and lines.text(title - 1).rstrip() == match[0]:
            top = title - 1
        elif not _starts_paragraph(lines, title, last):
            continue
        if len(match[0]) < min(4, len(text.decode("utf-8"))):
            continue
        level = levels.setdefault((match[1], top < title), len(levels) + 1)
        above, last = last, row
        first = _with_anchors(lines, top, above, _RST_ANCHOR)
        yield Heading(_rst_name(text), min(level, MAX_LEVELS), first, title, row)


def _starts_paragraph(lines: Lines, row: int, last: int) -> bool:
    """Whether a row is the first of a paragraph at the margin, not of a list or the like."""
    if lines.indents[row] or _NO_TITLE.match(lines.data, lines.begin(row)):
        return False
    above = row - 1
    return above <= last or lines.blank[above] or lines.indents[above] > 0 or lines.text(above).startswith(b".. ")


def _rst_name(text: bytes) -> str:
    title = _RST_MARKUP.sub(r"\1", _ROLE.sub(r"\1", text[:TITLE_CHARS].decode("utf-8", "replace")))
    return " ".join(title.split())


def _rst_objects(lines: Lines) -> Iterator[Heading]:
    """The directives that describe something, at the margin or at the start of the description of another one."""
    around: list[tuple[int, int]] = []  # of the descriptions around: the last row, the column of their text
    last = -1
    for match in _DIRECTIVE.finditer(lines.data):
        row = lines.row(match.start())
        while around and around[-1][0] < row:
            around.pop()
        column = _column(lines, row)
        if column != (around[-1][1] if around else 0) or len(around) == _MAX_NESTED:
            continue
        level = _OBJECT + len(around)
        end, inside = _description(lines, row, column)
        first = _with_anchors(lines, row, last, _RST_ANCHOR)
        name = _object_name(match[1], match[2], match[3])
        if name:
            last = row
            if end > row:
                around.append((end, inside))
            yield Heading(name, level, first, row, row, end if end > row else None)


def _description(lines: Lines, row: int, column: int) -> tuple[int, int]:
    """The last row of a directive, and the column of the text inside it."""
    below = ((_column(lines, at), at) for at in range(row + 1, lines.count) if not lines.blank[at])
    inside = list(takewhile(lambda one: one[0] > column, below))
    return (inside[-1][1], min(inside)[0]) if inside else (row, column)


def _object_name(domain: bytes | None, kind: bytes, argument: bytes) -> str:
    """The name in a signature: `Task.run` of `async Task.run(x)`, `--port` of `-p <port>, --port <port>`."""
    text = argument[:TITLE_CHARS].decode("utf-8", "replace").replace("\\", "").strip().strip("`")
    if text.startswith(".. "):  # a directive that the document describes
        return text[3:].partition("::")[0]
    if kind.decode() in _OPTIONS:
        names = [_OPTION_END.split(part.strip())[0] for part in text.split(", ")]
        return next((name for name in names if name.startswith("--")), names[0])
    words = _ARGUMENT_START.split(text)[0].split()
    is_typed = "(" in text or (domain or b"").decode() in _C_DOMAINS
    return words[-1 if is_typed else 0].strip("*&~") if words else ""


# AsciiDoc

_ADOC_LINE = re.compile(
    rb"^(?:(?P<mark>={1,6})[ \t]+(?P<title>\S[^\r\n]*)"
    rb"|(?P<block>-{4,}+|\.{4,}+|\+{4,}+|/{4,}+|[|,:!]={3,}+|`{3,}+)(?P<language>(?<=`)[ \t]*+[\w+#-]++)?[ \t]*+\r?$"
    rb"|(?P<line>=++|-++|~++|\^++|\+++)[ \t]*+\r?$)",
    re.M,
)
_ADOC_TITLE = re.compile(rb"(?![.\[|*+:/-])[^\r\n]*\w")
_ADOC_ANCHOR = re.compile(rb"\[.*\]\s*")
_ADOC_MARKUP = re.compile(
    r"\[\[[^\]]*\]\]|\[#[^\]]*\]|<<[^<>,]*+(?:,([^<>]*+))?>>|(?:xref|link|https?):[^\s\[]*\[([^\]]*)\]|[*`]+"
)
_ADOC_LEVELS = b"=-~^+"


def _read_asciidoc(lines: Lines) -> list[Heading]:
    headings: list[Heading] = []
    matches = [(lines.row(match.start()), match) for match in _ADOC_LINE.finditer(lines.data)]
    delimiters: dict[bytes, list[int]] = defaultdict(list)
    for row, match in matches:
        if match["block"] and not match["language"]:
            delimiters[match["block"]].append(row)
    inside = last = -1  # the last rows of the block and of the title before
    for row, match in matches:
        if row <= inside:
            continue
        level, title, name = len(match["mark"] or b""), row, match["title"]
        if not level:
            level, title, name = _underline(lines, row, match["block"] or match["line"], max(last, inside))
        if level:
            first = _with_anchors(lines, title, max(last, inside), _ADOC_ANCHOR)
            headings.append(Heading(_adoc_name(name, match["mark"] or b""), level, first, title, row))
            last = row
        elif match["block"]:
            ends = delimiters[match["block"]]
            at = bisect_right(ends, row)
            inside = ends[at] if at < len(ends) else inside  # a block that does not end is none
    return headings


def _underline(lines: Lines, row: int, mark: bytes, last: int) -> tuple[int, int, bytes]:
    """(level, row, title) of a title with this line of about its length below it; the level of others is 0."""
    title = row - 1
    if title <= last or _ADOC_LEVELS.find(mark[:1]) < 0 or lines.blank[title]:
        return 0, row, b""
    text = lines.text(title).rstrip()
    is_first = title - 1 <= last or lines.blank[title - 1] or _ADOC_ANCHOR.fullmatch(lines.text(title - 1))
    if not is_first or abs(len(text.decode("utf-8")) - len(mark)) > 1 or not _ADOC_TITLE.match(text):
        return 0, row, b""
    return _ADOC_LEVELS.index(mark[:1]) + 1, title, text


def _adoc_name(title: bytes, mark: bytes) -> str:
    text = title[:TITLE_CHARS].decode("utf-8", "replace").rstrip()
    text = text.removesuffix(f" {mark.decode()}") if mark else text  # `== Title ==`
    return " ".join(_ADOC_MARKUP.sub(lambda match: match[1] or match[2] or "", text).split())


# Both


def _column(lines: Lines, row: int) -> int:
    """The column at which the text of a row begins; a tab ends at a multiple of eight."""
    indent, start = lines.indents[row], lines.begin(row)
    return len(lines.data[start : start + indent].expandtabs(8)) if indent else 0


def _with_anchors(lines: Lines, row: int, last: int, anchor: re.Pattern[bytes]) -> int:
    """The first row of a heading with the anchors above it, which continue in indented rows; `last` is not its own."""
    first, inside = row, False
    for above in range(row - 1, last, -1):
        if lines.blank[above]:
            if inside:
                break
        elif lines.indents[above] > lines.indents[row]:
            inside = True
        elif anchor.fullmatch(lines.text(above)) and lines.indents[above] == lines.indents[row]:
            first, inside = above, False
        else:
            break
    return first


HEADING_READERS: Final[dict[str, Callable[[Lines], list[Heading]]]] = {"rst": _read_rst, "asciidoc": _read_asciidoc}
