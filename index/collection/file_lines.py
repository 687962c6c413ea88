"""Lines of the files of a generation: how many, which chunks hold them, which definitions stand around them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from index.collection.collection import Corpus

Lines = tuple[int, int]  # 1-based, inclusive
SHARING = 4  # chunks of one long line that count


class Definition(NamedTuple):
    """A definition of a file: `line` is where its name stands, `first..last` all of it."""

    name: str
    qualified: str
    file: int
    line: int
    first: int
    last: int


class FileLines:
    """Looks lines up in one generation. Files and chunks go by their numbers."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._segment = corpus.snapshot.segment
        # A trace asks for the same files and names again and again.
        self.text = cache(self._text)
        self.lines = cache(self._lines)
        self.definitions = cache(self._definitions)
        self.named = cache(self._named)

    def _text(self, file: int) -> str:
        return self._segment.strings("file.text").raw(file).decode("utf-8", "replace")

    def _lines(self, file: int) -> list[str]:
        return self.text(file).split("\n")

    def count(self, file: int) -> int:
        lines = self.lines(file)
        return len(lines) - (not lines[-1])

    def lines_of(self, chunk: int) -> Lines:
        return tuple(int(self._segment.array(f"chunk.{side}_line")[chunk]) for side in ("start", "end"))  # type: ignore[return-value]

    def at(self, file: int, first: int, last: int) -> list[tuple[int, Lines]]:
        """The chunks that hold these lines, each with those that it holds; of blank lines the nearest chunk's end."""
        run = self._corpus.chunks_in(file)
        starts, ends = (self._segment.array(f"chunk.{side}_line")[run.start : run.stop] for side in ("start", "end"))
        chunks: list[tuple[int, Lines]] = []
        for place in np.flatnonzero((starts <= last) & (ends >= first)).tolist():
            chunks.append((run[place], (max(first, int(starts[place])), min(last, int(ends[place])))))
        if chunks and first == last:
            return chunks[:SHARING]
        if chunks or not len(run):
            return chunks
        distance = np.maximum(starts - first, first - ends)
        nearest = int(distance.argmin())
        line = int(starts[nearest] if starts[nearest] > first else ends[nearest])
        return [(run[nearest], (line, line))]

    def _definitions(self, file: int) -> list[Definition]:
        """What a file defines, in the order of the table."""
        return [self._definition(row) for row in range(*self._segment.rows["definition"][file : file + 2].tolist())]

    def _named(self, name: str) -> list[Definition]:
        """The definitions with this name, in every file."""
        table = self._corpus.definitions
        return [self._definition(row) for row in table.of(name).tolist() if not table.is_minor(row)]

    def _definition(self, row: int) -> Definition:
        table = self._corpus.definitions
        file = int(self._corpus.chunk_file[table.chunk[row]])
        line, first, last = (table.value(column, row) for column in ("line", "start_line", "end_line"))
        return Definition(self._segment.names[int(table.name[row])], table.qualified(row), file, line, first, last)
