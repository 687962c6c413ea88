"""Questions about the ties of a name: `who calls Cart.total`, `tests for Cart`, `implementations of Store`.

The name is looked up, then the code that its definitions are tied to: by the graph, or by what the text of the code
does with the name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from chunker.kinds import ROUTINES, TYPES, VALUES
from chunker.languages.table import LANGUAGES
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.question_forms import (
    MAX_DEFINITIONS,
    MAX_OF_CODE,
    USAGES,
    definitions,
    has_exact_hit,
    relation_in,
)
from context_pack.kinds.code.selection import LinesOf, lines_of_users, primary
from context_pack.kinds.code.ties import graph
from context_pack.kinds.code.ties.calls import declarations_of_many, wrappers
from context_pack.kinds.code.ties.usages import Inquiry, by_usage, places_of_name
from context_pack.kinds.code.ties.users import DECLARED
from context_pack.options.resolve import Settings
from contracts.frozen import frozen
from index.collection.collection import CONSTRUCTORS
from index.search.spelling import is_compound_name, symbol_of
from index.types import EXACT_SCORE, Scored, SymbolRow, Tie

MAX_TIES = 40
MAX_PARTS = 20  # hits that may be further parts of long definitions
EXTENDED = "extended"  # a usage of usages.tsv: what the text says of subtypes that the graph does not know
_KINSHIP = ("subtypes", "bases", "family")
_UNKNOWN = {
    "subtypes": "no implementation or subclass of", "bases": "no base of", "family": "no base and no subclass of",
    "tests": "no test for", "tested": "no test for",
}  # fmt: skip


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
    inquiry = Inquiry(corpus, text, name, asks, settings)
    defined = (_values(corpus, name) if asks == "set" else []) or definitions(corpus, name)
    if settings.include:
        passes = corpus.allowed(settings.filters)
        defined = [row for row in defined if passes(row.chunk)]
    # A question about a type means the type, not a field of the same name.
    meant = [row for row in defined if (row.kind in TYPES) == (defined[0].kind in TYPES)]
    most = MAX_OF_CODE if is_compound_name(name) else MAX_DEFINITIONS
    hits = list[Scored]()
    if len(meant) > most == MAX_OF_CODE and asks not in USAGES:
        rows, hits = declarations_of_many(corpus, meant)
        meant = rows or meant
    if not 0 < len(meant) <= most:
        return _of_name(inquiry)
    hits = hits or _hits(inquiry, meant, len(defined))
    plain = replace(inquiry, name=symbol_of(name) or name)
    if asks in USAGES and (used := by_usage(plain, meant, hits)):
        places, ties, lines = used
        return Relation(plain.name, places, ties[:MAX_TIES], lines, is_complete=not ties)
    return _in_graph(inquiry, meant, hits)


def _values(corpus: Corpus, name: str) -> list[SymbolRow]:
    """The fields of a name, then the variables and constants if few have it, too; keys of data only if there are no
    others."""
    fields, values = corpus.fields(name), [row for row in corpus.defined(name) if row.kind in VALUES]
    are_keys = bool(values) and all(LANGUAGES[corpus.chunk(row.chunk).language].keys for row in fields)
    own = {(row.file, row.line) for row in fields}
    every = [*fields, *(row for row in values if (row.file, row.line) not in own)]
    return values if are_keys else every if len(every) <= MAX_DEFINITIONS else fields or values


def _in_graph(inquiry: Inquiry, meant: Sequence[SymbolRow], hits: list[Scored]) -> Relation | None:
    """The code that the graph ties to the definitions that are meant; None if a text that no ties answer may not be
    about them."""
    corpus, text, asks, settings = inquiry.corpus, inquiry.text, inquiry.asks, inquiry.settings
    chunks = [hit.chunk for hit in hits]
    if asks == "used":
        ties = graph.callees(corpus, text, chunks, settings)
    elif asks == "bases":
        ties = graph.bases(corpus, text, chunks, settings)
    elif asks in _KINSHIP:
        ties = graph.subtypes(corpus, text, meant, chunks, settings, with_bases=asks == "family")
    else:
        return _of_users(inquiry, meant, hits)
    if asks == "subtypes" and not ties and (used := by_usage(replace(inquiry, asks=EXTENDED), meant, hits)):
        return Relation(inquiry.name, used[0], used[1][:MAX_TIES], used[2])
    if not ties and _may_mean_other(inquiry, meant):
        return None
    if asks == "subtypes":  # of several types of a name, the one comes first that most have as their base
        counts = Counter(part for tie in ties for part in corpus.parts(tie.source))
        hits = sorted(hits, key=lambda hit: -counts[hit.chunk])
    return _answer(corpus, inquiry.name, hits, ties)


def _of_users(inquiry: Inquiry, meant: Sequence[SymbolRow], hits: list[Scored]) -> Relation | None:
    """The users or the tests of definitions, and of what code calls instead: the types that they construct, or the
    declarations that they override, which are shown, too, if they have any."""
    corpus, settings = inquiry.corpus, inquiry.settings
    chunks = [hit.chunk for hit in hits]
    types = _constructed(corpus, meant)
    overridden = [] if types else graph.overridden(corpus, chunks, meant, settings)
    declared = overridden or [row.chunk for row in types]
    find = graph.tests if inquiry.asks in ("tests", "tested") else graph.users
    ties = find(corpus, inquiry.text, [*meant, *types], [*chunks, *declared], settings)
    if overridden:
        ties = graph.without_super(corpus, overridden, ties, settings)
    if types:  # code that only names the type may register it with a container, which constructs it
        ties = [tie for tie in ties if tie.labels[0] != "used_by"] or ties
    if not ties and _may_mean_other(inquiry, meant):
        return None
    if len(meant) > MAX_DEFINITIONS:
        hits, ties = _of_declarations(corpus, meant, hits, ties, with_wrappers=find is graph.users)
    sources = {tie.source for tie in ties}.difference(chunks)
    hits += [primary(one, DECLARED, best=EXACT_SCORE) for one in dict.fromkeys(declared) if one in sources]
    return _answer(corpus, types[0].qualified if types else inquiry.name, hits, ties)


def _answer(corpus: Corpus, name: str, hits: Sequence[Scored], ties: Sequence[Tie]) -> Relation:
    ties = ties[:MAX_TIES]
    return Relation(name, hits, ties, lines_of_users(corpus, ties, name), _remark(corpus, name, ties))


def _hits(inquiry: Inquiry, meant: Sequence[SymbolRow], definitions: int) -> list[Scored]:
    """The exact hits of a name in the files of the definitions that are meant."""
    corpus, filters = inquiry.corpus, inquiry.settings.filters
    hits = corpus.search(inquiry.name, top_k=definitions + MAX_PARTS, filters=filters, order="pack")
    files = {row.file for row in meant}
    return [hit for hit in hits if hit.score >= EXACT_SCORE and corpus.chunk(hit.chunk).file in files]


def _of_name(inquiry: Inquiry) -> Relation | None:
    """The places that use a name so, which nothing or too much here defines; without any, an empty answer."""
    corpus, name, asks, settings = inquiry.corpus, inquiry.name, inquiry.asks, inquiry.settings
    usage = "called" if asks == "users" and is_compound_name(name) and corpus.defined(name) else asks
    usage = EXTENDED if asks == "subtypes" else usage
    if usage not in ("called", EXTENDED, *USAGES):
        return None
    if places := places_of_name(replace(inquiry, asks=usage)):
        return Relation(name, places, (), {}, is_complete=True)
    if usage == EXTENDED:
        return None
    return Relation(name, (), (), {}) if is_compound_name(name) and has_exact_hit(corpus, name, settings) else None


def _of_declarations(
    corpus: Corpus, methods: Sequence[SymbolRow], hits: list[Scored], ties: list[Tie], *, with_wrappers: bool
) -> tuple[list[Scored], list[Tie]]:
    """Instead of more than a few methods with one name, the declarations that they override, if there are any; the
    methods that call it on another object are then users, too."""
    declared = declarations_of_many(corpus, methods)[1]
    if not declared:
        return hits, ties
    shown = {part for hit in declared for part in corpus.parts(hit.chunk)}
    every = graph.tests_last(corpus, [*ties, *wrappers(corpus, methods)]) if with_wrappers else ties
    ties = [tie if tie.source in shown else replace(tie, source=declared[0].chunk) for tie in every]
    return declared, [tie for tie in ties if tie.chunk not in shown]


def _constructed(corpus: Corpus, meant: Sequence[SymbolRow]) -> list[SymbolRow]:
    """The types of constructors: code calls a constructor by the name of its type."""
    routines = ((row, row.qualified.rpartition(".")[0]) for row in meant if row.kind in ROUTINES)
    places = {(row.file, owner) for row, owner in routines if row.name in {*CONSTRUCTORS, owner.rpartition(".")[2]}}
    return [row for file, owner in sorted(places) for row in corpus.defined(owner) if row.file == file]


def _may_mean_other(inquiry: Inquiry, meant: Sequence[SymbolRow]) -> bool:
    """Whether a question that no ties answer may not be about these definitions: there are too many, or its name is a
    word of prose (`is cart tested`, `children of cart`)."""
    name, asks = inquiry.name, inquiry.asks
    is_typed = asks in _KINSHIP and meant[0].kind in TYPES
    is_of_prose = asks in ("tested", *_KINSHIP) and name.isalpha() and name.islower() and not is_typed
    return len(meant) > MAX_DEFINITIONS or is_of_prose


def _remark(corpus: Corpus, name: str, ties: Sequence[Tie]) -> str:
    """What ties by name lead to; empty if they are those of the graph or of a field, which it does not know at all."""
    if not ties or ties[0].parts or not corpus.defined(name):
        return ""
    is_implicit = ties[0].labels == ("implemented_by",)
    return "these types define its methods" if is_implicit else "these places contain the name"


def unknown(corpus: Corpus, text: str, name: str) -> str:
    """The start of a sentence: what the code graph does not know of the name that a text asks about."""
    return f"The code graph has {_UNKNOWN.get(relation_in(corpus, text)[1], 'no such relation for')} {name}"
