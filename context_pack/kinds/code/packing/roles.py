"""What each hit of a selection is to the query: a place that it points at, what it names, what uses that."""

from __future__ import annotations

from functools import cached_property
from itertools import zip_longest

from context_pack.kinds.code.selection import POINTING, Hit, Selection, is_direct
from index.search.query import Query
from index.types import Scored, Tie


class Roles:
    """The hits of a selection by their places.

    `named`: the query is a name; `about_ties`: it asks for what is tied to one; `has_users`: it has definitions, or a
    change, whose users are shown. `pointed` are the places of the lines that it points at, `first` these and the
    definitions before them. `primary` are what was found, `sources` what is tied to that: for each tie, the place of
    the ranked hit that it is tied to, if it is tied to one.
    """

    def __init__(self, chosen: Selection, query: Query) -> None:
        self.hits = hits = chosen.hits
        self._is_test = chosen.corpus.is_test
        self.about_ties = chosen.about.ties is not None
        # A name may be spelled like a key: `shop-stack.fullname` of a template, the script `Install-Docker`.
        self.named = query.kind == "identifier" or bool(query.key and hits and hits[0].named)
        self.has_users = chosen.about.named_at is not None and not self.about_ties
        self._is_change = chosen.about.change is not None
        # The line of a field whose users are asked for is no place that the query points at.
        self.pointed = [place for place, hit in enumerate(hits) if hit.pin in POINTING and not self.about_ties]
        # The definitions of a name come before the lines that contain it; so does the type of an error about a member.
        before = range(self.pointed[-1 if self.named else 0] if self.pointed else 0)
        self.first = sorted({*(place for place in before if hits[place].named), *self.pointed})
        self.primary = [place for place, hit in enumerate(hits) if not isinstance(hit.origin, Tie)]
        ranked = {
            chunk: place
            for place, hit in enumerate(hits)
            if isinstance(hit.origin, Scored) and not hit.named
            for chunk in range(hit.first, hit.last + 1)
        }
        self.sources = {
            place: ranked.get(hit.origin.source) for place, hit in enumerate(hits) if isinstance(hit.origin, Tie)
        }
        self.related = [*self.sources]

    def is_double(self, hit: Hit) -> bool:
        """Whether a hit is a test's definition of a name that code defines: a stand-in for that, or another thing."""
        return self.named and hit.named and self._is_test(hit.best) and not self._is_test(self.hits[0].best)

    def is_beside(self, hit: Hit) -> bool:
        """Whether a hit is in the rest of a file, beside the lines that the query asks for."""
        return bool(self.pointed) and hit.named and not hit.pinned and hit.reason == "exact.path"

    def is_direct(self, hit: Hit) -> bool:
        """Whether a hit names what is asked for, or a changed place, on lines that are shown, or is used by a name."""
        one = hit.origin
        if not (self.has_users and isinstance(one, Tie) and is_direct(one)):
            return False
        return bool(hit.pinned) or not (self._is_change or one.labels[0].endswith("_by"))

    @cached_property
    def direct(self) -> list[int]:
        """The users of a name and what it uses in turns, calls first, tests last."""
        hits = {place: self.hits[place] for place in self.related if self.is_direct(self.hits[place])}
        order = sorted(hits, key=lambda place: not _is_call(hits[place].origin))
        users = [place for place in order if hits[place].pinned]
        used = [place for place in order if not hits[place].pinned]
        turns = (place for pair in zip_longest(users, used) for place in pair if place is not None)
        return sorted(turns, key=lambda place: self._is_test(hits[place].best))


def _is_call(origin: Scored | Tie) -> bool:
    return isinstance(origin, Tie) and origin.labels[0] in ("calls", "called_by")
