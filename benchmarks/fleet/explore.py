"""How much of what must be read a fleet's packs show: `python -m benchmarks.fleet.explore --fleet URI --suite SUITE...
--trees DIR... [--repos FILE]`.

Each explore question (benchmarks/explore) is asked twice: of all repositories, and of its own repository alone. Lines
of another repository are wrong. Repositories of the suites that the store lacks are left out.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from statistics import mean

from benchmarks.explore.score import BUDGETS, score
from benchmarks.explore.suite import Question, load_suite
from context_pack.benchmark.measures import lines_shown
from context_pack.fleet.questions import OWNER, ask
from contracts.errors import BudgetTooSmall
from index.fleet.fleet import Fleet


def cover(fleet: Fleet, question: Question, budget_chars: int, *, alone: bool) -> float:
    """The share of the lines that must be read that the pack shows, 0..1."""
    globs = [question.repository] if alone else []
    try:
        items = ask(fleet, "query", question.query, OWNER, globs, max_chars=budget_chars)[1].data.items
    except BudgetTooSmall:
        items = ()
    spans = question.spans
    if not alone:
        spans = tuple(replace(span, path=f"{question.repository}/{span.path}") for span in spans)
    return score(lines_shown(items), replace(question, spans=spans))["cover"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fleet", required=True)
    parser.add_argument("--suite", type=Path, nargs="+", required=True)
    parser.add_argument("--trees", type=Path, nargs="+", required=True)
    parser.add_argument("--repos", type=Path)
    options = parser.parse_args()
    os.environ["CTXPACK_NO_BACKGROUND"] = "1"
    fleet = Fleet(options.fleet)
    fleet.prewarm()
    repositories = fleet.repositories(owner=True)
    names = {one.name for one in repositories}
    print(f"{len(repositories)} repositories; cover at {', '.join(f'{one:,}' for one in BUDGETS)} characters")
    for folder in options.suite:
        suite = load_suite(folder, options.trees, options.repos)
        questions = [one for entry in suite.repositories if entry.name in names for one in entry.questions]
        choices = [{choice.name for choice in fleet.choose(one.query, repositories)} for one in questions]
        right = mean(one.repository in names for one, names in zip(questions, choices, strict=True))
        print(f"{suite.name}: {len(questions)} questions, right repository@16 {right:.3f}", flush=True)
        for title, alone in (("all repositories", False), ("the right one alone", True)):
            values = [f"{mean(cover(fleet, one, budget, alone=alone) for one in questions):.3f}" for budget in BUDGETS]
            print(f"  {title}: {' '.join(values)}", flush=True)


if __name__ == "__main__":
    main()
