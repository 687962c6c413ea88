"""Finds the lines of chunks that contain a literal text as whole words."""

from __future__ import annotations

import re
from itertools import accumulate, pairwise

from contracts.lazy_regex import lazy_regex
from index.collection.collection import Collection
from index.collection.reader import Lines
from index.text import terms_of_text
from index.types import ChunkId

_WORD = lazy_regex(r"\w", re.ASCII)
PARAMETER, _ANY_PART = lazy_regex(r"\d+(?:\.[A-Za-z]\w{1,4})?|[:{<\[$*].*"), rb"[^/\s\"'`]+"
MAX_READ = 2_000  # chunks with all words of a text; if there are more, none is read


def pattern_of(text: str) -> re.Pattern[bytes]:
    """Matches a text that is not part of a longer word; in a route, a number or a parameter matches any part.

    It compiles when a chunk is searched: no chunk has most of the texts that are looked for.
    """
    if text.startswith("/"):
        parts = (_ANY_PART if PARAMETER.fullmatch(part) else re.escape(part.encode()) for part in text[1:].split("/"))
        # Some routers omit the first slash.
        before = rb"(?:/|(?<=[\"'`]))" if text.count("/") > 1 else rb"/"
        return lazy_regex(before + rb"/".join(parts) + rb"(?![\w-])")
    name = re.escape(text.encode())
    # A pattern that begins with a text is found faster.
    before = rb"(?<!\w" + name + rb")" if _WORD.match(text) else b""
    behind = (rb"(?![\w-])" if "-" in text else rb"(?!\w)") if _WORD.match(text[-1:]) else b""
    return lazy_regex(name + before + behind)


def lines_with(collection: Collection, chunk: ChunkId, pattern: re.Pattern[bytes], needle: bytes) -> tuple[Lines, ...]:
    """The lines of a chunk on which a match begins; every match contains `needle`, which is found faster."""
    body = collection.text_of(chunk)
    if needle not in body:  # as of most chunks with the words of a text
        return ()
    first = collection.cells.start_line[chunk]
    places = (0, *(match.start() for match in pattern.finditer(body)))
    breaks = (body.count(b"\n", *span) for span in pairwise(places))  # each is counted once
    numbers = dict.fromkeys(first + lines for lines in accumulate(breaks))
    return tuple((number, number) for number in numbers)


def is_word_of_code(collection: Collection, word: str) -> bool:
    """Whether any file but documents contains a text, in its case, as a whole word."""
    chunks, pattern = collection.lexical.holding(terms_of_text(word)), pattern_of(word)
    chunks = chunks[collection.static["prose"][collection.chunks.file[chunks]] == 0][:MAX_READ]
    return any(lines_with(collection, ChunkId(chunk), pattern, word.encode()) for chunk in chunks.tolist())
