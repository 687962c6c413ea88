"""A packet while it is built: the project, the task, and notes for the reader about each slot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from context_pack.core.fit import Candidate
from context_pack.kinds import code_of
from context_pack.kinds.task.project import Project
from context_pack.kinds.task.tasks import Task
from context_pack.redaction import Redactor
from contracts.frozen import frozen
from contracts.records import Hint, Why
from contracts.task import Shown, Withheld

if TYPE_CHECKING:
    from index import Index

Lines = tuple[str, ...]  # of a document; they belong together and are never separated


@frozen
class Digest:
    """Lines taken from a document, their parts, and the names of the parts that a limit left out."""

    text: str
    parts: tuple[Candidate[Lines], ...] = ()
    left_out: tuple[str, ...] = ()


def candidate(name: str, item: Any, *why: tuple[str, str]) -> Candidate[Any]:
    """A part of a slot with its reasons (name, detail), which have no points: a part is in the slot or it is not."""
    return Candidate(name, item, 0.0, tuple(Why(one, 1.0, 0.0, detail) for one, detail in why))


def fit_lines(parts: Iterable[Candidate[Lines]], limit: int, head: Lines = (), gap: int = 0) -> Digest:
    """The head and as many parts as fit into `limit` lines, in their order, with `gap` blank lines between them.

    A part that does not fit is left out, and the next one is tried.
    """
    room = limit + gap - len(head)
    shown: list[Candidate[Lines]] = []
    left_out: list[str] = []
    for part in parts:
        if len(part.item) + gap <= room:
            shown.append(part)
            room -= len(part.item) + gap
        else:
            left_out.append(part.id)
    text = ("\n" * (gap + 1)).join([*head, *("\n".join(part.item) for part in shown)])
    return Digest(text, tuple(shown), tuple(left_out))


@dataclass
class Draft:
    """The packet's sources, and the hints, the shown parts and the withheld parts so far."""

    project: Project
    task: Task
    redactor: Redactor
    hints: list[Hint] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    withheld: list[Withheld] = field(default_factory=list)

    @cached_property
    def index(self) -> Index | None:
        """The index, brought up to date on first use; None, with a hint, if that is not possible."""
        return code_of(self.project.root, self.hints)

    def document(self, slot: str, *places: str) -> tuple[str, str]:
        """(place, text) of the first document that exists; both empty, with a hint, if there is none."""
        document = self.project.text(*places)
        if document is None:
            self.missing(slot, places[0])
        return document or ("", "")

    def warn(self, text: str) -> None:
        self.hints.append(Hint("warn", text))

    def inform(self, text: str) -> None:
        self.hints.append(Hint("info", text))

    def missing(self, slot: str, *places: str) -> None:
        self.inform(f"{slot} is empty: there is no {' and no '.join(places)}")

    def show(self, slot: str, parts: Sequence[Candidate[Any]]) -> list[Any]:
        """The items of a slot; their reasons are recorded."""
        for part in parts:
            why = tuple(replace(one, detail=self.redactor.name(one.detail)) for one in part.why)
            self.shown.append(Shown(slot, self.redactor.name(part.id), why))
        return [part.item for part in parts]

    def digest(self, slot: str, digest: Digest, place: str, limit: int) -> str:
        """A digest's text without secrets; the parts that the limit left out become a hint and records."""
        self.show(slot, digest.parts)
        names = [self.redactor.name(name) for name in digest.left_out]
        self.withheld += [Withheld(slot, name, f"{limit} lines") for name in names]
        if names:
            listed = ", ".join(names[:10]) + (" ..." if len(names) > 10 else "")
            self.warn(f"{slot}: {len(names)} left out by the limit of {limit} lines: {listed}")
        return self.redactor.text(digest.text, place)
