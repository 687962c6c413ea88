"""Embeds texts with the embedded model, using the same term counts as indexing does for files and chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from index.embed.static import MAX_TF, Floats, StaticEmbedder
from index.segment.columns import Segment, Strings, offsets_of
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
    parts = [len(part) for pair in zip(folders, names, strict=True) for part in pair]
    columns = {
        "body.chunk": np.zeros(sum(map(len, bodies)), np.int64),  # a text is a file of one chunk
        "body.term": np.array([numbers[term] for body in bodies for term in body], np.int64),
        "body.tf": np.array([min(count, MAX_TF) for body in bodies for count in body.values()], np.int64),
        "path.term": np.array([numbers[term] for path in paths for term in path], np.int64),
        "path.in_name": np.repeat([0, 1] * len(texts), parts),
    }
    rows = {
        "chunk": np.arange(len(texts) + 1),
        "body": offsets_of(map(len, bodies)),
        "path": offsets_of(map(len, paths)),
    }
    return model.embed_segment(Segment(columns, rows, Strings.of([]), Strings.of(list(numbers))))
