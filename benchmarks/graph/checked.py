"""Edges that people looked at, where no tool answers: `checked.json` says which of them were right.

Each entry is [file, line, name, target file, target line, right], drawn at random from the calls of one repository.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.graph.compare import Symbols
from chunker.kinds import REFERENCE_KINDS
from index.snapshot import Snapshot

CHECKED = Path(__file__).with_name("checked.json")


@dataclass(frozen=True, slots=True)
class Checked:
    """Of the edges looked at: how many we have today, how many of those are right, how many right ones there are."""

    language: str
    looked_at: int
    held: int
    right: int
    known_right: int

    def __add__(self, other: Checked) -> Checked:
        counts = (getattr(self, name) + getattr(other, name) for name in self.__slots__[1:])
        return Checked(self.language, *counts)


def entries() -> Iterator[dict[str, Any]]:
    """Language, repository, commit and edges of each tree."""
    yield from json.loads(CHECKED.read_text("utf-8"))


def check(snapshot: Snapshot, language: str, edges: list[list[Any]]) -> Checked:
    """How today's calls stand to the ones that were looked at."""
    held = set(_calls(snapshot))
    mine = [(tuple(edge[:5]), bool(edge[5])) for edge in edges]
    return Checked(
        language,
        looked_at=len(mine),
        held=sum(edge in held for edge, _ in mine),
        right=sum(edge in held and right for edge, right in mine),
        known_right=sum(right for _, right in mine),
    )


def _calls(snapshot: Snapshot) -> Iterator[tuple[str, int, str, str, int]]:
    symbols, segment = Symbols(snapshot), snapshot.segment
    references = snapshot.array("bound/reference")
    file = np.searchsorted(segment.rows["reference"], references, side="right") - 1
    call = segment.array("reference.kind")[references] == REFERENCE_KINDS.index("call")
    line = segment.array("reference.line")[references]
    definition = snapshot.array("bound/definition")
    for at in np.flatnonzero(call).tolist():
        target = int(definition[at])
        yield (
            symbols.paths[int(file[at])], int(line[at]), symbols.names[target],
            symbols.paths[symbols.home[target]], symbols.line[target],
        )  # fmt: skip
