"""Reads the text of a generation: chunks, runs of chunks, containers with their members, lines of files."""

from __future__ import annotations

from functools import cache

import numpy as np

from chunker.kinds import KINDS, ROUTINES
from index.collection.collection import Collection
from index.collection.tables import DefinitionRow
from index.types import ChunkId, ChunkRow, Extent, FileId, Outline

Lines = tuple[int, int]  # 1-based, inclusive
SHARING = 4  # most chunks of one long line


class ChunkReader:
    """Reads the chunks of one generation."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._chunks = collection.cells

    def span(self, first: ChunkId, last: ChunkId) -> ChunkRow:
        """The row of the first chunk, with the text and the lines up to the end of the last."""
        chunks, files = self._chunks, self._collection.files
        file = chunks.file[first]
        text = self._text(first, last)
        return ChunkRow(
            number=first,
            file=files.path[file],
            language=files.language[file],
            start_line=chunks.start_line[first],
            end_line=chunks.end_line[last],
            kind=KINDS[chunks.kind[first]],
            symbol=self._collection.symbol_of(first) or None,
            text=text.decode("utf-8"),
            signature=self._signature(first, first, text),
            doc=self._lines(first, text, chunks.doc_start[first], chunks.doc_end[first]),
        )

    def text(self, number: ChunkId) -> bytes:
        """The text of one chunk."""
        return self._text(number, number)

    def signature(self, number: ChunkId) -> Lines | None:
        """The lines of a chunk's signature."""
        return self._signature(number, number, self.text(number))

    def extent(self, first: ChunkId, last: ChunkId) -> Extent:
        chunks = self._chunks
        return Extent(chunks.start_line[first], chunks.end_line[last], chunks.end_byte[last] - chunks.start_byte[first])

    def imports(self, first: ChunkId, last: ChunkId) -> tuple[str, ...]:
        """The import statements that the chunks use, each once."""
        segment, file = self._collection.snapshot.segment, FileId(self._chunks.file[first])
        run = slice(int(segment.rows["use"][file]), int(segment.rows["use"][file + 1]))
        before, own = int(segment.rows["import"][file]), self._collection.chunks_in(file).start
        chunk, statement = segment.array("use.chunk")[run], segment.array("use.import")[run]
        texts = segment.strings("import.text")
        numbers = statement[(chunk >= first - own) & (chunk <= last - own)].tolist()
        return tuple(dict.fromkeys(texts[before + number] for number in numbers))

    def outline(self, number: ChunkId) -> Outline | None:
        """A container's header and members, if the chunk is the header of one that was too large for one chunk.

        A function has none, even if others are defined inside it: what matters is its body.
        """
        members = self._members(number)
        if not members or KINDS[self._chunks.kind[number]] in ROUTINES:
            return None
        last = self.last_inside(number)
        row = self.span(number, last)
        header = (self._chunks.start_line[number], self._chunks.end_line[number])
        text = row.text.encode()
        pairs = ((member, self._signature(number, member, text)) for member in members)
        signatures = tuple((member, lines) for member, lines in pairs if lines is not None)
        return Outline(row, tuple(range(number, last + 1)), header, signatures) if signatures else None

    def last_inside(self, number: ChunkId) -> ChunkId:
        """The last chunk of a symbol, of its own parts or of the symbols defined inside it."""
        own = ChunkId(self._collection.parts_of(number).stop - 1)
        members = self._members(number)
        return max(self._deepest(members), own) if members else own

    def _text(self, first: ChunkId, last: ChunkId) -> bytes:
        chunks = self._chunks
        file = FileId(chunks.file[first])
        return self._collection.files.bytes_of(file, chunks.start_byte[first], chunks.end_byte[last])

    def _members(self, number: ChunkId) -> list[ChunkId]:
        """The chunks whose parent is this one; all of them come after it in its file."""
        run = self._collection.chunks_in(FileId(self._chunks.file[number]))
        parent = self._collection.chunks.parent[number + 1 : run.stop]
        return [ChunkId(member) for member in (np.flatnonzero(parent == number - run.start) + number + 1).tolist()]

    def _deepest(self, members: list[ChunkId]) -> ChunkId:
        """The last chunk inside any of the members."""
        inner = members
        while inner:
            last, inner = inner[-1], self._members(inner[-1])
        return last

    def _signature(self, first: ChunkId, number: ChunkId, text: bytes) -> Lines | None:
        start, end = self._chunks.signature_start[number], self._chunks.signature_end[number]
        return self._lines(first, text, start, end)

    def _lines(self, first: ChunkId, text: bytes, start: int, end: int) -> Lines | None:
        """The lines of a range of bytes in the text that begins with the first chunk; None without a range."""
        if start < 0:
            return None
        begin = self._chunks.start_byte[first]
        line = self._chunks.start_line[first] + text.count(b"\n", 0, start - begin)
        return line, line + text[start - begin : end - begin].rstrip().count(b"\n")


class FileLines:
    """Looks up lines of files in one generation."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        # A trace refers to the same files and names many times.
        self.text = cache(self._text)
        self.lines = cache(self._lines)
        self.definitions = cache(collection.definitions.in_file)
        self.named = cache(self._named)

    def _text(self, file: FileId) -> str:
        return self._collection.files.text.raw(file).decode("utf-8", "replace")

    def _lines(self, file: FileId) -> list[str]:
        return self.text(file).split("\n")

    def count(self, file: FileId) -> int:
        lines = self.lines(file)
        return len(lines) - (not lines[-1])

    def at(self, file: FileId, first: int, last: int) -> list[tuple[ChunkId, Lines]]:
        """The chunks of these lines, each with its share of them; for blank lines, the nearest line of a chunk."""
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

    def _named(self, name: str) -> list[DefinitionRow]:
        """The definitions with this name in all files, without those inside other code."""
        rows = (self._collection.definitions[row] for row in self._collection.definitions.of(name).tolist())
        return [row for row in rows if not row.is_minor]
