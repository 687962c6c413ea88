"""Results as Markdown: a table of every measure, one by category and language, and lines for their origin."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchmarks.intervals import mean_interval, paired_interval
from benchmarks.metrics import MEASURES

if TYPE_CHECKING:
    from benchmarks.quality import Run, ScoredAnswer


def quality_table(about: Mapping[str, Any], runs: Sequence[Run]) -> str:
    """Markdown of one quality run: ours first, then the peer, with the paired difference."""
    lines = [
        f"### {about['suite']}: {about['questions']} questions over {about['repositories']} repositories",
        "",
        *_measures(runs),
        "",
        *_groups(runs),
        "",
        *(_timing(run) for run in runs),
        "",
        f"Commit {about['commit']}; {about['machine']}; `{about['command']}`. Brackets: 95 % bootstrap",
        "intervals; of means, by question; of differences, paired by repository.",
    ]
    return "\n".join(lines) + "\n"


def _measures(runs: Sequence[Run]) -> list[str]:
    rows = [[name, *_cells(runs, lambda _one: True, name)] for name in MEASURES]
    return table(["measure", *_heads(runs)], rows)


def _groups(runs: Sequence[Run]) -> list[str]:
    rows = []
    for kind in ("category", "language"):
        for value in sorted({getattr(one.question, kind) for one in runs[0].answers}):

            def inside(one: ScoredAnswer, kind: str = kind, value: str = value) -> bool:
                return bool(getattr(one.question, kind) == value)

            count = sum(map(inside, runs[0].answers))
            rows.append([f"{kind} {value}", str(count), *_cells(runs, inside, "ndcg@10")])
    return table(["NDCG@10", "questions", *_heads(runs)], rows)


def _heads(runs: Sequence[Run]) -> list[str]:
    return [run.engine for run in runs] + ["difference"] * (len(runs) == 2)


def _cells(runs: Sequence[Run], includes: Callable[[ScoredAnswer], bool], name: str) -> list[str]:
    cells = [str(mean_interval([one.measures[name] for one in run.answers if includes(one)])) for run in runs]
    if len(runs) == 2:
        ours, theirs = (_by_repository(filter(includes, run.answers), name) for run in runs)
        cells.append(str(paired_interval(ours, theirs)))
    return cells


def _by_repository(answers: Iterable[ScoredAnswer], name: str) -> dict[str, list[float]]:
    values: dict[str, list[float]] = {}
    for one in answers:
        values.setdefault(one.question.repository, []).append(one.measures[name])
    return values


def _timing(run: Run) -> str:
    seconds = list(run.index_seconds.values())
    queries = sorted(one.seconds for one in run.answers)
    return (
        f"- {run.engine}: index {sum(seconds):.1f} s (median {statistics.median(seconds):.2f} s), "
        f"{sum(run.chunks.values()):,} chunks; query p50 {1000 * percentile(queries, 50):.1f} ms, "
        f"p99 {1000 * percentile(queries, 99):.1f} ms"
    )


def percentile(ordered: Sequence[float], percent: int) -> float:
    """The nearest-rank percentile of ascending values."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table: the first column to the left, figures to the right."""
    return [
        "| " + " | ".join(heads) + " |",
        "|" + "|".join(["---", *["---:"] * (len(heads) - 1)]) + "|",
        *("| " + " | ".join(row) + " |" for row in rows),
    ]


def footnote(about: Mapping[str, object]) -> list[str]:
    """The lines below a table that say where its figures come from, and what the brackets are."""
    command = f"Commit {about['commit']}; {about['machine']}; `{about['command']}`."
    return ["", f"{command} Brackets: 95 % bootstrap intervals,", "resampled by repository.", ""]
