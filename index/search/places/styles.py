"""Finds the rules of style sheets for a class: `.cart-total`, `styles.cartTotal`, `the cart-total css class`."""

from __future__ import annotations

import re

from contracts.lazy_regex import lazy_regex
from index.search.scope import MAX_CHUNKS, Location, SearchScope
from index.search.spelling import QUOTES

_SHEET = lazy_regex(r"\.(?:css|scss|sass|less|styl|vue|svelte|html?)$")
_NAME = r"(?P<{}>[A-Za-z]\w*(?:-\w+)*)"
_CLASS = lazy_regex(
    rf"^(?:\.|(?:styles?|css|classes)\.){_NAME.format('whole')}$"
    rf"|(?<![\w./])\.{_NAME.format('dotted')}(?![\w./(-])(?=.*\b(?:css|class|styles?|styling|rule)\b)"
    rf"|\b(?:css|class|styles?|styling|rule)\b.*\s\.{_NAME.format('last')}(?![\w./(-])"
    rf"|\b(?P<named>[a-z]\w*(?:-\w+)+) (?:css|class|style)"
    rf"|\b(?:css|class|styles?|styling)(?: (?:class|rule|rules))?(?: (?:of|for))? (?P<after>[a-z]\w*(?:-\w+)+)"
)
MAX_CHARS = 300  # of a text that may name a class


def named_class(text: str) -> str:
    """The class of style sheets that a text names; empty if it names none."""
    match = _CLASS.search(text.strip(QUOTES)) if len(text) <= MAX_CHARS else None
    return next(filter(None, match.groups()), "") if match else ""


def rules_of_class(scope: SearchScope, name: str) -> list[Location]:
    """The few lines of style sheets that select a class."""
    selects = re.compile(rb"\." + re.escape(name.encode()) + rb"(?![\w-])[^;{}()=]{0,200}(?:\{|$)", re.M)
    collection = scope.collection
    chunks = (hit.chunk for hit in scope.holders(name, "key"))
    sheets = (chunk for chunk in chunks if _SHEET.search(collection.path_of(chunk)))
    return scope.in_turns(scope.places_of(sheets, selects, name.encode()))[:MAX_CHUNKS]
