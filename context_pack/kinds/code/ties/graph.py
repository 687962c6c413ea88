"""The code that the graph ties to the definitions of a name: what they use, their bases, subtypes, users and tests.

Where the graph knows none, the code that contains the name counts (users.py, calls.py). Code comes before tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chunker.kinds import TYPES
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.ties.calls import calls
from context_pack.kinds.code.ties.listing import ties_of
from context_pack.kinds.code.ties.users import MAX_FOLLOWED, MENTIONED, implementers_of, users_of
from context_pack.kinds.code.ties.wiring import wired
from context_pack.options.resolve import Settings
from contracts.lazy_regex import lazy_regex
from index.search.scope import distinct
from index.search.spelling import is_code_name, is_compound_name
from index.types import Follow, SymbolRow, Tie

_SUPER = lazy_regex(r"\bsuper\b|(?<![.\w>])(?:base\.|parent::)")
MAX_BASES = 3  # steps from a type to its bases
MAX_HITS = 40  # for a text about tests, of which some are in files of tests that name the definition
MAX_BESIDE = 5  # parts of tests that do not name what they are about
_USED = ("calls", "uses")
_USERS = ("called_by", "used_by")
_TESTS = ("tested_by", *_USERS)
_SUBTYPES = ("implemented_by", "extended_by", "overridden_by")
_BASES = ("extends", "implements", "overrides")


def callees(corpus: Corpus, text: str, chunks: Sequence[int], settings: Settings) -> list[Tie]:
    """Ties to what definitions call or use."""
    ties = _related(corpus, text, chunks, _USED, settings)
    return tests_last(corpus, [tie for tie in ties if tie.labels[0] in _USED])  # an edge is followed in both directions


def bases(corpus: Corpus, text: str, chunks: Sequence[int], settings: Settings) -> list[Tie]:
    """Ties to what definitions extend, implement or override, up to three steps away."""
    return tests_last(corpus, _with_labels(_related(corpus, text, chunks, _BASES, settings, MAX_BASES), _BASES))


def subtypes(
    corpus: Corpus, text: str, meant: Sequence[SymbolRow], chunks: Sequence[int], settings: Settings, *,
    with_bases: bool,
) -> list[Tie]:  # fmt: skip
    """Ties to what extends, implements or overrides definitions, also without naming them, as in Go; `with_bases`:
    after those to their bases."""
    edges, steps = ((*_BASES, *_SUBTYPES), MAX_BASES) if with_bases else (_SUBTYPES, 1)
    ties = _related(corpus, text, chunks, edges, settings, steps)
    own = [*_with_labels(ties, _BASES), *_with_labels(_of_definitions(corpus, meant, ties), _SUBTYPES)]
    implicit = implementers_of(corpus, [row.chunk for row in meant if row.kind in TYPES])
    passes = corpus.allowed(settings.filters)
    return tests_last(corpus, distinct([*own, *(tie for tie in implicit if passes(tie.chunk))]))


def users(
    corpus: Corpus, text: str, meant: Sequence[SymbolRow], chunks: Sequence[int], settings: Settings
) -> list[Tie]:
    """Ties to what calls or uses definitions, and to the calls of interfaces that they implement; if there are none,
    to their subtypes, or to the code that contains their names."""
    overriders = _overriders(corpus, chunks, settings)
    ties = _of_definitions(corpus, meant, _related(corpus, text, chunks, _USERS, settings))
    ties.sort(key=lambda tie: tie.chunk in overriders)  # that a method begins with what it overrides says little
    by_name = calls(corpus, meant, chunks, len([tie for tie in ties if tie.chunk not in overriders]))
    if not ties and not by_name:  # of an interface that only its implementations name
        ties = _related(corpus, text, chunks, _SUBTYPES, settings)
    if not ties:
        by_name += _containing(corpus, meant)
    ties = _with_those_by_name(corpus, ties, by_name, chunks, settings)
    name, definition = meant[0].name, meant[0].chunk
    numbers = corpus.naming_in_data(name) if is_code_name(name) else []
    return tests_last(corpus, distinct([*ties, *wired(corpus, name, numbers, definition, settings)]))


def tests(
    corpus: Corpus, text: str, meant: Sequence[SymbolRow], chunks: Sequence[int], settings: Settings
) -> list[Tie]:
    """Ties to the tests that use definitions; if there are none, to the tests that contain their names."""
    ties = _of_definitions(corpus, meant, _related(corpus, text, chunks, _TESTS, settings))
    own = _in_tests(corpus, ties)
    if not own and (by_name := _containing(corpus, meant)):
        own = _in_tests(corpus, _with_those_by_name(corpus, ties, by_name, chunks, settings))
        own += _in_tests(corpus, _beside(corpus, text, own, settings))
    return tests_last(corpus, own)


def overridden(corpus: Corpus, chunks: Sequence[int], meant: Sequence[SymbolRow], settings: Settings) -> list[int]:
    """The chunks of the declarations that the definitions override: code calls those of an interface."""
    names = {row.name for row in meant}
    ties = (tie for tie in _related(corpus, "", chunks, ("overrides",), settings) if tie.labels == ("overrides",))
    return [tie.chunk for tie in ties if any(row.name in names for row in corpus.defined_at(tie.chunk, minor=True))]


def without_super(corpus: Corpus, declared: Sequence[int], ties: Sequence[Tie], settings: Settings) -> list[Tie]:
    """The ties without those to what overrides the same declarations and calls them as `super`, which is not the
    definition."""
    siblings = _overriders(corpus, declared, settings)
    return [tie for tie in ties if not (tie.chunk in siblings and _SUPER.search(corpus.chunk(tie.chunk).text))]


def tests_last(corpus: Corpus, ties: Sequence[Tie]) -> list[Tie]:
    """The ties to code, then those to tests, which weigh no more than any of these: a hundred tests say less than one
    guess."""
    tests = _in_tests(corpus, ties)
    code = [tie for tie in ties if not corpus.is_test(tie.chunk)]
    least = min((tie.weight for tie in code), default=1.0)

    def behind(tie: Tie) -> Tie:
        part = "behind_code", 1.0, round(least - tie.weight, 4)
        return replace(tie, weight=least, reasons=lambda: (*tie.parts, part)) if part[2] < 0 and tie.parts else tie

    return [*code, *map(behind, tests)]


def _related(
    corpus: Corpus, text: str, chunks: Sequence[int], edges: tuple[str, ...], settings: Settings, steps: int = 1
) -> list[Tie]:
    return corpus.related(chunks, text, Follow(MAX_FOLLOWED, steps, edges), filters=settings.filters)


def _with_labels(ties: Sequence[Tie], labels: tuple[str, ...]) -> list[Tie]:
    """The ties whose path has only these labels."""
    return [tie for tie in ties if set(labels).issuperset(tie.labels)]


def _of_definitions(corpus: Corpus, meant: Sequence[SymbolRow], ties: Sequence[Tie]) -> list[Tie]:
    """The ties of definitions themselves; none of fields, because those of their chunks are about the type."""
    return ties_of(corpus, meant, ties) if corpus.defined(meant[0].qualified) else []


def _overriders(corpus: Corpus, chunks: Sequence[int], settings: Settings) -> set[int]:
    return {tie.chunk for tie in _related(corpus, "", chunks, ("overridden_by",), settings)}


def _containing(corpus: Corpus, meant: Sequence[SymbolRow]) -> list[Tie]:
    """Ties to the code that contains the names of definitions."""
    return users_of(corpus, meant, lambda row: row.kind in MENTIONED and is_compound_name(row.name))


def _with_those_by_name(
    corpus: Corpus, ties: Sequence[Tie], by_name: Sequence[Tie], chunks: Sequence[int], settings: Settings
) -> list[Tie]:
    """The ties of the graph, then those by name that are from these chunks and pass the filters."""
    passes = corpus.allowed(settings.filters)
    return distinct([*ties, *(tie for tie in by_name if tie.source in chunks and passes(tie.chunk))])


def _in_tests(corpus: Corpus, ties: Sequence[Tie]) -> list[Tie]:
    return [tie for tie in ties if corpus.is_test(tie.chunk)]


def _beside(corpus: Corpus, text: str, ties: Sequence[Tie], settings: Settings) -> list[Tie]:
    """Ties to the other parts of the tests that name something, best first, where a test is no symbol: `describe` says
    what all of its parts are about."""
    rows = ((corpus.chunk(tie.chunk), tie) for tie in reversed(ties))
    files = {row.file: tie for row, tie in rows if not row.symbol}
    hits = corpus.search(text, top_k=MAX_HITS, filters=settings.filters, order="pack") if files else ()
    beside = ((hit.chunk, files.get(corpus.chunk(hit.chunk).file)) for hit in hits)
    named = {tie.chunk for tie in ties}
    ties = [replace(tie, chunk=chunk, labels=("tested_by",)) for chunk, tie in beside if tie and chunk not in named]
    return ties[:MAX_BESIDE]
