"""Answers a question about the repository itself with its own documents and the places where its programs start."""

from __future__ import annotations

import re

from index.collection.collection import Collection
from index.segment.columns import Array
from index.types import ChunkId, FileId

_WHOLE = (
    r"(?:this|the|our|my)?\s*(?:whole\s+|entire\s+)?"
    r"(?:repo(?:sitory)?|project|code\s?base|code|package|library|program|app(?:lication)?|tool)"
)
_ABOUT = re.compile(
    r"(?:(?:please\s+)?(?:give\s+(?:me\s+)?|show\s+(?:me\s+)?|explain\s+)?(?:an?\s+|the\s+)?"
    r"(?:(?:high[- ]level|short|quick)\s+)?(?:overview|architecture|structure|summary|purpose)(?:\s+overview)?"
    rf"(?:\s+(?:of|for)\s+{_WHOLE})?"
    rf"|(?:explain|summari[sz]e|describe)\s+{_WHOLE}"
    rf"|what\s+(?:does|is)\s+{_WHOLE}(?:\s+(?:do|about|for))?"
    rf"|how\s+(?:does|is)\s+{_WHOLE}\s+(?:work|structured|organi[sz]ed|laid\s+out)"
    r"|(?:project|code|repository|package)\s+(?:overview|structure|layout|architecture))\s*[?.!]?",
    re.IGNORECASE,
)
_STARTS = re.compile(
    rf"(?:(?:what|where)\s+(?:is|are)\s+)?(?:the\s+)?(?:main\s+)?entry\s?points?(?:\s+(?:of|to|for)\s+{_WHOLE})?\s*[?.]?"
    rf"|where\s+does\s+(?:{_WHOLE}|execution)\s+(?:start|begin)\s*[?.]?",
    re.IGNORECASE,
)
_OWN_WORDS = re.compile(
    r"(?:docs?/)?(?P<name>readme|architecture|design|overview)(?:\.(?:md|rst|txt|adoc))?", re.IGNORECASE
)
_ORDER = ("readme", "architecture", "overview", "design")
_MAIN_FILE = re.compile(r"(^|/)(__main__\.py|main\.\w+|cli\.\w+|bin/[\w.-]+)$")
OF_FILE, STARTS = 3, 4  # chunks per document, places where a program starts
DEPTH = 2  # folders above the entry file of a package


def overview(collection: Collection, text: str, allowed: Array) -> list[ChunkId]:
    """The chunks that answer a question about the repository; empty for other texts."""
    words = text.strip()
    if _STARTS.fullmatch(words):
        return [*_entry_points(collection, allowed), *_overview_documents(collection, allowed)]
    return (
        [*_overview_documents(collection, allowed), *_entry_points(collection, allowed)]
        if _ABOUT.fullmatch(words)
        else []
    )


def _overview_documents(collection: Collection, allowed: Array) -> list[ChunkId]:
    """The first chunks of the documents about the whole repository, in the root or in `docs`."""
    named = [
        (_ORDER.index(match["name"].lower()), path.count("/"), FileId(file))
        for file, path in enumerate(collection.files.paths)
        if allowed[file] and (match := _OWN_WORDS.fullmatch(path))
    ]
    return [ChunkId(chunk) for *_, file in sorted(named) for chunk in collection.chunks_in(file)[:OF_FILE]]


def _entry_points(collection: Collection, allowed: Array) -> list[ChunkId]:
    """Functions called `main` in files like `main.py` or `cli.py`, then other such files, then entry files of packages,
    then other functions called `main`."""
    static, paths = collection.static, collection.files.paths
    code = (allowed > 0) & ~(static["test"] + static["aside"] + static["generated"] + static["prose"]).astype(bool)
    rows = [collection.definitions[row] for row in collection.definitions.of("main").tolist()]
    named = {FileId(file) for file, path in enumerate(paths) if code[file] and _MAIN_FILE.search(path)}
    entries = [
        file for file, path in enumerate(paths) if code[file] and static["entry"][file] and path.count("/") <= DEPTH
    ]
    main = [(0 if row.file in named else 3, paths[row.file].count("/"), row.chunk) for row in rows if code[row.file]]
    main_files = {collection.cells.file[chunk] for _, _, chunk in main}
    heads = [
        (1 if file in named else 2, paths[file].count("/"), ChunkId(collection.chunks_in(file)[0]))
        for file in map(FileId, sorted({*named, *entries}))
        if file not in main_files and len(collection.chunks_in(file))
    ]
    return [chunk for *_, chunk in sorted([*main, *heads])][:STARTS]
