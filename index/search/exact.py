"""Exact answers: the query points at lines, or is or holds the name of a symbol."""

from __future__ import annotations

from index.collection.collection import Collection
from index.collection.file_lines import Lines
from index.search.literals import literal_hits
from index.search.names.definitions import definitions, named_definitions
from index.search.names.spelling import symbol_of
from index.search.places.locations import Location, Locations
from index.search.query import Query
from index.segment.columns import Array
from index.types import ChunkId

_CONSTRUCTORS = frozenset({"__init__", "constructor", "new", "init", "initialize", "__construct"})


def exact_hits(
    collection: Collection, query: Query, located: Locations | None, file_points: Array, allowed: Array
) -> list[Location]:
    """The places that a query points at come before what it names.

    A place or a trace stands for its lines alone; the names in a question that quotes an error come behind them.
    """
    if located is None or not (located.hits or located.trace):
        symbol = query.symbol or symbol_of(query.text)
        hits = _symbol_hits(collection, symbol, file_points, allowed) if symbol else []
        return hits or [
            *_named_hits(collection, query, file_points, allowed),
            *_literal_hits(collection, query, file_points, allowed),
        ]
    named = _named_hits(collection, query, file_points, allowed) if located.quoted else []
    places = {hit.chunk for hit in located.hits}
    return [*located.hits, *(hit for hit in named if hit.chunk not in places)]


def _named_hits(collection: Collection, query: Query, file_points: Array, allowed: Array) -> list[Location]:
    """The definitions of the names among the words of a query."""
    lines: dict[ChunkId, list[Lines]] = {}
    for one in named_definitions(collection, query.text, allowed, file_points) if query.kind == "words" else ():
        lines.setdefault(one.row.chunk, []).append(one.signature)
    return [Location(chunk, tuple(sorted(set(own))), "named") for chunk, own in lines.items()]


def _literal_hits(collection: Collection, query: Query, file_points: Array, allowed: Array) -> list[Location]:
    return [Location(chunk, lines, "literal") for chunk, lines in literal_hits(collection, query, allowed, file_points)]


def _symbol_hits(collection: Collection, symbol: str, file_points: Array, allowed: Array) -> list[Location]:
    """The definitions of a name with the rest of each, and how a class is made; each with its own line."""
    lines: dict[ChunkId, list[Lines]] = {}
    for one in definitions(collection, symbol, allowed, file_points):
        lines.setdefault(one.row.chunk, []).append(one.signature)
    shown: dict[ChunkId, Location] = {}
    for chunk, own in lines.items():
        shown[chunk] = Location(chunk, tuple(sorted(set(own))), "symbol")
        later_parts = map(ChunkId, range(chunk + 1, collection.parts_of(chunk).stop))
        for other in (*later_parts, *_constructors(collection, chunk)):
            if other not in lines:
                shown.setdefault(other, Location(other, (), "symbol"))
    return list(shown.values())


def _constructors(collection: Collection, chunk: ChunkId) -> list[ChunkId]:
    """How a class is made, when its header stands without it: what a reader of the class wants next."""
    names, symbol = collection.snapshot.segment.names, collection.cells.symbol
    if symbol[chunk] < 0:
        return []
    constructors = {*_CONSTRUCTORS, names[symbol[chunk]].rpartition(".")[2]}
    inside = (ChunkId(other) for other, label in collection.edges_out.neighbours(chunk) if label == "contains")
    members = (other for other in inside if symbol[other] >= 0)
    return [other for other in members if names[symbol[other]].rpartition(".")[2] in constructors][:1]
