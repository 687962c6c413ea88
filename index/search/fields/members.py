"""Finds the code that uses a member which a value lacks, or which is no symbol."""

from __future__ import annotations

import re

from index.search.definitions import RARE, allowed_definitions, signatures
from index.search.occurrences import MAX_READ
from index.search.scope import Location, SearchScope, distinct
from index.text import terms_of_text

MAX_USES = 12  # chunks that use the member; more do not say where the value is missing


def uses_of_member(scope: SearchScope, owner: str, member: str) -> list[Location]:
    """The type of a value, the code that uses a member behind a dot or an arrow, and the definitions of the member;
    each only if they are few."""
    uses = re.compile(rb"(?:\.|->|::)" + re.escape(member.encode()) + rb"(?!\w)")
    code = scope.collection.code_among(scope.holding(terms_of_text(member))[:MAX_READ])
    hits = scope.places_of(code, uses, member.encode())
    types, members = (
        [one for one in allowed_definitions(scope, name) if not one.tier] if name else [] for name in (owner, member)
    )
    own, few = ([*signatures(every, "named")] if len(every) <= RARE else [] for every in (types, members))
    return distinct([*own, *scope.in_turns(hits), *few]) if len(hits) <= MAX_USES else own
