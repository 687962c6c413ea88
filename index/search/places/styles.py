"""Finds the rules of style sheets for a class: `.cart-total`, `styles.cartTotal`, `the cart-total css class`."""

from __future__ import annotations

import re

from contracts.lazy_regex import lazy_regex
from index.collection.collection import Collection
from index.search.occurrences import MOST_CHUNKS, distinct, in_turns, lines_with, occurrences
from index.search.places.locations import Location
from index.search.spelling import QUOTES
from index.segment.columns import Array

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


def rules_of_class(collection: Collection, name: str, file_points: Array, allowed: Array) -> list[Location]:
    """The few lines of style sheets that select a class."""
    selects = re.compile(rb"\." + re.escape(name.encode()) + rb"(?![\w-])[^;{}()=]{0,200}(?:\{|,\s*$|$)", re.M)
    paths, files = collection.files.paths, collection.cells.file
    every = (hit for own in occurrences(collection, name, "key", allowed).values() for hit in own)
    sheets = (hit for hit in every if _SHEET.search(paths[files[hit.chunk]]))
    lines = ((hit.chunk, lines_with(collection, hit.chunk, selects, name.encode())) for hit in sheets)
    hits = distinct(Location(chunk, own, "key") for chunk, own in lines if own)
    return in_turns(collection, hits, file_points)[:MOST_CHUNKS]
