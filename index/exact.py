"""Exact answers: the query is the name of a symbol or the path of a file."""

from __future__ import annotations

from typing import NamedTuple

from index.columns import Array
from index.corpus import Corpus
from index.definitions import definitions, named_definitions
from index.query import Query
from index.spelling import symbol_of

_CONSTRUCTORS = frozenset({"__init__", "constructor", "new", "init", "initialize", "__construct"})


class Exact(NamedTuple):
    """A chunk that was asked for, and the ranges of its lines that the asking is about."""

    chunk: int
    lines: tuple[tuple[int, int], ...] = ()


def exact_hits(corpus: Corpus, query: Query, file_points: Array, allowed: Array) -> tuple[list[Exact], str]:
    """(chunks in order, why): path hits by line; symbol hits in the order of `definitions`."""
    if query.path:
        found = [Exact(chunk) for chunk in _path_hits(corpus, query, allowed)]
        if found:
            return found, "path"
    if symbol := query.symbol or symbol_of(query.text):
        found = _symbol_hits(corpus, symbol, file_points, allowed)
        if found:
            return found, "symbol"
    if named := _named_hits(corpus, query, file_points, allowed):
        return named, "named"
    return [], ""


def _named_hits(corpus: Corpus, query: Query, file_points: Array, allowed: Array) -> list[Exact]:
    """What the names among the words of a query stand for."""
    lines: dict[int, list[tuple[int, int]]] = {}
    for one in named_definitions(corpus, query.text, allowed, file_points) if query.kind == "words" else ():
        lines.setdefault(one.chunk, []).append(one.signature)
    return [Exact(chunk, tuple(sorted(set(own)))) for chunk, own in lines.items()]


def _path_hits(corpus: Corpus, query: Query, allowed: Array) -> list[int]:
    file = _file_of(corpus, query.path)
    if file is None or not allowed[file]:
        return []
    first = int(corpus.first_chunk[file])
    chunks = [chunk for chunk in range(first, first + int(corpus.chunk_counts[file])) if corpus.shown[chunk]]
    if query.line is None:
        return chunks
    starts, ends = (corpus.snapshot.segment.array(f"chunk.{side}_line") for side in ("start", "end"))
    line = query.line
    # The chunk at the line, then its neighbours by distance.
    return sorted(chunks, key=lambda chunk: (max(int(starts[chunk]) - line, line - int(ends[chunk]), 0), chunk))


def _file_of(corpus: Corpus, path: str) -> int | None:
    """The file with this path, or the only one whose path ends with it."""
    paths = corpus.snapshot.strings("file.path")
    number = paths.find(path)
    if number >= 0:
        return number
    ending = "/" + path.lstrip("/")
    found = [number for number, known in enumerate(paths.to_list()) if known.endswith(ending)]
    return found[0] if len(found) == 1 else None


def _symbol_hits(corpus: Corpus, symbol: str, file_points: Array, allowed: Array) -> list[Exact]:
    """The definitions of a name with the rest of each, and how a class is made; each with its own line."""
    lines: dict[int, list[tuple[int, int]]] = {}
    for one in definitions(corpus, symbol, allowed, file_points):
        lines.setdefault(one.chunk, []).append(one.signature)
    shown: dict[int, Exact] = {}
    for chunk, own in lines.items():
        shown[chunk] = Exact(chunk, tuple(sorted(set(own))))
        for other in (*_continued(corpus, chunk), *_constructors(corpus, chunk)):
            if other not in lines:
                shown.setdefault(other, Exact(other))
    return list(shown.values())


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
