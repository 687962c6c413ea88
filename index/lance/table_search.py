"""Candidates from the LanceDB table: what the snapshot's postings and vectors answer, for tables too large for them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from contracts.errors import IndexCorrupt
from index.lance.table import ChunkTable, is_of_the_table, path_list

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

PROBES = 64  # partitions read for one query; 200,000 rows: recall@100 of 0.88 with 8, 0.98 with 32, 1.0 with 64
_PLACE = ("file", "file_hash", "ordinal")


class LanceRetriever:
    """Searches a table on behalf of one generation: `files` (sorted), their `hashes`, `rows` int64[files + 1].

    Chunk numbers are the generation's: `rows[i]` is the first chunk of file i. A row of the table counts only when
    its file has the content that the generation knows; a table that lags behind lacks answers, it gives no wrong one.
    """

    def __init__(
        self, table: ChunkTable, files: Sequence[str], hashes: Sequence[bytes], rows: Sequence[int] | Longs
    ) -> None:
        self._table = table
        self._files = files
        self._hashes = hashes
        self._rows = rows

    def lexical(self, terms: Sequence[str], k: int, *, within: Sequence[str] | None = None) -> tuple[Longs, Floats]:
        """(chunk numbers, BM25 scores) of the best k chunks that hold any of the terms; ties in chunk order.

        `within` are the only files to be searched. BM25 is Lance's, over the whole table: the order can differ from
        the snapshot's, the set of chunks that hold a term cannot.
        """
        from lancedb.query import MatchQuery

        query = MatchQuery(" ".join(dict.fromkeys(terms)), "terms")  # type: ignore[call-arg]  # pydantic fields

        def ask(table: Any, limit: int) -> Any:
            return table.search(query).limit(limit).select([*_PLACE, "_score"])

        if not terms:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        return self._best(ask, k, within, "_score", lambda score: score)

    def dense(self, vector: Floats, k: int, *, within: Sequence[str] | None = None) -> tuple[Longs, Floats]:
        """(chunk numbers, dot products) of the k chunks nearest to a unit vector; ties in chunk order.

        Exact without a vector index, nearly so with one.
        """

        def ask(table: Any, limit: int) -> Any:
            search = table.search(vector, vector_column_name="vector").distance_type("dot").limit(limit)
            return search.nprobes(PROBES).select([*_PLACE, "_distance"])

        return self._best(ask, k, within, "_distance", lambda distance: 1 - distance)

    def _best(
        self,
        ask: Callable[[Any, int], Any],
        k: int,
        within: Sequence[str] | None,
        column: str,
        score_of: Callable[[Any], Any],
    ) -> tuple[Longs, Floats]:
        if k <= 0 or (within is not None and not within):
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        limit = k
        while True:
            found = self._ask(ask, limit, within)
            numbers = self._numbers_of(found)
            live = numbers >= 0
            # Rows of another content than the generation's took places: ask for more, until there is no more.
            if live.sum() >= k or len(numbers) < limit:
                break
            limit *= 4
        numbers, scores = numbers[live], score_of(found[column].to_numpy().astype(np.float32))[live]
        order = np.lexsort((numbers, -scores))[:k]
        return numbers[order], scores[order]

    def _ask(self, ask: Callable[[Any, int], Any], limit: int, within: Sequence[str] | None) -> Any:
        for attempt in (1, 2):
            table = self._table.opened()
            search = ask(table, limit)
            if within is not None:
                search = search.where(path_list(within), prefilter=True)
            try:
                return search.to_arrow()
            except Exception as error:
                if not is_of_the_table(error):
                    raise
                # A writer may have removed the version that was open: opened() takes the newest.
                if attempt == 2:
                    raise IndexCorrupt(
                        f"the table in {self._table.location} cannot be searched: {str(error).partition(chr(10))[0]}",
                        hint="write it anew with `ctxpack index --full`",
                        details={"folder": self._table.location},
                    ) from error
        raise AssertionError("unreachable")

    def _numbers_of(self, found: Any) -> Longs:
        """int64[n]: the chunk number of each row, -1 where the generation has no such file or another content."""
        columns = (found[name].to_pylist() for name in _PLACE)
        return np.array([self._number_of(*place) for place in zip(*columns, strict=True)], np.int64)

    def _number_of(self, path: str, key: bytes, ordinal: int) -> int:
        place = bisect_left(self._files, path)
        known = place < len(self._files) and self._files[place] == path and self._hashes[place] == key
        return int(self._rows[place]) + ordinal if known else -1
