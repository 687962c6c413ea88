"""The chunks that are measured closely for a pack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from index.arithmetic import best, standardised
from index.collection.collection import Collection
from index.search.signals.files import Measurement
from index.segment.columns import Array, begins_run

BEST_FILES = 40  # files by their points whose chunks are looked at
BEST_CHUNKS = 30  # chunks by words, and by meaning, whose files are looked at as well
KEPT = 400  # chunks by their first evidence that are measured closely
FILE_SHARE = 0.5  # of the file's points in the first evidence
BEHIND = 1e6  # more than the points of a file can make up for


@dataclass(frozen=True, slots=True)
class Pool:
    """The chunks that are measured closely, ascending, with their files and how the files stand.

    `file` are file numbers, `row` positions in the sorted distinct files; `file_points` float64 of each chunk's file.
    """

    chunks: Array
    file: Array
    row: Array
    files: Array
    file_points: Array
    evidence: Array  # float64: first evidence, from the file's points, the chunk's tables, words and meaning
    symbol: Array  # of each chunk, counted from 0: the parts of one symbol have one number
    place: Array  # int32[all chunks]: the position of each in the pool, -1 for all others


def pool_of(
    measured: Measurement, files: Array, file_points: Array, chunk_points: Callable[[Array], Array],
    docs_first: bool = False,
) -> Pool:  # fmt: skip
    """The chunks worth a closer look among those of the best `files`; with `docs_first` documents are best.

    `file_points` float64[files]; `chunk_points` gives the sum of the tables for chunks, float64, of some chunks.
    """
    collection, words, dense = measured.collection, measured.bm25, measured.chunk["dense"]
    points = np.zeros(len(collection.files))
    points[files] = file_points
    code = collection.static["prose"][files] == 0 if docs_first else 0
    chosen = np.zeros(len(collection.files), bool)
    chosen[files[best(file_points.round(6) - BEHIND * code, BEST_FILES)]] = True
    candidates = collection.chunks_of(files)
    for values in (words, dense, measured.second):
        if values.any():
            chosen[collection.chunks.file[candidates[best(values[candidates], BEST_CHUNKS)]]] = True
    chunks = collection.chunks_of(chosen.nonzero()[0])
    file = collection.chunks.file[chunks]
    evidence = FILE_SHARE * points[file] + chunk_points(chunks) + standardised(words[chunks], words)
    evidence = (evidence + dense[chunks]).round(4)
    places = best(evidence, KEPT)
    chunks, file = chunks[places], file[places]
    row = begins_run(file).cumsum() - 1
    symbol = (~_continues(collection, chunks)).cumsum() - 1
    place = places_of(chunks, len(collection.chunks))
    return Pool(chunks, file, row, file[begins_run(row)], points[file], evidence[places], symbol, place)


def _continues(collection: Collection, chunks: Array) -> Array:
    """bool[chunks]: whether each is a further part of the symbol that the one before it, in order, is a part of."""
    part, symbol, file = (
        column[chunks] for column in (collection.chunks.part, collection.chunks.symbol, collection.chunks.file)
    )
    same = np.zeros(len(chunks), bool)
    same[1:] = (part[1:] > 0) & (symbol[1:] == symbol[:-1]) & (chunks[1:] == chunks[:-1] + 1)
    same[1:] &= file[1:] == file[:-1]
    return same


def places_of(rows: Array, size: int) -> Array:
    """int32[size]: the place of each row among these, -1 for others."""
    places = np.full(size, -1, np.int32)
    places[rows] = np.arange(len(rows), dtype=np.int32)
    return places


def parent_numbers(collection: Collection, pool: Pool) -> Array:
    """int64[pool]: the chunk that contains each, -1 without one."""
    parent = collection.chunks.parent[pool.chunks].astype(np.int64)
    return np.where(parent >= 0, parent + collection.files.first_chunk[pool.file], -1)


def beside(pool: Pool, values: Array, step: int, nothing: float) -> Array:
    """The larger value of the two chunks `step` before and behind in the same file; `nothing` where none is there."""
    chunks, row = pool.chunks, pool.row
    larger = np.full(len(chunks), nothing)
    if len(chunks) > step:
        next_to = (row[step:] == row[:-step]) & (chunks[step:] == chunks[:-step] + step)
        larger[step:] = np.where(next_to, np.maximum(larger[step:], values[:-step]), larger[step:])
        larger[:-step] = np.where(next_to, np.maximum(larger[:-step], values[step:]), larger[:-step])
    return larger
