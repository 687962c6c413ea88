"""Ranking tables that are learned, averaged and shipped; rankers trained without some repositories."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.quality import rankers
from benchmarks.research.ranker.features import QuestionRows
from benchmarks.research.ranker.logistic import logistic_regression
from benchmarks.research.ranker.tables import mean_tables, table_points
from benchmarks.research.ranker.train import chunks_first, folds_of
from benchmarks.suites import Repository, Suite
from index.search.ranker import TABLES, Ranker
from index.search.signals.files import CHUNK_SIGNALS, FILE_SIGNALS

FOLDS = Path(__file__).parents[2] / "benchmarks" / "research" / "ranker" / "folds"
NAMES = ("a", "b")
numbers = st.floats(-4, 4).map(lambda value: round(value, 3))


@st.composite
def tables(draw: st.DrawFn) -> dict[str, dict[str, list[float]]]:
    made = {}
    for name in draw(st.sets(st.sampled_from(NAMES))):
        edges = sorted(draw(st.sets(numbers, min_size=1, max_size=5)))
        made[name] = {"edges": edges, "points": [draw(numbers) for _ in range(len(edges) + 1)]}
    return made


@given(st.lists(tables(), min_size=1, max_size=4), st.lists(st.tuples(numbers, numbers), max_size=8))
def test_the_mean_of_tables_gives_the_mean_of_their_points(runs: list[dict], values: list[tuple[float, float]]) -> None:  # type: ignore[type-arg]
    rows = np.array(values, np.float32).reshape(-1, 2)
    each = np.array([table_points(run, rows, NAMES) for run in runs])
    assert np.allclose(table_points(mean_tables(runs), rows, NAMES), each.mean(axis=0), atol=1e-3)


def test_every_repository_is_in_one_fold() -> None:
    names = [f"r{number}" for number in range(12)]
    folds = folds_of(names * 2)
    assert sorted(name for fold in folds for name in fold) == sorted(names)


def test_the_shipped_rankers_are_whole() -> None:
    for path in (TABLES, *sorted(FOLDS.glob("*.json"))):
        ranker = Ranker.from_document(json.loads(path.read_text()))  # rejects signals that are not measured
        assert ranker.file and ranker.chunk and ranker.own and ranker.around and ranker.evidence and ranker.words
        assert ranker.weak < ranker.strong
        assert ranker.passage_scale > 0


def test_each_public_repository_has_a_ranker_that_left_it_out() -> None:
    held = [json.loads(path.read_text()) for path in sorted(FOLDS.glob("*.json"))]
    names = sorted(name for document in held for name in document["left_out"])
    assert len(names) == len(set(names)) == 22
    suite = Suite("public", tuple(Repository(name, Path(name), "python", ()) for name in names))
    found = rankers(suite, FOLDS)
    assert all(isinstance(found[Path(name)], Ranker) for name in names)
    assert rankers(suite, None) == {}


def test_the_best_chunk_of_a_file_covers_the_answer_or_does_not() -> None:
    rows = np.zeros((4, len(CHUNK_SIGNALS)), np.float32)
    rows[:, 0] = [0.1, 0.9, 0.9, 0.1]
    nothing = np.zeros((0, len(FILE_SIGNALS)), np.float32)
    asked = QuestionRows(
        "r", "s", nothing, np.zeros(0, np.float32), rows, np.array([0, 1, 0, 1], np.float32), np.array([0, 0, 1, 1]), 1
    )
    found = {next(iter(CHUNK_SIGNALS)): {"edges": [0.5], "points": [0.0, 1.0]}}
    assert chunks_first([asked], found) == [1.0, 0.0]


def test_logistic_regression_gives_the_chance_of_a_label() -> None:
    rows = np.repeat([[0.0], [1.0]], [4, 8], axis=0)
    weights, bias = logistic_regression(rows, np.array([1, 0, 0, 0, *[1] * 6, 0, 0], np.float64))
    chances = 1 / (1 + np.exp(-(np.array([0.0, 1.0]) * weights[0] + bias)))
    assert chances == pytest.approx([0.25, 0.75], abs=1e-6)
