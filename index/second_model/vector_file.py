"""One model's chunk vectors beside an index: an append-only file that readers map while it grows.

    header    16 bytes: magic with the format's number, then the dimensions (uint32, little-endian)
    records   16 bytes: the hash of the chunk's document, then its vector as float16[dimensions]

A record is written once and stays as it is, so that a reader needs no lock; half a record at the end (a writer that was
killed) is not there. One writer at a time, which `fill` sees to. Float16 moves a cosine by less than 0.001.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from index.generation.private import make_private, open_plain, open_private
from index.segment.columns import Array

KEY_BYTES = 16
_MAGIC = b"ctxvectors-1"
_HEADER = struct.Struct("<12sI")


class VectorFile:
    """The vectors of one model, by the hash of the document that each was computed from."""

    def __init__(self, path: Path, dimensions: int) -> None:
        self.path = path
        self.dimensions = dimensions
        self._record = np.dtype([("key", f"V{KEY_BYTES}"), ("vector", "<f2", (dimensions,))])

    def identity(self) -> int:
        """A number that changes when the file is replaced; 0 where there is none."""
        try:
            return self.path.stat().st_ino
        except OSError:
            return 0

    def records(self, first: int = 0) -> Array:
        """(key, vector) from record `first` on, mapped; empty where there is no file of ours."""
        try:
            with open(self.path, "rb", opener=open_plain) as file:
                count = self._count(file)
                if count <= first:
                    return np.zeros(0, self._record)
                offset = _HEADER.size + first * self._record.itemsize
                return np.memmap(file, self._record, "r", offset, (count - first,))
        except OSError:
            return np.zeros(0, self._record)

    def keys(self) -> set[bytes]:
        """The hashes of everything that is there."""
        return set(keys_of(self.records()))

    def append(self, keys: Sequence[bytes], vectors: Array) -> None:
        """Add float32 or float16 [n, d], one row a key, and have it on the disk before this returns."""
        make_private(self.path.parent)
        with open(self.path, "r+b" if self.path.is_file() else "w+b", opener=open_private) as file:
            count = self._count(file)
            if count < 0:
                file.seek(0)
                file.write(_HEADER.pack(_MAGIC, self.dimensions))
            file.truncate(_HEADER.size + max(count, 0) * self._record.itemsize)
            file.seek(0, os.SEEK_END)
            records = np.zeros(len(keys), self._record)
            records["key"] = np.frombuffer(b"".join(keys), f"V{KEY_BYTES}")
            records["vector"] = vectors
            file.write(records.tobytes())
            file.flush()
            os.fsync(file.fileno())

    def rewrite(self, wanted: set[bytes]) -> None:
        """Keep the records of these keys alone. Readers go on with the file that they have open."""
        records = self.records()
        rows = [row for row, key in enumerate(keys_of(records)) if key in wanted]
        aside = self.path.with_name(f"{self.path.name}.next")
        with open(aside, "wb", opener=open_private) as file:
            file.write(_HEADER.pack(_MAGIC, self.dimensions))
            file.write(records[rows].tobytes())
            file.flush()
            os.fsync(file.fileno())
        aside.replace(self.path)

    def _count(self, file: BinaryIO) -> int:
        """How many whole records the file holds; -1 where its header is not ours or is of other dimensions."""
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        if file.read(_HEADER.size) != _HEADER.pack(_MAGIC, self.dimensions):
            return -1
        return (size - _HEADER.size) // self._record.itemsize


def keys_of(records: Array) -> list[bytes]:
    """The key of each record."""
    joined = np.ascontiguousarray(records["key"]).tobytes()
    return [joined[start : start + KEY_BYTES] for start in range(0, len(joined), KEY_BYTES)]
