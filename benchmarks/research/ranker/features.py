"""Turns questions into rows of signals: one row per candidate file, and one per chunk of the files that answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from index.collection.collection import Collection
from index.embed.static import StaticEmbedder
from index.search.query import parse_query
from index.search.searcher import candidate_files
from index.search.signals.files import CHUNK_SIGNALS, FILE_SIGNALS, Measurement
from index.segment.columns import spread
from index.types import Filters

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Target:
    """A place that answers a question; without lines, the whole file does."""

    path: str
    start: int | None = None
    end: int | None = None

    def is_path(self, path: str) -> bool:
        return path == self.path or path.endswith("/" + self.path) or self.path.endswith("/" + path)

    def covers(self, start: int, end: int) -> bool:
        return self.start is None or self.end is None or not (end < self.start or start > self.end)


@dataclass(frozen=True, slots=True)
class QuestionRows:
    """One question's rows: `file` float32[candidates, FILE_SIGNALS] with `file_label`, and the chunks of the target
    files with line spans: float32[chunks, CHUNK_SIGNALS], `chunk_label`, `chunk_group` (which file)."""

    repository: str
    source: str
    file: Floats
    file_label: npt.NDArray[np.float32]
    chunk: Floats
    chunk_label: npt.NDArray[np.float32]
    chunk_group: npt.NDArray[np.int64]
    targets: int
    split: str = "train"


def ask(
    collection: Collection, embedder: StaticEmbedder, repository: str, source: str, query: str,
    targets: Sequence[Target], places: Sequence[Target] = (),
) -> QuestionRows:  # fmt: skip
    """Measure one question. `places`: known lines of the targets, if the targets are whole files."""
    parsed = parse_query(query)
    measurement = Measurement(collection, parsed(collection, embedder, parsed))
    files = candidate_files(measurement, collection.allowed_files(Filters()))
    paths = collection.snapshot.strings("file.path")
    names = [paths[int(number)] for number in files]
    label = np.array([any(target.is_path(name) for target in targets) for name in names], np.float32)
    rows = np.stack([measurement.file[name][files] for name in FILE_SIGNALS], axis=1)
    chunk, chunk_label, group = [], [], []
    segment = collection.snapshot.segment
    for place in np.flatnonzero(label).tolist():
        spans = [one for one in (*targets, *places) if one.start is not None and one.is_path(names[place])]
        if not spans:
            continue
        number = int(files[place])
        pool = spread(collection.files.first_chunk[[number]], collection.files.chunk_count[[number]])
        starts, ends = segment.array("chunk.start_line")[pool].tolist(), segment.array("chunk.end_line")[pool].tolist()
        hit = [any(span.covers(a, b) for span in spans) for a, b in zip(starts, ends, strict=True)]
        if len(pool) > 1 and any(hit) and not all(hit):
            chunk.append(np.stack([measurement.chunk[name][pool] for name in CHUNK_SIGNALS], axis=1))
            chunk_label.append(np.array(hit, np.float32))
            group.append(np.full(len(pool), len(group), np.int64))
    return QuestionRows(
        repository, source, rows.astype(np.float32), label,
        np.concatenate(chunk).astype(np.float32) if chunk else np.zeros((0, len(CHUNK_SIGNALS)), np.float32),
        np.concatenate(chunk_label) if chunk else np.zeros(0, np.float32),
        np.concatenate(group) if group else np.zeros(0, np.int64),
        len({target.path for target in targets}),
    )  # fmt: skip


def ask_all(
    collection: Collection, embedder: StaticEmbedder, repository: str, source: str,
    questions: Iterable[tuple[str, Sequence[Target], Sequence[Target]]],
) -> list[QuestionRows]:  # fmt: skip
    """Measure every question of one repository; questions whose answer is not in the tree are left out."""
    results = (ask(collection, embedder, repository, source, *question) for question in questions)
    return [result for result in results if result.file_label.any()]
