"""The typed records behind `bench.schema.json`: what `ctxpack bench` prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BenchEngine:
    """One way to find code. Shares are 0..1, over all questions.

    `hit`: for each depth the share of questions with a right file among so many different files; `recall`: for each
    budget the share of the right files that are shown within it; `lines`: for each budget the share of the lines that a
    commit changed that are shown within it (empty where no question has any); `chars_to_first`: characters to read
    until the end of the first place in a right file, in the median (None: half of the questions or more had none);
    `found`: share of questions with a right file anywhere in the list.
    """

    name: str
    hit: tuple[float, ...]
    recall: tuple[float, ...]
    lines: tuple[float, ...]
    chars_to_first: int | None
    found: float


@dataclass(frozen=True, slots=True)
class BenchQuestion:
    """A commit as a question; by engine, the rank of the first right file and the characters up to it.

    `lines`: for each budget the share of the changed lines that is shown; empty where it is not known which they are.
    """

    commit: str
    query: str
    targets: tuple[str, ...]
    rank: Mapping[str, int | None]
    chars: Mapping[str, int | None]
    lines: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """`data` of `ctxpack bench`. `revision` is the tree that was asked: the parent of the oldest commit that asks.

    `line_questions` counts the questions whose changed lines are known, `looked_at` commits without merges, `budgets`
    characters; `asked` is there with `--explain`, newest first.
    """

    revision: str
    newest: str
    oldest: str
    looked_at: int
    questions: int
    line_questions: int
    files: int
    chunks: int
    model_id: str
    depths: tuple[int, ...]
    budgets: tuple[int, ...]
    engines: tuple[BenchEngine, ...]
    asked: tuple[BenchQuestion, ...] = ()
    version: int = 1
