"""Which files a query may see at all. Filters come before ranking: a filtered query is never empty for want of rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from index.collection.collection import Corpus
from index.segment.columns import Array
from index.types import Filters


def allowed_files(corpus: Corpus, filters: Filters) -> Array:
    """bool[files]: has chunks, and passes every filter."""
    allowed = corpus.files.chunk_count > 0
    if filters == Filters():
        return allowed
    if filters.languages:
        wanted = {language.lower() for language in filters.languages}
        allowed = allowed & np.array([language in wanted for language in corpus.files.languages], bool)
    if filters.docs == "skip":
        allowed = allowed & (corpus.static["prose"] == 0)
    if filters.include:
        allowed = allowed & _matching(corpus, filters.include)
    if filters.exclude:
        allowed = allowed & ~_matching(corpus, filters.exclude)
    return allowed


def _matching(corpus: Corpus, globs: Sequence[str]) -> Array:
    """bool[files]: matches one of the globs."""
    from index.tree.ignore import Rules

    rules = Rules(glob.encode() for glob in globs)
    return np.array([rules.matches(path.encode()) for path in corpus.files.paths], bool)
