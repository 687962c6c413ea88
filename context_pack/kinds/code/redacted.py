"""A corpus whose chunks contain no secrets, so that no reader of it can show one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from context_pack.answer import Answer, Stages
from context_pack.kinds.code.corpus import Corpus
from context_pack.redaction import Paths, Redactor, redact
from contracts.errors import CtxpackError
from contracts.records import Hint, Item
from index.types import ChunkRow, FilePlace, Grade, Outline, SymbolRow

if TYPE_CHECKING:
    from contracts.reports import Hit

T = TypeVar("T")
# The members of an index that return definitions.
DEFINITIONS = frozenset({"symbols", "defined", "defined_at", "defined_in", "fields", "implementers", "namesakes"})
MAX_CLEAN_ROWS = 4_096  # clean rows that a session caches: many questions show the same chunks


class CleanRow:
    """Neighbouring chunks as a row without secrets, nearly always the row itself, and its redactions by kind.

    Without `paths`, nothing is redacted.
    """

    def __init__(self, corpus: Corpus, paths: Paths | None, first: int, last: int) -> None:
        self._corpus, self._paths, self._chunks = corpus, paths, (first, last)
        self.row, self.counts = corpus.span(first, last), cast("Mapping[str, int]", {})
        if paths is not None:
            self._redact(self.row, paths)

    def _redact(self, row: ChunkRow, paths: Paths) -> None:
        clean, symbol = redact(row.text, row.file, piece=True), _clean_symbol(row.symbol)
        file = paths.shown(row.file)
        if (clean.text, symbol, file) != (row.text, row.symbol, row.file):
            self.row = replace(row, text=clean.text, symbol=symbol, file=file)
        self.counts = clean.counts

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """The import statements that the chunks use, without secrets."""
        imports = self._corpus.imports(*self._chunks)
        return tuple(map(self._paths.text, imports)) if self._paths else imports


def _clean_symbol(symbol: str | None) -> str | None:
    """The name of a symbol without secrets: a heading may hold one, a name may be one."""
    return None if symbol is None else redact(symbol).text


class RedactedCorpus:
    """A corpus with the texts, the names, the imports and the paths redacted; everything else is passed through.

    It takes paths as it shows them, and as they are. In a `with` block, errors contain no secrets either. `clean_row`
    returns the clean row of the chunks from the first to the last; None turns redaction off.
    """

    def __init__(self, corpus: Corpus, paths: Paths, clean_row: Callable[[int, int], CleanRow] | None) -> None:
        self._corpus, self._paths = corpus, paths
        self.redactor = Redactor(clean_row is not None, paths)
        self._clean_row = clean_row or cache(partial(CleanRow, corpus, None))
        self._rows: dict[int, ChunkRow] = {}

    @property
    def corpus(self) -> Corpus:
        """This object as a `Corpus`."""
        return cast("Corpus", self)

    def __enter__(self) -> tuple[Corpus, RedactedCorpus]:
        return self.corpus, self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, CtxpackError):
            self.redactor.clean(error)

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._corpus, name)
        if name in DEFINITIONS:
            return self._shown_rows(member)  # which refers to this object, and so is not kept in it
        self.__dict__[name] = member  # a pack needs it thousands of times
        return member

    def chunk(self, number: int) -> ChunkRow:
        """One chunk; its redactions are counted once, however often it is read."""
        if number not in self._rows:
            clean = self._clean_row(number, number)
            if clean.counts:
                self.redactor.count(clean.counts, clean.row.id)
            self._rows[number] = clean.row
        return self._rows[number]

    def span(self, first: int, last: int) -> ChunkRow:
        """Neighbouring chunks as one row; redactions are counted by chunk, as everywhere."""
        if first == last:
            return self.chunk(first)
        clean = self._clean_row(first, last)
        if clean.counts:
            for number in range(first, last + 1):
                self.chunk(number)
        return clean.row

    def path_of(self, number: int) -> str:
        """The path of a chunk's file as it is shown; of most places, no text is read."""
        path = self._corpus.path_of(number)
        return self._paths.shown(path) if self.redactor.active else path

    def symbol(self, number: int) -> tuple[str | None, str]:
        """The name and the kind of a chunk's symbol; of most places, no text is read."""
        symbol, kind = self._corpus.symbol(number)
        return _clean_symbol(symbol) if self.redactor.active else symbol, kind

    def imports(self, first: int, last: int) -> tuple[str, ...]:
        return self._clean_row(first, last).imports

    def outline(self, number: int) -> Outline | None:
        outline = self._corpus.outline(number)
        return None if outline is None else replace(outline, row=self._clean_row(number, outline.numbers[-1]).row)

    def _shown_rows(self, rows_of: Callable[..., list[SymbolRow]]) -> Callable[..., list[SymbolRow]]:
        return lambda *arguments, **options: [self._shown(row) for row in rows_of(*arguments, **options)]

    def _shown(self, row: SymbolRow) -> SymbolRow:
        """A definition; a name that contains a secret, or is one, is redacted."""
        name = self.redactor.name
        return replace(row, name=name(row.name), qualified=name(row.qualified), file=self.redactor.path(row.file))

    def chunks_of_file(self, file: str) -> list[int]:
        return self._corpus.chunks_of_file(self._paths.real(file))

    def places(self, text: str) -> list[FilePlace]:
        places = self._corpus.places(self._paths.real(text))
        return [replace(place, file=self.redactor.path(place.file)) for place in places]

    def answer(
        self, data: T, hints: Iterable[Hint], stages: Stages, counts: Mapping[str, int] | None = None,
        grade: Grade | None = None,
    ) -> Answer[T]:  # fmt: skip
        """An answer whose hints and grade contain no secrets."""
        if grade is not None:
            grade = replace(grade, reason=self.redactor.name(grade.reason))
        return Answer(data, self.redactor.hints(hints), stages.durations_ms(), counts, grade)

    def counts(self, shown: Iterable[Item | Hit], *, content: bool = True) -> dict[str, int] | None:
        """Redactions by kind in the shown paths and, with `content`, in the chunks that overlap the shown lines.

        None if redaction is off.
        """
        lines: dict[str, list[tuple[int, int]]] = {}
        for span in shown:
            lines.setdefault(span.file, []).append((span.start_line, span.end_line))
        for file in lines:
            self.redactor.path(self._paths.real(file))
        if not self.redactor.counts:  # nearly always
            return self.redactor.counts_at(())
        rows = [
            row.id
            for row in self._rows.values()
            if any(start <= row.end_line and row.start_line <= end for start, end in lines.get(row.file, ()))
        ]
        return self.redactor.counts_at((*lines, *rows) if content else lines)
