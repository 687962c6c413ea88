"""Finds the code that names most types of a kind, where one more is likely to be registered: a switch, a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from index.collection.collection import Collection
from index.segment.columns import Array
from index.types import ChunkId

MIN_NAMED, NAMED_SHARE = 3, 3  # a registry names at least three types and one in three; of two types, both
MAX_TYPES = 300  # types whose users are read
_USES = ("calls", "uses")


def registry(collection: Collection, types: Sequence[ChunkId], allowed: Array) -> list[ChunkId]:
    """The chunk of code in `allowed` files (bool[files]) that uses or constructs most of these types and their
    subtypes; of code in several chunks, the one with most of them. Empty if no code outside of them has enough of
    them."""
    every = _with_subtypes(collection, types)
    own = {part for one in every for part in collection.parts_of(one)}
    named: dict[ChunkId, set[ChunkId]] = defaultdict(set)
    for one in every:
        for target in (one, *collection.constructors_of(one)):
            for other, label in collection.edges_in.neighbours(target):
                if label in _USES and other not in own:
                    named[ChunkId(other)].add(one)
    wholes: dict[int, set[ChunkId]] = defaultdict(set)
    for user, targets in named.items():
        is_shown = allowed[collection.file_of(user)] and not collection.cells.imports_only[user]
        if is_shown and collection.is_code(user):
            wholes[collection.parts_of(user).start] |= targets
    best = min(wholes, key=lambda whole: (-len(wholes[whole]), whole), default=None)
    least = max(min(MIN_NAMED, len(every)), -(-len(every) // NAMED_SHARE))
    if best is None or len(wholes[best]) < least:
        return []
    parts = map(ChunkId, collection.parts_of(ChunkId(best)))
    return [max(parts, key=lambda part: (len(named.get(part, ())), -part))]


def _with_subtypes(collection: Collection, types: Sequence[ChunkId]) -> list[ChunkId]:
    """Types, then the subtypes of each that has any, and theirs, each once."""
    every = dict.fromkeys(types)
    queue = [*types]
    for one in queue:  # which grows
        new = [other for other in collection.subtypes_of(one) if other not in every]
        every.update(dict.fromkeys(new))
        queue += new if len(every) < MAX_TYPES else ()
    return [*every][:MAX_TYPES]
