"""The pages of results, and the tables of the two READMEs, whose figures are taken from these pages.

    python -m benchmarks.pages

A script of this folder writes its table to its place in a page of `results/`, and the READMEs follow. The command above
writes the tables of the READMEs again, after a page was edited by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.explore.score import BUDGETS
from benchmarks.report import table

HERE = Path(__file__).parent
EXPLORE = {
    "explore-dev": "the public suite's repositories",
    "explore-choose": "our own, for choosing settings",
    "explore-topics": "the same, in a few words",
    "explore-unread-topics": "held out, in a few words",
    "explore-unread": "held out, 13 repositories",
    "explore-unread-2": "held out, 13 more",
}
LISTS = {
    "public": "the public suite's development half",
    "commits": "commit subjects",
    "docs": "doc sentences",
    "small": "our small suite",
}
SPEED = (
    "index all repositories, in process",
    "index, median of the ratios by repository",
    "ten places in process, p50",
    "ten places in process, p99",
    "pack of 20,000 characters in process, p50",
    "query from the shell, warm",
    "query from the shell, warm: peak memory",
    "first query from the shell, without an index",
    "refresh in process, 2,000 files of 528,857 lines, one changed",
    "index and answer, 500,302 lines, 36,452 chunks",
    "peak memory of all processes, 500,302 lines, 36,452 chunks",
)
_PLACE = re.compile(r"^<!-- (?P<name>[\w-]+) -->$(?P<text>.*?)^<!-- /(?P=name) -->$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Result:
    """The tables of one place: cells by the label of their row and the head of their column."""

    questions: str  # as its heading counts them; empty without a heading
    cells: Mapping[tuple[str, str], str]

    def cell(self, row: str, head: str) -> str:
        return self.cells[row, head]

    def mean(self, row: str, head: str) -> str:
        """A cell without its interval."""
        return self.cells[row, head].partition(" [")[0]


def publish(name: str, text: str, folder: Path = HERE) -> None:
    """Put a table at its place in a page of `results/`, and its figures into the READMEs.

    Raises ValueError unless exactly one page has the place `<!-- NAME -->`.
    """
    mark = f"<!-- {name} -->\n"
    places = [page for page in sorted((folder / "results").glob("*.md")) if mark in page.read_text("utf-8")]
    if len(places) != 1:
        raise ValueError(f"{len(places)} pages of results have a place for {name}")
    replace_between(places[0], name, text)
    write_readmes(folder)


def replace_between(document: Path, name: str, text: str) -> None:
    """Put text between the lines `<!-- NAME -->` and `<!-- /NAME -->` of a document; ValueError without them."""
    content = document.read_text("utf-8")
    start_mark, end_mark = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, mark, rest = content.partition(start_mark)
    _, end, after = rest.partition(end_mark)
    if not mark or not end:
        raise ValueError(f"{document.name} has no place for {name}")
    document.write_text(f"{before}{start_mark}\n{text.strip()}\n\n{end_mark}{after}", encoding="utf-8")


def write_readmes(folder: Path = HERE) -> None:
    """Write the tables of the folder's README and of the repository's."""
    results = read_results(folder / "results")
    for name, lines in readme_tables(results).items():
        replace_between(folder / "README.md", name, "\n".join(lines))
    replace_between(folder.parent / "README.md", "figures", "\n".join(summary(results)))


def read_results(folder: Path) -> dict[str, Result]:
    """Every place in the pages of a folder, by name."""
    texts = "\n".join(page.read_text("utf-8") for page in sorted(folder.glob("*.md")))
    return {match["name"]: _result(match["text"]) for match in _PLACE.finditer(texts)}


def _result(text: str) -> Result:
    cells: dict[tuple[str, str], str] = {}
    for heads, row in _rows(text):
        for head, cell in zip(heads[1:], row[1:], strict=True):
            cells.setdefault((row[0], head), cell)
    heading = re.search(r"^#+ .*?: ([\d,]+) questions", text, re.MULTILINE)
    return Result(heading[1] if heading else "", cells)


def _rows(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """Every row below the heads of its table."""
    heads: list[str] = []
    for line in text.splitlines():
        if not line.startswith("|"):
            heads = []
        elif not heads:
            heads = _words(line)
        elif not line.startswith("|---"):
            yield heads, _words(line)


def _words(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def readme_tables(results: Mapping[str, Result]) -> dict[str, list[str]]:
    """The tables of benchmarks/README.md by the names of their places."""
    return {
        "lines": _lines(results),
        "lists": _lists(results),
        "confidence": _confidence(results),
        "exact": _exact(results),
        "reading": _reading(results["agent"]),
        "time": _time(results["speed"]),
    }


def _lines(results: Mapping[str, Result]) -> list[str]:
    budgets = [f"ctxpack {budget:,}" for budget in BUDGETS]
    heads = ["cover of", "questions", *budgets, "semble 8,000", "difference 8,000"]
    rows = [
        [
            title,
            results[name].questions,
            *(results[name].mean(f"cover@{budget}", "ctxpack") for budget in BUDGETS),
            results[name].mean("cover@8000", "semble"),
            results[name].cell("cover@8000", "difference"),
        ]
        for name, title in EXPLORE.items()
    ]
    return table(heads, rows)


def _lists(results: Mapping[str, Result]) -> list[str]:
    heads = ["suite", "questions", "NDCG@10 ctxpack", "semble", "difference", "hit@10 ctxpack", "semble", "difference"]
    rows = [
        [
            title,
            results[name].questions,
            *(
                results[name].cell(measure, side) if side == "difference" else results[name].mean(measure, side)
                for measure in ("ndcg@10", "hit@10")
                for side in ("ctxpack", "semble", "difference")
            ),
        ]
        for name, title in LISTS.items()
    ]
    return table(heads, rows)


def _confidence(results: Mapping[str, Result]) -> list[str]:
    sides = {"right": "asked of the right repository", "wrong": "asked of another one"}
    grades = ("strong", "weak", "none")
    heads = ["questions", *(f"{side}: `{grade}`" for side in sides for grade in grades)]
    rows = [
        [title, *(results[name].cell(grade, head) for head in sides.values() for grade in grades)]
        for name, title in EXPLORE.items()
    ]
    return table(heads, rows)


def _exact(results: Mapping[str, Result]) -> list[str]:
    names, pasted = results["names"], results["pasted"]
    (messages,) = [cell for (_, head), cell in results["messages"].cells.items() if head == "share"]
    rows = [
        ["a name: its definition is in the first three items", names.cell("all", "shown among the first three")],
        [
            "a misspelt name: the right one is in the first three suggestions",
            names.cell("all", "right one among the first three suggestions"),
        ],
        ["a key that nothing defines: lines shown within 6,000", results["keys"].cell("6,000", "lines shown")],
        ["a message of a program: its code is in the first three items", messages],
        ["one pasted line: shown within 4,000", pasted.cell("1", "lines shown")],
        ["four pasted lines: shown within 4,000", pasted.cell("4", "lines shown")],
        ["a trace: own frames shown within 8,000", results["traces"].cell("**all**", "shown at 8,000")],
    ]
    return table(["asked", "share"], rows)


def _reading(agent: Result) -> list[str]:
    sides = ["ctxpack", "semble", "semble, whole chunks", "rg + read"]
    labels = ("characters until 60% of each span is seen, median", "share within 20,000", "share within 120,000")
    return table(["", *sides], [[label, *(agent.cell(label, side) for side in sides)] for label in labels])


def _time(speed: Result) -> list[str]:
    heads = ["ctxpack", "semble 0.7", "ratio", "mark", "met"]
    return table(["what", *heads], [[label, *(speed.cell(label, head) for head in heads)] for label in SPEED])


def summary(results: Mapping[str, Result]) -> list[str]:
    """The table of the repository's README."""
    public, commits, speed = results["public"], results["commits"], results["speed"]
    words, topics = results["explore-dev"], results["explore-unread-topics"]

    def sides(result: Result, row: str, heads: Sequence[str] = ("ctxpack", "semble")) -> list[str]:
        return [result.mean(row, head) for head in heads]

    def seconds(row: str) -> list[str]:
        return sides(speed, row, ("ctxpack", "semble 0.7"))

    lines = "lines that must be read, shown within"
    searches = f"{topics.questions} searches of a few words (`session cookie`)"
    warm = zip(seconds("query from the shell, warm"), seconds("query from the shell, warm: peak memory"), strict=True)
    rows = [
        *(
            [
                f"{lines} {budget:,} characters, {words.questions} questions in a programmer's words",
                *sides(words, f"cover@{budget}"),
            ]
            for budget in BUDGETS
        ),
        [f"{lines} 4,000 characters, {searches}", *sides(topics, "cover@4000")],
        [
            f"NDCG@10, {public.questions} questions (our ranking tables trained without the repository in question)",
            *sides(public, "ndcg@10"),
        ],
        [f"NDCG@10, {commits.questions} commit subjects over 26 other repositories", *sides(commits, "ndcg@10")],
        ["index, in process, all 22", *seconds("index all repositories, in process")],
        ["top ten results, in process, p50", *seconds("ten places in process, p50")],
        ["query from the shell, warm", *map(", ".join, warm)],
        ["first query, without an index, from the shell", *seconds("first query from the shell, without an index")],
    ]
    return table(["", "ctxpack", "semble"], rows)


if __name__ == "__main__":
    write_readmes()
