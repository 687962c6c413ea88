"""Finds the fields of types that a name of data means, by a tag, an annotation or their own names, and the names by
which code reads the option that a variable of the environment sets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from chunker.kinds import KINDS, TYPES
from contracts.lazy_regex import lazy_regex
from index.search.scope import MAX_CHUNKS, Location, SearchScope, on_lines
from index.search.spelling import is_compound_name, spellings
from index.text import indentation

_OPTION = lazy_regex(r"^\s*#\[\w+\(.*\blong\b")  # of the command line, named like its field: `#[clap(short, long)]`
_OF_FIELD = lazy_regex(r"^\s*(?:#\[|//)")  # attributes and comments above a field
# The name of an option in its record or call: `Name: "max-items",`, `"--max-items <n>",`, `BindEnv("max.items",`.
_OPTION_NAME = lazy_regex(
    r"(?:(?<![\w.])[Nn]ame[\"']?\s*[:=]\s*|[a-z]Env\(\s*|(?=[\"']--\w))"
    r"([\"'])(-*)(\w[\w.-]{1,80})(?:[ =][<\[][^\"']{1,40})?\1\s*[,)}\]]"
)
_VALUE_BELOW = lazy_regex(r"^\s*[\w\"']+\s*[:=].*(?:[(\[]|\]\w+\{)\s*$")  # a field of a record: `EnvVars: []string{`
_ATTRIBUTE = lazy_regex(r"^\s*(?:#\[|@\w)")
FIELD = lazy_regex(
    r"^\s*(?:(?:pub(?:\([^()]*\))?|public|private|protected|readonly|final|static)\s+)*([A-Za-z]\w+)[?!]?\s*[:=]"
)
# On the line that declares a text; `list.add("text")` and `addClass("text")` use it.
_DECLARED = (
    r"(?:(?i:(?<!get)(?<!get_)(?:add_?(?:arg|bool|config|flag|float|int|num|pref|prop|setting|string)"
    r"|declare|default|define|option)\w*[(!]+\s*)|\b(?:const|final|val)\b.*=\s*)[\"'`]{0}[\"'`]"
)
MAX_ABOVE = 20  # lines of attributes and comments above a field
MAX_RECORD = 12  # lines of the record of an option before and after one of them


def declared_first(scope: SearchScope, text: str, hits: Sequence[Location], most: int) -> list[Location]:
    """The places in turns, but first those that declare a text rather than read it: `add_option("text", ...)` or `const
    NAME = "text"`. `most` is that of `SearchScope.in_turns`."""
    if len(hits) < 2:  # as of most texts; compiling the pattern takes a millisecond
        return list(hits)
    pattern = re.compile(_DECLARED.format(re.escape(text)))
    declaring = {hit.chunk for hit in scope.on_lines_like(hits, pattern)}
    return sorted(scope.in_turns(hits, most), key=lambda hit: hit.chunk not in declaring)


def named_in_data(scope: SearchScope, name: str, hits: Sequence[Location]) -> list[Location]:
    """The places in types whose tag or annotation gives a field this name: `json:"max_items"`,
    `@JsonProperty("max_items")`, `#[serde(rename = "max_items")]`; and fields that are options."""
    of_types = _of_types(scope, hits)
    gives = re.compile(rf"`[^`]*:\"{re.escape(name)}[,\"]|^\s*(?:@|#?\[)[\w.:]+\(.*[\"']{re.escape(name)}[\"']")
    return [*scope.on_lines_like(of_types, gives), *_options(scope, of_types)]


def option_fields(scope: SearchScope, name: str) -> list[Location]:
    """The fields of this name that are options of the command line."""
    return _options(scope, _of_types(scope, scope.in_code(name, "key")))


def declared_fields(scope: SearchScope, name: str, hits: Sequence[Location]) -> list[Location]:
    """Of many places with a name that only code spells so, the few types that give a field this name in data, or else
    have a field of it; schemas only if nothing else has."""
    if not (is_compound_name(name) and name[0].islower()):
        return []
    field = re.compile(rf"^[^(.=\"'`/#]*(?<!\w){re.escape(name)}\b(?!\s*[(.])")
    fields = named_in_data(scope, name, hits) or scope.on_lines_like(_of_types(scope, hits), field)
    coded = [hit for hit in fields if not scope.collection.rules_of(hit.chunk).schema]
    return (coded or fields) if len(coded or fields) <= MAX_CHUNKS else []


def _of_types(scope: SearchScope, hits: Sequence[Location]) -> list[Location]:
    return [hit for hit in hits if KINDS[scope.collection.cells.kind[hit.chunk]] in TYPES - {"impl", "module"}]


def _options(scope: SearchScope, hits: Sequence[Location]) -> list[Location]:
    """The places with those of their lines that are below the attribute of an option."""

    def is_option(hit: Location, line: int) -> bool:
        rows = scope.rows(hit.chunk)
        above = reversed(rows[max(line - 1 - MAX_ABOVE, 0) : line - 1])
        return any(map(_OPTION.match, takewhile(_OF_FIELD.match, above)))

    return on_lines(hits, is_option)


def option_names(rows: Sequence[str], at: int) -> list[str]:
    """The names by which code may read the option that a variable of the environment in row `at` (0-based) sets: the
    text `"max-items"` of its record, or the field below its attribute; empty if the row is not about an option."""
    if match := next(filter(None, map(_OPTION_NAME.search, _record(rows, at))), None):
        quoted = [] if match[2] else [f"{mark}{match[3]}{mark}" for mark in "\"'"]
        return [*quoted, *filter(is_compound_name, spellings(match[3])[1:])]
    field = FIELD.match(below_attribute(rows, at))
    return [field[1]] if field else []


def below_attribute(rows: Sequence[str], at: int) -> str:
    """The row below the attribute that a row is part of; empty if it is part of none."""
    above = (row for row in range(at, max(at - MAX_RECORD, -1), -1) if _ATTRIBUTE.match(rows[row]))
    first = next(above, None)
    if first is None or (first < at and not _is_open(rows[first:at])):
        return ""
    depth = indentation(rows[first])
    level = (row for row in rows[at + 1 : at + 1 + MAX_ABOVE] if indentation(row) <= depth)
    rest = (row for row in level if row.strip(" \t)]}") and not (_ATTRIBUTE.match(row) or _OF_FIELD.match(row)))
    return next(rest, "")


def _is_open(rows: Sequence[str]) -> bool:
    """Whether brackets stay open at the end of these rows."""
    text = "".join(rows)
    return sum(map(text.count, "([{")) > sum(map(text.count, ")]}"))


def _record(rows: Sequence[str], at: int) -> Iterator[str]:
    """The row, then the others of the record or call that it is in; of a value on several lines, also those around."""
    yield rows[at]
    own: int | None = at
    while own is not None:
        depth = indentation(rows[own])
        above = range(own - 1, max(at - MAX_RECORD, 0) - 1, -1)
        own = next((row for row in above if indentation(rows[row]) < depth), None)
        if own is None:
            return
        yield from rows[own + 1 : at]
        below = rows[at + 1 : at + 1 + MAX_RECORD]
        yield from below[: next((count for count, row in enumerate(below) if indentation(row) < depth), None)]
        own = own if _VALUE_BELOW.match(rows[own]) else None
