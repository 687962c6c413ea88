"""Chunks as rows with their text: one, several neighbours as one, a container with its members."""

from __future__ import annotations

import numpy as np

from chunker.kinds import KINDS
from index.collection.collection import Corpus
from index.types import ChunkRow, Extent, Outline


class ChunkReader:
    """Reads the chunks of one generation."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._segment = corpus.snapshot.segment
        self._columns: dict[str, memoryview] = {}  # an index into a numpy array costs ten times as much

    def span(self, first: int, last: int) -> ChunkRow:
        """The row of the first chunk, with the text and the lines up to the end of the last."""
        segment, file = self._segment, int(self._corpus.chunk_file[first])
        symbol, start, end = self._of("symbol", first), self._of("start_byte", first), self._of("end_byte", last)
        text = self._text(file, start, end)
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

    def text(self, number: int) -> bytes:
        """The text of one chunk."""
        return self._text(
            int(self._corpus.chunk_file[number]), self._of("start_byte", number), self._of("end_byte", number)
        )

    def signature(self, number: int) -> tuple[int, int] | None:
        """The lines of a chunk's signature."""
        start, start_line = self._of("start_byte", number), self._of("start_line", number)
        return self._lines("signature", number, self.text(number), start, start_line)

    def extent(self, first: int, last: int) -> Extent:
        chars = self._of("end_byte", last) - self._of("start_byte", first)
        return Extent(self._of("start_line", first), self._of("end_line", last), chars)

    def imports(self, first: int, last: int) -> tuple[str, ...]:
        """The statements that the chunks use, each once."""
        segment, file = self._segment, int(self._corpus.chunk_file[first])
        run = slice(int(segment.rows["use"][file]), int(segment.rows["use"][file + 1]))
        before, own = int(segment.rows["import"][file]), self._corpus.chunks_in(file).start
        chunk, used = segment.array("use.chunk")[run], segment.array("use.import")[run]
        texts = segment.strings("import.text")
        wanted = used[(chunk >= first - own) & (chunk <= last - own)].tolist()
        return tuple(dict.fromkeys(texts[before + number] for number in wanted))

    def outline(self, number: int) -> Outline | None:
        """A container's header and members, if the chunk is the header of one that was too large for one chunk."""
        members = self._members(number)
        if not members:
            return None
        last = max(self._deepest(members), number)
        row = self.span(number, last)
        header = (self._of("start_line", number), self._of("end_line", number))
        start, text = self._of("start_byte", number), row.text.encode()
        signed = ((member, self._lines("signature", member, text, start, row.start_line)) for member in members)
        signatures = tuple((member, lines) for member, lines in signed if lines is not None)
        return Outline(row, tuple(range(number, last + 1)), header, signatures) if signatures else None

    def _text(self, file: int, start: int, end: int) -> bytes:
        texts = self._segment.strings("file.text")
        offset = int(texts.offsets[file])
        return texts.blob[offset + start : offset + end].tobytes()

    def _members(self, number: int) -> list[int]:
        """The chunks whose parent is this one: they come behind it in its file, until one lies outside of it."""
        run = self._corpus.chunks_in(int(self._corpus.chunk_file[number]))
        parent = self._segment.array("chunk.parent")[number + 1 : run.stop]
        return (np.flatnonzero(parent == number - run.start) + number + 1).tolist()

    def _deepest(self, members: list[int]) -> int:
        """The last chunk inside any of the members."""
        inner = members
        while inner:
            last, inner = inner[-1], self._members(inner[-1])
        return last

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
