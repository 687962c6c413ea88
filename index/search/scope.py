"""The files of a generation in which a query may have hits; finds places in them by their text, and orders these."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from typing import TypeVar

import numpy as np

from contracts.frozen import frozen
from index.collection.collection import ASIDE, CODE, Collection
from index.collection.reader import MAX_LINE, FileLines, Lines
from index.search.occurrences import MAX_READ, PARAMETER, lines_with, pattern_of
from index.segment.columns import Array
from index.text import terms_of_text
from index.types import ChunkId, FileId, Scored, Tie

MAX_CHUNKS = 4  # chunks with a text; a text in more chunks does not say where the answer is
MAX_IN_TURN = 3  # places of one file before those of the others


@frozen
class Location:
    """A chunk and the lines of its file that the query means; no lines if the chunk is only near them."""

    chunk: ChunkId
    lines: tuple[Lines, ...]
    why: str


Place = TypeVar("Place", Location, Scored, Tie)


def by_chunk(places: Iterable[tuple[ChunkId, Lines]], why: str) -> list[Location]:
    """The places of each chunk as one, in order."""
    lines: dict[ChunkId, dict[Lines, None]] = {}
    for chunk, own in places:
        lines.setdefault(chunk, {})[own] = None
    return [Location(chunk, tuple(own), why) for chunk, own in lines.items()]


def distinct(hits: Iterable[Place]) -> list[Place]:
    """The first place of each chunk, in order."""
    by_chunk: dict[int, Place] = {}
    for hit in hits:
        by_chunk.setdefault(hit.chunk, hit)
    return list(by_chunk.values())


def on_lines(hits: Iterable[Location], holds: Callable[[Location, int], bool]) -> list[Location]:
    """The places with those of their lines of which `holds` is true; without the places that have none."""
    own = (replace(hit, lines=tuple(pair for pair in hit.lines if holds(hit, pair[0]))) for hit in hits)
    return [hit for hit in own if hit.lines]


@frozen
class SearchScope:
    """The files in which hits count: `allowed` bool[files]; hits that are equal otherwise come in the order of the
    `points` float64[files] of their files, best first. `is_usual` says whether a term is one that much code and prose
    contain; a word that is not may be a name of this tree."""

    collection: Collection
    allowed: Array
    points: Array
    lines: FileLines
    is_usual: Callable[[str], bool]
    # A question looks for the same text several times: as a name, as a key, for its readers.
    _holders: dict[str, list[tuple[ChunkId, tuple[Lines, ...]]]] = field(default_factory=dict)

    @classmethod
    def unranked(cls, collection: Collection, allowed: Array) -> SearchScope:
        """The files before any of them has points, with no word that may be a name."""
        return cls(collection, allowed, np.zeros(len(collection.files)), FileLines(collection), bool)

    def holding(self, terms: Iterable[str]) -> Array:
        """int64: the chunks in these files that contain all of the terms, ascending."""
        return self.among(self.collection.lexical.holding(terms))

    def code_files(self, files: Iterable[int]) -> list[FileId]:
        """Those of the files that are of CODE."""
        return [file for file in map(FileId, files) if self.allowed[file] and self.collection.kind_of(file) == CODE]

    def rows(self, chunk: ChunkId) -> list[str]:
        """The lines of the file of a chunk."""
        return self.lines.lines(self.collection.file_of(chunk))

    def row(self, chunk: ChunkId, line: int) -> str:
        """A line of the file of a chunk."""
        return self.rows(chunk)[line - 1]

    def among(self, chunks: Array) -> Array:
        """Those of the chunks that are in these files."""
        return chunks[self.allowed[self.collection.chunks.file[chunks]]]

    def in_code(self, text: str, why: str) -> list[Location]:
        """The chunks of code, except tests, that contain a text."""
        return self.occurrences(text, why).get(CODE, [])

    def quoted_in_code(self, text: str, why: str) -> list[Location]:
        """The chunks of code, except tests, that contain a text in double quotes, then those with single ones."""
        return [hit for mark in "\"'" for hit in self.in_code(f"{mark}{text}{mark}", why)]

    def occurrences(self, text: str, why: str) -> dict[int, list[Location]]:
        """The chunks that contain a text, grouped by CODE, ASIDE and PROSE."""
        by_kind: dict[int, list[Location]] = {}
        for hit in self.holders(text, why):
            kind = self.collection.kind_of(self.collection.file_of(hit.chunk))
            kind = ASIDE if kind == CODE and not self.collection.is_code(hit.chunk) else kind
            by_kind.setdefault(kind, []).append(hit)
        return by_kind

    def holders(self, text: str, why: str) -> list[Location]:
        """The chunks that contain a text, with its lines; none if too many contain its words."""
        if text not in self._holders:
            chunks = self._with_words_of(text)
            places = self.places_with(text, chunks.tolist() if len(chunks) <= MAX_READ else ())
            self._holders[text] = [(hit.chunk, hit.lines) for hit in places]
        return [Location(chunk, lines, why) for chunk, lines in self._holders[text]]

    def _with_words_of(self, text: str) -> Array:
        """int64: the chunks in these files that contain the words of a text, and may contain the text."""
        words = "/".join(part for part in text.split("/") if not PARAMETER.fullmatch(part)) if text[:1] == "/" else text
        chunks = self.holding(terms_of_text(words))
        if len(chunks) <= MAX_READ or not text.startswith("-"):
            return chunks
        files, raw = self.collection.chunks.file[chunks], self.collection.files.text.raw
        # `--type`: few files have its dashes
        own = [file for file in sorted(set(files.tolist())) if text.encode() in raw(FileId(file))]
        return chunks[np.isin(files, own)]

    def places_with(self, text: str, chunks: Iterable[int], why: str = "key") -> list[Location]:
        """Those of any chunks that contain a text, with its lines."""
        needle = b"" if text.startswith("/") else text.encode()  # a route, whose parameters may be anything
        return self.places_of(chunks, pattern_of(text), needle, why)

    def places_of(
        self, chunks: Iterable[int], pattern: re.Pattern[bytes], needle: bytes = b"", why: str = "key"
    ) -> list[Location]:
        """Those of any chunks on whose lines a match begins, with these lines; see `lines_with`."""
        lines = ((chunk, lines_with(self.collection, chunk, pattern, needle)) for chunk in map(ChunkId, chunks))
        return [Location(chunk, own, why) for chunk, own in lines if own]

    def on_lines_like(self, hits: Iterable[Location], pattern: re.Pattern[str]) -> list[Location]:
        """The places with those of their lines that contain a match."""
        return on_lines(hits, lambda hit, line: pattern.search(self.row(hit.chunk, line)[:MAX_LINE]) is not None)

    def by_points(self, hits: Sequence[Location]) -> list[Location]:
        """The places, sorted by the points of their files, best first; imports say less than the code that needs
        them."""
        files, imports_only = self.collection.chunks.file, self.collection.cells.imports_only

        def key(hit: Location) -> tuple[int, float, int]:
            return imports_only[hit.chunk], -float(self.points[files[hit.chunk]]), hit.chunk

        return sorted(hits, key=key)

    def in_turns(self, hits: Sequence[Location], most: int = 0) -> list[Location]:
        """The places by the points of their files, but each file has a turn of MAX_IN_TURN: one that declares and
        copies a key many times leaves room for those that read it. If only the `most` first are shown, all files have a
        turn."""
        ordered, counts, turns = self.by_points(hits), Counter[int](), list[int]()
        files = {self.collection.file_of(hit.chunk) for hit in ordered}
        size = max(min(MAX_IN_TURN, most // max(len(files), 1)), 1) if most else MAX_IN_TURN
        for hit in ordered:
            file = self.collection.file_of(hit.chunk)
            turns.append(counts[file] // size)
            counts[file] += 1
        return [hit for _, hit in sorted(zip(turns, ordered, strict=True), key=lambda pair: pair[0])]
