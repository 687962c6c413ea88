"""What indexing may take of memory, and how it keeps to that: a few processes, blocks, columns that stand in files."""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from weakref import WeakSet

import numpy as np

from contracts.frozen import frozen
from index.segment.columns import Array
from index.types import MEMORY_BYTES

# Measured: the process that writes the index, and a worker of it, which grows with each byte of source that it reads:
# caches of words, what the allocator and the binding of tree-sitter do not give back. So no worker reads for ever.
_OWN_BYTES, _WORKER_BYTES, _WORKER_GROWTH = 120_000_000, 80_000_000, 2
_LEAST_READ, _MOST_READ = 8_000_000, 64_000_000  # the former takes a hundred times as long as to start a worker
# Fitted to trees of 4.1 and 7.6 million lines: vocabularies, definitions and edges are held whole.
_TREE_BYTES, _TREE_GROWTH = 180_000_000, 1.5
_BLOCKS = 12  # a step holds a block in several forms


@frozen
class Memory:
    """The bytes that all processes of one indexing may take together."""

    bytes: int = MEMORY_BYTES

    @property
    def block(self) -> int:
        """The bytes of columns that a step works on at a time."""
        return self.bytes // _BLOCKS

    def workers(self, most: int, source: int) -> int:
        """How many of at most so many processes, at least 1, may read so many bytes of source at the same time."""
        for count in range(most, 1, -1):
            if count * (_WORKER_BYTES + _WORKER_GROWTH * min(_LEAST_READ, source // count)) <= self.bytes - _OWN_BYTES:
                return count
        return 1

    def reads(self, workers: int) -> int:
        """The bytes of source that each of so many workers may read before another takes its place."""
        left = (self.bytes - _OWN_BYTES) // workers - _WORKER_BYTES
        return min(max(_LEAST_READ, left // _WORKER_GROWTH), _MOST_READ)

    def exceeded_by(self, source: int) -> int:
        """What a tree of so many bytes of source may take where that is more than there is, else 0."""
        needed = int(_TREE_BYTES + _TREE_GROWTH * source)
        return needed if needed > self.bytes else 0


class MappedFiles:
    """Files that are memory-mapped to be read: what was read of them counts as memory until it is released."""

    def __init__(self) -> None:
        self._maps: WeakSet[mmap.mmap] = WeakSet()  # until nobody reads them

    def add(self, mapped: mmap.mmap) -> mmap.mmap:
        self._maps.add(mapped)
        return mapped

    def release(self) -> None:
        """Give back the pages; who reads them again gets them from the system's cache."""
        if hasattr(mmap, "MADV_DONTNEED"):
            for mapped in self._maps:
                mapped.madvise(mmap.MADV_DONTNEED)


class Workspace:
    """Where columns are made; this one makes them in memory."""

    block = Memory().block

    def keep(self, name: str, pieces: Iterable[Array]) -> Array:
        """The pieces, at least one, as one array."""
        pieces = list(pieces)
        return np.concatenate(pieces) if len(pieces) != 1 else pieces[0]

    def release(self) -> None:
        """Give back memory of what has been read, and will be read again from where it stands."""


IN_MEMORY = Workspace()
