"""An explore run as Markdown and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks import report
from benchmarks.explore.measure import PackStats, QuestionScore, Run
from benchmarks.explore.score import BUDGETS, MEASURES
from benchmarks.explore.shape import BUDGET as SHAPE_BUDGET
from benchmarks.explore.shape import FEW, GONE, Shape
from benchmarks.explore.suite import KINDS, Question
from benchmarks.intervals import paired_interval, repository_interval

MIDDLE = BUDGETS[2]  # characters: the budget of a table that shows only one
GRADES = ("strong", "weak", "none", "ungraded")


def table(about: Mapping[str, Any], runs: Sequence[Run], stats: PackStats) -> str:
    """All figures: ours first, then the peer, with the paired difference."""
    lines = [
        f"### {about['suite']}: {about['questions']} questions over {about['repositories']} repositories", "",
        *report.table(["within N characters", *_heads(runs)], list(_measures(runs))), "",
        *_groups(runs), "",
        *(f"- Questions without {_pack(run)}: {_empty(run)}." for run in runs),
        *_pack_stats(stats), "",
        f"Commit {about['commit']}; {about['machine']}; `{about['command']}`. Brackets: 95 % bootstrap intervals,",
        "resampled by repository; paired for differences.",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _heads(runs: Sequence[Run]) -> list[str]:
    return [run.side for run in runs] + ["difference"] * (len(runs) == 2)


def _measures(runs: Sequence[Run]) -> Iterator[list[str]]:
    for name in MEASURES:
        for budget in BUDGETS:
            yield [f"{name}@{budget}", *_cells(runs, name, budget)]


def _cells(runs: Sequence[Run], name: str, budget_chars: int) -> list[str]:
    series = [run.values(name, budget_chars) for run in runs]
    return [str(repository_interval(values)) for values in series] + (
        [str(paired_interval(*series))] if len(series) == 2 else []
    )


def _groups(runs: Sequence[Run]) -> list[str]:
    """Cover by kind and language: every side at every budget, and the difference at the middle one."""
    heads = ["cover", "questions", *(f"{run.side} {budget:,}" for run in runs for budget in BUDGETS)]
    rows = []
    for label, includes in _question_groups(runs[0].scores):
        count = sum(includes(one.question) for one in runs[0].scores)
        shares = [_mean(run.values("cover", budget, includes)) for run in runs for budget in BUDGETS]
        row = [label, str(count), *(f"{share:.3f}" for share in shares)]
        if len(runs) == 2:
            row.append(str(paired_interval(*(run.values("cover", MIDDLE, includes) for run in runs))))
        rows.append(row)
    return report.table([*heads, *([f"difference {MIDDLE:,}"] if len(runs) == 2 else [])], rows)


def _question_groups(scores: Sequence[QuestionScore]) -> Iterator[tuple[str, Callable[[Question], bool]]]:
    for name in ("kind", "language"):
        values = {getattr(one.question, name) for one in scores}
        for value in sorted(values, key=lambda value: (KINDS.index(value) if value in KINDS else 0, value)):

            def includes(one: Question, name: str = name, value: str = value) -> bool:
                return bool(getattr(one, name) == value)

            yield f"{name} {value}", includes


def _mean(values: Mapping[str, Sequence[float]]) -> float:
    return repository_interval(values).mean


def _pack(run: Run) -> str:
    return "a pack" if run.side == "ctxpack" else f"a result of {run.side}"


def _empty(run: Run) -> str:
    return ", ".join(f"{run.empty(budget)} at {budget:,}" for budget in BUDGETS)


def _pack_stats(stats: PackStats) -> list[str]:
    shape = stats.shape
    if not shape.packs:
        return []
    figures, of_each = shape_figures(shape), sorted(shape.roles)
    roles = ", ".join(f"{shape.roles[role] / shape.packs:.1f} {role}" for role in of_each)
    lines = ", ".join(f"{shape.shown[role] / max(1, shape.roles[role]):.1f} {role}" for role in of_each)
    confidence_rows = [
        [grade, *(f"{_share(counts, grade):.3f}" for counts in (stats.right, stats.elsewhere))]
        for grade in GRADES
        if stats.right[grade] or stats.elsewhere[grade]
    ]
    return [
        f"- Shape at {SHAPE_BUDGET:,} characters, {shape.items:,} items of {shape.packs} packs: "
        f"{figures['excerpts']:.1%} leave out lines, {figures['gone']:.1%} over {GONE:.0%} of theirs; "
        f"{figures['few']:.1%} show {FEW} lines or fewer (not counting one-line definitions that the question names); "
        f"{len(shape.cut)} begin or end within a function without a mark.",
        f"- Items per pack: {roles}; lines shown per item: {lines}.",
        "",
        *report.table(["confidence", "asked of the right repository", "asked of another one"], confidence_rows),
    ]  # fmt: skip


def shape_figures(shape: Shape) -> dict[str, float]:
    """Shares of the items."""
    return {name: getattr(shape, name) / max(1, shape.items) for name in ("excerpts", "gone", "few")}


def _share(counts: Counter[str], grade: str) -> float:
    return counts[grade] / max(1, counts.total())


def as_data(runs: Sequence[Run], stats: PackStats) -> dict[str, Any]:
    """Everything as JSON values, every question with its measures, so that the worst can be read."""
    shape = stats.shape
    return {
        "engines": {run.side: [_question(one) for one in run.scores] for run in runs},
        "shape": {
            "packs": shape.packs, "items": shape.items, **shape_figures(shape), "cut": shape.cut,
            "roles": dict(shape.roles), "shown": dict(shape.shown),
        },
        "confidence": {"right": dict(stats.right), "elsewhere": dict(stats.elsewhere)},
    }  # fmt: skip


def _question(one: QuestionScore) -> dict[str, Any]:
    question = one.question
    return {
        "repository": question.repository, "language": question.language, "kind": question.kind,
        "query": question.query, "items": one.items,
        "measures": {
            budget: {name: round(value, 5) for name, value in values.items()} for budget, values in one.measures.items()
        },
    }  # fmt: skip
