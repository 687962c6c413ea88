"""The code that uses constants, fields, keys of data and definitions of languages without a graph: names lead to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from posixpath import commonpath

from chunker.keys import HELM_ROOT
from chunker.kinds import ROUTINES, VALUES
from chunker.languages.table import LANGUAGES, rules_of
from context_pack.core.text import whole_word
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import wants
from context_pack.kinds.code.ties.mentions import MAX_NAMESAKES, MAX_READ, mention_of
from context_pack.options.resolve import Settings
from contracts.records import Why
from index.graph.path_ends import nearest, shared_parts
from index.search.places.resources import names_of, resource_of
from index.search.spelling import MAX_ENDS, ends_of, is_code_name
from index.types import ChunkRow, Follow, SymbolRow, Tie

MAX_VALUES = 20  # of a place; the chunks that contain the name of each are read
MAX_OF_TEMPLATE = 100  # values and templates that a template reads and that are looked for
MAX_DECLARING = 5  # data files that give a key a value
_READS = re.compile(r"\.Values\.(\w+(?:\.\w+)*)|\b(?:include|template)\s+\"([^\"\n]+)\"")
STYLES = frozenset({"css", "less", "scss"})  # `.items` selects elements there
# Kinds whose users are looked for by name if the graph knows none: functions, and types that a macro defines.
MENTIONED = ROUTINES | {"impl"}
READ = 0.4  # weight of a tie to code that reads a value
IMPLEMENTS = 0.55  # weight of a tie to a type that implements an interface, as in the graph
OVERRIDES = 0.6  # weight of a tie to a method that a declaration leaves to it
MAX_FOLLOWED = 2_000  # ties of definitions, of which those to tests may be the heaviest
DECLARED = Why("exact.symbol", 1.0, 1.0)  # the reason of the declaration of a field, or of what a definition overrides
MAX_SUBTYPES, DEEPEST_SUBTYPE = 100, 3  # of a type with such declarations


def ties_by_name(
    corpus: Corpus, file: str, chunks: Sequence[int], definitions: Sequence[SymbolRow], settings: Settings
) -> list[Tie]:
    """The ties that the code graph does not have, if `--edges` does not exclude them: overriders, implementers, then
    users; also those of a `file` that is asked about as a whole."""
    ties = overriders_of(corpus, definitions) if wants(settings, "overridden_by") else []
    if wants(settings, "implemented_by"):
        ties += implementers_of(corpus, chunks)
    if wants(settings, "used_by"):
        ties += callers_by_interface(corpus, definitions)
        ties += users_of(corpus, definitions, partial(is_uncalled, corpus))
        ties += users_of_file(corpus, file) if file else []
        ties += read_by_template(corpus, chunks)
    return allowed(corpus, ties, settings)


def allowed(corpus: Corpus, ties: Sequence[Tie], settings: Settings) -> list[Tie]:
    """The ties that the filters and `--edges` let pass."""
    passes = corpus.allowed(settings.filters)
    return [tie for tie in ties if passes(tie.chunk) and wants(settings, tie.labels[0])]


def users_of(
    corpus: Corpus, definitions: Sequence[SymbolRow], also: Callable[[SymbolRow], bool] = lambda _: False
) -> list[Tie]:
    """Ties to the code that contains the name of a value or of a method that is only declared (a signal of Qt), code
    before tests; for a member, first to code that names its type; for a key of data, also to templates and data that
    use it. `also` chooses other definitions for which the name is looked for."""
    ties = dict[int, Tie]()
    own = {(row.file, row.qualified) for row in definitions}
    values = [
        row for row in definitions
        if row.kind in VALUES or not _is_in_graph(corpus, row) or is_only_declared(corpus, row) or also(row)
    ]  # fmt: skip
    for row in values[:MAX_VALUES]:
        language = corpus.chunk(row.chunk).language
        for one in _users_of_key(corpus, row) if LANGUAGES[language].keys else _users_of_value(corpus, row, own):
            is_of_language = not rules_of(one.language).prose and (one.language not in STYLES or language in STYLES)
            if is_of_language and (one.file, one.symbol) not in own:
                ties.setdefault(one.number, Tie(row.chunk, one.number, ("used_by",), 1, READ))
    return list(ties.values())


def role_of(corpus: Corpus, chunk: int) -> tuple[bool, bool]:
    """The place of a chunk in an order of code before tests before generated code."""
    return corpus.is_generated(chunk), corpus.is_test(chunk)


def implementers_of(corpus: Corpus, chunks: Sequence[int]) -> list[Tie]:
    """Ties to the types that implement the interfaces of these chunks without naming them, as in Go."""
    pairs = ((chunk, row) for chunk in chunks for row in corpus.implementers(chunk))
    return [Tie(chunk, row.chunk, ("implemented_by",), 1, IMPLEMENTS) for chunk, row in pairs if row.chunk != chunk]


def overriders_of(corpus: Corpus, definitions: Sequence[SymbolRow], changed: Container[str] = ()) -> list[Tie]:
    """Ties to the methods of subtypes that override one that is only declared: a pure virtual one of C++, which the
    graph does not know. Subtypes may still have other parameters for methods with the `changed` names."""
    ties = list[Tie]()
    for row in [row for row in definitions if is_only_declared(corpus, row)][:MAX_VALUES]:
        overriders = _overriders(corpus, row, corpus.namesakes(row.name, limit=MAX_NAMESAKES), changed)
        ties += [Tie(row.chunk, one.chunk, ("overridden_by",), 1, OVERRIDES) for one in overriders]
    return ties


def callers_by_interface(corpus: Corpus, methods: Sequence[SymbolRow]) -> list[Tie]:
    """Ties to the calls of the interfaces that declare these methods, which the graph does not know: code calls the
    method of an interface of TypeScript or Go. Of a name that other types have, too, only calls in files that name the
    interface count."""
    chunk_of = {(row.file, row.qualified): row.chunk for row in methods if row.kind in ROUTINES}
    ties = list[Tie]()
    for name in dict.fromkeys(row.name for row in methods if row.kind in ROUTINES):
        calls = re.compile(rf"(?:\.|->|::){re.escape(name)}\s*(?:<[^()]*>)?\(").search
        numbers = corpus.naming(name)[:MAX_READ]
        if not any(calls(corpus.chunk(number).text) for number in numbers):  # finding all users takes long
            continue
        namesakes = corpus.namesakes(name, limit=MAX_NAMESAKES)  # once: a hundred interfaces may declare a `close`
        defined = {one.qualified for one in namesakes if not one.minor}
        declared = [one for one in namesakes if one.minor and "." in one.qualified and one.qualified not in defined]
        families = ([row, *_overriders(corpus, row, namesakes)] for row in declared)
        tied = [(_source(chunk_of, family), family) for family in families]
        own = [(source, family) for source, family in tied if source is not None]
        # An object of TypeScript does not name its interface, either.
        others = [(next(iter(chunk_of.values())), family) for source, family in tied if source is None]
        for source, family in [*own, *(others if is_code_name(name) else ())][:MAX_VALUES]:
            users = (one for one in users_of(corpus, family) if calls(corpus.chunk(one.chunk).text))
            ties += [replace(one, source=source) for one in users]
    return sorted(ties, key=lambda tie: role_of(corpus, tie.chunk))


def _source(chunk_of: Mapping[tuple[str, str], int], family: Sequence[SymbolRow]) -> int | None:
    """The chunk of the first of these methods that has one."""
    return next((chunk_of[place] for one in family if (place := (one.file, one.qualified)) in chunk_of), None)


def _overriders(
    corpus: Corpus, declaration: SymbolRow, namesakes: Sequence[SymbolRow], changed: Container[str] = ()
) -> list[SymbolRow]:
    """Those of the definitions of a method's name that define in a subtype what a type only declares."""
    subtypes = subtypes_of(corpus, declaration.qualified.rpartition(".")[0], changed)
    return [one for one in namesakes if not one.minor and one.qualified.rpartition(".")[0] in subtypes]


def subtypes_of(corpus: Corpus, owner: str, changed: Container[str] = ()) -> set[str]:
    """The qualified names of the types that extend or implement a type, whose `changed` methods may differ."""
    types = corpus.namesakes(owner.rpartition(".")[2], limit=MAX_NAMESAKES)
    chunks = [one.chunk for one in types if one.qualified == owner]
    follow = Follow(MAX_SUBTYPES, DEEPEST_SUBTYPE, ("extended_by", "implemented_by"))
    subtypes = {corpus.chunk(tie.chunk).symbol or "" for tie in corpus.related(chunks, "", follow)}
    return subtypes.union(one.qualified for chunk in chunks for one in corpus.implementers(chunk, changed))


def _users_of_key(corpus: Corpus, key: SymbolRow) -> list[ChunkRow]:
    """The chunks that contain the path of a key (`Values.image.tag`), that of the keys around it, or its end in quotes;
    otherwise those with a key that only code spells so, unless that gets a value in many files, as keys of a format do
    (`apiVersion`)."""
    parts = key.qualified.split(".")
    is_helm = parts[0] == HELM_ROOT
    outer = [".".join(parts[:count]) for count in range(len(parts), 1, -1)[:MAX_ENDS]] if is_helm else [key.qualified]
    tests = list[ChunkRow]()  # may name the whole path, although code reads its end below a prefix
    for path in [*outer, *(() if is_helm else ends_of(key.qualified))] if len(parts) > 1 else ():
        users = _nearest(corpus, key, _containing(corpus, path, key.file)[0])
        if users and not corpus.is_test(users[0].number):
            return [*users, *tests]
        tests += users
    if tests:
        return tests
    if not is_code_name(key.name):
        return []
    users, declaring = _containing(corpus, key.name, key.file)
    return users if declaring <= MAX_DECLARING else []


def _containing(corpus: Corpus, text: str, file: str) -> tuple[list[ChunkRow], int]:
    """The chunks that contain a key or a path, beside where it gets a value, and the number of files that give it one:
    code before tests before data. If many contain it, those beside or below a file are looked at first."""
    name = re.escape(text)
    declares = re.compile(rf"^[ \t#]*(?:-[ \t]+|export[ \t]+)?[\"']?{name}[\"']?[ \t]*[:=]", re.M)
    contains = re.compile(rf"(?<![\w-]){name}(?![\w-])")  # also a shell's `$MAX_ITEMS`
    numbers, folder = corpus.naming(text), file.rpartition("/")[0]
    if len(numbers) > MAX_READ and folder:
        below = {one for path in corpus.paths() if path.startswith(f"{folder}/") for one in corpus.chunks_of_file(path)}
        numbers.sort(key=lambda number: number not in below)
    rows = [
        row for row in map(corpus.chunk, numbers[:MAX_READ]) if text in row.text and not rules_of(row.language).prose
    ]
    data = {row.number for row in rows if LANGUAGES[row.language].keys}
    declaring = {row.file for row in rows if row.number in data and declares.search(row.text)}
    counts = ((row, len(declares.findall(row.text)) if row.number in data else 0) for row in rows)
    users = [row for row, declared in counts if len(contains.findall(row.text)) > declared]
    return sorted(users, key=lambda row: (corpus.is_test(row.number), row.number in data)), len(declaring)


def _nearest(corpus: Corpus, key: SymbolRow, users: Sequence[ChunkRow]) -> list[ChunkRow]:
    """The users of a path to which no other file of the key's file name that contains the key is nearer: each chart of
    Helm has its own `values.yaml`."""
    own, holders = tuple(key.file.split("/")), set(corpus.naming(key.name) if users else ())
    paths = corpus.paths() if users else ()
    namesakes = (path for path in paths if path.rpartition("/")[2] == own[-1] and path != key.file)
    holding = (path for path in namesakes if not holders.isdisjoint(corpus.chunks_of_file(path)))
    others = sorted((tuple(path.split("/")[:-1]), 0) for path in holding)

    def is_near(user: ChunkRow) -> bool:
        place = tuple(user.file.split("/"))
        return nearest(others, place) <= shared_parts(own[:-1], place)

    return [*filter(is_near, users)]


def _users_of_value(corpus: Corpus, value: SymbolRow, own: Container[tuple[str, str]]) -> list[ChunkRow]:
    """The chunks that contain the name of a value: code before tests, symbols that name its type before others, then
    code that reads it.

    If something else has the name, or prose spells it, too, then only files that name the type of the value count; a
    name that prose spells must be that of a member there. A name of a schema counts in any case, because generated code
    spells it in that of its language. Scripts of SQL may define a procedure again and again. `own` are the places that
    are asked about.
    """
    is_word, in_graph = not is_code_name(value.name), _is_in_graph(corpus, value)
    of_schema = rules_of(corpus.chunk(value.chunk).language).schema
    if is_word and not in_graph:
        return []
    namesakes = () if is_word else (*corpus.namesakes(value.name, limit=MAX_NAMESAKES), *corpus.fields(value.name))
    others = [one for one in namesakes if (one.file, one.qualified) not in own]
    is_narrow = is_word or (not of_schema and any(in_graph or _is_in_graph(corpus, one) for one in others))
    declaring = {one.chunk for one in others}
    defining = {value.chunk, *(one.chunk for one in others if not (in_graph or _is_in_graph(corpus, one)))}
    owner, numbers = value.qualified.rpartition(".")[0].rpartition(".")[2], corpus.naming(value.name)
    names_value = mention_of(value.name, value.file)
    reads = re.compile(rf"(?:\.|->|::){re.escape(value.name)}(?![\w$])").search
    if is_narrow:
        if not owner:
            return []
        few, many = sorted((numbers, corpus.naming(owner)), key=len)  # of which the shorter is read
        files, of_many = {corpus.chunk(number).file for number in few[:MAX_READ]}, set(many)
        runs = [run for run in map(corpus.chunks_of_file, files) if not of_many.isdisjoint(run)]
        inside = set(corpus.chunks_of_file(value.file)).union(*runs)
        numbers = [number for number in numbers if number in inside]

    names_owner, with_own = whole_word(owner or value.name), {one.file for one in others} - {value.file}

    def is_user(one: ChunkRow) -> bool:
        if is_word:
            is_bare = one.file == value.file and LANGUAGES[one.language].implicit_self
        else:  # in a file with a value of its own of that name, the bare name means that one
            is_meant = one.number not in declaring and names_owner(one.text) is not None
            is_bare = of_schema or one.file not in with_own or is_meant
        return bool(names_value(one.text) if is_bare else reads(one.text))

    def order(one: ChunkRow) -> tuple[bool, bool, bool, bool]:
        parts = (corpus.chunk(part) for part in corpus.parts(one.number))
        is_near = one.file == value.file or any(names_owner(part.text) for part in parts)
        return *role_of(corpus, one.number), not is_near, not reads(one.text)

    rows = (corpus.chunk(number) for number in numbers[:MAX_READ] if number not in defining)
    users = [*filter(is_user, rows)]
    return sorted(users, key=order) if owner else users


def is_only_declared(corpus: Corpus, row: SymbolRow) -> bool:
    """Whether a declaration has no definition that the graph knows: a signal of Qt, a method without a body."""
    return row.minor and not any(
        one.qualified == row.qualified and not one.minor for one in corpus.namesakes(row.name, limit=MAX_NAMESAKES)
    )


def is_uncalled(corpus: Corpus, row: SymbolRow) -> bool:
    """Whether a function or a type with a name of its own, which only code spells so, has no known callers and users,
    such as a hook, a tag of templates, or a type of which only an implementation stands here."""
    is_named = row.kind in MENTIONED and is_code_name(row.name) and len(corpus.namesakes(row.name, limit=2)) == 1
    return is_named and not corpus.related([row.chunk], "", Follow(1, 1, ("called_by", "used_by")))


def _is_in_graph(corpus: Corpus, row: SymbolRow) -> bool:
    return rules_of(corpus.chunk(row.chunk).language).graph


def read_by_template(corpus: Corpus, chunks: Sequence[int]) -> list[Tie]:
    """Ties to the values of its chart and to the named templates that a template of Helm reads at a place."""
    ties, own = dict[int, Tie](), set(chunks)
    rows = (corpus.chunk(number) for number in chunks)
    templates = [row for row in rows if "{{" in row.text and not rules_of(row.language).graph]
    values = _values_of_chart(corpus, templates[0].file) if templates else {}
    reads = dict[tuple[str, str], ChunkRow]()
    for row in templates:
        for read in _READS.findall(row.text):
            reads.setdefault(read, row)
    for (value, template), row in islice(reads.items(), MAX_OF_TEMPLATE):
        parts, place = value.split("."), tuple(row.file.split("/"))
        paths = (".".join([HELM_ROOT, *parts[:count]]) for count in range(len(parts), 0, -1))
        meant = [values[path] for path in paths if path in values][:1]
        named = corpus.namesakes(template, limit=MAX_NAMESAKES) if template else ()
        meant += [one for one in named if corpus.chunk(one.chunk).language == "gotemplate"]
        near = [shared_parts(tuple(one.file.split("/")), place) for one in meant]
        for one in (one for one, length in zip(meant, near, strict=True) if length == max(near)):
            if one.chunk not in own:
                ties.setdefault(one.chunk, Tie(row.number, one.chunk, ("uses",), 1, READ))
    return list(ties.values())


def _values_of_chart(corpus: Corpus, path: str) -> dict[str, SymbolRow]:
    """The keys of the nearest `values.yaml` above a file, by their paths."""
    folders = path.split("/")[:-1]
    files = ("/".join([*folders[:count], "values.yaml"]) for count in range(len(folders), -1, -1))
    chunks: Sequence[int] = next(filter(None, map(corpus.chunks_of_file, files)), ())
    return {key.qualified: key for number in chunks for key in corpus.defined_at(number, minor=True)}


def users_of_file(corpus: Corpus, path: str) -> list[Tie]:
    """Ties to what names a file by the end of its path: `include_tasks: join.yml`, `COPY scripts/run.sh`.

    Of several files that may be meant, it is the one nearest to the place. A name without a dot comes with a folder
    (`scripts/check`). Between languages with a graph, imports say so instead, except in scripts of a shell.
    """
    folder, _, name = path.rpartition("/")
    chunks = corpus.chunks_of_file(path)
    in_graph = rules_of(corpus.chunk(chunks[0]).language).graph
    folder_names = "*" if "." in name.strip(".") else "+"
    mention = re.compile(rf"(?<![\w.-])(?:[\w.-]*/){folder_names}{re.escape(name)}(?![\w-])")
    others = [one.rpartition("/")[0] for one in corpus.paths() if one.rpartition("/")[2] == name and one != path]

    def is_meant(text: str, place: str) -> bool:
        end = "/".join(["", *(part for part in text.split("/")[:-1] if part.strip("."))])
        common = len(commonpath([f"/{folder}", f"/{place}"]))
        return f"/{folder}".endswith(end) and all(
            len(commonpath([f"/{other}", f"/{place}"])) < common for other in others if f"/{other}".endswith(end)
        )

    users = _users_of_resource(corpus, path)
    for one in map(corpus.chunk, corpus.naming(name)[:MAX_READ]):
        is_other = one.file != path and not rules_of(one.language).prose
        if is_other and not (in_graph and rules_of(one.language).graph and one.language != "bash"):
            place = one.file.rpartition("/")[0]
            users += [one] if any(is_meant(match[0], place) for match in mention.finditer(one.text)) else []
    users.sort(key=lambda one: corpus.is_test(one.number))
    return [Tie(chunks[0], one.number, ("used_by",), 1, READ) for one in users]


def _users_of_resource(corpus: Corpus, path: str) -> list[ChunkRow]:
    """The chunks that name the resource of an Android app that a file is: `R.layout.cart`, `@layout/cart`."""
    names = names_of(*resource_of(path))
    holders = dict.fromkeys(number for name in names for number in corpus.naming(name)[:MAX_READ])
    named = re.compile("|".join(rf"(?<![\w.]){re.escape(name)}(?!\w)" for name in names))
    return [one for one in map(corpus.chunk, holders) if one.file != path and named.search(one.text)]
