"""Is our own training worth shipping? Compares the whole ranking with two models' weights, paired.

    python -m benchmarks.research.training.hybrid --against FOLDER --suite SUITE[:CORPORA[:SPLIT]] ... [--rankers F]

Only the weights differ; trees, chunks, lexical signals and the ranker's tables are the same. The dense signals are
standardised within a query, so the tables serve both. They were trained with the shipped weights, which they favour.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.intervals import paired_interval
from benchmarks.metrics import NDCG_DEPTH, Place, first_ranks, ndcg
from benchmarks.quality import rankers
from benchmarks.suites import Repository, load_suite
from index.build import Builder
from index.collection.collection import Collection
from index.embed.static import WEIGHTS, StaticEmbedder
from index.generation.store import Store
from index.search.ranker import Ranker, shipped_ranker
from index.search.searcher import Searcher
from index.tree.walk import walk
from index.types import Filters


def question_scores(repository: Repository, embedder: StaticEmbedder, ranker: Ranker) -> Iterator[float]:
    """NDCG@10 of each question of a repository."""
    with tempfile.TemporaryDirectory() as home:
        builder = Builder(repository.root, Store(Path(home)), embedder, None)
        snapshot, _ = builder.refresh(walk(repository.root), None, full=True, wait_s=60)
        segment = snapshot.segment
        searcher = Searcher(Collection(snapshot), embedder, ranker)
        paths, chunk_file = segment.strings("file.path"), searcher.collection.chunks.file
        lines = [segment.array(f"chunk.{side}_line") for side in ("start", "end")]
        for question in repository.questions:
            chunks = [one.chunk for one in searcher.search(question.query, NDCG_DEPTH, Filters())]
            places = [Place(paths[int(chunk_file[n])], int(lines[0][n]), int(lines[1][n]), 0) for n in chunks]
            yield ndcg(first_ranks(places, question.targets))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, required=True, help="folder of the other weights")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--suite", action="append", required=True)
    parser.add_argument("--rankers", type=Path, help="for a public suite: rankers that left its repositories out")
    options = parser.parse_args()
    sides = [StaticEmbedder.load(folder) for folder in (options.weights, options.against)]
    for spec in options.suite:
        path, corpora, split = (*spec.split(":"), "", "")[:3]
        suite = load_suite(Path(path), Path(corpora) if corpora else None).only(split or None)
        left_out = rankers(suite, options.rankers if Path(path).is_dir() else None)
        scores: tuple[dict[str, list[float]], ...] = ({}, {})
        for repository in suite.repositories:
            ranker = left_out.get(repository.root, shipped_ranker())
            for values, embedder in zip(scores, sides, strict=True):
                values[repository.name] = list(question_scores(repository, embedder, ranker))
        ours, theirs = (float(np.mean([value for one in values.values() for value in one])) for values in scores)
        print(f"{suite.name}: {ours:.4f} against {theirs:.4f}, difference {paired_interval(*scores)}", flush=True)


if __name__ == "__main__":
    main()
