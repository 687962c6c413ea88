"""Stores a repository's generation as blocks of files, so that a commit writes only the blocks that it changed.

    KEY                        names the manifest and the blocks of one generation, in the order of their paths
    ctxpack-1/blobs/SHA256     the manifest, or a block: the columns of some files, with vocabularies of their own

Paths and sizes decide where a block ends, so an edit changes one or two blocks. Postings, graph and vectors are left
out: the reader computes them from the columns, identical to the bit.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from index.embed.static import StaticEmbedder
from index.fleet import published
from index.fleet.objects import AT_ONCE, Objects
from index.fleet.published import MANIFEST
from index.generation.private import FOLDER_MODE
from index.generation.reader import INDEX_FORMAT, Manifest, Snapshot, file_checks
from index.generation.writer import SnapshotWriter
from index.segment.builder import empty
from index.segment.columns import SCHEMA, Array, Segment, Strings, offsets_of
from index.segment.merge import compacted, merge

FORMAT = 2
MIN_BYTES, MAX_BYTES = 64_000, 256_000  # of the text of a block; a file is never divided
ONE_IN = 8  # a block may end after 1 of ONE_IN paths, chosen by their hash
_LEFT_OUT = ("file.mtime_ns", "chunk.vector")  # differs between clones; can be computed


def _is_offsets(name: str) -> bool:
    """Whether a block has an array as the lengths between its offsets: they are smaller."""
    return name.startswith("rows/") or name.endswith("/offsets")


# The name and the type of each array of a block, in order.
LAYOUT = {
    name: np.dtype("<i4") if _is_offsets(name) else values.dtype
    for name, values in empty(0).arrays().items()
    if name not in _LEFT_OUT
}


def publish(objects: Objects, key: str, snapshot: Snapshot, before: str = "") -> None:
    """Publish a generation under a key. Blocks of the one under the key `before` are not written again.

    StoreFailure.
    """
    segment, manifest = snapshot.segment, snapshot.manifest
    old = published.intact_parts(objects, before) if before else {}
    written: dict[str, dict[str, Any]] = {record["of"]: record for record in old.values() if "of" in record}

    def put(bounds: tuple[int, int]) -> dict[str, Any]:
        of = _digest(segment, *bounds)
        if of in written:
            return written[of]
        record = published.put(objects, to_bytes(files_of(segment, *bounds)))
        return {**record, "of": of}

    with ThreadPoolExecutor(AT_ONCE) as pool:
        records = list(pool.map(put, pairwise(_bounds(segment))))
    about = {
        "format": INDEX_FORMAT, "generation": manifest.generation, "model_id": manifest.model_id,
        "dimensions": manifest.dimensions, "about": manifest.about,
    }  # fmt: skip
    named = {f"{number:06d}": record for number, record in enumerate(records)}
    published.put_names(objects, key, {MANIFEST: published.put(objects, orjson.dumps(about)), **named})


def fetch(
    objects: Objects, named: Mapping[str, Any], folder: Path, embedder: StaticEmbedder, last: Path | None
) -> Snapshot:
    """Fetch a generation into a new local folder; blocks that it shares with the one in the folder `last` are reused.

    StoreFailure, OSError; ValueError, KeyError, TypeError if it is of another model or damaged.
    """
    about = orjson.loads(published.part(objects, named, MANIFEST))
    if (about["format"], about["model_id"]) != (INDEX_FORMAT, embedder.model_id):
        raise ValueError(f"it has format {about['format']} (here {INDEX_FORMAT}) and the model {about['model_id']}")
    old = Snapshot(last).segment if last is not None else empty(0)
    ranges = {_digest(old, *bounds): bounds for bounds in pairwise(_bounds(old))}

    def read(name: str) -> Segment:
        return from_bytes(published.part(objects, named, name))

    names = [name for name in sorted(named) if name != MANIFEST]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        news = list(pool.map(read, [name for name in names if named[name]["of"] not in ranges]))
    try:
        parts = []
        for one in news:
            columns = {**one.columns, "chunk.vector": embedder.embed_segment(one)}
            parts.append((Segment(columns, one.rows, one.names, one.terms), np.arange(one.files)))
        reused = [np.arange(*ranges[named[name]["of"]]) for name in names if named[name]["of"] in ranges]
        if reused:  # without the words of deleted files
            rest = compacted(merge([(old, np.concatenate(reused))]))
            parts.append((rest, np.arange(rest.files)))
        folder.mkdir(FOLDER_MODE, parents=True)
        _write(folder, parts, Manifest(about["generation"], embedder.model_id, embedder.dimensions, about["about"]))
    except (IndexError, OverflowError, MemoryError) as error:
        raise ValueError("numbers out of range") from error
    return Snapshot(folder)


def files_of(segment: Segment, start: int, end: int) -> Segment:
    """The files from `start` to before `end`, with the part of the vocabularies that they use."""
    columns: dict[str, Array | Strings] = {}
    for level, fields in SCHEMA.items():
        first, last = segment.rows[level][[start, end]].tolist()
        for column in (f"{level}.{name}" for name in fields):
            values = segment.columns[column]
            columns[column] = values.part(first, last) if isinstance(values, Strings) else values[first:last]
    rows = {level: values[start : end + 1] - values[start] for level, values in segment.rows.items()}
    return compacted(Segment(columns, rows, segment.names, segment.terms))


def to_bytes(segment: Segment) -> bytes:
    """The bytes of a block: the length of each array of `LAYOUT`, then the arrays."""
    values = segment.arrays()
    arrays = [
        np.ascontiguousarray(np.diff(values[name]) if _is_offsets(name) else values[name], dtype).tobytes()
        for name, dtype in LAYOUT.items()
    ]
    return b"".join([np.array([len(one) for one in arrays], "<i8").tobytes(), *arrays])


def from_bytes(data: bytes) -> Segment:
    """The files of a block, with empty vectors and times of 0. ValueError if the bytes are not a block."""
    sizes = np.frombuffer(data, "<i8", len(LAYOUT))
    if (sizes < 0).any() or int(sizes.sum()) + sizes.nbytes != len(data):
        raise ValueError("a block whose size does not match its header")
    places = (offsets_of(sizes) + sizes.nbytes).tolist()
    arrays: dict[str, Array] = {}
    for (name, dtype), (start, end) in zip(LAYOUT.items(), pairwise(places), strict=True):
        values = np.frombuffer(data[start:end], dtype)
        if _is_offsets(name):
            if (values < 0).any():
                raise ValueError("a negative length")
            values = offsets_of(values)
        arrays[name] = values
    files, chunks = int(arrays["rows/file"][-1]), int(arrays["rows/chunk"][-1])
    arrays |= {"file.mtime_ns": np.zeros(files, np.int64), "chunk.vector": np.zeros((chunks, 0), np.float32)}
    segment = Segment.of(arrays.__getitem__)
    if (segment.rows["file"] != np.arange(segment.files + 1)).any():
        raise ValueError("file numbers that are not rows")
    published.check_numbers(segment)
    return segment


def _bounds(segment: Segment) -> list[int]:
    """The first file of each block, and the number of files."""
    ends, paths = segment.strings("file.text").offsets.tolist(), segment.strings("file.path").to_bytes()
    bounds = [0]
    for file in range(1, segment.files):
        size = ends[file] - ends[bounds[-1]]
        if size >= MAX_BYTES or (size >= MIN_BYTES and zlib.crc32(paths[file - 1]) % ONE_IN == 0):
            bounds.append(file)
    return [*bounds, segment.files] if segment.files else [0]


def _digest(segment: Segment, start: int, end: int) -> str:
    """A digest of format, path and content, from which all columns follow: equal blocks have equal digests."""
    paths = segment.strings("file.path").part(start, end)
    about = [np.array([FORMAT, INDEX_FORMAT]), paths.offsets, paths.blob]
    about += [segment.array(f"file.{name}")[start:end] for name in ("hash", "size", "skip")]
    return hashlib.blake2b(b"".join(one.tobytes() for one in about), digest_size=16).hexdigest()


def _write(folder: Path, parts: Sequence[tuple[Segment, Array]], manifest: Manifest) -> None:
    from index.graph.build import derive_edges
    from index.lexical import derive_postings

    with closing(SnapshotWriter(folder)) as writer:
        segment = merge(parts, writer) if parts else empty(manifest.dimensions)
        derived = {**derive_postings(segment, writer), **derive_edges(segment, None, writer)}
        derived["check"] = file_checks(segment, range(segment.files))
        writer.finish(manifest, segment, derived)
