"""The results of `ctxpack bench` as Markdown tables; as JSON they are `data` of the envelope."""

from __future__ import annotations

from collections.abc import Sequence

from context_pack.render.phrases import cell, escaped
from contracts.reports import Bench, BenchQuestion

_NAMES = {"ctxpack": "ctxpack", "bm25": "BM25", "grep": "grep -l"}


def render(data: Bench, name: str) -> str | None:
    """The printed text; None if the results are `data` of the envelope."""
    return None if name == "json" else _head(data) + _table(data) + _lines(data) + _NOTE + _questions(data)


_NOTE = """
A question is the subject of a commit; the right files are the 1 to 3 source files that it changed. The tree is that of
the parent of the oldest commit asked, so it contains none of the changes. hit@k: a right file is among the first k
different files. recall@n: share of the right files that the first n characters show. ctxpack and BM25 rank the same
chunks; grep -l ranks files by how many of the question's words they contain, and each file it lists is read whole.
lines@n: share of the lines changed by the commit, as they are in that tree, that n characters show: in a pack of
ctxpack, or in as much of the other lists as fits.
"""


def _head(data: Bench) -> str:
    return (
        f"{data.questions} questions from the newest {data.looked_at} commits, asked of the tree of "
        f"{data.revision[:10]}: {data.files:,} files, {data.chunks:,} chunks; {escaped(data.model_id)}\n\n"
    )


def _table(data: Bench) -> str:
    depths = [f"hit@{depth}" for depth in data.depths]
    budgets = [f"recall@{budget // 1000}k" for budget in data.budgets]
    titles = ["", *depths, *budgets, "chars to the first right file"]
    rows = [
        [_NAMES[one.name], *(f"{share:.2f}" for share in (*one.hit, *one.recall)),
         "never" if one.chars_to_first is None else f"{one.chars_to_first:,}"]
        for one in data.engines
    ]  # fmt: skip
    return _rows([titles, *rows])


def _lines(data: Bench) -> str:
    """The table of the shares of changed lines; empty if the changed lines of no commit are known."""
    if not data.line_questions:
        return ""
    titles = ["", *(f"lines@{budget // 1000}k" for budget in data.budgets)]
    shares = ([_NAMES[engine.name], *(f"{share:.2f}" for share in engine.lines)] for engine in data.engines)
    return "\n" + _rows([titles, *shares])


def _rows(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first row is its head."""
    head, *rest = rows
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ["---", *["---:"] * (len(head) - 1)], *rest))


def _questions(data: Bench) -> str:
    """With `--explain`: each question with the rank of its first right file."""
    if not data.asked:
        return ""
    names = list(data.asked[0].rank)
    head = f"\n| commit | question | {' | '.join(_NAMES[name] for name in names)} | right |\n"
    rule = f"|---|---|{'---:|' * len(names)}---|\n"
    return head + rule + "".join(_question(one, names) for one in data.asked)


def _question(one: BenchQuestion, names: list[str]) -> str:
    ranks = " | ".join(str(one.rank[name] or "-") for name in names)
    return f"| {one.commit[:10]} | {cell(one.query)} | {ranks} | {', '.join(map(escaped, one.targets))} |\n"
