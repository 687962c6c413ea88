"""Finds the chunks that contain a literal text, in code, in files beside code or in prose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import TypeVar

import numpy as np

from contracts.lazy_regex import lazy_regex
from index.collection.collection import ASIDE, CODE, Collection
from index.collection.reader import Lines
from index.search.scope import Location, SearchScope, on_lines_like
from index.segment.columns import Array
from index.text import terms_of_text
from index.types import ChunkId, FileId, Scored, Tie

Place = TypeVar("Place", Location, Scored, Tie)
_WORD = lazy_regex(r"\w", re.ASCII)
PARAMETER, _ANY_PART = lazy_regex(r"\d+(?:\.[A-Za-z]\w{1,4})?|[:{<\[$*].*"), rb"[^/\s\"'`]+"
# On the line that declares a text; `list.add("text")` and `addClass("text")` use it.
_DECLARED = (
    r"(?:(?i:(?<!get)(?<!get_)(?:add_?(?:arg|bool|config|flag|float|int|num|pref|prop|setting|string)"
    r"|declare|default|define|option)\w*[(!]+\s*)|\b(?:const|final|val)\b.*=\s*)[\"'`]{0}[\"'`]"
)
MAX_CHUNKS = 4  # chunks with a text; a text in more chunks does not say where the answer is
MAX_IN_TURN = 3  # places of one file before those of the others
MAX_READ = 2_000  # chunks with all words of a text; if there are more, none is read


def by_points(scope: SearchScope, hits: Sequence[Location]) -> list[Location]:
    """The places, sorted by the points of their files, best first; imports say less than the code that needs them."""
    files, imports_only = scope.collection.chunks.file, scope.collection.cells.imports_only

    def key(hit: Location) -> tuple[int, float, int]:
        return imports_only[hit.chunk], -float(scope.points[files[hit.chunk]]), hit.chunk

    return sorted(hits, key=key)


def in_turns(scope: SearchScope, hits: Sequence[Location], most: int = 0) -> list[Location]:
    """The places by the points of their files, but each file has a turn of MAX_IN_TURN: one that declares and copies a
    key many times leaves room for those that read it. If only the `most` first are shown, all files have a turn."""
    ordered, counts, turns = by_points(scope, hits), Counter[int](), list[int]()
    files = {scope.collection.file_of(hit.chunk) for hit in ordered}
    size = max(min(MAX_IN_TURN, most // max(len(files), 1)), 1) if most else MAX_IN_TURN
    for hit in ordered:
        file = scope.collection.file_of(hit.chunk)
        turns.append(counts[file] // size)
        counts[file] += 1
    return [hit for _, hit in sorted(zip(turns, ordered, strict=True), key=lambda pair: pair[0])]


def declared_first(scope: SearchScope, text: str, hits: Sequence[Location], most: int = 0) -> list[Location]:
    """The places in turns, but first those that declare a text rather than read it: `add_option("text", ...)` or `const
    NAME = "text"`. `most` is that of `in_turns`."""
    if len(hits) < 2:  # as of most texts; compiling the pattern takes a millisecond
        return list(hits)
    pattern = re.compile(_DECLARED.format(re.escape(text)))
    declaring = {hit.chunk for hit in on_lines_like(scope, hits, pattern)}
    return sorted(in_turns(scope, hits, most), key=lambda hit: hit.chunk not in declaring)


def distinct(hits: Iterable[Place]) -> list[Place]:
    """The first place of each chunk, in order."""
    by_chunk: dict[int, Place] = {}
    for hit in hits:
        by_chunk.setdefault(hit.chunk, hit)
    return list(by_chunk.values())


def in_code(scope: SearchScope, text: str, why: str) -> list[Location]:
    """The chunks of code, except tests, that contain a text."""
    return occurrences(scope, text, why).get(CODE, [])


def occurrences(scope: SearchScope, text: str, why: str) -> dict[int, list[Location]]:
    """The chunks that contain a text, grouped by CODE, ASIDE and PROSE."""
    by_kind: dict[int, list[Location]] = {}
    for hit in holders(scope, text, why):
        kind = scope.collection.kind_of(scope.collection.file_of(hit.chunk))
        kind = ASIDE if kind == CODE and not scope.collection.is_code(hit.chunk) else kind
        by_kind.setdefault(kind, []).append(hit)
    return by_kind


def holders(scope: SearchScope, text: str, why: str) -> list[Location]:
    """The chunks that contain a text, with its lines; none if too many contain its words."""
    words = "/".join(part for part in text.split("/") if not PARAMETER.fullmatch(part)) if text[:1] == "/" else text
    chunks = scope.holding(dict.fromkeys(terms_of_text(words)))
    if len(chunks) > MAX_READ and text.startswith("-"):  # `--type`: few files have its dashes
        chunks = _in_files_with(scope.collection, chunks, text.encode())
    if len(chunks) > MAX_READ:
        return []
    needle = b"" if text.startswith("/") else text.encode()
    return places_of(scope.collection, chunks.tolist(), pattern_of(text), needle, why)


def _in_files_with(collection: Collection, chunks: Array, needle: bytes) -> Array:
    """The chunks in files that contain a text."""
    files, raw = collection.chunks.file[chunks], collection.files.text.raw
    return chunks[np.isin(files, [file for file in np.unique(files).tolist() if needle in raw(FileId(file))])]


def is_word_of_code(collection: Collection, word: str) -> bool:
    """Whether any file but documents contains a text, in its case, as a whole word."""
    chunks, pattern = collection.lexical.holding(dict.fromkeys(terms_of_text(word))), pattern_of(word)
    chunks = chunks[collection.static["prose"][collection.chunks.file[chunks]] == 0][:MAX_READ]
    return any(lines_with(collection, ChunkId(chunk), pattern, word.encode()) for chunk in chunks.tolist())


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
    behind = (rb"(?![\w-])" if "-" in text else rb"(?!\w)") if _WORD.match(text[-1]) else b""
    return lazy_regex(name + before + behind)


def lines_with(
    collection: Collection, chunk: ChunkId, pattern: re.Pattern[bytes], needle: bytes = b""
) -> tuple[Lines, ...]:
    """The lines of a chunk on which a match begins; every match contains `needle`, which is found faster."""
    body, first = collection.text_of(chunk), collection.cells.start_line[chunk]
    places = [0, *(match.start() for match in pattern.finditer(body))] if needle in body else []
    breaks = (body.count(b"\n", *span) for span in pairwise(places))  # each is counted once
    numbers = dict.fromkeys(first + lines for lines in accumulate(breaks))
    return tuple((number, number) for number in numbers)


def places_of(
    collection: Collection, chunks: Iterable[int], pattern: re.Pattern[bytes], needle: bytes = b"", why: str = "key"
) -> list[Location]:
    """Those of the chunks on whose lines a match begins, with these lines; see `lines_with`."""
    lines = ((chunk, lines_with(collection, chunk, pattern, needle)) for chunk in map(ChunkId, chunks))
    return [Location(chunk, own, why) for chunk, own in lines if own]
