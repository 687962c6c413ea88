"""The training loss of the static model, and the gradient through the division by the length."""

from __future__ import annotations

import numpy as np

from benchmarks.research.training.dataset import Array


def info_nce(queries: Array, documents: Array, mask: Array, scale: float) -> tuple[float, Array, Array, float]:
    """The loss and its gradients by queries, documents and log scale, as the mean of both directions."""
    similar = queries @ documents.T
    n = len(queries)
    # No cosine exceeds 1: one exponential serves both softmaxes, and none of its values overflows.
    odds = np.exp(np.float32(scale) * (similar - np.float32(1)))
    odds[mask] = 0
    right = np.arange(n)
    own, across, down = odds[right, right], odds.sum(axis=1), odds.sum(axis=0)
    loss = -0.5 * float(np.log(own / across + 1e-12).mean() + np.log(own / down + 1e-12).mean())
    gradient = odds
    gradient *= (1 / across)[:, None] + (1 / down)[None, :]
    gradient *= np.float32(0.5 / n)
    gradient[right, right] -= np.float32(1.0 / n)
    by_scale = float(np.einsum("ij,ij->", gradient, similar)) * scale
    gradient *= np.float32(scale)
    return loss, gradient @ documents, gradient.T @ queries, by_scale


def unit_and_length(vectors: Array) -> tuple[Array, Array]:
    """The rows scaled to length one, and their former lengths."""
    lengths = np.linalg.norm(vectors, axis=1)
    return vectors / np.maximum(lengths[:, None], 1e-9), lengths


def unit(vectors: Array) -> Array:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def through_unit(gradient: Array, units: Array, lengths: Array) -> Array:
    """The gradient before the division by the length; zero for rows of length zero."""
    along = np.einsum("ij,ij->i", gradient, units)[:, None]
    inverse = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 1e-9)
    return (gradient - along * units) * inverse[:, None]
