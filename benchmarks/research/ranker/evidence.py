"""Learn the evidence that a repository has an answer at all, and the thresholds of confidence.

    python -m benchmarks.research.ranker.evidence --learn QUESTIONS --choose OTHER_QUESTIONS --trees TREES --cache DIR
        --into RANKER.json ...

Each question is asked of its own repository and of others. The weights are those of a logistic regression over the
questions of `--learn`; those of `--choose` set the thresholds. The embedded model has seen the questions of `--learn`,
so their cosines are a little higher than those of others. All RANKER.json get the result; the first one ranks.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.explore.suite import Question, load_suite
from benchmarks.research.ranker.logistic import Doubles, logistic_regression
from benchmarks.research.ranker.passages import corpora, passages_of
from index.collection.collection import Collection
from index.embed.static import StaticEmbedder
from index.search.ranker import EVIDENCE_SIGNALS, MOST_SPREADS, Ranker, Weight

OTHERS_TO_LEARN, OTHERS_TO_CHOOSE = 6, 8  # questions of other repositories for each of a repository's own
WRONG_NOT_STRONG = 0.855  # share of the questions asked of another repository that are not graded strong
RIGHT_NONE = 0.02  # share of the questions asked of their own repository that are graded none


def evidence_rows(
    repositories: Sequence[tuple[Collection, Sequence[Question]]], embedder: StaticEmbedder, ranker: Ranker, others: int
) -> tuple[Doubles, Doubles]:
    """(float64[n, signals], float64[n]: 1 if the repository is the question's own)."""
    dice = random.Random(7)
    rows, label = [], []
    for number, (collection, questions) in enumerate(repositories):
        elsewhere = [one for place, (_, theirs) in enumerate(repositories) if place != number for one in theirs]
        sample = dice.sample(elsewhere, min(others * len(questions), len(elsewhere)))
        for right, batch in ((1.0, questions), (0.0, sample)):
            for question in batch:
                evidence = passages_of(collection, embedder, ranker, question.query)[1].evidence
                rows.append([evidence[name] for name in EVIDENCE_SIGNALS])
                label.append(right)
    return np.array(rows), np.array(label)


def learn_weights(rows: Doubles, label: Doubles) -> dict[str, Weight]:
    """The weight of each signal."""
    usual, spread = rows.mean(axis=0), rows.std(axis=0)
    weights, _ = logistic_regression(np.clip((rows - usual) / spread, -MOST_SPREADS, MOST_SPREADS), label)
    numbers = zip(EVIDENCE_SIGNALS, usual.tolist(), spread.tolist(), weights.tolist(), strict=True)
    return {name: Weight(*(float(f"{value:.4g}") for value in values)) for name, *values in numbers}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learn", type=Path, required=True)
    parser.add_argument("--choose", type=Path, required=True)
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--into", type=Path, nargs="+", required=True)
    arguments = parser.parse_args()
    embedder, ranker = StaticEmbedder.load(), Ranker.from_document(json.loads(arguments.into[0].read_text()))
    learn, choose = (
        list(corpora(load_suite(folder, [arguments.trees]), arguments.cache, embedder))
        for folder in (arguments.learn, arguments.choose)
    )
    weights = learn_weights(*evidence_rows(learn, embedder, ranker, OTHERS_TO_LEARN))
    rows, label = evidence_rows(choose, embedder, ranker, OTHERS_TO_CHOOSE)
    points = np.array([
        sum(weight.of(value) for weight, value in zip(weights.values(), row, strict=True)) for row in rows.tolist()
    ])  # fmt: skip
    right, wrong = points[label == 1], points[label == 0]
    strong, weak = float(np.quantile(wrong, WRONG_NOT_STRONG)), float(np.quantile(right, RIGHT_NONE))
    report = {
        "wrong graded weak or none": (wrong < strong).mean(),
        "right graded weak or none": (right < strong).mean(),
        "right graded none": (right < weak).mean(),
        "wrong graded none": (wrong < weak).mean(),
    }
    figures = {name: round(float(value), 3) for name, value in report.items()}
    print(json.dumps(figures, indent=1))
    for file in arguments.into:
        previous = json.loads(file.read_text())
        document = {
            "about": {**previous.get("about", {}), "evidence": figures},
            "evidence": {
                name: {"usual": one.usual, "spread": one.spread, "points": one.points} for name, one in weights.items()
            },
            "strong": round(strong, 4),
            "weak": round(weak, 4),
        }
        file.write_text(json.dumps({**previous, **document}, indent=1) + "\n")


if __name__ == "__main__":
    main()
