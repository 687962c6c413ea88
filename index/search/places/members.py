"""Finds the code that uses a member: one that a value lacks, or the option that a flag sets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from contracts.lazy_regex import lazy_regex
from index.search.definitions import RARE, allowed_definitions, signatures
from index.search.occurrences import MAX_READ
from index.search.scope import MAX_CHUNKS, Location, SearchScope, distinct
from index.text import terms_of_text

MAX_USES = 12  # chunks that use the member; more do not say where the value is missing
# The member that gets the value of a flag, near its text: `config.keys = 1`, `dest="keys"`.
_SET = lazy_regex(r"(?:\.|->)(\w+)\s*=(?!=)|\bdest\s*=\s*[\"'](\w+)[\"']")
# A flag as a whole text, perhaps with that of one letter before it and its value behind it.
_QUOTED_FLAG = r"[\"'`](?:-\w[\s,|/]+)?{}(?:[\s=]*[\[<A-Z][^\"'`]*)?[\"'`]"
_ANOTHER_FLAG = lazy_regex(r"\n.*[\"'`]--?\w")
MAX_BELOW = 4  # lines from the text of a flag to the member that it sets
# A read of a member of the object with all options: `args.keys`, `opts["keys"]`, `config->keys`.
_READ = (
    rb"(?i:\b(?:arg|cfg|cli|conf|flag|opt|param|parsed|setting|value)\w*)"
    rb"(?:\(\))?(?:\??\.|->|\[[:\"']|\.get\([:\"'])%s(?!\w)(?!\s*=(?!=))"
)


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


def with_option_reads(scope: SearchScope, flag: str, hits: Sequence[Location], why: str) -> list[Location]:
    """The places that quote a flag of one word, the code that reads its option, and the other places. Of more words,
    the name alone says enough. `why` is the reason for the places: a pack shows those of one reason alike."""
    if not (hits and flag.lstrip("-").isidentifier()):
        return [*hits]
    own = scope.on_lines_like(hits, re.compile(_QUOTED_FLAG.format(re.escape(flag)))) or hits[:1]
    reads = (replace(hit, why=why) for hit in _option_reads(scope, flag, own))
    return distinct([*own, *reads, *hits])


def _option_reads(scope: SearchScope, flag: str, hits: Sequence[Location]) -> list[Location]:
    """The code that reads an option as a member of the object with all options: in the file that declares the flag,
    else in others that contain it, else in any; none if much code does."""
    rows = [(scope.rows(hit.chunk), line) for hit in hits for line, _ in hit.lines]
    texts = (_ANOTHER_FLAG.split("\n".join(own[line - 1 : line + MAX_BELOW]))[0] for own, line in rows)
    sets = (match[1] or match[2] for match in filter(None, map(_SET.search, texts)))
    files = [scope.collection.file_of(hit.chunk) for hit in hits]
    for member in dict.fromkeys([*sets, flag.lstrip("-")]):
        chunks = scope.holding(terms_of_text(member))
        near = (chunks[np.isin(scope.collection.chunks.file[chunks], own)] for own in (files[:1], files[1:]))
        pattern = lazy_regex(_READ % re.escape(member.encode()))
        for own in (*near, chunks if len(chunks) <= MAX_READ else chunks[:0]):
            if reads := scope.places_of(scope.collection.code_among(own), pattern, member.encode()):
                return scope.in_turns(reads)[:MAX_CHUNKS] if len(reads) <= MAX_USES else []
    return []
