"""Train the matrix that turns a question towards the code that answers it: `turn.npy` of the embedded model.

    OMP_NUM_THREADS=1 python -m benchmarks.research.training.turn --learn QUESTIONS --trees TREES
        --commits SUITES/commits.json --cache DIR --into index/embed/weights/turn.npy [--turns TURNS]

The model was trained on pairs of text and code from many repositories, but a question is about one repository. So each
question is compared with every chunk of its own repository, and one matrix is trained for all questions. The loss is
softmax over the chunks; the right ones contain a line that must be read, or one that the commit changed. Vectors of
documents stay the same. The output is the mean of several runs, in steps of 2^-14. TURNS gets NAME.npy for each
repository of QUESTIONS: the matrix that was trained without it, for training that builds on it (ranker/passages.py).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.explore.suite import MUST, Question, Span, load_suite
from benchmarks.research.ranker.passages import FOLDS, corpora, shares
from benchmarks.research.training.dataset import Array
from benchmarks.research.training.loss import through_unit, unit_and_length
from benchmarks.research.training.train import START_SCALE, Adam
from benchmarks.suites import load_suite as load_mined
from index.build import Builder
from index.collection.collection import Collection
from index.embed.static import StaticEmbedder
from index.generation.store import Store
from index.search.query import parse_query
from index.tree.walk import walk

STEP = 2.0**-14  # of the numbers in turn.npy
COMMIT_WEIGHT = 0.15  # of a commit, relative to a question: a commit changes more than its subject asks for
MIN_WORDS = 4  # of a subject
BATCH = 32
RATE, SCALE_RATE = 2e-3, 1e-2
PULL = 0.1  # of the matrix towards the identity
SEEDS = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class TurnQuestion:
    """A question's vector before the turn, the vectors of the chunks, and the rows of the right ones."""

    repository: str
    words_vector: Array
    chunks: Array
    right: Array
    weight: float


def turn_questions(
    collection: Collection, plain: StaticEmbedder, questions: Iterable[Question], weight: float
) -> Iterator[TurnQuestion]:
    """The questions with the chunks that may be shown; questions without a right chunk are left out."""
    shown = np.flatnonzero(collection.shown)
    chunks = collection.vectors[shown]
    for question in questions:
        right = np.flatnonzero(shares(collection, shown, question) > 0)
        if len(right):
            words_vector = plain.embed_query(parse_query(question.query).text, collection.lexical.idf_of)
            yield TurnQuestion(question.repository, words_vector, chunks, right, weight)


def explore_questions(learn: Path, trees: Path, cache: Path, plain: StaticEmbedder) -> Iterator[TurnQuestion]:
    for collection, questions in corpora(load_suite(learn, [trees]), cache / "explore", plain):
        yield from turn_questions(collection, plain, questions, 1.0)


def commit_questions(suite: Path, cache: Path, plain: StaticEmbedder) -> Iterator[TurnQuestion]:
    for repository in load_mined(suite).repositories:
        store = Store(cache / "commits" / repository.name)
        snapshot, _ = Builder(repository.root, store, plain, None).refresh(
            walk(repository.root), store.open(), full=False, wait_s=60
        )
        questions = [
            Question(
                repository.name.partition("+")[2], one.language, "commit", one.query,
                tuple(Span(at.path, at.start_line or 1, at.end_line or 1, MUST) for at in one.places),
            )
            for one in repository.questions
            if len(one.query.split()) >= MIN_WORDS
        ]  # fmt: skip
        yield from turn_questions(Collection(snapshot), plain, questions, COMMIT_WEIGHT)


def learn_turn(questions: Sequence[TurnQuestion]) -> Array:
    """int16[d, d]: the mean of several runs, in steps of 2^-14."""
    return np.rint(np.mean([_run(questions, seed) for seed in SEEDS], axis=0) / STEP).astype(np.int16)


def _run(questions: Sequence[TurnQuestion], seed: int) -> Array:
    dimensions = len(questions[0].words_vector)
    turn = np.zeros((dimensions, dimensions), np.float32)  # added to the identity
    log_scale = np.array([np.log(START_SCALE)], np.float32)
    matrix, scale = Adam(turn, RATE), Adam(log_scale, SCALE_RATE)
    order = np.random.default_rng(seed).permutation(len(questions))
    batches = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
    for number, batch in enumerate(batches):
        gradients = [_gradient(questions[one], turn, float(np.exp(log_scale[0]))) for one in batch]
        by_turn = sum(gradient for gradient, _ in gradients) / BATCH + 2 * PULL / BATCH * turn
        decay = 1 - number / len(batches)
        matrix.step(slice(None), by_turn, decay)
        scale.step(slice(None), np.array([sum(one for _, one in gradients) / BATCH], np.float32), decay)
    return turn + np.eye(dimensions, dtype=np.float32)


def _gradient(one: TurnQuestion, turn: Array, scale: float) -> tuple[Array, float]:
    """The gradients of the softmax loss (mean over the right chunks) by the matrix and by the log of the scale."""
    units, length = unit_and_length((one.words_vector + one.words_vector @ turn)[None, :])
    cosines = one.chunks @ units[0]
    odds = np.exp(scale * (cosines - cosines.max()))
    by_cosine = odds / odds.sum()
    by_cosine[one.right] -= 1 / len(one.right)
    by_cosine *= one.weight
    by_vector = through_unit((scale * (by_cosine @ one.chunks))[None, :], units, length)[0]
    return np.outer(one.words_vector, by_vector), scale * float(by_cosine @ cosines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learn", type=Path, required=True)
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument("--commits", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--turns", type=Path)
    args = parser.parse_args()
    plain = StaticEmbedder.load()
    plain.turn = np.eye(plain.dimensions)
    questions = [*explore_questions(args.learn, args.trees, args.cache, plain)]
    names = sorted({one.repository for one in questions})
    questions += commit_questions(args.commits, args.cache, plain)
    print(len(questions), "questions")
    np.save(args.into, learn_turn(questions))
    for fold in range(FOLDS) if args.turns else ():
        out = names[fold::FOLDS]
        turn = learn_turn([one for one in questions if one.repository not in out])
        for name in out:
            args.turns.mkdir(parents=True, exist_ok=True)
            np.save(args.turns / f"{name}.npy", turn)


if __name__ == "__main__":
    main()
