"""Methods that many types define, and the calls of methods on objects of a type that the graph does not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from chunker.kinds import ROUTINES
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.removed import MAX_NAMESAKES
from context_pack.kinds.code.ties.usages import naming_types, uses
from context_pack.kinds.code.ties.users import READ, role_of
from index.collection.collection import CONSTRUCTORS
from index.search.spelling import is_only_code
from index.types import Follow, SymbolRow, Tie

MAX_READ_METHODS = 24  # of many with one name, whose bases are looked for
MAX_BASES_OF_MANY = 3  # that are shown
LEAST_OVERRIDERS = 2  # of these methods, which a base has


def bases_of_many(corpus: Corpus, methods: Sequence[SymbolRow]) -> list[SymbolRow]:
    """The declarations that most of these methods override, which have one name; empty if they have none here."""
    overrides = Follow(MAX_READ_METHODS, 1, ("overrides",))
    read = [row for row in methods if row.kind in ROUTINES][:MAX_READ_METHODS]
    counts = Counter(tie.chunk for row in read for tie in corpus.related([row.chunk], "", overrides))
    chunks = [chunk for chunk, count in counts.most_common(MAX_BASES_OF_MANY) if count >= LEAST_OVERRIDERS]
    return _declared_in(corpus, chunks, {row.name for row in read})


def calls_of(corpus: Corpus, methods: Sequence[SymbolRow], chunks: Sequence[int]) -> list[Tie]:
    """Ties to the code that calls these methods by their name, code before tests.

    `chunks` are theirs and those of the declarations that they override. If another type has a method of the name, too,
    or prose spells it so, only files count that name one of their types; of both, only functions that do.
    """
    ties: dict[int, Tie] = {}
    own = {part for chunk in chunks for part in corpus.parts(chunk)}
    called = (row for row in methods if row.kind in ROUTINES and "." in row.qualified and row.name not in CONSTRUCTORS)
    for row in {row.name: row for row in called}.values():
        family = {one.qualified for one in (*methods, *_declared_in(corpus, chunks, {row.name}))}
        others = {one.qualified for one in corpus.namesakes(row.name, limit=MAX_NAMESAKES)} - family
        owners = {name.rpartition(".")[0] for name in family} if others or not is_only_code(row.name) else ()
        users = (number for number in uses(corpus, row.name, "called", owners) if number not in own)
        if others and not is_only_code(row.name):  # `add`: every list has one, too
            near = naming_types(corpus, owners)
            users = (number for number in users if not near.isdisjoint(corpus.parts(number)))
        ties.update((number, Tie(row.chunk, number, ("used_by",), 1, READ)) for number in users)
    return sorted(ties.values(), key=lambda tie: role_of(corpus, tie.chunk))


def wrappers(corpus: Corpus, methods: Sequence[SymbolRow]) -> list[Tie]:
    """Ties to those of some methods with one name that call it themselves: on another object, mostly."""
    own = {part for row in methods for part in corpus.parts(row.chunk)}
    users = (number for number in uses(corpus, methods[0].name, "called") if number in own)
    return [Tie(number, number, ("used_by",), 1, READ) for number in users]


def _declared_in(corpus: Corpus, chunks: Sequence[int], names: Collection[str]) -> list[SymbolRow]:
    """The definitions and declarations with one of these names in some chunks."""
    return [row for chunk in chunks for row in corpus.defined_at(chunk, minor=True) if row.name in names]
