"""Results as Markdown: tables, the lines below them that say where the figures come from, and percentiles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


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
