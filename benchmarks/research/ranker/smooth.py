"""Softmax regression over the chunks of each question, exported as one-dimensional tables.

Boosted steps follow the questions that they are learned from closely; a smooth curve for each signal follows them less.
The mean of both orders chunks of other repositories better than either (`passages.py`). A signal gets a straight line
and a parabola; one of few values, such as the kind of a chunk, gets a weight for each value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.research.ranker.tables import Tables

Doubles = npt.NDArray[np.float64]
FEW_VALUES = 16
BINS = 40  # of a table
RANGE = (0.5, 99.5)  # percentiles; values beyond count as these
PARABOLA = 1 / 3  # makes squares of three spreads as large as the spreads
PENALTY = 1e-3  # for the squares of the weights
STEPS = 300


def smooth_tables(
    rows: Sequence[npt.NDArray[np.float32]], share: Sequence[Doubles], names: Sequence[str],
    start: Sequence[Doubles] | None = None,
) -> Tables:  # fmt: skip
    """The tables that make the chunks with most lines to read likely.

    `rows` is float32[chunks, signals] and `share` float64[chunks] for each question, with at least one share above 0.
    `start` is points that the chunks already have; the tables are on their scale.
    """
    every = np.concatenate(rows).astype(np.float64)
    columns = [_columns(every[:, place]) for place in range(len(names))]
    design = np.concatenate([of(every[:, place]) for place, of in enumerate(columns)], axis=1)
    before = np.zeros(len(every)) if start is None else np.concatenate(start)
    weights, scale = _fit(design, before, share)
    if start is None:
        scale = 1.0
    tables: Tables = {}
    at = 0
    for place, name in enumerate(names):
        values, count = every[:, place], columns[place](every[:1, place]).shape[1]
        own, at = weights[at : at + count] / scale, at + count
        edges = _edges(values)
        if len(edges):
            bins = np.searchsorted(edges.astype(np.float32), values.astype(np.float32), side="right")
            points = columns[place](values) @ own
            sums = np.bincount(bins, points, len(edges) + 1) / np.maximum(
                np.bincount(bins, minlength=len(edges) + 1), 1
            )
            centred = sums - points.mean()
            tables[name] = {"edges": edges.tolist(), "points": [round(float(one), 4) for one in centred]}
    return tables


def _columns(values: Doubles) -> Callable[[Doubles], npt.NDArray[Any]]:
    """A function that turns values of a signal into float64[n, columns]."""
    distinct = np.unique(values)
    if len(distinct) <= FEW_VALUES:
        return lambda some: (some[:, None] == distinct).astype(np.float64)
    low, high = np.percentile(values, RANGE)
    clipped = np.clip(values, low, high)
    usual, spread = clipped.mean(), clipped.std() + 1e-9

    def curve(some: Doubles) -> npt.NDArray[Any]:
        spreads = (np.clip(some, low, high) - usual) / spread
        return np.stack([spreads, PARABOLA * spreads**2], axis=1)

    return curve


def _edges(values: Doubles) -> Doubles:
    """The edges of at most BINS bins, in six digits."""
    distinct = np.unique(values)
    if len(distinct) <= BINS:
        edges = (distinct[1:] + distinct[:-1]) / 2
    else:
        edges = np.quantile(values, np.linspace(0, 1, BINS + 1)[1:-1])
    return np.unique([float(f"{edge:.6g}") for edge in edges])


def _fit(design: npt.NDArray[Any], before: Doubles, share: Sequence[Doubles]) -> tuple[Doubles, float]:
    """(weights, scale of `before`) with the least cross entropy between the softmax of the points and the shares."""
    from scipy.optimize import minimize

    counts = np.array([len(one) for one in share])
    firsts, question = np.r_[0, np.cumsum(counts)[:-1]], np.arange(len(counts)).repeat(counts)
    wanted = np.concatenate([one / one.sum() for one in share])
    columns = np.c_[design, before]

    def loss(solution: Doubles) -> tuple[float, Doubles]:
        points = columns @ solution
        points -= np.maximum.reduceat(points, firsts)[question]
        odds = np.exp(points)
        totals = np.add.reduceat(odds, firsts)[question]
        penalty = PENALTY * np.r_[solution[:-1], 0.0]
        entropy = -float(wanted @ (points - np.log(totals))) / len(counts)
        gradient = columns.T @ (odds / totals - wanted) / len(counts)
        return entropy + float(penalty @ solution), gradient + 2 * penalty

    solution = minimize(loss, np.r_[np.zeros(design.shape[1]), 1.0], jac=True, method="L-BFGS-B",
                        options={"maxiter": STEPS}).x  # fmt: skip
    return solution[:-1], float(solution[-1])
