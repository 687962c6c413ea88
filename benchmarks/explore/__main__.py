"""Ask explore questions of ctxpack, and of semble beside it: how much of what must be read is shown?

    python -m benchmarks.explore --suite SUITE --trees DIR ... [--repos FILE] [--only NAME ...] [--rankers FOLDER]
        [--peer-python PYTHON --peer-model MODEL2VEC_FOLDER] [--out RESULT.json] [--table TABLE.md]
        [--write NAME] [--readme] [--least MEASURE@BUDGET=VALUE]

SUITE is a folder as benchmarks/explore/suite.py tells, `--repos` the list of repositories beside it. Packs are made in
process with the options that hold when none is given; what the peer finds goes in as it comes and fits, content alone.
`--rankers` holds rankers that left repositories out (`research/ranker/folds`), for suites that were learned from.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks import engines, machine, report
from benchmarks.explore import tables
from benchmarks.explore.measure import Run, run
from benchmarks.explore.sides import Packs, PeerResults, Side, rankers
from benchmarks.explore.suite import load_suite
from benchmarks.intervals import repository_interval

HERE = Path(__file__).parent


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m benchmarks.explore",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--suite", type=Path, required=True)
    made.add_argument("--trees", type=Path, nargs="+", required=True, help="folders that hold the trees by name")
    made.add_argument("--repos", type=Path, help="languages and roots [SUITE/repos.json]")
    made.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these repositories alone")
    made.add_argument("--model", default="embedded", help="ctxpack's model")
    made.add_argument(
        "--rankers", type=Path, help="folder of rankers that left repositories out (research/ranker/folds)"
    )
    made.add_argument("--peer-python", type=Path)
    made.add_argument("--peer-model", type=Path)
    made.add_argument("--least", metavar="MEASURE@BUDGET=VALUE", help="fail when ours is below, e.g. cover@8000=0.5")
    made.add_argument("--out", type=Path, help="JSON with every question")
    made.add_argument("--table", type=Path, help="Markdown")
    made.add_argument("--write", metavar="NAME", help="put the table at this place of benchmarks/README.md")
    made.add_argument("--readme", action="store_true", help="put its rows into the README's table")
    return made


def hold(done: Run, least: str) -> None:
    """SystemExit, with a sentence, when the mean of a measure is below what `MEASURE@BUDGET=VALUE` asks."""
    name, _, bound = least.partition("=")
    measure, _, budget = name.partition("@")
    mean = repository_interval(done.values(measure, int(budget))).mean
    if mean < float(bound):
        raise SystemExit(f"{name} of {done.side} is {mean:.4f}, less than {bound}")


def main(arguments: Sequence[str] | None = None) -> None:
    chosen = parser().parse_args(arguments)
    suite = load_suite(chosen.suite, chosen.trees, chosen.repos).only(chosen.only)
    with ExitStack() as opened:
        home = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        sides: list[Side] = [Packs(home, chosen.model, rankers(suite, chosen.rankers))]
        if chosen.peer_python:
            sides.append(PeerResults(opened.enter_context(engines.peer(chosen.peer_python, chosen.peer_model))))
        runs, stats = run(suite, sides)
    about = {
        "suite": suite.name, "repositories": len(suite.repositories), "questions": suite.questions,
        "commit": machine.commit(), "machine": machine.machine(),
        "command": machine.command("benchmarks.explore", arguments),
    }  # fmt: skip
    text = tables.table(about, runs, stats)
    print(text)
    if chosen.table:
        chosen.table.write_text(text, encoding="utf-8")
    if chosen.write:
        report.replace_between(HERE.parent / "README.md", chosen.write, text)
    if chosen.readme:
        report.replace_rows(machine.ROOT / "README.md", tables.README_ROWS, tables.readme_rows(runs))
    if chosen.out:
        held = {"about": about, **tables.as_data(runs, stats)}
        chosen.out.write_text(json.dumps(held, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if chosen.least:
        hold(runs[0], chosen.least)


if __name__ == "__main__":
    main()
