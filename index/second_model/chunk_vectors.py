"""The vectors of one generation's chunks, as far as they are computed."""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b

import numpy as np

from index.second_model.vector_file import KEY_BYTES, VectorFile, keys_of
from index.segment.columns import Array
from index.segment.segment import Segment

LEAST = 200  # vectors, or all of a small tree


def document_hash(text: str) -> bytes:
    """16 bytes that name a document's text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()


def document(segment: Segment, file: int, chunk: int) -> str:
    """What a transformer reads of a chunk: its file's path, a newline and its text."""
    start, end = (int(segment.array(f"chunk.{side}_byte")[chunk]) for side in ("start", "end"))
    text = segment.strings("file.text").raw(file)[start:end].decode("utf-8", "replace")
    return f"{segment.strings('file.path')[file]}\n{text}"


def chunk_keys(segment: Segment) -> list[bytes]:
    """The hash of each chunk's document."""
    paths, texts = segment.strings("file.path"), segment.strings("file.text")
    starts, ends = (segment.array(f"chunk.{side}_byte").tolist() for side in ("start", "end"))
    rows = segment.rows["chunk"].tolist()
    keys: list[bytes] = []
    for file in range(segment.files):
        if rows[file] == rows[file + 1]:
            continue
        path, text = f"{paths[file]}\n".encode("utf-8", "surrogatepass"), bytes(texts.raw(file))
        for chunk in range(rows[file], rows[file + 1]):
            keys.append(blake2b(path + text[starts[chunk] : ends[chunk]], digest_size=KEY_BYTES).digest())
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
        """Whether the vectors tell what is usual: the first few are all of the most used files."""
        return self.count >= max(1, min(LEAST, len(self.covered)))

    def catch_up(self) -> None:
        """Read what was added to the file since the last time."""
        identity = self._file.identity()
        if identity != self._identity:  # a rewritten file holds nothing that differs, in another order
            self._identity, self._read = identity, 0
        records = self._file.records(self._read)
        self._read += len(records)
        places = [(row, chunk) for row, key in enumerate(keys_of(records)) for chunk in self._chunks_of.get(key, ())]
        if places:
            rows, chunks = map(list, zip(*places, strict=True))
            self.matrix[chunks] = records["vector"][rows]
            self.covered[chunks] = True

    @cached_property
    def _chunks_of(self) -> dict[bytes, list[int]]:
        """The chunks of each key: a file that exists once has its chunks once, but two chunks of it may be equal."""
        chunks: dict[bytes, list[int]] = {}
        for chunk, key in enumerate(chunk_keys(self._segment)):
            chunks.setdefault(key, []).append(chunk)
        return chunks
