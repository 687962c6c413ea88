"""Reads the text of a generation: chunks, runs of chunks, containers with their members, lines of files."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np

from chunker.kinds import KINDS, ROUTINES
from index.collection.collection import Collection
from index.types import ChunkId, ChunkRow, FileId, Outline

Lines = tuple[int, int]  # 1-based, inclusive
MAX_LINE = 1_000  # characters of a line that queries search: a longer one is minified
SHARING = 4  # most chunks of one long line


def row_of(collection: Collection, first: ChunkId, last: ChunkId) -> ChunkRow:
    """The row of the first chunk, with the text and the lines up to the end of the last."""
    cells, files = collection.cells, collection.files
    file, text = cells.file[first], collection.text_of(first, last)
    return ChunkRow(
        number=first,
        file=files.paths[file],
        language=files.languages[file],
        start_line=cells.start_line[first],
        end_line=cells.end_line[last],
        kind=KINDS[cells.kind[first]],
        symbol=collection.symbol_of(first) or None,
        text=text.decode("utf-8"),
        signature=_signature(collection, first, last, text),
        doc=_lines(collection, first, text, cells.doc_start[first], cells.doc_end[first]),
    )


def signature_of(collection: Collection, chunk: ChunkId) -> Lines | None:
    """The lines of a chunk's signature."""
    return _signature(collection, chunk, chunk, collection.text_of(chunk))


def imports_of(collection: Collection, first: ChunkId, last: ChunkId) -> tuple[str, ...]:
    """The import statements that the chunks use, each once."""
    segment, file = collection.snapshot.segment, collection.file_of(first)
    bounds, chunks = segment.rows["use"].data, segment.array("use.chunk").data  # memoryviews, as in `Strings.raw`
    before, own = segment.rows["import"].data[file], collection.chunks_in(file).start
    low = bisect_left(chunks, first - own, bounds[file], bounds[file + 1])  # a file's uses are sorted by chunk
    high = bisect_right(chunks, last - own, low, bounds[file + 1])
    texts, statements = segment.strings("import.text"), segment.array("use.import").data[low:high]
    return tuple(dict.fromkeys(texts[before + number] for number in dict.fromkeys(statements)))


def outline_of(collection: Collection, number: ChunkId) -> Outline | None:
    """A container's header and members, if the chunk is the header of one that was too large for one chunk.

    A function has none, even if others are defined inside it: what matters is its body.
    """
    cells, members = collection.cells, _members(collection, number)
    if not members or KINDS[cells.kind[number]] in ROUTINES:
        return None
    last = last_inside(collection, number)
    header = (cells.start_line[number], cells.end_line[number])
    # Lines are counted in each member's own text: counting from the header would take quadratic time.
    pairs = ((member, signature_of(collection, member)) for member in members)
    signatures = tuple((member, lines) for member, lines in pairs if lines is not None)
    row = row_of(collection, number, last)
    return Outline(row, tuple(range(number, last + 1)), header, signatures) if signatures else None


def last_inside(collection: Collection, number: ChunkId) -> ChunkId:
    """The last chunk of a symbol, of its own parts or of the symbols defined inside it."""
    last = ChunkId(collection.parts_of(number).stop - 1)
    inner = _members(collection, number)
    while inner:
        last, inner = max(last, inner[-1]), _members(collection, inner[-1])
    return last


def _members(collection: Collection, number: ChunkId) -> list[ChunkId]:
    """The chunks whose parent is this one; all of them come after it in its file."""
    run = collection.chunks_in(collection.file_of(number))
    parent = collection.chunks.parent[number + 1 : run.stop]
    return [ChunkId(member) for member in (np.flatnonzero(parent == number - run.start) + number + 1).tolist()]


def _signature(collection: Collection, first: ChunkId, last: ChunkId, text: bytes) -> Lines | None:
    """The lines of the signature of a chunk, or of the symbol that goes on up to the chunk `last`: documentation of
    several chunks may come before it."""
    cells, parts = collection.cells, range(first, last + 1)
    starts, symbol = cells.signature_start, cells.symbol
    own = next((part for part in parts if starts[part] >= 0 and symbol[part] == symbol[first]), first)
    return _lines(collection, first, text, starts[own], cells.signature_end[own])


def _lines(collection: Collection, first: ChunkId, text: bytes, start: int, end: int) -> Lines | None:
    """The lines of a range of bytes in the text that begins with the first chunk; None without a range."""
    if start < 0:
        return None
    begin = collection.cells.start_byte[first]
    line = collection.cells.start_line[first] + text.count(b"\n", 0, start - begin)
    return line, line + text[start - begin : end - begin].rstrip().count(b"\n")


class FileLines:
    """Looks up lines of files in one generation."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._texts: dict[FileId, str] = {}  # a query refers to the same files many times
        self._lines: dict[FileId, list[str]] = {}

    def text(self, file: FileId) -> str:
        if file not in self._texts:
            self._texts[file] = self._collection.files.text.raw(file).decode("utf-8", "replace")
        return self._texts[file]

    def lines(self, file: FileId) -> list[str]:
        if file not in self._lines:
            self._lines[file] = self.text(file).split("\n")
        return self._lines[file]

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
        nearest = int(np.maximum(starts - first, first - ends).argmin())
        line = int(starts[nearest] if starts[nearest] > first else ends[nearest])
        return [(ChunkId(run[nearest]), (line, line))]
