"""Everything in one command: each suite that is given, beside the peer; tables and plots into benchmarks/.

    python -m benchmarks.reproduce --results DIR --peer-python PYTHON --peer-model MODEL2VEC_FOLDER
        [--public SUITE --corpora TREES] [--mined SUITES] [--small TREES] [--speed]
        [--explore SUITE ... --trees DIR ... [--repos FILE]]

The public suite is asked with the rankers of `research/ranker/folds`, which left its repositories out. `--mined` is the
folder that research/mine.py wrote of the mirrors in `research/held_out.json`, which nothing was trained on; `--small`
is where benchmarks.packages put the packages. `--explore` takes folders of explore questions (our own are below
`explore/questions`), whose trees are in the `--trees`, with the same rankers unless they are no part of any training;
the first one makes the README's rows. Each suite's JSON goes to `--results`; a suite that is not given keeps its table.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks import packages, plots, quality, speed
from benchmarks.explore import __main__ as explore
from benchmarks.explore.collect import NOT_LEARNED

DRAWN = ("public", "commits")
FOLDS = Path(__file__).parent / "research" / "ranker" / "folds"


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--results", type=Path, required=True)
    made.add_argument("--peer-python", type=Path, required=True)
    made.add_argument("--peer-model", type=Path, required=True)
    made.add_argument("--public", type=Path)
    made.add_argument("--corpora", type=Path)
    made.add_argument("--mined", type=Path)
    made.add_argument("--small", type=Path)
    made.add_argument("--explore", type=Path, nargs="+", default=[], metavar="SUITE")
    made.add_argument("--trees", type=Path, nargs="+", default=[])
    made.add_argument("--repos", type=Path, help="of explore suites without languages [repos.json of --public]")
    made.add_argument("--speed", action="store_true", help="time the public suite's repositories, too (ten minutes)")
    return made


def suites(chosen: argparse.Namespace) -> dict[str, list[str]]:
    """Place in the README -> the arguments that choose the suite."""
    given: dict[str, list[str]] = {}
    if chosen.public:
        given["public"] = ["--suite", str(chosen.public), "--corpora", str(chosen.corpora)]
    if chosen.mined:
        for kind in ("commits", "docs"):
            given[kind] = ["--suite", str(chosen.mined / f"{kind}.json")]
    if chosen.small:
        packages.fetch(chosen.small)
        given["small"] = ["--suite", str(packages.SUITE), "--corpora", str(chosen.small)]
    return given


def explored(chosen: argparse.Namespace) -> dict[str, list[str]]:
    """Place in the README -> the arguments of each explore suite."""
    repos = chosen.repos or (chosen.public / "repos.json" if chosen.public else None)
    given = {}
    for number, suite in enumerate(chosen.explore):
        name = f"explore-{suite.name.removeprefix('explore-')}"
        given[name] = ["--suite", str(suite), "--trees", *map(str, chosen.trees)]
        given[name] += ["--repos", str(repos)] if repos else []
        given[name] += ["--rankers", str(FOLDS)] if suite.name not in NOT_LEARNED else []
        given[name] += ["--readme"] if number == 0 else []
    return given


def main(arguments: Sequence[str] | None = None) -> None:
    chosen = parser().parse_args(arguments)
    chosen.results.mkdir(parents=True, exist_ok=True)
    peer = ["--peer-python", str(chosen.peer_python), "--peer-model", str(chosen.peer_model)]
    given = suites(chosen)
    for name, suite in given.items():
        rankers = ["--rankers", str(FOLDS)] if name == "public" else []
        quality.main([*suite, *rankers, *peer, "--write", name, "--out", str(chosen.results / f"{name}.json")])
    for name, suite in explored(chosen).items():
        explore.main([*suite, *peer, "--write", name, "--out", str(chosen.results / f"{name}.json")])
    if chosen.speed and "public" in given:
        speed.main([*given["public"], *peer, "--write", "--out", str(chosen.results / "speed.json")])
    drawn = [chosen.results / f"{name}.json" for name in DRAWN if (chosen.results / f"{name}.json").is_file()]
    if drawn:
        plots.main(list(map(str, drawn)))


if __name__ == "__main__":
    main()
