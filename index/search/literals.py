"""Literal text in a query: what stands in quotes or in capitals, or a short query as a whole.

A message, a command or a header is asked for as it stands in a string or a comment. Its words are common and its names
are none, so no signal finds it; the text itself does.
"""

from __future__ import annotations

import re

from index.collection.collection import Collection
from index.collection.file_lines import Lines
from index.search.query import Query
from index.segment.columns import Array
from index.text import terms_of_text
from index.types import ChunkId, FileId

# In double quotes or backticks, or two and more words in capitals: "connection reset", `max-age=0`, SHOW CLIENTS.
_MARKED = re.compile(r"[\"“]([^\"”\n]{3,200})[\"”]|`([^`\n]{3,200})`|\b([A-Z][A-Z0-9_]+(?:[ -][A-Z][A-Z0-9_]+)+)\b")
_UNUSUAL = re.compile(r"[^\w\s?]")
WHOLE_WORDS = range(
    4, 13
)  # of a query that may be literal as a whole; fewer words are a topic unless a sign is among them
MOST_CHUNKS = 4  # that hold a text which says where the answer is; what stands in more says nothing
MOST_READ = 2_000  # chunks that hold all words and are read


def literals(query: Query) -> list[str]:
    """The texts to look for, as written, without repeats."""
    marked = [next(filter(None, match)) for match in _MARKED.findall(query.text)]
    words = len(query.text.split())
    whole = query.kind == "words" and (
        words in WHOLE_WORDS or (1 < words < WHOLE_WORDS.start and _UNUSUAL.search(query.text))
    )
    return list(dict.fromkeys((*marked, query.text) if whole else marked))


def literal_hits(
    collection: Collection, query: Query, allowed: Array, file_points: Array
) -> list[tuple[ChunkId, tuple[Lines, ...]]]:
    """The chunks that hold a literal text of the query, with its lines, by the points of the file.

    Tests count where no other code holds the text, prose where no code does.
    """
    hits: dict[ChunkId, tuple[Lines, ...]] = {}
    for text in literals(query):
        by_kind: dict[int, list[tuple[ChunkId, tuple[Lines, ...]]]] = {}
        for one in _holders(collection, text, allowed):
            by_kind.setdefault(_kind(collection, one[0]), []).append(one)
        best = by_kind[min(by_kind)] if by_kind else []
        if len(best) <= MOST_CHUNKS:
            best.sort(key=lambda one: (-float(file_points[collection.chunks.file[one[0]]]), one[0]))
            for chunk, lines in best:
                hits.setdefault(chunk, lines)
    return list(hits.items())


def _kind(collection: Collection, chunk: ChunkId) -> int:
    """0 for code, 1 for tests and what stands aside, 2 for prose."""
    file = collection.chunks.file[chunk]
    if collection.static["prose"][file]:
        return 2
    return int(bool(collection.static["test"][file] or collection.static["aside"][file]))


def _holders(collection: Collection, text: str, allowed: Array) -> list[tuple[ChunkId, tuple[Lines, ...]]]:
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
    return [(chunk, lines) for chunk, lines in hits if lines]


def _lines(collection: Collection, chunk: ChunkId, wanted: bytes) -> tuple[Lines, ...]:
    chunks = collection.cells
    body = collection.files.bytes_of(FileId(chunks.file[chunk]), chunks.start_byte[chunk], chunks.end_byte[chunk])
    places = [match.start() for match in re.finditer(re.escape(wanted), body)]
    numbers = dict.fromkeys(chunks.start_line[chunk] + body.count(b"\n", 0, place) for place in places)
    return tuple((number, number) for number in numbers)
