"""Run all benchmarks: ctxpack and the peer on the suites of the arguments; tables go to results/, plots to plots/.

    python -m benchmarks.reproduce --results DIR --peer-python PYTHON --peer-model MODEL2VEC_FOLDER
        [--public SUITE --corpora TREES] [--mined SUITES] [--small TREES] [--speed]
        [--explore SUITE ... --trees DIR ... [--repos FILE]]

The public suite uses the rankers of `research/ranker/folds`, which were trained without its repositories. `--mined` is
the folder that research/mine.py writes for the mirrors of `research/held_out.json`, which are never trained on;
`--small` is the folder of packages that benchmarks.packages writes. `--explore` takes folders of explore questions
(ours are below `explore/questions`) with their trees in `--trees`. They use the same rankers, unless the suite is never
trained on. Each suite's JSON goes to `--results`; without its argument, a suite keeps its table.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks import packages, plots, quality, speed
from benchmarks.explore import __main__ as explore
from benchmarks.explore.collect import HELD_OUT_SPLITS

PLOT_SUITES = ("public", "commits")
FOLDS = Path(__file__).parent / "research" / "ranker" / "folds"


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--peer-python", type=Path, required=True)
    parser.add_argument("--peer-model", type=Path, required=True)
    parser.add_argument("--public", type=Path)
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--mined", type=Path)
    parser.add_argument("--small", type=Path)
    parser.add_argument("--explore", type=Path, nargs="+", default=[], metavar="SUITE")
    parser.add_argument("--trees", type=Path, nargs="+", default=[])
    parser.add_argument("--repos", type=Path, help="of explore suites without languages [repos.json of --public]")
    parser.add_argument("--speed", action="store_true", help="time the public suite's repositories, too (ten minutes)")
    return parser


def suites(options: argparse.Namespace) -> dict[str, list[str]]:
    """Place in the pages of results -> the arguments that select the suite."""
    suite_arguments: dict[str, list[str]] = {}
    if options.public:
        suite_arguments["public"] = ["--suite", str(options.public), "--corpora", str(options.corpora)]
    if options.mined:
        for kind in ("commits", "docs"):
            suite_arguments[kind] = ["--suite", str(options.mined / f"{kind}.json")]
    if options.small:
        packages.fetch(options.small)
        suite_arguments["small"] = ["--suite", str(packages.SUITE), "--corpora", str(options.small)]
    return suite_arguments


def explore_suites(options: argparse.Namespace) -> dict[str, list[str]]:
    """Place in the pages of results -> the arguments of each explore suite."""
    repos = options.repos or (options.public / "repos.json" if options.public else None)
    suite_arguments = {}
    for suite in options.explore:
        name = f"explore-{suite.name.removeprefix('explore-')}"
        suite_arguments[name] = ["--suite", str(suite), "--trees", *map(str, options.trees)]
        suite_arguments[name] += ["--repos", str(repos)] if repos else []
        suite_arguments[name] += ["--rankers", str(FOLDS)] if suite.name not in HELD_OUT_SPLITS else []
    return suite_arguments


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    options.results.mkdir(parents=True, exist_ok=True)
    peer = ["--peer-python", str(options.peer_python), "--peer-model", str(options.peer_model)]
    suite_arguments = suites(options)
    for name, suite in suite_arguments.items():
        rankers = ["--rankers", str(FOLDS)] if name == "public" else []
        quality.main([*suite, *rankers, *peer, "--write", name, "--out", str(options.results / f"{name}.json")])
    for name, suite in explore_suites(options).items():
        explore.main([*suite, *peer, "--write", name, "--out", str(options.results / f"{name}.json")])
    if options.speed and "public" in suite_arguments:
        speed.main([*suite_arguments["public"], *peer, "--write", "--out", str(options.results / "speed.json")])
    plot_files = [
        options.results / f"{name}.json" for name in PLOT_SUITES if (options.results / f"{name}.json").is_file()
    ]
    if plot_files:
        plots.main(list(map(str, plot_files)))


if __name__ == "__main__":
    main()
