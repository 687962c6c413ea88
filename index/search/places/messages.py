"""Finds the place that builds an error message: the line whose string literal, read as a template, produces it."""

from __future__ import annotations

import re

import numpy as np

from index.collection.collection import Collection
from index.collection.reader import FileLines
from index.segment.columns import Array
from index.text import content_terms, words_of
from index.types import ChunkId, FileId

CANDIDATES = 60  # chunks with the rarest words of a message, whose literals are read
RARE_TERMS = 10
LEAST_FIXED = 9  # letters of the message that a literal must contain
LEAST_WORDS = 2
LEAST_PART = 3  # characters; shorter pieces between placeholders fit anywhere
MOST_PLACES = 3
MAX_LINE_CHARS = 400
GOOD_SHARE = 0.6  # share of the best place's letters that other places need
_LITERAL = re.compile(r"\"((?:[^\"\\]|\\.)*+)\"|'((?:[^'\\]|\\.)*+)'|`((?:[^`\\]|\\.)*+)`")
_PLACEHOLDER = re.compile(
    r"%(?:\([^)]{0,40}\)|[0-9]+\$)?[-+ #0]*[0-9*]*(?:\.[0-9*]+)?(?:hh|h|ll|l|z|j|t)?[a-zA-Z@]|[$#]\{[^}]*\}|\{[^{}]*\}"
    r"|\\\([^)]*\)|\$\w+|\\[nrtabefv0\"'`\\]|\\x[0-9a-fA-F]{2}|\\u\w{4}"
)
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]{2,}")


def builders(
    collection: Collection, lines: FileLines, message: str, allowed: Array, least_share: float = 0.0
) -> list[tuple[ChunkId, int]]:
    """(chunk, line) of the places whose literals produce the message, best first; code before tests, no documents.

    Of places with equally many of its letters, those whose chunk contains more of its rare words come first. The
    literals must contain at least `least_share` of the message's letters.
    """
    places: list[tuple[float, int, int, int, ChunkId]] = []
    for place, chunk in enumerate(_candidates(collection, message, allowed)):
        file = FileId(collection.cells.file[chunk])
        first, last = collection.cells.start_line[chunk], collection.cells.end_line[chunk]
        for number, line in enumerate(lines.lines(file)[first - 1 : last], first):
            fixed = _fixed(line, message)
            if fixed:
                places.append((float(collection.static["test"][file]), -fixed, place, number, chunk))
    places.sort()
    best = max(-places[0][1] if places else 0, least_share / GOOD_SHARE * len(_LETTER.findall(message)))
    return [(chunk, line) for _, fixed, _, line, chunk in places if -fixed >= GOOD_SHARE * best][:MOST_PLACES]


def _candidates(collection: Collection, message: str, allowed: Array) -> list[ChunkId]:
    """The chunks of code that contain most of the message's rare words."""
    lexical = collection.lexical
    terms = content_terms(words_of(message))
    numbers = [number for number in lexical.numbers_of(terms) if number >= 0]
    body = lexical.fields["body"]
    weights = {number: 1.0 / (1 + int(body.indptr[number + 1] - body.indptr[number])) ** 0.5 for number in numbers}
    rare = sorted(numbers, key=lambda number: (-weights[number], number))[:RARE_TERMS]
    if not rare:
        return []
    chunks = np.concatenate([body.of(number) for number in rare])
    weighed = np.repeat([weights[number] for number in rare], [len(body.of(number)) for number in rare])
    rows, place = np.unique(chunks, return_inverse=True)
    points = np.bincount(place, weighed)
    files = collection.chunks.file[rows]
    code = np.flatnonzero(allowed[files] & (collection.static["prose"][files] == 0))
    order = code[np.argsort(-np.round(points[code], 9), kind="stable")]
    return [ChunkId(chunk) for chunk in rows[order[:CANDIDATES]].tolist()]


def _fixed(line: str, message: str) -> int:
    """The number of letters of the message that a line's literals contain; 0 if it cannot be built from them."""
    if len(line) > MAX_LINE_CHARS:
        return 0
    if message in line:  # the literal may say more
        return _covered([message], message)
    templates = [_parts(match[1] or match[2] or match[3] or "") for match in _LITERAL.finditer(line)]
    joined = [part for template in templates for part in template]
    return max((_covered(template, message) for template in (*templates, joined) if template), default=0)


def _parts(literal: str) -> list[str]:
    """The fixed pieces of a template, in order."""
    parts = map(str.strip, _PLACEHOLDER.split(literal.replace("%%", "%").replace("{{", "{").replace("}}", "}")))
    return [part for part in parts if len(part) >= LEAST_PART and _LETTER.search(part)]


def _covered(parts: list[str], message: str) -> int:
    place, letters, words = 0, 0, 0
    for part in parts:
        at = message.find(part, place)
        if at < 0:
            return 0
        place = at + len(part)
        letters += len(_LETTER.findall(part))
        words += len(_WORD.findall(part))
    return letters if letters >= LEAST_FIXED and words >= LEAST_WORDS else 0
