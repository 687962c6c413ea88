"""Finds what a runtime's message about a missing member is about: the code that uses the member."""

from __future__ import annotations

import re

from contracts.lazy_regex import lazy_regex
from contracts.rows import rows
from index.collection.collection import Collection
from index.collection.kinds import is_code
from index.search.definitions import RARE, definitions, signatures
from index.search.occurrences import MOST_READ, distinct, in_turns, lines_with
from index.search.places.locations import Location
from index.segment.columns import Array
from index.text import terms_of_text
from index.types import ChunkId

MAX_CHARS = 1_000  # of a message; a longer text is no message alone
MOST_USES = 12  # chunks that use the member; more do not say where the value is missing
_MAY_BE = lazy_regex(r"no attribute|Cannot |undefined method|member function|property|attempt to")


def missing_member(text: str) -> tuple[str, str] | None:
    """The type, if it is printed, and the member that it lacks, of a message that says so; None for other texts."""
    if len(text) > MAX_CHARS or not _MAY_BE.search(text):
        return None
    matches = (re.search(pattern, text) for _, pattern in rows(__file__, "missing_members.tsv"))
    match = next(filter(None, matches), None)
    return (match.groupdict().get("type") or "", match["member"]) if match else None


def uses_of_member(collection: Collection, owner: str, member: str, points: Array, allowed: Array) -> list[Location]:
    """The type of a value, the code that uses a member behind a dot or an arrow, and the definitions of the member;
    each only if they are few."""
    uses = re.compile(rb"(?:\.|->|::)" + re.escape(member.encode()) + rb"(?!\w)")
    chunks = collection.lexical.holding(dict.fromkeys(terms_of_text(member)))
    chunks = chunks[allowed[collection.chunks.file[chunks]]][:MOST_READ]
    code = [one for one in map(ChunkId, chunks.tolist()) if is_code(collection, one)]
    lines = ((chunk, lines_with(collection, chunk, uses, member.encode())) for chunk in code)
    hits = [Location(chunk, own, "key") for chunk, own in lines if own]
    types, members = (
        [one for one in definitions(collection, name, allowed, points) if not one.tier] if name else []
        for name in (owner, member)
    )
    own, few = ([*signatures(every, "named")] if len(every) <= RARE else [] for every in (types, members))
    return distinct([*own, *in_turns(collection, hits, points), *few]) if len(hits) <= MOST_USES else own
