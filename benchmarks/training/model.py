"""The static model while it is trained: float vectors and log weights, its forward pass and its gradients.

The same formula as `index.embed.static`, over scipy's CSR products.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from benchmarks.training.dataset import Array, Rows

SIDES = ("document", "query", "path")
PATH_START = 2.0  # how much more than a word of the body a word of the path weighs before training


@dataclass(frozen=True, slots=True)
class Model:
    """`vectors` float32[rows, d]; `log_weights` float32[3, rows] for document, query and path."""

    vectors: Array
    log_weights: Array

    @classmethod
    def start(cls, vectors: Array, frequency: Array) -> Model:
        """Inverse document frequency as every weight; hashed rows count as rare terms."""
        idf = np.full(len(vectors), np.log(1 + 1 / 1e-5), np.float32)
        idf[: len(frequency)] = np.log(1 + 1 / np.maximum(frequency, 1e-5))
        log_idf = np.log(idf / idf.max())
        return cls(vectors, np.stack([log_idf, log_idf, log_idf + np.log(PATH_START)]).astype(np.float32))

    @classmethod
    def load(cls, file: Path) -> Model:
        saved = np.load(file)
        return cls(saved["vectors"].astype(np.float32), saved["log_weights"])

    def save(self, file: Path) -> None:
        np.savez(file, vectors=self.vectors, log_weights=self.log_weights)

    def sparse(self, rows: Rows, side: str) -> csr_matrix:
        """The documents of CSR rows with their weights, [n, all rows]."""
        weights = rows.values * np.exp(self.log_weights[SIDES.index(side)][rows.ids])
        shape = (len(rows.indptr) - 1, len(self.vectors))
        return csr_matrix((weights.astype(np.float32), rows.ids, rows.indptr), shape=shape)

    def documents(self, body: Rows, path: Rows | None) -> Array:
        """float32[n, d] unit vectors of documents, with their paths where given."""
        summed = self.sparse(body, "document") @ self.vectors
        if path is not None:
            summed = summed + self.sparse(path, "path") @ self.vectors
        return unit(summed)

    def queries(self, rows: Rows) -> Array:
        return unit(self.sparse(rows, "query") @ self.vectors)


def unit(vectors: Array) -> Array:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def through_unit(gradient: Array, units: Array, lengths: Array) -> Array:
    """The gradient before the division by the length."""
    along = np.einsum("ij,ij->i", gradient, units)[:, None]
    return (gradient - along * units) / np.maximum(lengths[:, None], 1e-9)
