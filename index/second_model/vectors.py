"""A transformer's chunk vectors: the append-only file of one model in an index home, the vectors of one generation, and
how near each chunk is to a query.

    header    16 bytes: magic with the format's number, then the dimensions (uint32, little-endian)
    records   16 bytes: the hash of the chunk's document, then its vector as float16[dimensions]

A record never changes once it is written: readers map the file while it grows and need no lock. An incomplete record at
the end, which a killed writer left, is ignored. `fill` allows one writer at a time. Float16 changes a cosine by less
than 0.001.
"""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from functools import cache, cached_property
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from index.embed.models import ModelSpec, cache_key
from index.embed.transformer import SentenceTransformerEmbedder
from index.generation.private import make_private, open_plain, open_private
from index.generation.store import model_home
from index.search.signals.files import second_dense
from index.segment.columns import Array, Segment
from index.types import VectorCoverage

FOLDER = "vectors"
MIN_VECTORS = 200  # vectors that are enough for a signal, or all of a small tree
KEY_BYTES = 16
_MAGIC = b"ctxvectors-1"
_HEADER = struct.Struct("<12sI")


def record_type(dimensions: int) -> np.dtype[Any]:
    """The type of a record in the file."""
    return np.dtype([("key", f"V{KEY_BYTES}"), ("vector", "<f2", (dimensions,))])


class VectorFile:
    """The vectors of one model, by the hash of the document that each was computed from."""

    def __init__(self, path: Path, dimensions: int) -> None:
        self.path = path
        self.dimensions = dimensions
        self._record = record_type(dimensions)

    def identity(self) -> int:
        """A number that changes when the file is replaced; 0 if it does not exist."""
        try:
            return self.path.stat().st_ino
        except OSError:
            return 0

    def records(self, first: int = 0) -> Array:
        """(key, vector) from record `first` on, mapped; empty if there is no valid file."""
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
        """The hashes of all records."""
        return set(self.records()["key"].tolist())

    def append(self, keys: Sequence[bytes], vectors: Array) -> None:
        """Append float32 or float16 [n, d], one row per key; returns when they are on the disk."""
        make_private(self.path.parent)
        with open(self.path, "a+b", opener=open_private) as file:
            count = self._count(file)
            file.truncate(_HEADER.size + count * self._record.itemsize if count >= 0 else 0)
            if count < 0:
                file.write(_HEADER.pack(_MAGIC, self.dimensions))
            records = np.zeros(len(keys), self._record)
            records["key"] = np.frombuffer(b"".join(keys), f"V{KEY_BYTES}")
            records["vector"] = vectors
            file.write(records.tobytes())
            file.flush()
            os.fsync(file.fileno())

    def rewrite(self, wanted: set[bytes]) -> None:
        """Keep only the records of these keys. Readers continue with the file that they have open."""
        records = self.records()
        rows = [row for row, key in enumerate(records["key"].tolist()) if key in wanted]
        temporary = self.path.with_name(f"{self.path.name}.next")
        with open(temporary, "wb", opener=open_private) as file:
            file.write(_HEADER.pack(_MAGIC, self.dimensions) + records[rows].tobytes())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self.path)

    def _count(self, file: BinaryIO) -> int:
        """The number of complete records in the file; -1 if its header is not ours or has other dimensions."""
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        if file.read(_HEADER.size) != _HEADER.pack(_MAGIC, self.dimensions):
            return -1
        return (size - _HEADER.size) // self._record.itemsize


def vector_file(home: Path, spec: ModelSpec) -> VectorFile:
    """The file of a model's vectors in an index home. Other weights under the same name have a file of their own."""
    place = model_home(home / FOLDER, cache_key(spec))
    return VectorFile(place.with_name(f"{place.name}.bin"), spec.dimensions)


def document(segment: Segment, file: int, chunk: int) -> str:
    """The text that a transformer reads for a chunk: its file's path, a newline and its text."""
    start, end = (int(segment.array(f"chunk.{side}_byte")[chunk]) for side in ("start", "end"))
    text = segment.strings("file.text").raw(file)[start:end].decode("utf-8", "replace")
    return f"{segment.strings('file.path')[file]}\n{text}"


def chunk_keys(segment: Segment) -> list[bytes]:
    """The hash of each chunk's document."""
    paths, texts = segment.strings("file.path"), segment.strings("file.text")
    starts, ends = (segment.array(f"chunk.{side}_byte").tolist() for side in ("start", "end"))
    keys: list[bytes] = []
    for file, (first, end) in enumerate(pairwise(segment.rows["chunk"].tolist())):
        path, text = f"{paths[file]}\n".encode("utf-8", "surrogatepass"), texts.raw(file)
        documents = (path + text[starts[chunk] : ends[chunk]] for chunk in range(first, end))
        keys += [blake2b(one, digest_size=KEY_BYTES).digest() for one in documents]
    return keys


class ChunkVectors:
    """`covered` is bool[chunks], `matrix` float32[chunks, d] with zeros where a chunk is not covered."""

    def __init__(self, segment: Segment, file: VectorFile) -> None:
        self._segment = segment
        self._file = file
        self._identity = -1
        self._read = 0  # records
        self.covered: Array = np.zeros(int(segment.rows["chunk"][-1]), bool)

    @cached_property
    def matrix(self) -> Array:
        return np.zeros((len(self.covered), self._file.dimensions), np.float32)

    @property
    def count(self) -> int:
        return int(np.count_nonzero(self.covered))

    @property
    def enough(self) -> bool:
        """Whether there are enough vectors to know what is usual: the first few are all of the most used files."""
        return self.count >= max(1, min(MIN_VECTORS, len(self.covered)))

    def catch_up(self) -> None:
        """Read the records that were added to the file since the last call."""
        identity = self._file.identity()
        if identity != self._identity:  # a rewritten file has the same vectors in another order
            self._identity, self._read = identity, 0
        records = self._file.records(self._read)
        self._read += len(records)
        keys = records["key"].tolist()
        places = [(row, chunk) for row, key in enumerate(keys) for chunk in self._chunks_of.get(key, ())]
        if places:
            rows, chunks = map(list, zip(*places, strict=True))
            self.matrix[chunks] = records["vector"][rows]
            self.covered[chunks] = True

    @cached_property
    def _chunks_of(self) -> dict[bytes, list[int]]:
        """The chunks of each key: usually one, but equal chunks of one file have the same key."""
        chunks: dict[bytes, list[int]] = {}
        for chunk, key in enumerate(chunk_keys(self._segment)):
            chunks.setdefault(key, []).append(chunk)
        return chunks


class SecondModel:
    """A transformer and its vectors of one generation.

    With `waits`, the first question after there are enough vectors waits for the model, which takes seconds to load.
    Without it, as in a server, questions are answered without the model until it is loaded.
    """

    def __init__(self, spec: ModelSpec, home: Path, segment: Segment, *, waits: bool) -> None:
        self.spec = spec
        self.waits = waits
        self.vectors = ChunkVectors(segment, vector_file(home, spec))
        self.vectors.catch_up()
        self._model: Future[SentenceTransformerEmbedder] | None = None
        self._used = False

    @property
    def coverage(self) -> VectorCoverage:
        """How many chunks have a vector, and whether the last answer used them."""
        error = self._model.exception() if self._model is not None and self._model.done() else None
        problem = getattr(error, "message", f"{type(error).__name__}: {error}") if error is not None else ""
        return VectorCoverage(self.spec.model_id, len(self.vectors.covered), self.vectors.count, self._used, problem)

    def signal(self, text: str) -> Array | None:
        """float32[chunks], standardised like `dense`; None while vectors are too few or the model is not loaded."""
        if not self.waits:
            self.vectors.catch_up()
        self._model = model = _loading(self.spec) if self.vectors.enough else None
        self._used = model is not None and (self.waits or (model.done() and model.exception() is None))
        if model is None or not self._used:
            return None
        return second_dense(self.vectors.matrix, self.vectors.covered, model.result().embed_query(text))


@cache  # once for all repositories of this process
def _loading(spec: ModelSpec) -> Future[SentenceTransformerEmbedder]:
    """The model, which a thread loads."""
    loading = Future[SentenceTransformerEmbedder]()

    def load() -> None:
        try:
            loading.set_result(SentenceTransformerEmbedder(spec))
        except Exception as error:  # from torch and its libraries: an answer without the model is better than none
            loading.set_exception(error)

    threading.Thread(target=load, name=f"load {spec.name}", daemon=True).start()
    return loading
