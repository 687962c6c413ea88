"""What code does with a name: it raises it, catches it, creates it, sets it ... as its text shows (usages.tsv)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice

from chunker.kinds import TYPES, VALUES
from chunker.languages.table import rules_of
from context_pack.core.text import outside_comments
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import LinesOf, primary
from context_pack.kinds.code.ties.mentions import MAX_READ
from context_pack.kinds.code.ties.users import DECLARED, READ, role_of, subtypes_of
from context_pack.options.resolve import Settings
from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex, with_parts
from contracts.records import Why
from contracts.rows import rows
from index.search.spelling import VARIABLE, is_code_name
from index.types import ChunkRow, Scored, SymbolRow, Tie

# Parts of the patterns. What repeats takes all or nothing (`++`) or has an end: chunks may be full of dots or blanks.
_PARTS = (
    ("ARGUMENTS", r"[^(){;]*?(?:\([^()]*\)[^(){;]*?)*?"),  # before that with the name
    ("FIELD", r"(?:\.|->|::|@|\$)"),
    ("GENERIC", r"<[^<>\n]*>"),
    ("HEAD", r"\b(?:class|interface|object|struct|trait)\b[^\n{=]*"),
    ("LINE", r"^[ \t]*"),
    ("PATH", r"\\?(?:[\w$]++(?:\.|::|->|\\|/)){0,19}"),
    ("REST", r"[^;\n]*?"),  # of the statement before the name
    ("SIGNATURE", r"\b(?:def|fn|fun|func|function)\b[^(){;\n]*+\((?:[^()]|\([^()]*\))*+"),  # sets no argument
    # After the name of a field or a parameter, instead of a value.
    (
        "TYPE",
        r"\s*(?:[A-Z]\w*[a-z]\w*(?![\w.(])|(?:any|bool(?:ean)?|byte|char|double|float|int|number|object|str(?:ing)?"
        r"|unknown|void|[fiu](?:8|16|32|64|128)|[iu]size)\b(?!\())",
    ),
    ("SETS", r"\s*+(?:\[[^\]\n]*\]\s*+)?(?:[-+*/%|&^?:]|\*\*|\|\||&&|\?\?|<<|>>|//)?=(?![=~>])"),
)
_OWN = lazy_regex(r"(?:\b(?:base|self|super|this)(?:\.|->|::)|@)\Z")
_INSIDE = lazy_regex(r"[\w$]")
_LAST = lazy_regex(r"\w*\Z")
_FORMS = list(rows(__file__, "usages.tsv"))
USED = Why("exact.key", 1.0, 1.0)  # the reason of a place that uses a name which is not defined here
MAX_PLACES = 12  # that use such a name
MAX_HITS = 2_000  # for the text, which order the files of these places
MAX_FIELDS = 2  # of a name, of which a variable may have one
OF_EVENTS = ("emitted", "handled")  # usages of events, whose names may have dots: `cart.paid`
ALSO, FILLED = "also", "filled"  # a rank and a usage of usages.tsv
Lines = tuple[tuple[int, int], ...]


@frozen
class Inquiry:
    """A text that asks for the code that stands in a relation to a name, or uses it so."""

    corpus: Corpus
    text: str
    name: str
    asks: str
    settings: Settings


def uses(corpus: Corpus, name: str, usage: str, owners: Collection[str] = (), receiver: str = "") -> dict[int, Lines]:
    """The chunks that use a name so, with the lines on which they do.

    `owners` are the types whose member is meant, if the question names its type: they mean their own member by
    `self.total`; other code counts in files that name one, and where it only gives a key a value, in symbols that do.
    The `receiver` is what stands before the name (`cart->`), if only that is meant.
    """
    naming_owner = naming_types(corpus, owners)
    numbers = corpus.naming(receiver + name)
    if owners and len(numbers) > MAX_READ:
        numbers.sort(key=lambda number: number not in naming_owner)
    named = map(corpus.chunk, numbers[:MAX_READ])
    holders = [row for row in named if receiver + name in row.text and not rules_of(row.language).prose]

    def is_meant(row: ChunkRow, start: int) -> bool:
        if receiver:
            before = row.text[:start].removesuffix(receiver)
            return len(before) == start - len(receiver) and not _INSIDE.search(before[-1:])
        if _OWN.search(row.text[max(start - 8, 0) : start]):
            parts = (row.symbol or "").split(".")
            return any(".".join(parts[:count]) in owners for count in range(1, len(parts) + 1))
        return not naming_owner.isdisjoint(corpus.chunks_of_file(row.file))

    def names_owner(row: ChunkRow) -> bool:
        owner = (row.symbol or "").rpartition(".")[0]
        return owner in owners or not naming_owner.isdisjoint(corpus.parts(row.number))

    users: dict[int, Lines] = {}
    for rank, pattern in usage_patterns(name, usage):
        is_only_in_tests = all(map(corpus.is_test, users))
        if (rank == ALSO) == is_only_in_tests:
            continue
        is_value = rank == ALSO or usage == FILLED  # a key has no object beside it: it may be that of any type
        for row in filter(names_owner, holders) if owners and is_value else holders:
            if lines := _lines(row, pattern, is_meant if owners or receiver else None):
                users[row.number] = (*users.get(row.number, ()), *lines)
    return users


def naming_types(corpus: Corpus, types: Collection[str]) -> set[int]:
    """The chunks that contain the name of one of these types."""
    return {number for name in {one.rpartition(".")[2] for one in types} for number in corpus.naming(name)}


def by_usage(
    inquiry: Inquiry, meant: Sequence[SymbolRow], hits: Sequence[Scored]
) -> tuple[list[Scored], list[Tie], LinesOf] | None:
    """The definitions of a name with the lines on which they use it so themselves, ties to other code that does, and
    the lines of both; None if there is no such use.

    `hits` are those of the definitions; for a value, the lines that declare it count instead, because the search finds
    all places with the name of a field.
    """
    corpus, name, usage = inquiry.corpus, inquiry.name, inquiry.asks
    if usage == "set" and meant[0].kind in TYPES:
        usage = "created"
    types = {row.qualified.rpartition(".")[0] for row in meant} - {""}
    owners = types if usage == "set" and "." in name else set[str]()
    owners = owners.union(*(subtypes_of(corpus, owner) for owner in owners))
    lines, passes = uses(corpus, meant[0].name, usage, owners), corpus.allowed(inquiry.settings.filters)
    types = {name.rpartition(".")[0]} - {""} or types
    filled = uses(corpus, meant[0].name, FILLED, types) if usage == "set" and types else {}
    lines |= {number: tuple(sorted({*lines.get(number, ()), *values})) for number, values in filled.items()}
    naming_type = naming_types(corpus, types)
    own = {part for row in meant for part in corpus.parts(row.chunk)}
    if meant[0].kind in VALUES:
        declared = dict.fromkeys((row.chunk, row.line) for row in meant)
        hits = [primary(chunk, DECLARED, ((line, line),)) for chunk, line in declared]
    hits = [replace(hit, lines=(*hit.lines, *lines.get(hit.chunk, ()))) for hit in hits if hit.chunk in own]
    users = [number for number in lines if number not in own and passes(number)]
    users.sort(key=lambda number: (*role_of(corpus, number), number not in naming_type))
    # A field may be set only where it is declared; of another name, or a variable of the environment, that says little.
    is_own = meant[0].kind in VALUES and not VARIABLE.fullmatch(name)
    if not (hits and lines and (users or is_own)):
        return None
    return hits, [Tie(hits[0].chunk, number, ("used_by",), 1, READ) for number in users], lines


def places_of_name(inquiry: Inquiry) -> list[Scored]:
    """The places that use a name so, best first for the text, code before tests; of a field behind a variable (`set`:
    `cart->total`), first those with this variable, below the lines that declare the field, if only few do; of an event,
    those with its whole name (`cart.paid`), if there are any."""
    corpus, name, usage, filters = inquiry.corpus, inquiry.name, inquiry.asks, inquiry.settings.filters
    passes = corpus.allowed(filters)
    receiver = _LAST.sub("", name)
    member = name.removeprefix(receiver)
    lines = uses(corpus, member, usage, receiver=receiver) if receiver and usage == "set" else {}
    fields = corpus.fields(member) if lines else []
    if receiver and usage in OF_EVENTS:
        lines = uses(corpus, name, usage)
        if not lines and receiver.islower() and not is_code_name(member):
            return []  # `response.data` is no event `data`
    lines = lines or uses(corpus, member, usage)
    file_of = {number: corpus.chunk(number).file for number in lines}
    hits = corpus.search(inquiry.text, top_k=MAX_HITS, filters=filters, order="pack") if lines else ()
    files = (*(file_of[hit.chunk] for hit in hits if hit.chunk in file_of), *file_of.values())
    ranks = {file: rank for rank, file in enumerate(dict.fromkeys(files))}
    every = sorted(lines, key=lambda number: (*role_of(corpus, number), ranks[file_of[number]]))
    users = islice(filter(passes, every), MAX_PLACES)
    places = [primary(chunk, USED, lines[chunk], 1 - at / 1000) for at, chunk in enumerate(users)]
    declared = fields if places and len(fields) <= MAX_FIELDS else ()
    return [*(primary(row.chunk, DECLARED, ((row.line, row.line),)) for row in declared if passes(row.chunk)), *places]


def usage_patterns(name: str, usage: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The ranks of a usage, each with its pattern, which has a group for each place of the name."""
    for rank, forms in groupby((form for form in _FORMS if usage in form[0].split()), key=lambda form: form[1]):
        yield rank, re.compile("|".join(regex_of(pattern, name) for *_, pattern in forms), re.MULTILINE)


def regex_of(pattern: str, name: str) -> str:
    """A pattern of usages.tsv with its parts and the name."""
    return with_parts(pattern, _PARTS).replace("NAME", rf"((?<![\w$]){re.escape(name)}(?![\w$]))")


def _lines(row: ChunkRow, pattern: re.Pattern[str], is_meant: Callable[[ChunkRow, int], bool] | None) -> Lines:
    starts = (match.start(match.lastindex) for match in pattern.finditer(row.text) if match.lastindex)
    if is_meant is not None:
        starts = (start for start in starts if is_meant(row, start))
    lines = dict.fromkeys(row.start_line + row.text.count("\n", 0, start) for start in starts)
    return tuple((line, line) for line in outside_comments(row, lines))
