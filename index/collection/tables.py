"""The columns of a generation as tables: one attribute a column, one value a chunk, a file or a definition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from chunker.kinds import KINDS
from index.generation.reader import Snapshot
from index.segment.columns import Array
from index.segment.segment import Segment
from index.types import ChunkId, FileId, SymbolId, SymbolRow

LEVELS = ("definition", "minor")
Column = TypeVar("Column", Array, Sequence[int])


@dataclass(frozen=True, slots=True)
class ChunkTable(Generic[Column]):
    """The chunks by path and line. Names are positions in the vocabulary of names; -1 stands for none everywhere.

    Lines are 1-based and inclusive; bytes count from the start of the file's text, ends are behind the last one.
    `kind` is a position in KINDS, `parent` and `part` count within the file and within the symbol.
    """

    file: Column
    start_byte: Column
    end_byte: Column
    start_line: Column
    end_line: Column
    kind: Column
    symbol: Column
    parent: Column
    part: Column
    signature_start: Column
    signature_end: Column
    doc_start: Column
    doc_end: Column
    words: Column
    imports_only: Column

    def __len__(self) -> int:
        return len(self.file)


def chunk_table(snapshot: Snapshot) -> ChunkTable[Array]:
    columns = (snapshot.segment.array(f"chunk.{name}") for name in ChunkTable.__slots__[1:])
    return ChunkTable(snapshot.array("chunk_file"), *columns)


def chunk_cells(table: ChunkTable[Array]) -> ChunkTable[Sequence[int]]:
    """The same for one value at a time: an index into a numpy array costs ten times as much as into a view."""
    return ChunkTable(*(getattr(table, name).data for name in ChunkTable.__slots__))


class FileTable:
    """The files by path. `first_chunk` and `chunk_count` say which chunks each has, `package` which one it declares."""

    def __init__(self, segment: Segment) -> None:
        self.path = segment.strings("file.path")
        self.language = segment.strings("file.language")
        self.text = segment.strings("file.text")
        self.package = segment.array("file.package")
        self.first_chunk = segment.rows["chunk"][:-1]
        self.chunk_count = np.diff(segment.rows["chunk"])

    def __len__(self) -> int:
        return len(self.path)

    @cached_property
    def paths(self) -> list[str]:
        return self.path.to_list()

    @cached_property
    def languages(self) -> list[str]:
        return self.language.to_list()

    def find(self, path: str) -> FileId | None:
        number = self.path.find(path)
        return FileId(number) if number >= 0 else None

    def bytes_of(self, file: FileId, start: int, end: int) -> bytes:
        """A range of a file's text."""
        first = int(self.text.offsets[file])
        return self.text.blob[first + start : first + end].tobytes()


@dataclass(frozen=True, slots=True)
class DefinitionRow:
    """One definition: `line` is where its name stands, `start_line..end_line` all of it; names as in ChunkTable.

    A minor one stands inside other code.
    """

    number: SymbolId
    chunk: ChunkId
    name: int
    qualified: int
    container: int
    kind: str
    line: int
    start_line: int
    end_line: int
    is_minor: bool


class DefinitionTable:
    """All definitions: those that chunks are made of, then the minor ones. A SymbolId is a row of both together."""

    def __init__(self, segment: Segment) -> None:
        self._names = segment.names
        self._segment = segment
        self._main = int(segment.rows["definition"][-1])
        columns = ("name", "qualified", "container", "kind", "line", "start_line", "end_line")
        self._cells = [[segment.array(f"{level}.{name}").data for name in columns] for level in LEVELS]

    @cached_property
    def name(self) -> Array:
        """int32[rows]: the name of each, as a position in the names."""
        return np.concatenate([self._segment.array(f"{level}.name") for level in LEVELS])

    @cached_property
    def chunk(self) -> Array:
        """int32[rows]: the chunk that holds the line of each."""
        return np.concatenate([self._segment.absolute(level, "chunk", "chunk") for level in LEVELS])

    def __getitem__(self, row: SymbolId) -> DefinitionRow:
        is_minor = row >= self._main
        place = row - self._main if is_minor else row
        name, qualified, container, kind, line, first, last = (cells[place] for cells in self._cells[is_minor])
        chunk = ChunkId(int(self.chunk[row]))
        return DefinitionRow(row, chunk, name, qualified, container, KINDS[kind], line, first, last, is_minor)

    def symbol_row(self, row: SymbolId) -> SymbolRow:
        """A definition as readers of the index see it."""
        one, names = self[row], self._names
        file = int(np.searchsorted(self._segment.rows["chunk"], one.chunk, side="right")) - 1
        path = self._segment.strings("file.path")[file]
        return SymbolRow(names[one.name], names[one.qualified], one.kind, path, one.line, one.chunk)

    def of(self, name: str) -> Array:
        """int64[n]: the rows of the definitions with this name."""
        number = self._names.find(name)
        return np.flatnonzero(self.name == number) if number >= 0 else np.zeros(0, np.int64)
