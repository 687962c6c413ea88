"""The columns of a generation as tables: one attribute per column, one value per chunk, file or definition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from os.path import commonprefix
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from chunker.kinds import KINDS
from contracts.frozen import frozen
from index.generation.reader import Snapshot
from index.segment.columns import Array, Segment
from index.types import ChunkId, FileId, SymbolRow

LEVELS = ("definition", "minor")
_LENGTHS = 4  # a misspelt name differs in length by at most so many characters
_LIKE = 0.7  # least similarity of a misspelt name, as difflib measures it
Column = TypeVar("Column", Array, Sequence[int])


@frozen
class ChunkTable(Generic[Column]):
    """The chunks by path and line. Names are positions in the vocabulary of names; -1 means none in every column.

    Lines are 1-based and inclusive; bytes are half-open ranges of the file's text. `kind` is a position in KINDS;
    `parent` counts chunks within the file, `part` counts the parts of the symbol. `in_tests` is 1 for a test inside the
    file that it tests, `imports_only` for imports without other code.
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
    in_tests: Column
    imports_only: Column

    def __len__(self) -> int:
        return len(self.file)


def chunk_table(snapshot: Snapshot) -> ChunkTable[Array]:
    columns = (snapshot.segment.array(f"chunk.{name}") for name in ChunkTable.__match_args__[1:])
    return ChunkTable(snapshot.array("chunk_file"), *columns)


def chunk_cells(table: ChunkTable[Array]) -> ChunkTable[Sequence[int]]:
    """The same columns as memoryviews: indexing a numpy array takes ten times as long."""
    return ChunkTable(*(getattr(table, name).data for name in ChunkTable.__match_args__))


class FileNames:
    """Finds files by the last parts of paths. A blank also ends a part: logs and words are split at blanks."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = paths
        self._by_name: dict[str, list[FileId]] = {}
        for number, path in enumerate(paths):
            self._by_name.setdefault(_parts(path)[-1], []).append(FileId(number))

    def named(self, path: str) -> list[FileId]:
        """The files with the same name as the last part of the path."""
        return self._by_name.get(_parts(path)[-1], [])

    def with_stem(self, stem: str) -> list[FileId]:
        """The files whose name up to its first dot is this."""
        paths = enumerate(self.paths)
        return [FileId(number) for number, path in paths if path.rpartition("/")[2].partition(".")[0] == stem]

    def ending(self, path: str) -> list[FileId]:
        """The files whose path is this one or ends with it."""
        parts = _parts(path.lstrip("/"))
        return [number for number in self.named(path) if _parts(self.paths[number])[-len(parts) :] == parts]

    def depth(self, file: FileId) -> int:
        """How many parts the path of a file has."""
        return len(_parts(self.paths[file]))

    def longest(self, path: str) -> tuple[int, list[FileId]]:
        """(n, files): the most trailing parts that any file shares with the path, and the files that share them."""
        shared = [(_shared(path, self.paths[number]), number) for number in self.named(path)]
        most = max((count for count, _ in shared), default=0)
        return most, [number for count, number in shared if count == most]

    def nearest(self, path: str, most: int) -> list[str]:
        """Paths that may have been meant: files with the same name, then files with a similar name."""
        from difflib import get_close_matches

        folder, name = path.rpartition("/")[0], _parts(path)[-1]
        same = sorted(self.named(path), key=lambda number: (-_shared(path, self.paths[number]), self.paths[number]))
        paths = [self.paths[number] for number in same]
        if len(paths) < most:
            like = [other for other in self._by_name if abs(len(other) - len(name)) <= _LENGTHS and other != name]
            for other in get_close_matches(name, sorted(like), n=most, cutoff=_LIKE):
                places = [self.paths[number] for number in self._by_name[other]]
                paths += sorted(places, key=lambda one: (one.rpartition("/")[0] != folder, one))
        return paths[:most]


class FileTable:
    """The files by path. `first_chunk` and `chunk_count` give the chunks of each, `package` its declared package.

    `roles` has a bit for each of `index.roles.ROLES`. `skip` is a position in SKIP_REASONS.
    """

    def __init__(self, segment: Segment) -> None:
        self.path = segment.strings("file.path")
        self.language = segment.strings("file.language")
        self.text = segment.strings("file.text")
        self.package = segment.array("file.package")
        self.roles = segment.array("file.roles")
        self.skip = segment.array("file.skip")
        self.chunk_bounds = segment.rows["chunk"].data  # for fast access to single values, as `chunk_cells`
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

    @cached_property
    def names(self) -> FileNames:
        """A lookup of files by the ends of their paths."""
        return FileNames(self.paths)

    def find(self, path: str) -> FileId | None:
        number = self.path.find(path)
        return FileId(number) if number >= 0 else None

    def bytes_of(self, file: FileId, start: int, end: int) -> bytes:
        """A range of a file's text."""
        first = int(self.text.offsets[file])
        return self.text.blob[first + start : first + end].tobytes()


class DefinitionRow(NamedTuple):
    """A definition: `line` is that of its name, `start_line..end_line` all of it. A minor one is inside other code."""

    number: int
    file: FileId
    chunk: ChunkId
    name: str
    qualified: str
    is_member: bool
    kind: str
    line: int
    start_line: int
    end_line: int
    is_minor: bool

    def has_line(self, line: int) -> bool:
        """Whether the definition is around a line of its file."""
        return self.start_line <= line <= self.end_line


class DefinitionTable:
    """All definitions: those that chunks are cut along, then the minor ones. A number is a row of both together."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._segment = segment = snapshot.segment
        self._names, self._paths = segment.names, segment.strings("file.path")
        self._file = snapshot.array("chunk_file").data
        self._main = int(segment.rows["definition"][-1])
        columns = ("name", "qualified", "container", "kind", "line", "start_line", "end_line")
        self._cells = [[segment.array(f"{level}.{name}").data for name in columns] for level in LEVELS]

    @cached_property
    def name(self) -> Array:
        """int32[rows]: the name of each, as a position in the vocabulary of names."""
        return np.concatenate([self._segment.array(f"{level}.name") for level in LEVELS])

    @cached_property
    def chunk(self) -> Array:
        """int32[rows]: the chunk that contains the line of each."""
        return np.concatenate([self._segment.absolute(level, "chunk", "chunk") for level in LEVELS])

    def __getitem__(self, row: int) -> DefinitionRow:
        is_minor = row >= self._main
        place = row - self._main if is_minor else row
        name, qualified, container, kind, line, first, last = (cells[place] for cells in self._cells[is_minor])
        chunk = ChunkId(int(self.chunk[row]))
        file, spelled = FileId(self._file[chunk]), (self._names[name], self._names[qualified])
        return DefinitionRow(row, file, chunk, *spelled, container >= 0, KINDS[kind], line, first, last, is_minor)

    def in_file(self, file: FileId) -> list[DefinitionRow]:
        """The definitions of a file, without the minor ones, by line."""
        first, end = self._segment.rows["definition"][file : file + 2].tolist()
        return [self[row] for row in range(first, end)]

    def in_chunk(self, chunk: int, *, minor: bool) -> list[DefinitionRow]:
        """The definitions in a chunk, by line; then, if they are wanted, the minor ones."""
        return self.at(np.flatnonzero((self.chunk if minor else self.chunk[: self._main]) == chunk))

    def at(self, rows: Array) -> list[DefinitionRow]:
        """The definitions in these rows."""
        return [self[row] for row in rows.tolist()]

    def named(self, name: str) -> list[DefinitionRow]:
        """The definitions with this name."""
        return self.at(self.of(name))

    def symbol_row(self, row: DefinitionRow) -> SymbolRow:
        """A definition as readers of the index see it."""
        return SymbolRow(row.name, row.qualified, row.kind, self._paths[row.file], row.line, row.chunk, row.is_minor)

    def of(self, name: str) -> Array:
        """int64[n]: the rows of the definitions with this name."""
        number = self._names.find(name)
        return np.flatnonzero(self.name == number) if number >= 0 else np.zeros(0, np.int64)


def _parts(path: str) -> list[str]:
    return path.replace(" ", "/").split("/")


def _shared(one: str, other: str) -> int:
    """How many trailing parts two paths share."""
    return len(commonprefix([_parts(one)[::-1], _parts(other)[::-1]]))  # noqa: RUF071 - of lists, part by part
