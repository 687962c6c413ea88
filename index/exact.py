"""Exact answers: the query is the name of a symbol."""

from __future__ import annotations

import numpy as np

from chunker.kinds import KINDS
from index.columns import Array
from index.corpus import Corpus
from index.query import Query

# Which definition of a name a reader means first: the type rather than a method that happens to share its name.
_CONSTRUCTORS = frozenset({"__init__", "constructor", "new", "init", "initialize", "__construct"})
_KIND_ORDER = {
    kind: number
    for number, kind in enumerate(
        "class struct interface trait enum type function macro method const variable module impl section block".split()
    )
}


def exact_hits(corpus: Corpus, query: Query, file_points: Array, allowed: Array) -> tuple[list[int], str]:
    """(chunks in order, why): symbol hits by test path, kind, file points, position."""
    if query.symbol:
        found = _symbol_hits(corpus, query.symbol, file_points, allowed)
        if found:
            return found, "symbol"
    return [], ""


def _symbol_hits(corpus: Corpus, symbol: str, file_points: Array, allowed: Array) -> list[int]:
    segment = corpus.snapshot.segment
    names = segment.names
    qualifier, _, name = symbol.rpartition(".")
    number = names.find(name)
    if number < 0:
        return []
    rows = np.flatnonzero(segment.array("definition.name") == number)
    if qualifier:
        qualified = segment.array("definition.qualified")
        rows = np.array([row for row in rows.tolist() if _ends_with(names[int(qualified[row])], symbol)], np.int64)
    if not len(rows):
        return []
    chunk = segment.absolute("definition", "chunk", "chunk")[rows]
    file = corpus.chunk_file[chunk]
    kind = segment.array("definition.kind")[rows]
    part = segment.array("chunk.part")[chunk]
    best: dict[int, tuple[float, ...]] = {}
    for row in range(len(rows)):
        number = int(chunk[row])
        if not allowed[file[row]] or part[row]:
            continue
        key = (
            float(corpus.static["test"][file[row]]),
            float(_KIND_ORDER[KINDS[kind[row]]]),
            -round(float(file_points[file[row]]), 6),
        )
        best[number] = min(best.get(number, key), key)
    found = sorted(best, key=lambda number: (*best[number], number))
    shown = [
        chunk for number in found for chunk in (number, *_continued(corpus, number), *_constructors(corpus, number))
    ]
    return list(dict.fromkeys(shown))


def _constructors(corpus: Corpus, chunk: int) -> list[int]:
    """How a class is made, when its header stands without it: what a reader of the class wants next."""
    segment = corpus.snapshot.segment
    names = segment.names
    own = int(segment.array("chunk.symbol")[chunk])
    if own < 0:
        return []
    last = names[own].rpartition(".")[2]
    members = [other for other, label in corpus.edges_out.neighbours(chunk) if label == "contains"]
    symbols = segment.array("chunk.symbol")
    made = [other for other in members if symbols[other] >= 0]
    return [o for o in made if names[int(symbols[o])].rpartition(".")[2] in {*_CONSTRUCTORS, last}][:1]


def _continued(corpus: Corpus, chunk: int) -> list[int]:
    """The further parts of a symbol that is too long for one chunk."""
    part = corpus.snapshot.segment.array("chunk.part")
    end = chunk + 1
    while end < corpus.chunks and part[end] == part[end - 1] + 1 and corpus.chunk_file[end] == corpus.chunk_file[chunk]:
        end += 1
    return list(range(chunk + 1, end))


def _ends_with(qualified: str, symbol: str) -> bool:
    return qualified == symbol or qualified.endswith("." + symbol)
