"""Train the order of packs on marked lines: tables for a chunk's own signals and for those of its surroundings.

    python -m benchmarks.research.ranker.passages --learn QUESTIONS --trees TREES --cache DIR --turns TURNS
        --into RANKER.json ...

The label of a chunk is the share of its lines in a question's must-read spans. The steps:

1. Train the tables of a chunk's own signals.
2. Train the tables of its surroundings on top of the first. The own points of each repository come from tables that
   were trained without it.
3. Weigh the `words` of questions: how often must-read chunks contain a term, compared with terms of the same rarity.

The first RANKER.json provides the tables for files and chunks; all of these files get the new tables. TURNS holds, for
each repository, the turn of questions that was trained without it (training/turn.py). The shipped turn was trained on
all repositories, so the tables would trust it too much.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.explore.suite import MUST, Question, Suite, load_suite
from benchmarks.research.ranker.logistic import logistic_regression
from benchmarks.research.ranker.tables import Tables, mean_tables, table_points, tables_of, train_booster
from index.build import Builder
from index.collection.collection import Collection
from index.embed.static import StaticEmbedder
from index.generation.store import Store
from index.search.passages import Passages, points_of_chunks, rank_passages
from index.search.query import parse_query
from index.search.ranker import Ranker, parts, shipped_ranker
from index.search.searcher import candidate_files
from index.search.signals import Signals, Values
from index.search.signals.files import Measurement
from index.search.signals.pool import AROUND_SIGNALS, OWN_SIGNALS, Pool, PoolMeasurement, Surroundings
from index.tree.walk import walk
from index.types import Filters

Doubles = npt.NDArray[np.float64]
ROUNDS = {"own": 200, "around": 120}
FOLDS = 4
SEEDS = (1, 2, 3)
LEVELS = 4  # of relevance: quarters of the share of a chunk's lines that must be read
MIN_QUESTIONS = 5  # questions that must use a term before it gets a weight
TERM_WEIGHTS = (0.1, 1.6)
SURE_WEIGHT = 0.15  # a weight nearer to 1 than this is left out
# By document frequency (share of chunks), the share of must-read chunks with such a term; measured on `learn`.
FREQUENCIES = (1e-5, 3e-4, 0.002, 0.006, 0.02, 0.06, 0.2, 0.5)
TERM_SHARES = (0.008, 0.013, 0.044, 0.082, 0.179, 0.297, 0.467, 0.649)


@dataclass(slots=True)
class QuestionRows:
    """One question's pool with its signals: float32[pool, signals]; `share` of each chunk's lines that must be read."""

    repository: str
    collection: Collection
    pool: Pool
    own: npt.NDArray[np.float32]
    share: Doubles
    around: npt.NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))


def corpora(suite: Suite, cache: Path, embedder: StaticEmbedder) -> Iterator[tuple[Collection, Sequence[Question]]]:
    """Every repository of a suite, indexed; indexes are kept in `cache`."""
    for repository in suite.repositories:
        store = Store(cache / repository.name)
        snapshot, _ = Builder(repository.root, store, embedder, None).refresh(
            walk(repository.root), store.open(), full=False, wait_s=60
        )
        yield Collection(snapshot), repository.questions


def reader(embedder: StaticEmbedder, turns: Path, repository: str) -> StaticEmbedder:
    """The embedder with the turn that was trained without a repository."""
    other = copy(embedder)
    other.turn = np.load(turns / f"{repository}.npy").astype(np.float64)
    return other


def passages_of(
    collection: Collection, embedder: StaticEmbedder, ranker: Ranker, text: str, second: npt.NDArray[Any] | None = None
) -> tuple[Measurement, Passages]:
    """The measurement of a question and the order of its pack, without filters and exact hits."""
    query = parse_query(text)
    vector = embedder.embed_query(query.text, collection.lexical.idf_of) if query.terms else None
    measurement = Measurement(collection, query, vector, second)
    files = candidate_files(measurement, collection.allowed_files(Filters()))
    file_points = parts(ranker.file, measurement.file, files).sum(axis=0)
    return measurement, rank_passages(ranker, measurement, files, file_points)


def ask(
    collection: Collection, embedder: StaticEmbedder, ranker: Ranker, words: dict[str, float], question: Question
) -> QuestionRows:
    query = parse_query(question.query)
    vector = embedder.embed_query(query.text, collection.lexical.idf_of)
    measurement = Measurement(collection, query, vector)
    files = candidate_files(measurement, collection.allowed_files(Filters()))
    file_points = parts(ranker.file, measurement.file, files).sum(axis=0)
    pool = Pool.of(measurement, files, file_points, partial(points_of_chunks, ranker, measurement))
    own = Values(OWN_SIGNALS, PoolMeasurement(measurement, pool, words), len(pool.chunks))
    rows = np.stack([own[name] for name in OWN_SIGNALS], axis=1).astype(np.float32)
    return QuestionRows(question.repository, collection, pool, rows, shares(collection, pool.chunks, question))


def shares(collection: Collection, chunks: npt.NDArray[Any], question: Question) -> Doubles:
    """float64[chunks]: the share of each chunk's lines that must be read."""
    segment = collection.snapshot.segment
    start, end = (segment.array(f"chunk.{side}_line")[chunks].astype(np.int64) for side in ("start", "end"))
    line_counts = np.zeros(len(chunks))
    paths = collection.snapshot.strings("file.path")
    for span in question.spans:
        if span.grade == MUST:
            inside = np.minimum(end, span.end_line) - np.maximum(start, span.start_line) + 1
            line_counts += np.where(collection.chunks.file[chunks] == paths.find(span.path), np.maximum(inside, 0), 0)
    result: Doubles = np.minimum(line_counts / (end - start + 1), 1.0)
    return result


def learn_words(questions: Sequence[tuple[Collection, Question]]) -> dict[str, float]:
    """Term -> weight, for terms that enough questions use and that differ from other terms of their rarity."""
    pairs: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for collection, question in questions:
        must = np.flatnonzero(shares(collection, np.arange(len(collection.chunks)), question) > 0)
        body = collection.lexical.fields["body"]
        terms = parse_query(question.query).terms
        if not len(must):
            continue
        for term, number in zip(terms, collection.lexical.numbers_of(list(terms)), strict=True):
            rows = body.of(number) if number >= 0 else np.zeros(0, np.int32)
            usual = np.interp(
                np.log(max(len(rows) / len(collection.chunks), FREQUENCIES[0])), np.log(FREQUENCIES), TERM_SHARES
            )
            pairs[term].append((float(np.isin(must, rows).mean()), float(usual) if len(rows) else 0.02))
    weights = {
        term: round(float(np.clip((sum(h for h, _ in rows) + 1) / (sum(u for _, u in rows) + 1), *TERM_WEIGHTS)), 2)
        for term, rows in sorted(pairs.items())
        if len(rows) >= MIN_QUESTIONS
    }
    return {term: weight for term, weight in weights.items() if abs(weight - 1) > SURE_WEIGHT}


def learn(rows: Sequence[npt.NDArray[np.float32]], share: Sequence[Doubles], signals: Signals[Any, Any],
          rounds: int, start: Sequence[Doubles] | None = None) -> Tables:  # fmt: skip
    """The mean of several runs' tables, learned from the questions with a must-read chunk in the pool."""
    useful = [number for number, one in enumerate(share) if one.max(initial=0) > 0]
    label = np.ceil(np.concatenate([share[number] for number in useful]) * LEVELS).astype(np.float32)
    groups = [len(share[number]) for number in useful]
    data = np.concatenate([rows[number] for number in useful])
    init = None if start is None else np.concatenate([start[number] for number in useful])
    weight = np.ones(len(label), np.float32)
    runs = [
        tables_of(train_booster(data, label, groups, weight, signals, rounds, seed=seed, init=init), signals)
        for seed in SEEDS
    ]
    return mean_tables(runs)


def add_around(rows: Sequence[QuestionRows], points: Sequence[Doubles]) -> None:
    for one, own in zip(rows, points, strict=True):
        around = Values(AROUND_SIGNALS, Surroundings(one.collection, one.pool, own), len(one.pool.chunks))
        one.around = np.stack([around[name] for name in AROUND_SIGNALS], axis=1).astype(np.float32)


def own_points(rows: Sequence[QuestionRows]) -> list[Doubles]:
    """Each question's own points by tables that were trained without its repository."""
    names = sorted({one.repository for one in rows})
    points: dict[int, Doubles] = {}
    for fold in range(FOLDS):
        out = set(names[fold::FOLDS])
        rest = [one for one in rows if one.repository not in out]
        tables = learn([one.own for one in rest], [one.share for one in rest], OWN_SIGNALS, ROUNDS["own"])
        for number, one in enumerate(rows):
            if one.repository in out:
                points[number] = table_points(tables, one.own, OWN_SIGNALS)
    return [points[number] for number in range(len(rows))]


def learn_ranker(rows: Sequence[QuestionRows], words: dict[str, float]) -> dict[str, Any]:
    held_out = own_points(rows)
    add_around(rows, held_out)
    share = [one.share for one in rows]
    own = learn([one.own for one in rows], share, OWN_SIGNALS, ROUNDS["own"])
    around = learn([one.around for one in rows], share, AROUND_SIGNALS, ROUNDS["around"], held_out)
    points = [
        start + table_points(around, one.around, AROUND_SIGNALS) for start, one in zip(held_out, rows, strict=True)
    ]
    (scale,), bias = logistic_regression(
        np.concatenate(points)[:, None], (np.concatenate(share) > 0.5).astype(np.float64)
    )
    return {
        "own": own, "around": around, "words": words,
        "passage_bias": round(bias, 4), "passage_scale": round(float(scale), 4),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learn", type=Path, required=True)
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--turns", type=Path, required=True, help="folder of NAME.npy, one a repository of --learn")
    parser.add_argument("--into", type=Path, nargs="+", required=True, help="rankers that get the tables")
    arguments = parser.parse_args()
    embedder, ranker = StaticEmbedder.load(), shipped_ranker()
    repositories = list(corpora(load_suite(arguments.learn, [arguments.trees]), arguments.cache, embedder))
    flat = [(collection, question) for collection, questions in repositories for question in questions]
    words = learn_words(flat)
    read_by = cache(partial(reader, embedder, arguments.turns))
    rows = [ask(collection, read_by(one.repository), ranker, words, one) for collection, one in flat]
    document = learn_ranker(rows, words)
    for file in arguments.into:
        file.write_text(json.dumps({**json.loads(file.read_text()), **document}, indent=1) + "\n")


if __name__ == "__main__":
    main()
