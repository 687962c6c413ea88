"""Which files of a segment stand as they were in the published generation before it."""

from __future__ import annotations

import numpy as np

from index.segment.columns import Array, spread
from index.segment.segment import Segment

GONE = -1


class GenerationDiff:
    """`fresh`: bool by new file, read anew; `unchanged`: new and old numbers of the other files."""

    def __init__(self, old: Segment, new: Segment, fresh: Array) -> None:
        self.old, self.new, self.fresh = old, new, fresh
        before, after = old.strings("file.path"), new.strings("file.path")
        self.same_paths = np.array_equal(before.blob, after.blob) and np.array_equal(before.offsets, after.offsets)
        same = was = np.flatnonzero(~fresh)
        if not self.same_paths:
            place = {path: number for number, path in enumerate(before.to_bytes())}
            was = np.array([place[path] for path in after.take(same).to_bytes()], np.int64)
        self.unchanged = same, was

    def rows(self, level: str) -> Array:
        """int64[old rows of a level]: new rows of the files that did not change, GONE elsewhere."""
        same, before = self.unchanged
        old, new = self.old.rows[level], self.new.rows[level]
        count = new[same + 1] - new[same]
        rows = np.full(int(old[-1]), GONE, np.int64)
        rows[spread(old[before], count)] = spread(new[same], count)
        return rows
