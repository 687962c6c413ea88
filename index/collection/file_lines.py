"""Lines of the files of a generation: how many, which chunks hold them, which definitions stand around them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from index.collection.collection import Collection
from index.types import ChunkId, FileId, SymbolId

Lines = tuple[int, int]  # 1-based, inclusive
SHARING = 4  # chunks of one long line that count


class Definition(NamedTuple):
    """A definition of a file: `line` is where its name stands, `first..last` all of it."""

    name: str
    qualified: str
    file: FileId
    line: int
    first: int
    last: int


class FileLines:
    """Looks lines up in one generation."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        # A trace asks for the same files and names again and again.
        self.text = cache(self._text)
        self.lines = cache(self._lines)
        self.definitions = cache(self._definitions)
        self.named = cache(self._named)

    def _text(self, file: FileId) -> str:
        return self._collection.files.text.raw(file).decode("utf-8", "replace")

    def _lines(self, file: FileId) -> list[str]:
        return self.text(file).split("\n")

    def count(self, file: FileId) -> int:
        lines = self.lines(file)
        return len(lines) - (not lines[-1])

    def lines_of(self, chunk: ChunkId) -> Lines:
        return self._collection.cells.start_line[chunk], self._collection.cells.end_line[chunk]

    def at(self, file: FileId, first: int, last: int) -> list[tuple[ChunkId, Lines]]:
        """The chunks of these lines, each with its share of them; for blank lines the end of the nearest chunk."""
        run, table = self._collection.chunks_in(file), self._collection.chunks
        starts, ends = table.start_line[run.start : run.stop], table.end_line[run.start : run.stop]
        chunks: list[tuple[ChunkId, Lines]] = []
        for place in np.flatnonzero((starts <= last) & (ends >= first)).tolist():
            chunks.append((ChunkId(run[place]), (max(first, int(starts[place])), min(last, int(ends[place])))))
        if chunks and first == last:
            return chunks[:SHARING]
        if chunks or not len(run):
            return chunks
        distance = np.maximum(starts - first, first - ends)
        nearest = int(distance.argmin())
        line = int(starts[nearest] if starts[nearest] > first else ends[nearest])
        return [(ChunkId(run[nearest]), (line, line))]

    def _definitions(self, file: FileId) -> list[Definition]:
        """The definitions of a file, in the order of the table."""
        first, end = self._collection.snapshot.segment.rows["definition"][file : file + 2].tolist()
        return [self._definition(SymbolId(row)) for row in range(first, end)]

    def _named(self, name: str) -> list[Definition]:
        """The definitions with this name, in every file."""
        table = self._collection.definitions
        return [self._definition(row) for row in table.of(name).tolist() if not table[row].is_minor]

    def _definition(self, row: SymbolId) -> Definition:
        one, names = self._collection.definitions[row], self._collection.snapshot.segment.names
        file = FileId(self._collection.cells.file[one.chunk])
        return Definition(names[one.name], names[one.qualified], file, one.line, one.start_line, one.end_line)
