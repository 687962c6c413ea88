"""Finds the definitions of an SQL file statement by statement, for dialects that the grammar cannot read.

The grammar knows no procedures and little of T-SQL (`CREATE PROCEDURE [dbo].[Cart_Read]`), MySQL's routines and PL/SQL,
and no macros of dbt (`{% macro star(from) %}`, `{% test not_null(model) %}`).
The time is linear in the size of a file, whatever is in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chunker.kinds import Kind
from chunker.parse.captures import Symbol

if TYPE_CHECKING:
    from chunker.chunks.lines import Lines

_PART = rb"(?:\[[^\]\n]+\]|\"[^\"\n]+\"|`[^`\n]+`|[\w$]+)"
_TOKEN = re.compile(
    rb"(?P<comment>/\*(?:[^*]|\*(?!/))*+(?:\*/)?|\{#(?:[^#]|#(?!\}))*+(?:#\})?|--[^\n]*)"
    rb"|'[^'\n]*'|\b(?:as|do)\s+(?P<dollar>\$\w*\$)"
    rb"|\{%%-?\s*(?P<block>macro|materialization|snapshot|test)\s+(?P<template>\w+)"
    rb"|^[ \t]*(?P<separator>(?:go|delimiter\b.*|//?|\$\$)[ \t]*(?:;[ \t]*)?\r?$)"
    rb"|^[ \t]*(?P<head>(?:create(?:[ \t]+or[ \t]+(?:alter|replace))?|alter(?=[ \t]+(?:proc|func|trig|view)))[ \t]+"
    rb"(?:definer[ \t]*=[ \t]*\S+[ \t]+"
    rb"|(?:global|local|temp|temporary|unlogged|materialized|recursive|constraint)[ \t]+)*"
    rb"(?P<kind>table|view|proc(?:edure)?|function|trigger|type|domain)\s+(?:if[ \t]+not[ \t]+exists[ \t]+)?"
    rb"(?:(?P<schema>%s)\s*\.\s*)*(?P<name>%s))" % (_PART, _PART),
    re.M | re.I,
)
# The first of these rows ends a table, a view or a type, the last one a routine before another statement.
_END = re.compile(
    rb";[ \t]*(?:--[^\n]*)?\r?$"
    rb"|\n(?=(?:alter|begin|comment on|create|declare|drop|end|exec|grant|if|insert|print|set)\b)",
    re.M | re.I,
)
_BLOCK_END = re.compile(rb"\{%-?\s*end(?:macro|materialization|snapshot|test)\s*-?%\}")
_ROUTINE_END = re.compile(rb"^[ \t]*end\b[^\n]*", re.M | re.I)
_KINDS: dict[bytes, Kind] = {b"table": "struct", b"view": "struct", b"type": "type", b"domain": "type"}
_MAX_UNCLOSED = 100  # quoted bodies without an end, each of which is looked for up to the end of the file


def read_statements(lines: Lines) -> tuple[list[Symbol], set[int], str]:
    """The definitions, in order, the rows that only contain comments, and the schema of the first definition."""
    data, at, unclosed, schema = lines.data, 0, 0, ""
    symbols: list[Symbol] = []
    blocks: list[Symbol] = []  # of dbt
    comment_rows: set[int] = set()
    bodies: dict[int, int] = {}  # of the last symbol, the end of its quoted body
    stops: list[int] = []  # where the symbols end at the latest
    while match := _TOKEN.search(data, at):
        at = match.end()
        if match["comment"]:
            comment_rows.update(_whole_rows(lines, *match.span("comment")))
        elif tag := match["dollar"]:
            end = data.find(tag, at) if unclosed < _MAX_UNCLOSED else -1
            unclosed += end < 0
            if end >= 0:
                at = end + len(tag)
                bodies.setdefault(len(symbols), at)
        elif match["block"]:
            stops += [match.start()] * (len(symbols) - len(stops))
            closed = _BLOCK_END.search(data, at)
            at, start = closed.end() if closed else len(data), match.start()
            blocks.append(Symbol(start, at, _text(match["template"]), match.start("template"), "function", start))
        elif match["separator"] is not None:
            stops += [match.start()] * (len(symbols) - len(stops))
        elif match["head"]:
            start, left = match.start("head"), match.start("name")
            is_open = len(stops) < len(symbols)
            if is_open and symbols[-1].kind == "function" and _column(data, start) > _column(data, symbols[-1].start):
                continue  # a table that a routine creates
            stops += [start] * is_open
            kind = _KINDS.get(match["kind"].lower(), "function")
            schema = schema or _text(match["schema"] or b"")
            symbols.append(Symbol(start, len(data), _text(match["name"]), left, kind, start))
    stops += [len(data)] * (len(symbols) - len(stops))
    starts = {symbol.start for symbol in symbols}
    for number, (symbol, stop) in enumerate(zip(symbols, stops, strict=True), 1):
        symbol.end = _end(data, symbol, stop, bodies.get(number), before_other=stop in starts)
        rows = range(lines.row(symbol.end - 1), lines.row(symbol.start), -1)
        last = next((row for row in rows if not (lines.blank[row] or row in comment_rows)), lines.row(symbol.start))
        symbol.end = min(symbol.end, lines.end(last))
    return sorted([*symbols, *blocks], key=lambda symbol: symbol.start), comment_rows, schema


def _end(data: bytes, symbol: Symbol, stop: int, body: int | None, *, before_other: bool) -> int:
    if symbol.kind != "function" or body:
        end = _END.search(data, body or symbol.name_start, stop)
        return end.end() if end else stop
    ends = list(_ROUTINE_END.finditer(data, symbol.start, stop)) if before_other else []
    return ends[-1].end() if ends else stop


def _text(name: bytes) -> str:
    return name.strip(b'[]"`').decode("utf-8", "replace")


def _column(data: bytes, at: int) -> int:
    return at - data.rfind(b"\n", 0, at)


def _whole_rows(lines: Lines, start: int, end: int) -> range:
    """The rows of a comment if nothing else is in them."""
    first, last = lines.row(start), lines.row(end - 1)
    is_first = lines.begin(first) + lines.indents[first] == start  # of many comments in a row, only one is
    return range(first, last + 1) if is_first and not lines.data[end : lines.end(last)].strip() else range(0)
