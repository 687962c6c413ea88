"""Start vectors: for every term of the vocabulary, the all-MiniLM-L6-v2 vector of its commonest spelling.

    python -m benchmarks.research.training.start MINED VOCABULARY.npz --size 31000
    python -m benchmarks.research.training.start --embed MODEL_FOLDER VOCABULARY.npz   # needs sentence-transformers

The first command writes the vocabulary of the training repositories, the second adds `vectors` float16[n, 384].
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from benchmarks.research.training.dataset import (
    Array,
    Vocabulary,
    build_vocabulary,
    development_repositories,
    repository_files,
)


def training_files(folder: Path) -> list[Path]:
    """The mined files of all repositories that are not held out."""
    held_out = set(development_repositories())
    return repository_files(folder, set(json.loads((folder / "repositories.json").read_text())) - held_out)


def read_vocabulary(file: Path) -> Vocabulary:
    arrays = np.load(file)
    return Vocabulary(arrays["terms"].tolist(), arrays["forms"].tolist(), arrays["frequency"])


def start_vectors(vectors: Array, rows: int, dimensions: int, seed: int) -> Array:
    """float32[rows, d] of unit rows: the principal components of `vectors`, then random rows for hashed terms."""
    dice = np.random.default_rng(seed)
    hashed = dice.normal(size=(rows - len(vectors), dimensions))
    centred = vectors.astype(np.float32) - vectors.mean(axis=0, dtype=np.float32)
    _, axes = np.linalg.eigh(centred.T @ centred)
    term_vectors = centred @ axes[:, ::-1][:, :dimensions]
    start = np.concatenate([term_vectors, hashed]).astype(np.float32)
    return start / np.maximum(np.linalg.norm(start, axis=1, keepdims=True), 1e-6)


def _embed(file: Path, folder: str) -> None:
    from sentence_transformers import SentenceTransformer

    arrays = dict(np.load(file))
    model = SentenceTransformer(folder, device="cpu")
    vectors = model.encode(arrays["forms"].tolist(), batch_size=256, show_progress_bar=False, normalize_embeddings=True)
    np.savez_compressed(file, **{**arrays, "vectors": vectors.astype(np.float16)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--size", type=int, default=31_000)
    parser.add_argument("--embed", metavar="MODEL_FOLDER")
    args = parser.parse_args()
    if args.embed:
        _embed(args.paths[0], args.embed)
        return
    folder, target = args.paths
    vocabulary = build_vocabulary(training_files(folder), args.size)
    np.savez_compressed(
        target, terms=np.array(vocabulary.terms), forms=np.array(vocabulary.forms), frequency=vocabulary.frequency
    )
    print(len(vocabulary.terms), "terms")


if __name__ == "__main__":
    main()
