"""All definitions of a generation as one table: those that chunks are made of, then those inside other code."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from chunker.kinds import KINDS
from index.segment.columns import Array
from index.segment.segment import Segment
from index.types import SymbolRow

LEVELS = ("definition", "minor")


class DefinitionTable:
    """Rows count through both levels, `definition` and `minor`."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment
        self._main = int(segment.rows["definition"][-1])

    @cached_property
    def name(self) -> Array:
        """int32[rows]: the name of each, as a position in the names."""
        return np.concatenate([self._segment.array(f"{level}.name") for level in LEVELS])

    @cached_property
    def chunk(self) -> Array:
        """int32[rows]: the chunk that holds the line of each."""
        return np.concatenate([self._segment.absolute(level, "chunk", "chunk") for level in LEVELS])

    def value(self, column: str, row: int) -> int:
        level, place = ("definition", row) if row < self._main else ("minor", row - self._main)
        return int(self._segment.array(f"{level}.{column}")[place])

    def qualified(self, row: int) -> str:
        return self._segment.names[self.value("qualified", row)]

    def kind(self, row: int) -> str:
        return KINDS[self.value("kind", row)]

    def symbol_row(self, row: int) -> SymbolRow:
        """A definition as readers of the index see it."""
        chunk = int(self.chunk[row])
        file = int(np.searchsorted(self._segment.rows["chunk"], chunk, side="right")) - 1
        return SymbolRow(
            name=self._segment.names[int(self.name[row])],
            qualified=self.qualified(row),
            kind=self.kind(row),
            file=self._segment.strings("file.path")[file],
            line=self.value("line", row),
            chunk=chunk,
        )

    def is_minor(self, row: int) -> bool:
        """Whether it stands inside other code, which alone is a chunk."""
        return row >= self._main

    def of(self, name: str) -> Array:
        """int64[n]: the rows of the definitions with this name."""
        number = self._segment.names.find(name)
        return np.flatnonzero(self.name == number) if number >= 0 else np.zeros(0, np.int64)
