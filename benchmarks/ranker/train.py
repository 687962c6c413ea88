"""Learn the ranker's tables and write them as `index/ranker.json`.

    python -m benchmarks.ranker.train --suite SUITE[:CORPORA[:WEIGHT]] ... --cache DIR [--out FILE] [--report FILE]

A SUITE is anything that `benchmarks.suites` loads. Repositories of a mined suite's `dev` split are never trained on.
The public suite's repositories are scored by tables trained without them (leave-repository-out, in folds).
"""

from __future__ import annotations

import argparse
import json
import math
import pickle
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.ranker.features import Asked, Floats, Target, ask_all
from benchmarks.ranker.tables import blended, boosted, exported, table_points
from benchmarks.suites import Suite, load_suite
from index.build import Builder
from index.corpus import Corpus
from index.embed.static import StaticEmbedder
from index.signals import CHUNK_SIGNALS, FILE_SIGNALS
from index.store import Store
from index.walk import walk

ROUNDS = {"file": 400, "chunk": 200}
FOLDS = 5
HARD_FILES = 50  # wrong files a question is trained with
# More of what these measure can never be a reason against a place; the data are too few to say so everywhere.
MONOTONE = {
    name: 1
    for name in (
        "bm25_chunk bm25_file cover_file cover_chunk cover_names cover_best_name cover_signature cover_doc "
        "cover_file_name compound_name compound_body compound_path defines dense_chunk dense_file dense_feedback bm25 "
        "cover dense tested_by neighbours called_by language"
    ).split()
}
# What a suite cannot tell: its questions are the doc comments, which were taken out of the tree.
BLIND = {"docs": "cover_doc"}
# Doc sentences ask for small places: learned from them alone, the tables prefer one-line neighbours of the answer (our
# small suite: 0.56 against 0.62). So what was learned is added to tables set by hand, at this share.
HAND_SET = Path(__file__).parent / "hand_set.json"
LEARNED_SHARE = 0.75
NO_LENGTH = "length"  # learned from doc sentences, it says how long their answers are
Tables = dict[str, dict[str, list[float]]]


def measured(suite: Suite, cache: Path, embedder: StaticEmbedder) -> list[Asked]:
    """Every question's rows; indexes are kept in `cache`, so that only what changed is built again."""
    asked: list[Asked] = []
    for repository in suite.repositories:
        store = Store(cache / suite.name / repository.name.replace("/", "+"))
        snapshot, _ = Builder(repository.root, store, embedder, None).refresh(
            walk(repository.root), store.open(), full=False, wait_s=60
        )
        questions = [
            (one.query, [Target(t.path, t.start_line, t.end_line) for t in one.targets]) for one in repository.questions
        ]
        rows = ask_all(Corpus(snapshot), embedder, repository.name, suite.name, questions)
        asked += [replace(row, split=repository.split) for row in rows]
    return asked


def thinned(asked: Asked) -> Asked:
    """The right files and the hardest of the others: easy ones teach nothing and cost most of the time."""
    names = list(FILE_SIGNALS)
    hard = asked.file[:, names.index("bm25_file")] + asked.file[:, names.index("dense_chunk")] / 8
    order = np.lexsort((np.arange(len(hard)), -hard, -asked.file_label))[: HARD_FILES + int(asked.file_label.sum())]
    rows = np.sort(order)
    return replace(asked, file=asked.file[rows], file_label=asked.file_label[rows])


def train_files(asked: Sequence[Asked], weights: dict[str, float]) -> Tables:
    """Tables for files, from rows grouped by question."""
    asked = [thinned(one) for one in asked]
    groups = [len(one.file) for one in asked]
    weight = np.repeat([weights.get(one.source, 1.0) for one in asked], groups).astype(np.float32)
    rows = np.concatenate([one.file for one in asked])
    label = np.concatenate([one.file_label for one in asked])
    booster = boosted(rows, label, groups, weight, FILE_SIGNALS, MONOTONE, ROUNDS["file"])
    return exported(booster, FILE_SIGNALS)


def train_chunks(asked: Sequence[Asked], weights: dict[str, float]) -> Tables:
    """Tables for chunks within the right file, from questions whose answer has lines."""
    asked = [one for one in asked if len(one.chunk)]
    groups = [int(count) for one in asked for count in np.bincount(one.chunk_group)]
    weight = np.concatenate([np.full(len(one.chunk), weights.get(one.source, 1.0), np.float32) for one in asked])
    rows = np.concatenate([_seeing(one) for one in asked])
    label = np.concatenate([one.chunk_label for one in asked])
    booster = boosted(rows, label, groups, weight, CHUNK_SIGNALS, MONOTONE, ROUNDS["chunk"])
    learned = {name: table for name, table in exported(booster, CHUNK_SIGNALS).items() if name != NO_LENGTH}
    return blended(json.loads(HAND_SET.read_text())["chunk"], learned, LEARNED_SHARE)


def _seeing(asked: Asked) -> Floats:
    """A question's chunk rows without the signal that its suite is blind to."""
    blind = BLIND.get(asked.source)
    rows = asked.chunk.copy()
    if blind:
        rows[:, CHUNK_SIGNALS.index(blind)] = 0
    return rows


def ndcg(points: np.ndarray, label: np.ndarray, targets: int, k: int = 10) -> float:  # type: ignore[type-arg]
    """NDCG@k of files by points, ties by position; `targets` right files exist."""
    order = np.lexsort((np.arange(len(points)), -np.round(points, 6)))[:k]
    gain = sum(float(label[row]) / math.log2(place + 2) for place, row in enumerate(order))
    return gain / sum(1 / math.log2(place + 2) for place in range(min(k, targets)))


def score(asked: Sequence[Asked], tables: Tables) -> list[float]:
    """File-level NDCG@10 of each question."""
    return [ndcg(table_points(tables, one.file, FILE_SIGNALS), one.file_label, one.targets) for one in asked]


def best_chunk_first(asked: Sequence[Asked], tables: Tables) -> float:
    """How often the best chunk of the right file covers the answer."""
    hits: list[float] = []
    for one in asked:
        points = table_points(tables, one.chunk, CHUNK_SIGNALS)
        for group in np.unique(one.chunk_group):
            rows = np.flatnonzero(one.chunk_group == group)
            hits.append(float(one.chunk_label[rows[np.argmax(np.round(points[rows], 6))]]))
    return float(np.mean(hits)) if hits else 0.0


def calibrated(asked: Sequence[Asked], tables: Tables) -> tuple[float, float]:
    """(scale, bias) that make the logistic of the points the chance of being a right file (Platt 1999)."""
    points = np.concatenate([table_points(tables, one.file, FILE_SIGNALS) for one in asked])
    label = np.concatenate([one.file_label for one in asked])
    scale, bias = 1.0, -3.0
    for _ in range(50):  # Newton's method in two variables
        chance = 1 / (1 + np.exp(-(scale * points + bias)))
        slope, error = chance * (1 - chance) + 1e-9, chance - label
        gradient = np.array([error @ points, error.sum()])
        mixed = float(slope @ points)
        hessian = np.array([[float(slope @ points**2), mixed], [mixed, float(slope.sum())]])
        scale, bias = np.array([scale, bias]) - np.linalg.solve(hessian, gradient)
    return float(scale), float(bias)


def scaled(tables: Tables, factor: float) -> Tables:
    return {
        name: {"edges": table["edges"], "points": [round(value * factor, 4) for value in table["points"]]}
        for name, table in tables.items()
    }


def leave_out(asked: Sequence[Asked], weights: dict[str, float], source: str) -> list[float]:
    """Scores of a source's questions by tables trained without their repositories."""
    names = sorted({one.repository for one in asked if one.source == source})
    scores: list[float] = []
    for fold in range(min(FOLDS, len(names))):
        out = set(names[fold::FOLDS])
        kept = [one for one in asked if one.source not in BLIND and (one.source != source or one.repository not in out)]
        tables = train_files([one for one in kept if one.split == "train" or one.source == source], weights)
        scores += score([one for one in asked if one.source == source and one.repository in out], tables)
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", action="append", required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--repeat", default="3,3.5,4,4.5,5", help="points that the 2nd, 3rd, ... chunk of a file pays")
    parser.add_argument("--features", type=Path, help="keep the measured rows here; read them when they are there")
    arguments = parser.parse_args()
    embedder = StaticEmbedder.load()
    weights: dict[str, float] = {}
    asked: list[Asked] = []
    public = []
    suites = [spec.split(":") for spec in arguments.suite]
    loaded = [load_suite(Path(spec[0]), Path(spec[1]) if len(spec) > 1 and spec[1] else None) for spec in suites]
    for spec, suite in zip(suites, loaded, strict=True):
        weights[suite.name] = float(spec[2]) if len(spec) > 2 else 1.0
        if Path(spec[0]).is_dir():
            public.append(suite.name)
    if arguments.features and arguments.features.exists():
        asked = pickle.loads(arguments.features.read_bytes())
    else:
        for suite in loaded:
            asked += measured(suite, arguments.cache, embedder)
        if arguments.features:
            arguments.features.write_bytes(pickle.dumps(asked))
    report: dict[str, object] = {"questions": {name: sum(o.source == name for o in asked) for name in weights}}
    training = [one for one in asked if one.split == "train" or one.source in public]
    whole_files = [one for one in training if one.source not in BLIND]
    for name in public:
        report[f"{name} leave-repository-out"] = round(float(np.mean(leave_out(asked, weights, name))), 4)
    tables, chunks = train_files(whole_files, weights), train_chunks(training, weights)
    for name in weights:
        held = [one for one in asked if one.source == name and one.split == "dev" and name not in public]
        if held:
            report[f"{name} held-out"] = round(float(np.mean(score(held, tables))), 4)
            report[f"{name} best chunk first"] = round(best_chunk_first(held, chunks), 4)
    scale, bias = calibrated(whole_files, tables)
    print(json.dumps(report, indent=1))
    if arguments.out:
        document = {
            "about": {"command": "python -m benchmarks.ranker.train", "weights": weights, "scores": report},
            "bias": round(bias, 4),
            "repeat": [float(value) for value in arguments.repeat.split(",")],
            "file": scaled(tables, scale),
            "chunk": chunks,
        }
        arguments.out.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
