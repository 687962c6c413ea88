"""Which files a query may see at all. Filters come before ranking: a filtered query is never empty for want of rank."""

from __future__ import annotations

import numpy as np

from index.columns import Array
from index.corpus import Corpus
from index.types import Filters


def allowed_files(corpus: Corpus, filters: Filters) -> Array:
    """bool[files]: has chunks, and passes every filter."""
    allowed = corpus.chunk_counts > 0
    if filters == Filters():
        return allowed
    paths = corpus.snapshot.strings("file.path").to_list()
    if filters.languages:
        wanted = {language.lower() for language in filters.languages}
        spoken = corpus.snapshot.strings("file.language").to_list()
        allowed = allowed & np.array([language in wanted for language in spoken], bool)
    if filters.docs == "skip":
        allowed = allowed & (corpus.static["prose"] == 0)
    if filters.include or filters.exclude:
        from index.ignore import Rules

        if filters.include:
            rules = Rules(glob.encode() for glob in filters.include)
            allowed = allowed & np.array([rules.matches(path.encode()) for path in paths], bool)
        if filters.exclude:
            rules = Rules(glob.encode() for glob in filters.exclude)
            allowed = allowed & ~np.array([rules.matches(path.encode()) for path in paths], bool)
    return allowed


def allowed_paths(corpus: Corpus, allowed: Array) -> list[str]:
    """The paths of these files."""
    paths = corpus.snapshot.strings("file.path")
    return [paths[number] for number in np.flatnonzero(allowed).tolist()]
