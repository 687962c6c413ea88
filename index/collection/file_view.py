"""Questions about whole files of a generation: their texts, their definitions, and the edges between them."""

from __future__ import annotations

from functools import cached_property

from index.collection.tables import DefinitionTable, FileTable
from index.generation.reader import Snapshot
from index.graph.edges import Edges
from index.types import SymbolId, SymbolRow


class FileView:
    """The files of one generation, by path. Any other path has no language, links or definitions."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._files = FileTable(snapshot.segment)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Every file, in the order of the paths."""
        return tuple(self._files.paths)

    def language(self, file: str) -> str | None:
        number = self._files.find(file)
        return None if number is None else self._files.language[number]

    def linked(self, file: str, label: str, *, backward: bool = False) -> list[str]:
        """The files at the other end of this file's edges with that label (`imports`, `tests`), by path."""
        number = self._files.find(file)
        if number is None:
            return []
        neighbours = (self._in if backward else self._out).neighbours(number)
        return sorted({self._files.path[other] for other, own in neighbours if own == label})

    def definitions(self, file: str) -> list[SymbolRow]:
        """The definitions of a file, by line."""
        number = self._files.find(file)
        if number is None:
            return []
        first, end = self._snapshot.segment.rows["definition"][number : number + 2].tolist()
        return [self._definitions.symbol_row(SymbolId(row)) for row in range(first, end)]

    @cached_property
    def _definitions(self) -> DefinitionTable:
        return DefinitionTable(self._snapshot.segment)

    @cached_property
    def _out(self) -> Edges:
        return Edges.of(self._snapshot, "file_edge", "out")

    @cached_property
    def _in(self) -> Edges:
        return Edges.of(self._snapshot, "file_edge", "in")
