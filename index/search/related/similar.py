"""Which chunks resemble others: their vectors are close, whether or not the code graph knows of a tie."""

from __future__ import annotations

import numpy as np

from index.arithmetic import cosines
from index.segment.columns import Array

LEAST_LIKENESS = 0.35  # chunks of one repository that have nothing to do with each other reach 0.3
MOST = 30  # chunks for one centre


def centres_of(vectors: Array, chunks: Array, group: Array) -> Array | None:
    """float32[groups, dimensions]: where the chunks of each group lie on average; None without vectors."""
    if not vectors.shape[1]:
        return None
    centres = np.zeros((int(group.max()) + 1, vectors.shape[1]), np.float32)
    np.add.at(centres, group, vectors[chunks])
    lengths: Array = np.linalg.norm(centres, axis=1, keepdims=True)
    return centres / np.maximum(lengths, 1e-9)


def nearest(vectors: Array, centre: Array, left_out: Array) -> Array:
    """The numbers of the chunks that lie nearest, the nearest first, without those left out."""
    likeness = cosines(vectors, centre)
    likeness[left_out] = 0
    alike = np.flatnonzero(likeness >= LEAST_LIKENESS)
    return alike[np.argsort(-likeness[alike], kind="stable")[:MOST]]
