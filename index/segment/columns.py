"""Files as columns: plain arrays that are memory-mapped, and merged in numpy.

Every column belongs to a level (file, chunk, reference, ...). The rows of one file are contiguous at every level, and
references between levels count from the file's own first row, so that merging copies blocks of files.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from contracts.frozen import frozen
from contracts.rows import rows

Array = npt.NDArray[Any]
Longs = npt.NDArray[np.int64]
Columns = TypeVar("Columns")
FEW = 20  # values of a column that has this many times fewer than another one are looked up one by one


def offsets_of(lengths: Iterable[int] | Array) -> Longs:
    """int64[n + 1]: where each of n runs of these lengths begins, and where the last one ends."""
    sizes = np.fromiter(lengths, np.int64) if not isinstance(lengths, np.ndarray) else lengths
    offsets = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def spread(starts: Array, lengths: Array) -> Longs:
    """The positions start, start + 1, ... of every run, one run after the other."""
    if not len(lengths):
        return np.zeros(0, np.int64)
    ends = lengths.cumsum()
    return np.arange(ends[-1], dtype=np.int64) + (starts - (ends - lengths)).repeat(lengths)


def begins_run(values: Array) -> npt.NDArray[np.bool_]:
    """bool[n]: whether each value differs from the one before it."""
    begins = np.ones(len(values), bool)
    begins[1:] = values[1:] != values[:-1]
    return begins


def distinct(values: Array) -> Array:
    """The different values, sorted, as `np.unique` gives them; its first call in a process takes 15 ms."""
    ordered = np.sort(values, axis=None)
    return ordered[begins_run(ordered)]


def joined(parts: Sequence[Columns]) -> Columns:
    """Several tables of the same columns, at least one, as one table: a class whose fields are arrays."""
    names = type(parts[0]).__match_args__  # type: ignore[attr-defined]
    return type(parts[0])(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def rows_of(table: Columns, rows: Array) -> Columns:
    """A table with some of its rows, by their numbers or a mask: a class whose fields are arrays."""
    return type(table)(*(getattr(table, name)[rows] for name in type(table).__match_args__))  # type: ignore[attr-defined]


@frozen
class Strings:
    """n strings as one UTF-8 blob (uint8) and int64[n + 1] offsets into it."""

    blob: Array
    offsets: Longs

    @classmethod
    def of(cls, values: Sequence[str]) -> Strings:
        return cls.of_bytes([value.encode("utf-8", "surrogatepass") for value in values])

    @classmethod
    def of_bytes(cls, values: Sequence[bytes]) -> Strings:
        return cls(np.frombuffer(b"".join(values), np.uint8), offsets_of(map(len, values)))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def raw(self, number: int) -> bytes:
        offsets = self.offsets.data  # memoryviews: indexing a numpy array takes ten times as long
        return self.blob.data[offsets[number] : offsets[number + 1]].tobytes()

    def __getitem__(self, number: int) -> str:
        return self.raw(number).decode("utf-8", "surrogatepass")

    def to_bytes(self) -> list[bytes]:
        """All values, from one copy of the blob instead of one array slice per value."""
        blob, bounds = self.blob.tobytes(), self.offsets.tolist()
        return [blob[a:b] for a, b in pairwise(bounds)]

    def to_list(self) -> list[str]:
        return [value.decode("utf-8", "surrogatepass") for value in self.to_bytes()]

    def take(self, order: Array) -> Strings:
        """The strings at these positions."""
        starts, lengths = self.offsets[:-1][order], np.diff(self.offsets)[order]
        return Strings(self.blob[spread(starts, lengths)], offsets_of(lengths))

    def part(self, first: int, end: int) -> Strings:
        """The strings from `first` to before `end`."""
        offsets = self.offsets[first : end + 1]
        return Strings(self.blob[offsets[0] : offsets[-1]], offsets - offsets[0])

    def find(self, value: str) -> int:
        """The position of a value in a sorted column, or -1."""
        wanted = value.encode("utf-8", "surrogatepass")
        place = self.place(wanted)
        return place if place < len(self) and self.raw(place) == wanted else -1

    def beginning(self, start: str) -> list[str]:
        """The values of a sorted column that begin with a non-empty ASCII text."""
        first = start.encode()
        low, high = self.place(first), self.place(first[:-1] + bytes([first[-1] + 1]))
        return self.part(low, high).to_list()

    def positions_in(self, larger: Strings) -> Longs:
        """The position of each value of a sorted column in another sorted column that has all of them, and more."""
        more = len(larger) - len(self)
        if more * FEW > len(self):
            place = {value: number for number, value in enumerate(larger.to_bytes())}
            return np.fromiter(map(place.__getitem__, self.to_bytes()), np.int64, len(self))
        shifted: list[int] = []  # the first values that 1, 2, ... of the additional ones precede
        for shift in range(more):
            differs = partial(self._differs, larger, shift)
            shifted.append(bisect_left(range(len(self)), True, shifted[-1] if shifted else 0, key=differs))
        numbers = np.arange(len(self))
        return numbers + np.searchsorted(shifted, numbers, side="right")

    def _differs(self, other: Strings, shift: int, number: int) -> bool:
        return self.raw(number) != other.raw(number + shift)

    def place(self, wanted: bytes) -> int:
        """The position of the first value in a sorted column that is not less."""
        # Memoryviews, as in `raw`: this runs for every term of a query.
        blob, offsets = self.blob.data, self.offsets.data
        return bisect_left(range(len(self)), wanted, key=lambda at: blob[offsets[at] : offsets[at + 1]].tobytes())


SCHEMA: dict[str, dict[str, str]] = {  # level -> column -> dtype
    level: dict(column.split(":") for column in columns.split()) for level, columns in rows(__file__, "schema.tsv")
}
VOCABULARIES = ("names", "terms")
SKIP_REASONS = ("", "binary", "vanished", "no_permission", "reader_crashed")  # file.skip; 0: the file was chunked


@frozen
class Segment:
    """`columns["level.column"]`, `rows[level]` (int64[files + 1]: each file's first row) and the two vocabularies."""

    columns: dict[str, Any]  # an Array, or the Strings of a column of texts
    rows: dict[str, Longs]
    names: Strings
    terms: Strings

    @classmethod
    def of(cls, array: Callable[[str], Array]) -> Segment:
        """The segment of these arrays, which `arrays` names."""

        def strings(name: str) -> Strings:
            return Strings(array(f"{name}/blob"), array(f"{name}/offsets"))

        columns = {
            column: strings(column) if kind == "str" else array(column)
            for level, fields in SCHEMA.items()
            for column, kind in ((f"{level}.{name}", kind) for name, kind in fields.items())
        }
        rows = {level: array(f"rows/{level}") for level in SCHEMA}
        return cls(columns, rows, strings("names"), strings("terms"))

    def arrays(self) -> dict[str, Array]:
        """All of the segment as arrays by name, as a file has them."""
        arrays: dict[str, Array] = {f"rows/{level}": rows for level, rows in self.rows.items()}
        for name, column in {**self.columns, "names": self.names, "terms": self.terms}.items():
            is_text = isinstance(column, Strings)
            arrays |= {f"{name}/blob": column.blob, f"{name}/offsets": column.offsets} if is_text else {name: column}
        return arrays

    @property
    def files(self) -> int:
        return len(self.rows["file"]) - 1

    def array(self, column: str) -> Array:
        return self.columns[column]

    def strings(self, column: str) -> Strings:
        return self.columns[column]

    def absolute(self, level: str, column: str, target: str) -> Array:
        """A column that counts from its file's first row of `target`, counted from the segment's first row instead."""
        per_file = np.diff(self.rows[level])
        return self.array(f"{level}.{column}") + np.repeat(self.rows[target][:-1], per_file).astype(np.int32)
