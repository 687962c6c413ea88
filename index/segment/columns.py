"""Columns of strings and of lists as plain arrays, so that a generation is memory-mapped and merged in numpy."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import filterfalse, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

_FEW = 20  # times smaller than the first are the vocabularies whose values are looked up in it one by one


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
    positions: Longs = np.arange(total, dtype=np.int64) + np.repeat(starts - (ends - lengths), lengths)
    return positions


def begins_run(values: Array) -> npt.NDArray[np.bool_]:
    """bool[n]: whether each value is another than the one before it."""
    begins = np.ones(len(values), bool)
    begins[1:] = values[1:] != values[:-1]
    return begins


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
        place = self.place(wanted)
        return place if place < len(self) and self.raw(place) == wanted else -1

    def place(self, wanted: bytes) -> int:
        """The position of the first value in a sorted column that is not less."""
        # Memoryviews: an index into a numpy array costs ten times as much, and this runs for every term of a query.
        blob, offsets = self.blob.data, self.offsets.data
        return bisect_left(range(len(self)), wanted, key=lambda at: blob[offsets[at] : offsets[at + 1]].tobytes())


def union(vocabularies: Sequence[Strings]) -> tuple[Strings, list[Ints]]:
    """The sorted union of sorted vocabularies, and for each of them int32[n]: old position -> new position."""
    if sum(map(len, vocabularies[1:])) * _FEW < len(vocabularies[0]):
        return _with_few(vocabularies[0], vocabularies[1:])
    first = vocabularies[0].to_bytes()
    known, news = set(first), set[bytes]()
    for vocabulary in vocabularies[1:]:  # one after the other: together they are many times their union
        news.update(filterfalse(known.__contains__, vocabulary.to_bytes()))
    # Two sorted runs: the sort merges them in linear time.
    merged = first + sorted(news)
    merged.sort()
    place = {value: number for number, value in enumerate(merged)} if len(vocabularies) > 1 else {}
    maps = [np.arange(len(first), dtype=np.int32)] if not news else []
    for vocabulary in vocabularies[len(maps) :]:
        maps.append(np.fromiter(map(place.__getitem__, vocabulary.to_bytes()), np.int32, len(vocabulary)))
    return vocabularies[0] if not news else Strings.of_bytes(merged), maps


def _with_few(large: Strings, others: Sequence[Strings]) -> tuple[Strings, list[Ints]]:
    """The union of a large vocabulary and small ones, without a look at each value of the large one."""
    lists = [other.to_bytes() for other in others]
    positions = {value: large.place(value) for value in sorted({value for values in lists for value in values})}
    news = [value for value, at in positions.items() if at == len(large) or large.raw(at) != value]
    before = np.array([positions[value] for value in news], np.int64)
    shift = np.searchsorted(before, np.arange(len(large)), side="right")
    first: Ints = (np.arange(len(large)) + shift).astype(np.int32)
    place = {value: int(first[at]) for value, at in positions.items() if at < len(large)}
    place |= {value: number + int(at) for number, (value, at) in enumerate(zip(news, before, strict=True))}
    maps = [np.array([place[value] for value in values], np.int32) for values in lists]
    if not news:
        return large, [first, *maps]
    lengths = np.insert(np.diff(large.offsets), before, [len(value) for value in news])
    cuts = [0, *large.offsets[before].tolist(), len(large.blob)]
    pieces: list[Array] = [large.blob[: cuts[1]]]
    for value, (start, stop) in zip(news, pairwise(cuts[1:]), strict=True):
        pieces += [np.frombuffer(value, np.uint8), large.blob[start:stop]]
    return Strings(np.concatenate(pieces), offsets_of(lengths)), [first, *maps]
