"""Finds the sections of documents about a topic that no code names: `visibility timeout`, an option of a broker."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contracts.lazy_regex import lazy_regex
from index.search.definitions import RARE
from index.search.occurrences import MAX_READ
from index.search.scope import MAX_CHUNKS, Location, SearchScope
from index.text import content_terms

# `custom template funcs`, `how does database locking work`, `what is a visibility timeout?`
_TOPIC = lazy_regex(
    r"(?:(?:how (?:do|does|is|are)|what (?:do|does|is|are)|explain) (?:an? |the )?)?"
    r"((?:(?!(?:is|of|to|the|in|for) )[A-Za-z]{2,} ){1,3}?[A-Za-z]{2,})(?: (?:works?|means?|used|configured))? ?\??",
    re.I,
)
_JOINT = rb"[\s_-]{0,2}"  # `visibility timeout`, `visibility_timeout`, `visibilityTimeout`


def heading_hits(scope: SearchScope, text: str) -> list[Location]:
    """The best one or two sections of documents with the two to four words of a topic as their heading; none if many
    have (`Bug fixes`), or any code has the words together. Those of a forge and of agents (`.github/`) do not count."""
    match = _TOPIC.fullmatch(text.strip())
    topic = match[1] if match else ""
    headings = dict.fromkeys((topic, topic.lower(), topic.capitalize(), topic.title())) if topic else ()
    rows = [row for heading in headings for row in scope.collection.definitions.named(heading)]
    paths = scope.collection.files.path
    own = [row for row in rows if row.kind == "section" and scope.allowed[row.file] and paths[row.file][:1] != "."]
    if not 0 < len(own) <= MAX_CHUNKS or _is_in_code(scope, topic.split()):
        return []
    return scope.by_points([Location(row.chunk, (), "literal") for row in own])[:RARE]


def _is_in_code(scope: SearchScope, words: Sequence[str]) -> bool:
    """Whether any code has words together, or so many chunks have all of them that none is read."""
    chunks = scope.holding(content_terms(words))
    pattern = re.compile(rb"(?<![A-Za-z])" + _JOINT.join(word.encode() for word in words) + rb"(?![A-Za-z])", re.I)
    return len(chunks) > MAX_READ or bool(scope.places_of(scope.collection.code_among(chunks), pattern))
