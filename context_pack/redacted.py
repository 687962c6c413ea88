"""A corpus whose chunks hold no secrets: whoever reads code through it cannot show one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, cast

from context_pack.redaction import Redactor, redact

if TYPE_CHECKING:
    from context_pack.corpus import Corpus
    from index.types import ChunkRow, Outline, SymbolRow

REMEMBERED = 4_096  # rows and outlines of each corpus


class Span(Protocol):
    """Some lines of a file: an item, a hit or a chunk. Lines are 1-based and inclusive."""

    @property
    def file(self) -> str: ...

    @property
    def start_line(self) -> int: ...

    @property
    def end_line(self) -> int: ...


class Cleaned:
    """The rows and outlines of one corpus without their secrets, made once for all questions that show them."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._rows: dict[tuple[int, int], tuple[ChunkRow, Mapping[str, int]]] = {}  # by first and last chunk
        self._outlines: dict[int, Outline | None] = {}

    def span(self, first: int, last: int) -> tuple[ChunkRow, Mapping[str, int]]:
        """Neighbouring chunks as one row, and how many secrets of each kind were taken out of its text."""
        known = self._rows.get((first, last))
        if known is None:
            if len(self._rows) >= REMEMBERED:
                self._rows.clear()
            row = self._corpus.chunk(first) if first == last else self._corpus.span(first, last)
            known = self._rows[first, last] = _clean(row)
        return known

    def outline(self, number: int) -> Outline | None:
        if number not in self._outlines:
            if len(self._outlines) >= REMEMBERED:
                self._outlines.clear()
            found = self._corpus.outline(number)
            self._outlines[number] = None if found is None else replace(found, row=_clean(found.row)[0])
        return self._outlines[number]


class RedactedCorpus:
    """The corpus with the text and the imports of its chunks redacted; everything else is the corpus's own."""

    def __init__(self, corpus: Corpus, redactor: Redactor, cleaned: Cleaned) -> None:
        self._corpus, self._redactor, self._cleaned = corpus, redactor, cleaned
        self._rows: dict[int, ChunkRow] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._corpus, name)

    def chunk(self, number: int) -> ChunkRow:
        """One chunk; what is taken out of it is counted once, however often it is read."""
        row = self._rows.get(number)
        if row is None:
            if self._redactor.active:
                row, counts = self._cleaned.span(number, number)
                self._redactor.count(counts, row.id)
            else:
                row = self._corpus.chunk(number)
            self._rows[number] = row
        return row

    def span(self, first: int, last: int) -> ChunkRow:
        """Neighbouring chunks as one row; what is taken out is counted by chunk, as everywhere."""
        if not self._redactor.active:
            return self._corpus.span(first, last)
        row, counts = self._cleaned.span(first, last)
        if counts:
            for number in range(first, last + 1):
                self.chunk(number)
        return row

    def imports(self, first: int, last: int) -> tuple[str, ...]:
        return tuple(map(self._redactor.name, self._corpus.imports(first, last)))

    def outline(self, number: int) -> Outline | None:
        return self._cleaned.outline(number) if self._redactor.active else self._corpus.outline(number)

    def symbols(self, pattern: str | None, *, limit: int) -> list[SymbolRow]:
        """Definitions whose names are no secrets; those that are one, or hold one, go by what is left."""
        rows = self._corpus.symbols(pattern, limit=limit)
        name = self._redactor.name
        return [replace(row, name=name(row.name), qualified=name(row.qualified)) for row in rows]

    def counts(self, shown: Iterable[Span]) -> dict[str, int] | None:
        """What was taken out of the chunks that overlap the lines shown, by kind; None when nothing is redacted."""
        if not self._redactor.counts:  # nearly always
            return self._redactor.counts_at(())
        lines: dict[str, list[tuple[int, int]]] = {}
        for span in shown:
            lines.setdefault(span.file, []).append((span.start_line, span.end_line))
        return self._redactor.counts_at(
            row.id
            for row in self._rows.values()
            if any(start <= row.end_line and row.start_line <= end for start, end in lines.get(row.file, ()))
        )


def _clean(row: ChunkRow) -> tuple[ChunkRow, Mapping[str, int]]:
    """The row without secrets (the row itself where it holds none, which is nearly always), and how many it held."""
    found = redact(row.text, row.file, piece=True)
    symbol = None if row.symbol is None else redact(row.symbol).text  # a heading may hold one, or a name be one
    same = (found.text, symbol) == (row.text, row.symbol)
    return row if same else replace(row, text=found.text, symbol=symbol), found.counts


def without_secrets(corpus: Corpus, redactor: Redactor, cleaned: Cleaned) -> tuple[Corpus, RedactedCorpus]:
    """The corpus as readers of code get it, and the same object as the account of what was taken out."""
    account = RedactedCorpus(corpus, redactor, cleaned)
    return cast("Corpus", account), account
