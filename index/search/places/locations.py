"""Finds the lines that a query points at: a place, the frames and messages of a pasted trace, or copied code."""

from __future__ import annotations

import re
from itertools import zip_longest
from operator import itemgetter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from contracts.errors import NotFound, UsageError
from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from index.collection.collection import Collection
from index.collection.reader import FileLines, signature_of
from index.search.query import MAX_CHARS, parse_query, plain_text
from index.search.scope import Location, SearchScope, by_chunk, distinct
from index.search.spelling import Place, parse_place
from index.segment.columns import SKIP_REASONS
from index.types import ChunkId, FileId, FilePlace, Filters, TraceReading

if TYPE_CHECKING:
    from index.search.traces.frames import Trace
    from index.search.traces.resolver import Spot

NAMESAKES = 8  # files of the same name whose line is shown
NEAREST = 5  # similar paths that are named if a file does not exist
MAX_FRAMES = 60  # places of one trace that become hits
OVERVIEW_CHARS = 80  # longest question about the repository itself
_MAY_BE_ABOUT = lazy_regex(  # a word of each question in places/overview.py, whose patterns take longer to compile
    r"\b(?:overview|architecture|structure|summary|purpose|entry ?points?|execution|package"
    r"|(?:this|the|our|my) (?:whole |entire )?(?:repo|project|code|library|program|app|tool)|install|contribut|conduct"
    r"|licen[cs]e|security|vulnerab|release|change|latest|from source|instructions|(?:build|compile) it"
    r"|run(?:ning)? (?:\w+ )*tests?\b)",
    re.IGNORECASE,
)
WORDS_CHARS = 1_000  # of the words that are searched for in addition to the frames
# What a trace has and an ordinary question does not: a line number after a file name, an address, a named error, or a
# frame of .NET.
_MAY_POINT = lazy_regex(
    r"[:(][0-9]|\n[0-9]+:|\|[0-9]+ col "
    r"|\b0x[0-9a-f]{4}|\bline [0-9]|\{line,|::\w|[Ee]rror\b|Exception\b|[Pp]anic|FATAL|[Ff]atal\b"
    r"|\b(?:WARN|INFO|DEBUG|NOTICE|ERR)|\b(?:warn(?:ing)?|info|debug)[\]:]|(?:^|\n)[ \t]*(?:at|Failed) \w[\w.]+\.\w"
)
_NUMBERED = lazy_regex(r"[:(][0-9]")
_MAY_REFER = lazy_regex(r"[0-9]|@[^\s@]+\.\w|://")  # to lines of a file, which is looked for
_SKIPPED = {
    "binary": "it is binary",
    "vanished": "it was removed or replaced while the index was built",
    "no_permission": "its permissions do not allow reading it",
    "reader_crashed": "the parser of its language crashes on it",
}
# In a list of files, or a question that compares them.
_BETWEEN_PATHS = frozenset(
    "& + - * -> and between compare diff difference differences files of or read show the these to two versus vs vs."
    " with".split()
)
_AROUND_PATHS = "`\"'()[]*"
_MAY_BE_CODE = lazy_regex(r"[(){}\[\];=<>\n]|::|->")


@frozen
class Locations:
    """The places that a query points at; `words` is the text that is searched for in addition.

    `missing`: the query can only be a place, but that file or line does not exist. `quoted`: it is a question that
    quotes an error, not a trace. `only_messages`: the words are those of messages alone, without functions of frames.
    """

    hits: tuple[Location, ...]
    words: str
    trace: TraceReading | None = None
    missing: NotFound | None = None
    quoted: bool = False
    only_messages: bool = False


def locate(collection: Collection, text: str, filters: Filters) -> Locations | None:
    """The places that a query points at; None for a question in words or a name."""
    text, written = _with_places(collection, plain_text(text)), text
    query, place = parse_query(text), _place_of(collection, text)
    scope = SearchScope.unranked(collection, collection.allowed_files(filters))
    if place is not None:
        hits = _at_place(scope, place)
        if isinstance(hits, NotFound):
            return Locations((), text, missing=hits)
        if hits:
            return Locations(tuple(hits), text)
    if files := _listed_files(collection, text):
        turns = zip_longest(*(_whole_file(collection, file) for file in files if scope.allowed[file]))
        return Locations(tuple(hit for turn in turns for hit in turn if hit), text)
    # A name is not a trace; `a.Cart.total(Cart.java:12)` is a frame, although it reads like a call.
    elsewhere = Locations((), text) if text != written else None
    if query.symbol and _NUMBERED.search(text) is None:
        return elsewhere
    if len(text) <= OVERVIEW_CHARS and _MAY_BE_ABOUT.search(text):
        from index.search.places.overview import overview

        if chunks := overview(scope, text):
            return Locations(tuple(Location(chunk, (), "overview") for chunk in chunks), text)
    if _MAY_POINT.search(text) is not None:
        from index.search.traces.frames import read_trace

        trace = read_trace(text[:MAX_CHARS])
        if (trace.frames or trace.messages) and (located := _of_trace(scope, text, trace)):
            return located
    return (_of_code(scope, text, query.title) if _MAY_BE_CODE.search(text) else None) or elsewhere


def _with_places(collection: Collection, text: str) -> str:
    """The text with `path:line` in place of other references to lines: `cart.py line 12`, URLs of files."""
    place = parse_place(text) if " " not in text.strip() else None
    is_usual = place is not None and place.path[:1] != "@" and collection.files.names.named(place.path)
    if is_usual or _MAY_REFER.search(text) is None:
        return text
    from index.search.places.line_references import with_places

    return with_places(collection, text)


def _place_of(collection: Collection, text: str) -> Place | None:
    """The place that a text names: with blanks only if a file of this index has such a path, or ends with it, or is
    at the end of an absolute one."""
    place = parse_query(text).place
    if place is None and " " in text.strip() and "\n" not in text and (spaced := parse_place(text.strip())):
        names = collection.files.names
        count, files = names.longest(spaced.path) if _is_absolute(spaced.path) else (0, [])
        is_known = any(map(names.ending, spaced.paths)) or any(count == names.depth(file) for file in files)
        place = spaced if is_known else None
    return place


def _listed_files(collection: Collection, text: str) -> list[FileId]:
    """The files of a text that consists of at least two paths and words between them, each the only one it may mean."""
    words = re.split(r"[\s,;]+", text.strip("?. ")) if text.count(".") > 1 and len(text) <= WORDS_CHARS else []
    paths = [word.strip(_AROUND_PATHS) for word in words if word.lower() not in _BETWEEN_PATHS]
    places = [place for place in map(parse_place, paths) if place and place.first is None]
    files = [collection.files.names.ending(place.path) for place in places] if len(places) == len(paths) > 1 else []
    return [own[0] for own in files] if all(len(own) == 1 for own in files) else []


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] == ":/"


def file_places(collection: Collection, text: str) -> list[FilePlace]:
    """The files, with their lines, that a place may mean, likeliest first; empty for any other text.

    Raises NotFound if the text can only be a place and its file or line does not exist.
    """
    file = collection.files.find(text)
    if file is not None and len(collection.chunks_in(file)):  # its name may have no dot: `Makefile`
        return [FilePlace(text)]
    place = _place_of(collection, _with_places(collection, text))
    files = _files_at(collection, place, FileLines(collection)) if place else []
    if isinstance(files, NotFound):
        raise files
    return [FilePlace(collection.files.paths[file], place.first, place.last) for file in files] if place else []


def _files_at(collection: Collection, place: Place, lines: FileLines) -> list[FileId] | NotFound:
    """The files that a place may mean and that have its line; NotFound if it can only be a place and none does."""
    files = _files_of(collection, place)
    if not files:
        is_path = place.certain or (
            (place.first is not None or "/" in place.path) and _is_file_name(collection, place.path)
        )
        return _no_file(collection, place) if is_path else []
    indexed = [file for file in files if not collection.files.skip[file]]
    if not indexed and (place.first is not None or collection.files.paths[files[0]] == place.path):
        reason = SKIP_REASONS[collection.files.skip[files[0]]]
        return not_indexed(collection.files.paths[files[0]], _SKIPPED[reason])
    files = indexed or files
    if place.first is None:
        return files
    if place.last is not None and place.last < place.first:
        right = f"{place.path}:{place.last}-{place.first}"
        raise UsageError("query", f"line {place.last} is before line {place.first}: write {right}", hint=right)
    long_enough = [file for file in files if 1 <= place.first <= lines.count(file)]
    return long_enough or _no_line(collection, place, files[0], lines.count(files[0]))


def _at_place(scope: SearchScope, place: Place) -> list[Location] | NotFound:
    collection, lines = scope.collection, scope.lines
    long_enough = _files_at(collection, place, lines)
    if isinstance(long_enough, NotFound):
        return long_enough
    files = [file for file in long_enough if scope.allowed[file]]
    if place.first is None or place.last is None:
        return _whole_file(collection, files[0]) if len(files) == 1 else []
    spans = ((file, place.first, min(place.last, lines.count(file))) for file in files[:NAMESAKES])
    hits = [hit for span in spans for hit in _at_lines(collection, lines, *span)]
    if hits and len(long_enough) == 1:
        hits += _around(collection, files[0], place.first, {hit.chunk for hit in hits})
    return hits


def _files_of(collection: Collection, place: Place) -> list[FileId]:
    """The files that a place may mean, likeliest first."""
    names = collection.files.names
    exact = (collection.files.find(path.removeprefix("/")) for path in place.paths)
    if (file := next((file for file in exact if file is not None), None)) is not None:
        return [file]
    elsewhere = place.certain or len(place.paths) > 1 or _is_absolute(place.path)
    if matches := next(filter(None, map(names.ending, place.paths)), None):
        return sorted(matches, key=lambda file: (names.paths[file].count("/"), file))
    count, files = max(map(names.longest, place.paths), key=itemgetter(0))
    whole = [file for file in files if count == names.depth(file)]
    if elsewhere and count < 2:
        return whole[:1] if _is_absolute(place.path) or len(place.paths) > 1 else []
    return files if elsewhere else [file for file in whole if count >= 2]


def _is_file_name(collection: Collection, path: str) -> bool:
    """Whether a path names a file rather than a host or a term: its name or ending is known."""
    name = path.rpartition("/")[2]
    if collection.files.names.named(name):
        return True
    stem, dot, ending = name.rpartition(".")
    if not (stem and dot and ending[:1].isalpha()):
        return False
    from chunker.languages.detection import detect_language

    return detect_language(name) is not None or any(one.endswith(f".{ending}") for one in collection.files.paths)


def _no_file(collection: Collection, place: Place) -> NotFound:
    nearest = collection.files.names.nearest(place.path, NEAREST)
    hint = f"did you mean {', '.join(nearest)}?" if nearest else "use `ctxpack search` to find files by their words"
    line = "" if place.first is None else f":{place.first}"
    words = " ".join(re.findall(r"\w+", place.path.removesuffix(PurePosixPath(place.path).suffix))[-2:])  # folder, name
    return NotFound(
        f"no indexed file is named {place.path}", hint=hint,
        details={
            "path": place.path, "nearest": [f"{path}{line}" for path in nearest],
            **({} if nearest or not words else {"question": words}),
        },
    )  # fmt: skip


def not_indexed(path: str, cause: str) -> NotFound:
    return NotFound(
        f"{path} is not indexed: {cause}", hint="read the file itself",
        details={"path": path, "cause": cause, "nearest": []},
    )  # fmt: skip


def _no_line(collection: Collection, place: Place, file: FileId, lines: int) -> NotFound:
    path = collection.files.paths[file]
    return NotFound(
        f"{path} has no line {place.first}: it has {lines}",
        hint="the file may have changed; ask for a symbol in it, or for the whole file",
        details={"path": path, "lines": lines, "nearest": [f"{path}:{lines}", path] if lines else [path]},
    )


def _at_lines(collection: Collection, lines: FileLines, file: FileId, first: int, last: int) -> list[Location]:
    """The chunks with these lines; after a later part of a long symbol, also the part with its signature."""
    parts = dict(lines.at(file, first, last))
    for chunk in list(parts)[:1]:
        head = ChunkId(collection.parts_of(chunk).start)
        signature = None if head in parts else signature_of(collection, head)
        if signature:
            parts[head] = signature
    return [Location(chunk, (part,), "path") for chunk, part in parts.items()]


def _whole_file(collection: Collection, file: FileId) -> list[Location]:
    return [Location(ChunkId(chunk), (), "path") for chunk in collection.chunks_in(file) if collection.shown[chunk]]


def _around(collection: Collection, file: FileId, line: int, shown_chunks: set[ChunkId]) -> list[Location]:
    """The other chunks of a file, nearest to a line first."""
    starts, ends = collection.cells.start_line, collection.cells.end_line
    others = [hit for hit in _whole_file(collection, file) if hit.chunk not in shown_chunks]
    return sorted(others, key=lambda hit: (max(starts[hit.chunk] - line, line - ends[hit.chunk], 0), hit.chunk))


def _of_code(scope: SearchScope, text: str, title: str) -> Locations | None:
    """The places that a text was copied from; the sample of a report may be that of a manual, which does not count."""
    from index.search.places.pasted import pasted_places

    places = pasted_places(scope, text[:MAX_CHARS])
    is_prose = scope.collection.static["prose"]
    parts = [part for file, span in places if not (title and is_prose[file]) for part in scope.lines.at(file, *span)]
    return Locations(tuple(Location(chunk, (part,), "code") for chunk, part in parts), text) if parts else None


def _of_trace(scope: SearchScope, text: str, trace: Trace) -> Locations | None:
    from index.search.fields.member_errors import missing_member
    from index.search.indirection import translated
    from index.search.places.messages import GOOD_SHARE, builders, without_copies
    from index.search.traces.resolver import Resolver

    collection = scope.collection
    lines = scope.lines
    spots, foreign, lost = Resolver(collection, lines).resolve(trace)
    own = [spot for spot in spots if scope.allowed[spot.file]]
    placed = by_chunk((place for spot in own for place in _shown(lines, spot)), "frame")
    hits = placed[:MAX_FRAMES]
    for message in (one for one in trace.messages if not missing_member(one)):
        places = builders(scope, message, GOOD_SHARE) or builders(scope, message)
        is_coded = any(collection.is_code(place.chunk) for place in places)
        data = () if is_coded else places.items()
        users = [user for place, fixed in data for user in translated(scope, fixed, [place])]
        hits = distinct([*hits, *users, *without_copies(collection, places)])
    is_line = len(text) <= WORDS_CHARS and "\n" not in text.strip()
    before = text.partition(trace.messages[0])[0] if trace.messages else ""
    # `Discovery error: no keys`: two messages; not `error: no keys`.
    if hits and is_line and not trace.frames and len(re.findall("[A-Za-z]{3,}", before)) > 1:
        around = [place for place in builders(scope, text, GOOD_SHARE) if collection.is_code(place.chunk)]
        hits = distinct([*hits, *around])
    if not hits and not foreign and not lost:
        return None
    reading = TraceReading(
        own=len(own), foreign=foreign, filtered=len(spots) - len(own),
        elsewhere=tuple(spot.elsewhere for spot in own if spot.elsewhere), lost=tuple(lost), places=len(placed),
    )  # fmt: skip
    words = _words(text, trace)
    is_nameless = not any(frame.function.name for frame in trace.frames)
    return Locations(tuple(hits), words, reading, quoted=words == text, only_messages=is_nameless)


def _shown(lines: FileLines, spot: Spot) -> list[tuple[ChunkId, tuple[int, int]]]:
    """The chunk at the line of a frame, or the chunks of a range of lines."""
    first, last = spot.lines
    places = lines.at(spot.file, first, last)
    return places if last > first else places[:1]


def _words(text: str, trace: Trace) -> str:
    """The words to search for: a report's title, and a trace's messages and functions; for a question that quotes an
    error, the question."""
    if all(frame.plain for frame in trace.frames):
        return text
    functions = dict.fromkeys(frame.function.name for frame in trace.frames[:NAMESAKES])
    words = " ".join((*trace.messages, *functions))[:WORDS_CHARS].strip()
    return " ".join(filter(None, (parse_query(text).title, words))) or text
