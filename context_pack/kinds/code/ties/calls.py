"""Methods that many types define, and the calls of methods on objects of a type that the graph does not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from chunker.kinds import ROUTINES, TYPES
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import primary
from context_pack.kinds.code.ties.mentions import MAX_NAMESAKES
from context_pack.kinds.code.ties.usages import naming_types, uses
from context_pack.kinds.code.ties.users import DECLARED, READ, callers_by_interface, role_of
from index.collection.collection import CONSTRUCTORS
from index.search.spelling import is_code_name
from index.types import Follow, Scored, SymbolRow, Tie

MAX_READ_METHODS = 24  # of many with one name, whose declarations are looked for
MAX_DECLARATIONS = 3  # that are shown
LEAST_OVERRIDERS = 2  # of these methods, which a declaration has
ENOUGH_USERS = 12  # in the graph


def declarations_of_many(corpus: Corpus, methods: Sequence[SymbolRow]) -> tuple[list[SymbolRow], list[Scored]]:
    """The declarations that most of these methods override, which have one name, and their chunks as hits; both empty
    if nothing here declares them."""
    overrides = Follow(MAX_READ_METHODS, 1, ("overrides",))
    read = [row for row in methods if row.kind in ROUTINES][:MAX_READ_METHODS]
    counts = Counter(tie.chunk for row in read for tie in corpus.related([row.chunk], "", overrides))
    chunks = [chunk for chunk, count in counts.most_common(MAX_DECLARATIONS) if count >= LEAST_OVERRIDERS]
    rows = _declared_in(corpus, chunks, {row.name for row in read})
    return rows, [primary(chunk, DECLARED) for chunk in dict.fromkeys(row.chunk for row in rows)]


def calls(corpus: Corpus, meant: Sequence[SymbolRow], chunks: Sequence[int], users: int) -> list[Tie]:
    """Ties to the calls of methods that the graph does not know: by their interfaces, and of any object by their name,
    unless the graph knows enough `users`."""
    by_interface = callers_by_interface(corpus, meant)
    is_enough = users >= ENOUGH_USERS or any(row.kind in TYPES for row in meant)
    return by_interface if is_enough else [*by_interface, *_by_method_name(corpus, meant, chunks)]


def _by_method_name(corpus: Corpus, methods: Sequence[SymbolRow], chunks: Sequence[int]) -> list[Tie]:
    """Ties to the code that calls these methods by their name, code before tests.

    `chunks` are theirs and those of the declarations that they override. If another type has a method of the name, too,
    or prose spells it so, only files count that name one of their types; of both, only functions that do.
    """
    ties: dict[int, Tie] = {}
    own = {part for chunk in chunks for part in corpus.parts(chunk)}
    routines = (
        row for row in methods if row.kind in ROUTINES and "." in row.qualified and row.name not in CONSTRUCTORS
    )
    for row in {row.name: row for row in routines}.values():
        family = {one.qualified for one in (*methods, *_declared_in(corpus, chunks, {row.name}))}
        others = {one.qualified for one in corpus.namesakes(row.name, limit=MAX_NAMESAKES)} - family
        owners = {name.rpartition(".")[0] for name in family} if others or not is_code_name(row.name) else ()
        users = (number for number in uses(corpus, row.name, "called", owners) if number not in own)
        if others and not is_code_name(row.name):  # `add`: every list has one, too
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
