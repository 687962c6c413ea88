"""Bootstrap confidence intervals: of a mean by question or by repository, and of a paired difference by repository.

The results of one repository's questions vary together, so a difference is resampled by whole repositories. Every draw
comes from a seeded generator: the same numbers give the same interval.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

DRAWS = 2000
CONFIDENCE = 0.95
SEED = 20_260


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with the percentile bounds of its bootstrap distribution (Efron & Tibshirani 1993, chapter 13).

    The bounds are NaN if there is nothing to resample.
    """

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        if math.isnan(self.low):
            return f"{self.mean:.3f}"
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def mean_interval(values: Sequence[float]) -> Interval:
    """The mean of values (one per question), resampled by question. Zero for no values."""
    if not values:
        return Interval(0.0, math.nan, math.nan)
    array = np.asarray(values, np.float64)
    picks = np.random.default_rng(SEED).integers(0, len(array), (DRAWS, len(array)))
    return _interval(float(array.mean()), array[picks].mean(axis=1))


def paired_interval(ours: Mapping[str, Sequence[float]], theirs: Mapping[str, Sequence[float]]) -> Interval:
    """The mean of `ours - theirs` over all questions, resampled by repository.

    Both map a repository to its questions' values, in the same order. ValueError if they do not pair up.
    """
    if ours.keys() != theirs.keys() or any(len(ours[name]) != len(theirs[name]) for name in ours):
        raise ValueError("the two runs did not answer the same questions")
    return repository_interval({name: np.subtract(ours[name], theirs[name]).tolist() for name in ours})


def repository_interval(values: Mapping[str, Sequence[float]]) -> Interval:
    """The mean over all questions of values by repository (one per question), resampled by repository."""
    names = sorted(values)
    if not names:
        return Interval(0.0, math.nan, math.nan)
    sums = np.array([sum(values[name]) for name in names], np.float64)
    counts = np.array([len(values[name]) for name in names], np.float64)
    mean = float(sums.sum() / counts.sum())
    if len(names) == 1:
        return Interval(mean, math.nan, math.nan)
    picks = np.random.default_rng(SEED).integers(0, len(names), (DRAWS, len(names)))
    return _interval(mean, sums[picks].sum(axis=1) / counts[picks].sum(axis=1))


def _interval(mean: float, means: npt.NDArray[np.float64]) -> Interval:
    tail = 50 * (1 - CONFIDENCE)
    low, high = np.percentile(means, [tail, 100 - tail])
    return Interval(mean, float(low), float(high))
