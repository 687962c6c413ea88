"""The marks for speed and memory, and the table that shows whether they are met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.report import table


@dataclass(frozen=True, slots=True)
class Row:
    """One of our figures, with the peer's. `unit` is s, ms, MiB or chunks/s.

    `most_ratio` bounds ours / theirs; `most` bounds ours from above, `least` from below.
    """

    what: str
    unit: str
    ours: float
    theirs: float | None = None
    most_ratio: float | None = None
    most: float | None = None
    least: float | None = None
    ratio_given: float | None = None  # the median of the repositories' ratios, if there is one
    comparable: bool = True  # whether the ratio means anything

    @property
    def ratio(self) -> float | None:
        if self.ratio_given is not None or not self.theirs or not self.comparable:
            return self.ratio_given
        return self.ours / self.theirs

    @property
    def met(self) -> bool | None:
        """Whether every mark of this row is met; None without marks."""
        checks = []
        if self.most_ratio is not None and self.ratio is not None:
            checks.append(self.ratio <= self.most_ratio)
        if self.most is not None:
            checks.append(self.ours <= self.most)
        if self.least is not None:
            checks.append(self.ours >= self.least)
        return all(checks) if checks else None

    @property
    def mark(self) -> str:
        marks = []
        if self.most_ratio is not None:
            marks.append(f"≤ {self.most_ratio:g} ×")
        if self.most is not None:
            marks.append(f"≤ {self.most:g} {self.unit}")
        if self.least is not None:
            marks.append(f"≥ {self.least:,.0f} {self.unit}")
        return ", ".join(marks)


def speed_table(about: Mapping[str, Any], rows: Sequence[Row]) -> str:
    """Markdown: one line per figure, then the origin of the figures."""
    lines = table(["what", "ctxpack", "semble 0.7", "ratio", "mark", "met"], [_cells(row) for row in rows])
    lines += [
        "",
        f"Medians of {about['runs']} runs in turns over {about['repositories']} repositories of {about['suite']}. "
        f"Commit {about['commit']}; {about['machine']}; `{about['command']}`.",
    ]
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> list[str]:
    ratio = "" if row.ratio is None else f"{row.ratio:.2f} ×"
    met = {None: "", True: "yes", False: "**no**"}[row.met]
    theirs = "" if row.theirs is None else _amount(row.theirs, row.unit)
    return [row.what, _amount(row.ours, row.unit), theirs, ratio, row.mark, met]


def _amount(value: float, unit: str) -> str:
    if unit == "s":
        return f"{value:.2f} s"
    if unit == "ms":
        return f"{value:.1f} ms"
    return f"{value:,.0f} {unit}"
