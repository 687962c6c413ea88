"""Ask a suite's questions of ctxpack, and of semble beside it, and write what the answers are worth.

    python -m benchmarks.quality --suite SUITE [--corpora TREES] [--split dev] [--only NAME ...]
        [--rankers FOLDER] [--peer-python PYTHON --peer-model MODEL2VEC_FOLDER] [--out RESULT.json] [--table TABLE.md]
        [--write NAME] [--least MEASURE=VALUE]

SUITE is a folder of the public suite's layout or a document of benchmarks.research.mine (see benchmarks/suites.py). The
result holds every question with its measures and first ten places, so that the worst can be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import engines, machine, report
from benchmarks.engines import Engine
from benchmarks.intervals import mean_interval
from benchmarks.metrics import Place, measures
from benchmarks.report import percentile
from benchmarks.suites import Question, Repository, Suite, load_suite
from index.search.ranker import Ranker


@dataclass(frozen=True, slots=True)
class Answered:
    """One question with what one engine made of it."""

    question: Question
    top: tuple[Place, ...]
    measures: dict[str, float]
    seconds: float


@dataclass(frozen=True, slots=True)
class Run:
    """Everything that one engine did on a suite; `index_seconds` by repository, in the suite's order."""

    engine: str
    answers: tuple[Answered, ...]
    index_seconds: dict[str, float]
    chunks: dict[str, int]


def run(suite: Suite, chosen: Sequence[Engine], *, quiet: bool = False) -> list[Run]:
    """Every engine on every repository, turn by turn, so that both meet the same machine."""
    answers: dict[str, list[Answered]] = {engine.name: [] for engine in chosen}
    seconds: dict[str, dict[str, float]] = {engine.name: {} for engine in chosen}
    chunks: dict[str, dict[str, int]] = {engine.name: {} for engine in chosen}
    for repository in suite.repositories:
        for engine in chosen:
            built = engine.index(repository.root)
            seconds[engine.name][repository.name] = round(built.seconds, 4)
            chunks[engine.name][repository.name] = built.chunks
            answers[engine.name] += answer_all(engine, repository)
        if not quiet:
            print(_progress(repository, answers), file=sys.stderr)
    return [Run(name, tuple(answers[name]), seconds[name], chunks[name]) for name in answers]


def answer_all(engine: Engine, repository: Repository) -> list[Answered]:
    """The questions of the repository that the engine has indexed last."""
    answered = []
    for question in repository.questions:
        answer = engine.search(question.query)
        values = measures(answer.top, answer.deep, question.targets)
        answered.append(Answered(question, tuple(answer.top), values, answer.seconds))
    return answered


def _progress(repository: Repository, answers: dict[str, list[Answered]]) -> str:
    shown = []
    for name, given in answers.items():
        values = [one.measures["ndcg@10"] for one in given if one.question.repository == repository.name]
        shown.append(f"{name} {sum(values) / len(values):.3f}" if values else name)
    return f"{repository.name}: {len(repository.questions)} questions, NDCG@10 {', '.join(shown)}"


def as_data(done: Run) -> dict[str, Any]:
    """A run as JSON values; seconds of single questions are left out, since they never repeat."""
    seconds = sorted(one.seconds for one in done.answers)
    return {
        "index_seconds": done.index_seconds,
        "chunks": done.chunks,
        "query_ms": {f"p{share}": round(1000 * percentile(seconds, share), 3) for share in (50, 99)},
        "questions": [
            {
                "repository": one.question.repository,
                "category": one.question.category,
                "language": one.question.language,
                "query": one.question.query,
                "targets": [_shown(target.path, target.start_line, target.end_line) for target in one.question.targets],
                "measures": {name: round(value, 5) for name, value in one.measures.items()},
                "top": [_shown(place.path, place.start_line, place.end_line) for place in one.top],
            }
            for one in done.answers
        ],
    }


def _shown(path: str, start: int | None, end: int | None) -> str:
    return path if start is None else f"{path}:{start}:{end}"


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--suite", type=Path, required=True)
    made.add_argument("--corpora", type=Path, help="folder that holds the trees by name")
    made.add_argument("--split", choices=["train", "dev"])
    made.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these repositories alone")
    made.add_argument("--model", default="embedded", help="ctxpack's model")
    made.add_argument(
        "--rankers", type=Path, help="folder of rankers that left repositories out (research/ranker/folds)"
    )
    made.add_argument("--peer-python", type=Path)
    made.add_argument("--peer-model", type=Path)
    made.add_argument("--peer-alone", action="store_true", help="leave ctxpack out")
    made.add_argument("--least", metavar="MEASURE=VALUE", help="fail when ours is below, e.g. hit@10=0.7")
    made.add_argument("--out", type=Path, help="JSON with every question")
    made.add_argument("--table", type=Path, help="Markdown")
    made.add_argument("--write", metavar="NAME", help="put the table at this place of benchmarks/README.md")
    return made


def rankers(suite: Suite, folder: Path | None) -> dict[Path, Ranker]:
    """Tree -> the ranker that never saw its repository; empty without a folder. KeyError where one lacks."""
    if folder is None:
        return {}
    documents = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    left_out = {name: Ranker.from_document(document) for document in documents for name in document["left_out"]}
    return {one.root: left_out[one.name] for one in suite.repositories}


def hold(done: Run, least: str) -> None:
    """SystemExit, with a sentence, when the mean of a measure is below what `MEASURE=VALUE` asks."""
    name, _, bound = least.partition("=")
    mean = mean_interval([one.measures[name] for one in done.answers]).mean
    if mean < float(bound):
        raise SystemExit(f"{name} of {done.engine} is {mean:.4f}, less than {bound}")


def main(arguments: Sequence[str] | None = None) -> None:
    chosen = parser().parse_args(arguments)
    suite = load_suite(chosen.suite, chosen.corpora).only(chosen.split, chosen.only)
    with ExitStack() as opened:
        sides: list[Engine] = []
        if not chosen.peer_alone:
            sides.append(opened.enter_context(engines.ctxpack(chosen.model, rankers(suite, chosen.rankers))))
        if chosen.peer_python:
            sides.append(opened.enter_context(engines.peer(chosen.peer_python, chosen.peer_model)))
        runs = run(suite, sides)
    about = {
        "suite": suite.name, "repositories": len(suite.repositories), "questions": suite.questions,
        "commit": machine.commit(), "machine": machine.machine(),
        "command": machine.command("benchmarks.quality", arguments),
    }  # fmt: skip
    table = report.quality_table(about, runs)
    print(table)
    if chosen.table:
        chosen.table.write_text(table, encoding="utf-8")
    if chosen.write:
        report.replace_between(Path(__file__).with_name("README.md"), chosen.write, table)
    if chosen.out:
        held = {"about": about, "engines": {done.engine: as_data(done) for done in runs}}
        chosen.out.write_text(json.dumps(held, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if chosen.least:
        hold(runs[0], chosen.least)


if __name__ == "__main__":
    main()
