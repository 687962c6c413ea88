"""Finds what a request for one more of a kind means: the type to extend, an example, and where most are registered."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from chunker.kinds import KINDS, TYPES, VALUES
from contracts.lazy_regex import lazy_regex
from index.collection.collection import Collection
from index.search.definitions import (
    MAX_SUBTYPES,
    QUESTION_CHARS,
    RARE,
    Definition,
    definition_of,
    in_product,
    is_likely,
    signatures,
)
from index.search.scope import Location, SearchScope
from index.search.spelling import folded
from index.types import ChunkId

# A request for one more of a kind: `add a scheduled task that ...`, `how do I write a new command for ...`.
_WANTING = frozenset("add build create define implement introduce register support write".split())
_WANTED = lazy_regex(
    r"(?:(?:please|how (?:to|(?:do|can|could|should|would) (?:i|one|we|you))|(?:i|we) (?:need|want) to) )*"
    rf"(?:{'|'.join(sorted(_WANTING))}) (?:an?|another|my|one more|our|the) "
    r"([a-z][\w-]*(?: (?!(?:and|as|at|between|by|called|for|from|if|in|into|like|named|of|on|or|similar|so|than|that|to"
    r"|using|via|when|where|which|with|without)\b)[a-z][\w-]*){0,4})",
    re.IGNORECASE,
)
_EXAMPLE = lazy_regex(r"\b(?:like|similar to) (?:an? |the )?[\"'`]?(\w[\w.-]*\w)", re.IGNORECASE)
_INTO = lazy_regex(r"^\S+ \S+ \S+ (?:in)?to (?:an?|the)\b")  # `add a token to the request`: no further kind
_INTO_NAME = lazy_regex(r"^(?:\S+ ){3,4}?(?:in)?to (?:the )?(?=\S*[A-Z_])[\w.]+")  # nor `add a new field to CartSpec`
_GENERAL = frozenset(
    "additional class custom different further implementation kind new own second subclass type".split()
)
# Of the name of a type; `Meter_` is the tag of a struct in C.
_FORMS = ("{}", "I{}", "{}Base", "Base{}", "Abstract{}", "{}Protocol", "{}Interface", "{}Class", "{}_")
MIN_EXTENSIONS = 2  # of a type that code extends; an interface of one class is none


def extended_types(scope: SearchScope, text: str) -> list[Location]:
    """The type that a request wants one more of, an example, and where most of its kind are registered: for `add a
    scheduled task`, `IScheduledTask`, what implements it and the list of all tasks. A type without subtypes is extended
    by constants, as in C, and an enumeration by a variant; one named by a single word (`State`) must be likely."""
    may_want = len(text) <= QUESTION_CHARS and not _WANTING.isdisjoint(text.casefold().split())
    match = _WANTED.match(text) if may_want else None  # the pattern takes long to compile
    words = match[1].split() if match else []
    if len([word for word in words if word.lower() not in _GENERAL]) == 1 and _INTO_NAME.match(text):
        return []
    is_general = bool(words) and words[-1].lower() in _GENERAL  # `a new tab type` may mean `TabType`, but no `Type`
    ends = [(start, len(words)) for start in range(len(words) - is_general)]
    ends += [(start, len(words) - 1) for start in range(len(words) - 1)] if is_general else []
    for start, end in ends:
        around = [word for word in words[:start] if word.lower() not in _GENERAL]
        names = ["".join(word[:1].upper() + word[1:] for word in words[start:end])]
        names += ["".join(map(str.capitalize, words[start:end]))]  # `RPC method` may be `RpcMethod`
        forms = dict.fromkeys(form.format(name) for name in names for form in _FORMS)
        types = (one for form in forms for one in in_product(scope, form) if one.row.kind in TYPES)
        every = [(one, *_extensions(scope, one, around)) for one in types]
        # A type with subtypes rather than one whose values many constants are.
        order = sorted(every, key=lambda row: (row[2] and len(row[1]) >= MIN_EXTENSIONS, len(row[1])), reverse=True)
        one, examples, _ = next(iter(order), (None, [], False))
        is_extended = len(examples) >= MIN_EXTENSIONS
        # Of a word (`Error`, `State`), the many types say nothing.
        is_clear = not around and (start + 1 < end or len(order) == 1)
        lists = [own for own, *_ in order if _is_enumeration(scope.collection, own)][:RARE] if is_clear else []
        meant = [one] if one and is_extended else lists  # a page may have the same list as the server
        if meant and (is_extended or start + 1 < end or (is_likely(scope, meant[0]) and not _INTO.search(text))):
            from index.collection.registries import registry

            own = [*_like(scope.collection, examples, folded(example(text))), *examples]
            shown = [*scope.among(np.array(own, np.int64))[:1].tolist()]
            shown += registry(scope.collection, examples, scope.allowed)
            return [*signatures(meant, "extended"), *(Location(ChunkId(chunk), (), "extended") for chunk in shown)]
    return []


def example(text: str) -> str:
    """What a request wants one more like: `add a driver like better-sqlite3`; empty if it does not say so."""
    may_want = not _WANTING.isdisjoint(text.casefold().split())
    match = _EXAMPLE.search(text) if may_want else None
    return match[1] if match else ""


def _like(collection: Collection, chunks: Sequence[ChunkId], name: str) -> list[ChunkId]:
    """Those of these types and of their subtypes whose names contain a folded name; none for an empty one."""
    every = [*chunks, *(own for one in chunks[:MAX_SUBTYPES] for own in collection.subtypes_of(one))] if name else []
    return [one for one in every if name in folded(collection.symbol_of(one))]


def _is_enumeration(collection: Collection, one: Definition) -> bool:
    """Whether a type lists its values, in Python by its base class."""
    head = rf"\bclass\s+{re.escape(one.row.name)}\s*\([^()]*(?:Enum|Choices|Flag)\b".encode()
    return one.row.kind == "enum" or re.search(head, collection.text_of(one.row.chunk)) is not None


def _extensions(scope: SearchScope, one: Definition, words: Sequence[str]) -> tuple[list[ChunkId], bool]:
    """(the subtypes of a type without those in tests, or else its values, best first, those of its own file last;
    whether they are subtypes); none if neither its path nor they name these words."""
    collection, path_of = scope.collection, scope.collection.path_of
    extending = collection.subtypes_of(one.row.chunk)
    if collection.rules_of(one.row.chunk).implicit_interfaces:
        from index.collection.implementers import implementers

        implicit = (definition_of(collection, row) for row in implementers(collection, one.row))
        extending += [own.row.chunk for own in implicit if not own.tier and own.row.chunk not in extending]
    ties = () if extending else collection.edges_in.neighbours(one.row.chunk)
    users = (
        ChunkId(chunk) for chunk, label in ties if label == "uses" and KINDS[collection.cells.kind[chunk]] in VALUES
    )
    chunks = extending or [chunk for chunk in users if not collection.is_in_tests(chunk)]
    named = [*map(folded, (path_of(one.row.chunk), *map(collection.symbol_of, chunks)))]
    home = path_of(one.row.chunk).rpartition(".")[0]
    points = {chunk: -float(scope.points[collection.file_of(chunk)]) for chunk in chunks}
    order = sorted(chunks, key=lambda chunk: (path_of(chunk).rpartition(".")[0] == home, points[chunk]))
    is_named = all(any(folded(word) in name for name in named) for word in words)
    return (order, bool(extending)) if is_named else ([], False)
