"""A model by its specification, ready to embed."""

from __future__ import annotations

from index.embed.models import ModelSpec, loadable
from index.types import Embedder


def load(spec: ModelSpec) -> Embedder:
    """The model in memory. ModelMissing says what is not on this machine and how to get it."""
    if spec.embedded:
        from index.embed.static import StaticEmbedder

        return StaticEmbedder.load()
    from index.embed.transformer import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(loadable(spec))
