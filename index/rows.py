"""Chunks as rows with their text: one, several neighbours as one, a container with its members."""

from __future__ import annotations

import numpy as np

from chunker.kinds import KINDS
from index.columns import Array
from index.snapshot import Snapshot
from index.types import ChunkRow, Extent, Outline


class Rows:
    """Reads the chunks of one generation."""

    def __init__(self, snapshot: Snapshot, chunk_file: Array) -> None:
        self._segment = snapshot.segment
        self._chunk_file = chunk_file
        self._columns: dict[str, memoryview] = {}  # an index into a numpy array costs ten times as much

    def file_bytes(self, file: int) -> bytes:
        return self._segment.strings("file.text").raw(file)

    def chunk(self, number: int) -> ChunkRow:
        return self.span(number, number)

    def span(self, first: int, last: int) -> ChunkRow:
        """The row of the first chunk, with the text and the lines up to the end of the last."""
        segment, file = self._segment, int(self._chunk_file[first])
        symbol, start, end = self._of("symbol", first), self._of("start_byte", first), self._of("end_byte", last)
        texts = segment.strings("file.text")
        offset = int(texts.offsets[file])
        text = texts.blob[offset + start : offset + end].tobytes()
        start_line = self._of("start_line", first)
        return ChunkRow(
            number=first,
            file=segment.strings("file.path")[file],
            language=segment.strings("file.language")[file],
            start_line=start_line,
            end_line=self._of("end_line", last),
            kind=KINDS[self._of("kind", first)],
            symbol=segment.names[symbol] if symbol >= 0 else None,
            text=text.decode("utf-8"),
            signature=self._lines("signature", first, text, start, start_line),
            doc=self._lines("doc", first, text, start, start_line),
        )

    def parts(self, number: int) -> list[int]:
        symbol, end = self._of("symbol", number), len(self._chunk_file)
        first = last = number
        while self._of("part", first) and self._of("symbol", first - 1) == symbol:
            first -= 1
        while last + 1 < end and self._of("part", last + 1) and self._of("symbol", last + 1) == symbol:
            last += 1
        return list(range(first, last + 1))

    def extent(self, first: int, last: int) -> Extent:
        chars = self._of("end_byte", last) - self._of("start_byte", first)
        return Extent(self._of("start_line", first), self._of("end_line", last), chars)

    def imports(self, first: int, last: int) -> tuple[str, ...]:
        """The statements that the chunks use, each once."""
        segment, file = self._segment, int(self._chunk_file[first])
        run = slice(int(segment.rows["use"][file]), int(segment.rows["use"][file + 1]))
        before, own = int(segment.rows["import"][file]), int(segment.rows["chunk"][file])
        chunk, used = segment.array("use.chunk")[run], segment.array("use.import")[run]
        texts = segment.strings("import.text")
        wanted = used[(chunk >= first - own) & (chunk <= last - own)].tolist()
        return tuple(dict.fromkeys(texts[before + number] for number in wanted))

    def outline(self, number: int) -> Outline | None:
        members = self._members(number)
        if not members:
            return None
        last = max(self._deepest(members), number)
        row = self.span(number, last)
        header = (self._of("start_line", number), self._of("end_line", number))
        start, text = self._of("start_byte", number), row.text.encode()
        signed = ((member, self._lines("signature", member, text, start, row.start_line)) for member in members)
        told = tuple((member, lines) for member, lines in signed if lines is not None)
        return Outline(row, tuple(range(number, last + 1)), header, told) if told else None

    def _members(self, number: int) -> list[int]:
        """The chunks whose parent is this one: they come behind it in its file, until one lies outside of it."""
        first, end = self._file_run(number)
        parent = self._segment.array("chunk.parent")[number + 1 : end]
        return (np.flatnonzero(parent == number - first) + number + 1).tolist()

    def _deepest(self, members: list[int]) -> int:
        """The last chunk inside any of the members."""
        inner = members
        while inner:
            last, inner = inner[-1], self._members(inner[-1])
        return last

    def _file_run(self, number: int) -> tuple[int, int]:
        file = int(self._chunk_file[number])
        rows = self._segment.rows["chunk"]
        return int(rows[file]), int(rows[file + 1])

    def _of(self, column: str, number: int) -> int:
        array = self._columns.get(column)
        if array is None:
            array = self._columns[column] = self._segment.array(f"chunk.{column}").data
        return int(array[number])

    def _lines(self, part: str, number: int, text: bytes, start: int, start_line: int) -> tuple[int, int] | None:
        first, end = (self._of(f"{part}_{side}", number) for side in ("start", "end"))
        if first < 0:
            return None
        above = start_line + text.count(b"\n", 0, first - start)
        return above, above + text[first - start : end - start].rstrip().count(b"\n")
