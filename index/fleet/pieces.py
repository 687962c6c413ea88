"""Joins the fragments and index parts that each commit adds to a table, newest first and within a bound of bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from index.fleet.candidates import NEAREST, PROBES, Owners
from index.fleet.catalog import Repository, open_table

MAX_PIECES = 8  # fragments, or parts of an index; if there are more, some are joined
MIN_JOINED = 4  # pieces at once, so that a piece is not rewritten at every commit
JOINED_BYTES = 1_200_000  # that a commit may write, joined pieces included; if it appends more, three times that
GROWTH = 10  # a piece larger than GROWTH times all newer ones together is joined only by a purge
SAMPLE, MIN_RECALL = 20, 0.9  # rows looked up by their own vectors after a merge, and the share that must be found
MIN_VECTORS = 5_000  # comparing fewer is as fast as an index
ROWS_A_PARTITION = 4_096
BITS = 3  # per dimension: 0.96 of the exact first 200 are among 500 candidates; with one bit 0.68
ROWS_AT_ONCE = 10_000  # per deletion
TEXT = {
    "base_tokenizer": "whitespace", "stem": False, "lower_case": False, "remove_stop_words": False,
    "ascii_folding": False, "max_token_length": None, "with_position": False,
}  # fmt: skip
PLACE = ("file_key", "start_line", "end_line")  # of a row; chunks of one long line share it


def index_rows(uri: str, name: str) -> None:
    """Index the rows that are not indexed yet, in a small additional index."""
    table = open_table(uri, name)
    existing = {index.name for index in table.describe_indices()}
    if existing:
        table.optimize.optimize_indices(num_indices_to_merge=0)
    if "terms_idx" not in existing:
        _index_terms(table)
    if "vector_idx" not in existing and table.count_rows() >= MIN_VECTORS:
        _index_vectors(table)


def join(uri: str, name: str, max_bytes: int = JOINED_BYTES, live: Sequence[Repository] | None = None) -> None:
    """Join the newest pieces of a table if there are many: as many as can be rewritten in `max_bytes`.

    `live`: for a table of chunks, its repositories; rows that are live in none are dropped.
    """
    pieces = _Pieces(open_table(uri, name))
    if pieces.most() > MAX_PIECES:
        _join(uri, name, pieces, pieces.affordable(max_bytes), MIN_JOINED, live)


def join_all(uri: str, name: str, *, deleted: bool) -> None:
    """Join all pieces that are not much larger than the newer ones together. With `deleted`, pieces and indexes with
    deleted rows are rewritten without them."""
    pieces = _Pieces(open_table(uri, name))
    is_whole = deleted and any(one.num_deletions for one in pieces.fragments)
    _join(uri, name, pieces, 0 if is_whole else pieces.growing(), 2)
    if is_whole:
        open_table(uri, name).optimize.compact_files(materialize_deletions_threshold=0.0)
        if "terms_idx" in pieces.parts:
            _index_terms(open_table(uri, name))  # joining may keep words of deleted rows
        _check(open_table(uri, name))
    if deleted:  # a version records its change as text, names of deleted rows included: make a newer one
        open_table(uri, name).update_config({"ctxpack.purged": "yes"})


def sweep(table: Any, live: Sequence[Repository], fragments: Sequence[Any] | None = None) -> int:
    """Delete the rows (of some fragments) whose files are live in none of these repositories, and duplicate rows, which
    a writer leaves that is killed between appending and updating the repository's state. Returns how many."""
    rows = table.scanner(columns=list(PLACE), with_row_id=True, fragments=fragments).to_table()
    ids, places = rows["_rowid"].to_numpy(), [rows[column].to_numpy() for column in PLACE]
    owners = Owners(live).of(places[0])
    gone = owners < 0
    for number, repository in enumerate(live):
        own = np.flatnonzero(owners == number)
        if len(own) > repository.chunks:
            order = own[np.lexsort((ids[own], *(one[own] for one in places)))]
            duplicates = order[1:][np.all([one[order][1:] == one[order][:-1] for one in places], axis=0)]
            gone[duplicates[ids[duplicates].argsort()][repository.chunks - len(own) :]] = True  # the newest
    numbers = ids[gone].tolist()
    for start in range(0, len(numbers), ROWS_AT_ONCE):
        table.delete(f"_rowid IN ({', '.join(map(str, numbers[start : start + ROWS_AT_ONCE]))})")
    return len(numbers)


class _Pieces:
    """The fragments of a table and the parts of its indexes, oldest first. Only fragments under the same parts can be
    joined, so parts are joined first."""

    def __init__(self, table: Any) -> None:
        self.fragments = sorted(table.get_fragments(), key=lambda one: int(one.fragment_id))
        place = {int(one.fragment_id): at for at, one in enumerate(self.fragments)}
        # The fragments that each part covers; a part whose rows are all deleted counts as the newest.
        self.parts = {
            index.name: [
                ([place[one] for one in part.fragment_ids if one in place] or [len(place) - 1], int(part.size_bytes))
                for part in index.segments
            ]
            for index in table.describe_indices()
        }

    def most(self) -> int:
        """The number of fragments, or of parts of one index if that is larger."""
        return max(len(self.fragments), *map(len, self.parts.values()), 0)

    def affordable(self, max_bytes: int) -> int:
        """The oldest fragment from which all newer ones can be joined within `max_bytes`. Parts are written twice:
        when they are joined and when their rows move. The head of a part (the centroids of the partitions) is counted
        once for all parts of an index."""
        costs = [_bytes(one) for one in self.fragments]
        for parts in filter(None, self.parts.values()):
            head = min(size for _, size in parts)
            max_bytes -= 2 * head
            for over, size in parts:
                costs[max(over)] += 2 * (size - head)
        first = len(costs)
        while first and (max_bytes := max_bytes - costs[first - 1]) >= 0:
            first -= 1
        return self._undivided(first)

    def growing(self) -> int:
        """The oldest fragment from which on none is larger than `GROWTH` times all newer ones together."""
        sizes = [_bytes(one) for one in self.fragments]
        first, newer = len(sizes), 0
        while first and (first == len(sizes) or sizes[first - 1] <= GROWTH * newer):
            first -= 1
            newer += sizes[first]
        return self._undivided(first)

    def newest(self, first: int) -> dict[str, int]:
        """The number of parts of each index that cover only fragments from `first` on."""
        return {name: sum(min(over) >= first for over, _ in parts) for name, parts in self.parts.items()}

    def _undivided(self, first: int) -> int:
        """The fragment `first`, or the next one that no part straddles."""
        for over, _ in sorted(part for parts in self.parts.values() for part in parts):
            if min(over) < first <= max(over):
                first = max(over) + 1
        return first


def _bytes(fragment: Any) -> int:
    return sum(int(file.file_size_bytes or 0) for file in fragment.metadata.files)


def _join(
    uri: str, name: str, pieces: _Pieces, first: int, least: int, live: Sequence[Repository] | None = None
) -> None:  # fmt: skip
    """Join the fragments from `first` on and the index parts that cover them, if there are at least `least` of
    either."""
    parts, fragments = pieces.newest(first), len(pieces.fragments) - first
    if max(fragments, *parts.values(), 0) < least:
        return
    for index, count in parts.items():
        if count > 1:
            open_table(uri, name).optimize.optimize_indices(num_indices_to_merge=count, index_names=[index])
    if fragments > 1:
        if live is not None:
            sweep(open_table(uri, name), live, pieces.fragments[first:])
        others = [int(one.fragment_id) for one in pieces.fragments[:first]]
        open_table(uri, name).optimize.compact_files(excluded_fragment_ids=others)
    _check(open_table(uri, name))


def _check(table: Any) -> None:
    """Rebuild the vector index if it lost recall: merging has damaged such indexes."""
    if _recall(table) < MIN_RECALL:
        _index_vectors(table)


def _recall(table: Any) -> float:
    """The share of the newest rows that a search for their own vectors finds; 1 without a vector index."""
    if "vector_idx" not in {index.name for index in table.describe_indices()}:
        return 1.0
    count = table.count_rows()
    rows = table.to_table(columns=["vector"], limit=SAMPLE, offset=max(0, count - SAMPLE), with_row_id=True)
    hits = 0
    for row, vector in zip(rows["_rowid"].to_pylist(), rows["vector"].to_pylist(), strict=True):
        nearest = {"column": "vector", "q": np.array(vector, np.float32), "k": NEAREST, "nprobes": PROBES}
        scanner = table.scanner(columns=["_rowid"], nearest=nearest, disable_scoring_autoprojection=True)
        hits += row in scanner.to_table()["_rowid"].to_pylist()
    return hits / max(1, int(rows.num_rows))


def _index_terms(table: Any) -> None:
    table.create_scalar_index("terms", "INVERTED", name="terms_idx", replace=True, **TEXT)


def _index_vectors(table: Any) -> None:
    parts = max(1, table.count_rows() // ROWS_A_PARTITION)
    table.create_index(
        "vector", "IVF_RQ", name="vector_idx", metric="cosine", num_bits=BITS, num_partitions=parts, replace=True
    )
