"""A corpus whose chunks hold no secrets: whoever reads code through it cannot show one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, cast

from context_pack.redaction import Redactor, redact

if TYPE_CHECKING:
    from context_pack.corpus import Corpus
    from index.types import ChunkRow, Outline


class Span(Protocol):
    """Some lines of a file: an item, a hit or a chunk. Lines are 1-based and inclusive."""

    @property
    def file(self) -> str: ...

    @property
    def start_line(self) -> int: ...

    @property
    def end_line(self) -> int: ...


class RedactedCorpus:
    """The corpus with the text and the imports of its chunks redacted; everything else is the corpus's own."""

    def __init__(self, corpus: Corpus, redactor: Redactor) -> None:
        self._corpus, self._redactor = corpus, redactor
        self._rows: dict[int, ChunkRow] = {}
        self._outlines: dict[int, Outline | None] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._corpus, name)

    def chunk(self, number: int) -> ChunkRow:
        """One chunk; what is taken out of it is counted once, however often it is read."""
        if number not in self._rows:
            row = self._corpus.chunk(number)
            text = self._redactor.text(row.text, row.file, row.id, piece=True)
            self._rows[number] = _with(row, text, tuple(map(self._redactor.name, row.imports)))
        return self._rows[number]

    def span(self, first: int, last: int) -> ChunkRow:
        """Neighbouring chunks as one row; what is taken out is counted where the chunks are."""
        return self._clean(self._corpus.span(first, last))

    def outline(self, number: int) -> Outline | None:
        if number not in self._outlines:
            found = self._corpus.outline(number)
            self._outlines[number] = None if found is None else replace(found, row=self._clean(found.row))
        return self._outlines[number]

    def _clean(self, row: ChunkRow) -> ChunkRow:
        """The row without secrets, not counted: it repeats chunks."""
        if not self._redactor.active:
            return row
        text = redact(row.text, row.file, piece=True).text
        return _with(row, text, tuple(map(self._redactor.name, row.imports)))

    def counts(self, shown: Iterable[Span]) -> dict[str, int] | None:
        """What was taken out of the chunks that overlap the lines shown, by kind; None when nothing is redacted."""
        lines: dict[str, list[tuple[int, int]]] = {}
        for span in shown:
            lines.setdefault(span.file, []).append((span.start_line, span.end_line))
        return self._redactor.counts_at(
            row.id
            for row in self._rows.values()
            if any(start <= row.end_line and row.start_line <= end for start, end in lines.get(row.file, ()))
        )


def _with(row: ChunkRow, text: str, imports: tuple[str, ...]) -> ChunkRow:
    """The row with this text and these imports; the row itself where they are its own, which is nearly always."""
    return row if (text, imports) == (row.text, row.imports) else replace(row, text=text, imports=imports)


def without_secrets(corpus: Corpus, redactor: Redactor) -> tuple[Corpus, RedactedCorpus]:
    """The corpus as readers of code get it, and the same object as the account of what was taken out."""
    account = RedactedCorpus(corpus, redactor)
    return cast("Corpus", account), account
