"""What may go into a turn pack: entries of its fields, with the forms that they shrink to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from context_pack.core.candidate import Candidate
from context_pack.core.ladder import Climber, Form
from contracts.records import Why

EXCERPT, SUMMARY, REFERENCE = "excerpt", "summary", "reference"
RUNGS = (EXCERPT, SUMMARY, REFERENCE)
Json = Mapping[str, Any]

# What an entry of each field keeps on each rung; the last one is the bare reference.
_KEPT: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "docRefs": (
        (EXCERPT, ("path", "anchors", "excerpt", "priority")),
        (SUMMARY, ("path", "anchors", "priority")),
        (REFERENCE, ("path", "priority")),
    ),
    "relevantFiles": (
        (EXCERPT, ("path", "purpose", "excerpt", "hash")),
        (SUMMARY, ("path", "purpose", "hash")),
        (REFERENCE, ("path", "hash")),
    ),
    "artifacts": (
        (EXCERPT, ("ref", "type", "summary", "sha256")),
        (REFERENCE, ("ref", "type")),
    ),
    "decisions": ((EXCERPT, ("id", "summary", "rationale", "links")), (REFERENCE, ("id", "summary"))),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list field, or the value of an object field (`key` is empty).

    `digest` is `sha256:<hex>` of the file that it comes from, where its value does not say so itself.
    """

    field: str
    key: str
    value: Any
    source: str
    digest: str = ""

    @property
    def id(self) -> str:
        return f"{self.field}:{self.key}" if self.key else self.field


def climber(
    entry: Entry, why: Sequence[Why], points: float = 0.0, *, stays: bool = False, whole: bool = False,
    summary: str = "",
) -> Climber[Entry]:  # fmt: skip
    """An entry with its forms. `whole`: it has no smaller one. `summary` stands for an artifact's longer one."""
    candidate = Candidate(entry.id, entry, points, tuple(why))
    forms = (Form(REFERENCE, entry),) if whole or entry.field not in _KEPT else tuple(_forms(entry, summary))
    return Climber(candidate, forms, stays or whole)


def _forms(entry: Entry, summary: str) -> Iterable[Form[Entry]]:
    seen: list[Any] = []
    for rung, keys in _kept(entry, summary):
        value = {key: entry.value[key] for key in keys if key in entry.value}
        if rung == SUMMARY and summary:
            value["summary"] = summary
        if value not in seen:
            seen.append(value)
            yield Form(rung, Entry(entry.field, entry.key, value, entry.source))


def _kept(entry: Entry, summary: str) -> Sequence[tuple[str, tuple[str, ...]]]:
    rungs = _KEPT[entry.field]
    if summary:
        return (rungs[0], (SUMMARY, ("ref", "type", "sha256")), *rungs[1:])
    return rungs


def reason(name: str, detail: str = "", points: float = 0.0, signal: float = 1.0) -> Why:
    return Why(name, round(signal, 6), round(points, 6), detail)
