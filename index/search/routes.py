"""Routes: the places that answer a path such as `/users/12`, as routers and frameworks declare it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from contracts.lazy_regex import later
from index.collection.collection import Collection
from index.collection.reader import FileLines
from index.search.definitions import RARE, Definition, definitions
from index.search.occurrences import CODE, MOST_CHUNKS, PARAMETER, VALUE_PART, in_code, kind_of, pattern_of
from index.search.places.locations import Location
from index.search.spelling import names_in
from index.segment.columns import Array
from index.types import ChunkId, FileId

# The end of a path that is no part of the route of a file: `route.ts`, `+server.js`, or the ending alone.
_ROUTE_FILE = later(r"(/(route|page|index|\+server|\+page(\.server)?))?\.\w+$")
MOST_VALUES = 3  # of a route
_ROUTE_ENDS = (rb"(?!/)", rb"(?!/[^\s\"'`])")  # without its last slash, if anywhere, or with one


def routed(
    collection: Collection, request: str, route: str, by_kind: dict[int, list[Location]], allowed: Array
) -> dict[int, list[Location]]:
    """What answers a route, in place of the places that hold its text."""
    places = _route_handlers(collection, request, route, allowed)
    if not places and CODE not in by_kind:
        places = _route_with_values(collection, request, route, allowed)
        places = places or _route_ends(collection, route, allowed)
    if places:
        return {CODE: places}
    return {kind: _requested(collection, request, route, own) for kind, own in by_kind.items()}


def _requested(collection: Collection, request: str, route: str, places: list[Location]) -> list[Location]:
    """The places where a route ends (`/users`, not `/users/:id`), of these the ones beside the request's method; all
    of them where none is so."""
    lines, method = FileLines(collection), request.removesuffix(route).strip().lower().encode()
    for end in _ROUTE_ENDS:
        pattern = re.compile(pattern_of(route).pattern + end)
        whole, beside = [], []
        for place in places:
            rows = lines.lines(FileId(collection.cells.file[place.chunk]))
            own = [(line, rows[line[0] - 1].encode()) for line in place.lines]
            ending = [(line, pattern.sub(b"", row).lower()) for line, row in own if pattern.search(row)]
            of_method = [line for line, rest in ending if method in rest]
            whole += [replace(place, lines=tuple(line for line, _ in ending))] if ending else []
            beside += [replace(place, lines=tuple(of_method))] if of_method else []
        if whole:
            return beside or whole
    return places


def handlers(collection: Collection, routes: Sequence[Location], allowed: Array) -> list[Definition]:
    """What the lines of routes and the lines after them name: `views.CartView.as_view()`, `Cart@show`."""
    lines = FileLines(collection)
    named: list[Definition] = []
    for place in routes:
        rows = lines.lines(FileId(collection.cells.file[place.chunk]))
        texts = (" ".join(rows[first - 1 : first + 1]).replace("@", ".") for first, _ in place.lines)
        for name in (name for text in texts for name in names_in(text)):
            matches = definitions(collection, name, allowed) or definitions(
                collection, name.rpartition(".")[0], allowed
            )
            named += [one for one in matches if not one.aside][:1] if len(matches) <= RARE else []
    return named


def _route_handlers(collection: Collection, request: str, route: str, allowed: Array) -> list[Location]:
    """What answers a route in a file that is named by it: the function of the request's method, or the first one."""
    hits = []
    for file in _route_files(collection, route.strip("/").split("/")):
        if allowed[file] and kind_of(collection, file) == CODE:
            chunks = list(map(ChunkId, collection.chunks_in(file)))
            names = {chunk: _name(collection, chunk) for chunk in chunks}
            of_method = [chunk for chunk in chunks if names[chunk] == request.partition(" ")[0]]
            for chunk in (of_method or [chunk for chunk in chunks if names[chunk]] or chunks)[:1]:
                hits.append(Location(chunk, ((collection.cells.start_line[chunk],) * 2,), "key"))
    return hits


def _route_with_values(collection: Collection, request: str, route: str, allowed: Array) -> list[Location]:
    """What answers a route that was written with its values, as few of them as may be: `/books/my-book/edit`."""
    parts = route.strip("/").split("/")
    names = [at for at, part in enumerate(parts) if at and not PARAMETER.fullmatch(part)]
    for count in range(1, MOST_VALUES + 1 if len(parts) <= MOST_VALUES * 3 else 1):
        for values in combinations(reversed(names), count):
            declared = "/" + "/".join(VALUE_PART if at in values else part for at, part in enumerate(parts))
            hits = _route_handlers(collection, request, declared, allowed)
            if hits := hits or in_code(collection, declared, "key", allowed):
                return hits
    return []


def _route_ends(collection: Collection, route: str, allowed: Array) -> list[Location]:
    """The code that holds the longest end of a route: routers put a prefix before it.

    Of one part alone, few places in quotes count.
    """
    parts = route.strip("/").split("/")
    for start in range(1, len(parts)):
        end = "/" + "/".join(parts[start:])
        if not PARAMETER.fullmatch(parts[start]):
            texts = [end] if start < len(parts) - 1 else [f'"{end}"', f"'{end}'"]
            hits = [hit for text in texts for hit in in_code(collection, text, "key", allowed)]
            if hits and (start < len(parts) - 1 or len(hits) <= MOST_CHUNKS):
                return hits
    return []


def _route_files(collection: Collection, parts: Sequence[str]) -> Iterator[FileId]:
    """The files whose folders are the parts of a route: `api/users/[id]/route.ts`."""
    for number, path in enumerate(collection.files.paths if len(parts) > 1 else ()):
        if PARAMETER.fullmatch(parts[-1]) or f"/{parts[-1]}" in path:
            folders = _ROUTE_FILE.sub("", path).split("/")
            folders = [folder for folder in folders if not folder.startswith("(")][-len(parts) :]
            if len(folders) == len(parts) and all(map(_is_part, parts, folders)):
                yield FileId(number)


def _is_part(part: str, folder: str) -> bool:
    """Whether a folder stands for this part of a route."""
    return folder == part or (PARAMETER.fullmatch(part) is not None and folder[:1] in "[$_:")


def _name(collection: Collection, chunk: ChunkId) -> str:
    symbol = collection.cells.symbol[chunk]
    return collection.snapshot.segment.names[symbol].rpartition(".")[2] if symbol >= 0 else ""
