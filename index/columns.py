"""Columns of strings and of lists as plain arrays, so that a generation is memory-mapped and merged in numpy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

_MANY_INSERTIONS = 1000  # from here on one pass over everything is faster than halving for each


def offsets_of(lengths: Iterable[int] | Array) -> Longs:
    """int64[n + 1]: where each of n runs of these lengths begins, and where the last one ends."""
    sizes = np.fromiter(lengths, np.int64) if not isinstance(lengths, np.ndarray) else lengths
    offsets = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def spread(starts: Array, lengths: Array) -> Longs:
    """The positions start, start + 1, ... of every run, one run after the other."""
    total = int(lengths.sum())
    if not total:
        return np.zeros(0, np.int64)
    ends = np.cumsum(lengths)
    found: Longs = np.arange(total, dtype=np.int64) + np.repeat(starts - (ends - lengths), lengths)
    return found


@dataclass(frozen=True, slots=True)
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
        return self.blob[self.offsets[number] : self.offsets[number + 1]].tobytes()

    def __getitem__(self, number: int) -> str:
        return self.raw(number).decode("utf-8", "surrogatepass")

    def to_bytes(self) -> list[bytes]:
        """All values; one copy of the blob instead of one array slice a value."""
        blob, bounds = self.blob.tobytes(), self.offsets.tolist()
        return [blob[a:b] for a, b in pairwise(bounds)]

    def to_list(self) -> list[str]:
        return [value.decode("utf-8", "surrogatepass") for value in self.to_bytes()]

    def take(self, order: Array) -> Strings:
        """The strings at these positions."""
        breaks = np.flatnonzero(np.diff(order) != 1) + 1
        if len(order) and len(breaks) * 8 < len(order):  # mostly runs: copy blocks, not bytes one by one
            bounds = [0, *breaks.tolist(), len(order)]
            runs = [(int(order[a]), int(order[b - 1]) + 1) for a, b in pairwise(bounds)]
            blob = np.concatenate([self.blob[self.offsets[a] : self.offsets[b]] for a, b in runs])
            return Strings(blob, offsets_of(np.diff(self.offsets)[order]))
        starts, lengths = self.offsets[:-1][order], np.diff(self.offsets)[order]
        return Strings(self.blob[spread(starts, lengths)], offsets_of(lengths))

    def find(self, value: str) -> int:
        """The position of a value in a sorted column, or -1."""
        wanted = value.encode("utf-8", "surrogatepass")
        # Memoryviews: an index into a numpy array costs ten times as much, and this runs for every term of a query.
        blob, offsets = self.blob.data, self.offsets.data
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if bytes(blob[offsets[middle] : offsets[middle + 1]]) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self.raw(low) == wanted else -1


def joined(columns: Sequence[Strings]) -> Strings:
    """The columns one after the other."""
    return Strings(
        np.concatenate([column.blob for column in columns]),
        offsets_of(np.concatenate([np.diff(column.offsets) for column in columns])),
    )


def union(vocabularies: Sequence[Strings]) -> tuple[Strings, list[Ints]]:
    """The sorted union of sorted vocabularies, and for each of them int32[n]: old position -> new position."""
    lists = [vocabulary.to_bytes() for vocabulary in vocabularies]
    first = set(lists[0])
    news = {value for values in lists[1:] for value in values if value not in first}
    # Two sorted runs: the sort merges them in linear time.
    merged = lists[0] + sorted(news)
    merged.sort()
    if not news:
        place = {value: number for number, value in enumerate(lists[0])} if len(lists) > 1 else {}
        maps = [np.arange(len(lists[0]), dtype=np.int32)]
        maps += [np.fromiter(map(place.__getitem__, values), np.int32, len(values)) for values in lists[1:]]
        return vocabularies[0], maps
    place = {value: number for number, value in enumerate(merged)}
    return Strings.of_bytes(merged), [
        np.fromiter(map(place.__getitem__, values), np.int32, len(values)) for values in lists
    ]


def insertions(old: Strings, new: Strings) -> Ints:
    """int32[len(old)]: where the values of a sorted column stand in one that holds them all and some more, sorted.

    Between two news all values stand equally far from their old place, so the end of each such run is found by halving.
    """
    more = len(new) - len(old)
    if more > _MANY_INSERTIONS:
        place = {value: number for number, value in enumerate(new.to_bytes())}
        return np.fromiter(map(place.__getitem__, old.to_bytes()), np.int32, len(old))
    to = np.arange(len(old), dtype=np.int32)
    at, shift = 0, 0
    while shift < more and at < len(old):
        low, high = at, len(old)
        while low < high:
            middle = (low + high) // 2
            if old.raw(middle) == new.raw(middle + shift):
                low = middle + 1
            else:
                high = middle
        at, shift = low, shift + 1
        to[at:] += 1
    return to


def order_by(keys: Array) -> Longs:
    """A stable argsort of non-negative int32 keys: two radix passes, linear where a comparison sort is not."""
    low = np.argsort((keys & 0xFFFF).astype(np.uint16), kind="stable")
    if not len(keys) or int(keys.max()) <= 0xFFFF:
        return low
    high = (keys >> 16).astype(np.uint16)
    return low[np.argsort(high[low], kind="stable")]
