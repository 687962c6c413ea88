"""Ask ctxpack, and semble for comparison, explore questions: how much of what must be read do they show?

    python -m benchmarks.explore --suite SUITE --trees DIR ... [--repos FILE] [--only NAME ...] [--rankers FOLDER]
        [--peer-python PYTHON --peer-model MODEL2VEC_FOLDER] [--out RESULT.json] [--table TABLE.md]
        [--write NAME] [--readme] [--least MEASURE@BUDGET=VALUE]

SUITE is a folder in a layout of benchmarks/explore/suite.py, `--repos` its list of repositories. We make packs in
process, with the default options. The peer's results fill the budget in order, at the cost of their content alone; a
result that does not fit is left out. `--rankers` holds rankers that were trained without some repositories
(`research/ranker/folds`), for suites that the shipped ranker was trained on.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks import engines, machine, pages
from benchmarks.explore import tables
from benchmarks.explore.measure import Run, run
from benchmarks.explore.sides import Packs, PeerResults, Side, rankers
from benchmarks.explore.suite import load_suite
from benchmarks.intervals import repository_interval

HERE = Path(__file__).parent


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.explore",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--trees", type=Path, nargs="+", required=True, help="folders that hold the trees by name")
    parser.add_argument("--repos", type=Path, help="languages and roots [SUITE/repos.json]")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these repositories alone")
    parser.add_argument("--model", default="embedded", help="ctxpack's model")
    parser.add_argument(
        "--rankers", type=Path, help="folder of rankers that left repositories out (research/ranker/folds)"
    )
    parser.add_argument("--peer-python", type=Path)
    parser.add_argument("--peer-model", type=Path)
    parser.add_argument("--least", metavar="MEASURE@BUDGET=VALUE", help="fail when ours is below, e.g. cover@8000=0.5")
    parser.add_argument("--out", type=Path, help="JSON with every question")
    parser.add_argument("--table", type=Path, help="Markdown")
    parser.add_argument("--write", metavar="NAME", help="put the table at this place of a page of results/")
    return parser


def hold(done: Run, least: str) -> None:
    """SystemExit, with a sentence, if the mean of a measure is below the VALUE of `MEASURE@BUDGET=VALUE`."""
    name, _, bound = least.partition("=")
    measure, _, budget = name.partition("@")
    mean = repository_interval(done.values(measure, int(budget))).mean
    if mean < float(bound):
        raise SystemExit(f"{name} of {done.side} is {mean:.4f}, less than {bound}")


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    suite = load_suite(options.suite, options.trees, options.repos).only(options.only)
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sides: list[Side] = [Packs(home, options.model, rankers(suite, options.rankers))]
        if options.peer_python:
            sides.append(PeerResults(stack.enter_context(engines.peer(options.peer_python, options.peer_model))))
        runs, stats = run(suite, sides)
    about = {
        "suite": suite.name, "repositories": len(suite.repositories), "questions": suite.questions,
        "commit": machine.commit(), "machine": machine.machine(),
        "command": machine.command("benchmarks.explore", arguments),
    }  # fmt: skip
    text = tables.table(about, runs, stats)
    print(text)
    if options.table:
        options.table.write_text(text, encoding="utf-8")
    if options.write:
        pages.publish(options.write, text)
    if options.out:
        document = {"about": about, **tables.as_data(runs, stats)}
        options.out.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if options.least:
        hold(runs[0], options.least)


if __name__ == "__main__":
    main()
