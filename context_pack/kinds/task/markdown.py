"""The few things that are read out of a project's documents: sections, tables, bullets. Fenced code is no structure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEAD_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_BULLET = re.compile(r"([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(?=\S)")
_CELL = re.compile(r"(?<!\\)\|")
_MARKS = re.compile(r"[*_`~]+")
RULE = re.compile(r" {0,3}(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}")  # the whole line


def fenced(lines: Sequence[str]) -> list[bool]:
    """For each line whether it belongs to fenced code, its fences included."""
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


def _headings(lines: Sequence[str]) -> list[tuple[int, int, str]]:
    """(line, level, text without emphasis) of each heading."""
    code = fenced(lines)
    matches = ((number, _HEADING.match(line)) for number, line in enumerate(lines) if not code[number])
    return [(number, len(match[1]), _MARKS.sub("", match[2]).strip()) for number, match in matches if match]


def heading_levels(lines: Sequence[str]) -> dict[int, int]:
    """The level of each heading, by its line."""
    return {line: level for line, level, _ in _headings(lines)}


def section(lines: Sequence[str], *titles: str) -> tuple[int, int] | None:
    """(first, past the last) line of the first section whose heading starts with one of the titles, in any case."""
    headings = _headings(lines)
    for number, (line, level, text) in enumerate(headings):
        if text.lower().startswith(tuple(title.lower() for title in titles)):
            return line, next((other[0] for other in headings[number + 1 :] if other[1] <= level), len(lines))
    return None


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its header and rule as they stand, its column names, and the lines of its rows."""

    head: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[str, ...]


def tables(lines: Sequence[str]) -> list[Table]:
    """The tables, in order: rows of cells below a header and a rule."""
    code = fenced(lines)
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
    """A path or glob in a cell: without code marks, its own asterisks kept."""
    text = cell.strip()
    if text.startswith("**") and text.endswith("**") and len(text) > 4 and "/" not in text[:3]:
        text = text[2:-2]
    return text.strip("`").strip()


def bullets(lines: Sequence[str]) -> list[str]:
    """The items of a list, nested ones too, each without its bullet and with the lines that it goes on over."""
    items: list[list[str]] = []
    indent = 0
    for line in lines:
        match = _BULLET.match(line)
        if match:
            items.append([line[match.end() :].rstrip()])
            indent = len(match[1])
        elif items and line.strip() and len(line) - len(line.lstrip()) > indent:
            items[-1].append(line.strip())
        elif line.strip():
            indent = len(line)  # a paragraph ends the list: what is indented below it belongs to no item
    return ["\n".join(item) for item in items]
