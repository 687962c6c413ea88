"""Ask ctxpack, and semble for comparison, the questions of a suite, and write the scores of the answers.

    python -m benchmarks.quality --suite SUITE [--corpora TREES] [--split dev] [--only NAME ...]
        [--rankers FOLDER] [--peer-python PYTHON --peer-model MODEL2VEC_FOLDER] [--out RESULT.json] [--table TABLE.md]
        [--write NAME] [--least MEASURE=VALUE]

SUITE is a folder of the public suite's layout or a document of benchmarks.research.mine (see benchmarks/suites.py). The
result contains every question with its measures and first ten places, so that the worst can be read.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import engines, machine, pages
from benchmarks.engines import Engine
from benchmarks.intervals import mean_interval, paired_interval
from benchmarks.metrics import MEASURES, Place, measures
from benchmarks.report import percentile, table
from benchmarks.suites import Question, Repository, Suite, load_suite
from index.search.ranker import Ranker


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """One question with the places, measures and seconds of one engine."""

    question: Question
    top: tuple[Place, ...]
    measures: dict[str, float]
    seconds: float


@dataclass(frozen=True, slots=True)
class Run:
    """All answers of one engine on a suite; `index_seconds` by repository, in the suite's order."""

    engine: str
    answers: tuple[ScoredAnswer, ...]
    index_seconds: dict[str, float]
    chunks: dict[str, int]


def run(suite: Suite, sides: Sequence[Engine], *, quiet: bool = False) -> list[Run]:
    """Run every engine on every repository, in turns, so that the load of the machine is the same for both."""
    answers: dict[str, list[ScoredAnswer]] = {engine.name: [] for engine in sides}
    seconds: dict[str, dict[str, float]] = {engine.name: {} for engine in sides}
    chunks: dict[str, dict[str, int]] = {engine.name: {} for engine in sides}
    for repository in suite.repositories:
        for engine in sides:
            cost = engine.index(repository.root)
            seconds[engine.name][repository.name] = round(cost.seconds, 4)
            chunks[engine.name][repository.name] = cost.chunks
            answers[engine.name] += answer_all(engine, repository)
        if not quiet:
            print(_progress(repository, answers), file=sys.stderr)
    return [Run(name, tuple(answers[name]), seconds[name], chunks[name]) for name in answers]


def answer_all(engine: Engine, repository: Repository) -> list[ScoredAnswer]:
    """Answer the questions of the repository that the engine has indexed last."""
    answers = []
    for question in repository.questions:
        answer = engine.search(question.query)
        values = measures(answer.top, answer.deep, question.targets)
        answers.append(ScoredAnswer(question, tuple(answer.top), values, answer.seconds))
    return answers


def _progress(repository: Repository, answers: dict[str, list[ScoredAnswer]]) -> str:
    parts = []
    for name, scored in answers.items():
        values = [one.measures["ndcg@10"] for one in scored if one.question.repository == repository.name]
        parts.append(f"{name} {sum(values) / len(values):.3f}" if values else name)
    return f"{repository.name}: {len(repository.questions)} questions, NDCG@10 {', '.join(parts)}"


def as_data(done: Run) -> dict[str, Any]:
    """A run as JSON values; seconds of single questions are left out, since they differ from run to run."""
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
                "targets": [
                    _place_text(target.path, target.start_line, target.end_line) for target in one.question.targets
                ],
                "measures": {name: round(value, 5) for name, value in one.measures.items()},
                "top": [_place_text(place.path, place.start_line, place.end_line) for place in one.top],
            }
            for one in done.answers
        ],
    }


def _place_text(path: str, start: int | None, end: int | None) -> str:
    return path if start is None else f"{path}:{start}:{end}"


def quality_table(about: Mapping[str, Any], runs: Sequence[Run]) -> str:
    """Markdown of one quality run: ours first, then the peer, with the paired difference."""
    lines = [
        f"### {about['suite']}: {about['questions']} questions over {about['repositories']} repositories",
        "",
        *_measures(runs),
        "",
        *_groups(runs),
        "",
        *(_timing(run) for run in runs),
        "",
        f"Commit {about['commit']}; {about['machine']}; `{about['command']}`. Brackets: 95 % bootstrap",
        "intervals; of means, by question; of differences, paired by repository.",
    ]
    return "\n".join(lines) + "\n"


def _measures(runs: Sequence[Run]) -> list[str]:
    rows = [[name, *_cells(runs, lambda _one: True, name)] for name in MEASURES]
    return table(["measure", *_heads(runs)], rows)


def _groups(runs: Sequence[Run]) -> list[str]:
    rows = []
    for kind in ("category", "language"):
        for value in sorted({getattr(one.question, kind) for one in runs[0].answers}):

            def inside(one: ScoredAnswer, kind: str = kind, value: str = value) -> bool:
                return bool(getattr(one.question, kind) == value)

            count = sum(map(inside, runs[0].answers))
            rows.append([f"{kind} {value}", str(count), *_cells(runs, inside, "ndcg@10")])
    return table(["NDCG@10", "questions", *_heads(runs)], rows)


def _heads(runs: Sequence[Run]) -> list[str]:
    return [run.engine for run in runs] + ["difference"] * (len(runs) == 2)


def _cells(runs: Sequence[Run], includes: Callable[[ScoredAnswer], bool], name: str) -> list[str]:
    cells = [str(mean_interval([one.measures[name] for one in run.answers if includes(one)])) for run in runs]
    if len(runs) == 2:
        ours, theirs = (_by_repository(filter(includes, run.answers), name) for run in runs)
        cells.append(str(paired_interval(ours, theirs)))
    return cells


def _by_repository(answers: Iterable[ScoredAnswer], name: str) -> dict[str, list[float]]:
    values: dict[str, list[float]] = {}
    for one in answers:
        values.setdefault(one.question.repository, []).append(one.measures[name])
    return values


def _timing(run: Run) -> str:
    seconds = list(run.index_seconds.values())
    queries = sorted(one.seconds for one in run.answers)
    return (
        f"- {run.engine}: index {sum(seconds):.1f} s (median {statistics.median(seconds):.2f} s), "
        f"{sum(run.chunks.values()):,} chunks; query p50 {1000 * percentile(queries, 50):.1f} ms, "
        f"p99 {1000 * percentile(queries, 99):.1f} ms"
    )


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, help="folder that holds the trees by name")
    parser.add_argument("--split", choices=["train", "dev"])
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these repositories alone")
    parser.add_argument("--model", default="embedded", help="ctxpack's model")
    parser.add_argument(
        "--rankers", type=Path, help="folder of rankers that left repositories out (research/ranker/folds)"
    )
    parser.add_argument("--peer-python", type=Path)
    parser.add_argument("--peer-model", type=Path)
    parser.add_argument("--peer-alone", action="store_true", help="leave ctxpack out")
    parser.add_argument("--least", metavar="MEASURE=VALUE", help="fail when ours is below, e.g. hit@10=0.7")
    parser.add_argument("--out", type=Path, help="JSON with every question")
    parser.add_argument("--table", type=Path, help="Markdown")
    parser.add_argument("--write", metavar="NAME", help="put the table at this place of a page of results/")
    return parser


def rankers(suite: Suite, folder: Path | None) -> dict[Path, Ranker]:
    """Tree -> the ranker that was trained without its repository; empty without a folder. KeyError if there is none."""
    if folder is None:
        return {}
    documents = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    left_out = {name: Ranker.from_document(document) for document in documents for name in document["left_out"]}
    return {one.root: left_out[one.name] for one in suite.repositories}


def hold(done: Run, least: str) -> None:
    """SystemExit, with a sentence, if the mean of a measure is below the VALUE of `MEASURE=VALUE`."""
    name, _, bound = least.partition("=")
    mean = mean_interval([one.measures[name] for one in done.answers]).mean
    if mean < float(bound):
        raise SystemExit(f"{name} of {done.engine} is {mean:.4f}, less than {bound}")


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    suite = load_suite(options.suite, options.corpora).only(options.split, options.only)
    with ExitStack() as stack:
        sides: list[Engine] = []
        if not options.peer_alone:
            sides.append(stack.enter_context(engines.ctxpack(options.model, rankers(suite, options.rankers))))
        if options.peer_python:
            sides.append(stack.enter_context(engines.peer(options.peer_python, options.peer_model)))
        runs = run(suite, sides)
    about = {
        "suite": suite.name, "repositories": len(suite.repositories), "questions": suite.questions,
        "commit": machine.commit(), "machine": machine.machine(),
        "command": machine.command("benchmarks.quality", arguments),
    }  # fmt: skip
    text = quality_table(about, runs)
    print(text)
    if options.table:
        options.table.write_text(text, encoding="utf-8")
    if options.write:
        pages.publish(options.write, text)
    if options.out:
        document = {"about": about, "engines": {done.engine: as_data(done) for done in runs}}
        options.out.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if options.least:
        hold(runs[0], options.least)


if __name__ == "__main__":
    main()
