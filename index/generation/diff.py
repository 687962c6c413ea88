"""What a new segment shares with the published generation, so that a refresh can reuse what was derived from it."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from index.generation.reader import Snapshot
from index.segment.columns import Array, Longs, Segment, spread


class GenerationDiff:
    """`fresh`: bool per new file, whether it was read again; `unchanged`: new and old numbers of the other files.

    The vocabularies of the new segment contain those of the old one.
    """

    def __init__(self, old: Snapshot, new: Segment, fresh: Array) -> None:
        self.old, self.new, self.fresh = old, new, fresh
        before, after = old.strings("file.path"), new.strings("file.path")
        self.same_paths = np.array_equal(before.blob, after.blob) and np.array_equal(before.offsets, after.offsets)
        same = was = np.flatnonzero(~fresh)
        if not self.same_paths:
            place = {path: number for number, path in enumerate(before.to_bytes())}
            was = np.array([place[path] for path in after.take(same).to_bytes()], np.int64)
        self.unchanged = same, was

    @cached_property
    def names(self) -> Longs:
        """The new position of each old name."""
        return self.old.segment.names.positions_in(self.new.names)

    @cached_property
    def terms(self) -> Longs:
        """The new position of each old term."""
        return self.old.segment.terms.positions_in(self.new.terms)

    def rows(self, level: str) -> Longs:
        """The new number of each old row of a level; -1 for the rows of files that changed or are gone."""
        same, was = self.unchanged
        old, new = self.old.segment.rows[level], self.new.rows[level]
        count = new[same + 1] - new[same]
        rows = np.full(int(old[-1]), -1, np.int64)
        rows[spread(old[was], count)] = spread(new[same], count)
        return rows
