"""Learn when a repository has no answer: the tables and the threshold behind "evidence or nothing".

    python -m benchmarks.ranker.evidence --suite SUITE[:CORPORA] ... --cache DIR --into index/ranker.json

Every question is asked of its own repository and of another one. Tables over EVIDENCE_SIGNALS tell the two apart; the
threshold is the highest one at which at most `LOST` of the questions asked of the right repository get no answer.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.ranker.tables import boosted, exported, table_points
from benchmarks.suites import load_suite
from index.build import Builder
from index.corpus import Corpus
from index.embed.static import StaticEmbedder
from index.query import parse_query
from index.search import query_vector
from index.signals import EVIDENCE_SIGNALS, measure
from index.store import Store
from index.walk import walk

LOST = 0.015  # of the right questions; the mark is 0.02
ROUNDS = 150
# What more of a thing can only speak for an answer.
MONOTONE = dict.fromkeys(("known", "cover_chunk", "cover_file", "cover_names", "cover_file_name", "cosine"), 1)
Rows = npt.NDArray[np.float32]


def rows_of(corpus: Corpus, embedder: StaticEmbedder, queries: Sequence[str]) -> Rows:
    """float32[queries, EVIDENCE_SIGNALS]."""
    found = []
    for query in queries:
        parsed = parse_query(query)
        evidence = measure(corpus, parsed, query_vector(corpus, embedder, parsed)).evidence
        found.append([evidence[name] for name in EVIDENCE_SIGNALS])
    return np.array(found, np.float32).reshape(-1, len(EVIDENCE_SIGNALS))


def gathered(specs: Sequence[str], cache: Path, embedder: StaticEmbedder) -> list[tuple[Rows, Rows, str]]:
    """(asked of the right repository, the same number asked of a wrong one, split) for each repository."""
    shuffled = random.Random(7)
    found = []
    for spec in specs:
        path, _, corpora = spec.partition(":")
        suite = load_suite(Path(path), Path(corpora) if corpora else None)
        asked = [[one.query for one in repository.questions] for repository in suite.repositories]
        for number, repository in enumerate(suite.repositories):
            store = Store(cache / suite.name / repository.name.replace("/", "+"))
            snapshot, _ = Builder(repository.root, store, embedder, None).refresh(
                walk(repository.root), store.open(), full=False, wait_s=60
            )
            others = [query for place, queries in enumerate(asked) if place != number for query in queries]
            wrong = shuffled.sample(others, min(len(asked[number]), len(others)))
            corpus = Corpus(snapshot)
            rows = (rows_of(corpus, embedder, asked[number]), rows_of(corpus, embedder, wrong))
            found.append((*rows, "train" if Path(path).is_dir() else repository.split))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", action="append", required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True)
    arguments = parser.parse_args()
    found = gathered(arguments.suite, arguments.cache, StaticEmbedder.load())
    train = [pair for *pair, split in found if split == "train"]
    right, wrong = (np.concatenate([pair[side] for pair in train]) for side in (0, 1))
    rows = np.concatenate([right, wrong])
    label = np.repeat(np.array([1, 0], np.float32), [len(right), len(wrong)])
    booster = boosted(
        rows, label, [], np.ones(len(rows), np.float32), EVIDENCE_SIGNALS, MONOTONE, ROUNDS, objective="binary"
    )
    tables = exported(booster, EVIDENCE_SIGNALS)
    threshold = float(np.quantile(table_points(tables, right, EVIDENCE_SIGNALS), LOST))
    report: dict[str, float] = {}
    for split in ("train", "dev"):
        pairs = [pair for *pair, where in found if where == split]
        for side, name in ((0, "right questions answered"), (1, "wrong questions answered")):
            points = [table_points(tables, pair[side], EVIDENCE_SIGNALS) for pair in pairs]
            if points:
                report[f"{split}: {name}"] = round(float((np.concatenate(points) >= threshold).mean()), 4)
    print(json.dumps(report, indent=1))
    document = json.loads(arguments.into.read_text())
    document["evidence"] = tables
    document["threshold"] = round(threshold, 4)
    document["about"]["evidence"] = report
    arguments.into.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
