"""Compares our edges with the edges that a tool for the language finds in the same code."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from index.generation.reader import Snapshot
from index.graph.edges import Edges

# Our labels for each kind of edge of the tools.
KINDS = {"calls": ("calls",), "extends": ("extends", "implements"), "uses": ("uses",)}


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of edges of one kind: ours, our right ones, ours without an answer of the tool; the tool's, and the tool's
    that match ours."""

    ours: int = 0
    right: int = 0
    unjudged: int = 0
    theirs: int = 0
    matches: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def precision(self) -> float:
        """The share of our edges that are right; an edge without an answer of the tool counts as wrong."""
        return self.right / self.ours if self.ours else 0.0

    @property
    def judged_precision(self) -> float:
        """The share that is right of our edges for which the tool has an answer."""
        count = self.ours - self.unjudged
        return self.right / count if count else 0.0

    @property
    def recall(self) -> float:
        return self.matches / self.theirs if self.theirs else 0.0


class Symbols:
    """Looks up the nodes of a snapshot's graph by place."""

    def __init__(self, snapshot: Snapshot) -> None:
        segment = snapshot.segment
        self.paths = segment.strings("file.path").to_list()
        self.file = {path: number for number, path in enumerate(self.paths)}
        self.names = [segment.names[int(name)] for name in segment.array("definition.name")]
        self.qualified = [segment.names[int(name)] for name in segment.array("definition.qualified")]
        self.line, self.start, self.end = (
            segment.array(f"definition.{part}").tolist() for part in ("line", "start_line", "end_line")
        )
        self.rows = segment.rows["definition"].tolist()
        self.definitions = int(self.rows[-1])
        self.edges = Edges.of(snapshot, "symbol_edge", "out")
        self.home = np.repeat(np.arange(len(self.paths)), np.diff(segment.rows["definition"])).tolist()
        # The declarations of one function (overloads, an implementation) are one symbol.
        first: dict[tuple[int, str], int] = {}
        self.one = [first.setdefault(key, row) for row, key in enumerate(zip(self.home, self.qualified, strict=True))]
        self.one += range(self.definitions, self.definitions + len(self.paths))

    def around(self, path: str, line: int) -> int:
        """The innermost symbol around a line, or the file's own node."""
        file = self.file[path]
        inside = [
            row for row in range(self.rows[file], self.rows[file + 1]) if self.start[row] <= line <= self.end[row]
        ]
        if not inside:
            return self.definitions + file
        return self.one[min(inside, key=lambda row: (self.end[row] - self.start[row], -row))]

    def at(self, path: str, line: int, name: str) -> int | None:
        """The symbol that is defined on a line, preferably the one with this name."""
        file = self.file.get(path)
        if file is None:
            return None
        rows = range(self.rows[file], self.rows[file + 1])
        first = bisect.bisect_left(rows, line, key=lambda row: self.line[row])
        here = [row for row in rows[first:] if self.line[row] == line] if first < len(rows) else []
        here = here or [row for row in rows if self.line[row] == line]
        here = here or [row for row in rows if self.start[row] <= line <= self.end[row] and self.names[row] == name]
        best = min(here, key=lambda row: (self.names[row] != name, row), default=None)
        return None if best is None else self.one[best]

    def out_of(self, symbol: int, kind: str) -> set[tuple[int, int]]:
        """The edges of all declarations of a symbol."""
        if symbol >= self.definitions:
            return self.out(symbol, KINDS[kind])
        rows = range(self.rows[self.home[symbol]], self.rows[self.home[symbol] + 1])
        return set().union(*(self.out(row, KINDS[kind]) for row in rows if self.one[row] == symbol))

    def out(self, node: int, labels: Sequence[str]) -> set[tuple[int, int]]:
        """The edges of a node by these labels."""
        return {
            (self.one[node], self.one[other])
            for other, label in self.edges.neighbours(node)
            if label in labels and other < self.definitions
        }


def compare(snapshot: Snapshot, truth: Iterable[Sequence[Any]]) -> dict[str, Score]:
    """Scores by kind of edge, for the files in the truth; edges from a symbol to itself are left out.

    A row of the truth is [kind, file, line, name, [[file, line], ...]] as the `*_truth` scripts print it.
    """
    symbols = Symbols(snapshot)
    truth_references: dict[str, set[tuple[int, str, tuple[Any, ...]]]] = {kind: set() for kind in KINDS}
    edges: dict[str, set[tuple[int, int]]] = {kind: set() for kind in KINDS}
    references: dict[str, set[tuple[int, str]]] = {kind: set() for kind in KINDS}
    files: set[int] = set()
    for kind, file, line, name, targets in truth:
        if file not in symbols.file:
            continue
        files.add(symbols.file[file])
        source = symbols.around(file, line)
        references[kind].add((source, name))
        if not targets:
            continue
        rows = {symbols.at(path, at, name) for path, at in targets}
        if source in rows:
            continue
        truth_references[kind].add((source, name, tuple(sorted(tuple(target) for target in targets))))
        edges[kind] |= {(source, row) for row in rows if row is not None}
    return {kind: _score(symbols, kind, truth_references[kind], edges[kind], references[kind], files) for kind in KINDS}


def _score(
    symbols: Symbols,
    kind: str,
    truth_references: set[tuple[int, str, tuple[Any, ...]]],
    edges: set[tuple[int, int]],
    references: set[tuple[int, str]],
    files: set[int],
) -> Score:
    ours: set[tuple[int, int]] = set()
    for node in range(symbols.definitions + len(symbols.paths)):
        file = symbols.home[node] if node < symbols.definitions else node - symbols.definitions
        if file in files:
            ours |= {(source, target) for source, target in symbols.out(node, KINDS[kind]) if source != target}
    matches = sum(
        any((source, symbols.at(path, line, name)) in ours for path, line in targets)
        for source, name, targets in truth_references
    )
    right = len(ours & edges)
    unjudged = sum((source, symbols.names[target]) not in references for source, target in ours - edges)
    return Score(len(ours), right, unjudged, len(truth_references), matches)


def differences(snapshot: Snapshot, truth: Sequence[Sequence[Any]], kind: str) -> list[str]:
    """The missing and the wrong edges, one line each, for a reader."""
    symbols = Symbols(snapshot)
    lines: set[str] = set()
    files = {row[1] for row in truth}
    answers: dict[tuple[int, str], set[int | None]] = {}
    for _, file, line, name, targets in (row for row in truth if row[0] == kind and row[1] in symbols.file):
        source = symbols.around(file, line)
        rows = {symbols.at(path, at, name) for path, at in targets}
        answers.setdefault((source, name), set()).update(rows)
        if targets and source not in rows and not any((source, row) in symbols.out_of(source, kind) for row in rows):
            lines.add(
                f"missed {file}:{line} {name} -> {targets[0][0]}:{targets[0][1]}{' (no symbol)' * (None in rows)}"
            )
    for node in range(symbols.definitions):
        if symbols.paths[symbols.home[node]] in files:
            for source, target in symbols.out(node, KINDS[kind]):
                answer = answers.get((source, symbols.names[target]))
                if source != target and (answer is None or target not in answer):
                    where, place = symbols.paths[symbols.home[node]], symbols.paths[symbols.home[target]]
                    lines.add(
                        f"{'no answer' if answer is None else 'wrong'} {where}:{symbols.qualified[node]} -> "
                        f"{place}:{symbols.line[target]} {symbols.qualified[target]}"
                    )
    return sorted(lines)
