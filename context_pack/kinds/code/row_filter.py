"""The filters of a question, for chunks that no search has found."""

from __future__ import annotations

from collections.abc import Callable

from chunker.languages.table import LANGUAGES
from index.types import ChunkRow, Filters


def row_filter(filters: Filters) -> Callable[[ChunkRow], bool]:
    """Whether a chunk passes the filters."""
    from index.tree.ignore import Rules

    include, exclude = (Rules([glob.encode() for glob in globs]) for globs in (filters.include, filters.exclude))
    languages = frozenset(language.lower() for language in filters.languages)

    def passes(row: ChunkRow) -> bool:
        path, language = row.file.encode(), LANGUAGES.get(row.language)
        return (
            (not filters.include or include.matches(path))
            and not (filters.exclude and exclude.matches(path))
            and not (filters.docs == "skip" and language is not None and language.prose)
            and (not languages or row.language in languages)
        )

    return passes
