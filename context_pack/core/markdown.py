"""The headings, sections, tables and bullets of a Markdown document. Fenced code is not structure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from contracts.frozen import frozen
from index.text import indentation

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEAD_RULE = re.compile(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$")
_BULLET = re.compile(r"([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(?=\S)")
_CELL = re.compile(r"(?<!\\)\|")
_MARKS = re.compile(r"[*_`~]+")
RULE = re.compile(r" {0,3}(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}")  # the whole line


class Document:
    """A document's lines, which of them are fenced code, and (level, text) of headings by line."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.code = _fenced(self.lines)
        matches = ((number, _HEADING.match(line)) for number, line in enumerate(self.lines) if not self.code[number])
        self.headings = {n: (len(match[1]), _title(match[2])) for n, match in matches if match}

    def end(self, start: int, stops: Callable[[int], object] = lambda line: False) -> int:
        """The line after the part that starts at `start`: a heading of its level or above, or one that `stops`."""
        own, _ = self.headings.get(start, (7, ""))
        later = (number for number in range(start + 1, len(self.lines)) if not self.code[number])
        ends = (number for number in later if self.headings.get(number, (8, ""))[0] <= own or stops(number))
        return next(ends, len(self.lines))

    def section(self, *titles: str) -> list[str]:
        """The first section whose heading starts with one of the titles, in any case and without emphasis; empty if
        there is none."""
        wanted = tuple(map(str.lower, titles))
        bare_titles = ((number, _MARKS.sub("", title).strip()) for number, (_, title) in self.headings.items())
        starts = (number for number, title in bare_titles if title.lower().startswith(wanted))
        return next((self.lines[start : self.end(start)] for start in starts), [])

    def sections(self) -> list[str]:
        """The texts of the sections of the highest level."""
        top = min((level for level, _ in self.headings.values()), default=0)
        starts = (number for number, (level, _) in self.headings.items() if level == top)
        return ["\n".join(self.lines[start : self.end(start)]).strip() for start in starts]


def _title(text: str) -> str:
    """A heading's text without the marks that may close it."""
    return text.rstrip(" \t").rstrip("#").rstrip(" \t")


def _fenced(lines: Sequence[str]) -> list[bool]:
    """For each line, whether it belongs to fenced code, including the fences."""
    inside: list[bool] = []
    fence = ""
    for line in lines:
        match = _FENCE.match(line)
        inside.append(bool(fence) or match is not None)
        if not fence:
            fence = match[1] if match else ""
        elif match and match[1].startswith(fence) and not line.strip(" \t`~"):
            fence = ""
    return inside


@frozen
class Table:
    """A table: its header and rule as written, its column names, and the lines of its rows."""

    head: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[str, ...]


def tables(lines: Sequence[str]) -> list[Table]:
    """The tables, in order: rows of cells below a header and a rule."""
    code = _fenced(lines)
    blocks = []
    number = 0
    while number + 1 < len(lines):
        head, rule = lines[number : number + 2]
        if code[number] or "|" not in head or "|" not in rule or not _HEAD_RULE.match(rule):
            number += 1
            continue
        end = number + 2
        while end < len(lines) and "|" in lines[end] and not code[end]:
            end += 1
        blocks.append(Table((head, rule), tuple(cells(head)), tuple(lines[number + 2 : end])))
        number = end
    return blocks


def cells(row: str) -> list[str]:
    """The cells of a table's line, without the spaces around them."""
    text = row.strip().removeprefix("|")
    if text.endswith("|") and not text.endswith("\\|"):
        text = text[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _CELL.split(text)]


def bare(cell: str) -> str:
    """A cell's text without emphasis and code marks around it."""
    return cell.strip().strip("*_`~[]").strip()


def unquoted(cell: str) -> str:
    """The path or glob in a cell, without code marks but with its own asterisks."""
    text = cell.strip()
    if text.startswith("**") and text.endswith("**") and len(text) > 4 and "/" not in text[:3]:
        text = text[2:-2]
    return text.strip("`").strip()


def bullets(lines: Sequence[str]) -> list[str]:
    """The items of a list, including nested ones, each without its bullet and with its continuation lines."""
    items: list[list[str]] = []
    indent = 0
    for line in lines:
        match = _BULLET.match(line)
        if match:
            items.append([line[match.end() :].rstrip()])
            indent = len(match[1])
        elif items and line.strip() and indentation(line) > indent:
            items[-1].append(line.strip())
        elif line.strip():
            indent = len(line)  # a paragraph ends the list: indented lines below it belong to no item
    return ["\n".join(item) for item in items]
