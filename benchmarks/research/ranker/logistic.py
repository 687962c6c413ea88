"""Logistic regression by Newton's method, for a few columns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
STEPS = 50


def logistic_regression(rows: Doubles, label: Doubles) -> tuple[Doubles, float]:
    """(weights, bias) so that the logistic of `rows @ weights + bias` is the chance that the label is 1.

    `rows` is float64[n, columns], `label` float64[n] of 0 and 1, with both of them.
    """
    design = np.c_[rows, np.ones(len(rows))]
    usual = float(label.mean())
    solution = np.r_[np.zeros(rows.shape[1]), np.log(usual / (1 - usual))]
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(design @ solution, -60, 60)))
        slope = chance * (1 - chance) + 1e-9
        solution = solution - np.linalg.solve((design * slope[:, None]).T @ design, design.T @ (chance - label))
    return solution[:-1], float(solution[-1])
