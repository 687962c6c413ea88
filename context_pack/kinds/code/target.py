"""The chunks that a target names: a place as any tool spells it, or a symbol."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from chunker.kinds import VALUES
from context_pack.kinds.code.corpus import Corpus
from contracts.errors import Ambiguous, InvalidRequest, NotFound
from index.search.places.locations import not_indexed
from index.search.spelling import parse_place
from index.tree.beneath import A_FOLDER, NOT_BELOW, NotRead, read_beneath
from index.tree.walk import OTHERS_SHARE, is_too_large
from index.types import ChunkRow, FilePlace, SymbolRow

MAX_LIKE = 3  # names with a part of an unknown name that are suggested
MAX_HOLDING = 400  # chunks with the words of an unknown name that are read


def from_root(target: str, root: Path, folder: Path) -> str:
    """The target with its path relative to the root; a relative path in `target` starts at `folder`.

    A target that is not the path of a file below the root is returned as it is: it may be a symbol. So is a bare word,
    because a program is often named after its folder.
    """
    for file, lines in _readings(target):
        is_word = not lines and {".", "/", "\\"}.isdisjoint(file)
        try:
            place, real_root = (folder / file).resolve(), root.resolve()
            if place.is_file() and not is_word:
                return f"{place.relative_to(real_root).as_posix()}{lines}"
        except (OSError, ValueError):  # ValueError: outside the root, or a null byte
            return target
    return target


def _readings(target: str) -> list[tuple[str, str]]:
    """(file, `:LINES`) for each way to read a target, first as it is written: such a path may contain blanks."""
    place = None if "://" in target else parse_place(target)
    if place is None:
        return [(target, "")]
    last = "" if place.last == place.first else f"-{place.last}"
    return [(target, ""), (place.path, "" if place.first is None else f":{place.first}{last}")]


def check_place(corpus: Corpus, target: str, max_bytes: int) -> None:
    """Raises NotFound, with the cause, if a target is a place in a file of the tree that is not indexed."""
    with suppress(InvalidRequest, OSError, ValueError):  # several repositories, no file, a null byte
        for file, _ in _readings(target):
            path = file.replace("\\", "/").removeprefix("./")
            cause = "" if corpus.chunks_of_file(path) else _why_not_indexed(corpus, path, max_bytes)
            if cause:
                raise not_indexed(path, cause)


def _why_not_indexed(corpus: Corpus, path: str, max_bytes: int) -> str:
    """Why a file of a tree is not indexed; empty if there is no such file or the index itself knows the cause.

    OSError if it cannot be read.
    """
    try:
        data = read_beneath(corpus.root, path, max_bytes)
    except NotRead as error:
        return "" if error.strerror in (A_FOLDER, NOT_BELOW) else error.strerror or ""
    except FileNotFoundError:
        return ""
    from chunker.parse.decoding import decode

    text = decode(data)
    if text is None or not text.strip():
        return "it is binary" if text is None else "it is empty"
    if is_too_large(path.encode(), len(data), max_bytes):
        limit = max_bytes // OTHERS_SHARE
        allowed = f"more than {limit:,}, a fifth of --max-file-bytes"
        return f"it is a data file, a document or generated, and has {len(data):,} bytes, {allowed}"
    return "" if path in corpus.paths() else "it is ignored, or newer than the index"


def chunks_of(corpus: Corpus, target: str) -> list[int]:
    """The chunks that a target names: all of a file, those at its lines, or those that define a symbol.

    If a chunk is a part of a symbol that was too long for one chunk, all parts of that symbol.
    NotFound if there are none; Ambiguous if several files or symbols have the name.
    """
    places = corpus.places(target)
    if len(places) > 1:
        candidates = [place.file if place.first is None else f"{place.file}:{place.first}" for place in places]
        raise Ambiguous(
            f"{target} matches {len(places)} files", hint="give the path of one",
            details={"candidates": candidates},
        )  # fmt: skip
    return (_at_place(corpus, places[0]) if places else []) or _of_symbol(corpus, target)


def symbols_at(corpus: Corpus, target: str, chunks: Sequence[int]) -> list[SymbolRow]:
    """The definitions of a target that is a symbol, or that start at its only line, also fields with a value;
    all values that start at its lines, if nothing else does. `chunks` are the target's."""
    places = corpus.places(target)
    if not places:
        return _named(corpus, target)
    lines = {place.first for place in places if place.first == place.last}
    whole = [row for number in chunks for row in corpus.defined_at(number)]
    if len(whole) == 1 and whole[0].kind in VALUES:  # the line may be inside a table
        return whole
    if not lines and all(row.kind in VALUES for row in whole):
        return [row for row in whole if any((one.first or 0) <= row.line <= (one.last or 0) for one in places)]
    symbols = [row for row in whole if row.line in lines and row.kind not in VALUES]
    if symbols or not lines:
        return symbols  # a type on one line with its fields means the type
    from context_pack.kinds.code.ties.users import is_only_declared

    every = (row for number in chunks for row in corpus.defined_at(number, minor=True) if row.line in lines)
    return [row for row in every if row.kind in VALUES or is_only_declared(corpus, row)]


def file_of(corpus: Corpus, target: str) -> str:
    """The file that a target names as a whole; empty if it names anything else."""
    places = corpus.places(target)
    return places[0].file if places and places[0].first is None else ""


def _at_place(corpus: Corpus, place: FilePlace) -> list[int]:
    chunks = corpus.chunks_of_file(place.file)
    if place.first is None or place.last is None or not chunks:
        return chunks
    rows = [corpus.chunk(number) for number in chunks]
    if place.first == place.last:
        return corpus.parts(_at_line(rows, place.first))
    inside = [row.number for row in rows if row.start_line <= place.last and row.end_line >= place.first]
    return sorted({part for number in inside or [_at_line(rows, place.first)] for part in corpus.parts(number)})


def _named(corpus: Corpus, target: str) -> list[SymbolRow]:
    return corpus.defined(target) or corpus.fields(target)


def _of_symbol(corpus: Corpus, target: str) -> list[int]:
    defined = _named(corpus, target)
    if not defined:
        from chunker.languages.table import BY_EXTENSION

        near = [one.name for one in corpus.nearest(target)]
        fault, hint = "defines", "a query shows the code that contains it"
        if several := len(target.split()) > 1:
            fault, hint = "is named", "a text of several words is a question, not a name"
        # A key, or the name of a route or a hook, defines nothing, but what it means can be asked.
        if several or any(target in corpus.chunk(number).text for number in corpus.naming(target)[:MAX_HOLDING]):
            details = {"nearest": near, "question": target}
            raise NotFound(f"nothing in the index {fault} {target}", hint=hint, details=details)
        words = re.findall(r"\w{3,}", target)[-3:]
        patterns = (f"*{word}*" for word in reversed(words) if f".{word}" not in BY_EXTENSION)
        listings = ((pattern, corpus.symbols(pattern, limit=MAX_LIKE)) for pattern in patterns)
        pattern, like = next(filter(lambda one: one[1], listings), ("", []))
        near = near or list(dict.fromkeys(row.qualified for row in like))
        other = {"pattern": pattern} if pattern else {} if near else {"question": target}
        raise NotFound(
            f"nothing in the index is named {target}", hint="`ctxpack symbols PATTERN` lists the symbols",
            details={"nearest": near, **other},
        )  # fmt: skip
    # The overloads of a function count as one place, that of the first. A constructor named after its class is none.
    places: dict[tuple[str, str], SymbolRow] = {}
    for row in sorted(defined, key=lambda row: (row.file, row.line)):
        places.setdefault((row.file, row.qualified), row)
    constructors = {(file, f"{qualified}.{row.name}") for (file, qualified), row in places.items()}
    places = {place: row for place, row in places.items() if place not in constructors}
    if len(places) > 1:
        candidates = sorted(f"{row.qualified} ({row.file}:{row.line})" for row in places.values())
        from index.search.fields.fields import MAX_FILES

        at_least = "" if len(places) < MAX_FILES or corpus.defined(target) else "at least "
        raise Ambiguous(
            f"{target} is defined in {at_least}{len(places)} places", hint="choose one as FILE:LINE",
            details={"candidates": candidates},
        )  # fmt: skip
    named = [row for row in defined if (row.file, row.qualified) in places]
    return sorted({part for row in named for part in corpus.parts(row.chunk)})


def _at_line(rows: list[ChunkRow], line: int) -> int:
    """The chunk that contains a line; for a blank line between chunks, the one above it, or else the first."""
    around = [row for row in rows if row.start_line <= line <= row.end_line]
    above = [row for row in rows if row.start_line <= line]
    # If chunks share a line, the one that starts last is the innermost.
    return max(around or above or rows[:1], key=lambda row: (row.start_line, row.number)).number
