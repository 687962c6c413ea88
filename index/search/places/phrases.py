"""Finds the definitions whose name some plain words make: `user agent`, `the auth guard fails if ...`."""

from __future__ import annotations

from collections.abc import Iterable

from chunker.kinds import TYPES
from index.search.definitions import RARE, Definition, allowed_definitions, is_likely
from index.search.scope import SearchScope
from index.search.spelling import in_usual_cases, phrases_in

_DATA = frozenset({"interface", "enum", "type", "variant", "field"})  # kinds that words of prose name too often
MAX_OF_PHRASES = 3  # definitions that the words of a sentence make


def named_by_topic(scope: SearchScope, topic: str) -> list[Definition]:
    """The only one or two definitions with the name that the words of a topic make: `user agent`; of what is no type,
    those in likely files, because such a name may be that of any detail (`file path`)."""
    own = _definitions(scope, _names(topic))
    return [one for one in own if one.row.kind in TYPES or is_likely(scope, one)] if len(own) <= RARE else []


def named_by_phrases(scope: SearchScope, text: str) -> list[Definition]:
    """The only one or two types or components with the name that some words of a sentence make: `the auth guard fails
    if ...`."""
    every, phrases = list[Definition](), list[str]()
    for phrase in phrases_in(text):
        own = [] if any(phrase in longer for longer in phrases) else _units(scope, phrase)
        if 0 < len(own) <= RARE:
            phrases.append(phrase)
            every += own
    return every[:MAX_OF_PHRASES]


def _names(phrase: str) -> list[str]:
    return in_usual_cases("_".join(phrase.lower().split()))


def _definitions(scope: SearchScope, names: Iterable[str]) -> list[Definition]:
    """The definitions with one of these names, types if there are any."""
    own = [one for name in names for one in allowed_definitions(scope, name) if not (one.tier or one.redeclares)]
    return [one for one in own if one.row.kind in TYPES] or own


def _units(scope: SearchScope, phrase: str) -> list[Definition]:
    """The types and components among the definitions with the name that a phrase makes that are in likely files."""
    # A name is a term of its chunk, too, joined and in lower case; few phrases are.
    if scope.collection.lexical.number_of(phrase.replace(" ", "").lower()) < 0:
        return []
    names, rows_of = _names(phrase), scope.collection.definitions.of
    if not any(len(rows_of(name)) for name in names if name[0].isupper()):
        return []
    return [one for one in _definitions(scope, names) if _is_unit(one) and is_likely(scope, one)]


def _is_unit(one: Definition) -> bool:
    """Whether a definition is a type or a component, no member: the words of `error message` are often just words."""
    is_member = "." in one.row.qualified and one.row.kind not in TYPES
    return one.row.name[:1].isupper() and not is_member and one.row.kind not in _DATA
