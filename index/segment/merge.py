"""Merges several segments into one: files by path, vocabularies united.

A worker turns a batch of files into a segment; a full build merges its batches; a refresh merges the unchanged files of
the published segment with a segment of the changed files. All give the same bytes for the same files, because a merged
segment is ordered by path and its vocabularies are sorted.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import filterfalse, pairwise

import numpy as np

from index.segment.columns import FEW, SCHEMA, Array, Longs, Segment, Strings, offsets_of
from index.segment.memory import IN_MEMORY, Workspace


def merge(parts: Sequence[tuple[Segment, Array]], workspace: Workspace = IN_MEMORY) -> Segment:
    """The chosen files (positions) of one or more segments as one segment, ordered by path. A path occurs once."""
    parts = [part for part in parts if len(part[1])] or list(parts[:1])
    segments = [segment for segment, _ in parts]
    names, name_maps = union([segment.names for segment in segments])
    terms, term_maps = union([segment.terms for segment in segments])
    maps = {"names": list(map(_with_none, name_maps)), "terms": list(map(_with_none, term_maps))}
    blocks = _blocks(parts)
    columns: dict[str, Array | Strings] = {}
    rows: dict[str, Longs] = {}
    for level, fields in SCHEMA.items():
        runs = [(part, *segments[part].rows[level][[first, last]].tolist()) for part, first, last in blocks]
        counts = [np.diff(segments[part].rows[level][first : last + 1]) for part, first, last in blocks]
        rows[level] = offsets_of(np.concatenate(counts))
        for name, kind in fields.items():
            column = f"{level}.{name}"
            if kind == "str":
                strings = [(segments[part].strings(column), a, b) for part, a, b in runs]
                columns[column] = _joined(strings, column, workspace)
                continue
            pieces = ((part, segments[part].array(column)[a:b]) for part, a, b in runs)
            to = maps.get(kind)
            columns[column] = workspace.keep(column, (to[part][piece] if to else piece for part, piece in pieces))
    return Segment(columns, rows, names, terms)


def compacted(segment: Segment) -> Segment:
    """The segment with only the words that its columns use: merging keeps those of earlier versions of files."""
    columns, vocabularies = dict(segment.columns), {"names": segment.names, "terms": segment.terms}
    for vocabulary, strings in vocabularies.items():
        using = [
            f"{level}.{name}" for level, fields in SCHEMA.items() for name, kind in fields.items() if kind == vocabulary
        ]
        used = np.zeros(len(strings) + 1, bool)
        for column in using:
            used[segment.array(column)] = True
        used[-1] = False
        to = np.where(used, np.cumsum(used) - 1, -1).astype(np.int32)
        columns.update({column: to[segment.array(column)] for column in using})
        vocabularies[vocabulary] = strings.take(np.flatnonzero(used))
    return Segment(columns, segment.rows, **vocabularies)


def _blocks(parts: Sequence[tuple[Segment, Array]]) -> list[tuple[int, int, int]]:
    """(part, first file, end) of each run of files to copy in one piece; together all chosen files, by path."""
    paths = [segment.strings("file.path").to_bytes() for segment, _ in parts]
    chosen = [(part, file) for part, (_, files) in enumerate(parts) for file in files.tolist()]
    chosen.sort(key=lambda one: paths[one[0]][one[1]])
    blocks: list[tuple[int, int, int]] = []
    for part, file in chosen:
        if blocks and blocks[-1][0] == part and blocks[-1][2] == file:
            blocks[-1] = (part, blocks[-1][1], file + 1)
        else:
            blocks.append((part, file, file + 1))
    return blocks


def _joined(runs: Sequence[tuple[Strings, int, int]], column: str, workspace: Workspace) -> Strings:
    """Runs of several columns of strings as one column."""
    lengths = [np.diff(strings.offsets[a : b + 1]) for strings, a, b in runs]
    pieces = (strings.blob[strings.offsets[a] : strings.offsets[b]] for strings, a, b in runs)
    blob = workspace.keep(f"{column}/blob", pieces)
    return Strings(blob, workspace.keep(f"{column}/offsets", [offsets_of(np.concatenate(lengths))]))


def _with_none(to: Array) -> Array:
    """The map from old to new positions in a vocabulary, with a last entry for -1, which stays -1."""
    return np.append(to, np.int32(-1))


def renamed(values: Array, to: Array) -> Array:
    """Positions in one vocabulary as positions in another; -1 stays -1."""
    return _with_none(to)[values]


def union(vocabularies: Sequence[Strings]) -> tuple[Strings, list[Array]]:
    """The sorted union of sorted vocabularies, and for each of them int32[n]: old position -> new position."""
    if sum(map(len, vocabularies[1:])) * FEW < len(vocabularies[0]):
        return _with_few(vocabularies[0], vocabularies[1:])
    first = vocabularies[0].to_bytes()
    old, news = set(first), set[bytes]()
    for vocabulary in vocabularies[1:]:  # one by one: together they are many times as large as their union
        news.update(filterfalse(old.__contains__, vocabulary.to_bytes()))
    # Two sorted runs: the sort merges them in linear time.
    merged = first + sorted(news)
    merged.sort()
    place = {value: number for number, value in enumerate(merged)} if len(vocabularies) > 1 else {}
    maps = [np.arange(len(first), dtype=np.int32)] if not news else []
    for vocabulary in vocabularies[len(maps) :]:
        maps.append(np.fromiter(map(place.__getitem__, vocabulary.to_bytes()), np.int32, len(vocabulary)))
    return vocabularies[0] if not news else Strings.of_bytes(merged), maps


def _with_few(large: Strings, others: Sequence[Strings]) -> tuple[Strings, list[Array]]:
    """The union of a large vocabulary and small ones, without reading each value of the large one."""
    lists = [other.to_bytes() for other in others]
    positions = {value: large.place(value) for value in sorted({value for values in lists for value in values})}
    news = [value for value, at in positions.items() if at == len(large) or large.raw(at) != value]
    before = np.array([positions[value] for value in news], np.int64)
    shift = np.searchsorted(before, np.arange(len(large)), side="right")
    first: Array = (np.arange(len(large)) + shift).astype(np.int32)
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
