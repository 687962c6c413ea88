"""Reads one generation: a folder with `arrays.bin`, which is memory-mapped, and `manifest.json`.

A generation never changes once it is published. Deleting it loses nothing but the time to build it again.
"""

from __future__ import annotations

import mmap
import os
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from errno import ELOOP
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import orjson

from contracts.errors import IndexCorrupt
from contracts.frozen import frozen
from index.generation.private import open_plain, open_private
from index.segment.columns import Array, Segment, Strings

if TYPE_CHECKING:
    from index.segment.memory import MappedFiles

INDEX_FORMAT = 49  # increased whenever the same tree may give other arrays
LARGE = ("file.text/blob", "chunk.vector")  # more than half of all bytes; each file of the tree has its own checksums
_REBUILD = "run `ctxpack index` to set it aside and rebuild it"


@frozen
class Manifest:
    """The metadata of the arrays; the builder is free to put anything in `about` (coverage, counts)."""

    generation: int
    model_id: str
    dimensions: int
    about: dict[str, Any]


def file_checks(segment: Segment, files: Iterable[int]) -> Array:
    """uint32[files, 2]: the checksums of the large columns' rows of each of these files."""
    text, vectors = segment.strings("file.text"), segment.array("chunk.vector")
    chunks, bounds = segment.rows["chunk"].tolist(), text.offsets.tolist()
    checks = [
        (
            zlib.crc32(raw_bytes(text.blob[bounds[file] : bounds[file + 1]])),
            zlib.crc32(raw_bytes(vectors[chunks[file] : chunks[file + 1]])),
        )
        for file in files
    ]
    return np.array(checks, np.uint32).reshape(-1, 2)


def array_at(data: Any, dtype: str, shape: Sequence[int], offset: int) -> Array:
    count = int(np.prod(shape))
    return np.frombuffer(data, dtype, count, offset).reshape(shape) if count else np.zeros(shape, dtype)


def raw_bytes(values: Array) -> Any:
    """The bytes of an array, without a copy if it is contiguous."""
    return np.ascontiguousarray(values).view(np.uint8).reshape(-1).data if values.size else b""


class Snapshot:
    """A published generation, memory-mapped and read-only. Array objects are created on first use."""

    def __init__(self, folder: Path) -> None:
        document = _manifest(folder)
        self.folder = folder
        self.manifest = Manifest(*(document[name] for name in Manifest.__match_args__))
        self._placements: dict[str, list[Any]] = document["arrays"]
        self._crc32: int = document["crc32"]
        with _opened(folder, "arrays.bin") as file:
            status = os.fstat(file.fileno())
            self._size, self._stamp = status.st_size, status.st_mtime_ns
            if self._size != (written := document["bytes"]):
                raise corrupt(folder, f"arrays.bin has {self._size:,} bytes where {written:,} were written")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if self._size else b""
        self._is_as_written = self._stamp == document["stamp"]
        self._arrays: dict[str, Array] = {}

    def array(self, name: str) -> Array:
        """A read-only view of one array; raises KeyError if the generation has none of that name."""
        values = self._arrays.get(name)
        if values is None:
            values = self._arrays[name] = array_at(self._map, *self._placements[name])
        return values

    def read_through(self, files: MappedFiles) -> None:
        """Add the arrays to `files`, whose pages are released together."""
        if isinstance(self._map, mmap.mmap):
            files.add(self._map)

    def strings(self, name: str) -> Strings:
        return Strings(self.array(f"{name}/blob"), self.array(f"{name}/offsets"))

    @cached_property
    def segment(self) -> Segment:
        """The columns of the generation, without the arrays derived from them."""
        return Segment.of(self.array)

    def restamp(self, sizes: Array, stamps: Array) -> None:
        """Replace the recorded file sizes and mtimes, int64[files] each, in memory only."""
        changed = {"file.size": sizes, "file.mtime_ns": stamps}
        self.segment = replace(self.segment, columns={**self.segment.columns, **changed})

    def is_trusted(self) -> bool:
        """Whether nobody wrote to the arrays since they were created, or they are intact nevertheless.

        Arrays that somebody wrote to (or copied) are read completely, once: the file `intact` then records the result.
        """
        if self._is_as_written:
            return True
        note, state = self.folder / "intact", b"%d %d\n" % (self._stamp, self._size)
        with suppress(OSError), open(note, "rb", opener=open_plain) as file:  # usually it does not exist yet
            if file.read(len(state) + 1) == state:
                return True
        if not self.is_intact():
            return False
        with suppress(OSError), open(note, "wb", opener=open_private) as file:
            file.write(state)  # if the index is not writable, the next run reads it again
        return True

    def is_intact(self) -> bool:
        """Whether the arrays still have the checksums that they were written with. Reads everything."""
        try:
            return self._has_checksums()
        except (ValueError, IndexError, OverflowError, MemoryError):  # invalid offsets
            return False

    def _has_checksums(self) -> bool:
        checksum = 0
        for name in sorted(self._placements.keys() - set(LARGE), key=lambda name: (self._placements[name][2], name)):
            checksum = zlib.crc32(raw_bytes(self.array(name)), checksum)
        if checksum != self._crc32:
            return False
        return np.array_equal(file_checks(self.segment, range(self.segment.files)), self.array("check"))


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        with _opened(folder, "manifest.json") as file:
            document = orjson.loads(file.read())
        written, check = document["format"], document.pop("check", None)
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise corrupt(folder, "manifest.json is not readable") from error
    is_intact = check == zlib.crc32(orjson.dumps(document))
    if written != INDEX_FORMAT and (is_intact or check is None):  # the oldest formats have no checksum
        raise IndexCorrupt(
            f"the index in {folder} has format {written}; this ctxpack reads format {INDEX_FORMAT}",
            hint="use the ctxpack version that wrote it, or rebuild it with `ctxpack index`",
            details={"folder": str(folder), "format": written},
        )
    if not is_intact:
        raise corrupt(folder, "manifest.json does not match its checksum")
    return document


def _opened(folder: Path, name: str) -> BinaryIO:
    """One of our files. IndexCorrupt if it is missing or a link, OSError."""
    try:
        return open(folder / name, "rb", opener=open_plain)
    except FileNotFoundError as error:
        raise corrupt(folder, f"{name} is missing") from error
    except OSError as error:
        if error.errno != ELOOP:
            raise
        raise corrupt(folder, "one of its files is a link") from error


def corrupt(folder: Path, what: str) -> IndexCorrupt:
    return IndexCorrupt(f"the index in {folder} is damaged: {what}", hint=_REBUILD, details={"folder": str(folder)})
