"""Learn when a repository has no answer: the tables and the two thresholds behind "evidence or nothing".

    python -m benchmarks.ranker.evidence --suite SUITE[:CORPORA[:WEIGHT]] ... --cache DIR --into index/ranker.json
        [--folds DIR]

Every question is asked of its own repository and of another one. Tables over EVIDENCE_SIGNALS tell the two apart. A
list of places is given above the threshold that loses `LOST` of all questions asked of the right repository; a pack, on
which somebody acts without looking further, above the one that loses `LOST_PACKS` of the public suite's, each judged by
tables that never saw its repository: in sample the right ones look better than they are.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.ranker.tables import SEEDS, Tables, averaged, boosted, exported, table_points
from benchmarks.ranker.train import folds_of
from benchmarks.suites import load_suite
from index.build import Builder
from index.corpus import Corpus
from index.embed.static import StaticEmbedder
from index.query import parse_query
from index.search import query_vector
from index.signals import EVIDENCE_SIGNALS, measure
from index.store import Store
from index.walk import walk

LOST = 0.005  # of the right questions of all suites
LOST_PACKS = 0.01  # of the public suite's; commit subjects say less and lose more (the report tells)
ROUNDS = 400
# What more of a thing can only speak for an answer.
MONOTONE = dict.fromkeys(("known", "named", "cover_chunk", "cover_file", "cover_names", "cover_file_name", "cosine"), 1)
Rows = npt.NDArray[np.float32]


def rows_of(corpus: Corpus, embedder: StaticEmbedder, queries: Sequence[str]) -> Rows:
    """float32[queries, EVIDENCE_SIGNALS]."""
    found = []
    for query in queries:
        parsed = parse_query(query)
        evidence = measure(corpus, parsed, query_vector(corpus, embedder, parsed)).evidence
        found.append([evidence[name] for name in EVIDENCE_SIGNALS])
    return np.array(found, np.float32).reshape(-1, len(EVIDENCE_SIGNALS))


@dataclass(frozen=True, slots=True)
class Pairs:
    """One repository's questions as rows: asked of it, and the same number of others' questions asked of it."""

    repository: str
    suite: str
    split: str  # train, dev or public
    right: Rows
    wrong: Rows


def gathered(specs: Sequence[Sequence[str]], cache: Path, embedder: StaticEmbedder) -> list[Pairs]:
    """Every repository of every suite."""
    shuffled = random.Random(7)
    found = []
    for path, corpora in ((Path(spec[0]), Path(spec[1]) if len(spec) > 1 and spec[1] else None) for spec in specs):
        suite = load_suite(path, corpora)
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
            found.append(Pairs(repository.name, suite.name, "public" if path.is_dir() else repository.split, *rows))
    return found


def stacked(pairs: Sequence[Pairs], side: str) -> Rows:
    return np.concatenate([getattr(one, side) for one in pairs])


def learned(pairs: Sequence[Pairs], weights: dict[str, float]) -> Tables:
    """Tables whose sum is high for questions asked of the right repository."""
    rows = np.concatenate([stacked(pairs, "right"), stacked(pairs, "wrong")])
    label = np.repeat(np.array([1, 0], np.float32), len(rows) // 2)
    weight = np.concatenate([np.full(len(one.right), weights[one.suite], np.float32) for one in pairs])
    weight = np.tile(weight, 2)
    runs = [
        boosted(rows, label, [], weight, EVIDENCE_SIGNALS, MONOTONE, ROUNDS, objective="binary", seed=seed)
        for seed in SEEDS
    ]
    return averaged([exported(booster, EVIDENCE_SIGNALS) for booster in runs])


def points(tables: Tables, pairs: Sequence[Pairs]) -> npt.NDArray[np.float64]:
    """What speaks for an answer, for each of the right questions."""
    return table_points(tables, stacked(pairs, "right"), EVIDENCE_SIGNALS)


def lowest(found: npt.NDArray[np.float64], lost: float) -> float:
    """The points that a share of the questions falls short of."""
    return round(float(np.quantile(found, lost)), 4)


def document_of(pairs: Sequence[Pairs], weights: dict[str, float]) -> dict[str, Any]:
    """What the evidence adds to a ranker."""
    tables = learned(pairs, weights)
    return {"evidence": tables, "threshold": lowest(points(tables, pairs), LOST)}


def answered(judged: Sequence[tuple[dict[str, Any], Sequence[Pairs]]]) -> dict[str, float]:
    """Shares of right and wrong questions that are answered, by the document that judges each repository."""
    report = {}
    for threshold, kind in (("threshold", "lists"), ("pack_threshold", "packs")):
        for side in ("right", "wrong"):
            above = [
                table_points(held["evidence"], stacked(some, side), EVIDENCE_SIGNALS) >= held[threshold]
                for held, some in judged
            ]
            report[f"{kind}: {side} questions answered"] = round(float(np.concatenate(above).mean()), 4)
    return report


def into(path: Path, found: dict[str, Any]) -> None:
    document = json.loads(path.read_text())
    about = {**document.get("about", {}), **found.get("about", {})}
    path.write_text(json.dumps({**document, **found, "about": about}, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", action="append", required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--folds", type=Path, help="rankers of benchmarks.ranker.train --folds")
    arguments = parser.parse_args()
    specs = [spec.split(":") for spec in arguments.suite]
    weights = {Path(spec[0]).stem: float(spec[2]) if len(spec) > 2 else 1.0 for spec in specs}
    pairs = gathered(specs, arguments.cache, StaticEmbedder.load())
    train = [one for one in pairs if one.split != "dev"]
    public = [one for one in pairs if one.split == "public"]
    judged = []
    for out in folds_of([one.repository for one in public]):
        left = [one for one in public if one.repository in out]
        document = document_of([one for one in train if one.split != "public" or one.repository not in out], weights)
        judged.append((document, left))
    unseen = np.concatenate([points(document["evidence"], left) for document, left in judged])
    certain = {"pack_threshold": lowest(unseen, LOST_PACKS)}
    found = {**document_of(train, weights), **certain}
    judged = [({**document, **certain}, left) for document, left in judged]
    for number, (document, _) in enumerate(judged if arguments.folds else ()):
        into(arguments.folds / f"fold-{number}.json", document)
    report = {
        "public suite, leave-repository-out": answered(judged),
        "public suite, in sample": answered([(found, public)]),
        "held-out commits": answered([(found, [one for one in pairs if one.split == "dev"])]),
    }
    print(json.dumps(report, indent=1))
    into(arguments.into, {**found, "about": {"evidence": report}})


if __name__ == "__main__":
    main()
