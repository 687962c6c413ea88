"""Which files a query may see at all. Filters come before ranking: a filtered query is never empty for want of rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from index.collection.collection import Collection
from index.segment.columns import Array
from index.types import Filters


def allowed_files(collection: Collection, filters: Filters) -> Array:
    """bool[files]: has chunks, and passes every filter."""
    allowed = collection.files.chunk_count > 0
    if filters == Filters():
        return allowed
    if filters.languages:
        wanted = {language.lower() for language in filters.languages}
        allowed = allowed & np.array([language in wanted for language in collection.files.languages], bool)
    if filters.docs == "skip":
        allowed = allowed & (collection.static["prose"] == 0)
    if filters.include:
        allowed = allowed & _matching(collection, filters.include)
    if filters.exclude:
        allowed = allowed & ~_matching(collection, filters.exclude)
    return allowed


def _matching(collection: Collection, globs: Sequence[str]) -> Array:
    """bool[files]: matches one of the globs."""
    from index.tree.ignore import Rules

    rules = Rules(glob.encode() for glob in globs)
    return np.array([rules.matches(path.encode()) for path in collection.files.paths], bool)
