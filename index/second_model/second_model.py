"""The transformer beside the static model as a signal of search: how near each chunk is to a query."""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path

from contracts.errors import CtxpackError
from index.embed.models import ModelSpec
from index.embed.transformer import SentenceTransformerEmbedder
from index.search.signals.files import second_dense
from index.second_model.vectors import ChunkVectors, vector_file
from index.segment.columns import Array
from index.segment.segment import Segment
from index.types import Embedder, VectorCoverage


class SecondModel:
    """A transformer and its vectors of one generation.

    With `waits`, the first question for which there are vectors loads the model, which takes seconds. Without, as in a
    server, a thread loads the model, and questions are answered without it until it is there.
    """

    def __init__(self, spec: ModelSpec, home: Path, segment: Segment, *, waits: bool) -> None:
        self.spec = spec
        self.waits = waits
        self.vectors = ChunkVectors(segment, vector_file(home, spec))
        self.vectors.catch_up()
        self._used = False

    @property
    def coverage(self) -> VectorCoverage:
        """How many chunks have a vector, and whether the last answer used them."""
        problem = _model(self.spec).problem
        return VectorCoverage(self.spec.model_id, len(self.vectors.covered), self.vectors.count, self._used, problem)

    def signal(self, text: str) -> Array | None:
        """float32[chunks], standardised as `dense` is; None while there are too few vectors or no model yet."""
        if not self.waits:
            self.vectors.catch_up()
        model = _model(self.spec).embedder(self.waits) if self.vectors.enough else None
        self._used = model is not None
        if model is None:
            return None
        return second_dense(self.vectors.matrix, self.vectors.covered, model.embed_query(text))


class _LoadedModel:
    """A model that is loaded once, in this thread or aside; `problem` says why it could not be."""

    def __init__(self, spec: ModelSpec) -> None:
        self.problem = ""
        self._spec = spec
        self._embedder: Embedder | None = None
        self._thread: threading.Thread | None = None

    def embedder(self, waits: bool) -> Embedder | None:
        """The model; None while it is being loaded and where it cannot be. Errors are raised to those who wait."""
        if self._embedder is None and waits:
            self._embedder = SentenceTransformerEmbedder(self._spec)
        elif self._embedder is None and self._thread is None:
            self._thread = threading.Thread(target=self._load, name=f"load {self._spec.name}", daemon=True)
            self._thread.start()
        return self._embedder

    def _load(self) -> None:
        try:
            self._embedder = SentenceTransformerEmbedder(self._spec)
        except CtxpackError as error:
            self.problem = error.message
        except Exception as error:  # torch and what it loads: an answer without it is better than none
            self.problem = f"{type(error).__name__}: {error}"


_model = cache(_LoadedModel)  # one for all repositories of this process
