"""Boosting with one split per tree, and its exact export as one-dimensional tables.

A sum of trees with one split each is a sum of step functions, one per signal. LightGBM finds the steps; the export adds
up the trees of each signal between its thresholds. Nothing is lost, and a person can read the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from index.search.signals import Signals

Tables = dict[str, dict[str, list[float]]]  # signal -> {edges, points}
# One run differs from the next by up to 0.005 NDCG on unseen repositories; the mean of several does not.
SEEDS = (7, 8, 9)
MIN_ROWS = {"lambdarank": 60, "binary": 30}  # per leaf, by objective
PARAMETERS: dict[str, Any] = {
    "num_leaves": 2,
    "learning_rate": 0.1,
    "max_bin": 24,
    "lambda_l2": 5.0,
    "feature_fraction": 0.6,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "verbosity": -1,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
}


def train_booster(
    rows: npt.NDArray[np.float32], label: npt.NDArray[np.float32], groups: Sequence[int],
    weights: npt.NDArray[np.float32], signals: Signals[Any, Any], rounds: int,
    objective: str = "lambdarank", seed: int = SEEDS[0],
    init: npt.NDArray[np.float64] | None = None,
) -> Any:  # fmt: skip
    """A LightGBM booster of one-split trees over rows grouped by question; `init`: points that the rows already
    have."""
    import lightgbm

    parameters = {
        **PARAMETERS,
        "objective": objective,
        "seed": seed,
        "min_data_in_leaf": MIN_ROWS[objective],
        "bagging_by_query": objective == "lambdarank",
        "lambdarank_truncation_level": 20,
        "monotone_constraints": [signal.trend for signal in signals.values()],
    }
    group_sizes = list(groups) if objective == "lambdarank" else None
    data = lightgbm.Dataset(
        rows, label, group=group_sizes, weight=weights, feature_name=list(signals), init_score=init, free_raw_data=False
    )
    return lightgbm.train(parameters, data, rounds)


def tables_of(booster: Any, signals: Iterable[str]) -> Tables:
    """signal -> {edges, points}: points[i] holds for edges[i - 1] <= value < edges[i]; centred so that 0 is usual."""
    names = list(signals)
    steps: dict[str, list[tuple[float, float, float]]] = {name: [] for name in names}
    for tree in booster.dump_model()["tree_info"]:
        node = tree["tree_structure"]
        if "split_feature" not in node:
            continue
        # LightGBM goes left on value <= threshold; the next float up makes that value < edge.
        edge = float(np.nextafter(np.float32(node["threshold"]), np.float32(np.inf)))
        left, right = node["left_child"]["leaf_value"], node["right_child"]["leaf_value"]
        steps[names[node["split_feature"]]].append((edge, left, right))
    tables: Tables = {}
    for name, cuts in steps.items():
        edges = sorted({edge for edge, _, _ in cuts})
        if not edges:
            continue
        points = [
            sum(left if place <= edges.index(edge) else right for edge, left, right in cuts)
            for place in range(len(edges) + 1)
        ]
        tables[name] = {
            "edges": [float(f"{edge:.6g}") for edge in edges],
            "points": [round(value, 4) for value in points],
        }
    return tables


def mean_tables(runs: Sequence[Tables]) -> Tables:
    """The mean of several runs' tables, signal by signal; a mean of step functions has the edges of all."""
    tables: Tables = {}
    for name in sorted({name for run in runs for name in run}):
        versions = [run[name] for run in runs if name in run]
        edges = sorted({edge for table in versions for edge in table["edges"]})
        points = [
            sum(
                table["points"][int(np.searchsorted(np.array(table["edges"]), start, side="right"))]
                for table in versions
            )
            for start in (edges[0] - 1.0, *edges)
        ]
        tables[name] = {"edges": edges, "points": [round(total / len(runs), 4) for total in points]}
    return tables


def table_points(tables: Tables, rows: npt.NDArray[np.float32], names: Iterable[str]) -> npt.NDArray[np.float64]:
    """float64[rows]: the sum of the tables, as the index computes it."""
    total = np.zeros(len(rows))
    for column, name in enumerate(names):
        if name in tables:
            edges = np.array(tables[name]["edges"], np.float32)
            total += np.array(tables[name]["points"])[np.searchsorted(edges, rows[:, column], side="right")]
    return total
