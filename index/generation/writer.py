"""Writes a generation: columns, the arrays derived from them, and the manifest."""

from __future__ import annotations

import mmap
import os
import sys
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from contracts.records import as_data
from index.generation.private import open_private
from index.generation.reader import INDEX_FORMAT, LARGE, Manifest, array_at, raw_bytes
from index.segment.columns import Array, Segment
from index.segment.memory import MappedFiles, Memory, Workspace

_SMALL = 1_000_000  # bytes: a smaller array stays in memory while its generation is written
_READ_BYTES = 32_000_000  # bytes written before the pages of mapped files are released
_ALIGN = 64  # a cache line, which suits numpy's vector loads


class SnapshotWriter(Workspace):
    """Writes one generation into an existing empty folder. An array that `keep` wrote can be read immediately.

    `files` are the mapped files that columns are read from; releasing their pages, too, limits the memory used.
    """

    def __init__(self, folder: Path, files: MappedFiles | None = None, memory: Memory | None = None) -> None:
        self._folder = folder
        self._files = files or MappedFiles()
        self.block = (memory or Memory()).block
        self._out = open(folder / "arrays.bin", "w+b", opener=open_private)  # noqa: SIM115 - closed in `close`
        self._placements: dict[str, list[Any]] = {}
        self._checksum = 0
        self._read = 0

    def keep(self, name: str, pieces: Iterable[Array]) -> Array:
        """Write the pieces, at least one, as one array and return it as it is in the file."""
        small = self._place(name, pieces)
        if small:  # without a map, which takes a file descriptor
            return super().keep(name, small)
        self._out.flush()
        dtype, shape, offset = self._placements[name]
        if sys.platform == "linux":  # the disk begins to write it while the next arrays are computed
            with suppress(OSError):  # of a kernel or a file system that takes no advice
                os.posix_fadvise(self._out.fileno(), offset, 0, os.POSIX_FADV_DONTNEED)
        before = offset % mmap.ALLOCATIONGRANULARITY
        size = self._out.tell() - offset + before
        view = mmap.mmap(self._out.fileno(), size, access=mmap.ACCESS_READ, offset=offset - before)
        return array_at(self._files.add(view), dtype, shape, before)

    def release(self) -> None:
        self._files.release()

    def finish(self, manifest: Manifest, segment: Segment, derived: Mapping[str, Array]) -> None:
        """Write all remaining arrays, then the manifest; the arrays are then on the disk.

        A power failure may damage the manifest, or the name of the generation, which their readers notice. Arrays are
        trusted without being read, so these must not be lost.
        """
        for name, values in sorted({**segment.arrays(), **derived}.items()):
            if name not in self._placements:
                self._place(name, [values])
        self._out.flush()
        document: dict[str, Any] = {
            "format": INDEX_FORMAT,
            **as_data(manifest),
            "bytes": self._out.tell(),
            "crc32": self._checksum,
            "stamp": os.fstat(self._out.fileno()).st_mtime_ns,
            "arrays": self._placements,
        }
        document["check"] = zlib.crc32(orjson.dumps(document))
        with open(self._folder / "manifest.json", "wb", opener=open_private) as out:
            out.write(orjson.dumps(document))
        os.fsync(self._out.fileno())
        self._out.close()

    def close(self) -> None:
        self._out.close()

    def _place(self, name: str, pieces: Iterable[Array]) -> list[Array]:
        """Write an array; returns its pieces if they are small together, else an empty list."""
        out = self._out
        out.write(b"\0" * (-out.tell() % _ALIGN))
        start, rows, written = out.tell(), 0, 0
        small: list[Array] = []
        for piece in pieces:
            raw = raw_bytes(piece)
            if name not in LARGE:
                self._checksum = zlib.crc32(raw, self._checksum)
            out.write(raw)
            rows, written = rows + len(piece), written + piece.nbytes
            small.append(piece)
            if written > _SMALL:
                small.clear()
            self._read += piece.nbytes
            if self._read > _READ_BYTES:
                self._read = 0
                self.release()
        self._placements[name] = [piece.dtype.str, [rows, *piece.shape[1:]], start]
        return small
