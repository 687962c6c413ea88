"""Exact answers: the query points at lines, names a symbol, or contains the text of code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from chunker.kinds import VALUES
from contracts.lazy_regex import lazy_regex
from index.collection.collection import ASIDE, CODE, CONSTRUCTORS, Collection
from index.search.definitions import (
    MOCK,
    QUESTION_CHARS,
    RARE,
    allowed_definitions,
    definitions,
    definitions_in,
    named_definitions,
    signatures,
)
from index.search.fields.declarations import column_hits, field_hits, named_fields
from index.search.indirection import is_printed, readers
from index.search.other_cases import defining, models_of_table, spelled_otherwise
from index.search.places.locations import Locations
from index.search.query import TOPIC_WORDS, Query, parse_query
from index.search.scope import MAX_CHUNKS, Location, SearchScope, distinct
from index.search.signals.files import named_files
from index.search.spelling import capitalized_in, in_usual_cases, is_compound_name, symbol_of
from index.search.texts import MAX_OF_KEY, command_of, literals, route_of_name, text_hits, undefined, unusual_words
from index.text import STOP_WORDS, words_of
from index.types import ChunkId

_PATH = lazy_regex(r"\S*[./]\S+")
# `config('auth.method')`, `store?.get("token")`, `@Cached("carts")`, `settings["max"]`, `opts[:max]`, `$cart->{max}`
_CALL_WITH_TEXT = lazy_regex(
    r"(@?[\w$.:>?!-]+)([(\[{])\s*(?:([\"'])(?P<text>[^\"'()]+)\3|(?P<symbol>:\w+)|(?<=->\{)(?P<bare>\w+)\})"
)
_OTHER_QUOTES = str.maketrans("\"'", "'\"")
_ARGUMENTS = lazy_regex(r"<([\w\s,.:<>]+)>")  # of a generic type
_RESOURCE = lazy_regex(r"\bR\.[a-z]+\.\w|@\+?(?:\w+:)?[a-z]+/")  # of an Android app
_OF_STYLES = lazy_regex(r"^\W*\.|\b(?:class|classes|css|rule|styles?|styling)\b")  # a class of style sheets may follow
# Words of which a text contains one that names what a tool runs. A test holds them equal to those of
# `places/tasks.tsv`, which plain questions do not read.
TOOLS = frozenset(
    "action actions ansible bazel bun cargo ci cmake compose composer deno docker docker-compose dockerfile gitlab"
    " gradle gradlew ./gradlew handler hatch job just justfile make makefile mix ninja notify nox npm package"
    " package.json pdm pipeline play pnpm podman-compose poe poetry pre-commit recipe rye stage target task taskfile"
    " tox uv workflow workflows yarn".split()
)
# One of these words is in a question about what creates a table or a column.
TABLES = frozenset("column field migration migrations schema table columns".split())
MAX_AROUND_NUMBER = 4  # words of a query that is about a number
MAX_OF_DATA = 200  # characters of a text that names what is no symbol
# In a question of this many words, a definition or a mention says where to look, but is not the answer. A list shows it
# as the first place of its file, at the file's rank: for 420 commit subjects with one, from training repositories,
# NDCG@10 is 0.887; with such hits before all others it is 0.860.
SOFT, WORDS_AROUND_SOFT = frozenset({"named", "extended", "mention"}), 5
MAX_BEHIND_TITLE = 3  # names of a report that are not in its title


def exact_hits(scope: SearchScope, query: Query, located: Locations | None) -> list[Location]:
    """The exact hits, best first: the places that a query points at, then what it names.

    With a place or a trace, only its lines count; if a question quotes an error, or all frames are of other code, its
    names come after them; what a copied line names comes before the places of the line, if there are several. Of a
    report, the hits of its title come first: the rest of it quotes what it happens to use, and only the first names
    count.
    """
    if located is None or not (located.hits or located.trace):
        if query.title:
            named = [hit for hit in _named_hits(scope, query) if not scope.collection.is_in_tests(hit.chunk)]
            title = replace(parse_query(query.title), title="")  # its lines may read like a report again
            return distinct([*exact_hits(scope, title, None), *named[:MAX_BEHIND_TITLE]])
        if (uses := _of_missing_member(scope, query)) is not None:
            return uses
        kinds = (_of_data, _of_class, _of_column, _of_short_flag, _unlocated_hits)
        return next(filter(None, (of_kind(scope, query) for of_kind in kinds)), [])
    is_common = len(located.hits) > 1 and located.hits[0].why == "code" and "\n" not in query.text.strip()
    is_foreign = located.only_messages and not located.hits
    if is_foreign:  # the messages lack the label that tells quoted names from quoted text
        query = parse_query(f"error: {query.text}")
    named = _named_hits(scope, query) if located.quoted or is_common or is_foreign else []
    texts = [hit for hit in located.hits if hit.why == "message" or is_printed(scope, hit)]
    hits = [*located.hits, *readers(scope, texts)]
    return distinct([*named, *hits] if is_common else [*hits, *named])


def _of_missing_member(scope: SearchScope, query: Query) -> list[Location] | None:
    """What else is named in a message about a member that a value lacks, then the uses of this member; None for other
    texts."""
    if query.kind != "words":
        return None
    from index.search.fields.member_errors import missing_member

    missing = missing_member(query.text)
    if missing is None:
        return None
    from index.search.fields.members import uses_of_member

    owner, member, around = missing
    return distinct([*_named_hits(scope, parse_query(around)), *uses_of_member(scope, owner, member)])


def _of_class(scope: SearchScope, query: Query) -> list[Location]:
    """The rules of the class of style sheets that a query names, the code that contains it, and what else is named."""
    if not _OF_STYLES.search(query.text):
        return []
    from index.search.places.styles import named_class, rules_of_class

    name = named_class(query.text)
    rules = rules_of_class(scope, name) if name else []
    return distinct([*rules, *_unlocated_hits(scope, parse_query(name)), *_named_hits(scope, query)]) if rules else []


def _of_data(scope: SearchScope, query: Query) -> list[Location]:
    """The places of what a query names that is no symbol, then what else is named."""
    if query.kind != "words" and not query.symbol.isdigit():
        return []
    if len(query.text) > MAX_OF_DATA or query.title:
        return []
    words = query.text.lower().replace("`", " ").split()
    if not TABLES.isdisjoint(words):
        from index.search.fields.migrations import migration_hits

        if hits := migration_hits(scope, query.text):
            return distinct([*hits, *_unlocated_hits(scope, query)])
    return _of_task(scope, query, words) or _of_number(scope, query)


def _of_task(scope: SearchScope, query: Query, words: Sequence[str]) -> list[Location]:
    """The places of what a tool runs by the name that a query gives (`make lint`), then what else is named; if nothing
    declares it, a name that prose does not spell so means what it means alone (`npm run lint:fix`)."""
    if TOOLS.isdisjoint(words):
        return []
    from index.search.places.tasks import task_hits

    name, hits = task_hits(scope, query.text)
    own = parse_query(name) if is_compound_name(name) or "-" in name else None
    return distinct(
        [*hits, *(_unlocated_hits(scope, own) if own else ()), *(_named_hits(scope, query) if hits else ())]
    )


def _of_number(scope: SearchScope, query: Query) -> list[Location]:
    """The places of the number that a short query is about, then what else is named."""
    is_short = query.words <= MAX_AROUND_NUMBER or "* *" in query.text
    if not is_short or not any(map(str.isdigit, query.terms)):
        return []
    from index.search.places.numbers import number_hits

    hits = number_hits(scope, query.text)
    return distinct([*hits, *_unlocated_hits(scope, query)]) if hits else []


def _of_short_flag(scope: SearchScope, query: Query) -> list[Location]:
    """The declarations of the flag of one letter that a query is about, then the hits of the long flag beside it."""
    if "-" not in query.text:
        return []
    from index.search.fields.flags import short_flag, short_flag_lines

    letter = short_flag(scope, query.text)
    hits, long = short_flag_lines(scope, letter) if letter else ([], "")
    own = _unlocated_hits(scope, parse_query(long)) if long else ()
    return distinct([*hits, *own, *_named_hits(scope, query)]) if hits else []


def _of_column(scope: SearchScope, query: Query) -> list[Location]:
    """The hits of the column or table that a text names: its declaration, then the code that contains it; of SQL, first
    the code that contains or builds the statement."""
    if query.kind != "words":
        return []
    from index.search.fields.member_errors import named_column

    named = named_column(query.text)
    if named is None:
        return []
    from index.search.fields.described_columns import described_columns
    from index.search.fields.migrations import declarations_of

    table, column, around = named
    described = described_columns(scope, table, column) if column else []
    own = definitions(scope.collection, table) if table else []
    declared = [*described, *([] if table and column else declarations_of(scope, table, column))]
    is_declared = declared or any(scope.collection.rules_of(one.row.chunk).schema for one in own)
    # `table header`: without a mark of a message or of SQL, a plain word is a table only if something declares it.
    if not (is_declared or column or is_compound_name(table)) and query.text.replace(" ", "").isidentifier():
        return []
    name = parse_query(".".join(filter(None, (table, column))))
    hits = _unlocated_hits(scope, name)
    hits = [replace(hit, why="key") if hit.lines else hit for hit in hits]  # a line of the model rather than all of it
    whole = text_hits(scope, query, {query.text: "literal"}) if around.strip() == query.text else []
    built = (hit for hit in whole if scope.collection.is_code(hit.chunk))
    return distinct([*built, *declared, *hits, *_named_hits(scope, parse_query(around))]) if declared or hits else []


def _unlocated_hits(scope: SearchScope, query: Query) -> list[Location]:
    """The hits of a query that points at no place: what it names, and the code that contains it."""
    collection = scope.collection
    name = _name_of(collection, query)
    symbol = "" if query.key.startswith(("-", "/")) else name  # a flag or a route comes before a name
    if hits := _argument_hits(scope, query.text, symbol) or _defined_hits(scope, query, symbol):
        return hits
    named = _named_hits(scope, query)
    unusual = unusual_words(scope, query)
    texts = literals(query) | undefined(scope, query, unusual)
    literal = text_hits(scope, query, texts, unusual)
    if name != symbol and not literal:
        literal = _defined_hits(scope, query, name)
    fields = _member_hits(scope, symbol) if "." in symbol else []
    columns, models = column_hits(scope, symbol)
    own_name = symbol.rpartition(".")[2]
    if fields or columns:
        from index.search.fields.members import uses_of_member

        uses = uses_of_member(scope, "", own_name) if is_compound_name(own_name) else []
        return distinct([*fields, *columns, *literal, *uses])
    member = _in_other_case(collection, symbol) if symbol and literal and query.key and "." not in symbol else ""
    if member:
        from index.search.places.symbols import symbol_hits

        return distinct([*symbol_hits(scope, member, is_key=True), *literal])
    if module := _module_hits(scope, symbol):
        return module
    literal = distinct([*_files_named(scope, name or query.key), *literal])
    if models and not literal:  # the column by its own name: its model does not name it
        own = _unlocated_hits(scope, parse_query(own_name)) if is_compound_name(own_name) else []
        return [*own, *signatures(models, "key")]
    if query.key and literal:
        literal = _with_values(scope, symbol, literal)
    literal = _with_other_cases(scope, query, literal) if query.key else literal
    if not literal and query.kind in ("identifier", "path"):
        return _of_unknown(scope, query)
    # A message or a line of code means the place that contains it rather than what its words name, but `add a workflow
    # action` no label `Workflow action`.
    is_text = query.text in texts or any(hit.why == "message" for hit in literal)
    is_command = command_of(query) in texts
    is_request = any(hit.why == "extended" for hit in named) and not any(hit.why == "literal" for hit in literal)
    if is_request or not (is_text or is_command):
        return distinct([*named, *literal, *_of_topic(scope, query), *_of_documents(scope, query)])
    first = literal if is_command else [hit for hit in literal if hit.why not in SOFT]
    return distinct([*first, *named, *literal, *_of_documents(scope, query)])


def _name_of(collection: Collection, query: Query) -> str:
    """The name that a query is, with dots between its parts, or its key; the target of a makefile may have slashes."""
    if query.kind == "path" and len(collection.definitions.of(query.text)):
        return query.text
    return _without_constructor(collection, query.symbol or symbol_of(query.text) or query.key)


def _of_unknown(scope: SearchScope, query: Query) -> list[Location]:
    """The places of a word that nothing defines, but code quotes; or of a name with slashes that is no path of this
    tree: `actions/cache`, `example.com/shop/cart`."""
    if query.kind == "identifier":
        from index.search.fields.keys import word_keys

        return word_keys(scope, query.symbol)
    text = query.text.strip("/")
    by_kind = scope.occurrences(text, "key") if "/" in text else {}
    is_folder = by_kind and any(f"/{text}/" in f"/{path}" for path in scope.collection.files.paths)
    hits = [] if is_folder else [hit for kind in (CODE, ASIDE) for hit in by_kind.get(kind, ())]
    return scope.in_turns(hits)[:MAX_OF_KEY]


def _argument_hits(scope: SearchScope, text: str, symbol: str) -> list[Location]:
    """The types in a name of a type or a call that is from elsewhere: `Arc<Store>`, `context.read<CartBloc>()`."""
    match = _ARGUMENTS.search(text) if symbol else None
    if match is None or not all(one.redeclares for one in definitions(scope.collection, symbol)):
        return []
    return signatures(named_definitions(scope, re.sub(r"\w+", r"`\g<0>`", match[1])), "named")


def _defined_hits(scope: SearchScope, query: Query, symbol: str) -> list[Location]:
    """The hits of a resource, or of a name that is defined, and none for a path of data, which a definition may happen
    to end like; of a call with a text, first the code that contains it."""
    if _RESOURCE.search(query.text):
        from index.search.places.resources import resource_hits

        if resources := resource_hits(scope, query.text):
            return resources
    hits: list[Location] = []
    if symbol:
        from index.search.places.symbols import symbol_hits

        hits = symbol_hits(scope, symbol, is_key=bool(query.key))
    if hits and "." in query.key:
        from index.search.fields.data_keys import is_data_path

        hits = [] if is_data_path(scope.collection, query.key, scope.allowed) else hits
    may_call = any(map(query.text.__contains__, "([{"))  # as few questions do; the pattern takes long to compile
    match = _CALL_WITH_TEXT.match(query.text) if may_call else None
    return _calls_with_text(scope, match, hits) if match else hits  # the argument says more than the function


def _calls_with_text(scope: SearchScope, match: re.Match[str], defined: list[Location]) -> list[Location]:
    """The declarations of the text of a call or a subscript, then such calls, of this receiver or else of any, then the
    definitions of the function and all code with the text if it is a key."""
    from index.search.fields.keys import keys_of_file

    text = match["text"] or match["bare"] or match["symbol"][1:]
    calls = scope.by_points(_with_text(scope, match))[: MAX_CHUNKS if match[2] == "(" else MAX_OF_KEY]
    route = route_of_name(scope, text, scope.in_code(text, "key"))
    argument = parse_query(text)
    users = text_hits(scope, argument, literals(argument)) if argument.key else []
    return distinct([*_files_named(scope, text), *keys_of_file(scope, text), *route, *calls, *defined, *users])


def _with_text(scope: SearchScope, match: re.Match[str]) -> list[Location]:
    """The places of a call with its text in any quotes, of its receiver or else of any; of a subscript also with any
    name before it. Code comes before other files."""
    call, head = match[0], match[1]
    own = call[max(map(head.rfind, ".:>!-")) + 1 :]
    forms = (call, own) if match[2] == "(" else (call, own, call[len(head) :])
    spelled = dict.fromkeys(text for form in forms for text in (form, form.translate(_OTHER_QUOTES)))
    places = (scope.occurrences(text, "key") for text in spelled)
    return next((by_kind[min(by_kind)] for by_kind in places if by_kind), [])


def _without_constructor(collection: Collection, symbol: str) -> str:
    """The name; for a constructor (`User.new`) that is not defined, its type."""
    container, _, last = symbol.rpartition(".")
    is_constructor = container and last in CONSTRUCTORS and not definitions(collection, symbol)
    return container if is_constructor else symbol


def _in_other_case(collection: Collection, symbol: str) -> str:
    """The defined name that a key of data means: `maxItems` in JSON is `MaxItems` in C# or Go, and `shop__maxItems` in
    the environment is `Shop.MaxItems`, or else `Shop`'s part of a longer one."""
    parts = symbol.split("__")
    cases = [[f"{change(part[:1])}{part[1:]}" for part in parts] for change in (str.upper, str.lower)]
    tries = (".".join(names[:count]) for count in range(len(parts), min(len(parts), 2) - 1, -1) for names in cases)
    return next((name for name in tries if name != symbol and definitions(collection, name)), "")


def _with_other_cases(scope: SearchScope, query: Query, hits: Sequence[Location]) -> list[Location]:
    """The hits of a key between the model of a table and the places that spell the key in another case, which come
    before tests; without these if nothing spells it as the query does, but code defines it in another case: that is the
    nearest name."""
    models = signatures(models_of_table(scope, query.key), "symbol")
    if query.key.islower() and "_" in query.key:
        from index.search.fields.migrations import creations

        models += creations(scope, query.key)[:1]
    name = query.symbol or query.key
    others = spelled_otherwise(scope, name)
    is_defined = not defining(scope.collection, name).isdisjoint(hit.chunk for hit in others)
    others = others if hits or not is_defined else []
    in_tests = all(scope.collection.is_in_tests(hit.chunk) for hit in hits)
    return distinct([*models, *others, *hits] if in_tests else [*models, *hits, *others])


def _module_hits(scope: SearchScope, symbol: str) -> list[Location]:
    """The chunks of the only code file that has a module's name: `Mojo::UserAgent`, `shop.cart`."""
    collection = scope.collection
    end = f"/{symbol.replace('.', '/')}"
    paths = enumerate(collection.files.paths if "." in symbol else ())
    files = scope.code_files(number for number, path in paths if f"/{path}".rpartition(".")[0].endswith(end))
    chunks = collection.chunks_in(files[0]) if len(files) == 1 else ()
    return [Location(ChunkId(chunk), (), "path") for chunk in chunks if collection.shown[chunk]]


def _files_named(scope: SearchScope, name: str) -> list[Location]:
    """The beginnings of the only one or two files of code with a name that nothing defines in any case: a script
    (`Install-Docker`), a model of dbt (`stg_orders`), a component of Razor (`CartList`)."""
    collection, is_name = scope.collection, is_compound_name(name) or "-" in name
    if not is_name or any(definitions(collection, one) for one in in_usual_cases(name)):
        return []
    files = collection.files.names.with_stem(name)
    chunks = [ChunkId(run[0]) for file in files if scope.allowed[file] and (run := collection.chunks_in(file))]
    chunks = [chunk for chunk in chunks if (own := collection.rules_of(chunk)).symbols or own.template]
    return [Location(chunk, (), "path") for chunk in chunks] if len(chunks) <= RARE else []


def _named_hits(scope: SearchScope, query: Query) -> list[Location]:
    """The definitions of the names among the words of a query, also those of fields (`Cart.total`); if it names a file,
    of any of its words there. In a short one, a capitalized word may name a type; in others, types are only around what
    is asked for."""
    if query.kind != "words":
        return []
    from index.search.places.extensions import extended_types

    text = query.text
    for _, route in query.routes:  # its parameters name nothing
        text = text.replace(route, " ")
    types = capitalized_in(text) if query.words < WORDS_AROUND_SOFT else ()
    named = named_definitions(scope, text, types)
    if files := [file for file in named_files(scope.collection, query) if scope.allowed[file]]:
        words = {word for word in words_of(_PATH.sub(" ", query.text)) if word.lower() not in STOP_WORDS}
        named = [*definitions_in(scope.collection, files, words)[:MAX_CHUNKS], *named]
    defined = [one for one in named if one.tier < MOCK or not scope.in_code(one.row.name, "named")]
    extended = extended_types(scope, text)
    is_sentence = not (extended or query.is_topic or query.title or len(text) > QUESTION_CHARS)
    if is_sentence:
        from index.search.places.phrases import named_by_phrases

        defined += named_by_phrases(scope, text)
    return distinct([*signatures(defined, "named"), *named_fields(scope, text), *extended])


def _of_topic(scope: SearchScope, query: Query) -> list[Location]:
    """The definition with the name that the words of a short topic make."""
    words = query.text.split()
    if not (query.is_concept and len(words) > 1 and all(map(str.isalpha, words))):
        return []
    from index.search.places.phrases import named_by_topic

    return signatures(named_by_topic(scope, query.text), "named")


def _of_documents(scope: SearchScope, query: Query) -> list[Location]:
    """The sections of documents with a short topic as their heading, if no code names it."""
    from index.search.places.headings import heading_hits

    return heading_hits(scope, query.text) if query.kind == "words" and 1 < query.words <= TOPIC_WORDS else []


def _member_hits(scope: SearchScope, symbol: str) -> list[Location]:
    """The line of a field in its type, or of a key in the file that its name begins with or in tables of code."""
    from chunker.keys import HELM_ROOT
    from index.search.fields.data_keys import keys_at
    from index.search.fields.keys import keys_in_code, keys_of_file

    fields = field_hits(scope, symbol)
    named = [] if fields else keys_of_file(scope, symbol)
    if named and keys_at(scope.collection, f"{HELM_ROOT}.{symbol}", scope.allowed):
        return []  # `service.port` is a value of a chart rather than a key of its `templates/service.yaml`
    return fields or named or keys_in_code(scope, symbol)


def _with_values(scope: SearchScope, symbol: str, users: Sequence[Location]) -> list[Location]:
    """The code that uses a member of something unknown (`env.SMTP_HOST`) after the only one or two fields or values of
    its name or, if nothing defines it, before the few places that have it as a text: what declares
    `BuildConfig.API_HOST`."""
    owner, _, name = symbol.rpartition(".")
    if not owner or not is_compound_name(name):
        return [*users]
    own = [one for one in allowed_definitions(scope, name) if not one.tier]
    if own:
        are_values = all(one.row.is_minor or one.row.kind in VALUES for one in own)
        return distinct([*(signatures(own, "key") if are_values and len(own) <= RARE else ()), *users])
    texts = distinct(scope.quoted_in_code(name, "key"))
    return distinct([*users, *(texts if len(texts) <= MAX_CHUNKS else ())])


def is_soft(query: Query, why: str) -> bool:
    """Whether an exact hit for this reason says where to look, but not that the answer is there."""
    return query.kind == "words" and query.words >= WORDS_AROUND_SOFT and why in SOFT
