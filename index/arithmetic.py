"""Arithmetic whose last digit does not depend on the processor.

The order of additions in a sum differs between processors, numpy's logarithms use wider instructions if the processor
has them, and partial sorts leave equal values in any order. So everything that a score or a rank depends on is
computed here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from index.segment.columns import Array

STEPS = 10_000  # of a cosine: four digits
# Largest error of a float32 product per dimension, in any order of additions. If all errors had the same sign it could
# be eight times as large; of 25 million products of 256 dimensions, none lost even a quarter of this.
LOST = 2.0**-28
# Not `@`: the threads of a matrix product busy-wait for each other, which on a loaded machine takes a hundred times as
# long as the product itself. `vecdot` needs numpy 2.
products: Callable[..., Array] = getattr(np, "vecdot", None) or partial(np.einsum, "ij,j->i")


def cosines(vectors: Array, vector: Array) -> Array:
    """float32[n]: the products of unit vectors with another unit vector, to four digits.

    Products are computed in float32, and again in float64 if they are so near the middle between two steps that
    another order of additions could round them to the other side.
    """
    steps = products(vectors, vector) * np.float64(STEPS)
    whole = np.rint(steps)
    doubtful = (np.abs(steps - whole) >= 0.5 - STEPS * LOST * len(vector)).nonzero()[0]
    whole[doubtful] = np.rint(products(vectors[doubtful], vector, dtype=np.float64) * STEPS)
    whole /= STEPS
    return whole.astype(np.float32)


def nearest(vectors: Array, centres: Array, least: float) -> list[tuple[Array, Array]]:
    """For each centre, the rows of the vectors with a cosine of at least `least`, and these cosines.

    The vectors, which are many, are read once for all centres.
    """
    likely = all_products(vectors, centres) >= least - 1 / STEPS
    rows = [of_centre.nonzero()[0] for of_centre in likely.T]
    near = ((own, cosines(vectors[own], centre)) for own, centre in zip(rows, centres, strict=True))
    return [(own[values >= least], values[values >= least]) for own, values in near]


def all_products(vectors: Array, centres: Array) -> Array:
    """float32[n, centres]: the products of each vector with each centre, without a matrix product."""
    if not hasattr(np, "vecdot"):
        return np.einsum("ij,kj->ik", vectors, centres)
    return products(vectors[:, None, :], centres[None])


def weighted_sum(weights: Array, rows: Array) -> Array:
    """float64[n]: the sum of rows[i] * weights[i], added in row order, to nine digits."""
    return (weights.astype(np.float64)[:, None] * rows).sum(axis=0).round(9)


def sums_at(places: Array, values: Array, size: int) -> Array:
    """float64[size]: the sum of the values at each place, added in order, to nine digits."""
    return np.bincount(places, values, size).round(9)


def log1p(values: Array) -> Array:
    """float64: the natural logarithm of 1 + x, to nine digits."""
    return np.log1p(np.asarray(values, np.float64)).round(9)


def standardised(values: Array, usual: Array) -> Array:
    """Distances from the mean of the usual values, in standard deviations of these, to four digits: the rest is noise.

    Zeros if the usual values are nearly equal. numpy adds a contiguous array in the same order everywhere.
    """
    if not len(usual):
        return np.zeros_like(values)
    mean = usual.sum() / len(usual)
    deviation = np.sqrt(np.square(usual - mean).sum() / len(usual))
    return ((values - mean) / deviation).round(4) if deviation > 1e-6 else np.zeros_like(values)


def best(values: Array, count: int) -> Array:
    """The positions of the `count` largest values, ascending; among equal values, the first ones."""
    if count >= len(values):
        return np.arange(len(values))
    negated = -values  # because many zeros slow down the other direction
    negated.partition(count - 1)
    among: Array = (values >= -negated[count - 1]).nonzero()[0]
    if len(among) == count:
        return among
    last: Array = values[among] == -negated[count - 1]
    return among[~last | (np.cumsum(last) <= count - np.count_nonzero(~last))]


def is_in(values: Array, ascending: Array) -> Array:
    """bool[n]: whether each value is one of the ascending ones. `np.isin` takes three times as long."""
    if not len(ascending):
        return np.zeros(len(values), bool)
    return ascending.take(ascending.searchsorted(values), mode="clip") == values
