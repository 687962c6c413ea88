"""Train the ranker's tables and write them as `index/search/ranker.json`.

    python -m benchmarks.research.ranker.train --suite SUITE[:CORPORA[:WEIGHT]] ... --cache DIR [--out FILE]
        [--report FILE]

A SUITE is anything that `benchmarks.suites` loads. No table is trained on the `dev` split of a mined suite.
Tables that were trained without a repository score it in the public suite (leave-repository-out, in folds).
"""

from __future__ import annotations

import argparse
import json
import math
import pickle
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.research.ranker.features import Floats, QuestionRows, Target, ask_all
from benchmarks.research.ranker.logistic import logistic_regression
from benchmarks.research.ranker.tables import SEEDS, Tables, mean_tables, table_points, tables_of, train_booster
from benchmarks.suites import Suite, load_suite
from benchmarks.suites import Target as Place
from index.build import Builder
from index.collection.collection import Collection
from index.embed.static import StaticEmbedder
from index.generation.store import Store
from index.search.signals import Signals
from index.search.signals.files import CHUNK_SIGNALS, FILE_SIGNALS
from index.tree.walk import walk

ROUNDS = {"file": 400, "chunk": 200}
FOLDS = 5
HARD_FILES = 50  # wrong files per question in training
# Suites whose questions are doc comments that were cut from the tree: they are no examples for whole files.
BLIND = frozenset({"docs"})
Document = dict[str, Any]


def measure_suite(suite: Suite, cache: Path, embedder: StaticEmbedder) -> list[QuestionRows]:
    """Every question's rows; indexes stay in `cache`, so that only changes are indexed again."""
    results: list[QuestionRows] = []
    for repository in suite.repositories:
        store = Store(cache / suite.name / repository.name.replace("/", "+"))
        snapshot, _ = Builder(repository.root, store, embedder, None).refresh(
            walk(repository.root), store.open(), full=False, wait_s=60
        )
        questions = [(one.query, _targets(one.targets), _targets(one.places)) for one in repository.questions]
        rows = ask_all(Collection(snapshot), embedder, repository.name, suite.name, questions)
        results += [replace(row, split=repository.split) for row in rows]
    return results


def _targets(places: Sequence[Place]) -> list[Target]:
    return [Target(one.path, one.start_line, one.end_line) for one in places]


def hard_rows(question: QuestionRows) -> QuestionRows:
    """The right files and the hardest of the others: easy ones teach nothing and take most of the time."""
    names = list(FILE_SIGNALS)
    hard = question.file[:, names.index("bm25_file")] + question.file[:, names.index("dense_chunk")] / 8
    order = np.lexsort((np.arange(len(hard)), -hard, -question.file_label))[
        : HARD_FILES + int(question.file_label.sum())
    ]
    rows = np.sort(order)
    return replace(question, file=question.file[rows], file_label=question.file_label[rows])


def train_files(questions: Sequence[QuestionRows], weights: dict[str, float], seeds: Sequence[int] = SEEDS) -> Tables:
    """Tables for files, from rows grouped by question."""
    questions = [hard_rows(one) for one in questions]
    groups = [len(one.file) for one in questions]
    weight = np.repeat([weights.get(one.source, 1.0) for one in questions], groups).astype(np.float32)
    rows = np.concatenate([one.file for one in questions])
    label = np.concatenate([one.file_label for one in questions])
    return _mean_of_runs(rows, label, groups, weight, FILE_SIGNALS, ROUNDS["file"], seeds)


def train_chunks(questions: Sequence[QuestionRows], weights: dict[str, float], seeds: Sequence[int] = SEEDS) -> Tables:
    """Tables for chunks within the right file, from questions whose answer has lines."""
    questions = [one for one in questions if len(one.chunk)]
    groups = [int(count) for one in questions for count in np.bincount(one.chunk_group)]
    weight = np.concatenate([np.full(len(one.chunk), weights.get(one.source, 1.0), np.float32) for one in questions])
    rows = np.concatenate([one.chunk for one in questions])
    label = np.concatenate([one.chunk_label for one in questions])
    return _mean_of_runs(rows, label, groups, weight, CHUNK_SIGNALS, ROUNDS["chunk"], seeds)


def _mean_of_runs(
    rows: Floats, label: Floats, groups: Sequence[int], weight: Floats,
    signals: Signals[Any, Any], rounds: int, seeds: Sequence[int],
) -> Tables:  # fmt: skip
    runs = (train_booster(rows, label, groups, weight, signals, rounds, seed=seed) for seed in seeds)
    return mean_tables([tables_of(booster, signals) for booster in runs])


def ndcg(points: np.ndarray, label: np.ndarray, targets: int, k: int = 10) -> float:
    """NDCG@k of files by points, ties by position; `targets` right files exist."""
    order = np.lexsort((np.arange(len(points)), -np.round(points, 6)))[:k]
    gain = sum(float(label[row]) / math.log2(place + 2) for place, row in enumerate(order))
    return gain / sum(1 / math.log2(place + 2) for place in range(min(k, targets)))


def score(questions: Sequence[QuestionRows], tables: Tables) -> list[float]:
    """File-level NDCG@10 of each question."""
    return [ndcg(table_points(tables, one.file, FILE_SIGNALS), one.file_label, one.targets) for one in questions]


def chunks_first(questions: Sequence[QuestionRows], tables: Tables) -> list[float]:
    """For each right file with marked lines, whether its best chunk covers them."""
    hits: list[float] = []
    for one in questions:
        points = table_points(tables, one.chunk, CHUNK_SIGNALS)
        for group in np.unique(one.chunk_group):
            rows = np.flatnonzero(one.chunk_group == group)
            hits.append(float(one.chunk_label[rows[np.argmax(np.round(points[rows], 6))]]))
    return hits


def platt_scaling(questions: Sequence[QuestionRows], tables: Tables) -> tuple[float, float]:
    """(scale, bias) that turn points into the chance of being a right file, by a logistic function (Platt 1999)."""
    points = np.concatenate([table_points(tables, one.file, FILE_SIGNALS) for one in questions])
    label = np.concatenate([one.file_label for one in questions])
    (scale,), bias = logistic_regression(points[:, None], label.astype(np.float64))
    return float(scale), bias


def scale_points(tables: Tables, factor: float) -> Tables:
    return {
        name: {"edges": table["edges"], "points": [round(value * factor, 4) for value in table["points"]]}
        for name, table in tables.items()
    }


def learn_ranker(questions: Sequence[QuestionRows], weights: dict[str, float], repeat: Sequence[float]) -> Document:
    """A ranker, in the form of `index/search/ranker.json`, learned from these questions only."""
    whole_files = [one for one in questions if one.source not in BLIND]
    tables = train_files(whole_files, weights)
    scale, bias = platt_scaling(whole_files, tables)
    return {
        "bias": round(bias, 4),
        "repeat": list(repeat),
        "file": scale_points(tables, scale),
        "chunk": train_chunks(questions, weights),
    }


def folds_of(names: Sequence[str]) -> list[set[str]]:
    """The repositories of each fold: every FOLDS-th by name."""
    ordered = sorted(set(names))
    return [set(ordered[fold::FOLDS]) for fold in range(min(FOLDS, len(ordered)))]


def write_folds(
    questions: Sequence[QuestionRows],
    public: Sequence[str],
    weights: dict[str, float],
    repeat: Sequence[float],
    dest: Path,
) -> float:
    """Write a ranker for each fold of the public suite, trained without the repositories of its `left_out`.

    Returns their NDCG@10 by files. `passages` adds the tables for packs and for evidence; without them every answer is
    strong.
    """
    dest.mkdir(parents=True, exist_ok=True)
    scores: list[float] = []
    for number, out in enumerate(folds_of([one.repository for one in questions if one.source in public])):
        held_out = [one for one in questions if one.source in public and one.repository in out]
        document = learn_ranker([one for one in questions if one.split == "train" or one.source in public
                            if not (one.source in public and one.repository in out)], weights, repeat)  # fmt: skip
        scores += score(held_out, document["file"])
        content = {"left_out": sorted(out), **document}
        (dest / f"fold-{number}.json").write_text(json.dumps(content, indent=1) + "\n")
    return float(np.mean(scores))


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", action="append", required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--folds", type=Path, help="folder for rankers that left a fold of the public suite out")
    parser.add_argument("--repeat", default="3.5,4.5,5.5", help="points that the 2nd, 3rd, ... chunk of a file pays")
    parser.add_argument("--features", type=Path, help="keep the measured rows here; read them when they are there")
    return parser


def suite_rows(specs: Sequence[Sequence[str]], cache: Path, features: Path | None) -> list[QuestionRows]:
    """Every suite's rows; read from `features` if that file exists."""
    if features and features.exists():
        questions: list[QuestionRows] = pickle.loads(features.read_bytes())
        return questions
    embedder = StaticEmbedder.load()
    suites = [load_suite(Path(spec[0]), Path(spec[1]) if len(spec) > 1 and spec[1] else None) for spec in specs]
    questions = [row for suite in suites for row in measure_suite(suite, cache, embedder)]
    if features:
        features.write_bytes(pickle.dumps(questions))
    return questions


def main() -> None:
    arguments = parser().parse_args()
    specs = [spec.split(":") for spec in arguments.suite]
    weights = {Path(spec[0]).stem: float(spec[2]) if len(spec) > 2 else 1.0 for spec in specs}
    public = [Path(spec[0]).name for spec in specs if Path(spec[0]).is_dir()]
    repeat = [float(value) for value in arguments.repeat.split(",")]
    questions = suite_rows(specs, arguments.cache, arguments.features)
    report: dict[str, float] = {}
    if arguments.folds:
        name = f"{' '.join(public)} leave-repository-out ({FOLDS} folds), files, NDCG@10"
        report[name] = round(write_folds(questions, public, weights, repeat, arguments.folds), 4)
    document = learn_ranker([one for one in questions if one.split == "train" or one.source in public], weights, repeat)
    for source in weights:
        held_out = [one for one in questions if one.source == source and one.split == "dev" and source not in public]
        if held_out:
            report[f"{source} held-out, files, NDCG@10"] = round(float(np.mean(score(held_out, document["file"]))), 4)
            first = round(float(np.mean(chunks_first(held_out, document["chunk"]))), 4)
            report[f"{source} held-out, best chunk of the right file first"] = first
    print(json.dumps(report, indent=1))
    if arguments.out:
        about = {
            "command": "python -m benchmarks.research.ranker.train --suite semble-dev:CORPORA:3 --suite commits.json "
            "--suite docs.json --cache DIR --folds FOLDS --out index/search/ranker.json",
            "questions": {name: sum(one.source == name for one in questions) for name in weights},
            "scores": report,
        }
        arguments.out.write_text(json.dumps({"about": about, **document}, indent=1) + "\n")


if __name__ == "__main__":
    main()
