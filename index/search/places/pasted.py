"""Finds the places that a pasted piece of code was copied from: lines of a file that equal the lines of the query."""

from __future__ import annotations

import re

from index.collection.reader import Lines
from index.search.scope import SearchScope
from index.text import terms_of_text
from index.types import FileId

MAX_LINES = 60  # lines of a query that are compared
MIN_CHARS = 6  # shorter lines do not distinguish places
MIN_SHARE = 0.6  # of the longer lines that a place must have: the code may have changed since
MAX_PLACES = 4  # code in more places says nothing
MAX_READ = 200  # chunks with the words of a line; if there are more, the line is not looked up
ANCHORS = 3  # rare lines by which places are looked up
_CODE = re.compile(r"[(){}\[\];=<>]|::|->")
_FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.M | re.S)
_NUMBERED = re.compile(r"\s*\d+(?:\t|[:|] ?|\s*→)")


def pasted_places(scope: SearchScope, text: str) -> list[tuple[FileId, Lines]]:
    """The files, with their lines, that a text is a copy of, code before tests and documents.

    Empty for ordinary words, and for code that is in too many places.
    """
    fenced = _FENCED.search(text)
    rows = _without_numbers((fenced[1] if fenced else text).split("\n")[:MAX_LINES])
    wanted = {number: row for number, row in enumerate(rows) if len(row) >= MIN_CHARS}
    if len(wanted) < 2 and not any(map(_CODE.search, wanted.values())):
        return []
    matches: dict[tuple[FileId, int], int] = {}  # (file, number of lines before the copy) -> equal lines
    for anchor in _rare(scope, wanted):
        for file in _files(scope, wanted[anchor]):
            own = dict(enumerate(line.strip() for line in scope.lines.lines(file)))
            for before in (at - anchor for at, line in own.items() if line == wanted[anchor]):
                matches[file, before] = sum(own.get(before + number) == row for number, row in wanted.items())
        if matches:
            break
    most = max(matches.values(), default=0)
    best = [place for place, count in matches.items() if count == most]
    if most < MIN_SHARE * len(wanted) or len(best) > MAX_PLACES:
        return []
    static = scope.collection.static
    best.sort(key=lambda place: (float(static["prose"][place[0]]), float(static["test"][place[0]]), place))
    first, last = min(wanted) + 1, max(wanted) + 1
    return [(file, (max(before + first, 1), min(before + last, scope.lines.count(file)))) for file, before in best]


def _without_numbers(rows: list[str]) -> list[str]:
    """The lines without surrounding blanks and, if all of them have one, without line numbers."""
    if all(_NUMBERED.match(row) for row in rows if row.strip()):
        rows = [_NUMBERED.sub("", row, count=1) for row in rows]
    return [row.strip() for row in rows]


def _rare(scope: SearchScope, wanted: dict[int, str]) -> list[int]:
    """The numbers of the lines with the rarest words, the rarest first."""
    lexical, rarity = scope.collection.lexical, []
    for number, row in wanted.items():
        terms = lexical.numbers_of(terms_of_text(row))
        if terms and min(terms) >= 0:
            rarity.append((min(len(lexical.fields["body"].of(term)) for term in terms), number))
    return [number for _, number in sorted(rarity)[:ANCHORS]]


def _files(scope: SearchScope, row: str) -> list[FileId]:
    """The files that contain the words of a line in one chunk."""
    chunks = scope.collection.lexical.holding(terms_of_text(row))
    files = scope.collection.chunks.file[chunks if len(chunks) <= MAX_READ else chunks[:0]]
    return [FileId(file) for file in dict.fromkeys(files[scope.allowed[files]].tolist())]
