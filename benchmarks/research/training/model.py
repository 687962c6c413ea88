"""The static model in training: float vectors and log weights, the forward pass and the gradients.

Uses the same formula as `index.embed.static`, with scipy's CSR products.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from benchmarks.research.training.dataset import Array, Rows
from benchmarks.research.training.loss import unit
from index.embed.static import PATH_WEIGHT

SIDES = ("document", "query", "path")
IDF_POWER = 0.8  # slope of the log weights, and start of hashed rows: chosen on the development repositories
HASHED_START = -0.5


@dataclass(frozen=True, slots=True)
class Model:
    """`vectors` float32[rows, d]; `log_weights` float32[3, rows] for document, query and path."""

    vectors: Array
    log_weights: Array

    @classmethod
    def start(cls, vectors: Array, frequency: Array) -> Model:
        """A flattened inverse document frequency as every weight; hashed rows, which unrelated terms share, count for
        less."""
        idf = np.log(1 + 1 / np.maximum(frequency, 1e-5))
        log_weights = np.full(len(vectors), HASHED_START, np.float32)
        log_weights[: len(frequency)] = IDF_POWER * np.log(idf / idf.max())
        return cls(vectors, np.stack([log_weights] * 3))

    @classmethod
    def load(cls, file: Path) -> Model:
        arrays = np.load(file)
        return cls(arrays["vectors"].astype(np.float32), arrays["log_weights"])

    def save(self, file: Path) -> None:
        np.savez(file, vectors=self.vectors, log_weights=self.log_weights)

    def sparse(self, rows: Rows, side: str) -> csr_matrix:
        """The documents of CSR rows with their weights, [n, all rows]."""
        weights = rows.values * np.exp(self.log_weights[SIDES.index(side)][rows.ids])
        shape = (len(rows.indptr) - 1, len(self.vectors))
        return csr_matrix((weights.astype(np.float32), rows.ids, rows.indptr), shape=shape)

    def documents(self, body: Rows, path: Rows | None) -> Array:
        """float32[n, d] unit vectors of documents, with their paths where given."""
        content = unit(self.sparse(body, "document") @ self.vectors)
        if path is None:
            return content
        return unit(content + PATH_WEIGHT * unit(self.sparse(path, "path") @ self.vectors))

    def queries(self, rows: Rows) -> Array:
        return unit(self.sparse(rows, "query") @ self.vectors)
