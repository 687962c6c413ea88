"""Measure the code graph against independent tools.

    python -m benchmarks.research.graph --scratch SCRATCH [--trees TREES]
        [--only python,typescript,go,checked] [--write]

Packages and tools come from their registries at pinned versions (see `sources.py`); `TREES` holds the repositories of
`checked/` by the last part of their names, each at its commit. `--write` puts the table into `research/graph.md`;
`--differences KIND` prints the missing and the wrong edges instead.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.machine import command, commit, machine
from benchmarks.research.graph import sources
from benchmarks.research.graph.compare import KINDS, Score, compare, differences
from benchmarks.research.graph.table import page
from benchmarks.research.graph.verdicts import VerdictCounts, check, entries
from index import open_index
from index.generation.reader import Snapshot

Truth = Callable[[Path], list[tuple[Path, list[list[Any]]]]]
TRUTHS: dict[str, Truth] = {
    "python": sources.python_truth,
    "typescript": sources.typescript_truth,
    "go": sources.go_truth,
}


def snapshot_of(tree: Path) -> Snapshot:
    """The snapshot of this tree's index, in a temporary home."""
    with tempfile.TemporaryDirectory() as home:
        return open_index(tree, home=Path(home), model="embedded").snapshot


def sum_scores(truth: Truth, scratch: Path) -> dict[str, Score]:
    """The sum over the packages of one language, by kind of edge."""
    total = dict.fromkeys(KINDS, Score())
    for tree, rows in truth(scratch):
        for kind, score in compare(snapshot_of(tree), rows).items():
            total[kind] += score
    return total


def sum_verdicts(trees: Path) -> list[VerdictCounts]:
    """By language, the sum over the repositories that have a tree."""
    totals: dict[str, VerdictCounts] = {}
    for entry in entries():
        tree = trees / entry["repository"].rpartition("/")[2]
        if tree.is_dir():
            one = check(snapshot_of(tree), entry["language"], entry)
            total = totals.get(one.language)
            totals[one.language] = one if total is None else total + one
    return list(totals.values())


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch", type=Path, required=True, help="packages and tools are kept here")
    parser.add_argument("--trees", type=Path, help="the repositories of checked/")
    parser.add_argument("--only", default=",".join([*TRUTHS, "checked"]))
    parser.add_argument("--differences", choices=list(KINDS))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    options.scratch.mkdir(parents=True, exist_ok=True)
    parts = options.only.split(",")
    truths = {language: truth for language, truth in TRUTHS.items() if language in parts}
    if options.differences:
        for truth in truths.values():
            for tree, rows in truth(options.scratch):
                print(*differences(snapshot_of(tree), rows, options.differences), sep="\n")
        return
    scores = {language: sum_scores(truth, options.scratch) for language, truth in truths.items()}
    counts = sum_verdicts(options.trees) if options.trees and "checked" in parts else []
    about = f"Commit {commit()}; {machine()}; `{command('benchmarks.research.graph', arguments)}`."
    text = page(scores, counts, about)
    print(text)
    if options.write:
        Path(__file__).parents[1].joinpath("graph.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
