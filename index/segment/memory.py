"""What indexing may take of memory, and how it keeps to that: a few processes, blocks, columns that stand in files."""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from dataclasses import dataclass
from weakref import WeakSet

import numpy as np

from index.segment.columns import Array

DEFAULT_BYTES = 1_500_000_000
LEAST_BYTES = 400_000_000
# Measured: the process that writes the index, and a worker. What a worker takes grows with what it has read, up to a
# bound: caches of words, the pages of the model, what the allocator does not give back.
_OWN_BYTES = 200_000_000
_WORKER_BYTES, _WORKER_GROWTH, _GROWTH_BYTES = 80_000_000, 2, 120_000_000
_BLOCKS = 12  # a step holds a block in several forms


@dataclass(frozen=True, slots=True)
class Memory:
    """The bytes that all processes of one indexing may take together."""

    bytes: int = DEFAULT_BYTES

    @property
    def block(self) -> int:
        """The bytes of columns that a step works on at a time."""
        return self.bytes // _BLOCKS

    def workers(self, most: int, source: int) -> int:
        """How many of at most so many processes, at least 1, may read so many bytes of source at the same time."""
        for count in range(most, 1, -1):
            grown = min(_GROWTH_BYTES, _WORKER_GROWTH * source // count)
            if count * (_WORKER_BYTES + grown) <= self.bytes - _OWN_BYTES:
                return count
        return 1


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
