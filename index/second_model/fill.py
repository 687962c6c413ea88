"""Computes the vectors that a generation lacks: in the foreground, or in a separate process after the answer.

`python -m index.second_model.fill HOME MODEL` outlives the answer that started it and may be killed at any time:
every batch is on the disk before the next one begins, and the next run continues from there. The order of work
(`work_order`) only decides how soon a vector is available.

    CACHE/vectors.lance/       one LanceDB database per user
        MODEL-xxxxxxxx.lance   a table for each model: hash (16 bytes), vector (float16[d])

Computed vectors also go to a table that all branches, work trees and repositories share. Only this module uses it:
lancedb takes a second to import, and a query reads the mapped file of its own index instead. Rows are appended, never
merged or updated: LanceDB commits appends of several processes one after the other, and two rows of one document have
the same vector. A damaged table costs time, never an answer.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import numpy as np

from contracts.errors import CtxpackError, IndexLocked
from contracts.frozen import frozen
from index.collection.collection import Collection
from index.embed.models import ModelSpec, cache_key, second_model
from index.embed.transformer import SentenceTransformerEmbedder
from index.generation.private import FILE_MODE, cache_root, make_private, take
from index.generation.reader import Snapshot
from index.generation.store import Store, model_home
from index.processes import background_allowed
from index.second_model.vectors import KEY_BYTES, VectorFile, chunk_keys, document, vector_file
from index.segment.columns import Array

Tell = Callable[[int, int], None]  # (chunks that have a vector, chunks)
Load = Callable[[ModelSpec], SentenceTransformerEmbedder]

POLL_S = 0.5
BATCH_TEXTS = 32  # an interruption loses one batch
TABLE_TEXTS = 2_048  # vectors that are written to the user's table at a time
DAY_NS = 86_400 * 10**9
GARBAGE = 2  # times as many vectors as chunks, plus `GARBAGE_LEAST`: beyond that, unneeded ones are dropped
GARBAGE_LEAST = 4_096
TABLES = "vectors.lance"
MAX_FRAGMENTS = 64  # each append leaves one; rewriting them as one takes a second for 200,000 vectors


class VectorTable:
    """The vectors of one model by document. `problems` lists each failure to read or write them, with its reason."""

    def __init__(self, folder: Path, model: str, dimensions: int) -> None:
        self.problems: list[str] = []
        self._folder = folder
        self._name = model_home(Path(), model).name
        self._dimensions = dimensions

    def get(self, hashes: Sequence[bytes]) -> tuple[list[bytes], Array]:
        """(the hashes that have vectors here, each once; their vectors, float16[n, d])."""
        wanted = set(hashes)
        try:
            places = {key: row for key, row in zip(*self._rows(), strict=True) if key in wanted}
            if places:
                rows = self._open().take_row_ids(list(places.values())).select(["hash", "vector"]).to_arrow()
                flat = rows["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
                return rows["hash"].to_pylist(), flat.reshape(-1, self._dimensions)
        except Exception as error:  # lancedb passes on errors of Rust: RuntimeError, ValueError, OSError, pyarrow's
            self._start_anew(error)
        return [], np.zeros((0, self._dimensions), np.float16)

    def put(self, hashes: Sequence[bytes], vectors: Array) -> None:
        """Append float16[n, d], one row per hash that has no vector here."""
        try:
            present = set(self._rows()[0])
        except Exception as error:
            self._start_anew(error)
            present = set()
        rows = [row for row, key in enumerate(hashes) if key not in present]
        try:
            import pyarrow as pa

            for start in range(0, len(rows), TABLE_TEXTS):
                some = rows[start : start + TABLE_TEXTS]
                values = pa.array(np.ascontiguousarray(vectors[some], np.float16).reshape(-1), pa.float16())
                columns = [
                    pa.array([hashes[row] for row in some], pa.binary(KEY_BYTES)),
                    pa.FixedSizeListArray.from_arrays(values, self._dimensions),
                ]
                table = self._open()
                table.add(pa.table(columns, schema=self._schema()))
                if table.stats()["fragment_stats"]["num_small_fragments"] > MAX_FRAGMENTS:
                    table.optimize(cleanup_older_than=timedelta(hours=1))  # there is no index to rewrite
        except Exception as error:
            self.problems.append(f"vectors could not be stored in {self._folder}: {_first_line(error)}")

    def _open(self) -> Any:
        import lancedb
        from filelock import FileLock

        make_private(self._folder)
        lock = str(self._folder / f"{self._name}.lock")
        with FileLock(lock, mode=FILE_MODE):  # two processes that create it would undo each other
            return lancedb.connect(str(self._folder)).create_table(self._name, schema=self._schema(), exist_ok=True)

    def _schema(self) -> Any:
        import pyarrow as pa

        return pa.schema([("hash", pa.binary(KEY_BYTES)), ("vector", pa.list_(pa.float16(), self._dimensions))])

    def _rows(self) -> tuple[list[bytes], list[int]]:
        """(hash, row id) of every row."""
        rows = self._open().search().select(["hash"]).with_row_id(True).to_arrow()
        return rows["hash"].to_pylist(), rows["_rowid"].to_pylist()

    def _start_anew(self, error: Exception) -> None:
        """Set aside a table that cannot be read, in place of the one set aside before."""
        place = self._folder / f"{self._name}.lance"
        if place.exists() and not isinstance(error, ImportError):
            damaged = place.with_suffix(".damaged")
            shutil.rmtree(damaged, ignore_errors=True)
            with suppress(OSError):
                place.rename(damaged)
        self.problems.append(
            f"the vectors in {self._folder} could not be read and are computed again: {_first_line(error)}"
        )


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


@frozen
class _Work:
    """The chunks without a vector, in the order of work, and how many chunks have one."""

    chunks: Sequence[int]
    keys: Sequence[bytes]
    done: int
    total: int


def fill(
    store: Store, spec: ModelSpec, *, wait_s: float, progress: Tell | None = None,
    load: Load = SentenceTransformerEmbedder,
) -> None:  # fmt: skip
    """Complete the vectors of the live generation, and of any that is published meanwhile.

    Waits for another run that fills the same file. Raises IndexLocked if that makes no progress for `wait_s` seconds.
    """
    tell = progress or (lambda done, total: None)
    file = vector_file(store.home, spec)
    with store.translated(), _lock(file, store, wait_s, tell):
        _fill_under_lock(store, spec, file, tell, load)


def take_over(store: Store, spec: ModelSpec, keys: Sequence[bytes], vectors: Array) -> None:
    """Add vectors that were computed elsewhere, unless a run is computing them now."""
    file = vector_file(store.home, spec)
    with store.translated():
        try:
            lock = _lock(file, store, 0, lambda done, total: None)
        except IndexLocked:
            return
        with lock:
            existing = file.keys()
            rows = [row for row, key in enumerate(keys) if key not in existing]
            file.append([keys[row] for row in rows], vectors[rows])


def vectors_of(store: Store, spec: ModelSpec, snapshot: Snapshot) -> Array:
    """(key, vector) of each chunk of a generation that has a vector, in order, each key once."""
    records = vector_file(store.home, spec).records()
    place = {key: row for row, key in enumerate(records["key"].tolist())}
    rows = [place[key] for key in dict.fromkeys(chunk_keys(snapshot.segment)) if key in place]
    return np.asarray(records)[rows]


def start_later(home: Path, spec: ModelSpec) -> None:
    """Start a process that fills this model's vectors in an index home, if that is allowed, without waiting for it."""
    if not background_allowed():
        return
    name = spec.name if spec.hub else str(spec.folder)  # that process has another working directory
    subprocess.Popen(
        [sys.executable, "-m", "index.second_model.fill", str(home.absolute()), name],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd=Path(__file__).resolve().parents[2],
    )


def work_order(snapshot: Snapshot) -> Array:
    """The chunks in the order of work: recently changed and widely used files first, tests and prose last.

    The age of a file counts in days before the newest file of the tree: all files of one checkout are equally new.
    """
    collection = Collection(snapshot)
    changed = snapshot.segment.array("file.mtime_ns").astype(np.int64)
    days = (np.max(changed, initial=0) - changed) // DAY_NS
    static = collection.static
    use = static["imported_by"] - 2 * static["test"] - 2 * static["aside"] - 2 * static["prose"]
    value = use - 4 * static["generated"] + 6 / (1 + days)
    called = collection.chunk_priors["called_by"]
    return np.lexsort((-called, -value[collection.chunks.file], ~collection.shown))


def _lock(file: VectorFile, store: Store, wait_s: float, tell: Tell) -> AbstractContextManager[object]:
    """The lock of the file, acquired. While another run holds it, `tell` gets that run's progress."""
    import filelock

    take(store.home)
    take(file.path.parent)
    lock = filelock.FileLock(file.path.with_name(f"{file.path.name}.lock"), mode=FILE_MODE)
    seen, since = -1, monotonic()
    while True:
        try:
            return lock.acquire(timeout=0)
        except filelock.Timeout as error:
            count = len(file.records())
            if count != seen:
                seen, since = count, monotonic()
                live = store.open()
                if live is not None and wait_s:
                    work = _work(live, file)
                    tell(work.done, work.total)
            if monotonic() - since >= wait_s:
                raise IndexLocked(
                    f"another ctxpack process computes the vectors in {file.path}, without progress for {wait_s:g} s",
                    hint="wait for it, or allow more time with --wait SECONDS",
                ) from error
        sleep(POLL_S)


def _fill_under_lock(store: Store, spec: ModelSpec, file: VectorFile, tell: Tell, load: Load) -> None:
    embedder: SentenceTransformerEmbedder | None = None
    while (live := store.open()) is not None:
        if len(file.records()) > GARBAGE * len(live.array("chunk_file")) + GARBAGE_LEAST:
            file.rewrite(set(chunk_keys(live.segment)))
        work = _work(live, file)
        tell(work.done, work.total)
        if not work.chunks:
            return
        table = VectorTable(cache_root() / TABLES, cache_key(spec), spec.dimensions)
        keys, vectors = table.get(work.keys)  # which another branch, work tree or repository has computed
        if keys:
            file.append(keys, vectors)
            continue
        embedder = embedder or load(spec)  # takes seconds, so only if there is something to compute
        try:
            _compute(live, work, embedder, table, store, file, tell)
        finally:
            _copy_to_table(table, file)
        for problem in table.problems:
            print(f"ctxpack: {problem}", file=sys.stderr)


def _work(snapshot: Snapshot, file: VectorFile) -> _Work:
    keys = chunk_keys(snapshot.segment)
    existing = file.keys()
    missing: dict[bytes, int] = {}
    done = sum(key in existing for key in keys)
    if done < len(keys):
        for chunk in work_order(snapshot).tolist():
            if keys[chunk] not in existing:
                missing.setdefault(keys[chunk], chunk)
    return _Work(list(missing.values()), list(missing), done, len(keys))


def _copy_to_table(table: VectorTable, file: VectorFile) -> None:
    """Copy every vector of the file to the table, including those of a run that was killed."""
    records = file.records()
    table.put(records["key"].tolist(), records["vector"])


def _compute(
    snapshot: Snapshot, work: _Work, embedder: SentenceTransformerEmbedder, table: VectorTable, store: Store,
    file: VectorFile, tell: Tell,
) -> None:  # fmt: skip
    """Compute vectors batch by batch, until all exist or another generation is live."""
    done, segment, file_of = work.done, snapshot.segment, snapshot.array("chunk_file")
    for start in range(0, len(work.chunks), BATCH_TEXTS):
        if store.live_name() != snapshot.folder.name:
            return
        some = work.chunks[start : start + BATCH_TEXTS]
        texts = [document(segment, int(file_of[chunk]), chunk) for chunk in some]
        file.append(work.keys[start : start + BATCH_TEXTS], embedder.embed_documents(texts))
        done += len(some)
        tell(min(done, work.total), work.total)
        if (start + BATCH_TEXTS) % TABLE_TEXTS == 0:
            _copy_to_table(table, file)


def main(home: Path, name: str) -> None:
    """Fill in the background: at low priority, with half of the processors, and only if no other process does."""
    if sys.platform != "win32":
        os.nice(10)
    spec = second_model(name)
    if spec is None:
        return
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // 2)))
    fill(Store(home), spec, wait_s=0)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), sys.argv[2])
    except CtxpackError as error:
        sys.exit(f"{error.code}: {error.message}")
