"""Exact answers: the query points at lines, names a symbol, or contains literal text.

A message, a command or a header reads the same in the query as in a string or comment of the code. Its words are
common and are not names, so no signal finds it; the text itself does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain, islice

from chunker.kinds import ROUTINES, VALUES
from chunker.languages.table import HISTORY, has_graph
from contracts.lazy_regex import lazy_regex
from index.collection.collection import Collection
from index.collection.kinds import ASIDE, CODE, PROSE, is_code, is_translation, kind_of
from index.collection.reader import ChunkReader, Lines
from index.search.definitions import MOCK, RARE, TYPES, Definition, definitions, definitions_in, named_definitions
from index.search.indirection import control_users, readers, routes_with_name, translated, with_readers
from index.search.occurrences import (
    MOST_CHUNKS,
    by_points,
    distinct,
    in_code,
    in_turns,
    lines_with,
    occurrences,
    pattern_of,
)
from index.search.places.locations import Location, Locations
from index.search.query import REQUESTS, Query
from index.search.signals.files import named_files
from index.search.spelling import MAX_CHARS, QUOTES, ends_of, only_code_spells, spellings, symbol_of
from index.segment.columns import Array
from index.text import STOP_WORDS, words_of
from index.types import ChunkId, FileId

_CONSTRUCTORS = frozenset({"__init__", "constructor", "new", "init", "initialize", "__construct"})
# Text in double quotes or backticks, two or more words in capitals, a flag: `max-age=0`, SHOW CLIENTS, --no-lock; the
# first argument of a call: reverse('cart-pay').
_MARKED = lazy_regex(
    r"[\"“]([^\"”\n]{3,200})[\"”]|`([^`\n]{3,200})`"
    r"|\b([A-Z][A-Z0-9_]+(?:[ -][A-Z][A-Z0-9_]+)+)\b|(?<![\w-])(--\w[\w-]+)|\w\('([^'\n]{3,200})'(?=[,)])"
    # A label before its element of a page: `the Save as a draft button`, `Forgot your password page`.
    r"|(?:\b(?:the|this|that|our|an?) (?=[A-Z][a-z]+ )"
    rf"|^(?!(?i:{'|'.join(sorted(REQUESTS))})\b)(?=[A-Z](?:\S+ ){{3,7}}\w+$))"
    r"([A-Z][a-z'’]+(?: [A-Za-z'’]+){1,7}?)"
    r" (?:button|checkbox|column|dialog|dropdown|field|heading|label|link|menu|modal|option|page|popup|screen|tab)\b"
)
_UNUSUAL = lazy_regex(r"[^\w\s?]")
# A message or a label of a few words, which the code quotes as a whole: `Attachment size overflow`.
_SHORT_SENTENCE = lazy_regex(rf"(?!(?i:{'|'.join(sorted(REQUESTS))})\b)[A-Z][a-z'’]+(?: \w[\w'’]*){{1,2}}")
_VALUE = lazy_regex(r"[\"':\d]|(?<!\S)/\w")  # signs of a value in a message
_SHORT_VALUE = lazy_regex(r"[\"'`:\d]")  # also in backticks, for a message of SHORT words
# Words of faults, which short messages without a value have. To look for the places of each topic takes 7 % of a pack.
_FAULT = lazy_regex(
    r"\b(?:cannot|could|denied|error|exceeded|expected|fail(?:ed|s|ure)?|found|invalid|missing|must|no|not|refused|unable"
    r"|unexpected|unknown|unsupported)\b|n't\b",
    re.IGNORECASE,
)
_QUESTION = lazy_regex(r"^(?:how|what|where|which|who|why)\b|\?\s*$", re.IGNORECASE)
_CONFIRMATION = lazy_regex(r"(?:are|did|do|would) you\b", re.IGNORECASE)  # the interface asks so
_PATH = lazy_regex(r"\S*[./]\S+")
_CALL_WITH_TEXT = lazy_regex(r"[\w$.:>-]+\(\s*([\"'])([^\"'()]+)\1")  # `config('auth.method')`
_DASHES = lazy_regex(r"^--?(?=\w)")
# A name with slashes, which code quotes as a whole: `textDocument/hover`, `application/x-ndjson`.
_SLASH_NAME = lazy_regex(r"(?<![\w/.:@+-])(@?\w[\w.+-]*(?:/(?!\d+\b)[\w+-]*\w)+)/?(?![\w/-]|\.\w)")
_QUOTED = ('"{}"', "'{}'", "`{}`", '"{}/"', "'{}/'", '"/{}"', "'/{}'")  # a route may be written without its slashes
_RESOURCE = lazy_regex(r"[\w.]*\bR\.[a-z]+\.\w|@\+?(?:\w+:)?[a-z]+/")  # of an Android app
# The reason that is shown for code with the text of each group of `_MARKED`.
_MARKS = ("literal", "mention", "mention", "literal", "literal", "literal")
MOST_PARTS = 20  # parts of a route, because all its ends are looked up
# In a question of this many words, a definition or a mention says where to look, but is not the answer. A list shows it
# as the first place of its file, at the file's rank: for 420 commit subjects with one, from training repositories,
# NDCG@10 is 0.887; with such hits before all others it is 0.860.
SOFT, WORDS_AROUND_SOFT = frozenset({"named", "mention"}), 5
# Word counts of queries that may be literal text as a whole; with fewer words, they also need a special character.
WHOLE_WORDS = range(4, 13)
MOST_LITERALS = 30  # literal texts of a query: a pasted page may contain thousands
MOST_OF_KEY = 12
MOST_ELSEWHERE = 2  # definitions in tests, mocks and generated code that are shown if code also defines the name
MESSAGE_WORDS = range(4, 40)
SHORT = 3  # words of a message if one of them is a value: unknown attribute `foo`
LEAST_OF_MESSAGE = 0.6  # share of a text's letters that a literal must contain if nothing else marks it as a message


def exact_hits(
    collection: Collection, query: Query, located: Locations | None, file_points: Array, allowed: Array
) -> list[Location]:
    """The exact hits, best first: the places that a query points at, then what it names.

    With a place or a trace, only its lines count; if a question quotes an error, its names come after them.
    """
    if located is None or not (located.hits or located.trace):
        symbol = _without_constructor(collection, query.symbol or symbol_of(query.text) or query.key)
        if hits := _defined_hits(collection, query, symbol, file_points, allowed):
            return hits
        named = _named_hits(collection, query, file_points, allowed)
        texts = literals(query) | _undefined(collection, query)
        literal = _text_hits(collection, query, texts, file_points, allowed)
        fields = _member_hits(collection, symbol, file_points, allowed)
        if fields:
            return distinct([*fields, *literal])
        member = _in_other_case(collection, symbol) if literal and query.key and "." not in symbol else ""
        if member:
            return distinct([*_symbol_hits(collection, member, file_points, allowed, is_key=True), *literal])
        if module := _module_hits(collection, symbol, allowed):
            return module
        literal = _with_other_cases(collection, query, literal, file_points, allowed) if query.key else literal
        if not literal and query.kind == "identifier":
            from index.search.places.keys import word_keys

            return word_keys(collection, query.symbol, file_points, allowed)
        # A message or a line of code means the place that contains it rather than what its words name.
        if query.text not in texts and not any(hit.why == "message" for hit in literal):
            return [*named, *literal]
        return distinct([*(hit for hit in literal if not is_soft(query, hit.why)), *named, *literal])
    named = _named_hits(collection, query, file_points, allowed) if located.quoted else []
    messages = [hit for hit in located.hits if hit.why == "message"]
    return distinct([*located.hits, *readers(collection, messages, file_points, allowed), *named])


def _defined_hits(
    collection: Collection, query: Query, symbol: str, file_points: Array, allowed: Array
) -> list[Location]:
    """The hits of a resource, or of a name that is defined, and none for a path of data, which a definition may happen
    to end like; of a call with a text, first the code that contains it."""
    if _RESOURCE.match(query.text):
        from index.search.places.resources import resource_hits

        if hits := resource_hits(collection, query.text, file_points, allowed):
            return hits
    hits = _symbol_hits(collection, symbol, file_points, allowed, is_key=bool(query.key)) if symbol else []
    if hits and "." in query.key:
        from index.search.data_keys import is_data_path

        hits = [] if is_data_path(collection, query.key, allowed) else hits
    if match := _CALL_WITH_TEXT.match(query.text):  # the argument says more than the function
        from index.search.places.keys import keys_of_file

        calls = by_points(collection, in_code(collection, match[0], "literal", allowed), file_points)[:MOST_CHUNKS]
        route = _route_of_name(collection, match[2], in_code(collection, match[2], "key", allowed), allowed)
        hits = distinct([*keys_of_file(collection, match[2], allowed), *route, *calls, *hits])
    return hits


def _without_constructor(collection: Collection, symbol: str) -> str:
    """The name; for a constructor (`User.new`) that is not defined, its type."""
    container, _, last = symbol.rpartition(".")
    is_constructor = container and last in _CONSTRUCTORS and not definitions(collection, symbol)
    return container if is_constructor else symbol


def _in_other_case(collection: Collection, symbol: str) -> str:
    """The defined name that a key of data means: `maxItems` in JSON is `MaxItems` in C# or Go, and `shop__maxItems` in
    the environment is `Shop.MaxItems`, or else `Shop`'s part of a longer one."""
    parts = symbol.split("__")
    cases = [[f"{change(part[:1])}{part[1:]}" for part in parts] for change in (str.upper, str.lower)]
    tries = (".".join(names[:count]) for count in range(len(parts), min(len(parts), 2) - 1, -1) for names in cases)
    return next((name for name in tries if name != symbol and definitions(collection, name)), "")


def _with_other_cases(
    collection: Collection, query: Query, hits: Sequence[Location], file_points: Array, allowed: Array
) -> list[Location]:
    """The hits of a key between the model of a table and the places that spell the key in another case; without these
    if nothing spells it as the query does, but code defines it in another case: that is the nearest name."""
    from index.search.other_cases import defining, models_of_table, spelled_otherwise

    models = _signatures(models_of_table(collection, query.key, allowed), "symbol")
    name = query.symbol or query.key
    others = spelled_otherwise(collection, name, allowed, file_points)
    is_defined = not defining(collection, name).isdisjoint(hit.chunk for hit in others)
    return distinct([*models, *hits, *(others if hits or not is_defined else ())])


def _module_hits(collection: Collection, symbol: str, allowed: Array) -> list[Location]:
    """The chunks of the only code file that has a module's name: `Mojo::UserAgent`, `shop.cart`."""
    end = f"/{symbol.replace('.', '/')}"
    paths = enumerate(collection.files.paths if "." in symbol else ())
    files = [FileId(number) for number, path in paths if f"/{path}".rpartition(".")[0].endswith(end)]
    files = [file for file in files if allowed[file] and kind_of(collection, file) == CODE]
    chunks = collection.chunks_in(files[0]) if len(files) == 1 else ()
    return [Location(ChunkId(chunk), (), "path") for chunk in chunks if collection.shown[chunk]]


def _named_hits(collection: Collection, query: Query, file_points: Array, allowed: Array) -> list[Location]:
    """The definitions of the names among the words of a query; if it names a file, of any of its words there."""
    if query.kind != "words":
        return []
    named = named_definitions(collection, query.text, allowed, file_points)
    if files := [file for file in named_files(collection, query) if allowed[file]]:
        words = {word for word in words_of(_PATH.sub(" ", query.text)) if word.lower() not in STOP_WORDS}
        named = [*definitions_in(collection, files, words)[:MOST_CHUNKS], *named]
    defined = [one for one in named if one.tier < MOCK or not in_code(collection, one.row.name, "named", allowed)]
    return _signatures(defined, "named")


def _signatures(matches: Sequence[Definition], why: str) -> list[Location]:
    """The chunks of definitions, each once, with the lines of their signatures."""
    lines: dict[ChunkId, set[Lines]] = {}
    for one in matches:
        lines.setdefault(one.row.chunk, set()).add(one.signature)
    return [Location(chunk, tuple(sorted(own)), why) for chunk, own in lines.items()]


def _symbol_hits(
    collection: Collection, symbol: str, file_points: Array, allowed: Array, *, is_key: bool
) -> list[Location]:
    """The definitions of a name with the lines of their signatures, their later parts, and the constructor of a class.

    Fields and variants come last. They do not say what they are for, nor do constants: the code that contains the name
    comes after them, unless it is also a type's. If only tests, mocks or headings define the name, or only generated
    code and it is no type's, that code comes first.
    """
    matches = definitions(collection, symbol, allowed, file_points)
    is_generated = collection.static["generated"]
    defined = [one for one in matches if not one.tier]
    defined = defined or [one for one in matches if one.tier < MOCK and not is_generated[one.row.file]]
    if defined or (matches and matches[0].tier < MOCK):
        numbers = {one.row.number for one in defined}
        matches = [*defined, *[one for one in matches if one.row.number not in numbers][:MOST_ELSEWHERE]]
    fields = [one for one in defined if one.row.is_minor]
    first = [one for one in defined if not one.row.is_minor]
    hits = [*_signatures(first, "symbol"), *_signatures(fields, "key"), *_signatures(matches[len(defined) :], "symbol")]
    ends: dict[ChunkId, int] = {}  # of the definitions in a chunk, the last line of the longest
    for one in matches:
        ends[one.row.chunk] = max(one.row.end_line, ends.get(one.row.chunk, 0))
    own, starts = {hit.chunk for hit in hits}, collection.cells.start_line
    shown: dict[ChunkId, Location] = {}
    for hit in hits:
        shown.setdefault(hit.chunk, hit)
        parts = map(ChunkId, range(hit.chunk + 1, collection.parts_of(hit.chunk).stop))
        later_parts = [part for part in parts if starts[part] <= ends[hit.chunk]]
        constructors = _constructors(collection, hit.chunk) if hit.why == "symbol" else ()
        for other in (*later_parts, *constructors):
            if other not in own:
                shown.setdefault(other, Location(other, (), "symbol"))
    is_elsewhere = bool(matches) and all(
        one.tier >= MOCK
        or (one.row.kind == "section" and is_key)
        or (is_generated[one.row.file] and one.row.kind not in TYPES)
        for one in matches
    )
    kinds = {one.row.kind for one in first}
    # The prototype of a method is a minor definition, too: the graph knows who calls it, or the text says so.
    is_called = all(one.row.kind in ROUTINES for one in fields) and _are_called(collection, first)
    is_read = bool(defined) and (kinds <= VALUES if is_called or not fields else not kinds & TYPES)
    # The graph does not know what uses a table of SQL or the like, nor who reads a getter of an unknown object.
    is_own = 0 < len(first) <= RARE and kinds <= ROUTINES and only_code_spells(first[0].row.name)
    is_read |= is_own and not _are_called(collection, first)
    outside = bool(first) and not any(has_graph(collection.files.languages[one.row.file]) for one in first)
    is_read |= outside and (only_code_spells(first[0].row.name) or "." in first[0].row.name)
    generated = _of_schema(collection, matches, file_points, allowed)
    if not (is_elsewhere or is_read):
        return distinct([*shown.values(), *generated])
    users = distinct([*_users(collection, symbol, matches[0].row.name, file_points, allowed), *generated])
    if outside:  # templates of YAML, too
        users = [user for user in users if user.chunk not in own]
        aside = [] if users else occurrences(collection, matches[0].row.name, "key", allowed).get(ASIDE, [])
        users = users or by_points(collection, aside, file_points)[:MOST_OF_KEY]
    if is_elsewhere:
        return [*users, *shown.values()]
    elsewhere = {one.row.chunk for one in matches[len(defined) :]} if defined else set()
    ordered = [*shown.values()]
    end = next((at for at, hit in enumerate(ordered) if hit.chunk in elsewhere), len(ordered))
    return distinct([*ordered[:end], *users, *ordered[end:]])


def _of_schema(
    collection: Collection, matches: Sequence[Definition], file_points: Array, allowed: Array
) -> list[Location]:
    """The definitions of a name in schemas, and what spells it in another case if there are any: code that implements
    or calls `rpc GetCart`."""
    from index.search.other_cases import in_schemas, spelled_otherwise

    name = matches[0].row.name if matches else ""
    schemas = in_schemas(collection, name, allowed)[:MOST_ELSEWHERE]
    users = spelled_otherwise(collection, name, allowed, file_points) if schemas else []
    return distinct([*_signatures(schemas, "symbol"), *users])


def _users(collection: Collection, symbol: str, name: str, file_points: Array, allowed: Array) -> list[Location]:
    """The code that contains a name; for a member (`Action.Up`), first the code that names it behind its type, and then
    none that names it behind another one (`MouseAction::Up`)."""
    users = in_code(collection, name, "key", allowed)
    owner = symbol.rpartition(".")[0].rpartition(".")[2]
    own, others = (
        re.compile(rf"(?<!\w)(?:{form})(?:\.|::|->){re.escape(name)}(?!\w)".encode())
        for form in (re.escape(owner), r"(?!Self\b)[A-Z]\w*")
    )
    text = ChunkReader(collection).text
    first = {user.chunk: user for user in users if owner and own.search(text(user.chunk))}
    if first:
        declaring = {*first, *collection.definitions.chunk[collection.definitions.of(name)].tolist()}
        users = [user for user in users if user.chunk not in declaring and not others.search(text(user.chunk))]
    in_order = (in_turns(collection, part, file_points) for part in ([*first.values()], users))
    ordered = sorted(chain(*in_order), key=lambda hit: collection.cells.imports_only[hit.chunk])
    return ordered[:MOST_OF_KEY]


def _are_called(collection: Collection, matches: Sequence[Definition]) -> bool:
    """Whether code apart from these definitions calls or uses one of them."""
    chunks = {one.row.chunk for one in matches}
    ties = (tie for chunk in chunks for tie in collection.edges_in.neighbours(chunk))
    return any(label in ("calls", "uses") and other not in chunks for other, label in ties)


def _member_hits(collection: Collection, symbol: str, file_points: Array, allowed: Array) -> list[Location]:
    """The line of a field in its type, or of a key in the file that its name begins with."""
    if "." not in symbol:
        return []
    from index.search.places.keys import keys_of_file

    return _field_hits(collection, symbol, file_points, allowed) or keys_of_file(collection, symbol, allowed)


def _field_hits(collection: Collection, symbol: str, file_points: Array, allowed: Array) -> list[Location]:
    """The first line with the name of a field in its type (`Profile.nag_period`), or with a key in a constant that is
    an object or a table (`KEYS.ESCAPE`), for fields that are not symbols."""
    container, _, field = symbol.rpartition(".")
    matches = definitions(collection, container, allowed, file_points) if container else []
    keyed = re.compile(rb"^[ \t]*[\"']?" + re.escape(field.encode()) + rb"[\"']?\s*[:=,(]", re.M)
    reader, hits = ChunkReader(collection), []
    for one in (one for one in matches if one.group == matches[0].group and one.row.kind in TYPES | VALUES):
        row, pattern = one.row, pattern_of(field) if one.row.kind in TYPES else keyed
        inside = map(ChunkId, range(row.chunk, reader.last_inside(row.chunk) + 1))
        lines = ((chunk, lines_with(collection, chunk, pattern)) for chunk in inside)
        own = ((chunk, [pair for pair in pairs if row.line <= pair[0] <= row.end_line]) for chunk, pairs in lines)
        hits += [Location(chunk, (pairs[0],), "key") for chunk, pairs in own if pairs][:1]
    return hits[:MOST_CHUNKS]


def _constructors(collection: Collection, chunk: ChunkId) -> list[ChunkId]:
    """The constructor of a class if it is a chunk of its own: a reader of the class wants it next."""
    names, symbol = collection.snapshot.segment.names, collection.cells.symbol
    if symbol[chunk] < 0:
        return []
    constructors = {*_CONSTRUCTORS, names[symbol[chunk]].rpartition(".")[2]}
    inside = (ChunkId(other) for other, label in collection.edges_out.neighbours(chunk) if label == "contains")
    members = (other for other in inside if symbol[other] >= 0)
    return [other for other in members if names[symbol[other]].rpartition(".")[2] in constructors][:1]


def is_soft(query: Query, why: str) -> bool:
    """Whether an exact hit for this reason says where to look, but not that the answer is there."""
    return query.kind == "words" and query.words >= WORDS_AROUND_SOFT and why in SOFT


def literals(query: Query) -> dict[str, str]:
    """The texts to look for, as written, each with the reason that is shown for code that contains it."""
    if query.key:
        return {query.key: "key"}
    pairs = (pair for match in _MARKED.findall(query.text) for pair in zip(match, _MARKS, strict=True) if pair[0])
    marked = dict.fromkeys((route for _, route in query.routes), "key")
    names = _SLASH_NAME.findall(query.text)
    slash_names = ((quoted.format(name), "mention") for quoted in _QUOTED for name in names)
    short = _QUOTED[:3] if _SHORT_SENTENCE.fullmatch(query.text) else ()
    sentences = ((quoted.format(query.text), "literal") for quoted in short)
    marked |= islice(dict(chain(pairs, sentences, slash_names)).items(), MOST_LITERALS)
    words = len(query.text.split())
    whole = query.kind == "words" and (
        words in WHOLE_WORDS or (1 < words < WHOLE_WORDS.start and _UNUSUAL.search(query.text))
    )
    return {**marked, query.text: "literal"} if whole else marked


def _undefined(collection: Collection, query: Query) -> dict[str, str]:
    """The names of a question that code spells so but does not define: settings, columns, formats, parameters."""
    if query.kind != "words":
        return {}
    names, defined = collection.snapshot.segment.names, collection.definitions.name
    paths = " ".join((*query.paths, *(route for _, route in query.routes)))
    words = [word for word in query.spelled() if word not in paths]
    words = [word for word in words if f"{word}: " not in query.text and f"({word}) " not in query.text]  # exceptions
    numbers = {word: names.find(word) for word in words}
    return {word: "mention" for word, number in numbers.items() if number < 0 or not (defined == number).any()}


def _declared_names(text: str) -> list[str]:
    """What code often calls the field of a flag, of an environment variable or of a setting: `--dry-run` and
    `shop.dry-run` are `dry_run` or `dryRun`; the ends of a key in several parts, or its parts as Elixir's telemetry
    names an event (`:shop, :cart, :stop`)."""
    if len(text) > MAX_CHARS:
        return []
    name = _DASHES.sub("", text)
    section, _, setting = name.rpartition(".")
    if section and "-" in setting and " " not in name:
        return [*ends_of(name), *spellings(setting)]
    atoms = [", ".join(f":{part}" for part in name.split("."))] if name.count(".") > 1 else []
    return [one for one in ([name] if " " in name else [*spellings(name), *ends_of(name), *atoms]) if one != text]


def _places(collection: Collection, text: str, why: str, allowed: Array) -> dict[int, list[Location]]:
    """The chunks that contain a text by kind; if no code does, or if it is a flag as a key, which help and scripts
    contain, code with another spelling counts."""
    by_kind = occurrences(collection, text, why, allowed)
    if CODE not in by_kind:
        declared = [occurrences(collection, name, why, allowed) for name in _declared_names(text)]
        beside = () if "." in text else filter(None, declared)  # the last part of a key says little
        return next((one for one in declared if CODE in one), by_kind or next(iter(beside), {}))
    if why == "key" and text.startswith("--"):
        names = _declared_names(text)
        names = names if len(names) != 1 else [f'"{names[0]}"', f"'{names[0]}'"]  # one word says little
        others = (hit for name in names for hit in in_code(collection, name, why, allowed))
        by_kind[CODE] = distinct([*by_kind[CODE], *others])
    return by_kind


def literal_hits(
    collection: Collection, query: Query, texts: Mapping[str, str], file_points: Array, allowed: Array
) -> list[Location]:
    """The chunks that contain a literal text of the query, with its lines, by the points of their files.

    A text among other words counts only in code. If it is the whole query and no code contains it, tests and the other
    ASIDE files count; if they do not contain it either, prose does.
    """
    most = MOST_OF_KEY if query.key else MOST_CHUNKS
    routes = {route: verb for verb, route in query.routes}
    hits: dict[ChunkId, Location] = {}
    for text, why in texts.items():
        by_kind = _places(collection, text, why, allowed)
        is_whole = text in (query.key, query.text) or text == query.text.strip(QUOTES)
        if text in routes and text.count("/") <= MOST_PARTS:
            from index.search.routing.routes import routed

            by_kind = routed(collection, routes[text], text, by_kind, allowed, is_whole=is_whole)
        elif CODE not in by_kind and (users := translated(collection, text, by_kind.get(ASIDE, []), allowed)):
            for hit in users:
                hits.setdefault(hit.chunk, hit)
            continue
        elif CODE not in by_kind and (query.key or why == "mention"):
            from index.search.places.keys import in_own_words

            own = in_own_words(collection, text, why, allowed)
            by_kind = {CODE: own} if own else by_kind
        kind = min(by_kind, default=CODE) if is_whole else CODE
        best = by_kind.get(kind, [])
        if kind == PROSE and text == query.text:  # unquoted words that only a changelog contains are a topic
            paths, file = collection.files.paths, collection.cells.file
            best = [hit for hit in best if not HISTORY.search(paths[file[hit.chunk]])]
        best = _untranslated(collection, best) if len(best) > most else best
        declared = [] if text in routes else _route_of_name(collection, text, best, allowed)
        if query.key or len(best) <= most:
            best = in_turns(collection, best, file_points)[:most]
            best += control_users(collection, best, allowed) if kind == ASIDE else []
        else:
            best = []
        if text in routes and best:
            from index.search.routing.routes import handlers

            named = handlers(collection, routes[text], text, best[:MOST_CHUNKS], allowed)
            best += _signatures(named, "key")
        for hit in (*declared, *best):
            hits.setdefault(hit.chunk, hit)
    return list(hits.values())


def _route_of_name(collection: Collection, name: str, places: Sequence[Location], allowed: Array) -> list[Location]:
    """The lines that give a route a name, and the handlers that they pass its requests to."""
    declared = routes_with_name(collection, name, places)[:MOST_CHUNKS]
    if not declared:
        return []
    from index.search.routing.routes import handlers

    return [*declared, *_signatures(handlers(collection, "", name, declared, allowed), "key")]


def _untranslated(collection: Collection, hits: Sequence[Location]) -> list[Location]:
    """The places outside of translations, which have every text once for each language."""
    files = collection.cells.file
    return [hit for hit in hits if not is_translation(collection, FileId(files[hit.chunk]))]


def _text_hits(
    collection: Collection, query: Query, texts: Mapping[str, str], file_points: Array, allowed: Array
) -> list[Location]:
    """The chunks that contain the texts, or build the query if it is a message: `Too many follow-up requests: 21`.

    Code with the whole query comes first. If code builds it, the texts in it are values.
    """
    whole = {text: why for text, why in texts.items() if text == query.text and why == "literal"}
    hits = literal_hits(collection, query, whole, file_points, allowed) if whole else []
    parts = {text: why for text, why in texts.items() if text not in whole}
    is_coded = any(is_code(collection, hit.chunk) for hit in hits)
    is_question = parts and _QUESTION.match(query.text)  # `why does POST /votes fail`: about these texts
    if not is_coded and not is_question and (built := _built(collection, query, allowed, is_in_data=bool(hits))):
        return with_readers(collection, [*built, *hits], file_points, allowed)
    others = literal_hits(collection, query, parts, file_points, allowed) if parts else []
    if query.key or any(text.startswith("--") for text in parts):
        others += readers(collection, others, file_points, allowed, query.key)[:MOST_OF_KEY]
    if query.key:
        from index.search.places.keys import assignment, may_define

        value = assignment(collection, query.key, file_points, allowed)
        # If only data and templates use a key, its value is all that defines it.
        is_read = any(may_define(collection, hit) for hit in others)
        others = [*others, *value] if is_read else [*value, *others]
    hits = with_readers(collection, hits, file_points, allowed)
    return distinct([*hits, *others] if is_coded else [*others, *hits])


def _built(collection: Collection, query: Query, allowed: Array, *, is_in_data: bool) -> list[Location]:
    """The places whose literals, with placeholders, produce the query, or the code that uses their keys; only code if
    data contains the query."""
    words = len(query.text.split())
    if query.kind != "words" or not (words in MESSAGE_WORDS or (words == SHORT and _SHORT_VALUE.search(query.text))):
        return []
    is_usual = query.is_topic and not _FAULT.search(query.text)
    is_question = _QUESTION.search(query.text) and not _CONFIRMATION.match(query.text)
    if not _VALUE.search(query.text) and (is_usual or is_question):
        return []
    from index.search.places.messages import builders

    hits: list[Location] = []
    places = builders(collection, query.text, allowed, LEAST_OF_MESSAGE)
    # If code builds the message itself, its translations say nothing more.
    is_coded = any(is_code(collection, place.chunk) for place in places)
    for place in places:
        own = Location(place.chunk, place.lines, "message")
        if is_code(collection, place.chunk):
            hits.append(own)
        elif not is_in_data:
            is_copy = is_coded and is_translation(collection, FileId(collection.cells.file[place.chunk]))
            hits += translated(collection, place.text, [own], allowed) or [own] * (not is_copy)
    return distinct(hits)
