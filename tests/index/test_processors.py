"""The same answer on every processor: other instructions, other matrix products, one core or two, ties of any kind."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__  # type: ignore[attr-defined]

from index.arithmetic import best, cosines, is_in, weighted_sum
from index.segment.workers import PROCESS_BYTES

pytestmark = pytest.mark.slow

FILES = 440
QUERIES = (
    "upload a part of the file",
    "retry after a lost connection",
    "cache",
    "where is the queue drained",
    "part_7",
)
# Prints each question with its reasons, and a digest of the arrays; on one core if asked to.
ASK = """
import hashlib, json, os, sys
if sys.argv[3] == "1":
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import context_pack
session = context_pack.open(sys.argv[1], index_dir=sys.argv[2], explain=True)
from contracts.records import as_data
answers = [as_data(session.query(text, limit=50).data) for text in json.loads(sys.argv[4])]
answers += [as_data(session.search(text, top_k=100).data) for text in json.loads(sys.argv[4])]
answers += [as_data(session.related("src/part_7.py").data)]
arrays = session.corpus.snapshot
names = [name for name in arrays._placements if name != "file.mtime_ns"]
digest = hashlib.blake2b(b"".join(arrays.array(name).tobytes() for name in sorted(names))).hexdigest()
print(json.dumps([answers, digest], sort_keys=True))
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that share most of their words, so that many places are equal or nearly so."""
    root = tmp_path_factory.mktemp("tree")
    source = random.Random(5)
    words = "upload part file retry lost connection cache queue drain store offset worker token page index".split()
    for number in range(FILES):
        folder = root / ("src" if number % 2 else "lib")
        folder.mkdir(exist_ok=True)
        verb, noun, *more = source.sample(words, 5)
        called = source.randrange(FILES)
        (folder / f"part_{number}.py").write_text(
            f"from src.part_{called} import {verb}_{called}\n\n\ndef {verb}_{number}({noun}):\n"
            f"    '''{verb} the {noun} {' '.join(more)}.'''\n    return {verb}_{called}({noun}, {number % 7})\n"
            + "".join(
                f"\n\ndef {word}_{number}_again({noun}):\n    return {verb}_{number}({noun})\n" for word in more * 2
            )
        )
    assert sum(file.stat().st_size for file in root.rglob("*.py")) > 2 * PROCESS_BYTES, "two processors share it"
    return root


def _answers(tree: Path, home: Path, cores: str = "2", **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(tree), str(home), cores, json.dumps(QUERIES)],
        env={**os.environ, "CTXPACK_NO_BACKGROUND": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def usual(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return _answers(tree, tmp_path_factory.mktemp("home"))


WIDE = [name for name in __cpu_dispatch__ if __cpu_features__[name]]  # the features of this processor that numpy uses
CASES = [
    {"OPENBLAS_CORETYPE": "Prescott", "OPENBLAS_NUM_THREADS": "1"},
    {"OPENBLAS_CORETYPE": "Nehalem", "OPENBLAS_NUM_THREADS": "2"},
    {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": " ".join(WIDE[-1:]), "cores": "1"},
    {"OPENBLAS_CORETYPE": "Sandybridge", "NPY_DISABLE_CPU_FEATURES": " ".join(WIDE), "cores": "1"},
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(case.values()) or "plain")
def test_every_processor_gives_the_same_answer(tree: Path, tmp_path: Path, usual: str, case: dict[str, str]) -> None:
    assert _answers(tree, tmp_path / "home", **case) == usual


def test_the_answers_are_not_empty(usual: str) -> None:
    answers, _ = json.loads(usual)
    assert sum(bool(answer["items"]) for answer in answers[: len(QUERIES)]) >= 3
    assert len(answers[len(QUERIES)]["hits"]) == 100


@given(arrays(np.float32, st.integers(0, 300), elements=st.integers(-3, 3).map(float)), st.integers(1, 80))
def test_the_best_are_the_first_of_a_stable_sort(values: np.ndarray, count: int) -> None:
    plain = sorted(np.argsort(-values, kind="stable")[:count].tolist())
    assert best(values, count).tolist() == plain


@given(arrays(np.int64, st.integers(0, 50), elements=st.integers(0, 30)), st.sets(st.integers(0, 30)))
def test_values_are_in_an_ascending_array_as_in_any(values: np.ndarray, others: set[int]) -> None:
    ascending = np.array(sorted(others), np.int64)
    assert is_in(values, ascending).tolist() == np.isin(values, ascending).tolist()


@given(st.integers(0, 2**32 - 1))
def test_cosines_do_not_depend_on_the_order_of_additions(seed: int) -> None:
    source = np.random.default_rng(seed)
    vectors = source.standard_normal((200, 256)).astype(np.float32)
    vectors /= np.sqrt(np.square(vectors).sum(axis=1, keepdims=True))
    vector = vectors[0]
    order = source.permutation(256)
    found = cosines(vectors, vector)
    assert np.array_equal(found, cosines(np.ascontiguousarray(vectors[:, order]), vector[order]))
    exact = np.round(vectors.astype(np.float64) @ vector.astype(np.float64), 4)
    assert np.array_equal(found, exact.astype(np.float32))


def test_a_weighted_sum_of_nothing_is_zero() -> None:
    assert weighted_sum(np.zeros(0), np.zeros((0, 3))).tolist() == [0, 0, 0]
    assert weighted_sum(np.array([0.5, 0.25]), np.array([[1, 0], [1, 1]])).tolist() == [0.75, 0.25]
