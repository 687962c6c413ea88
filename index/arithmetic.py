"""Arithmetic whose last digit does not depend on the processor.

Sums add in an order that differs from processor to processor, numpy's logarithms take other instructions where there
are wider ones, and partial sorts leave equals in any order. What a score or a place depends on therefore goes through
here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from index.segment.columns import Array

STEPS = 10_000  # of a cosine: four digits
# What a product in float32 may lose for each dimension, however it is added up. With errors of one sign it could be
# eight times as much; of 25 million products of 256 dimensions none had lost a quarter of this.
LOST = 2.0**-28
# Not `@`: the threads of a matrix product wait for each other actively, and on a machine that has other work that takes
# a hundred times as long as the product itself. `vecdot` is numpy 2's.
products: Callable[..., Array] = getattr(np, "vecdot", None) or partial(np.einsum, "ij,j->i")


def cosines(vectors: Array, vector: Array) -> Array:
    """float32[n]: the products of vectors of length one with another one, to four digits.

    The quick product decides, but where it lies so near the middle between two steps that another order of additions
    could fall on the other side: there the sum is made anew in float64.
    """
    steps = products(vectors, vector) * np.float64(STEPS)
    whole = np.rint(steps)
    doubtful = (np.abs(steps - whole) >= 0.5 - STEPS * LOST * len(vector)).nonzero()[0]
    whole[doubtful] = np.rint(products(vectors[doubtful], vector, dtype=np.float64) * STEPS)
    whole /= STEPS
    return whole.astype(np.float32)


def weighted_sum(weights: Array, rows: Array) -> Array:
    """float64[n]: the sum of rows[i] * weights[i], added in the order of the rows, to nine digits."""
    total: Array = (weights.astype(np.float64)[:, None] * rows).sum(axis=0).round(9)
    return total


def sums_at(places: Array, values: Array, size: int) -> Array:
    """float64[size]: the sum of the values at each place, added in their order, to nine digits."""
    sums: Array = np.bincount(places, values, size)
    return sums.round(9)


def log1p(values: Array) -> Array:
    """float64: the natural logarithm of 1 + x, to nine digits."""
    logarithm: Array = np.log1p(np.asarray(values, np.float64)).round(9)
    return logarithm


def standardised(values: Array, usual: Array) -> Array:
    """Distances from the mean of the usual values in their standard deviations, to four digits: the rest is noise.

    Zeros where the usual values are all but equal. numpy adds an array that is contiguous in the same order everywhere.
    """
    if not len(usual):
        return np.zeros_like(values)
    mean = usual.mean()
    deviation = np.sqrt(np.square(usual - mean).sum() / len(usual))
    distances: Array = (values - mean) / deviation if deviation > 1e-6 else np.zeros_like(values)
    return distances.round(4)


def at_least(values: Array, count: int) -> Array:
    """bool[n]: the `count` largest values, and those that equal the last of them."""
    if count >= len(values):
        return np.ones(len(values), bool)
    last = np.partition(-values, count - 1)[count - 1]  # from this end, many zeros do not slow it down
    largest: Array = -values <= last
    return largest


def best(values: Array, count: int) -> Array:
    """The places of the `count` largest values, ascending; of equals the first."""
    among: Array = at_least(values, count).nonzero()[0]
    if len(among) <= count:
        return among
    last: Array = values[among] == values[among].min()
    return among[~last | (np.cumsum(last) <= count - np.count_nonzero(~last))]
