"""Finds the code that contains a text of the query, or builds the query if it is a message.

A message, a command or a header reads the same in the query as in a string or comment of the code. Its words are
common and are not names, so no signal finds it; the text itself does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType

from chunker.languages.table import HISTORY
from contracts.lazy_regex import lazy_regex
from index.collection.collection import ASIDE, CODE, PROSE
from index.collection.reader import MAX_LINE
from index.roles import is_translation
from index.search.definitions import signatures
from index.search.fields.data_names import (
    declared_fields,
    declared_first,
    named_in_data,
    option_fields,
)
from index.search.indirection import (
    control_users,
    in_one_language,
    originals,
    readers,
    routes_with_name,
    translated,
    with_readers,
)
from index.search.query import Query
from index.search.scope import MAX_CHUNKS, Location, SearchScope, distinct, on_lines
from index.search.signals.files import WANTED_BY
from index.search.spelling import (
    MAX_CHARS,
    QUOTES,
    VARIABLE,
    ends_of,
    is_compound_name,
    is_of_tool,
    plain_in,
    spellings,
)
from index.text import REQUESTS, STOP_WORDS, UNSPACED, terms_of, words_of

# Text in double quotes or backticks, two or more words in capitals, a flag: `max-age=0`, SHOW CLIENTS, --no-lock; the
# first argument of a call: reverse('cart-pay').
_MARKED_IN_ASCII = (
    r"[\"“]([^\"”\n]{3,200})[\"”]|`([^`\n]{3,200})`"
    r"|\b([A-Z][A-Z0-9_]+(?:[ -][A-Z][A-Z0-9_]+)+)\b|(?<![\w-])(--\w[\w-]+)|\w\('([^'\n]{3,200})'(?=[,)])"
    # A label before its element of a page: `the Save as a draft button`, `Forgot your password page`.
    r"|(?:\b(?:the|this|that|our|an?) (?=[A-Z][a-z]+ )"
    rf"|^(?!(?i:{'|'.join(sorted(REQUESTS))})\b)(?=[A-Z](?:\S+ ){{3,7}}\w+$))"
    r"([A-Z][a-z'’]+(?: [A-Za-z'’]+){1,7}?)"
    r" (?:button|checkbox|column|dialog|dropdown|field|heading|label|link|menu|modal|option|page|popup|screen|tab)\b"
)
# The last group is a message or a comment, because code names nothing so. It takes as long to compile as all others.
_MARKED, _MARKED_FOREIGN = lazy_regex(_MARKED_IN_ASCII), lazy_regex(rf"{_MARKED_IN_ASCII}|([{UNSPACED}]{{4,200}})")
_MAY_BE_MARKED = lazy_regex(r"[A-Z\"`]|--|\('|[^\x00-\x7f]")  # cheap to compile, and false of most questions
_TYPE = lazy_regex(r"[\w.]+\[[^\n]*\](?: \| .*)?|[\w.]+(?: \| [\w.\[\], ]+)+")  # `list[str] | None`
_UNUSUAL = lazy_regex(r"[^\w\s?]")
# A message or a label of a few words, which the code quotes as a whole: `Attachment size overflow`.
_SHORT_SENTENCE = lazy_regex(rf"(?!(?i:{'|'.join(sorted(REQUESTS))})\b)[A-Za-z][a-z'’]+(?: \w[\w'’]*){{1,2}}")
_VALUE = lazy_regex(r"[\"':\d]|(?<!\S)/\w")  # signs of a value in a message
_SHORT_VALUE = lazy_regex(r"[\"'`:\d]")  # also in backticks, for a message of SHORT words
# Words of faults, which short messages without a value have. To look for the places of each topic takes 7 % of a pack.
_FAULT = lazy_regex(
    r"\b(?:already|cannot|could|denied|error|exceeded|expected|fail(?:ed|s|ure)?|found|invalid|mismatch|missing|must|no|not|refused"
    r"|unable|unexpected|unknown|unsupported|wrong)\b|n't\b",
    re.IGNORECASE,
)
_QUESTION = lazy_regex(r"^(?:how|what|where|which|who|why)\b|\?\s*$", re.IGNORECASE)
_CONFIRMATION = lazy_regex(r"(?:are|did|do|would) you\b", re.IGNORECASE)  # the interface asks so
# A command, a key, a class of CSS, an event, a header: `dry-run`, `cache:clear`, `cart.paid`, `X-Cart-Id`.
_DASHED = lazy_regex(r"(?<![\w/.@\"'`:-])[A-Za-z]\w*(?:-\w+|[.:][a-z]\w*)+(?![\w/:-]|\.\w)")
_COMMAND_LINE = lazy_regex(r"(?:[a-z][\w./-]*\s+){0,3}([a-z]\w*(?:-\w+)*:[a-z][\w:-]*)(?!\S)")
# A line that imports something, in Go only with its path; text that contains names but says nothing about them.
_IMPORT = lazy_regex(
    r"\s*(?:(?:pub\s+)?(?:from|import|use)\s|using\s+(?:static\s+)?[\w.]+\s*;|#\s*include\b|export\s.*\sfrom\s"
    r"|require(?:_relative)?\s+[\"']|(?!return\b)(?:[\w.]+\s+)?\"[\w.-]+(?:/[\w.-]+)+\"\s*$)"
)
_FORMALITY = lazy_regex(
    r"^(?:\s*(?:namespace|package)\s|.*(?:\([cC]\)\s*\d|[Cc]opyright\b|@author\b|\bAuthors?:|<[\w.+-]{1,64}@)).*"
    r"|https?://\S+"
)
MAX_AROUND_UNUSUAL = 3  # terms of a query in which an unusual word says what is asked for
MAX_DASHED = 3  # of these among the words of a question
MAX_AROUND_NAME = 3  # words of a question that is about one of these, which counts as it does alone
_DASHES = lazy_regex(r"^--?(?=\w)")
_ADDS = lazy_regex(r"(?:please\s+)?(?:add|create|expose|implement|introduce|provide|support)\s", re.IGNORECASE)
# A name with slashes, which code quotes as a whole: `textDocument/hover`, `application/x-ndjson`.
_SLASH_NAME = lazy_regex(r"(?<![\w/.:@+-])(@?\w[\w.+-]*(?:/(?!\d+\b)[\w+-]*\w)+)/?(?![\w/-]|\.\w)")
_QUOTED = ('"{}"', "'{}'", "`{}`", '"{}/"', "'{}/'", '"/{}"', "'/{}'")  # a route may be written without its slashes
_OPENED = ('"{}', "'{}", "`{}")
# The reason that is shown for code with the text of each group of `_MARKED_FOREIGN`.
_MARKS = ("literal", "mention", "mention", "literal", "literal", "literal", "literal")
MAX_PARTS = 20  # parts of a route, because all its ends are looked up
# Word counts of queries that may be literal text as a whole; with fewer words, they also need a special character.
WHOLE_WORDS = range(4, 13)
MAX_OF_KEY = 12
MAX_LITERALS = 30  # literal texts of a query: a pasted page may contain thousands
MESSAGE_WORDS = range(4, 40)
SHORT = 3  # words of a message if one of them is a value, or of a fault: unknown attribute `foo`
MIN_OF_MESSAGE = 0.6  # share of a text's letters that a literal must contain if nothing else marks it as a message
MIN_OF_QUOTED = 0.3  # the same if tests or data contain the text as a whole


def literals(query: Query) -> dict[str, str]:
    """The texts to look for, as written, each with the reason that is shown for code that contains it."""
    if query.key:
        return {query.key: "key"}
    pattern = _MARKED if query.text.isascii() else _MARKED_FOREIGN
    matches = pattern.findall(query.text) if _MAY_BE_MARKED.search(query.text) else ()
    pairs = [pair for match in matches for pair in zip(match, _MARKS, strict=False) if pair[0]]
    if is_of_tool(query.text):
        pairs = [pair for pair in pairs if not _TYPE.fullmatch(pair[0])]
    marked = dict.fromkeys((route for _, route in query.routes), "key")
    names = _SLASH_NAME.findall(query.text)
    slash_names = ((quoted.format(name), "mention") for quoted in _QUOTED for name in names)
    # Before a value, `Unknown parcel` is a message, but `Server certificate` a topic, whatever a log begins with; `no
    # parcel` is a message, too, but `server certificate` is not.
    is_fault = _FAULT.search(query.text) is not None
    short = "\"'`" if (is_fault or query.text[:1].isupper()) and _SHORT_SENTENCE.fullmatch(query.text) else ""
    ends = ("{}", ".{}", "!{}", ":")[: 3 + is_fault]
    sentences = [(f"{mark}{query.text}{end.format(mark)}", "literal") for mark in short for end in ends]
    sentences += [(f">{query.text}<", "literal")] * bool(short)  # of a page or a layout
    marked |= islice(dict(chain(pairs, sentences, slash_names)).items(), MAX_LITERALS)
    words = len(query.text.split())
    whole = query.kind == "words" and (
        words in WHOLE_WORDS or (1 < words < WHOLE_WORDS.start and _UNUSUAL.search(query.text))
    )
    return {**marked, query.text: "literal"} if whole else marked


def undefined(scope: SearchScope, query: Query, unusual: Iterable[str]) -> dict[str, str]:
    """The names of a question that code spells so but only tests and headings define: settings, columns, formats,
    parameters; `unusual` words; words with dashes that code quotes; what a request wants one more like, as code quotes
    it."""
    if query.kind != "words":
        return {}
    from index.search.places.extensions import example

    paths = " ".join((*query.paths, *(route for _, route in query.routes)))
    words = [word for word in query.spelled() if word not in paths]
    words = [word for word in words if f"{word}: " not in query.text and f"({word}) " not in query.text]  # exceptions
    own = {word: "mention" for word in words if not _is_defined(scope, word)}
    own |= dict.fromkeys(unusual, "mention")
    names = dict.fromkeys(_DASHED.findall(query.text) if not query.key else ())
    dashed = [word for word in names if word not in paths or _is_no_file(scope, word)]
    quoted = [word for word in dashed[:MAX_DASHED] if _is_quoted(scope, word)]
    own |= {word: "key" if word == command_of(query) or _is_about(query, word) else "mention" for word in quoted}
    like = example(query.text)
    is_text = like and like not in own and not _is_defined(scope, like)
    return own | {form.format(like): "mention" for form in _QUOTED[: 3 * bool(is_text)]}


def unusual_words(scope: SearchScope, query: Query) -> dict[str, list[Location]]:
    """The places of each word of a short query that is unusual elsewhere, so that the model knows no meaning of it, and
    that little code contains: `bufferline setting`."""
    is_short = query.kind == "words" and len(query.terms) <= MAX_AROUND_UNUSUAL
    is_of_code = is_short and not query.wants_tests and WANTED_BY["prose"].isdisjoint(query.terms)
    words = plain_in(query.text) if is_of_code else ()
    unusual = (word for word in words if not scope.is_usual(terms_of(word)[0]))
    uses = ((word, scope.in_code(word, "mention")) for word in unusual)
    places = ((word, _meant(scope, word, hits)) for word, hits in uses if 0 < len(hits) <= MAX_OF_KEY)
    return {word: hits for word, hits in places if hits}


def _meant(scope: SearchScope, word: str, hits: list[Location]) -> list[Location]:
    """The places of a word that say what it is: of the name of a file or folder, those in it; none in packages,
    copyrights and URLs; imports only if there are no others."""
    paths = ((number, f"/{path}") for number, path in enumerate(scope.collection.files.paths))
    named = set(scope.code_files(number for number, path in paths if f"/{word}." in path or f"/{word}/" in path))
    own = [hit for hit in hits if not named or scope.collection.file_of(hit.chunk) in named]
    own = on_lines(own, lambda hit, line: word in _FORMALITY.sub("", scope.row(hit.chunk, line)[:MAX_LINE]))
    return on_lines(own, lambda hit, line: not _IMPORT.match(scope.row(hit.chunk, line)[:MAX_LINE])) or own


def _is_defined(scope: SearchScope, word: str) -> bool:
    """Whether code defines a name; if only tests or headings do, whether no code contains it, or more than says where
    to look."""
    rows, is_test = scope.collection.definitions.named(word), scope.collection.static["test"]
    is_apart = all(row.kind == "section" or is_test[row.file] for row in rows)
    return bool(rows) and not (is_apart and 0 < len(scope.in_code(word, "mention")) <= MAX_CHUNKS)


def _is_about(query: Query, name: str) -> bool:
    """Whether a question says little besides a name: `who listens to cart.paid`."""
    words = words_of(query.text.replace(name, " ")) if _QUESTION.search(query.text) else ()
    return len(words) > 0 and sum(word.lower() not in STOP_WORDS for word in words) <= MAX_AROUND_NAME


def _is_no_file(scope: SearchScope, word: str) -> bool:
    """Whether a word with a dot, which may be the name of a file, is that of none: `cart.paid`."""
    return "/" not in word and not scope.collection.files.names.ending(word)


def _is_quoted(scope: SearchScope, word: str) -> bool:
    """Whether most code that contains a word with dashes quotes it as a whole: `"dry-run"`; not `real-time`. The
    arguments of a command with a colon may follow it: `"cache:clear {store}"`."""
    forms = _OPENED if ":" in word else _QUOTED[:3]
    quoted = {hit.chunk for text in forms for hit in scope.in_code(text.format(word), "mention")}
    return len(quoted) > 0 and 2 * len(quoted) >= len(scope.in_code(word, "mention"))


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
    own = [] if " " in name else spellings(name)
    fields = [own[-1][:1].upper() + own[-1][1:]] if _is_flag(text) and len(own) > 1 else []  # Go's and C#'s
    return [one for one in ([*own, *fields, *ends_of(name), *atoms] or [name]) if one != text]


def _places(scope: SearchScope, text: str, why: str, query: Query) -> dict[int, list[Location]]:
    """The chunks that contain a text, by kind; if no code does, those that contain it in another spelling."""
    by_kind = scope.occurrences(text, why)
    is_of_data = why == "mention" and len(by_kind.get(ASIDE, ())) > MAX_CHUNKS
    if is_of_data and not any(scope.collection.rules_of(hit.chunk).symbols for hit in by_kind.get(CODE, ())):
        return {}  # templates happen to contain it
    if _is_flag(text):
        return _places_of_flag(scope, text, why, query)
    if CODE in by_kind:
        return by_kind
    others = [scope.occurrences(name, why) for name in _declared_names(text)]
    beside = [] if "." in text else [*filter(None, others)]  # the last part of a key says little
    return next((one for one in others if CODE in one), by_kind or next(iter(beside), {}))


def _places_of_flag(scope: SearchScope, flag: str, why: str, query: Query) -> dict[int, list[Location]]:
    """The chunks that contain a flag, by kind, with code that spells it otherwise, because help and scripts contain the
    flag, too. In a sentence, which is about more, and among a few words if code quotes the flag, only its own spelling.

    Another spelling of a single word says little: it counts as a whole text, unless the query is a request to add it.
    """
    by_kind, names, fields = scope.occurrences(flag, why), _declared_names(flag), list[Location]()
    in_sentence = query.kind == "words" and not query.is_topic
    if why != "key" and CODE in by_kind and (in_sentence or scope.quoted_in_code(flag, why)):
        return by_kind
    if len(names) == 1:
        fields = option_fields(scope, names[0]) if why == "key" else []
        is_dash = why != "key" and names[0] in STOP_WORDS  # `late --and wrong`
        is_new = in_sentence and _ADDS.match(query.text)
        names = [] if is_dash or is_new else [f'"{names[0]}"', f"'{names[0]}'"]
    others = [scope.occurrences(name, why) for name in names] + [{CODE: fields}] * bool(fields)
    if code := distinct(hit for one in (by_kind, *others) for hit in one.get(CODE, ())):
        return {CODE: code}
    beside = () if "." in flag else others  # the last part of a key says little
    return next((one for one in (by_kind, *beside) if ASIDE in one), by_kind)


def _is_flag(text: str) -> bool:
    return text.startswith("-")


def _declarations_first(scope: SearchScope, text: str, hits: list[Location]) -> list[Location]:
    """The places of a text, first the types that give a field this name, and of a flag the lines that declare it; then
    those that have it as a whole text: a flag with or without its dashes, a command perhaps with arguments behind it, a
    variable of the environment that code spells otherwise as code spells it."""
    lines, offering = list[Location](), set[int]()
    if _is_flag(text):
        from index.search.fields.flags import flag_lines, is_completion

        lines = flag_lines(scope, text)
        offering = {hit.chunk for hit in (*lines, *hits) if is_completion(scope.collection.path_of(hit.chunk))}
    declared, hits = {hit.chunk for hit in lines}, distinct([*lines, *hits])
    if not hits:
        return []
    names = (text, _DASHES.sub("", text)) if _is_flag(text) else ()
    texts = [quoted.format(name) for name in names for quoted in _QUOTED[:2]]
    texts += [opened.format(text) for opened in _OPENED if ":" in text and _DASHED.fullmatch(text)]
    declaring = {hit.chunk for text in texts for hit in scope.in_code(text, "key")}
    if VARIABLE.fullmatch(text) and text.encode() not in scope.collection.text_of(hits[0].chunk):
        own = rf"[\"'`](?:-*|[\w.]+\.){'[._-]?'.join(text.split('_')[1:])}[\"'`]"
        quoted_own = re.compile(own.encode(), re.IGNORECASE)
        declaring = {hit.chunk for hit in hits if quoted_own.search(scope.collection.text_of(hit.chunk))}
    fields = {hit.chunk for hit in named_in_data(scope, text, hits)}
    groups = (fields, declared, declaring)
    return sorted(hits, key=lambda hit: (hit.chunk in offering, *(hit.chunk not in own for own in groups)))


def _literal_hits(
    scope: SearchScope, query: Query, texts: Mapping[str, str], unusual: Mapping[str, Sequence[Location]]
) -> list[Location]:
    """The chunks that contain a literal text of the query, with its lines, by the points of their files.

    A text among other words counts only in code, a name that no code contains also in tests and data. If it is the
    whole query and no code contains it, tests and the other ASIDE files count; if they do not contain it either, prose
    does. Of `unusual` words, only these places count.
    """
    routes, collection = {route: verb for verb, route in query.routes}, scope.collection
    hits: list[Location] = []
    for text, why in texts.items():
        is_key = bool(query.key) or (why == "key" and text not in routes)
        most = MAX_OF_KEY if is_key else MAX_CHUNKS
        by_kind = _places(scope, text, why, query)
        is_whole = text.strip("<>") in (query.key, query.text) or text == query.text.strip(QUOTES)
        if text in routes and text.count("/") <= MAX_PARTS:
            from index.search.routing.routes import routed

            by_kind = routed(scope, routes[text], text, by_kind, is_whole=is_whole)
        elif CODE not in by_kind and (users := translated(scope, text, by_kind.get(ASIDE, []))):
            hits += users
            continue
        elif CODE not in by_kind and (query.key or why == "mention"):
            from index.search.fields.keys import in_own_words

            own = in_own_words(scope, text, why)
            by_kind = {CODE: own} if own else by_kind
        is_elsewhere = why == "mention" and CODE not in by_kind and is_compound_name(text)
        kind = min(by_kind, default=CODE) if is_whole else ASIDE if is_elsewhere else CODE
        best = unusual.get(text) or by_kind.get(kind, [])
        if kind == PROSE and text == query.text:  # unquoted words that only a changelog contains are a topic
            best = [hit for hit in best if not HISTORY.search(collection.path_of(hit.chunk))]
        best = _without_copies(scope, best, most)
        declared = [] if text in routes else route_of_name(scope, text, best)
        if is_key or len(best) <= most or _is_flag(text):
            best = declared_first(scope, text, best, most if text.isupper() else 0)
            best = _declarations_first(scope, text, best)[:most]
            best += control_users(scope, best) if kind == ASIDE else []
        else:
            few = scope.by_points(best)[:MAX_CHUNKS] if text in unusual else []
            best = declared_fields(scope, text, best) or few if why == "mention" else []
        if text in routes and best:
            from index.search.routing.routes import handlers

            whole = [hit for hit in best[:MAX_CHUNKS] if hit.why != "part"]
            named = handlers(scope, routes[text], text, whole)
            best += signatures(named, "key")
        hits += (*declared, *best)
    return distinct(hits)


def route_of_name(scope: SearchScope, name: str, places: Sequence[Location]) -> list[Location]:
    """The lines that give a route a name, in files that name its space (`cart:pay`), and the handlers that they pass
    its requests to."""
    declared = routes_with_name(scope, name, places)[:MAX_CHUNKS]
    space, _, own = name.rpartition(":")
    if space and own and " " not in name and not declared:
        files = {scope.collection.file_of(hit.chunk) for hit in scope.in_code(space, "key")}
        chunks = (chunk for file in sorted(files) for chunk in scope.collection.chunks_in(file))
        places = scope.places_with(own, chunks)
        declared = routes_with_name(scope, own, places)[:MAX_CHUNKS]
    if not declared:
        return []
    from index.search.routing.routes import handlers

    return [*declared, *signatures(handlers(scope, "", name, declared), "key")]


def _without_copies(scope: SearchScope, hits: Sequence[Location], most: int) -> list[Location]:
    """The places without translations, which have every text once for each language; if they are few, or all others
    are tests, with one."""
    path_of, is_in_tests = scope.collection.path_of, scope.collection.is_in_tests
    others = [hit for hit in hits if not is_translation(path_of(hit.chunk))]
    is_declared_there = len(others) < most and all(is_in_tests(hit.chunk) for hit in others)
    return in_one_language(hits, lambda hit: path_of(hit.chunk)) if len(hits) <= most or is_declared_there else others


def text_hits(
    scope: SearchScope,
    query: Query,
    texts: Mapping[str, str],
    unusual: Mapping[str, Sequence[Location]] = MappingProxyType({}),
) -> list[Location]:
    """The chunks that contain the texts, or build the query if it is a message: `Too many follow-up requests: 21`; of
    `unusual` words, these places.

    Code with the whole query comes first. If code builds it, the texts in it are values.
    """
    whole = {text: why for text, why in texts.items() if query.text in text and why == "literal"}
    hits = _literal_hits(scope, query, whole, unusual) if whole else []
    parts = {text: why for text, why in texts.items() if text not in whole}
    is_coded = any(scope.collection.is_code(hit.chunk) for hit in hits)
    command = command_of(query)
    # `why does POST /votes fail` and `php artisan cache:clear -q` are about these texts.
    is_about_parts = parts and (_QUESTION.match(query.text) or command in parts)
    if not is_coded and not is_about_parts and (built := _built(scope, query, is_in_data=bool(hits))):
        routes = {text: parts[text] for _, text in query.routes if text in parts}
        routed = _literal_hits(scope, query, routes, unusual) if routes else []
        return distinct([*with_readers(scope, [*built, *hits]), *routed])
    others = _literal_hits(scope, query, parts, unusual) if parts else []
    others = _with_readers_of_quoted(scope, others, parts)
    flags = [text for text in parts if _is_flag(text)]
    if query.key or flags:
        others += readers(scope, others, query.key)[:MAX_OF_KEY]
    if len(flags) == 1:
        from index.search.fields.flags import with_option_reads

        others = with_option_reads(scope, flags[0], others, parts[flags[0]])
    if query.key:
        from index.search.fields.keys import assignment

        value = assignment(scope, query.key)
        # For data and templates, its value is what defines it; code that reads it says more.
        rules_of, size = scope.collection.rules_of, len(others)
        at = next((at for at, hit in enumerate(others) if not rules_of(hit.chunk).symbols), size)
        others = [*others[:at], *value, *others[at:]]
    if command in parts:  # rather than the same flag of another command
        text_of, file_of = scope.collection.text_of, scope.collection.file_of
        own = next((file_of(hit.chunk) for hit in others if command.encode() in text_of(hit.chunk)), None)
        others.sort(key=lambda hit: file_of(hit.chunk) != own)
    hits = with_readers(scope, hits)
    return distinct([*hits, *others] if is_coded else [*others, *hits])


def _with_readers_of_quoted(scope: SearchScope, hits: Sequence[Location], texts: Mapping[str, str]) -> list[Location]:
    """The places; if some have a quoted message (`what logs "Cart is closed"`), each of these followed by the code that
    uses its constant."""
    if not any(" " in text and why == "literal" for text, why in texts.items()):
        return [*hits]
    own = (with_readers(scope, [hit]) if hit.why == "literal" else [hit] for hit in hits)
    return distinct(chain.from_iterable(own))


def command_of(query: Query) -> str:
    """The command with a colon in a command line: `cache:clear` of `php artisan cache:clear -q`; empty without one."""
    may_be = ":" in query.text and query.kind == "words" and not query.key
    match = _COMMAND_LINE.match(query.text) if may_be else None
    return match[1] if match and not _FAULT.search(query.text) else ""


def _built(scope: SearchScope, query: Query, *, is_in_data: bool) -> list[Location]:
    """The places whose literals, with placeholders, produce the query, or the code that uses their keys; only code if
    data contains the query."""
    words, routes = query.text.split(), [route for _, route in query.routes]
    count = len(words)
    is_fault = _FAULT.search(query.text) is not None
    is_long = count in MESSAGE_WORDS or (count == SHORT and (is_fault or _SHORT_VALUE.search(query.text)))
    is_request = routes and sum(word not in routes for word in words) < SHORT  # `POST /carts 403`
    is_question = _QUESTION.search(query.text) and not _CONFIRMATION.match(query.text)
    is_usual = not _VALUE.search(query.text) and (is_question or (query.is_topic and not is_fault))
    if query.kind != "words" or not is_long or is_request or is_usual:
        return []
    from index.search.places.messages import builders, without_copies

    hits: list[Location] = []
    places = originals(scope, builders(scope, query.text, MIN_OF_QUOTED if is_in_data else MIN_OF_MESSAGE))
    without = without_copies(scope.collection, places)
    for place, text in places.items():
        if scope.collection.is_code(place.chunk):
            hits.append(place)
        elif not is_in_data:
            hits += translated(scope, text, [place]) or [place] * (place in without)
    return distinct(hits)
