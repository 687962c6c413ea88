"""Exact answers: the query points at lines, is or holds the name of a symbol, or holds literal text.

A message, a command or a header stands in a query as in a string or a comment. Its words are common and its names are
none, so no signal finds it; the text itself does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from index.collection.collection import Collection
from index.collection.reader import Lines
from index.search.definitions import Definition, definitions, named_definitions
from index.search.places.locations import Location, Locations
from index.search.query import Query
from index.search.spelling import symbol_of
from index.segment.columns import Array
from index.text import terms_of_text
from index.types import ChunkId, FileId

_CONSTRUCTORS = frozenset({"__init__", "constructor", "new", "init", "initialize", "__construct"})
# In double quotes or backticks, or two and more words in capitals: "connection reset", `max-age=0`, SHOW CLIENTS.
_MARKED = re.compile(r"[\"“]([^\"”\n]{3,200})[\"”]|`([^`\n]{3,200})`|\b([A-Z][A-Z0-9_]+(?:[ -][A-Z][A-Z0-9_]+)+)\b")
_UNUSUAL = re.compile(r"[^\w\s?]")
# The words of a query that may be literal as a whole; fewer are a topic unless a sign is among them.
WHOLE_WORDS = range(4, 13)
PROSE = 2
MOST_CHUNKS = 4  # that hold a text which says where the answer is; what stands in more says nothing
MOST_READ = 2_000  # chunks that hold all words and are read


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
            *literal_hits(collection, query, file_points, allowed),
        ]
    named = _named_hits(collection, query, file_points, allowed) if located.quoted else []
    places = {hit.chunk for hit in located.hits}
    return [*located.hits, *(hit for hit in named if hit.chunk not in places)]


def _named_hits(collection: Collection, query: Query, file_points: Array, allowed: Array) -> list[Location]:
    """The definitions of the names among the words of a query."""
    named = named_definitions(collection, query.text, allowed, file_points) if query.kind == "words" else []
    return _signatures(named, "named")


def _signatures(matches: Sequence[Definition], why: str) -> list[Location]:
    """The chunks of definitions, each once, with the lines of their signatures."""
    lines: dict[ChunkId, set[Lines]] = {}
    for one in matches:
        lines.setdefault(one.row.chunk, set()).add(one.signature)
    return [Location(chunk, tuple(sorted(own)), why) for chunk, own in lines.items()]


def _symbol_hits(collection: Collection, symbol: str, file_points: Array, allowed: Array) -> list[Location]:
    """The definitions of a name with the rest of each, and how a class is made; each with its own line."""
    hits = _signatures(definitions(collection, symbol, allowed, file_points), "symbol")
    own = {hit.chunk for hit in hits}
    shown: dict[ChunkId, Location] = {}
    for hit in hits:
        shown[hit.chunk] = hit
        later_parts = map(ChunkId, range(hit.chunk + 1, collection.parts_of(hit.chunk).stop))
        for other in (*later_parts, *_constructors(collection, hit.chunk)):
            if other not in own:
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


def literals(query: Query) -> list[str]:
    """The texts to look for, as written, without repeats."""
    marked = [next(filter(None, match)) for match in _MARKED.findall(query.text)]
    words = len(query.text.split())
    whole = query.kind == "words" and (
        words in WHOLE_WORDS or (1 < words < WHOLE_WORDS.start and _UNUSUAL.search(query.text))
    )
    return list(dict.fromkeys((*marked, query.text) if whole else marked))


def literal_hits(collection: Collection, query: Query, file_points: Array, allowed: Array) -> list[Location]:
    """The chunks that hold a literal text of the query, with its lines, by the points of the file.

    Tests count where no other code holds the text, prose where no code does; in a report of a fault, prose never does:
    it quotes the commands that a manual shows.
    """
    is_report = len(query.text.split()) >= WHOLE_WORDS.stop
    hits: dict[ChunkId, Location] = {}
    for text in literals(query):
        by_kind: dict[int, list[Location]] = {}
        for hit in _holders(collection, text, allowed):
            kind = _kind(collection, hit.chunk)
            if kind < PROSE or not is_report:
                by_kind.setdefault(kind, []).append(hit)
        best = by_kind[min(by_kind)] if by_kind else []
        if len(best) <= MOST_CHUNKS:
            best.sort(key=lambda hit: (-float(file_points[collection.chunks.file[hit.chunk]]), hit.chunk))
            for hit in best:
                hits.setdefault(hit.chunk, hit)
    return list(hits.values())


def _kind(collection: Collection, chunk: ChunkId) -> int:
    """0 for code, 1 for tests and what stands aside, PROSE."""
    file = collection.chunks.file[chunk]
    if collection.static["prose"][file]:
        return PROSE
    return int(bool(collection.static["test"][file] or collection.static["aside"][file]))


def _holders(collection: Collection, text: str, allowed: Array) -> list[Location]:
    """The chunks that hold a text, with its lines; none where too many hold its words."""
    lexical = collection.lexical
    numbers = lexical.numbers_of(list(dict.fromkeys(terms_of_text(text))))
    if not numbers or min(numbers) < 0:
        return []
    postings = sorted((lexical.fields["body"].of(number) for number in numbers), key=len)
    chunks = postings[0]
    for more in postings[1:] if len(chunks) else ():
        chunks = chunks[more.take(more.searchsorted(chunks), mode="clip") == chunks]
    chunks = chunks[allowed[collection.chunks.file[chunks]]]
    if len(chunks) > MOST_READ:
        return []
    wanted = text.encode()
    hits = ((chunk, _lines(collection, chunk, wanted)) for chunk in map(ChunkId, chunks.tolist()))
    return [Location(chunk, lines, "literal") for chunk, lines in hits if lines]


def _lines(collection: Collection, chunk: ChunkId, wanted: bytes) -> tuple[Lines, ...]:
    chunks = collection.cells
    body = collection.files.bytes_of(FileId(chunks.file[chunk]), chunks.start_byte[chunk], chunks.end_byte[chunk])
    places = [match.start() for match in re.finditer(re.escape(wanted), body)]
    numbers = dict.fromkeys(chunks.start_line[chunk] + body.count(b"\n", 0, place) for place in places)
    return tuple((number, number) for number in numbers)
