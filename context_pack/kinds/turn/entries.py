"""What may go into a turn pack: entries of its fields, with the forms that they shrink to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from context_pack.core.candidate import Candidate
from context_pack.core.shrink import Climber, Form
from contracts.records import Why

EXCERPT, SUMMARY, REFERENCE = RUNGS = ("excerpt", "summary", "reference")
# The lists of a pack with the key of their entries.
KEYS = {"docRefs": "path", "relevantFiles": "path", "inputs": "payloadId", "artifacts": "ref", "decisions": "id"}
# What an entry of each list keeps on each rung; the last one is the bare reference.
_KEPT = {
    "docRefs": {EXCERPT: "path anchors excerpt priority", SUMMARY: "path anchors priority", REFERENCE: "path priority"},
    "relevantFiles": {EXCERPT: "path purpose excerpt hash", SUMMARY: "path purpose hash", REFERENCE: "path hash"},
    "artifacts": {EXCERPT: "ref type summary sha256", SUMMARY: "ref type sha256", REFERENCE: "ref type"},
    "decisions": {EXCERPT: "id summary rationale links", REFERENCE: "id summary"},
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list, or the value of an object field (`key` is empty).

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


def reason(name: str, detail: str = "", points: float = 0.0, signal: float = 1.0) -> Why:
    return Why(name, round(signal, 6), round(points, 6), detail)


def shrinking(
    entry: Entry, *why: Why, points: float = 0.0, stays: bool = False, whole: bool = False, summary: str = ""
) -> Climber[Entry]:
    """An entry with its forms. `whole`: it has no smaller one. `summary` stands for an artifact's longer one."""
    only = whole or entry.field not in _KEPT
    forms = (Form(REFERENCE, entry),) if only else tuple(_forms(entry, summary))
    return Climber(Candidate(entry.id, entry, points, why), forms, stays or whole)


def _forms(entry: Entry, summary: str) -> Iterator[Form[Entry]]:
    seen: list[Any] = []
    for rung, keys in _KEPT[entry.field].items():
        value = {key: entry.value[key] for key in keys.split() if key in entry.value}
        if entry.field == "artifacts" and rung == SUMMARY:
            if not summary:
                continue
            value["summary"] = summary
        if value not in seen:
            seen.append(value)
            yield Form(rung, replace(entry, value=value, digest=""))
