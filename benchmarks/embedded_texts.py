"""Embeds texts with the embedded model, using the same term counts as indexing does for files and chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from index.embed.static import Floats, StaticEmbedder
from index.segment.columns import offsets_of
from index.text import terms_of_text


def embed_texts(model: StaticEmbedder, texts: Sequence[str]) -> Floats:
    """float32[n, d]; the first line of a text is its path. An empty text gives zeros."""
    bodies, folders, names = [], [], []
    for text in texts:
        path, _, body = text.partition("\n")
        folder, _, name = path.rpartition("/")
        bodies.append(Counter(terms_of_text(body)))
        folders.append(list(dict.fromkeys(terms_of_text(folder))))
        names.append(list(dict.fromkeys(terms_of_text(name.split(".")[0] or name))))
    paths = [folder + name for folder, name in zip(folders, names, strict=True)]
    numbers: dict[str, int] = {}
    for term in (term for terms in (*bodies, *paths) for term in terms):
        numbers.setdefault(term, len(numbers))
    return model.embed_counts(
        list(numbers),
        offsets_of(map(len, bodies)),
        np.array([numbers[term] for body in bodies for term in body], np.int64),
        np.array([count for body in bodies for count in body.values()], np.int64),
        offsets_of(map(len, paths)),
        np.array([numbers[term] for path in paths for term in path], np.int64),
        np.repeat([0, 1] * len(texts), [len(part) for pair in zip(folders, names, strict=True) for part in pair]),
        np.arange(len(texts)),
    )
