"""Answers a question about the repository itself: the documents that are usual for it, and where programs start."""

from __future__ import annotations

import re

from contracts.rows import rows
from index.search.scope import SearchScope
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
_HOW = r"(?:how|where)\s+(?:do|can|should|to)\s+(?:(?:i|we|you|one)\s+)?"
_GUIDES = [
    (question.replace("HOW ", _HOW).replace("WHOLE", _WHOLE), documents, headings)
    for question, documents, headings in rows(__file__, "guides.tsv")
]
_MAIN_FILE = re.compile(r"(^|/)(__main__\.py|main\.\w+|cli\.\w+|bin/[\w.-]+)$")
OF_FILE, STARTS = 3, 4  # chunks per document, places where a program starts
DEPTH = 2  # folders above the entry file of a package


def overview(scope: SearchScope, text: str) -> list[ChunkId]:
    """The chunks that answer a question about the repository; empty for other texts."""
    words = text.strip()
    if _STARTS.fullmatch(words):
        return [*_entry_points(scope), *_overview_documents(scope)]
    if _ABOUT.fullmatch(words):
        return [*_overview_documents(scope), *_entry_points(scope)]
    guides = (guide for guide in _GUIDES if re.fullmatch(rf"(?:{guide[0]})\s*[?.!]?", words, re.IGNORECASE))
    return next((_guide(scope, names, headings) for _, names, headings in guides), [])


def _guide(scope: SearchScope, names: str, headings: str) -> list[ChunkId]:
    """The first chunks of the documents with such a name, below such a heading; of those without headings, with such a
    text."""
    collection, hits = scope.collection, list[ChunkId]()
    prose = scope.allowed & (collection.static["prose"] > 0)  # not a script called `install`
    pattern = re.compile(rf"(?:(?:docs?|\.github)/)?(?:{names})(?:\.(?:md|markdown|rst|txt|adoc))?", re.IGNORECASE)
    about, every = re.compile(headings, re.IGNORECASE), enumerate(collection.files.paths)
    paths = {FileId(file): path for file, path in every if prose[file] and pattern.fullmatch(path)}
    for file in sorted(paths, key=lambda file: "readme" in paths[file].lower()):
        chunks = [ChunkId(chunk) for chunk in collection.chunks_in(file)]
        texts = [collection.symbol_of(chunk).rpartition(" > ")[2] for chunk in chunks]
        texts = texts if any(texts) else [collection.text_of(chunk).decode("utf-8", "replace") for chunk in chunks]
        hits += [chunk for chunk, text in zip(chunks, texts, strict=True) if about.search(text)][:OF_FILE]
    return hits


def _overview_documents(scope: SearchScope) -> list[ChunkId]:
    """The first chunks of the documents about the whole repository, in the root or in `docs`."""
    named = [
        (_ORDER.index(match["name"].lower()), path.count("/"), FileId(file))
        for file, path in enumerate(scope.collection.files.paths)
        if scope.allowed[file] and (match := _OWN_WORDS.fullmatch(path))
    ]
    return [ChunkId(chunk) for *_, file in sorted(named) for chunk in scope.collection.chunks_in(file)[:OF_FILE]]


def _entry_points(scope: SearchScope) -> list[ChunkId]:
    """Functions called `main` in files like `main.py` or `cli.py`, then other such files, then entry files of packages,
    then other functions called `main`."""
    collection = scope.collection
    static, paths = collection.static, collection.files.paths
    beside = static["test"] + static["aside"] + static["generated"] + static["prose"]
    code = scope.allowed & (beside == 0)
    mains = collection.definitions.named("main")
    named = {FileId(file) for file, path in enumerate(paths) if code[file] and _MAIN_FILE.search(path)}
    is_entry = code & (static["entry"] > 0)
    entries = [file for file, path in enumerate(paths) if is_entry[file] and path.count("/") <= DEPTH]
    main = [(0 if row.file in named else 3, paths[row.file].count("/"), row.chunk) for row in mains if code[row.file]]
    main_files = {collection.file_of(chunk) for _, _, chunk in main}
    heads = [
        (1 if file in named else 2, paths[file].count("/"), ChunkId(collection.chunks_in(file)[0]))
        for file in map(FileId, sorted({*named, *entries}))
        if file not in main_files and len(collection.chunks_in(file))
    ]
    return [chunk for *_, chunk in sorted([*main, *heads])][:STARTS]
