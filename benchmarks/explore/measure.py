"""Ask every side the questions of a suite, and measure the shape of our packs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from benchmarks.explore.score import BUDGETS, score
from benchmarks.explore.shape import BUDGET as SHAPE_BUDGET
from benchmarks.explore.shape import Shape
from benchmarks.explore.sides import Packs, Side, confidence
from benchmarks.explore.suite import Question, Suite


@dataclass(frozen=True, slots=True)
class QuestionScore:
    """One side's result for one question: the measures and the number of items, by budget."""

    question: Question
    measures: dict[int, dict[str, float]]
    items: dict[int, int]


@dataclass(slots=True)
class PackStats:
    """Our packs: their shape, and the grades of questions asked of their own repository and of another one."""

    shape: Shape = field(default_factory=Shape)
    right: Counter[str] = field(default_factory=Counter)
    elsewhere: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Run:
    side: str
    scores: tuple[QuestionScore, ...]

    def empty(self, budget_chars: int) -> int:
        """The number of questions for which nothing is shown within a budget."""
        return sum(not one.items[budget_chars] for one in self.scores)

    def values(
        self, name: str, budget_chars: int, includes: Callable[[Question], bool] = lambda _one: True
    ) -> dict[str, list[float]]:
        """Repository -> a measure's values, one per question."""
        values: dict[str, list[float]] = {}
        for one in self.scores:
            if includes(one.question):
                values.setdefault(one.question.repository, []).append(one.measures[budget_chars][name])
        return values


def run(suite: Suite, sides: Sequence[Side], *, quiet: bool = False) -> tuple[list[Run], PackStats]:
    """Run every side on every repository, in turns. The statistics are those of our own side, if it takes part."""
    scores: dict[str, list[QuestionScore]] = {side.name: [] for side in sides}
    stats = PackStats()
    for number, repository in enumerate(suite.repositories):
        for side in sides:
            side.open(repository)
            scores[side.name] += [ask(side, question) for question in repository.questions]
            if isinstance(side, Packs):
                count(side, suite, number, stats)
        if not quiet:
            print(_progress(repository.name, scores), file=sys.stderr)
    return [Run(name, tuple(rows)) for name, rows in scores.items()], stats


def ask(side: Side, question: Question) -> QuestionScore:
    """One question at every budget, of the repository that the side has opened last."""
    measures, items = {}, {}
    for budget in BUDGETS:
        lines, items[budget] = side.shown(question.query, budget)
        measures[budget] = score(lines, question)
    return QuestionScore(question, measures, items)


def count(packs: Packs, suite: Suite, number: int, stats: PackStats) -> None:
    """Count shapes and grades of the packs of repository `number`, for its own questions and those of another one."""
    repository = suite.repositories[number]
    for question in repository.questions:
        answer = packs.ask(question.query, SHAPE_BUDGET)
        stats.right[confidence(answer)] += 1
        stats.shape.add(question.query, answer.data.items if answer else (), repository.root)
    for question in _others(suite, number):
        stats.elsewhere[confidence(packs.ask(question.query, SHAPE_BUDGET))] += 1


def _others(suite: Suite, number: int) -> Iterable[Question]:
    """The questions of the repository half a suite away: each is asked elsewhere once, in a suite of two or more."""
    away = (number + len(suite.repositories) // 2) % len(suite.repositories)
    return suite.repositories[away].questions if away != number else ()


def _progress(repository: str, scores: dict[str, list[QuestionScore]]) -> str:
    parts = []
    for name, rows in scores.items():
        values = [one.measures[BUDGETS[-2]]["cover"] for one in rows if one.question.repository == repository]
        parts.append(f"{name} {sum(values) / max(1, len(values)):.3f}")
    return f"{repository}: cover at {BUDGETS[-2]:,} characters, {', '.join(parts)}"
