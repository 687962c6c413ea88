"""Segments in files of a folder, one file a process: what many workers have read is more than memory should hold."""

from __future__ import annotations

import mmap
import os
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from index.segment.memory import MappedFiles
from index.segment.segment import Segment

_ALIGN = 64  # a cache line
_MODE = 0o600  # the files hold source


@dataclass(frozen=True, slots=True)
class Spilled:
    """A segment in a file: its arrays from `start` on, each of so many bytes; `head` is all that is no array."""

    file: str
    start: int
    lengths: tuple[int, ...]
    head: bytes


def spill(segment: Segment, folder: Path) -> Spilled:
    """Append a segment to this process's file in the folder. OSError."""
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(segment, 5, buffer_callback=buffers.append)
    name = str(os.getpid())
    with open(folder / name, "ab", opener=lambda path, flags: os.open(path, flags, _MODE)) as out:
        start = out.tell()
        for buffer in buffers:
            raw = buffer.raw()
            out.write(raw)
            out.write(b"\0" * (-raw.nbytes % _ALIGN))
    return Spilled(name, start, tuple(buffer.raw().nbytes for buffer in buffers), head)


def spilled_segments(parts: Sequence[Spilled], folder: Path, files: MappedFiles) -> list[Segment]:
    """The segments, memory-mapped. Every process has written its last."""
    views: dict[str, memoryview] = {}
    for name in {part.file for part in parts}:
        with (folder / name).open("rb") as file:
            views[name] = memoryview(files.add(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))
    return [_segment(part, views[part.file]) for part in parts]


def _segment(part: Spilled, view: memoryview) -> Segment:
    buffers, at = [], part.start
    for length in part.lengths:
        buffers.append(view[at : at + length])
        at += length + -length % _ALIGN
    segment: Segment = pickle.loads(part.head, buffers=buffers)  # our own worker's
    return segment
