"""A small index in memory: a `context_pack.kinds.code.corpus.Corpus` that ranks as simply as possible."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from contracts.errors import NotFound
from contracts.records import Why
from index.roles import is_test_path
from index.types import (
    ChunkRow,
    Coverage,
    Extent,
    FilePlace,
    Filters,
    Follow,
    Grade,
    ImportStatement,
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


@dataclass(frozen=True, slots=True)
class Row(ChunkRow):
    """A chunk with the import statements that it uses."""

    imports: tuple[str, ...] = ()


@dataclass
class MemoryIndex:
    """Chunks by number. Exact symbols and paths come first, then chunks that contain the query."""

    rows: list[Row]
    ties: list[Tie] = field(default_factory=list)
    outlines: dict[int, Outline] = field(default_factory=dict)
    model_id: str = "bge-small"
    refreshed: Refreshed | None = None
    generation: int = 1
    root: Path = Path("repository")

    @property
    def files(self) -> int:
        return len({row.file for row in self.rows})

    @property
    def chunks(self) -> int:
        return len(self.rows)

    @property
    def coverage(self) -> Coverage:
        return Coverage(self.files, self.files)

    @property
    def vector_coverage(self) -> VectorCoverage | None:
        return None

    def search(self, query: str, *, top_k: int, filters: Filters | None = None, order: Order = "files") -> list[Scored]:
        seen = [row for row in self.rows if _passes(row, filters or Filters())]
        exact = [row for row in seen if query in (row.symbol, row.file) or query.startswith(f"{row.file}:")]
        other = [row for row in seen if row not in exact and query.lower() in row.text.lower()]
        hits = [_scored(row, 1 - 0.001 * rank, "exact") for rank, row in enumerate(exact)]
        hits += [_scored(row, 0.5 / (rank + 1), "text") for rank, row in enumerate(other)]
        return hits[:top_k]

    def grade(self, query: str, *, filters: Filters | None = None) -> Grade:
        found = self.search(query, top_k=1, filters=filters)
        return Grade("strong", "the first item is named in the query") if found else Grade("none", "nothing matches")

    def paths(self) -> list[str]:
        return sorted({row.file for row in self.rows})

    def unmatched(self, globs: Sequence[str]) -> list[str]:
        return [glob for glob in globs if not any(fnmatch.fnmatch(row.file, glob) for row in self.rows)]

    def trace(self, query: str, *, filters: Filters | None = None) -> TraceReading | None:
        return None

    def places(self, text: str) -> list[FilePlace]:
        file, _, line = text.partition(":")
        number = int(line) if line.isdecimal() else None
        ends = [row.end_line for row in self.rows if row.file == file]
        if number and ends and number > max(ends):
            raise NotFound(f"{file} has no line {number}: it has {max(ends)}")
        return [FilePlace(file, number, number)] if any(row.file == file for row in self.rows) else []

    def allowed(self, filters: Filters) -> Callable[[int], bool]:
        return lambda number: _passes(self.rows[number], filters)

    def chunk(self, number: int) -> ChunkRow:
        return self.rows[number]

    def path_of(self, number: int) -> str:
        return self.rows[number].file

    def symbol(self, number: int) -> tuple[str | None, str]:
        return self.rows[number].symbol, self.rows[number].kind

    def parts(self, number: int) -> list[int]:
        return [number]

    def pieces(self, number: int) -> range:
        return range(number, number + 1)

    def chunks_of_file(self, file: str) -> list[int]:
        return [row.number for row in sorted(self.rows, key=lambda row: row.start_line) if row.file == file]

    def span(self, first: int, last: int) -> ChunkRow:
        """Consecutive chunks, joined by as many line ends as there are between their lines."""
        text, line = "", self.rows[first].start_line
        for row in self.rows[first : last + 1]:
            assert row.file == self.rows[first].file
            text += "\n" * (row.start_line - line) + row.text.rstrip("\r\n")
            line = row.end_line
        return replace(self.rows[first], text=text, end_line=line)

    def imports(self, first: int, last: int) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one for row in self.rows[first : last + 1] for one in row.imports))

    def extent(self, first: int, last: int) -> Extent:
        row = self.span(first, last)
        return Extent(row.start_line, row.end_line, len(row.text.encode()))

    def is_test(self, chunk: int) -> bool:
        return is_test_path(self.rows[chunk].file)

    def is_generated(self, chunk: int) -> bool:
        return False

    def only_imports(self, chunk: int) -> bool:
        return False

    def outline(self, number: int) -> Outline | None:
        return self.outlines.get(number)

    def uses(self, chunks: Sequence[int]) -> list[tuple[int, int]]:
        found = {(tie.source, tie.chunk) for tie in self.ties if tie.labels == ("calls",)}
        return sorted(pair for pair in found if set(pair) <= set(chunks))

    def import_statements(self, chunk: int, first: int, last: int) -> list[ImportStatement]:
        return []

    def related(
        self, primaries: Sequence[int], query: str, follow: Follow, *, filters: Filters | None = None
    ) -> list[Tie]:
        found = [tie for tie in self.ties if tie.source in primaries and tie.distance <= follow.depth]
        return [tie for tie in found if [t for t in found if t.source == tie.source].index(tie) < follow.per_primary]

    def symbols(self, pattern: str | None, *, limit: int) -> list[SymbolRow]:
        wanted = f"*{(pattern or '').lower()}*" if "*" not in (pattern or "") else (pattern or "").lower()
        found = [row for row in self.rows if row.symbol and fnmatch.fnmatchcase(row.symbol.lower(), wanted)]
        return [
            SymbolRow(
                str(row.symbol).rpartition(".")[2], str(row.symbol), row.kind, row.file, row.start_line, row.number
            )
            for row in found
        ][:limit]

    def defined(self, name: str) -> list[SymbolRow]:
        rows = self.symbols(name, limit=len(self.rows))
        return [row for row in rows if row.qualified == name] or [row for row in rows if row.name == name]

    def implementers(self, chunk: int, changed: Container[str] = ()) -> list[SymbolRow]:
        return []

    def namesakes(self, name: str, *, limit: int) -> list[SymbolRow]:
        return [row for row in self.symbols("*", limit=len(self.rows)) if row.name == name][:limit]

    def fields(self, name: str) -> list[SymbolRow]:
        return []

    def naming(self, name: str) -> list[int]:
        return []

    def defined_at(self, chunk: int, *, minor: bool = False) -> list[SymbolRow]:
        return [row for row in self.symbols("*", limit=len(self.rows)) if row.chunk == chunk]

    def contains(self, word: str) -> bool:
        return False

    def joins(self, phrase: str) -> bool:
        return True

    def respellings(self, text: str) -> dict[str, str]:
        return {}

    def near_in_meaning(self, query: str, *, limit: int = 3) -> list[str]:
        return []

    def nearest(self, text: str, *, limit: int = 3) -> list[Near]:
        """Names that begin with the same three letters."""
        names = sorted({str(row.symbol) for row in self.rows if row.symbol}) if text.isidentifier() else []
        if text in names:
            return [Near(text, 0.0)]
        return [Near(name, 1.0) for name in names if name[:3].lower() == text[:3].lower()][:limit]

    @property
    def folder(self) -> Path:
        return Path("index")

    def stale(self) -> bool:
        return False

    def finish_later(self) -> None:
        """Does nothing: no work is pending."""


def rows(*chunks: tuple[str, int, str, str | None, str, tuple[str, ...]]) -> list[Row]:
    """Chunk rows from (file, first line, kind, symbol, text, imports)."""
    return [
        Row(
            number,
            file,
            _LANGUAGES[file.rpartition(".")[2]],
            start,
            start + text.rstrip("\n").count("\n"),
            kind,
            symbol,
            text,
            imports=uses,
        )
        for number, (file, start, kind, symbol, text, uses) in enumerate(chunks)
    ]


_LANGUAGES = {"rs": "rust", "py": "python", "md": "markdown", "txt": "text"}


def _scored(row: ChunkRow, score: float, signal: str) -> Scored:
    return Scored(row.number, score, score * 10, lambda: (Why(signal, 1.0, score * 10),))


def _passes(row: ChunkRow, filters: Filters) -> bool:
    included = not filters.include or any(fnmatch.fnmatch(row.file, glob) for glob in filters.include)
    excluded = any(fnmatch.fnmatch(row.file, glob) for glob in filters.exclude)
    return included and not excluded and (not filters.languages or row.language in filters.languages)
