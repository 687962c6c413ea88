"""Draw result files of benchmarks.quality: quality against latency, recall against budget.

    python -m benchmarks.plots RESULT.json [RESULT.json ...] [--dest benchmarks/plots]

The first result must be that of the public suite. Hollow marks are published scores, measured on other machines. Needs
the extra `bench` (matplotlib).
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.metrics import BUDGETS_CHARS

LABELS_TO_THE_LEFT_MS = 6.0
COLOURS = {"ctxpack": "#1f6feb", "semble": "#d1242f"}
# (what, NDCG@10 on the whole public suite, milliseconds a query), from semble's own benchmark pages
PUBLISHED_SCORES = (
    ("semble, its own code model", 0.855, 1.0),
    ("CodeRankEmbed 137 M + BM25", 0.862, 16.0),
)


LEFT_OUT = ("ctxpack", "semble-dev")  # its rankers were trained without the repository


@dataclass(frozen=True, slots=True)
class Result:
    """The means of one engine on one suite."""

    suite: str
    engine: str
    means: dict[str, float]
    p50_ms: float

    @property
    def label(self) -> str:
        return f"{self.engine}: {self.suite}" + " (left out of training)" * ((self.engine, self.suite) == LEFT_OUT)


def read(path: Path) -> list[Result]:
    document = json.loads(path.read_text("utf-8"))
    return [_result(document["about"]["suite"], name, engine) for name, engine in document["engines"].items()]


def _result(suite: str, name: str, engine: dict[str, Any]) -> Result:
    measures = [question["measures"] for question in engine["questions"]]
    means = {measure: statistics.mean(one[measure] for one in measures) for measure in measures[0]}
    return Result(suite, name, means, engine["query_ms"]["p50"])


def draw_latency(results: Sequence[Result], dest: Path) -> None:
    figure, axes = _figure("NDCG@10 against the time of a query", "milliseconds a query, in process (p50)", "NDCG@10")
    axes.set_xscale("log")
    for result in results:
        axes.scatter([result.p50_ms], [result.means["ndcg@10"]], color=COLOURS[result.engine], s=46, zorder=3)
        _label(axes, result.label, result.p50_ms, result.means["ndcg@10"])
    for what, score, latency_ms in PUBLISHED_SCORES:
        axes.scatter([latency_ms], [score], facecolors="none", edgecolors="#57606a", s=46, zorder=3)
        _label(axes, f"{what} (published, whole suite)", latency_ms, score, below=True)
    axes.margins(x=0.12, y=0.12)
    _save(figure, dest / "quality-latency.png")


def draw_recall(results: Sequence[Result], dest: Path) -> None:
    figure, axes = _figure("Recall within a budget", "characters of content", "share of the right places")
    axes.set_xscale("log", base=2)
    axes.set_xticks(BUDGETS_CHARS, [f"{budget:,}" for budget in BUDGETS_CHARS])
    suites = sorted({result.suite for result in results})
    styles = dict(zip(suites, ("-", "--", ":", "-."), strict=False))
    for result in results:
        shares = [result.means[f"recall@{budget}"] for budget in BUDGETS_CHARS]
        axes.plot(
            BUDGETS_CHARS, shares, styles[result.suite], color=COLOURS[result.engine], marker="o", markersize=4,
            label=result.label,
        )  # fmt: skip
    axes.legend(frameon=False, fontsize=9)
    _save(figure, dest / "recall-budget.png")


def _figure(title: str, x: str, y: str) -> tuple[Any, Any]:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7.2, 4.4), dpi=150)
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _label(axes: Any, text: str, x: float, y: float, *, below: bool = False) -> None:
    """Write a label next to the point, on the side that has room."""
    right = x > LABELS_TO_THE_LEFT_MS
    axes.annotate(
        text, (x, y), xytext=(-6 if right else 6, -12 if below else 5), textcoords="offset points", fontsize=8,
        ha="right" if right else "left",
    )  # fmt: skip


def _save(figure: Any, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    # Without a date and a version, the same numbers give the same bytes.
    figure.savefig(path, metadata={"Software": None})


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, nargs="+")
    parser.add_argument("--dest", type=Path, default=Path(__file__).with_name("plots"))
    options = parser.parse_args(arguments)
    results = [result for path in options.results for result in read(path)]
    # The published scores are those of the public suite, so only the first suite's points are comparable.
    draw_latency([result for result in results if result.suite == results[0].suite], options.dest)
    draw_recall(results, options.dest)


if __name__ == "__main__":
    main()
