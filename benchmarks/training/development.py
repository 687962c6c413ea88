"""The development measure: held-out training repositories answer their own doc sentences and commit subjects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.training.dataset import Array, Pairs
from benchmarks.training.mine import KINDS
from benchmarks.training.model import Model

MAX_QUESTIONS = 600  # a repository


@dataclass(frozen=True, slots=True)
class Score:
    """Mean reciprocal ranks over repositories: sentence -> definition, subject -> file; by content, and with path."""

    doc: float
    doc_path: float
    com: float
    com_path: float

    def __str__(self) -> str:
        return f"doc {self.doc:.4f} doc+path {self.doc_path:.4f} com {self.com:.4f} com+path {self.com_path:.4f}"


def development_score(model: Model, pairs: Pairs) -> Score:
    values = {name: [] for name in ("doc", "com")}
    for repository in np.unique(pairs.repository):
        for kind, found in values.items():
            mine = np.flatnonzero((pairs.repository == repository) & (pairs.kind == KINDS.index(kind)))
            mine = mine[np.diff(pairs.question.indptr)[mine] > 0]
            if len(mine) >= 50:
                found.append(_ranks(model, pairs, mine, same_file=kind == "com"))
    doc, com = (np.mean(values[name], axis=0) for name in ("doc", "com"))
    return Score(float(doc[0]), float(doc[1]), float(com[0]), float(com[1]))


def _ranks(model: Model, pairs: Pairs, mine: Array, *, same_file: bool) -> tuple[float, float]:
    """MRR by content alone, and with paths; `same_file`: any document of the right file answers."""
    asked = np.arange(len(mine))[:: max(1, len(mine) // MAX_QUESTIONS)]
    queries = model.queries(pairs.question.take(mine[asked]))
    body = pairs.body.take(mine)
    results = []
    for path in (None, pairs.path.take(mine)):
        similar = queries @ model.documents(body, path).T
        if same_file:
            right = pairs.place[mine][None, :] == pairs.place[mine[asked]][:, None]
            best = np.where(right, similar, -2).max(axis=1)
        else:
            best = similar[np.arange(len(asked)), asked]
        results.append(float(np.mean(1 / (1 + (similar > best[:, None] + 1e-7).sum(axis=1)))))
    return results[0], results[1]
