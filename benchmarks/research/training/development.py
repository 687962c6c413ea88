"""The development measure: questions mined from held-out training repositories, asked of the same repositories."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np

from benchmarks.research.training.dataset import Array, Pairs
from benchmarks.research.training.mine import KINDS
from benchmarks.research.training.model import Model

MAX_QUESTIONS = 500  # per kind and repository
MIN_QUESTIONS = 10


@dataclass(frozen=True, slots=True)
class Score:
    """Mean reciprocal ranks, the mean over repositories.

    `definition`: the question is a doc sentence, the answer its definition, by content. The other measures look for the
    right file by its best piece, with paths; the question is a doc sentence, the comment about a file, or a commit
    subject.
    """

    definition: float
    doc: float
    mod: float
    com: float

    def __str__(self) -> str:
        parts = " ".join(f"{name} {getattr(self, name):.4f}" for name in self.__dataclass_fields__)
        return f"{parts} mean {np.mean(astuple(self)):.4f}"


def development_score(model: Model, pairs: Pairs) -> Score:
    values: dict[str, list[float]] = {name: [] for name in Score.__dataclass_fields__}
    for repository in np.unique(pairs.repository):
        mine = pairs.take(np.flatnonzero(pairs.repository == repository))
        for name, value in _repository_score(model, mine).items():
            values[name].append(value)
    return Score(**{name: float(np.mean(ranks)) for name, ranks in values.items()})


def _repository_score(model: Model, pairs: Pairs) -> dict[str, float]:
    pieces = np.flatnonzero(np.isin(pairs.kind, [KINDS.index(kind) for kind in ("doc", "mod", "fil")]))
    files, file_of = np.unique(pairs.place[pieces], return_inverse=True)
    body, path = pairs.body.take(pieces), pairs.path.take(pieces)
    plain, with_path = model.documents(body, None), model.documents(body, path)
    scores = {}
    for kind in ("doc", "mod", "com"):
        questions = np.flatnonzero((pairs.kind == KINDS.index(kind)) & (np.diff(pairs.question.indptr) > 0))
        questions = questions[np.isin(pairs.place[questions], files)]
        if len(questions) < MIN_QUESTIONS:
            continue
        questions = questions[:: -(-len(questions) // MAX_QUESTIONS)]
        queries = model.queries(pairs.question.take(questions))
        if kind == "doc":
            scores["definition"] = _mrr(queries @ plain.T, np.searchsorted(pieces, questions))
        by_file = np.full((len(questions), len(files)), -2.0)
        np.maximum.at(by_file.T, file_of, (queries @ with_path.T).T)
        scores[kind] = _mrr(by_file, np.searchsorted(files, pairs.place[questions]))
    return scores


def _mrr(similar: Array, right: Array) -> float:
    best = similar[np.arange(len(right)), right]
    return float(np.mean(1 / (1 + (similar > best[:, None] + 1e-7).sum(axis=1))))
