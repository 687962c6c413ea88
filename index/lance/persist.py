"""Bring the LanceDB table up to the published generation: at once, or in a process of its own after the answer.

A query must not wait for lancedb, whose import alone takes longer than the answer. It publishes a generation, answers,
and leaves the table to `python -m index.lance.persist HOME`, which outlives it. Killed at any instant, the next run
completes what is missing, because the table knows which files it holds.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chunker.kinds import KINDS
from contracts.errors import CtxpackError, IndexCorrupt, IndexLocked
from index import background
from index.generation.private import FILE_MODE, take
from index.generation.reader import Snapshot
from index.generation.store import Store
from index.segment.segment import Segment

TABLE_FOLDER = "table"
LATER_WAIT_S = 600.0  # a background run has time: another one may be writing what it would write


def synchronise(
    store: Store, snapshot: Snapshot, wait_s: float, *, full: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> None:  # fmt: skip
    """Make the table hold exactly the generation's chunks. IndexLocked when another run keeps it for `wait_s`."""
    import filelock

    from index.lance.table import ChunkTable

    segment = snapshot.segment
    paths = segment.strings("file.path").to_list()
    counts = np.diff(segment.rows["chunk"]).tolist()
    digests = segment.array("file.hash").tolist()
    number_of = {path: number for number, path in enumerate(paths) if counts[number]}
    hashes = {path: digests[number].ljust(16, b"\0") for path, number in number_of.items()}
    table = ChunkTable(store.home / TABLE_FOLDER, snapshot.manifest.dimensions)
    lock = filelock.FileLock(store.home / "table.lock", timeout=wait_s, mode=FILE_MODE)
    with store.translated():
        take(store.home)
        try:
            lock.acquire()
        except filelock.Timeout as error:
            raise IndexLocked(
                f"another ctxpack has been writing the table in {store.home} for more than {wait_s:g} s",
                hint="wait for it, or allow more time with --wait SECONDS",
            ) from error

    def write(full: bool) -> None:
        table.synchronise(
            hashes,
            lambda wanted: _columns(segment, [number_of[path] for path in wanted]),
            snapshot.manifest.generation,
            full=full,
            progress=progress,
        )

    try:
        write(full)
    except IndexCorrupt:
        if full:
            raise
        write(full=True)  # what a full disk or a kill left of a first write: all of it stands in the generation
    finally:
        lock.release()


def _columns(segment: Segment, files: Sequence[int]) -> dict[str, Any]:
    """The rows of these files' chunks, column by column."""
    from index.embed.cache import document_hash

    names, paths, languages = segment.names, segment.strings("file.path"), segment.strings("file.language")
    texts, digests = segment.strings("file.text"), segment.array("file.hash")
    first = segment.rows["chunk"]
    columns: dict[str, list[Any]] = {
        name: []
        for name in "file ordinal language kind symbol start_line end_line text terms file_hash chunk_hash".split()
    }
    picked: list[int] = []
    for file in files:
        path, language, raw, digest = paths[file], languages[file], texts.raw(file), digests[file].ljust(16, b"\0")
        for ordinal, chunk in enumerate(range(int(first[file]), int(first[file + 1]))):
            start, end = (int(segment.array(f"chunk.{side}_byte")[chunk]) for side in ("start", "end"))
            text = raw[start:end].decode("utf-8", "replace")
            symbol = int(segment.array("chunk.symbol")[chunk])
            row = (
                path, ordinal, language, KINDS[int(segment.array("chunk.kind")[chunk])],
                names[symbol] if symbol >= 0 else None,
                int(segment.array("chunk.start_line")[chunk]), int(segment.array("chunk.end_line")[chunk]),
                text, None, digest, document_hash(f"{path}\n{text}"),
            )  # fmt: skip
            for name, value in zip(columns, row, strict=True):
                columns[name].append(value)
            picked.append(chunk)
    return {**columns, "terms": _terms(segment, files), "vector": segment.array("chunk.vector")[picked]}


def _terms(segment: Segment, files: Sequence[int]) -> list[str]:
    """Each chunk's terms, space-joined, as often as they occur: what full-text search reads."""
    found: list[str] = []
    vocabulary = segment.terms
    spelled: dict[int, str] = {}
    for file in files:
        run = slice(int(segment.rows["body"][file]), int(segment.rows["body"][file + 1]))
        chunks = int(segment.rows["chunk"][file + 1] - segment.rows["chunk"][file])
        lines: list[list[str]] = [[] for _ in range(chunks)]
        columns = (segment.array(f"body.{name}")[run].tolist() for name in ("chunk", "term", "tf"))
        for chunk, term, tf in zip(*columns, strict=True):
            if term not in spelled:
                spelled[term] = vocabulary[term]
            lines[chunk] += [spelled[term]] * tf
        found += [" ".join(line) for line in lines]
    return found


def start_later(home: Path) -> None:
    """Start the process that brings the table of an index home up to date, and do not wait for it."""
    background.start("index.lance.persist", str(home))


def main(home: Path) -> None:
    """Synchronise until the table has the live generation; another run may publish while we write."""
    os.nice(10)
    store = Store(home)
    done = -1
    while (live := store.open()) is not None and live.manifest.generation != done:
        synchronise(store, live, LATER_WAIT_S)
        done = live.manifest.generation


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except CtxpackError as error:
        sys.exit(f"{error.code}: {error.message}")
