"""The postings of a generation from those of the one before it: what an edit takes out and puts in, nothing else."""

from __future__ import annotations

import numpy as np

from index.columns import Array, insertions, offsets_of, spread
from index.graph import Moved
from index.segment import Segment
from index.snapshot import Snapshot

MOST = 5_000  # rows that come and go; where there are more, sorting all of them anew is as fast


class EditedPostings:
    """The fields of a segment, made from those of the generation before it."""

    def __init__(self, snapshot: Snapshot, moved: Moved) -> None:
        old = moved.old
        self._snapshot, self._moved = snapshot, moved
        self._term_to = insertions(old.terms, moved.new.terms)
        self._fresh = np.flatnonzero(moved.fresh)
        self._stale = np.sort(np.concatenate([moved.replaced, moved.removed]))
        self._chunk_to = moved.rows("chunk").astype(np.int32)
        # The old chunks before which those of a new file come: of the next file that was there before.
        place = np.where(moved.file_from < 0, old.files, moved.file_from)
        self._before = old.rows["chunk"][np.minimum.accumulate(place[::-1])[::-1]]

    def field(self, level: str) -> tuple[Array, Array, Array | None] | None:
        """(indptr, chunks, frequencies of the body) of one field; None where too much changed."""
        snapshot, old, new = self._snapshot, self._moved.old, self._moved.new
        gone_term, gone_chunk, _, _ = _rows(old, level, self._stale)
        term, chunk, file, row = _rows(new, level, self._fresh)
        if len(gone_term) + len(term) > MOST:
            return None
        indptr, chunks = (snapshot.array(f"post/{level}/{part}") for part in ("indptr", "chunk"))
        counts = np.zeros(len(new.terms), np.int64)
        counts[self._term_to] = np.diff(indptr)
        np.subtract.at(counts, self._term_to[gone_term], 1)
        np.add.at(counts, term, 1)
        taken = np.sort(_places(chunks, indptr[gone_term], indptr[gone_term + 1], gone_chunk))
        was = np.searchsorted(self._term_to, term)  # of a new term: where it would stand, with nothing in it
        is_old = np.append(self._term_to, -1)[was] == term
        put = _places(chunks, indptr[was], indptr[was + is_old], self._before[file])
        order = np.lexsort((chunk, term, put))
        frequencies = None
        if level == "body":
            given = new.array("body.tf")[row[order]]
            frequencies = _edited(snapshot.array("post/body/tf"), taken, put[order], given)
        return offsets_of(counts), _edited(self._chunk_to[chunks], taken, put[order], chunk[order]), frequencies


def _rows(segment: Segment, level: str, files: Array) -> tuple[Array, Array, Array, Array]:
    """(term, chunk, file, row) of these files' rows of a field."""
    starts, counts = segment.rows[level][files], np.diff(segment.rows[level])[files]
    row, file = spread(starts, counts), np.repeat(files, counts)
    chunk = segment.array(f"{level}.chunk")[row] + segment.rows["chunk"][file].astype(np.int32)
    return segment.array(f"{level}.term")[row], chunk.astype(np.int32), file, row


def _places(values: Array, start: Array, stop: Array, wanted: Array) -> Array:
    """In each ascending run values[start:stop] the place of the first that is not less than what is wanted there."""
    low, high = start.copy(), stop.copy()
    while (open_ := low < high).any():
        middle = (low + high) // 2
        less = open_ & (values[np.where(open_, middle, 0)] < wanted)
        low, high = np.where(less, middle + 1, low), np.where(open_ & ~less, middle, high)
    return low


def _edited(values: Array, taken: Array, put: Array, news: Array) -> Array:
    """The values without those at the places `taken`, with `news` before the places `put`; both ascend."""
    found = np.empty(len(values) - len(taken) + len(put), values.dtype)
    bounds = np.unique(np.concatenate([[0, len(values)], taken, taken + 1, put]))
    starts, stops = bounds[:-1], bounds[1:]
    shift = np.searchsorted(put, starts, side="right") - np.searchsorted(taken, starts)
    stays = ~np.isin(starts, taken)
    for start, stop, by in zip(starts[stays].tolist(), stops[stays].tolist(), shift[stays].tolist(), strict=True):
        found[start + by : stop + by] = values[start:stop]
    found[put + np.arange(len(put)) - np.searchsorted(taken, put)] = news
    return found
