"""Questions about the ties of a name: `who calls Cart.total`, `tests for Cart`, `implementations of Store`.

The name is looked up, and the code graph followed from its definitions. If the graph knows nothing, the text of the
name is looked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from chunker.kinds import ROUTINES, VALUES
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.question_forms import (
    MAX_DEFINITIONS,
    MAX_OF_CODE,
    USAGES,
    definitions,
    has_exact_hit,
    relation_in,
)
from context_pack.kinds.code.selection import LinesOf, lines_of_users
from context_pack.options.resolve import Settings
from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from contracts.records import Why
from index.collection.collection import CONSTRUCTORS
from index.search.definitions import TYPES
from index.search.scope import distinct
from index.search.spelling import VARIABLE, only_code_spells, symbol_of
from index.types import EXACT_SCORE, Follow, Scored, SymbolRow, Tie

_LAST = lazy_regex(r"\w*\Z")
_SUPER = lazy_regex(r"\bsuper\b|(?<![.\w>])(?:base\.|parent::)")
DECLARED = Why("exact.symbol", 1.0, 1.0)  # the reason of the declaration of a field, or of what a definition overrides
USED = Why("exact.key", 1.0, 1.0)  # that of a place which uses a name that is not defined here
MAX_PLACES = 12  # that use a name which nothing here defines
MAX_FIELDS = 2  # of a name, of which a variable may have one
MAX_TIES, MAX_FOLLOWED = 40, 2_000  # of the ties, tests may be the heaviest
MAX_BESIDE = 5  # parts of tests that do not name what they are about
MAX_PARTS = 20  # hits that may be further parts of long definitions
_USERS, _USED = ("called_by", "used_by"), ("calls", "uses")
_SUBTYPES = ("implemented_by", "extended_by", "overridden_by")
_BASES = ("extends", "implements", "overrides")
_TESTS = ("tested_by", "called_by", "used_by")
_FAMILY = (*_BASES, *_SUBTYPES)
_EDGES = {  # of a usage, those of users
    "users": _USERS, "used": _USED, "tests": _TESTS, "tested": _TESTS, "subtypes": _SUBTYPES, "bases": _BASES,
    "family": _FAMILY,
}  # fmt: skip
_UNKNOWN = {
    "subtypes": "no implementation or subclass of", "bases": "no base of", "family": "no base and no subclass of",
    "tests": "no test for", "tested": "no test for",
}  # fmt: skip
MAX_BASES = 3  # steps from a type to its bases


@frozen
class Relation:
    """The code that stands in the relation to a name that a text asks for.

    `definitions` are those of the name, or the places that use it, if nothing or too much here defines it; `ties` lead
    from them to the code, and `lines` are those of its lines that show the relation, by their chunks. A `remark` says
    what ties that the graph does not have lead to. If it `is_complete`, the definitions are all of the answer.
    """

    name: str
    definitions: Sequence[Scored]
    ties: Sequence[Tie]
    lines: LinesOf
    remark: str = ""
    is_complete: bool = False


def relation(corpus: Corpus, text: str, settings: Settings) -> Relation | None:
    """None if the text asks something else, the name has too many definitions here, or none and no use of the kind that
    the text asks for, or options choose the ties."""
    name, asks = relation_in(corpus, text)
    if not name or settings.edges or settings.related_mode == "none":
        return None
    edges = _EDGES.get(asks, _USERS)
    defined = (corpus.fields(name) if asks == "set" else []) or definitions(corpus, name)
    # A question about a type means the type, not a field of the same name.
    meant = [row for row in defined if (row.kind in TYPES) == (defined[0].kind in TYPES)]
    most = MAX_OF_CODE if only_code_spells(name) else MAX_DEFINITIONS
    primaries = list[Scored]()
    if len(meant) > most == MAX_OF_CODE and asks not in USAGES:
        meant, primaries = _of_bases(corpus, meant)
    if not 0 < len(meant) <= most:
        return _of_name(corpus, text, name, asks, settings)
    primaries = primaries or _hits(corpus, name, meant, len(defined), settings)
    chunks = [hit.chunk for hit in primaries]
    if asks in USAGES and (used := _by_usage(corpus, name, meant, primaries, asks, settings)):
        return used
    types = _constructed(corpus, meant) if edges in (_USERS, _TESTS) else []
    overridden = _declared(corpus, chunks, meant, settings) if edges in (_USERS, _TESTS) and not types else []
    declared = overridden or [row.chunk for row in types]
    ties = _ties(corpus, text, [*chunks, *declared], [*meant, *types], edges, settings)
    if overridden:
        ties = _without_super(corpus, overridden, ties, settings)
    if types:  # code that only names the type may register it with a container, which constructs it
        ties = [tie for tie in ties if tie.labels[0] != "used_by"] or ties
    if not ties and (len(meant) > MAX_DEFINITIONS or _is_of_prose(name, asks, meant)):
        return None
    primaries, ties = _most_telling(corpus, meant, primaries, ties, edges)
    bases = {one for one in declared if one not in chunks}.intersection(tie.source for tie in ties)
    if bases:
        from context_pack.kinds.code.removed import primary

        primaries += [primary(one, DECLARED, best=EXACT_SCORE) for one in dict.fromkeys(declared) if one in bases]
    name, ties = types[0].qualified if types else name, ties[:MAX_TIES]
    return Relation(name, primaries, ties, lines_of_users(corpus, ties, name), _remark(corpus, name, ties))


def _hits(corpus: Corpus, name: str, meant: Sequence[SymbolRow], definitions: int, settings: Settings) -> list[Scored]:
    """The exact hits of a name in the files of the definitions that are meant."""
    hits = corpus.search(name, top_k=definitions + MAX_PARTS, filters=settings.filters, order="pack")
    files = {row.file for row in meant}
    return [hit for hit in hits if hit.score >= EXACT_SCORE and corpus.chunk(hit.chunk).file in files]


def _of_bases(corpus: Corpus, meant: list[SymbolRow]) -> tuple[list[SymbolRow], list[Scored]]:
    """Of too many methods with one name, the declarations that they override, and these as hits; the methods, and no
    hits, if nothing here declares them."""
    from context_pack.kinds.code.removed import primary
    from context_pack.kinds.code.ties.calls import bases_of_many

    bases = bases_of_many(corpus, meant)
    chunks = dict.fromkeys(row.chunk for row in bases)
    return bases or meant, [primary(chunk, DECLARED) for chunk in chunks]


def _most_telling(
    corpus: Corpus, meant: list[SymbolRow], primaries: list[Scored], ties: list[Tie], edges: tuple[str, ...]
) -> tuple[list[Scored], list[Tie]]:
    """The definitions that an answer begins with, and the ties.

    Of several types of a name, the one comes first that most have as their base. Instead of more than a few definitions
    of a method, those are shown that they override, and users are also those of them that call it on another object.
    """
    if edges is _SUBTYPES:
        counts = Counter(part for tie in ties for part in corpus.parts(tie.source))
        return sorted(primaries, key=lambda hit: -counts[hit.chunk]), ties
    if edges not in (_USERS, _TESTS) or len(meant) <= MAX_DEFINITIONS:
        return primaries, ties
    from context_pack.kinds.code.ties.calls import wrappers

    bases = _of_bases(corpus, meant)[1]
    if not bases:
        return primaries, ties
    shown = {part for hit in bases for part in corpus.parts(hit.chunk)}
    every = _tests_last(corpus, [*ties, *wrappers(corpus, meant)]) if edges is _USERS else ties
    ties = [tie if tie.source in shown else replace(tie, source=bases[0].chunk) for tie in every]
    return bases, [tie for tie in ties if tie.chunk not in shown]


def _is_of_prose(name: str, asks: str, meant: Sequence[SymbolRow]) -> bool:
    """Whether a question that no ties answer may not be about a definition: `is cart tested`, `children of cart`."""
    is_typed = asks in ("subtypes", "bases", "family") and meant[0].kind in TYPES
    return asks in ("tested", "subtypes", "bases", "family") and name.isalpha() and name.islower() and not is_typed


def _remark(corpus: Corpus, name: str, ties: Sequence[Tie]) -> str:
    """What ties by name lead to; empty if they are those of the graph or of a field, which it does not know at all."""
    if not ties or ties[0].parts or not corpus.defined(name):
        return ""
    is_implicit = ties[0].labels == ("implemented_by",)
    return "these types define its methods" if is_implicit else "these places contain the name"


def _of_name(corpus: Corpus, text: str, name: str, asks: str, settings: Settings) -> Relation | None:
    """The places that use a name so, which nothing or too much here defines, best first; without any, an empty
    answer."""
    usage = "called" if asks == "users" and only_code_spells(name) and corpus.defined(name) else asks
    if usage not in ("called", *USAGES):
        return None
    from context_pack.kinds.code.removed import primary
    from context_pack.kinds.code.ties.usages import uses
    from context_pack.kinds.code.ties.users import role_of

    passes = corpus.allowed(settings.filters)
    receiver = _LAST.sub("", name)
    member = name.removeprefix(receiver)
    lines = uses(corpus, member, usage, receiver=receiver) if receiver and usage == "set" else {}
    fields = corpus.fields(member) if lines else []
    declared = fields if len(fields) <= MAX_FIELDS else []
    lines = lines or uses(corpus, member, usage)
    file_of = {number: corpus.chunk(number).file for number in lines}
    hits = corpus.search(text, top_k=MAX_FOLLOWED, filters=settings.filters, order="pack") if lines else ()
    files = (*(file_of[hit.chunk] for hit in hits if hit.chunk in file_of), *file_of.values())
    ranks = {file: rank for rank, file in enumerate(dict.fromkeys(files))}
    every = sorted(lines, key=lambda number: (*role_of(corpus, number), ranks[file_of[number]]))
    users = islice(filter(passes, every), MAX_PLACES)
    if uses_of_name := [primary(chunk, USED, lines[chunk], 1 - at / 1000) for at, chunk in enumerate(users)]:
        places = [primary(row.chunk, DECLARED, ((row.line, row.line),)) for row in declared if passes(row.chunk)]
        return Relation(name, [*places, *uses_of_name], (), {}, is_complete=True)
    return Relation(name, (), (), {}) if only_code_spells(name) and has_exact_hit(corpus, name, settings) else None


def _by_usage(
    corpus: Corpus, name: str, meant: Sequence[SymbolRow], primaries: Sequence[Scored], asks: str, settings: Settings
) -> Relation | None:
    """The code that uses the definitions so; None if there is none."""
    from context_pack.kinds.code.removed import primary
    from context_pack.kinds.code.ties.usages import fillers, naming_types, uses
    from context_pack.kinds.code.ties.users import READ, role_of, subtypes_of

    usage, name = "created" if asks == "set" and meant[0].kind in TYPES else asks, symbol_of(name) or name
    owners = {row.qualified.rpartition(".")[0] for row in meant} - {""} if usage == "set" and "." in name else set()
    owners = owners.union(*(subtypes_of(corpus, owner) for owner in owners))
    lines, passes = uses(corpus, meant[0].name, usage, owners), corpus.allowed(settings.filters)
    types = {name.rpartition(".")[0]} - {""} or {row.qualified.rpartition(".")[0] for row in meant} - {""}
    naming_type = naming_types(corpus, types)
    for number, filled in fillers(corpus, meant[0].name, types, naming_type).items() if usage == "set" else ():
        lines[number] = tuple(sorted({*lines.get(number, ()), *filled}))
    own = {part for row in meant for part in corpus.parts(row.chunk)}
    if meant[0].kind in VALUES:  # the search finds all places with the name of a field
        declared = dict.fromkeys((row.chunk, row.line) for row in meant)
        primaries = [primary(chunk, DECLARED, ((line, line),)) for chunk, line in declared]
    primaries = [replace(hit, lines=(*hit.lines, *lines.get(hit.chunk, ()))) for hit in primaries if hit.chunk in own]
    users = [number for number in lines if number not in own and passes(number)]
    users.sort(key=lambda number: (*role_of(corpus, number), number not in naming_type))
    # A field may be set only where it is declared; of another name, or a variable of the environment, that says little.
    is_own = meant[0].kind in VALUES and not VARIABLE.fullmatch(name)
    if not (primaries and lines and (users or is_own)):
        return None
    ties = [Tie(primaries[0].chunk, number, ("used_by",), 1, READ) for number in users[:MAX_TIES]]
    return Relation(name, primaries, ties, lines, is_complete=not users)


def _constructed(corpus: Corpus, meant: Sequence[SymbolRow]) -> list[SymbolRow]:
    """The types of constructors: code calls a constructor by the name of its type."""
    routines = ((row, row.qualified.rpartition(".")[0]) for row in meant if row.kind in ROUTINES)
    places = {(row.file, owner) for row, owner in routines if row.name in {*CONSTRUCTORS, owner.rpartition(".")[2]}}
    return [row for file, owner in sorted(places) for row in corpus.defined(owner) if row.file == file]


def _direct(corpus: Corpus, chunks: Sequence[int], label: str, settings: Settings) -> list[Tie]:
    return corpus.related(chunks, "", Follow(MAX_FOLLOWED, 1, (label,)), filters=settings.filters)


def _without_super(corpus: Corpus, overridden: Sequence[int], ties: Sequence[Tie], settings: Settings) -> list[Tie]:
    """The ties without those to what overrides the same and calls that as `super`, which is not the definition."""
    siblings = _overriders(corpus, overridden, settings)
    return [tie for tie in ties if not (tie.chunk in siblings and _SUPER.search(corpus.chunk(tie.chunk).text))]


def _overriders(corpus: Corpus, chunks: Sequence[int], settings: Settings) -> set[int]:
    return {tie.chunk for tie in _direct(corpus, chunks, "overridden_by", settings)}


def _declared(corpus: Corpus, chunks: Sequence[int], meant: Sequence[SymbolRow], settings: Settings) -> list[int]:
    """The chunks of the declarations that the definitions override: code calls those of an interface."""
    names = {row.name for row in meant}
    ties = (tie for tie in _direct(corpus, chunks, "overrides", settings) if tie.labels == ("overrides",))
    return [tie.chunk for tie in ties if any(row.name in names for row in corpus.defined_at(tie.chunk, minor=True))]


def _ties(
    corpus: Corpus, text: str, chunks: Sequence[int], meant: Sequence[SymbolRow], edges: tuple[str, ...],
    settings: Settings,
) -> list[Tie]:  # fmt: skip
    """The ties of definitions with these edges, code before tests, and the calls of interfaces that they implement; if
    the graph knows no users, their subtypes; if it knows none or no tests, the places that contain the name."""
    steps = MAX_BASES if edges in (_BASES, _FAMILY) else 1
    ties = corpus.related(chunks, text, Follow(MAX_FOLLOWED, steps, edges), filters=settings.filters)
    if edges is _USED:  # the index follows an edge in both directions
        return _tests_last(corpus, [tie for tie in ties if tie.labels[0] in _USED])
    bases = [tie for tie in ties if set(_BASES).issuperset(tie.labels)]
    if edges is _BASES:
        return _tests_last(corpus, bases)
    from context_pack.kinds.code.ties.listing import ties_of
    from context_pack.kinds.code.ties.users import MENTIONED, implementers_of, users_of

    ties = ties_of(corpus, meant, ties) if corpus.defined(meant[0].qualified) else []
    if edges in (_SUBTYPES, _FAMILY):
        passes = corpus.allowed(settings.filters)
        ties = [*bases, *(tie for tie in ties if set(_SUBTYPES).issuperset(tie.labels))]
        implicit = implementers_of(corpus, [row.chunk for row in meant if row.kind in TYPES])
        return _tests_last(corpus, distinct([*ties, *(tie for tie in implicit if passes(tie.chunk))]))

    def is_wanted(tie: Tie) -> bool:
        return edges is not _TESTS or corpus.is_test(tie.chunk)

    if edges is _USERS:  # that a method begins with what it overrides says little
        overriders = _overriders(corpus, chunks, settings)
        ties.sort(key=lambda tie: tie.chunk in overriders)
        by_name = _calls(corpus, meant, chunks, [tie for tie in ties if tie.chunk not in overriders])
    else:
        by_name = []
    if edges is _USERS and not ties and not by_name:  # of an interface that only its implementations name
        ties = corpus.related(chunks, text, Follow(MAX_FOLLOWED, 1, _SUBTYPES), filters=settings.filters)
    if not any(map(is_wanted, ties)):
        by_name += users_of(corpus, meant, lambda row: row.kind in MENTIONED and only_code_spells(row.name))
    if by_name:
        passes = corpus.allowed(settings.filters)
        ties = distinct([*ties, *(tie for tie in by_name if tie.source in chunks and passes(tie.chunk))])
        ties += _beside(corpus, text, [*filter(is_wanted, ties)], settings) if edges is _TESTS else ()
    return _tests_last(corpus, [*filter(is_wanted, ties)])


def _calls(corpus: Corpus, meant: Sequence[SymbolRow], chunks: Sequence[int], ties: Sequence[Tie]) -> list[Tie]:
    """The ties to calls of methods that the graph does not know, unless it knows enough."""
    from context_pack.kinds.code.ties.calls import calls_of
    from context_pack.kinds.code.ties.users import callers_by_interface

    by_interface = callers_by_interface(corpus, meant)
    is_enough = len(ties) >= MAX_PLACES or any(row.kind in TYPES for row in meant)
    return by_interface if is_enough else [*by_interface, *calls_of(corpus, meant, chunks)]


def _beside(corpus: Corpus, text: str, ties: Sequence[Tie], settings: Settings) -> list[Tie]:
    """Ties to the other parts of the tests that name something, best first, where a test is no symbol: `describe` says
    what all of its parts are about."""
    rows = ((corpus.chunk(tie.chunk), tie) for tie in reversed(ties))
    files = {row.file: tie for row, tie in rows if not row.symbol}
    hits = corpus.search(text, top_k=MAX_TIES, filters=settings.filters, order="pack") if files else ()
    beside = ((hit.chunk, files.get(corpus.chunk(hit.chunk).file)) for hit in hits)
    named = {tie.chunk for tie in ties}
    ties = [replace(tie, chunk=chunk, labels=("tested_by",)) for chunk, tie in beside if tie and chunk not in named]
    return ties[:MAX_BESIDE]


def _tests_last(corpus: Corpus, ties: Sequence[Tie]) -> list[Tie]:
    """The ties to code, then those to tests, which weigh no more than any of these: a hundred tests say less than one
    guess."""
    tests = [tie for tie in ties if corpus.is_test(tie.chunk)]
    code = [tie for tie in ties if not corpus.is_test(tie.chunk)]
    least = min((tie.weight for tie in code), default=1.0)

    def behind(tie: Tie) -> Tie:
        part = "behind_code", 1.0, round(least - tie.weight, 4)
        return replace(tie, weight=least, reasons=lambda: (*tie.parts, part)) if part[2] < 0 and tie.parts else tie

    return [*code, *map(behind, tests)]


def unknown(corpus: Corpus, text: str, name: str) -> str:
    """The start of a sentence: what the code graph does not know of the name that a text asks about."""
    return f"The code graph has {_UNKNOWN.get(relation_in(corpus, text)[1], 'no such relation for')} {name}"
