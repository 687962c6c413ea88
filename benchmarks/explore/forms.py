"""Explore questions as people write them: as requests, with the project's name, in the forms of issue trackers.

    python -m benchmarks.explore.forms --suite SUITE --trees TREES [TREES ...] [--rankers DIR] [--write NAME]

The lines that must be read are those of the plain question. Only `letter` says anything about the code; the text of
the other forms was written for this benchmark, after the templates of well-known projects.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import machine, pages, report
from benchmarks.explore.measure import QuestionScore, Run, ask
from benchmarks.explore.score import BUDGETS
from benchmarks.explore.sides import Packs, rankers
from benchmarks.explore.suite import Suite, load_suite
from benchmarks.intervals import repository_interval

# {question} and {name} (of the repository) are filled in.
FORMS: Mapping[str, str] = {
    "plain": "{question}",
    "request": "I want to understand the following: {question}",
    "agent": "Find the code that answers this: {question}",
    "code base": "{question} in this codebase?",
    "project": "In {name}, {question}",
    "thanks": "{question} Thanks!",
    "environment": "{question} Environment: Ubuntu 22.04, {name} 3.1.2",
    "output": "{question}\n\nOutput of `{name} --version`\n{name} 0.16.0 compiled with go1.20.6 on linux/amd64",
    "bug report": (
        "### Describe the bug\n{question}\n\n### Steps to reproduce\n1. Install {name} 3.1.2\n2. Run the code above\n"
        "3. See error\n\n### Expected behavior\nIt should work as documented.\n\n### Environment\n- OS: Ubuntu 22.04\n"
        "- {name} version: 3.1.2\n\n### Additional context\nI could not find anything about this in the docs. Thanks "
        "for the great library!"
    ),
    "checklist": (
        "Does this issue occur when all extensions are disabled?: Yes\n\n- Version: 1.85.1\n"
        "- OS Version: Windows_NT x64 10.0.22631\n- Node.js: 18.15.0\n\nSteps to Reproduce:\n\n1. {question}\n"
        "2. Nothing more\n\n**Checklist**\n- [x] I searched the existing issues\n- [ ] I read the contribution guide"
    ),
    "toolchain": (
        "{question}\n\nI tried the newest release and main.\n\n### Meta\n\n`rustc --version --verbose`:\n"
        "rustc 1.74.0 (79e9716c9 2023-11-13)\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\n\n"
        "<details><summary>Backtrace</summary>\n</details>"
    ),
    "letter": (
        "Hi all,\n\n{question}\n\nWe see this on two machines (Debian 12 and a Mac), both with {name} v2.4.1. It "
        "started after we updated last week, 2.3.9 was fine. Let me know if you need more details, I am happy to test "
        "a patch.\n\nBest regards\nAnna"
    ),
}


def run(suite: Suite, packs: Packs) -> list[Run]:
    """One run per form, in order."""
    scores: dict[str, list[QuestionScore]] = {form: [] for form in FORMS}
    for repository in suite.repositories:
        packs.open(repository)
        for form, text in FORMS.items():
            for question in repository.questions:
                asks = question.query.rstrip("?.") if text.endswith("codebase?") else question.query
                query = text.format(question=asks, name=repository.name)
                scores[form].append(ask(packs, replace(question, query=query)))
    return [Run(form, tuple(rows)) for form, rows in scores.items()]


def table(about: Mapping[str, object], runs: Sequence[Run]) -> str:
    heads = ["asked as", *(f"cover at {budget:,}" for budget in BUDGETS)]
    rows = [[one.side, *(str(repository_interval(one.values("cover", budget))) for budget in BUDGETS)] for one in runs]
    return "\n".join(
        [
            f"#### {about['suite']}: {about['questions']} questions over {about['repositories']} repositories",
            "",
            *report.table(heads, rows),
            *report.footnote(about),
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--trees", type=Path, nargs="+", required=True, help="folders that hold the trees by name")
    parser.add_argument("--repos", type=Path, help="languages and roots [SUITE/repos.json]")
    parser.add_argument("--rankers", type=Path, help="folder of rankers that left repositories out")
    parser.add_argument("--write", metavar="NAME", help="put the table at this place of a page of results/")
    options = parser.parse_args(arguments)
    suite = load_suite(options.suite, options.trees, options.repos)
    with tempfile.TemporaryDirectory() as home:
        runs = run(suite, Packs(Path(home), rankers=rankers(suite, options.rankers)))
    about = {
        "suite": suite.name, "repositories": len(suite.repositories), "questions": suite.questions,
        "commit": machine.commit(), "machine": machine.machine(),
        "command": machine.command("benchmarks.explore.forms", arguments),
    }  # fmt: skip
    text = table(about, runs)
    print(text)
    if options.write:
        pages.publish(options.write, text)


if __name__ == "__main__":
    main()
