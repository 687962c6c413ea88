"""Questions about whole files of a generation: their texts, their definitions, and the edges between them."""

from __future__ import annotations

from functools import cached_property

from chunker.kinds import KINDS
from index.generation.reader import Snapshot
from index.graph.edges import Edges
from index.types import SymbolRow


class Tree:
    """The files of one generation, by path. A path that is no file of it has nothing."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Every file, in the order of the paths."""
        return tuple(self._snapshot.strings("file.path").to_list())

    def language(self, file: str) -> str | None:
        number = self._number(file)
        return self._snapshot.strings("file.language")[number] if number >= 0 else None

    def linked(self, file: str, label: str, *, backward: bool = False) -> list[str]:
        """The files at the other end of this file's edges with that label (`imports`, `tests`), by path."""
        number = self._number(file)
        if number < 0:
            return []
        neighbours = (self._in if backward else self._out).neighbours(number)
        paths = self._snapshot.strings("file.path")
        return sorted({paths[other] for other, found in neighbours if found == label})

    def definitions(self, file: str) -> list[SymbolRow]:
        """What a file defines, by line."""
        number = self._number(file)
        if number < 0:
            return []
        segment = self._snapshot.segment
        run = range(int(segment.rows["definition"][number]), int(segment.rows["definition"][number + 1]))
        first = int(segment.rows["chunk"][number])
        return [
            SymbolRow(
                name=segment.names[int(segment.array("definition.name")[row])],
                qualified=segment.names[int(segment.array("definition.qualified")[row])],
                kind=KINDS[int(segment.array("definition.kind")[row])],
                file=file,
                line=int(segment.array("definition.line")[row]),
                chunk=first + int(segment.array("definition.chunk")[row]),
            )
            for row in run
        ]

    @cached_property
    def _out(self) -> Edges:
        return Edges.of(self._snapshot, "file_edge", "out")

    @cached_property
    def _in(self) -> Edges:
        return Edges.of(self._snapshot, "file_edge", "in")

    def _number(self, file: str) -> int:
        return self._snapshot.strings("file.path").find(file)
