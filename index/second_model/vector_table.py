"""A transformer's vectors by (model, document), of all branches, work trees and repositories: computed once.

    CACHE/vectors.lance/       one LanceDB database of the user
        MODEL-xxxxxxxx.lance   a table for each model: hash (16 bytes), vector (float16[d])

Only computing vectors needs this: lancedb takes a second to import, and a query reads the mapped file beside its
generation. Rows are appended, never merged or updated: LanceDB commits appends of several processes one after the
other, and two rows of one document hold the same vector. A damaged table costs time, never an answer.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from index.generation.private import FILE_MODE, make_private
from index.generation.store import model_home
from index.second_model.vectors import KEY_BYTES

if TYPE_CHECKING:
    import numpy.typing as npt

    Halves = npt.NDArray[np.float16]

FOLDER = "vectors.lance"
MOST_FRAGMENTS = 64  # each append leaves one; rewriting them as one takes a second for 200,000 vectors


class VectorTable:
    """The vectors of one model. `problems` names each failure to read or write them, with its reason."""

    def __init__(self, folder: Path, model: str, dimensions: int) -> None:
        self.problems: list[str] = []
        self._folder = folder
        self._name = model_home(Path(), model).name
        self._dimensions = dimensions

    def get(self, hashes: Sequence[bytes]) -> tuple[list[bytes], Halves]:
        """(the hashes that are there, each once; float16[n, d] in their order)."""
        wanted = set(hashes)
        try:
            places = {key: row for key, row in zip(*self._rows(), strict=True) if key in wanted}
            if places:
                rows = self._open().take_row_ids(list(places.values())).select(["hash", "vector"]).to_arrow()
                flat = rows["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
                return rows["hash"].to_pylist(), flat.reshape(-1, self._dimensions)
        except Exception as error:  # lancedb raises whatever Rust does: RuntimeError, ValueError, OSError, pyarrow's
            self._start_anew(error)
        return [], np.zeros((0, self._dimensions), np.float16)

    def missing(self, hashes: Sequence[bytes]) -> set[bytes]:
        """The hashes that have no vector here."""
        try:
            return set(hashes) - set(self._rows()[0])
        except Exception as error:
            self._start_anew(error)
            return set(hashes)

    def put(self, hashes: Sequence[bytes], vectors: Halves) -> None:
        """Append float16[n, d], one row a hash, in one commit."""
        try:
            import pyarrow as pa

            values = pa.array(np.ascontiguousarray(vectors, np.float16).reshape(-1), pa.float16())
            columns = [
                pa.array(hashes, pa.binary(KEY_BYTES)),
                pa.FixedSizeListArray.from_arrays(values, self._dimensions),
            ]
            table = self._open()
            table.add(pa.table(columns, schema=self._schema()))
            if table.stats()["fragment_stats"]["num_small_fragments"] > MOST_FRAGMENTS:
                table.optimize(cleanup_older_than=timedelta(hours=1))  # there is no index to be written again
        except Exception as error:
            self.problems.append(f"vectors could not be kept in {self._folder}: {_first_line(error)}")

    def _open(self) -> Any:
        import lancedb
        from filelock import FileLock

        make_private(self._folder)
        lock = str(self._folder / f"{self._name}.lock")
        with FileLock(lock, mode=FILE_MODE):  # of two that create it, one would undo the other
            return lancedb.connect(str(self._folder)).create_table(self._name, schema=self._schema(), exist_ok=True)

    def _schema(self) -> Any:
        import pyarrow as pa

        return pa.schema([("hash", pa.binary(KEY_BYTES)), ("vector", pa.list_(pa.float16(), self._dimensions))])

    def _rows(self) -> tuple[list[bytes], list[int]]:
        """(hash, row id) of every row."""
        rows = self._open().search().select(["hash"]).with_row_id(True).to_arrow()
        return rows["hash"].to_pylist(), rows["_rowid"].to_pylist()

    def _start_anew(self, error: Exception) -> None:
        """Set a table aside that cannot be read, in the place of the one before."""
        place = self._folder / f"{self._name}.lance"
        if place.exists() and not isinstance(error, ImportError):
            aside = place.with_suffix(".damaged")
            shutil.rmtree(aside, ignore_errors=True)
            with suppress(OSError):
                place.rename(aside)
        self.problems.append(
            f"the vectors in {self._folder} cannot be read and are computed again: {_first_line(error)}"
        )


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
