"""The LanceDB table: every chunk with its vector, durable, searchable where a snapshot would not fit in memory.

A row belongs to a file and its content hash. Synchronising compares those pairs with the generation's and deletes and
adds what differs, so a run that was killed is completed by the next one. Rows are written in one commit each time: a
file is in the table whole or not at all.

lancedb costs seconds of import and stays inside the functions; a query on a snapshot never comes here.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contracts.errors import IndexCorrupt, IOFailure
from index.generation.private import take

if TYPE_CHECKING:
    import pyarrow as pa

TABLE = "chunks"
TABLE_FORMAT = 1  # 1: first
HASH_BYTES = 16
# Files whose rows are made and handed to Arrow at a time: some 2,500 chunks, 6 MB.
BATCH_FILES = 256
# Paths in one DELETE: above this DataFusion spends more on reading the list than on the rows.
DELETE_FILES = 1_000
# From here on a search by index beats reading all vectors (127,000 rows: 150-200 ms flat).
INDEXED_ROWS = 100_000
# Each synchronisation leaves two versions and one fragment; past these, rewriting costs less than carrying them.
MAX_VERSIONS, MAX_FRAGMENTS, MAX_DEAD_SHARE = 40, 20, 0.25
# A reader whose version has gone opens the newest one (table_search), so none is kept for it. Zero would warn.
KEEP_VERSIONS = timedelta(milliseconds=1)

_OS_ERROR = re.compile(r"\(os error (\d+)\)")  # as Rust writes it

Columns = Mapping[str, Any]  # column -> list or array, one value a chunk; see `row_schema`


@dataclass(frozen=True, slots=True)
class Synchronised:
    """What one synchronisation did to the table, in files, and the rows it has now."""

    added: int
    removed: int
    rows: int


def row_schema(dimensions: int) -> pa.Schema:
    """The table's columns. `ordinal` counts a file's chunks from 0; `terms` are the chunk's terms, space-joined.

    `terms` come from index.text, so that full-text search tokenises exactly as the snapshot's postings do.
    `chunk_hash` is of the document text that the vector was made of (index.embed.cache.document_hash).
    """
    import pyarrow as pa

    fields: list[tuple[str, Any]] = [
        ("file", pa.string()),
        ("ordinal", pa.int32()),
        ("language", pa.string()),
        ("kind", pa.string()),
        ("symbol", pa.string()),
        ("start_line", pa.int32()),
        ("end_line", pa.int32()),
        ("text", pa.string()),
        ("terms", pa.string()),
        ("file_hash", pa.binary(HASH_BYTES)),
        ("chunk_hash", pa.binary(HASH_BYTES)),
        ("vector", pa.list_(pa.float32(), dimensions)),
        ("generation", pa.int64()),
    ]
    return pa.schema(fields, metadata={"ctxpack.table_format": str(TABLE_FORMAT)})


class ChunkTable:
    """The chunks of one repository under one model, in a folder or at an object store's URI (`s3://...`).

    One writer at a time: in a folder the caller holds the index's writer lock. Readers need none.
    """

    def __init__(self, location: str | Path, dimensions: int) -> None:
        self.location = str(location)
        self.dimensions = dimensions
        self._opened: Any = None

    @property
    def is_local(self) -> bool:
        return "://" not in self.location

    @property
    def _folder(self) -> Path:
        return Path(self.location) / f"{TABLE}.lance"

    def synchronise(
        self,
        hashes: Mapping[str, bytes],
        columns_of: Callable[[Sequence[str]], Columns],
        generation: int,
        *,
        full: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Synchronised:
        """Make the table hold exactly the files of `hashes` (path -> 16 bytes of content hash), each with its chunks.

        `columns_of(paths)` gives the columns of these files' chunks, in order, without `generation`; it is asked for
        files that are missing from the table only, some at a time. Files without a chunk must not be in `hashes`.
        `full` writes everything anew, and removes what cannot be read first. Raises IndexCorrupt and IOFailure.
        """
        try:
            return self._synchronised(hashes, columns_of, generation, full, progress)
        except IndexCorrupt:
            if not full or not self.is_local:
                raise
            shutil.rmtree(self._folder, ignore_errors=True)
            return self._synchronised(hashes, columns_of, generation, full, progress)

    def _synchronised(
        self, hashes: Mapping[str, bytes], columns_of: Callable[[Sequence[str]], Columns], generation: int, full: bool,
        progress: Callable[[int, int], None] | None,
    ) -> Synchronised:  # fmt: skip
        with self._reading():
            table = self._open()
            present = {} if table is None else _contents(table)
        before = self._opened
        missing = sorted(path for path, key in hashes.items() if full or present.get(path) != {key})
        surplus = sorted(path for path in present if full or present[path] != {hashes.get(path)})
        if len(present) - len(surplus) < len(missing):
            missing, table = sorted(hashes), None  # most of it changes: one commit replaces everything
        elif surplus:
            with self._writing():
                _delete(table, surplus)
        self._write(table, missing, columns_of, generation, progress)
        with self._writing():
            self._maintain(replaced=before is not None and before is not self._opened)
            return Synchronised(len(missing), len(surplus), int(self._opened.count_rows()))

    def contents(self) -> dict[str, bytes]:
        """Path -> content hash of every file that the table holds; empty when there is no table."""
        with self._reading():
            table = self._open()
            return {} if table is None else {path: min(keys) for path, keys in _contents(table).items()}

    def opened(self) -> Any:
        """The LanceDB table at its newest version. IndexCorrupt when there is none."""
        with self._reading():
            table = self._open()
        if table is None:
            raise IndexCorrupt(
                f"there is no table in {self.location}",
                hint="run `ctxpack index`",
                details={"folder": self.location},
            )
        return table

    def make_indexes(self) -> None:
        """Make the vector, full-text and file indexes that are not there yet; `compact` brings them up to date."""
        from lancedb.index import FTS, BTree, IvfFlat

        table = self.opened()
        have = {column for index in table.list_indices() for column in index.columns}
        with self._writing():
            if "terms" not in have:
                # The terms are final: any further folding would make them others than the snapshot's.
                plain = FTS(
                    base_tokenizer="whitespace", with_position=False, max_token_length=None, lower_case=False,
                    stem=False, remove_stop_words=False, ascii_folding=False,
                )  # fmt: skip
                table.create_index("terms", config=plain)
            if "file" not in have:
                table.create_index("file", config=BTree())
            if "vector" not in have and table.count_rows():
                # 200,000 rows of 256 dimensions on two cores: 7 s to build, 30 ms a query, recall@100 0.98 to 1.0.
                # IVF_PQ took 20 times as long to build and HNSW_SQ a hundred times, for less recall.
                table.create_index("vector", config=IvfFlat(distance_type="dot"))

    def compact(self) -> None:
        """Rewrite small and half-dead fragments, add new rows to the indexes, remove every older version."""
        with self._writing():
            table = self.opened()
            for _ in range(2):  # rewriting leaves a version of its own behind, which holds on to the old files
                # Locally the writer's lock proves that files of no version are a killed writer's, not one at work.
                table.optimize(cleanup_older_than=KEEP_VERSIONS, delete_unverified=self.is_local)

    def _maintain(self, *, replaced: bool) -> None:
        table = self._opened
        stats = table.stats()
        fragments = stats["fragment_stats"]
        written = fragments["num_fragments"] * fragments["lengths"]["mean"]
        dead = 1 - stats["num_rows"] / written if written else 0.0
        if stats["num_rows"] >= INDEXED_ROWS:
            self.make_indexes()
        crowded = fragments["num_fragments"] > MAX_FRAGMENTS or len(table.list_versions()) > MAX_VERSIONS
        if replaced or crowded or dead > MAX_DEAD_SHARE:
            self.compact()

    def _write(
        self,
        table: Any,
        paths: Sequence[str],
        columns_of: Callable[[Sequence[str]], Columns],
        generation: int,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        """Add the chunks of these files in one commit, or make the table anew with them when there is none."""
        import pyarrow as pa

        schema = row_schema(self.dimensions)
        failures: list[BaseException] = []

        def batches() -> Iterator[pa.RecordBatch]:
            try:
                for start in range(0, len(paths), BATCH_FILES):
                    yield _batch(columns_of(paths[start : start + BATCH_FILES]), generation, schema)
                    if progress is not None:
                        progress(min(start + BATCH_FILES, len(paths)), len(paths))
            except BaseException as error:
                failures.append(error)
                raise

        try:
            with self._writing():
                if table is None:
                    rows = pa.RecordBatchReader.from_batches(schema, batches())
                    if self.is_local:
                        take(Path(self.location))
                    self._opened = self._connect().create_table(TABLE, rows, mode="overwrite")
                elif paths:
                    table.add(pa.RecordBatchReader.from_batches(schema, batches()))
        except (IOFailure, IndexCorrupt):
            # What went wrong on our side of the stream, an interruption too, comes back as an error of Lance's.
            if failures:
                raise failures[0] from None
            raise

    def _open(self) -> Any:
        """The table at its newest version, or None where there is none or one of another format or model."""
        if self._opened is None:
            if self.is_local and not self._folder.exists():
                return None
            try:
                self._opened = self._connect().open_table(TABLE)
            except (FileNotFoundError, ValueError) as error:
                if "not found" in str(error) and not self.is_local:
                    return None
                raise
        self._opened.checkout_latest()
        wanted, found = row_schema(self.dimensions), self._opened.schema
        same = (wanted.names, wanted.types, wanted.metadata) == (found.names, found.types, found.metadata)
        return self._opened if same else None

    def _connect(self) -> Any:
        return load_lancedb().connect(self.location)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """What LanceDB raises over a table that it was able to write means that its files were spoiled since."""
        try:
            yield
        except Exception as error:
            if not is_of_the_table(error):
                raise
            raise self._spoiled(error) from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """What the system refuses is an IOFailure. Everything else that LanceDB raises is about what the files hold."""
        try:
            yield
        except Exception as error:
            if not is_of_the_table(error):
                raise
            if not _is_refused(error):
                raise self._spoiled(error) from error
            self._opened = None
            raise IOFailure(
                f"the table in {self.location} cannot be written: {_first_line(error)}",
                hint="check the space and the permissions there, then run `ctxpack index` again",
                details={"path": self.location},
            ) from error

    def _spoiled(self, error: Exception) -> IndexCorrupt:
        self._opened = None
        return IndexCorrupt(
            f"the table in {self.location} cannot be read: {_first_line(error)}",
            hint="write it anew with `ctxpack index --full`",
            details={"folder": self.location},
        )


def load_lancedb() -> Any:
    """The lancedb module, imported (1 to 3 s) with its own log on stderr kept to errors. May run in a thread early."""
    os.environ.setdefault("LANCEDB_LOG", "error")
    import lancedb

    return lancedb


def is_of_the_table(error: Exception) -> bool:
    """Whether it is about the table's files. Over some damage Lance panics, with a type of its own."""
    return isinstance(error, OSError | ValueError | RuntimeError) or type(error).__name__ == "RustPanic"


def _is_refused(error: Exception) -> bool:
    """Whether the system refused something. A file that is not there is none of that: somebody removed it."""
    number = getattr(error, "errno", None) or int(next(iter(_OS_ERROR.findall(str(error))), 0))
    return number not in (0, errno.ENOENT)


def _first_line(error: Exception) -> str:
    """What the system said, without the places in Lance's source that follow."""
    return (str(error).partition("\n")[0] or type(error).__name__).partition(", /")[0]


def _contents(table: Any) -> dict[str, set[bytes]]:
    """Path -> the content hashes under which the table holds its chunks; one each, unless somebody else wrote."""
    rows = table.search().where("ordinal = 0").select(["file", "file_hash"]).to_arrow()
    held: dict[str, set[bytes]] = {}
    for path, key in zip(rows["file"].to_pylist(), rows["file_hash"].to_pylist(), strict=True):
        held.setdefault(path, set()).add(key)
    return held


def path_list(paths: Iterable[str]) -> str:
    """`file IN (...)` in SQL."""
    quoted = ",".join("'" + path.replace("'", "''") + "'" for path in paths)
    return f"file IN ({quoted})"


def _delete(table: Any, paths: Sequence[str]) -> None:
    for start in range(0, len(paths), DELETE_FILES):
        table.delete(path_list(paths[start : start + DELETE_FILES]))


def _batch(columns: Columns, generation: int, schema: pa.Schema) -> pa.RecordBatch:
    """Plain columns as Arrow: arrays without a copy, lists by value."""
    import numpy as np
    import pyarrow as pa

    vectors = np.ascontiguousarray(columns["vector"], np.float32)
    arrays = []
    for field in schema:
        if field.name == "vector":
            flat = pa.array(vectors.reshape(-1))
            arrays.append(pa.FixedSizeListArray.from_arrays(flat, type=field.type))
        elif field.name == "generation":
            arrays.append(pa.array(np.full(len(vectors), generation, np.int64)))
        else:
            arrays.append(pa.array(columns[field.name], field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
