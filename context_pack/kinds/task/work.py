"""One packet in the making: the project, the task, and what the reader should know about each slot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from context_pack.kinds.task.code_facts import CodeFacts
from context_pack.kinds.task.digests import Digest
from context_pack.kinds.task.project import Project
from context_pack.kinds.task.slices import Slice
from context_pack.kinds.task.tasks import Task
from context_pack.redaction import Redactor
from contracts.errors import CtxpackError
from contracts.records import Hint, Why
from contracts.task import Shown, Withheld

Facts = Callable[[Path], CodeFacts]


@dataclass(slots=True)
class Work:
    """One packet in the making: what is known, what the reader should know, and why things are where they are."""

    project: Project
    task: Task
    open_facts: Facts
    redactor: Redactor = field(default_factory=Redactor)
    hints: list[Hint] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    withheld: list[Withheld] = field(default_factory=list)
    _facts: CodeFacts | None = None

    def facts(self) -> CodeFacts | None:
        """The index, opened when it is first needed; None, with a hint, when it cannot be."""
        if self._facts is None:
            try:
                self._facts = self.open_facts(self.project.root)
            except CtxpackError as error:
                self.warn(f"the index could not be asked: {error.message}")
        return self._facts

    def warn(self, text: str) -> None:
        self.hints.append(Hint("warn", text))

    def missing(self, slot: str, *places: str) -> None:
        self.hints.append(Hint("action", f"{slot} is empty: there is no {' and no '.join(places)}"))

    def nothing(self, slot: str, place: str, what: str) -> None:
        self.hints.append(Hint("info", f"{slot} is empty: {place} {what}"))

    def explain(self, slot: str, shown: Sequence[tuple[str, tuple[Why, ...]]]) -> None:
        for name, why in shown:
            clean = tuple(replace(one, detail=self.redactor.name(one.detail)) for one in why)
            self.shown.append(Shown(slot, self.redactor.name(name), clean))

    def slice(self, slot: str, found: Slice) -> list[Any]:
        self.explain(slot, [(name, why) for name, _, why in found.chosen])
        return found.values

    def digest(self, slot: str, found: Digest, place: str, limit: int) -> str:
        """A digest's text without secrets; what the limit left out is told and explained."""
        self.explain(slot, found.shown)
        names = [self.redactor.name(name) for name in found.withheld]
        self.withheld += [Withheld(slot, name, f"{limit} lines") for name in names]
        if names:
            named = ", ".join(names[:10]) + (" ..." if len(names) > 10 else "")
            self.warn(f"{slot}: {len(names)} left out by the limit of {limit} lines: {named}")
        return self.redactor.text(found.text, place)
