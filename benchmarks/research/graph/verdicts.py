"""Edges that people checked, for languages without a tool: `checked/<language>.json` says which are right.

A file is a list of samples, one for each repository at its commit:

- `edges` and `bases`, drawn from our own calls and base classes: [file, line, name, target file, target line, right];
- `sites`, drawn from all calls in the text, bound or not: [file, line, name, [[target file, target line], ...]]. Any of
  the targets is right; the list is empty where the tree does not define the callee, or only run time decides it.

`draw.py` draws them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.research.graph.compare import Symbols
from chunker.kinds import REFERENCE_KINDS
from index.generation.reader import Snapshot

FOLDER = Path(__file__).with_name("checked")

Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class VerdictCounts:
    """Counts of checked edges: all, those that we have today, and how many of these are right; the same for bases.
    Counts of checked calls: all, those with a target in the tree, and those that we bind to it."""

    language: str
    edges: int = 0
    edges_present: int = 0
    edges_right: int = 0
    bases: int = 0
    bases_right: int = 0
    sites: int = 0
    sites_in_tree: int = 0
    sites_bound: int = 0

    def __add__(self, other: VerdictCounts) -> VerdictCounts:
        counts = (getattr(self, name) + getattr(other, name) for name in self.__slots__[1:])
        return VerdictCounts(self.language, *counts)


@dataclass(frozen=True, slots=True)
class Binding:
    """A reference and one definition that it is bound to; `name` is the name of the definition."""

    file: str
    line: int
    reference_name: str
    name: str
    target: Place

    @property
    def edge(self) -> tuple[str, int, str, str, int]:
        return (self.file, self.line, self.name, *self.target)


def entries() -> Iterator[dict[str, Any]]:
    """Language, repository, commit and the checked samples of each tree."""
    for file in sorted(FOLDER.glob("*.json")):
        for sample in json.loads(file.read_text("utf-8")):
            yield {"language": file.stem, **sample}


def check(snapshot: Snapshot, language: str, sample: Mapping[str, Any]) -> VerdictCounts:
    """Compare today's edges with the checked ones."""
    calls = list(bindings(snapshot, "call"))
    edges = _verdicts(sample.get("edges", ()), {one.edge for one in calls})
    bases = _verdicts(
        sample.get("bases", ()), {one.edge for one in bindings(snapshot, "base")} if "bases" in sample else set()
    )
    targets_at: dict[tuple[str, int, str], set[Place]] = {}
    for one in calls:
        targets_at.setdefault((one.file, one.line, one.reference_name), set()).add(one.target)
    sites = [
        ((file, line, name), {(path, at) for path, at in targets})
        for file, line, name, targets in sample.get("sites", ())
    ]
    return VerdictCounts(
        language,
        edges=len(sample.get("edges", ())),
        edges_present=len(edges),
        edges_right=sum(edges),
        bases=len(bases),
        bases_right=sum(bases),
        sites=len(sites),
        sites_in_tree=sum(bool(targets) for _, targets in sites),
        sites_bound=sum(not targets.isdisjoint(targets_at.get(place, ())) for place, targets in sites),
    )


def _verdicts(rows: Any, today: set[tuple[str, int, str, str, int]]) -> list[bool]:
    """For each edge that we have today, whether it is right."""
    return [bool(row[5]) for row in rows if tuple(row[:5]) in today]


def bindings(snapshot: Snapshot, kind: str) -> Iterator[Binding]:
    """Every bound reference of a kind with its definition; a macro is called, too."""
    symbols, segment = Symbols(snapshot), snapshot.segment
    references = snapshot.array("bound/reference")
    file = np.searchsorted(segment.rows["reference"], references, side="right") - 1
    numbers = [REFERENCE_KINDS.index(one) for one in {"call": ("call", "macro")}.get(kind, (kind,))]
    mine = np.isin(segment.array("reference.kind")[references], numbers)
    line = segment.array("reference.line")[references]
    reference_name = segment.array("reference.name")[references]
    definition = snapshot.array("bound/definition")
    for at in np.flatnonzero(mine).tolist():
        target = int(definition[at])
        yield Binding(
            symbols.paths[int(file[at])], int(line[at]), segment.names[int(reference_name[at])], symbols.names[target],
            (symbols.paths[symbols.home[target]], symbols.line[target]),
        )  # fmt: skip
