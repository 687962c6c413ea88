"""A stand-in for a transformer: each word is a direction, and nothing is learned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class WordModel:
    """Vectors of hashed word counts, normalised. Records the texts that it embeds, and can be interrupted."""

    model_id = "words"
    dimensions = 32

    def __init__(self, stop_after: int | None = None) -> None:
        self.asked: list[str] = []
        self._stop_after = stop_after

    def embed_documents(self, texts: Sequence[str]) -> Floats:
        if self._stop_after is not None and len(self.asked) >= self._stop_after:
            raise KeyboardInterrupt
        self.asked += texts
        return np.array([self.embed_query(text) for text in texts], np.float32).reshape(len(texts), self.dimensions)

    def embed_query(self, text: str) -> Floats:
        counts = np.zeros(self.dimensions, np.float32)
        for word in re.findall(r"\w+", text.lower()):
            counts[crc32(word.encode()) % self.dimensions] += 1
        vector: Floats = counts / max(1.0, float(np.linalg.norm(counts)))
        return vector
