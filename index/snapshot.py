"""One generation as a reader sees it: a folder with `arrays.bin`, memory-mapped, and `manifest.json`.

Immutable once published, derived and disposable: deleting it loses nothing but the time to build it again.
"""

from __future__ import annotations

import mmap
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from contracts.errors import IndexCorrupt
from index.columns import Array, Strings
from index.segment import SCHEMA, Segment

# 1: first layout
# 2: chunk.imports_only; vectors of the trained static model
# 3: edges between symbols, with weights; typed members; paths of names before a dot
# 4: tests of fixtures as methods of them; calls by how many arguments they have
# 5: what names of Zig, Haskell and Lua are bound to; Elixir's `use`; shell functions by their whole names
# 6: what wildcard imports show and which part stands for a class, so that a refresh resolves what depends on an edit
INDEX_FORMAT = 6
_ALIGN = 64  # a cache line; numpy's vector loads like it
_REBUILD = "rebuild it with `ctxpack index --full`"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What stands beside the arrays; `about` is free for the builder (coverage, counts)."""

    generation: int
    model_id: str
    dimensions: int
    about: dict[str, Any]


def write_snapshot(folder: Path, manifest: Manifest, segment: Segment, derived: Mapping[str, Array]) -> None:
    """Write arrays and manifest into an existing empty folder and flush both to the disk."""
    placed: dict[str, list[Any]] = {}
    checksum = 0
    with (folder / "arrays.bin").open("wb") as out:
        for name, values in _arrays(segment, derived):
            out.write(b"\0" * (-out.tell() % _ALIGN))
            placed[name] = [values.dtype.str, list(values.shape), out.tell()]
            raw = _raw(values)
            out.write(raw)
            checksum = zlib.crc32(raw, checksum)
        out.flush()
        os.fsync(out.fileno())
        size = out.tell()
    document = {
        "format": INDEX_FORMAT,
        "generation": manifest.generation,
        "model_id": manifest.model_id,
        "dimensions": manifest.dimensions,
        "about": manifest.about,
        "bytes": size,
        "crc32": checksum,
        "arrays": placed,
    }
    with (folder / "manifest.json").open("wb") as out:
        out.write(orjson.dumps(document))
        out.flush()
        os.fsync(out.fileno())


def _arrays(segment: Segment, derived: Mapping[str, Array]) -> list[tuple[str, Array]]:
    found: list[tuple[str, Array]] = []
    strings = {"names": segment.names, "terms": segment.terms}
    for name, column in segment.columns.items():
        if isinstance(column, Strings):
            strings[name] = column
        else:
            found.append((name, column))
    for name, text in strings.items():
        found += [(f"{name}/blob", text.blob), (f"{name}/offsets", text.offsets)]
    found += [(f"rows/{level}", rows) for level, rows in segment.rows.items()]
    return sorted([*found, *derived.items()], key=lambda pair: pair[0])


def _raw(values: Array) -> Any:
    """The bytes of an array, without a copy where it is contiguous."""
    return np.ascontiguousarray(values).view(np.uint8).reshape(-1).data if values.size else b""


class Snapshot:
    """A published generation, memory-mapped and read-only. Arrays are made on first use."""

    def __init__(self, folder: Path) -> None:
        document = _manifest(folder)
        self.folder = folder
        self.manifest = Manifest(
            document["generation"], document["model_id"], document["dimensions"], document["about"]
        )
        self._placed: dict[str, list[Any]] = document["arrays"]
        self._crc32: int = document["crc32"]
        try:
            with (folder / "arrays.bin").open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size != document["bytes"]:
                    raise _corrupt(folder, f"arrays.bin has {size:,} bytes where {document['bytes']:,} were written")
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        except FileNotFoundError as error:
            raise _corrupt(folder, "arrays.bin is missing") from error
        self._made: dict[str, Array] = {}
        self._segment: Segment | None = None

    def array(self, name: str) -> Array:
        """A read-only view of one array; KeyError when the generation has none of that name."""
        made = self._made.get(name)
        if made is None:
            dtype, shape, offset = self._placed[name]
            count = int(np.prod(shape))
            made = np.frombuffer(self._map, dtype, count, offset).reshape(shape) if count else np.zeros(shape, dtype)
            self._made[name] = made
        return made

    def strings(self, name: str) -> Strings:
        return Strings(self.array(f"{name}/blob"), self.array(f"{name}/offsets"))

    @property
    def segment(self) -> Segment:
        """The generation's own columns, without what was derived from them."""
        if self._segment is None:
            columns: dict[str, Array | Strings] = {}
            for level, fields in SCHEMA.items():
                for name, kind in fields.items():
                    column = f"{level}.{name}"
                    columns[column] = self.strings(column) if kind == "str" else self.array(column)
            rows = {level: self.array(f"rows/{level}") for level in SCHEMA}
            self._segment = Segment(columns, rows, self.strings("names"), self.strings("terms"))
        return self._segment

    def is_intact(self) -> bool:
        """Whether the arrays still have the checksum they were written with. Reads everything."""
        checksum = 0
        for name in sorted(self._placed):
            values = self.array(name)
            checksum = zlib.crc32(_raw(values), checksum)
        return checksum == self._crc32


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        document = orjson.loads((folder / "manifest.json").read_bytes())
        written = document["format"]
    except FileNotFoundError as error:
        raise _corrupt(folder, "manifest.json is missing") from error
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise _corrupt(folder, "manifest.json is not readable") from error
    if written != INDEX_FORMAT:
        raise IndexCorrupt(
            f"the index in {folder} has format {written}; this ctxpack reads format {INDEX_FORMAT}",
            hint=f"use the ctxpack that wrote it, or {_REBUILD}",
            details={"folder": str(folder), "format": written},
        )
    if not {"generation", "model_id", "dimensions", "about", "bytes", "crc32", "arrays"} <= set(document):
        raise _corrupt(folder, "manifest.json is incomplete")
    return document  # type: ignore[no-any-return]


def _corrupt(folder: Path, what: str) -> IndexCorrupt:
    return IndexCorrupt(f"the index in {folder} is damaged: {what}", hint=_REBUILD, details={"folder": str(folder)})
