"""The memory limit of indexing, and how it is kept: few processes, work in blocks, columns in files."""

from __future__ import annotations

import mmap
import sys
from collections.abc import Iterable
from weakref import WeakSet

import numpy as np

from contracts.frozen import frozen
from index.segment.columns import Array
from index.types import MEMORY_BYTES

# Measured: the process that writes the index, a worker, and what a worker grows by per byte of source that it reads:
# caches of words, and memory that the allocator and tree-sitter's binding do not release. So workers are replaced.
_OWN_BYTES, _WORKER_BYTES, _WORKER_GROWTH = 120_000_000, 80_000_000, 2
_MIN_READ, _MAX_READ = 8_000_000, 64_000_000  # reading the former takes a hundred times as long as starting a worker
# Fitted to trees of 4.1 and 7.6 million lines: vocabularies, definitions and edges are entirely in memory.
_TREE_BYTES, _TREE_GROWTH = 180_000_000, 1.5
_BLOCKS = 12  # a step holds a block in several forms


@frozen
class Memory:
    """The memory, in bytes, that all processes of one indexing run may take together."""

    bytes: int = MEMORY_BYTES

    @property
    def block(self) -> int:
        """The bytes of columns that a step works on at a time."""
        return self.bytes // _BLOCKS

    def workers(self, most: int, source: int) -> int:
        """How many processes, from 1 to `most`, may read `source` bytes of source code at the same time."""
        for count in range(most, 1, -1):
            if count * (_WORKER_BYTES + _WORKER_GROWTH * min(_MIN_READ, source // count)) <= self.bytes - _OWN_BYTES:
                return count
        return 1

    def reads(self, workers: int) -> int:
        """The bytes of source code that each of the workers may read before it is replaced."""
        left = (self.bytes - _OWN_BYTES) // workers - _WORKER_BYTES
        return min(max(_MIN_READ, left // _WORKER_GROWTH), _MAX_READ)

    def exceeded_by(self, source: int) -> int:
        """The bytes of memory that a tree of `source` bytes may take, if that is more than the limit, else 0."""
        needed = int(_TREE_BYTES + _TREE_GROWTH * source)
        return needed if needed > self.bytes else 0


class MappedFiles:
    """Memory-mapped files that are being read; pages that were read count as memory until they are released."""

    def __init__(self) -> None:
        self._maps: WeakSet[mmap.mmap] = WeakSet()  # until nothing uses them

    def add(self, mapped: mmap.mmap) -> mmap.mmap:
        self._maps.add(mapped)
        return mapped

    def release(self) -> None:
        """Release the pages; reading them again takes them from the system's cache."""
        if sys.platform != "win32":
            for mapped in self._maps:
                mapped.madvise(mmap.MADV_DONTNEED)


class Workspace:
    """The place where columns are built; this one builds them in memory."""

    block = Memory().block

    def keep(self, name: str, pieces: Iterable[Array]) -> Array:
        """Join the pieces, at least one, into one array."""
        pieces = list(pieces)
        return np.concatenate(pieces) if len(pieces) != 1 else pieces[0]

    def release(self) -> None:
        """Release the memory of data that can be read again from its file."""


IN_MEMORY = Workspace()
