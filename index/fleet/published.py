"""Generations in a store: one object per generation names its parts, with their sizes and SHA-256.

    KEY                        names the blobs of one generation
    ctxpack-1/blobs/SHA256     manifest.json and arrays.bin of a generation; vectors of a transformer; compressed

Blobs are written first, then the object that names them: a killed publisher leaves unnamed blobs, never half a
generation. A store is not trusted: sizes are bounded, checksums compared, numbers checked.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from chunker.kinds import KINDS, REFERENCE_KINDS
from index.fleet.objects import Objects
from index.generation.private import FOLDER_MODE, open_private
from index.generation.reader import Snapshot
from index.segment.columns import SCHEMA, Array, Segment, Strings

ROOT = "ctxpack-1"
MAX_NAMING_BYTES = 16_000_000
MAX_BYTES = 4 * 1024**3  # of one part, compressed or not
MANIFEST = "manifest.json"
FILES = (MANIFEST, "arrays.bin")  # of a generation
LEVEL = 1  # of zlib: 3 times the speed of 6 for a tenth more bytes
_SHA256 = re.compile(r"[0-9a-f]{64}")


def put(objects: Objects, data: bytes) -> dict[str, object]:
    """Write a part, also in the place of a damaged one, and return the record that names it. StoreFailure."""
    packed = zlib.compress(data, LEVEL)
    digest = hashlib.sha256(packed).hexdigest()
    key = f"{ROOT}/blobs/{digest}"
    if not objects.create(key, packed) and objects.read(key, MAX_BYTES) != packed:
        objects.remove(key)
        objects.create(key, packed)
    return {"sha256": digest, "bytes": len(packed), "whole": len(data)}


def put_names(objects: Objects, key: str, named: Mapping[str, Any]) -> None:
    """Name parts under a key; one that exists stays as it is. StoreFailure."""
    objects.create(key, orjson.dumps({"parts": named}))


def parts_under(objects: Objects, key: str) -> dict[str, Any] | None:
    """The parts that an object names; None if it does not exist. StoreFailure, ValueError, KeyError, TypeError."""
    data = objects.read(key, MAX_NAMING_BYTES)
    return None if data is None else {name: dict(about) for name, about in dict(orjson.loads(data)["parts"]).items()}


def intact_parts(objects: Objects, key: str) -> dict[str, Any]:
    """The parts that an object names; none if it does not exist or is damaged. StoreFailure."""
    try:
        return parts_under(objects, key) or {}
    except (KeyError, TypeError, ValueError):
        return {}


def part(objects: Objects, named: Mapping[str, Any], name: str) -> bytes:
    """One part, checked and decompressed. StoreFailure, ValueError, KeyError, TypeError."""
    about = named[name]
    digest, size, whole = about["sha256"], about["bytes"], about["whole"]
    if not (isinstance(digest, str) and _SHA256.fullmatch(digest)):
        raise ValueError(f"{name} has no checksum")
    if not all(isinstance(one, int) and 0 <= one <= MAX_BYTES for one in (size, whole)):
        raise ValueError(f"{name} has no size within {MAX_BYTES:,} bytes")
    packed = objects.read(f"{ROOT}/blobs/{digest}", size)
    if packed is None:
        raise ValueError(f"{name} is missing")
    if len(packed) != size or hashlib.sha256(packed).hexdigest() != digest:
        raise ValueError(f"{name} does not match its checksum")
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(packed, whole + 1)
    except zlib.error as error:
        raise ValueError(f"{name}: {error}") from error
    if len(data) != whole or not unpacking.eof:
        raise ValueError(f"{name} does not have the stated size")
    return data


def fetch(objects: Objects, named: Mapping[str, Any], folder: Path, model_id: str) -> Snapshot:
    """Fetch a generation into a local folder, which is replaced, and check it.

    StoreFailure, OSError, IndexCorrupt; ValueError, KeyError, TypeError if it is of another model or damaged.
    """
    parts = {name: part(objects, named, name) for name in FILES}
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(FOLDER_MODE, parents=True)
    for name, data in parts.items():
        with open(folder / name, "wb", opener=open_private) as file:
            file.write(data)
    snapshot = Snapshot(folder)
    manifest = snapshot.manifest
    if manifest.model_id != model_id or not isinstance(manifest.about["vocabulary"], int):
        raise ValueError(f"it was built with the model {manifest.model_id}")
    if not snapshot.is_intact():
        raise ValueError("its checksums do not match")
    check_numbers(snapshot.segment)
    return snapshot


def trusted_sizes(snapshot: Snapshot) -> Array:
    """int64[files]: the size of each file, -1 if its stored text does not have the stored hash."""
    segment = snapshot.segment
    texts, digests = segment.strings("file.text"), segment.array("file.hash").tolist()
    skipped, sizes = segment.array("file.skip").tolist(), segment.array("file.size").copy()
    for number, digest in enumerate(digests):
        if skipped[number]:
            continue
        text = bytes(texts.raw(number))
        if hashlib.blake2b(text, digest_size=16).digest() != digest.ljust(16, b"\0"):
            sizes[number] = -1  # not UTF-8, or not what the hash says: the tree's file is read instead
    return sizes


def check_numbers(segment: Segment) -> None:
    """ValueError for rows, texts, names, terms or kinds that are out of range."""
    texts = [one for one in (*segment.columns.values(), segment.names, segment.terms) if isinstance(one, Strings)]
    if any(one.offsets[-1] != len(one.blob) for one in texts):
        raise ValueError("strings whose length does not match")
    limits = {"names": len(segment.names), "terms": len(segment.terms)}
    kinds = {"reference": len(REFERENCE_KINDS)}
    for level, fields in SCHEMA.items():
        rows = segment.rows[level]
        counts = {len(segment.columns[f"{level}.{name}"]) for name in fields}
        if rows[0] != 0 or (np.diff(rows) < 0).any() or counts != {int(rows[-1])}:
            raise ValueError(f"{level}: rows out of range")
        for name, kind in fields.items():
            limit = kinds.get(level, len(KINDS)) if name == "kind" else limits.get(kind)
            values = segment.columns[f"{level}.{name}"]
            if limit is None or isinstance(values, Strings) or not len(values):
                continue
            if int(values.min()) < -1 or int(values.max()) >= limit:
                raise ValueError(f"{level}.{name}: numbers out of range")
