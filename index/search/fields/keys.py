"""Finds where keys of data get their values, and the code that puts a key together or spells it in its own case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from chunker.kinds import TYPES
from contracts.lazy_regex import lazy_regex
from index.collection.collection import ASIDE
from index.roles import is_translation
from index.search.fields.data_keys import keys_at
from index.search.indirection import in_one_language, language_order, outer_keys
from index.search.occurrences import MAX_READ
from index.search.scope import MAX_CHUNKS, Location, SearchScope, distinct
from index.search.spelling import VARIABLE, in_usual_cases, is_compound_name
from index.text import parts_of, stem, terms_of_text
from index.types import ChunkId

_PLAIN_WORD = lazy_regex(r"[A-Za-z][a-z0-9]{5,40}")
_CAPITALS = lazy_regex(r"[A-Z][A-Z0-9]{4,40}")
# The name of a variable where it is read: `$CARTS_URL`, `os.environ.get("CARTS_URL")`, `env::var("CARTS_URL")`.
_READ = lazy_regex(rb"(?:\$\{?|(?i:env)[a-z]*[^\w\n]{1,3}(?:[a-z]+[^\w\n]{1,3})?)[A-Z][A-Z0-9_]*")
MAX_ADDED = 3  # parts that code may add to the beginning of a key
MAX_PLACES = 12  # with a word that may be a key; a word of more places is none
MAX_GIVING = 200  # places or lines that may give a key its value and are read


def keys_of_file(scope: SearchScope, key: str) -> list[Location]:
    """The lines that declare a key in the file it names first: `'max' => 5` in `config/shop.php` for `shop.max`; of its
    translations, in one."""
    collection = scope.collection
    stem, *names = key.split(".")
    files = collection.files.names.with_stem(stem) if names and all(names) else []
    is_apart = collection.static["test"] + collection.static["prose"]
    files = [file for file in files if scope.allowed[file] and not is_apart[file]]
    files = in_one_language(files, collection.files.paths.__getitem__)
    lines, hits = scope.lines, list[Location]()
    for file in files if len(files) <= MAX_CHUNKS else ():
        rows = iter(enumerate(lines.lines(file), 1))
        declared = [re.compile(rf"\s*[\"']?{re.escape(name)}[\"']?\s*(?:=>|[:=](?!=))") for name in names]
        places = [next((line for line, row in rows if name.match(row)), 0) for name in declared]  # in order
        hits += [Location(chunk, (own,), "key") for chunk, own in lines.at(file, places[-1], places[-1])[: all(places)]]
    return hits


def keys_in_code(scope: SearchScope, key: str) -> list[Location]:
    """The lines of code that declare a key inside of the tables that are its other parts: `rate = 2` below `throttle =
    {` below `git = {` for `git.throttle.rate`; the outermost need not be there, unless a table of another name is."""
    *outer, name = key.split(".")
    keyed = re.compile(rf"(?<![\w.-]){re.escape(name)}[\"']?\]?\??\s*(?:=>|[:=](?!=))")
    places = scope.by_points(scope.on_lines_like(scope.in_code(name, "key"), keyed) if outer and name else [])
    lines = [replace(hit, lines=(pair,)) for hit in places for pair in hit.lines][:MAX_GIVING]
    return distinct(hit for hit in lines if _is_below(scope.rows(hit.chunk), hit.lines[0][0], outer))[:MAX_CHUNKS]


def assignment(scope: SearchScope, key: str) -> list[Location]:
    """The first place beside code, such as a sample of settings, that gives a key its value, with that line.

    The key may be its last part below the others (`cart.notice.saved`). Of several translations, it is the original or
    the English one.
    """
    *outer, name = key.split(".")
    place = _giving(scope, key, ())
    if place or not outer:
        return place
    rows = keys_at(scope.collection, key, scope.allowed)
    places = [Location(ChunkId(row.chunk), ((row.line, row.line),), "key") for row in rows]
    return scope.by_points(places)[:1] or _giving(scope, name, outer)


def _giving(scope: SearchScope, name: str, outer: Sequence[str]) -> list[Location]:
    """The first place beside code that gives a key its value below the `outer` keys."""
    collection = scope.collection
    key = re.escape(name)
    gives = re.compile(rf"\W*{key}[\"']?\s*(?:=(?!=)|:)|\s*<\w[^<>]*?\s(?:\w+:)?(?:name|key)\s*=\s*[\"']{key}[\"']")
    places = scope.by_points(scope.occurrences(name, "key").get(ASIDE, []))
    is_test, rules_of = collection.is_in_tests, collection.rules_of
    data = [hit for hit in places if not (is_test(hit.chunk) or rules_of(hit.chunk).symbols)]
    if any(is_translation(collection.path_of(hit.chunk)) for hit in data):
        data.sort(key=lambda hit: language_order(collection.path_of(hit.chunk)))
    for hit in data[:MAX_GIVING]:
        rows = scope.rows(hit.chunk)
        for pair in hit.lines:
            if gives.match(rows[pair[0] - 1]) and _is_below(rows, pair[0], outer):
                return [Location(hit.chunk, (pair,), hit.why)]
    return []


def _is_below(rows: Sequence[str], line: int, outer: Sequence[str]) -> bool:
    """Whether a line is below these keys, the innermost at least: those far above are not looked for."""
    own = outer_keys(rows, line)[: len(outer)]
    return not outer or (bool(own) and own == [*reversed(outer)][: len(own)])


def in_own_words(scope: SearchScope, key: str, why: str) -> list[Location]:
    """The code that uses a key which it does not contain as a whole: that puts it together, or spells a variable of the
    environment in its own case."""
    return _put_together(scope, key, why) or _of_environment(scope, key, why)


def _put_together(scope: SearchScope, key: str, why: str) -> list[Location]:
    """The code that puts a key together, from the longest beginning that it quotes: `'cart.notice.' . $event`."""
    parts = key.split(".")
    for count in range(len(parts) - 1, max(len(parts) - 1 - MAX_ADDED, 0), -1):
        beginning = ".".join([*parts[:count], ""])
        quoted = re.compile(rf"[\"'`]{re.escape(beginning)}(?:[\"'`%{{$]|#\{{)")
        if hits := scope.on_lines_like(scope.in_code(beginning, why), quoted):
            return hits
    return []


def _of_environment(scope: SearchScope, key: str, why: str) -> list[Location]:
    """The code that spells a variable of the environment in its own case, also without the prefix of the program:
    `scanner.schedule` or `scannerSchedule` for SHOP_SCANNER_SCHEDULE; also a setting of an INI file. For SHOP_DB__HOST,
    the field of the types with the name of the section."""
    collection = scope.collection
    outer, _, name = key.rpartition(".")[2].rpartition("__")
    sections = parts_of(outer)[-1:]
    parts = parts_of(name) if sections else name.lower().split("_") if VARIABLE.fullmatch(name) else []
    for own in filter(None, (parts, [] if sections else parts[1:])):
        words = own + sections
        numbers = collection.lexical.numbers_of(words)  # of words, and of names of several words
        terms = [part if number >= 0 else stem(part) for part, number in zip(words, numbers, strict=True)]
        chunks = np.union1d(scope.holding(terms), scope.holding(map(stem, words)))
        if not 0 < len(chunks) <= MAX_READ:
            continue
        spelled = re.compile(rb"(?<!\w)" + rb"[._-]?".join(part.encode() for part in own) + rb"(?!\w)", re.I)
        hits = []
        for hit in scope.places_of(collection.code_among(chunks), spelled, why=why):
            text = _READ.sub(b"", collection.text_of(hit.chunk))  # a variable with a shorter name is another one
            names = map(bytes.decode, spelled.findall(text))
            is_key = any("." in name or "-" in name or is_compound_name(name) for name in names)
            hits += _in_type_of(scope, sections[0], hit) if sections else [hit] * is_key
        if hits:
            return hits
    return []


def _in_type_of(scope: SearchScope, section: str, hit: Location) -> list[Location]:
    """The first line of a place that is in a type with the name of a section."""
    rows = scope.collection.definitions.in_file(scope.collection.file_of(hit.chunk))
    types = [row for row in rows if row.kind in TYPES and section in parts_of(row.name)]
    inside = [pair for pair in hit.lines if any(row.line <= pair[0] <= row.end_line for row in types)]
    return [replace(hit, lines=(pair,)) for pair in inside[:1]]


def word_keys(scope: SearchScope, name: str) -> list[Location]:
    """The few places of code that have the last part of a name, a plain word, as a text, if it may be a key: two words
    run together (`maxitems`), or one that most code with it quotes; and no symbol is named after it. One in capitals
    need not be a text, but most code with it must spell it so (`PGHOST`, unlike `HTTPS`)."""
    collection = scope.collection
    word, lexical = name.rpartition(".")[2], collection.lexical
    if _CAPITALS.fullmatch(word):
        hits = scope.in_code(word, "key")
        if len(hits) > MAX_PLACES:
            return []
        code = collection.code_among(lexical.holding(terms_of_text(word)))
        return scope.by_points(hits) if 2 * len(hits) > len(code) else []
    number = lexical.number_of(terms_of_text(word)[0]) if _PLAIN_WORD.fullmatch(word) else -1
    if number < 0 or len(lexical.fields["named"].of(number)):
        return []
    chunks, halves = lexical.fields["body"].of(number), range(3, len(word) - 2)
    pairs = [(word[:at].lower(), word[at:].lower()) for at in halves]
    pairs = [pair for pair in pairs if min(lexical.numbers_of(map(stem, pair))) >= 0]
    is_compound = bool(pairs)
    if any(len(collection.definitions.of(name)) for pair in pairs for name in in_usual_cases("_".join(pair))):
        return []  # the nearest name
    if len(chunks) > (MAX_READ if is_compound else MAX_PLACES):
        return []
    # Otherwise a quoted word inside of a message would count.
    text = re.compile(rf"[(\[{{,=:|>]\s*([\"'`]){word}\1\s*(?:[,:;)\]}}=|]|$)".encode(), re.M)
    code = collection.code_among(scope.among(chunks))
    hits = scope.places_of(code, text, word.encode())
    is_key = len(hits) <= MAX_CHUNKS and (is_compound or 2 * len(hits) > len(code))
    return scope.by_points(hits) if is_key else []
