"""Follows a text to the code that uses it: by the key of a translation, by the name of a constant or of a route."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from chunker.kinds import TYPES, VALUES
from contracts.lazy_regex import lazy_regex
from index.collection.collection import ASIDE, CONSTRUCTORS, Collection
from index.collection.tables import DefinitionRow
from index.roles import in_any_language, is_translation
from index.search.fields.data_names import option_names
from index.search.scope import MAX_CHUNKS, Location, SearchScope, distinct
from index.search.spelling import VARIABLE, is_code_name, is_compound_name, spellings
from index.text import indentation
from index.types import ChunkId

T = TypeVar("T")  # a place or a file
# The key before a text in a file of translations: `"key": "`, `'key' => '`, `key = `, `<string name="key">`.
_KEYED = lazy_regex(r"[\"']?(?<![\w.-])([\w.-]{3,80})[\"']?\s*(?:=>|[:=>])\s*[\"']?")
_FIELD = lazy_regex(  # with the key that fills it: Go's tag, `maxItems: values.MAX_ITEMS`
    r"\s*(\w+)(?:\s+[\w.*\[\]]+\s+`\w+:\"|\??:\s*\w+\.[\w.]+,?\s*$)"
)
# The tag before a text, with its key.
_TAG = lazy_regex(r"<\w[^<>]*?\s(?:name|id|key)\s*=\s*[\"']([\w.-]{3,80})[\"'][^<>]*>\W*$")
_OWN_NAME = lazy_regex(r"\s*<[^<>]{0,300}\s(?:name|id|key)\s*=")  # a line that begins with a tag that has a key
_FILLED = lazy_regex(r"(?:[^\w{}]|\{[^{}]*\}|%\w)*")
_OPENED = lazy_regex(r"([\w.-]{3,80})\s*[:=]\s*[|>]?[+-]?\s*$")  # `key =` above its text
_OUTER = lazy_regex(r"\s*[\"']?([\w-]+)[\"']?\s*(?::|=>?)\s*(?:[{\[(]\s*)?$")  # the key of a table of texts
_ENGLISH = lazy_regex(r"[/._-]en(?:[_-]r?[A-Z]{2})?(?=[/._])")  # in the path of a translation
# A key around all texts of a file, or the name of a file of all texts.
_ROOT = lazy_regex(r"[a-z]{2}(?:[_-][A-Za-z]{2,4})?|(?:translation|message|string|text|label)s?|common|app|index|main")
# The name of a control of a layout (Qt, GTK, Android, XAML); a Qt property has a name, too.
_CONTROL = lazy_regex(
    r"(?:^\s*|<(?!property|attribute)\w[^<>]*?\s)(?:\w+:)?(?:[Nn]ame|id|key)=\"(?:@\+?(?:\w+:)?id/)?([\w.-]{3,80})\""
)
_DECLARED = lazy_regex(r"\s*(\w+)\s*(?:[,({]|$)")  # a variant
_ARM = lazy_regex(  # of a match or a switch
    r"\s*(?:case\s+[\w.:]*?(\w+)\s*(?:\([^()]*\))?\s*(?::(?!:)|=>)"
    r"|(?:is\s+)?(?:[\w.:]*[.:])?([A-Z]\w+)\s*(?:\{[^{}]*\}|\([^()]*\))?\s*(?:=>|->))"
)
# A line with the name of a route has its path or its call, or continues it; `Event(name: "cart-pay")` does not.
_MAY_ROUTE = lazy_regex(
    r"^\s*(?:[{(]\s*)?(?:->|\.)?\W?(?:as|name)\b|[\"'][^\"'\s]*/|\b\w*(?:path|route|url|view)"
    r"|\b(?:any|delete|get|match|mount|namespace|patch|post|put|resources?|scope)\b",
    re.IGNORECASE,
)
_EXCEPTION = lazy_regex(r"(?:Error|Exception|Failure|Fault)\b")  # in the head of its type
_NAMED_TEXTS = VALUES | {"macro"}  # in C, the name of a message
ARM_LINES = 3  # of an arm, down to its text
MAX_LINES = 6  # between a key and a line of its text
MAX_OF_CONTROL = 24  # lines from a control to its label
MAX_TAG = 300  # characters of the tag or the key before a text
MAX_OUTER = 9  # keys around that of a text
MAX_KEYS = 3  # keys of one translated text that are looked up
MAX_USERS = 12  # places that refer to one translated text by a key that is no word
MAX_TRANSLATIONS = 20  # places of a text whose keys are read: a name is the same in all languages


def translated(scope: SearchScope, text: str, places: Sequence[Location]) -> list[Location]:
    """The code that contains the key of a translated text, then one of the translations: the original or English.

    Of a key in several parts (`buttons.save`), the most that code names together."""
    collection = scope.collection
    keys: dict[tuple[str, ...], Location] = {}
    for place in sorted(places, key=lambda place: language_order(collection.path_of(place.chunk)))[:MAX_TRANSLATIONS]:
        rows = scope.rows(place.chunk)
        for key in filter(None, (_key_at(rows, first - 1, text) for first, _ in place.lines)):
            keys.setdefault(key, place)
    hits: dict[ChunkId, Location] = {}
    for key, place in list(keys.items())[:MAX_KEYS]:
        names = [".".join(key[at:]) for at in range(len(key))]
        users = next(filter(None, _users(scope, key, place)), [])
        layouts = [] if users else _in_layouts(scope, names, place.why)
        most = MAX_USERS if any(map(_is_no_word, names)) else MAX_CHUNKS
        if 0 < len(users or layouts) < most:
            best = scope.by_points(users or layouts)[: MAX_CHUNKS - 1]
            shown = (*best, *control_users(scope, layouts), place)
            hits.update((hit.chunk, hit) for hit in shown)
    return list(hits.values())[:MAX_CHUNKS]


def _users(scope: SearchScope, key: Sequence[str], place: Location) -> Iterator[list[Location]]:
    """The code that contains the key of a translated text: behind the name of its file, which is the first part of the
    key for Laravel, with all keys around it, then with fewer of them.

    The last part alone may be any word (`numeric`): code with it, or its path, must also contain the part before it."""
    collection = scope.collection
    file = in_any_language(collection.path_of(place.chunk)).rpartition("/")[2].partition(".")[0]
    parts = [*([file] if file and "*" not in file else ()), *key]
    for at in range(len(parts)):
        name = ".".join(parts[at:])
        hits = [hit for own in spellings(name) for hit in scope.in_code(own, place.why)]
        around = "" if _is_no_word(name) else "".join(one for one in parts[-2:-1] if not _ROOT.fullmatch(one))
        yield [hit for hit in hits if not around or _is_near(collection, hit.chunk, around)]


def _is_near(collection: Collection, chunk: ChunkId, word: str) -> bool:
    return word in collection.path_of(chunk) or word.encode() in collection.text_of(chunk)


def _is_no_word(key: str) -> bool:
    return "." in key or is_compound_name(key)


def language_order(path: str) -> tuple[int, int, bool]:
    """Smallest for the original and for English, whose paths name no other language; `en-US` comes before `en-GB`."""
    return len(_ENGLISH.sub("", path)), len(path), "US" not in path


def in_one_language(places: Sequence[T], path_of: Callable[[T], str]) -> list[T]:
    """The places (or files) outside of translations, then of the translations the original or the English one."""
    copies = [place for place in places if is_translation(path_of(place))]
    first = sorted(copies, key=lambda place: language_order(path_of(place)))[:1]
    return [*(place for place in places if place not in copies), *first]


def originals(scope: SearchScope, places: Mapping[Location, str]) -> dict[Location, str]:
    """The places, each with its text; of the translations of a text only the original or the English one, also if it is
    not among the places."""
    path_of, own = scope.collection.path_of, dict[Location, str]()
    for place, text in places.items():
        copies = [one for one, other in places.items() if other == text and is_translation(path_of(one.chunk))]
        is_copy = place in copies
        copies += scope.occurrences(text, place.why).get(ASIDE, []) if is_copy and " " in text else []
        own.setdefault(in_one_language(copies, lambda one: path_of(one.chunk))[-1] if is_copy else place, text)
    return own


def outer_keys(rows: Sequence[str], line: int) -> list[str]:
    """The keys below which a line is, the innermost first."""
    from index.search.routing.mounts import enclosing

    return [match[1] for row in enclosing(rows, line) if (match := _OUTER.match(row))]


def _in_layouts(scope: SearchScope, names: Sequence[str], why: str) -> list[Location]:
    """The data that refers to a key, the last of its names: a layout (`"@string/key"`), a manifest (`"%key%"`), a page
    that quotes one of its names which are no word (`{{ t "menu.key" }}`)."""
    collection, key = scope.collection, names[-1]
    own = "|".join(re.escape(name) for name in filter(_is_no_word, names))
    quoted = rf"|(?<!name=)(?<!key=)(?<!id=)[\"'`](?:{own})[\"'`](?!\s*(?:[:=]|\]))" if own else ""
    uses = re.compile(rf"(?<!<)[/%]{re.escape(key)}(?![\w.-]){quoted}")
    hits = (hit for hit in scope.occurrences(key, why).get(ASIDE, []) if not collection.is_in_tests(hit.chunk))
    return scope.on_lines_like((hit for hit in hits if not is_translation(collection.path_of(hit.chunk))), uses)


def control_users(scope: SearchScope, hits: Sequence[Location]) -> list[Location]:
    """The code that names the controls whose labels are places in layouts: `<widget name="lockBox">`."""
    collection = scope.collection
    layouts = [hit for hit in hits if not collection.rules_of(hit.chunk).symbols]
    labels = ((hit, scope.rows(hit.chunk), first - 1) for hit in layouts for first, _ in hit.lines)
    names = {name: hit.why for hit, rows, at in labels if (name := _control_at(rows, at))}
    # Code may name `save_button` or `save-button` as `saveButton`.
    places = (scope.in_code(own, why) for name, why in names.items() for own in spellings(name.replace("_", "-")))
    return distinct([hit for own in places if len(own) <= MAX_CHUNKS for hit in own])[:MAX_CHUNKS]


def _control_at(rows: Sequence[str], at: int) -> str:
    """The name of the control around a line of a layout, in its tag or in the first one around it that has a name."""
    deepest = indentation(rows[at])
    for row in reversed(rows[max(at + 1 - MAX_OF_CONTROL, 0) : at + 1]):
        depth = indentation(row)
        if depth <= deepest and (match := _CONTROL.search(row)):
            return match[1] if is_compound_name(match[1]) else ""
        if depth <= deepest and row[depth : depth + 1] == "<":
            deepest = depth - 1
    return ""


def _key_at(rows: Sequence[str], at: int, text: str) -> tuple[str, ...]:
    """The key of a text: on its line, or on a line above, behind which an indented text begins; behind the keys around
    it. Empty if there is none."""
    key, above = _key_of(rows[at], text), at
    is_inside = at > 0 and rows[at].lstrip().startswith("<") and not _OWN_NAME.match(rows[at])
    if is_inside and (outer := _TAG.search(rows[at - 1][-MAX_TAG:])):
        key = outer[1]  # `<data name="key">` above `<value>`
    while not key and rows[above][:1] in (" ", "\t", "") and above > max(at - MAX_LINES, 0):
        above -= 1
        match = _OPENED.match(rows[above])
        key = match[1] if match else ""
    return (*reversed(outer_keys(rows, above + 1)[:MAX_OUTER]), key) if key else ()


def _key_of(line: str, text: str) -> str:
    """The key in front of a text, with nothing but marks and placeholders between them; empty if there is none."""
    line = line.replace("\\'", "'")
    before = line[: max(line.find(text.strip("<>")), 0)][-MAX_TAG:]
    if tag := _TAG.search(before):
        return tag[1]
    keys = [match for match in _KEYED.finditer(before) if _FILLED.fullmatch(before, match.end())]
    return keys[-1][1] if keys else ""


def routes_with_name(scope: SearchScope, name: str, places: Sequence[Location]) -> list[Location]:
    """The places whose lines give a route this name: `path("pay/", pay, name="cart-pay")`, `->name('cart.pay')`."""
    if " " in name:
        return []
    gives = re.compile(rf"\b(?:as|name)[\"']?\s*(?:=>|[=:(])\s*[\"':]{re.escape(name)}(?![\w.-])")
    return scope.on_lines_like(scope.on_lines_like(places, gives), _MAY_ROUTE)


def with_readers(scope: SearchScope, hits: Sequence[Location]) -> list[Location]:
    """The places, each constant followed by the code that reads it."""
    pairs = ([hit, *readers(scope, [hit])] for hit in hits)
    return distinct([hit for pair in pairs for hit in pair])


def readers(scope: SearchScope, hits: Sequence[Location], key: str = "") -> list[Location]:
    """The code that uses the constants whose values are the places, or the keys of a table of texts; for a `key` with
    dashes, first the field beside it that has its name (`{"max-items", &server.max_items}`); for a variable of the
    environment, the option that it sets."""
    collection = scope.collection
    users: list[Location] = []
    field = re.compile("|".join(rf"(?<![\w$-]){re.escape(name)}(?![\w$-])" for name in spellings(key.strip("-"))[1:]))
    for hit in hits:
        if throwers := [] if key else _throwers(scope, hit):
            users += throwers
            continue
        for name in _names_at(scope, hit, key, field):
            others = [user for user in scope.in_code(name, hit.why) if user.chunk != hit.chunk]
            if not (is_code_name(name) or "-" in name):  # elsewhere, the word may mean anything
                folder = _folder(collection, hit.chunk)
                others = [user for user in others if _folder(collection, user.chunk) == folder]
            if others:
                users += scope.by_points(others)[:MAX_CHUNKS]
                break
    return distinct(users)


def is_printed(scope: SearchScope, hit: Location) -> bool:
    """Whether pasted lines are of the text of a constant without the line of its name: a program printed them."""
    inner = _innermost(scope.collection, hit.chunk, hit.lines[0][0]) if hit.why == "code" and hit.lines else None
    return inner is not None and inner.kind in _NAMED_TEXTS and inner.line < hit.lines[0][0]


def _throwers(scope: SearchScope, hit: Location) -> list[Location]:
    """The code that creates an exception whose text is on the first line of a place, or that calls the method of it
    which contains the text (`CartFault.closed(id)`)."""
    collection = scope.collection
    inner = _innermost(collection, hit.chunk, hit.lines[0][0]) if hit.lines else None
    parts = (inner.qualified if inner else collection.symbol_of(hit.chunk)).split(".")
    faults = (one for name in reversed(parts) for one in _types_named(collection, hit.chunk, name))
    fault = next((one for one in faults if _EXCEPTION.search(scope.row(one.chunk, one.line))), None)
    if fault is None:
        return []
    method = parts[parts.index(fault.name) + 1 :][:1]
    is_made = not method or method[0] in {*CONSTRUCTORS, fault.name} or (inner and inner.kind in VALUES)
    made = [fault.chunk, *collection.constructors_of(fault.chunk)] if is_made else [hit.chunk]
    ties = (tie for chunk in made for tie in collection.edges_in.neighbours(chunk))
    users = {ChunkId(other) for other, label in ties if label == "calls"} - {fault.chunk, *made}
    shown = (user for user in sorted(users) if scope.allowed[collection.file_of(user)] and collection.is_code(user))
    return scope.by_points(scope.places_with(fault.name, shown, hit.why))[:MAX_CHUNKS]


def _types_named(collection: Collection, chunk: ChunkId, name: str) -> Iterator[DefinitionRow]:
    """The types of this name in the file of a chunk."""
    rows = collection.definitions.named(name)
    return (one for one in rows if one.file == collection.file_of(chunk) and one.kind in TYPES)


def _names_at(scope: SearchScope, hit: Location, key: str, own_field: re.Pattern[str]) -> list[str]:
    """The names by which code may use what is on the first line of a place that has any; none of data."""
    lines = [line for line, _ in hit.lines[:MAX_LINES]] if scope.collection.is_code(hit.chunk) else []
    options: list[str] = []
    if lines and VARIABLE.fullmatch(key):
        rows = scope.rows(hit.chunk)
        options = next(filter(None, (option_names(rows, line - 1) for line in lines)), [])
    # The first line may be a comment.
    return options or next(filter(None, (_names(scope, hit.chunk, line, own_field) for line in lines)), [])


def _folder(collection: Collection, chunk: ChunkId) -> str:
    return collection.path_of(chunk).rpartition("/")[0]


def _names(scope: SearchScope, chunk: ChunkId, line: int, own_field: re.Pattern[str]) -> list[str]:
    """The names by which code may use a line: that of the field which its key fills; a key in a constant, then that of
    the constant; that of the variant whose text it is; or its key behind the name of a file of settings."""
    collection, rows = scope.collection, scope.rows(chunk)
    if own_field.pattern and (beside := own_field.search(rows[line - 1])):
        return [beside[0]]
    if field := _FIELD.match(rows[line - 1]):
        return [field[1]]
    inner = _innermost(collection, chunk, line)
    if inner is None or inner.kind not in _NAMED_TEXTS:
        name = _variant(rows, line - 1)
        number = collection.snapshot.segment.names.find(name) if name else -1
        if number >= 0 and (collection.definitions.name == number).any():
            return [name]
        key = _KEYED.match(rows[line - 1].lstrip()) if inner is None else None
        file = collection.path_of(chunk).rpartition("/")[2].partition(".")[0]
        return [".".join([file, *reversed(outer_keys(rows, line)), key[1]])] if key else []
    keys = (_KEYED.match(row.lstrip()) for row in rows[inner.line : inner.end_line])
    counts = Counter(match[1] for match in keys if match)
    key = _KEYED.match(rows[line - 1].lstrip()) if line > inner.line else None
    is_name = key is not None and counts[key[1]] == 1  # not an attribute that each row of the table has
    return [*([key[1]] if key and is_name else ()), inner.name]


def _innermost(collection: Collection, chunk: ChunkId, line: int) -> DefinitionRow | None:
    """The innermost of a chunk's definitions that a line is in."""
    definitions = collection.definitions.in_chunk(chunk, minor=True)
    around = [one for one in definitions if one.has_line(line)]
    return max(around, key=lambda row: (row.start_line, -row.end_line), default=None)


def _variant(rows: Sequence[str], at: int) -> str:
    """The name whose text is in a row: below the attribute `#[error("...")]`, or of the arm `Unknown { name } =>`."""
    if rows[at].lstrip().startswith("#["):
        matches = map(_DECLARED.match, rows[at + 1 : at + 1 + MAX_LINES])
    else:
        matches = map(_ARM.match, reversed(rows[max(at + 1 - ARM_LINES, 0) : at + 1]))
    return next((match[match.lastindex or 0] for match in matches if match), "")
