"""Builds and publishes a generation: read the files that changed, merge them with the others, publish.

Full and incremental builds share one path; a full build keeps nothing.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from contracts.errors import CtxpackError, NoFiles
from contracts.frozen import frozen
from index.generation.reader import Manifest, Snapshot, file_checks
from index.generation.store import READING, Store
from index.processes import rare_collections
from index.segment.columns import SKIP_REASONS, Array, Segment
from index.tree.beneath import read_beneath
from index.tree.tree_scan import folders_of
from index.tree.walk import Walk, WalkedFile
from index.types import MEMORY_BYTES, Progress, Refreshed

if TYPE_CHECKING:
    from index.embed.static import StaticEmbedder
    from index.generation.diff import GenerationDiff
    from index.generation.writer import SnapshotWriter
    from index.segment.memory import MappedFiles, Workspace


# Vocabularies keep words that no file uses any more until they have grown by this factor and this many words.
GROWTH = 1.25
GROWTH_LEAST = 2_000
MAX_FILES = 10_000  # of a footprint: 20 ms; changes of larger trees must be reported by the system
_CHECKED = 1_000  # files at a time: most have 10 to 50 KB of text and vectors


@frozen
class TreeChanges:
    """How a walk differs from the published generation: the generation's files that are the same, and those to read."""

    same: Array
    restamped: dict[int, int]  # those of the same files that were touched -> their new mtime
    read: tuple[WalkedFile, ...]
    added: int
    changed: int
    removed: int

    @property
    def any(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.restamped)


def compare(root: Path, walk: Walk, old: Segment | None) -> TreeChanges:
    """Find the changed files: by size and mtime_ns, and by content hash if only the mtime differs."""
    if old is None:
        return TreeChanges(np.zeros(0, np.int64), {}, tuple(walk.files), len(walk.files), 0, 0)
    sizes, stamps = old.array("file.size").tolist(), old.array("file.mtime_ns").tolist()
    paths = old.strings("file.path").to_list()
    if list(zip(paths, sizes, stamps, strict=True)) == list(walk.files):  # nothing changed: compared at the speed of C
        return TreeChanges(np.arange(len(paths)), {}, (), 0, 0, 0)
    numbers = {path: number for number, path in enumerate(paths)}
    same: list[int] = []
    restamped: dict[int, int] = {}
    read: list[WalkedFile] = []
    added = 0
    for entry in walk.files:
        number = numbers.pop(entry.path, None)
        if number is None:
            added += 1
        elif sizes[number] == entry.size and stamps[number] == entry.mtime_ns:
            same.append(number)
            continue
        elif sizes[number] == entry.size and _has_digest(root, entry, old.array("file.hash")[number]):
            same.append(number)
            restamped[number] = entry.mtime_ns
            continue
        read.append(entry)
    return TreeChanges(np.array(same, np.int64), restamped, tuple(read), added, len(read) - added, len(numbers))


def _has_digest(root: Path, entry: WalkedFile, digest: bytes) -> bool:
    import hashlib

    try:
        data = read_beneath(root, entry.path, entry.size)
    except OSError:
        return False
    return hashlib.blake2b(data, digest_size=16).digest().rstrip(b"\0") == digest


class Footprint:
    """Tells, without a walk, whether the files and folders of a generation changed on the disk.

    For readers that keep an index open. A new file or folder is noticed because its parent folder changes.
    """

    def __init__(self, root: Path, segment: Segment) -> None:
        self._stamps: dict[bytes, tuple[int, int]] = {}
        if segment.files <= MAX_FILES:
            base, paths = os.fsencode(root) + b"/", segment.strings("file.path").to_bytes()
            stamps = zip(segment.array("file.mtime_ns").tolist(), segment.array("file.size").tolist(), strict=True)
            self._stamps = {base + folder: _stamp(base + folder) for folder in folders_of(paths)}
            self._stamps.update(zip((base + path for path in paths), stamps, strict=True))

    def changed(self) -> bool:
        """Whether a file differs from the generation's record, or a folder from its state when this object was created.

        Never true for more than `MAX_FILES` files.
        """
        return any(_stamp(path) != stamp for path, stamp in self._stamps.items())


def _stamp(path: bytes) -> tuple[int, int]:
    """The time and the size of a file or a folder."""
    try:
        status = os.lstat(path)
    except OSError:
        return -1, -1
    return status.st_mtime_ns, status.st_size


class Builder:
    """Builds generations of one repository, with the static model's vectors."""

    def __init__(
        self, root: Path, store: Store, embedder: StaticEmbedder, progress: Progress | None, notes: Iterable[str] = (),
        memory: int = MEMORY_BYTES,
    ) -> None:  # fmt: skip
        self.root = root
        self.store = store
        self.embedder = embedder
        self.progress = progress
        self._notes = tuple(notes)
        self.memory = memory

    def refresh(
        self, walk: Walk, live: Snapshot | None, *, full: bool, wait_s: float, partial: bool = False
    ) -> tuple[Snapshot, Refreshed]:
        """Bring the index up to date with the walk; return the live generation if nothing changed.

        `partial`: the walk covers a part of the tree, so a generation that another writer published is kept.
        """
        began = time.perf_counter()
        old = None if full else live
        changes = compare(self.root, walk, old.segment if old else None)
        if old is not None and not changes.any and old.manifest.about["skipped"] == walk.skipped:
            return old, self._report(old, changes, walk, began)
        if not walk.files and not changes.removed:
            raise nothing_to_index(self.root, walk.skipped)
        with self.store.writing(wait_s, self.progress), rare_collections():
            newest = None if full else self._reopen()
            if newest is not None and (old is None or newest.manifest.generation != old.manifest.generation):
                old = newest  # another writer published while we waited
                changes = compare(self.root, walk, old.segment)
                if partial or (not changes.any and old.manifest.about["skipped"] == walk.skipped):
                    return old, self._report(old, changes, walk, began)
            snapshot = self._publish(walk, old, changes)
        return snapshot, self._report(snapshot, changes, walk, began)

    def behind(self, why: str) -> Refreshed:
        """The report of a generation that is used although the tree has changed, because no new one can be written."""
        note = f"{why}. This answer uses the previous index, from before the tree changed."
        return Refreshed(0, 0, 0, 0.0, (*self._notes, note), behind=True)

    def _reopen(self) -> Snapshot | None:
        try:
            return self.store.open()
        except CtxpackError:
            return None

    def _publish(self, walk: Walk, old: Snapshot | None, changes: TreeChanges) -> Snapshot:
        from index.generation.diff import GenerationDiff
        from index.generation.writer import SnapshotWriter
        from index.graph.build import derive_edges
        from index.graph.reuse import reusable
        from index.lexical import derive_postings
        from index.segment.memory import MappedFiles, Memory
        from index.segment.workers import read_parallel, tell

        overgrown = old is not None and _is_overgrown(old)
        before = old or self._reopen()
        has_crashed = before is not None and "reader_crashed" in before.manifest.about["unreadable"]
        careful = has_crashed or self.store.died_reading()
        number = self.store.next_number()
        with self.store.translated(), self.store.scratch() as scratch:
            files, memory, reading = MappedFiles(), Memory(self.memory), scratch / READING
            with closing(SnapshotWriter(scratch, files, memory)) as writer:
                reading.mkdir()
                embed = self.embedder.embed_segment
                read = read_parallel(
                    self.root, changes.read, embed, self.progress, reading, files, memory, careful=careful
                )
                segment = self._merged(writer, files, read, changes, old, overgrown=overgrown)
                shutil.rmtree(reading)
                tell(self.progress, "publish", 0, 1)
                diff = None
                if old is not None and len(changes.same) and not overgrown:
                    fresh = np.zeros(segment.files, bool)
                    fresh[[segment.strings("file.path").find(entry.path) for entry in changes.read]] = True
                    diff = GenerationDiff(old, segment, fresh)
                reuse = None if diff is None else reusable(diff)
                derived = {**derive_postings(segment, writer, diff), **derive_edges(segment, reuse, writer)}
                derived["check"] = _checks(segment, diff, writer)
                manifest = Manifest(
                    number,
                    self.embedder.model_id,
                    self.embedder.dimensions,
                    _tree_data(walk, segment, old if diff else None),
                )
                writer.finish(manifest, segment, derived)
            folder = self.store.publish(scratch, number)
        tell(self.progress, "publish", 1, 1)
        return Snapshot(folder)

    def _merged(
        self, writer: SnapshotWriter, files: MappedFiles, read: list[Segment], changes: TreeChanges,
        old: Snapshot | None, *, overgrown: bool,
    ) -> Segment:  # fmt: skip
        """Merge the files that changed with those that did not."""
        from index.segment.builder import empty
        from index.segment.merge import compacted, merge

        parts = [(segment, np.arange(segment.files)) for segment in read]
        if old is not None and len(changes.same):
            old.read_through(files)
            before = compacted(old.segment) if overgrown else old.segment
            mtimes = before.array("file.mtime_ns").copy()
            mtimes[list(changes.restamped)] = list(changes.restamped.values())
            before = replace(before, columns={**before.columns, "file.mtime_ns": mtimes})
            parts.insert(0, (before, changes.same))
        return merge(parts, writer) if any(len(chosen) for _, chosen in parts) else empty(self.embedder.dimensions)

    def _report(self, snapshot: Snapshot, changes: TreeChanges, walk: Walk, began: float) -> Refreshed:
        is_first = changes.added == len(walk.files)
        return Refreshed(
            added=snapshot.manifest.about["files"] if is_first else changes.added,
            changed=changes.changed,
            removed=changes.removed,
            duration_ms=round((time.perf_counter() - began) * 1000, 3),
            notes=(*walk.notes, *self._notes, *self._memory_note(walk, changes)),
        )

    def _memory_note(self, walk: Walk, changes: TreeChanges) -> Iterator[str]:
        """A note if indexing a tree of this size may need more memory than the limit."""
        if changes.read:
            from index.segment.memory import Memory

            if needed := Memory(self.memory).exceeded_by(sum(entry.size for entry in walk.files)):
                yield (
                    f"Indexing a tree of this size may take {needed / 1e9:.1f} GB; "
                    f"the limit of {self.memory / 1e9:.1f} GB (--memory) may have been exceeded"
                )


def _checks(segment: Segment, diff: GenerationDiff | None, workspace: Workspace) -> Array:
    """uint32[files, 2]: the checksums of all files; those of unchanged files are copied."""
    checks = np.zeros((segment.files, 2), np.uint32)
    fresh = np.arange(segment.files)
    if diff is not None:
        same, before = diff.unchanged
        checks[same] = diff.old.array("check")[before]
        fresh = np.flatnonzero(diff.fresh)
    for start in range(0, len(fresh), _CHECKED):
        files = fresh[start : start + _CHECKED]
        checks[files] = file_checks(segment, files.tolist())
        workspace.release()
    return checks


def _is_overgrown(old: Snapshot) -> bool:
    """Whether the vocabularies of a generation contain many words of earlier versions of files."""
    began: int = old.manifest.about["vocabulary"]
    return len(old.segment.names) + len(old.segment.terms) > began * GROWTH + GROWTH_LEAST


def _tree_data(walk: Walk, segment: Segment, before: Snapshot | None) -> dict[str, object]:
    """The manifest's data about the tree; `before` is the generation whose vocabularies the segment extends, if any."""
    reasons = np.bincount(segment.array("file.skip"), minlength=len(SKIP_REASONS)).tolist()
    return {
        "files": reasons[0],
        "chunks": int(segment.rows["chunk"][-1]),
        "vocabulary": before.manifest.about["vocabulary"] if before else len(segment.names) + len(segment.terms),
        "skipped": dict(walk.skipped),
        "unreadable": {reason: count for reason, count in zip(SKIP_REASONS, reasons, strict=True) if reason and count},
    }


def nothing_to_index(root: Path, skipped: Mapping[str, int]) -> NoFiles:
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(skipped.items())) or "it is empty"
    hint = "check --repo, .gitignore and .ctxpackignore"
    details = {"skipped": dict(skipped)}
    return NoFiles(f"{root} contains no file that can be indexed ({reasons})", hint=hint, details=details)
