"""The value of each signal: the tables are trained again without it and scored on each suite.

    python -m benchmarks.research.ranker.ablation --features ROWS.pkl --public semble-dev [--table TABLE.md]

ROWS is the file that `train --features` wrote. No table is trained on the public suite or on a held-out repository, so
every figure is about unseen repositories. A loss below zero means that the tables are better without the signal;
brackets are 95 % bootstrap intervals, paired by repository.
"""

from __future__ import annotations

import argparse
import pickle
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks import machine, report
from benchmarks.intervals import paired_interval
from benchmarks.research.ranker.features import QuestionRows
from benchmarks.research.ranker.tables import SEEDS
from benchmarks.research.ranker.train import BLIND, chunks_first, score, train_chunks, train_files
from index.search.signals.files import CHUNK_SIGNALS, FILE_SIGNALS

Scores = dict[str, list[float]]  # by repository


def without(questions: Sequence[QuestionRows], level: str, signal: str | None) -> list[QuestionRows]:
    """The rows with zeros in one signal's column, so that no tree can split on it."""
    if signal is None:
        return list(questions)
    copies = []
    column = list(FILE_SIGNALS if level == "file" else CHUNK_SIGNALS).index(signal)
    for one in questions:
        rows = (one.file if level == "file" else one.chunk).copy()
        rows[:, column] = 0
        copies.append(replace(one, file=rows) if level == "file" else replace(one, chunk=rows))
    return copies


def by_repository(
    questions: Sequence[QuestionRows], measure: Callable[[Sequence[QuestionRows]], list[float]]
) -> Scores:
    scores: Scores = defaultdict(list)
    for name in sorted({one.repository for one in questions}):
        scores[name] = measure([one for one in questions if one.repository == name])
    return {name: values for name, values in scores.items() if values}


def scores_without(
    level: str, train: Sequence[QuestionRows], suites: dict[str, list[QuestionRows]], signal: str | None
) -> dict[str, Scores]:
    """Suite -> scores of tables that were trained without a signal."""
    rows = without([one for one in train if level == "chunk" or one.source not in BLIND], level, signal)
    tables = (train_files if level == "file" else train_chunks)(rows, {}, SEEDS[:1])  # one run: there are 46 trainings
    judge = score if level == "file" else chunks_first
    return {
        suite: by_repository(without(questions, level, signal), lambda some: judge(some, tables))
        for suite, questions in suites.items()
    }


def rows_of(level: str, train: Sequence[QuestionRows], suites: dict[str, list[QuestionRows]]) -> list[list[str]]:
    """All signals, then one row per signal with its loss on every suite, sorted by the loss on the first suite."""
    whole = scores_without(level, train, suites, None)
    first = [
        "all signals",
        *(f"{np.mean([value for some in whole[suite].values() for value in some]):.4f}" for suite in suites),
    ]
    losses = []
    for signal in FILE_SIGNALS if level == "file" else CHUNK_SIGNALS:
        less = scores_without(level, train, suites, signal)
        losses.append((signal, [paired_interval(whole[suite], less[suite]) for suite in suites]))
    losses.sort(key=lambda row: (-sum(one.mean for one in row[1]), row[0]))
    return [first, *([signal, *map(str, intervals)] for signal, intervals in losses)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--public", required=True, help="name of the public suite among the rows")
    parser.add_argument("--table", type=Path)
    options = parser.parse_args()
    questions: list[QuestionRows] = pickle.loads(options.features.read_bytes())
    train = [one for one in questions if one.split == "train" and one.source != options.public]
    suites = {
        name: [one for one in questions if one.source == name and (one.split == "dev" or name == options.public)]
        for name in dict.fromkeys([options.public, *(one.source for one in questions)])
    }
    files = report.table(["file signal", *suites], rows_of("file", train, suites))
    spans = {name: [one for one in some if len(one.chunk)] for name, some in suites.items() if name != options.public}
    chunks = report.table(["chunk signal", *spans], rows_of("chunk", train, spans))
    command = machine.command("benchmarks.research.ranker.ablation", None)
    about = f"Commit {machine.commit()}; {machine.machine()}; `{command}`."
    text = "\n".join(
        [
            "The loss without each signal: NDCG@10 of files; tables learned only from mined training repositories.",
            "", *files, "",
            "The same for chunks: how often the best chunk of the right file covers the answer.",
            "", *chunks, "", about,
        ]
    )  # fmt: skip
    print(text)
    if options.table:
        options.table.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
