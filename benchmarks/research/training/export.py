"""Average runs that share a start, quantise, and write the weights that the package ships.

python -m benchmarks.research.training.export VOCABULARY.npz DEST RUN.npz [RUN.npz ...]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.research.training.model import Model
from benchmarks.research.training.start import read_vocabulary


def mean_model(runs: list[Model]) -> Model:
    """The mean of the runs' parameters: runs from one start end in one basin (Wortsman et al. 2022)."""
    return Model(np.mean([run.vectors for run in runs], axis=0), np.mean([run.log_weights for run in runs], axis=0))


def export(model: Model, terms: list[str], folder: Path) -> None:
    """Write int8 rows; each row's scale is folded into its three weights, whose common factor is arbitrary."""
    peak = np.maximum(np.abs(model.vectors).max(axis=1, keepdims=True), 1e-9)
    matrix = np.rint(model.vectors / peak * 127).astype(np.int8)
    weights = np.exp(model.log_weights) * peak.T
    weights /= np.median(weights[:2], axis=1, keepdims=True).mean()
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "matrix.npy", matrix)
    np.save(folder / "weights.npy", weights.astype(np.float16))
    (folder / "terms.txt").write_bytes("".join(f"{term}\n" for term in terms).encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vocabulary", type=Path)
    parser.add_argument("dest", type=Path)
    parser.add_argument("runs", type=Path, nargs="+")
    args = parser.parse_args()
    model = mean_model([Model.load(run) for run in args.runs])
    export(model, read_vocabulary(args.vocabulary).terms, args.dest)
    sizes = {file.name: file.stat().st_size for file in sorted(args.dest.iterdir())}
    print(
        model.vectors.shape, sizes, "document, query, path weight medians", np.median(np.exp(model.log_weights), axis=1)
    )


if __name__ == "__main__":
    main()
