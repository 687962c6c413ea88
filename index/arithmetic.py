"""Arithmetic whose last digit does not depend on the processor.

A matrix product adds in an order that differs from processor to processor and with the number of threads, numpy's
logarithms take other instructions where there are wider ones, and partial sorts leave equals in any order. What a score
or a place depends on therefore goes through here.
"""

from __future__ import annotations

import numpy as np

from index.columns import Array

STEPS = 10_000  # of a cosine: four digits
UNIT = 2.0**-24  # half of a float32's last digit at 1.0: what each addition may lose
LANES = 4  # at least so many sums are kept side by side by every matrix product


def cosines(vectors: Array, vector: Array) -> Array:
    """float32[n]: the products of vectors of length one with another one, to four digits.

    The quick product decides, but where it lies so near the middle between two steps that another order of additions
    could fall on the other side: there the sum is made anew in float64.
    """
    steps = (vectors @ vector).astype(np.float64) * STEPS
    whole = np.rint(steps)
    bound = STEPS * UNIT * max(len(vector) / LANES, 1)
    doubtful = np.flatnonzero(np.abs(np.abs(steps - whole) - 0.5) <= bound)
    whole[doubtful] = np.rint(vectors[doubtful].astype(np.float64) @ vector.astype(np.float64) * STEPS)
    return (whole / STEPS).astype(np.float32)


def weighted_sum(weights: Array, rows: Array) -> Array:
    """float64[n]: the sum of rows[i] * weights[i], added in the order of the rows, to nine digits."""
    total: Array = np.round((weights.astype(np.float64)[:, None] * rows).sum(axis=0), 9)
    return total


def log1p(values: Array) -> Array:
    """float64: the natural logarithm of 1 + x, to nine digits."""
    logarithm: Array = np.round(np.log1p(np.asarray(values, np.float64)), 9)
    return logarithm


def best(values: Array, count: int) -> Array:
    """The places of the `count` largest values, ascending; of equals the first."""
    if count >= len(values):
        return np.arange(len(values))
    least = np.partition(values, len(values) - count)[len(values) - count]
    above, equal = np.flatnonzero(values > least), np.flatnonzero(values == least)
    return np.sort(np.concatenate([above, equal[: count - len(above)]]))
