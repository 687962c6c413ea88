"""Finds where keys of data get their values, and the code that puts a key together or spells it in its own case."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chunker.languages.table import has_symbols
from contracts.lazy_regex import lazy_regex
from index.collection.collection import Collection
from index.collection.kinds import ASIDE, is_code, is_translation
from index.collection.reader import FileLines
from index.search.data_keys import keys_at
from index.search.indirection import in_one_language, language_order, outer_keys
from index.search.occurrences import MOST_CHUNKS, MOST_READ, by_points, in_code, lines_with, occurrences, on_lines_like
from index.search.places.locations import Location
from index.search.spelling import in_usual_cases, only_code_spells
from index.segment.columns import Array
from index.text import stem, terms_of_text
from index.types import ChunkId, FileId

_PLAIN_WORD = lazy_regex(r"[A-Za-z][a-z0-9]{5,40}")
_CAPITALS = lazy_regex(r"[A-Z][A-Z0-9]{4,40}")
_VARIABLE = lazy_regex(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
MOST_ADDED = 3  # parts that code may add to the beginning of a key
MOST_PLACES = 12  # with a word
MOST_GIVING = 200  # beside code that contain a key and are read


def keys_of_file(collection: Collection, key: str, allowed: Array) -> list[Location]:
    """The lines that declare a key in the file it names first: `'max' => 5` in `config/shop.php` for `shop.max`; of its
    translations, in one."""
    stem, *names = key.split(".")
    paths = enumerate(collection.files.paths if names and all(names) else ())
    files = [FileId(number) for number, path in paths if path.rpartition("/")[2].partition(".")[0] == stem]
    files = [file for file in files if allowed[file] and not collection.static["test"][file]]
    files = in_one_language(collection, files, lambda file: file)
    lines, hits = FileLines(collection), list[Location]()
    for file in files if len(files) <= MOST_CHUNKS else ():
        rows = iter(enumerate(lines.lines(file), 1))
        declared = [re.compile(rf"\s*[\"']?{re.escape(name)}[\"']?\s*(?:=>|[:=](?!=))") for name in names]
        places = [next((line for line, row in rows if name.match(row)), 0) for name in declared]  # in order
        hits += [Location(chunk, (own,), "key") for chunk, own in lines.at(file, places[-1], places[-1])[: all(places)]]
    return hits


def assignment(collection: Collection, key: str, file_points: Array, allowed: Array) -> list[Location]:
    """The first place beside code, such as a sample of settings, that gives a key its value, with that line.

    The key may be its last part below the others (`cart.notice.saved`). Of several translations, it is the original or
    the English one.
    """
    *outer, name = key.split(".")
    place = _giving(collection, key, (), file_points, allowed)
    if place or not outer:
        return place
    rows = keys_at(collection, key, allowed)
    places = [Location(ChunkId(row.chunk), ((row.line, row.line),), "key") for row in rows]
    return by_points(collection, places, file_points)[:1] or _giving(collection, name, outer, file_points, allowed)


def _giving(
    collection: Collection, name: str, outer: Sequence[str], file_points: Array, allowed: Array
) -> list[Location]:
    """The first place beside code that gives a key its value below the `outer` keys."""
    files, is_test, lines = collection.cells.file, collection.static["test"], FileLines(collection)
    key = re.escape(name)
    gives = re.compile(rf"\W*{key}[\"']?\s*(?:=(?!=)|:)|\s*<\w[^<>]*?\s(?:\w+:)?(?:name|key)\s*=\s*[\"']{key}[\"']")
    places = by_points(collection, occurrences(collection, name, "key", allowed).get(ASIDE, []), file_points)
    data = [hit for hit in places if not is_test[files[hit.chunk]] and not may_define(collection, hit)]
    if any(is_translation(collection, FileId(files[hit.chunk])) for hit in data):
        data.sort(key=lambda hit: language_order(collection.files.paths[files[hit.chunk]]))
    for hit in data[:MOST_GIVING]:
        rows = lines.lines(FileId(files[hit.chunk]))
        for pair in hit.lines:
            if gives.match(rows[pair[0] - 1]) and _is_below(rows, pair[0], outer):
                return [Location(hit.chunk, (pair,), hit.why)]
    return []


def _is_below(rows: Sequence[str], line: int, outer: Sequence[str]) -> bool:
    """Whether a line is below these keys, the innermost at least: those far above are not looked for."""
    own = outer_keys(rows, line)[: len(outer)]
    return not outer or (bool(own) and own == [*reversed(outer)][: len(own)])


def in_own_words(collection: Collection, key: str, why: str, allowed: Array) -> list[Location]:
    """The code that uses a key which it does not contain as a whole: that puts it together, or spells a variable of the
    environment in its own case."""
    return _put_together(collection, key, why, allowed) or _of_environment(collection, key, why, allowed)


def _put_together(collection: Collection, key: str, why: str, allowed: Array) -> list[Location]:
    """The code that puts a key together, from the longest beginning that it quotes: `'cart.notice.' . $event`."""
    parts = key.split(".")
    for count in range(len(parts) - 1, max(len(parts) - 1 - MOST_ADDED, 0), -1):
        beginning = ".".join([*parts[:count], ""])
        quoted = re.compile(rf"[\"'`]{re.escape(beginning)}(?:[\"'`%{{$]|#\{{)")
        if hits := on_lines_like(collection, in_code(collection, beginning, why, allowed), quoted):
            return hits
    return []


def _of_environment(collection: Collection, key: str, why: str, allowed: Array) -> list[Location]:
    """The code that spells a variable of the environment in its own case, also without the prefix of the program:
    `scanner.schedule` or `scannerSchedule` for SHOP_SCANNER_SCHEDULE; also a setting of an INI file."""
    name = key.rpartition(".")[2]
    parts = name.lower().split("_") if _VARIABLE.fullmatch(name) else []
    for own in filter(None, (parts, parts[1:])):
        numbers = collection.lexical.numbers_of(own)  # of words, and of names of several words
        terms = [part if number >= 0 else stem(part) for part, number in zip(own, numbers, strict=True)]
        chunks = collection.lexical.holding(terms)
        chunks = chunks[allowed[collection.chunks.file[chunks]]]
        if not 0 < len(chunks) <= MOST_READ:
            continue
        spelled = re.compile(rb"(?<!\w)" + rb"[._-]?".join(part.encode() for part in own) + rb"(?!\w)", re.I)
        hits = []
        for chunk in (one for one in map(ChunkId, chunks.tolist()) if is_code(collection, one)):
            names = map(bytes.decode, spelled.findall(collection.text_of(chunk)))
            if any("." in name or "-" in name or only_code_spells(name) for name in names):
                hits.append(Location(chunk, lines_with(collection, chunk, spelled), why))
        if hits:
            return hits
    return []


def word_keys(collection: Collection, name: str, file_points: Array, allowed: Array) -> list[Location]:
    """The few places of code that have the last part of a name, a plain word, as a text, if it may be a key: two words
    run together (`maxitems`), or one that most code with it quotes; and no symbol is named after it. One in capitals
    need not be a text, but most code with it must spell it so (`PGHOST`, unlike `HTTPS`)."""
    word, lexical = name.rpartition(".")[2], collection.lexical
    if _CAPITALS.fullmatch(word):
        hits = in_code(collection, word, "key", allowed)
        if len(hits) > MOST_PLACES:
            return []
        code = [one for one in lexical.holding(terms_of_text(word)).tolist() if is_code(collection, ChunkId(one))]
        return by_points(collection, hits, file_points) if 2 * len(hits) > len(code) else []
    number = lexical.numbers_of(terms_of_text(word))[0] if _PLAIN_WORD.fullmatch(word) else -1
    if number < 0 or len(lexical.fields["named"].of(number)):
        return []
    chunks, halves = lexical.fields["body"].of(number), range(3, len(word) - 2)
    pairs = [(word[:at].lower(), word[at:].lower()) for at in halves]
    pairs = [pair for pair in pairs if min(lexical.numbers_of([*map(stem, pair)])) >= 0]
    is_compound = bool(pairs)
    if any(len(collection.definitions.of(name)) for pair in pairs for name in in_usual_cases("_".join(pair))):
        return []  # the nearest name
    if len(chunks) > (MOST_READ if is_compound else MOST_PLACES):
        return []
    # Otherwise a quoted word inside of a message would count.
    text = re.compile(rf"[(\[{{,=:|>]\s*([\"'`]){word}\1\s*(?:[,:;)\]}}=|]|$)".encode(), re.M)
    files = collection.cells.file
    code = [chunk for chunk in map(ChunkId, chunks.tolist()) if is_code(collection, chunk) and allowed[files[chunk]]]
    lines = ((chunk, lines_with(collection, chunk, text, word.encode())) for chunk in code)
    hits = [Location(chunk, own, "key") for chunk, own in lines if own]
    is_key = len(hits) <= MOST_CHUNKS and (is_compound or 2 * len(hits) > len(code))
    return by_points(collection, hits, file_points) if is_key else []


def may_define(collection: Collection, hit: Location) -> bool:
    """Whether a place is in a file whose language has symbols."""
    return has_symbols(collection.files.languages[collection.cells.file[hit.chunk]])
