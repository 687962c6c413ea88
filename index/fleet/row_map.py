"""The file and the place of each row of a chunk table: arrays in memory, stored by fragment on the disk.

The engine answers with row ids alone, which costs no request; everything else about a row is looked up here.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from index.text import parts_of

if TYPE_CHECKING:
    from index.segment.columns import Array

COLUMNS = ("blob", "file_key", "start_line", "symbol")
FORMAT = 1
_LAST = re.compile(r"[^\W]+$")
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class RowMap:
    """uint64[rows] each, ordered by `ids`: the engine's id of a row; the file (`file_key`); the place, which is equal
    where blob and line are, whatever repository it stands in; the name that is defined there (0: none).
    """

    ids: Array
    files: Array
    places: Array
    names: Array

    def positions(self, ids: Array) -> tuple[Array, Array]:
        """(the positions of the ids that are in the map, bool[ids]: which are)."""
        if not len(self.ids):
            return np.zeros(0, np.int64), np.zeros(len(ids), bool)
        at = np.minimum(self.ids.searchsorted(ids), len(self.ids) - 1)
        mapped = self.ids[at] == ids
        return at[mapped], mapped

    def defining(self, name: str) -> Array:
        """The positions of the rows that define a name, in any spelling."""
        positions: Array = np.flatnonzero(self.names == np.uint64(name_key(name)))
        return positions


def name_key(symbol: str) -> int:
    """The key of the last part of a qualified name; 0 for what is no name. `maxChars` and `max_chars` are one."""
    last = _LAST.search(symbol)
    joined = "".join(parts_of(last.group())) if last else ""
    return int.from_bytes(hashlib.blake2b(joined.encode(), digest_size=8).digest(), "little") if joined else 0


def row_map(table: Any, folder: Path) -> RowMap:
    """The map of a table's newest version: fragments that were seen before are read from the folder."""
    fragments = sorted(table.get_fragments(), key=lambda one: int(one.fragment_id))
    names = {f"{Path(one.metadata.files[0].path).stem}-{one.fragment_id}-{FORMAT}.npy": one for one in fragments}
    folder.mkdir(parents=True, exist_ok=True)
    parts = [_part(folder / name, fragment) for name, fragment in names.items()]
    for old in folder.glob("*.npy"):
        if old.name not in names:
            old.unlink(missing_ok=True)
    joined = np.concatenate(parts, axis=1) if parts else np.zeros((4, 0), np.uint64)
    if len(joined[0]) and (np.diff(joined[0].astype(np.int64)) < 0).any():
        joined = joined[:, joined[0].argsort(kind="stable")]
    return RowMap(*joined)


def _part(file: Path, fragment: Any) -> Array:
    """uint64[4, rows] of one fragment."""
    try:
        part: Array = np.load(file, mmap_mode="r", allow_pickle=False)
        if part.dtype == np.uint64 and part.ndim == 2 and len(part) == 4:
            return part
    except (OSError, ValueError):
        pass
    rows = fragment.to_table(columns=list(COLUMNS), with_row_id=True)
    if not rows.num_rows:  # all of them are deleted
        return np.zeros((4, 0), np.uint64)
    blobs = np.frombuffer(rows["blob"].combine_chunks().cast("binary").buffers()[2], "<u8").reshape(-1, 2)[:, 0]
    lines = rows["start_line"].to_numpy().astype(np.uint64)
    encoded = rows["symbol"].combine_chunks().dictionary_encode()
    keys = np.array([*(name_key(name or "") for name in encoded.dictionary.to_pylist()), 0], np.uint64)
    symbols = encoded.indices.fill_null(len(keys) - 1).to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore"):
        places = blobs * _SPREAD + lines
    made = np.stack([rows["_rowid"].to_numpy(), rows["file_key"].to_numpy(), places, keys[symbols]]).astype(np.uint64)
    aside = file.with_suffix(f".{os.getpid()}")
    with aside.open("wb") as out:
        np.save(out, made)
    aside.replace(file)
    return made
