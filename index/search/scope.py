"""The files of a generation in which a query may have hits, and the places of these hits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from contracts.frozen import frozen
from index.collection.collection import CODE, Collection
from index.collection.reader import MAX_LINE, FileLines, Lines
from index.segment.columns import Array
from index.types import ChunkId, FileId


@frozen
class Location:
    """A chunk and the lines of its file that the query means; no lines if the chunk is only near them."""

    chunk: ChunkId
    lines: tuple[Lines, ...]
    why: str


def by_chunk(places: Iterable[tuple[ChunkId, Lines]], why: str) -> list[Location]:
    """The places of each chunk as one, in order."""
    lines: dict[ChunkId, dict[Lines, None]] = {}
    for chunk, own in places:
        lines.setdefault(chunk, {})[own] = None
    return [Location(chunk, tuple(own), why) for chunk, own in lines.items()]


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

    def row(self, chunk: ChunkId, line: int) -> str:
        """A line of the file of a chunk."""
        return self.lines.lines(self.collection.file_of(chunk))[line - 1]

    def among(self, chunks: Array) -> Array:
        """Those of the chunks that are in these files."""
        return chunks[self.allowed[self.collection.chunks.file[chunks]]]


def on_lines(hits: Iterable[Location], holds: Callable[[Location, int], bool]) -> list[Location]:
    """The places with those of their lines of which `holds` is true; without the places that have none."""
    own = (replace(hit, lines=tuple(pair for pair in hit.lines if holds(hit, pair[0]))) for hit in hits)
    return [hit for hit in own if hit.lines]


def on_lines_like(scope: SearchScope, hits: Iterable[Location], pattern: re.Pattern[str]) -> list[Location]:
    """The places with those of their lines that contain a match."""
    return on_lines(hits, lambda hit, line: pattern.search(scope.row(hit.chunk, line)[:MAX_LINE]) is not None)
