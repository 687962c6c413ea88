"""Vectors that were computed once, kept by (model, content): across branches, work trees, repositories and rebuilds.

For transformer models only; the static model is faster than a look-up. One SQLite file of at most `MAX_BYTES`, in
which the vectors that were not asked for longest make room. The file is a cache and nothing else: whatever is wrong
with it costs time, never an answer, and is said in `hints`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from index.generation.private import FILE_MODE, make_private
from index.segment.segment import Segment

if TYPE_CHECKING:
    import numpy.typing as npt

    from index.types import Embedder

    Floats = npt.NDArray[np.float32]

Result = TypeVar("Result")

MAX_BYTES = 2 * 1024**3  # about 1.3 million vectors of 384 dimensions
KEPT_SHARE = 0.8  # evicting a fifth at once keeps eviction rare
# What an interruption loses, and what one transaction writes.
BATCH_TEXTS = 32
FILE_NAME = "vectors-1.sqlite3"  # the number is the format's
_PAGE_BYTES = 4096
_PLACES = 500  # SQLite before 3.32 takes 999 parameters
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_WAIT_S = 30.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS session (number INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS vector (
    id INTEGER PRIMARY KEY, model TEXT NOT NULL, hash BLOB NOT NULL, used INTEGER NOT NULL, data BLOB NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS vector_key ON vector (model, hash);
"""


def document_hash(text: str) -> bytes:
    """16 bytes that name a document's text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class VectorCache:
    """The vectors of one model in one cache file. Several processes may use the file at once.

    `hints` say what went wrong with it: a damaged file was started anew, or vectors could not be kept.
    """

    def __init__(self, path: Path, model: str, dimensions: int, *, max_bytes: int = MAX_BYTES) -> None:
        self.hints: list[str] = []
        self._path = path
        self._model = model
        self._dimensions = dimensions
        self._max_bytes = max_bytes
        self._connection: sqlite3.Connection | None = None
        self._session = 0
        self._usable = True
        self._guarded(lambda _: None, None)

    def get_many(self, hashes: Sequence[bytes]) -> dict[bytes, Floats]:
        """Hash -> float32[d] for those that are there."""
        return self._guarded(lambda connection: self._read(connection, hashes), {})

    def put_many(self, hashes: Sequence[bytes], vectors: Floats) -> None:
        """Keep float32[n, d], one row a hash, in one transaction. What is there already stays as it is."""
        self._guarded(lambda connection: self._write(connection, hashes, vectors), None)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> VectorCache:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _read(self, connection: sqlite3.Connection, hashes: Sequence[bytes]) -> dict[bytes, Floats]:
        found: dict[bytes, Floats] = {}
        stale: list[int] = []
        for some in _runs(sorted(set(hashes)), _PLACES):
            marks = ",".join("?" * len(some))
            rows = connection.execute(
                f"SELECT id, hash, used, data FROM vector WHERE model = ? AND hash IN ({marks})", [self._model, *some]
            )
            for number, key, used, data in rows:
                if len(data) == 4 * self._dimensions:
                    found[key] = np.frombuffer(data, "<f4").astype(np.float32)
                    if used < self._session:
                        stale.append(number)
        with connection:
            for places in _runs(stale, _PLACES):
                marks = ",".join("?" * len(places))
                connection.execute(f"UPDATE vector SET used = ? WHERE id IN ({marks})", [self._session, *places])
        return found

    def _write(self, connection: sqlite3.Connection, hashes: Sequence[bytes], vectors: Floats) -> None:
        rows = [
            (self._model, key, self._session, vector.astype("<f4").tobytes())
            for key, vector in zip(hashes, vectors, strict=True)
        ]
        with connection:
            connection.executemany("INSERT OR IGNORE INTO vector (model, hash, used, data) VALUES (?, ?, ?, ?)", rows)
        self._make_room(connection)

    def _make_room(self, connection: sqlite3.Connection) -> None:
        pages, free = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count"))
        bytes_used = (pages - free) * _PAGE_BYTES
        if bytes_used <= self._max_bytes:
            return
        (count,) = connection.execute("SELECT count(*) FROM vector").fetchone()
        surplus = max(1, int(count - count * KEPT_SHARE * self._max_bytes / bytes_used))
        with connection:
            connection.execute(
                "DELETE FROM vector WHERE id IN (SELECT id FROM vector ORDER BY used, id LIMIT ?)", [surplus]
            )
        connection.execute("PRAGMA incremental_vacuum").fetchall()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _guarded(self, work: Callable[[sqlite3.Connection], Result], otherwise: Result) -> Result:
        """Do something with the file; start it anew when it is damaged, do without when it cannot be used."""
        for attempt in (1, 2) if self._usable else ():
            try:
                return work(self._open())
            except (sqlite3.Error, OSError) as error:
                self.close()
                code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
                if code in _DAMAGED and attempt == 1 and self._start_anew():
                    continue
                self._usable = False  # once is enough: a lock that is never given up would cost its wait each time
                self.hints.append(f"the vector cache {self._path.name} cannot be used ({error}): nothing is kept")
                break
        return otherwise

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            make_private(self._path.parent)
            if not self._path.exists():
                self._path.touch(FILE_MODE)  # SQLite gives its other files this mode
            connection = sqlite3.connect(self._path, timeout=_WAIT_S)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # before the first table, or without effect
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = NORMAL")  # a power cut may lose the last batches, never the file
        connection.executescript(_SCHEMA)
        with connection:
            # The session's number ages vectors without a clock.
            connection.execute("UPDATE session SET number = number + 1")
            connection.execute("INSERT INTO session SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM session)")
            (self._session,) = connection.execute("SELECT max(number) FROM session").fetchone()

    def _start_anew(self) -> bool:
        """Remove the damaged file. Another process that holds it open goes on with its own copy."""
        try:
            for end in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + end).unlink(missing_ok=True)
        except OSError:
            return False
        self.hints.append(f"the vector cache {self._path.name} was damaged and has been started anew")
        return True


def embed_cached(
    texts: Sequence[str],
    embedder: Embedder,
    cache: VectorCache | None,
    progress: Callable[[int, int], None] | None = None,
) -> Floats:
    """float32[n, d] of document texts, those in the cache not computed again; `progress(done, total)` counts texts.

    Every batch is kept as soon as it is computed: an interrupted run goes on where it stopped.
    """
    vectors = np.zeros((len(texts), embedder.dimensions), np.float32)
    places: dict[bytes, list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(document_hash(text), []).append(place)
    known = cache.get_many(list(places)) if cache is not None else {}
    for key, vector in known.items():
        vectors[places[key]] = vector
    done = sum(len(places[key]) for key in known)
    if progress is not None:
        progress(done, len(texts))
    # Longest first: batches of one length have little padding, and the time left is not underestimated.
    missing = sorted((key for key in places if key not in known), key=lambda key: (-len(texts[places[key][0]]), key))
    for batch in _runs(missing, BATCH_TEXTS):
        computed = embedder.embed_documents([texts[places[key][0]] for key in batch])
        if cache is not None:
            cache.put_many(batch, computed)
        for key, vector in zip(batch, computed, strict=True):
            vectors[places[key]] = vector
            done += len(places[key])
        if progress is not None:
            progress(done, len(texts))
    return vectors


def open_cache(embedder: Embedder) -> VectorCache:
    """The user's vector cache, for this model."""
    from index.home import cache_root

    key = getattr(embedder, "cache_key", embedder.model_id)
    return VectorCache(cache_root() / FILE_NAME, key, embedder.dimensions)


def document_texts(segment: Segment) -> Iterator[str]:
    """Each chunk's document: its file's path, a newline and its text."""
    paths, texts = segment.strings("file.path"), segment.strings("file.text")
    starts, ends = (segment.array(f"chunk.{side}_byte").tolist() for side in ("start", "end"))
    rows = segment.rows["chunk"].tolist()
    for file in range(segment.files):
        path, text = paths[file], texts.raw(file)
        for chunk in range(rows[file], rows[file + 1]):
            yield f"{path}\n{text[starts[chunk] : ends[chunk]].decode('utf-8', 'replace')}"


Member = TypeVar("Member")


def _runs(values: Iterable[Member], size: int) -> Iterator[list[Member]]:
    everything = list(values)
    for start in range(0, len(everything), size):
        yield everything[start : start + size]
