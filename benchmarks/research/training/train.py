"""Train the static model with symmetric InfoNCE on mined pairs.

    OMP_NUM_THREADS=1 OMP_WAIT_POLICY=PASSIVE \
        python -m benchmarks.research.training.train MINED VOCABULARY.npz DEST.npz --seed 0

A batch is eight blocks of 256 pairs, each block from one repository, where most hard negatives come from.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field, fields
from math import ceil
from pathlib import Path

import numpy as np

from benchmarks.research.training.dataset import (
    Array,
    Pairs,
    Rows,
    development_repositories,
    load_pairs,
    repository_files,
)
from benchmarks.research.training.development import development_score
from benchmarks.research.training.loss import info_nce, through_unit, unit_and_length
from benchmarks.research.training.mine import KINDS
from benchmarks.research.training.model import SIDES, Model
from benchmarks.research.training.start import read_vocabulary, start_vectors, training_files
from index.embed.static import PATH_WEIGHT

BLOCK = 256
BLOCKS_A_BATCH = 8
START_SCALE = 20.0


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run; every field is an option of the command."""

    dimensions: int = 256
    epochs: float = 2.0
    rate: float = 1.5e-3
    weight_rate: float = 1e-2
    path_share: float = 0.5
    query_dropout: float = 0.1
    seed: int = 0


@dataclass(slots=True)
class Adam:
    """Adam, which updates moments only for the rows of a batch (Kingma & Ba 2015; the lazy variant of TensorFlow)."""

    value: Array
    rate: float
    first: Array = field(init=False)
    second: Array = field(init=False)
    steps: int = 0

    def __post_init__(self) -> None:
        self.first, self.second = np.zeros_like(self.value), np.zeros_like(self.value)

    def step(self, rows: Array | slice, gradient: Array, decay: float) -> None:
        self.steps += 1
        first = 0.9 * self.first[rows] + 0.1 * gradient
        second = 0.999 * self.second[rows] + 0.001 * gradient * gradient
        self.first[rows], self.second[rows] = first, second
        correction = np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        self.value[rows] -= (decay * self.rate * correction) * first / (np.sqrt(second) + 1e-8)


def batches(pairs: Pairs, dice: np.random.Generator) -> list[Array]:
    """One epoch: every repository's pairs in random blocks, in random order."""
    blocks = []
    for repository in np.unique(pairs.repository):
        mine = dice.permutation(np.flatnonzero(pairs.repository == repository))
        blocks += [mine[at : at + BLOCK] for at in range(0, len(mine), BLOCK)]
    order = dice.permutation(len(blocks))
    ordered_blocks = [blocks[number] for number in order]
    return [
        np.concatenate(ordered_blocks[at : at + BLOCKS_A_BATCH]) for at in range(0, len(ordered_blocks), BLOCKS_A_BATCH)
    ]


class Trainer:
    """One run: the model, its optimisers and the random generator."""

    def __init__(self, model: Model, pairs: Pairs, settings: Settings) -> None:
        self.model = model
        self.pairs = pairs
        self.settings = settings
        self.dice = np.random.default_rng(settings.seed)
        self.log_scale = np.array([np.log(START_SCALE)], np.float32)
        self.vectors = Adam(model.vectors, settings.rate)
        self.weights = [Adam(weights, settings.weight_rate) for weights in model.log_weights]
        self.scale = Adam(self.log_scale, settings.weight_rate)

    def run(self) -> None:
        todo = [batch for _ in range(ceil(self.settings.epochs)) for batch in batches(self.pairs, self.dice)]
        total = round(self.settings.epochs * len(todo) / ceil(self.settings.epochs))
        began, losses = time.monotonic(), []
        for number, batch in enumerate(todo[:total]):
            losses.append(self.step(batch, 1 - number / total))
            if number % 50 == 49:
                spent = time.monotonic() - began
                scale = float(np.exp(self.log_scale[0]))
                print(
                    f"{number + 1}/{total} loss {np.mean(losses[-50:]):.4f} scale {scale:.1f} {spent:.0f} s", flush=True
                )

    def step(self, batch: Array, decay: float) -> float:
        pairs, model = self.pairs, self.model
        sides = {
            "query": self._drop_terms(pairs.question.take(batch)),
            "document": pairs.body.take(batch),
            "path": self._some_paths(pairs.path.take(batch)),
        }
        numbers = np.unique(np.concatenate([rows.ids for rows in sides.values()]))
        vectors = model.vectors[numbers]
        sparse = {side: model.sparse(rows, side)[:, numbers] for side, rows in sides.items()}
        queries, query_length = unit_and_length(sparse["query"] @ vectors)
        contents, content_length = unit_and_length(sparse["document"] @ vectors)
        paths, path_length = unit_and_length(sparse["path"] @ vectors)
        documents, document_length = unit_and_length(contents + PATH_WEIGHT * paths)
        loss, by_query, by_document, by_scale = info_nce(
            queries, documents, self._false_negatives(batch), float(np.exp(self.log_scale[0]))
        )
        by_document = through_unit(by_document, documents, document_length)
        gradients = {
            "document": through_unit(by_document, contents, content_length),
            "query": through_unit(by_query, queries, query_length),
            "path": through_unit(PATH_WEIGHT * by_document, paths, path_length),
        }
        total = np.zeros_like(vectors)
        for optimiser, side in zip(self.weights, SIDES, strict=True):
            # A weight multiplies its whole row, so its gradient is the row's gradient projected on the row.
            by_row = sparse[side].T @ gradients[side]
            optimiser.step(numbers, np.einsum("ij,ij->i", by_row, vectors), decay)
            total += by_row
        self.vectors.step(numbers, total, decay)
        self.scale.step(slice(None), np.array([by_scale], np.float32), decay)
        return loss

    def _false_negatives(self, batch: Array) -> Array:
        """bool[n, n]: pairs that are not true negatives, because file or question is the same."""
        same = np.zeros((len(batch), len(batch)), bool)
        for key in (self.pairs.place[batch], self.pairs.question_text[batch]):
            same |= key[:, None] == key[None, :]
        np.fill_diagonal(same, False)
        return same

    def _drop_terms(self, rows: Rows) -> Rows:
        mask = (self.dice.random(len(rows.ids)) >= self.settings.query_dropout).astype(np.float32)
        return Rows(rows.indptr, rows.ids, rows.values * mask)

    def _some_paths(self, rows: Rows) -> Rows:
        shown = self.dice.random(len(rows.indptr) - 1) < self.settings.path_share
        return Rows(rows.indptr, rows.ids, rows.values * np.repeat(shown, np.diff(rows.indptr)).astype(np.float32))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mined", type=Path)
    parser.add_argument("vocabulary", type=Path)
    parser.add_argument("dest", type=Path)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--start", choices=["minilm", "random"], default="minilm")
    for one in fields(Settings):
        parser.add_argument(f"--{one.name.replace('_', '-')}", type=type(one.default), default=one.default)
    args = parser.parse_args()
    settings = Settings(**{one.name: getattr(args, one.name) for one in fields(Settings)})
    vocabulary = read_vocabulary(args.vocabulary)
    vectors = np.load(args.vocabulary)["vectors"]
    if args.start == "random":
        vectors = np.random.default_rng(settings.seed).normal(size=vectors.shape).astype(np.float32)
    # The start is the same for every seed: runs that begin at one point can be averaged.
    model = Model.start(start_vectors(vectors, vocabulary.rows, settings.dimensions, seed=0), vocabulary.frequency)
    held_out = load_pairs(repository_files(args.mined, development_repositories()), vocabulary)
    print("start", development_score(model, held_out))
    pairs = load_pairs(training_files(args.mined), vocabulary)
    mask = np.isin(pairs.kind, [KINDS.index(kind) for kind in args.kinds.split(",")])
    mask &= np.diff(pairs.question.indptr) > 0
    pairs = pairs.take(np.flatnonzero(mask))
    print(len(pairs), "pairs", settings, flush=True)
    if settings.epochs:
        Trainer(model, pairs, settings).run()
        print("end", development_score(model, held_out))
    model.save(args.dest)


if __name__ == "__main__":
    main()
