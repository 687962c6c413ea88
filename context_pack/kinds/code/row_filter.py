"""The filters of a question, for chunks that no search has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunker.languages.table import LANGUAGES
from index.types import ChunkRow, Filters

if TYPE_CHECKING:
    from index.tree.ignore import Rules


def row_filter(filters: Filters) -> RowFilter:
    from index.tree.ignore import Rules

    include, exclude = (
        Rules([glob.encode() for glob in globs]) if globs else None for globs in (filters.include, filters.exclude)
    )
    languages = frozenset(language.lower() for language in filters.languages)
    return RowFilter(include, exclude, languages, filters.docs == "skip")


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Whether a chunk passes the filters of a question."""

    include: Rules | None
    exclude: Rules | None
    languages: frozenset[str]
    no_docs: bool

    def __call__(self, row: ChunkRow) -> bool:
        path = row.file.encode()
        if self.include is not None and not self.include.matches(path):
            return False
        if self.exclude is not None and self.exclude.matches(path):
            return False
        language = LANGUAGES.get(row.language)
        if self.no_docs and language is not None and language.prose:
            return False
        return not self.languages or row.language in self.languages
