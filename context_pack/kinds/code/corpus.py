"""What a code pack needs of an index. `index.open_index` gives one; tests give a small one in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from index.types import (
    ChunkRow,
    Coverage,
    Extent,
    FilePlace,
    Filters,
    Follow,
    Grade,
    Near,
    Order,
    Outline,
    Refreshed,
    Scored,
    SymbolRow,
    Tie,
    TraceReading,
    VectorCoverage,
)


class Corpus(Protocol):
    """One generation of an index, open for reading. Every list it gives is in a total order."""

    @property
    def root(self) -> Path: ...

    @property
    def model_id(self) -> str: ...

    @property
    def generation(self) -> int: ...

    @property
    def files(self) -> int: ...

    @property
    def chunks(self) -> int: ...

    @property
    def refreshed(self) -> Refreshed | None: ...

    @property
    def coverage(self) -> Coverage: ...

    @property
    def vector_coverage(self) -> VectorCoverage | None:
        """How far the vectors of a transformer beside the static model are; None without one."""
        ...

    def search(self, query: str, *, top_k: int, filters: Filters | None = None, order: Order = "files") -> list[Scored]:
        """Ranked chunks, exact symbol and path hits first; empty where nothing shares anything with the query.

        By `files`, different files come first; by `lines`, what must be read, whatever its file, each symbol once.
        """
        ...

    def grade(self, query: str, *, filters: Filters | None = None) -> Grade:
        """How sure it is that this corpus answers the query."""
        ...

    def paths(self) -> Sequence[str]:
        """The paths of all files."""
        ...

    def unmatched(self, globs: Sequence[str]) -> list[str]:
        """Those of the globs that no indexed file matches."""
        ...

    def trace(self, query: str, *, filters: Filters | None = None) -> TraceReading | None:
        """What a pasted trace says of this corpus; None for every other question.

        NotFound where the query is a place and nothing else, and its file or its line is not there.
        """
        ...

    def places(self, text: str) -> list[FilePlace]:
        """The files, with their lines, that a place in any spelling may mean; none for any other text.

        NotFound where the text can only be a place, and its file or its line is not there.
        """
        ...

    def chunk(self, number: int) -> ChunkRow: ...

    def parts(self, number: int) -> list[int]:
        """The chunks that a long symbol was cut into, in order, this one among them; it alone where that is whole."""
        ...

    def chunks_of_file(self, file: str) -> list[int]:
        """The chunks of a file in the order of its lines; none for a file that is not indexed."""
        ...

    def span(self, first: int, last: int) -> ChunkRow:
        """Neighbouring chunks of one file as one row: that of the first, up to the end of the last."""
        ...

    def extent(self, first: int, last: int) -> Extent:
        """How far neighbouring chunks of one file reach."""
        ...

    def imports(self, first: int, last: int) -> tuple[str, ...]:
        """The import statements that neighbouring chunks of one file use, each once."""
        ...

    def outline(self, number: int) -> Outline | None:
        """A container's header and members, if the chunk is the header of one that was too large for one chunk."""
        ...

    def uses(self, chunks: Sequence[int]) -> list[tuple[int, int]]:
        """(user, definition) for every two of these chunks of which one refers to the other, sorted."""
        ...

    def related(
        self, primaries: Sequence[int], query: str, *, per_primary: int, depth: int, filters: Filters | None = None,
        follow: Follow | None = None,
    ) -> list[Tie]:  # fmt: skip
        """What the code graph ties to the primaries, best first; never a primary."""
        ...

    def symbols(self, pattern: str | None, *, limit: int) -> list[SymbolRow]:
        """Definitions whose qualified name matches a glob or contains the pattern, in any case, by place."""
        ...

    def defined(self, name: str) -> list[SymbolRow]:
        """The definitions that a name in any spelling stands for, best first; those in tests where no others are."""
        ...

    def nearest(self, text: str, *, limit: int = 3) -> list[Near]:
        """The names of definitions that are spelled most like a name; itself where it is one, none for other texts."""
        ...

    @property
    def folder(self) -> Path:
        """Where the index lives."""
        ...

    def stale(self) -> bool:
        """Whether the tree has changed since this generation was made."""
        ...

    def is_intact(self) -> bool:
        """Whether all of the index still has the checksums that it was written with. Reads everything."""
        ...

    def finish_later(self) -> None:
        """Bring what a refresh left undone up to date, after the answer, without anybody waiting for it."""
        ...
