"""What fits of a selection: whole symbols, best first; an excerpt only of what is larger than its share.

One pass down the primaries, one down what is related to them, each with its share of the budget; then what is left of
either goes to what was passed over, to what was cut, and last to imports. No step ever takes back what one before gave.
Code is read when there may be room for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from math import inf
from typing import NamedTuple

from context_pack.kinds.code.packing.forms import Forms, is_bare, is_header, is_key, lines_in, points_at
from context_pack.kinds.code.packing.items import (
    Draft,
    Entry,
    Joined,
    drawn,
    first_alike,
    join_neighbours,
    single,
    used_imports,
    whole_draft,
    why_of,
    with_imports,
)
from context_pack.kinds.code.selection import EXACT_SCORE, HUNK_SHARE, Hit, Selection
from contracts.frozen import frozen
from contracts.records import Cause, Dropped, Item, Why
from index.search.query import parse_query
from index.types import Tie

# Kept for related items while the primary ones are packed: nothing of a small budget, in which finding the spot counts
# most, and more of a larger one, in which what calls it and what it calls is what the reader asks next.
RELATED_SHARE = 0.15
ASKED_SHARE = 0.65  # where the question asks for what is tied
SHARE_FROM_CHARS, SHARE_FULL_CHARS = 4_000, 16_000
FULL_EVIDENCE = 0.25  # of the best; with less, an item's part of the budget is less too
ITEM_CHARS = 200  # about what an item takes beside its code, whatever the format
MAX_IMPORTS, LEAST_IMPORT = 5, 8  # statements of an item, by contract v1; characters of one
LEAST_ROOM = 120  # less is not worth a second look
POINTED = 3  # places that the query points at share the budget before the first ones get what is left
TRIED = 6  # amounts of room that might add an item, from the smallest


class Share(NamedTuple):
    """What an item takes while others wait; an excerpt shows LEAST_PART of its symbol, or `lines` of it."""

    chars: int  # at most, and `part` of the budget
    part: float
    lines: float


CALLER_LINES = 5  # of a long caller: its signature, the call and what is around it
LEAST_PART = 0.3  # less says that a symbol is there, not what it does
# A question is answered by few symbols, a topic by many places. On commits a topic's packs of 4,000 characters show
# 0.79 of the changed files instead of 0.76, and as many of the changed lines, with a tenth; a twentieth leaves room for
# the places by lines that come later (index/search/searcher.py).
QUESTION, TOPIC = Share(1_000, 0.25, inf), Share(1_000, 0.05, 12)
# A sentence that names a class is about some of its members, which are ranked themselves. Packs for 737 commits show
# 0.389 of the changed lines in 2,000 characters instead of 0.372, and 0.541 in 4,000 instead of 0.528.
HEADER_CHARS = 500
NAMING = ("exact.symbol", "exact.named")  # reasons for a hit that defines a name of the query


@frozen
class Contents:
    """The items that are in, merged, in the order of selection; `cut` when one of them is not shown whole.

    `room` is what is left of the limit; `absent` are the places of the hits that are not in, each with its cause.
    """

    entries: tuple[Entry, ...]
    absent: Mapping[int, Cause]
    room: int
    cut: bool


@dataclass(slots=True)
class Filling:
    """A pack that is being filled: the form in which each hit is in, by its place, and why others never will be.

    `alike` holds the hits that one in the pack stands for. `roomy` says that there is room for all there is. `items`
    are the chosen drafts with neighbours joined; None after a change.
    """

    limit: int
    roomy: bool
    largest: Share
    chosen: dict[int, Draft] = field(default_factory=dict)
    aside: dict[int, Cause] = field(default_factory=dict)
    alike: dict[int, tuple[str, ...]] = field(default_factory=dict)
    items: Sequence[Entry] | None = None


class Packer:
    """Packs one selection; `item_chars` is what an item adds to the pack in its format, and is asked once of each."""

    def __init__(self, chosen: Selection, item_chars: Callable[[Draft], int], *, cutting: bool) -> None:
        self.hits = chosen.hits
        self.cutting = cutting
        self._corpus, self._about_ties = chosen.corpus, chosen.about_ties
        query = parse_query(chosen.query)
        self._largest, self._named = TOPIC if query.is_topic else QUESTION, query.kind == "identifier"
        self._forms = Forms(query.text, chosen.corpus, cutting=cutting)
        self.cost = cache(item_chars)
        self._whole: dict[Hit, Draft] = {}
        self._joined: Joined = {}
        self._pointed = [place for place, hit in enumerate(self.hits) if points_at(hit)]
        self._primary = [place for place, hit in enumerate(self.hits) if not isinstance(hit.origin, Tie)]
        self._related = [place for place, hit in enumerate(self.hits) if isinstance(hit.origin, Tie)]

    def pack(self, limit: int, spare: int = 0) -> Contents:
        """The best items that `limit` holds; a negative one leaves room for nothing.

        What is cut is not enlarged into `spare` characters, and no imports are added to them.
        """
        if limit < 0:
            return Contents((), dict.fromkeys(range(len(self.hits)), "no_room"), limit, cut=False)
        filling = Filling(limit, self._holds_all(limit), self._largest)
        room = limit
        if self._pointed:
            self._add(filling, self._pointed, limit)
            self._enlarge(filling, [at for at in self._pointed if not is_key(self.hits[at])], spare)
            room = limit - self._spent(filling)
        grown = (limit - SHARE_FROM_CHARS) / (SHARE_FULL_CHARS - SHARE_FROM_CHARS)
        share = ASKED_SHARE if self._about_ties else RELATED_SHARE * min(1.0, max(0.0, grown))
        reserve = int(share * limit) if self._related and not filling.roomy else 0
        room -= self._add(filling, self._primary, room - reserve)
        if reserve and not filling.chosen:
            room -= self._add(filling, self._primary, room)
        if filling.chosen or not (self.hits and self.hits[0].pinned):
            room -= self._add(filling, self._related, room)
            filling.largest = QUESTION
            self._add(filling, self._primary, room)
            self._enlarge(filling, self._primary, spare)
            if self._about_ties:
                self._enlarge(filling, self._related, spare)
        return self._contents(filling, spare)

    def whole(self, hit: Hit) -> Draft:
        """A hit with all that it may show."""
        if hit not in self._whole:
            self._whole[hit] = self._forms.whole(hit, whole_draft(self._corpus, hit))
        return self._whole[hit]

    def smallest(self) -> int:
        """The least that any item costs in any of its forms; 0 when none of them would be shown."""
        hits = [hit for hit in self.hits if not self._is_bare(hit)]
        if not hits:
            return 0
        pinned = hits[0].pinned
        whole = [self.whole(hit) for hit in (hits[:1] if pinned else hits)]
        small = hits[: len(whole)] if self.cutting else [hit for hit in hits if hit is self.hits[0]]
        drafts = [self._forms.clipped(hit, self.whole(hit), 0, self.cost) or self.whole(hit) for hit in small]
        if pinned:
            drafts.append(drawn(whole[0], pinned[0][:1] if points_at(hits[0]) else lines_in(pinned)))
        else:
            drafts += [self._forms.smallest(hit, self.whole(hit)) for hit in small]
        return min(map(self.cost, [*whole, *drafts]))

    def why(self, entry: Entry) -> tuple[Why, ...]:
        """The reasons for an item: those of the best hit that it shows, and each other one."""
        best, *others = (self.hits[place] for place in entry.places)
        merged = (Why("merged", single(one.score), one.points, self.whole(one).item.id) for one in others)
        return (*why_of(self._corpus, best), *merged)

    def dropped(self, hit: Hit, cause: Cause, limit: int) -> Dropped:
        """An account of a hit that is not in: what kept it out, and what it would have cost whole."""
        draft = self.whole(hit)
        chars = self.cost(draft)
        named = "too_large" if cause == "no_room" and chars > limit else cause
        return Dropped(draft.item.id, named, chars, hit.points)

    def about(self) -> int:
        """About what all of the hits cost: exactly where they are read, else a little more than their text."""
        return sum(
            self.cost(self.whole(hit)) if hit in self._whole or hit.named else hit.extent.chars + ITEM_CHARS
            for hit in self.hits
        )

    def more(self, limit: int) -> tuple[int, Item] | None:
        """The fewest characters that would add one of the missing items, and that item; tried, not guessed."""
        packed = self.pack(limit)
        missing = [place for place, cause in packed.absent.items() if cause == "no_room"]
        extras = {max(1, self.cost(self.whole(self.hits[place])) - packed.room) for place in missing}
        for extra in sorted(extras)[:TRIED]:
            absent = self.pack(limit + extra).absent
            if added := [place for place in missing if place not in absent]:
                return extra, self.whole(self.hits[added[0]]).item
        return None

    def _holds_all(self, limit: int) -> bool:
        may = sum(hit.extent.chars for hit in self.hits) <= limit  # else nothing needs to be read to know
        return may and sum(self.cost(self.whole(hit)) for hit in self.hits) <= limit

    def _add(self, filling: Filling, places: Iterable[int], room: int) -> int:
        """Choose what is not chosen yet, in order, within `room`; what that costs."""
        spent = 0
        for place in places:
            if place in filling.chosen or place in filling.aside:
                continue
            if place not in self._pointed and not self._shows_lines(filling):
                break
            draft = self._form(filling, place, room - spent)
            if draft is not None:
                spent += self._take(filling, place, draft, room - spent)
            elif place == 0 and self.hits[0].pinned:
                break  # what was asked for by its place comes first, or nothing does
        return spent

    def _shows_lines(self, filling: Filling) -> bool:
        """Whether all the lines that the query points at are in."""
        drafts = ((filling.chosen.get(place), self.hits[place].pinned) for place in self._pointed)
        return all(draft is not None and draft.lines >= lines_in(pinned) for draft, pinned in drafts)

    def _take(self, filling: Filling, place: int, draft: Draft, room: int) -> int:
        """Put a form of a hit in, unless it says nothing of its own; what that costs."""
        hit = self.hits[place]
        if self._is_bare(hit):
            filling.aside[place] = "bare"
            return 0
        own = not self.cutting or hit.pinned or hit.named
        other = None if own else first_alike(draft, filling.chosen)
        filling.items = None
        if other is None:
            filling.chosen[place] = draft
            return self.cost(draft)
        before, alike = filling.alike.get(other, ()), self.whole(hit).item.id
        spent = self.cost(_with_alike(filling.chosen[other], (*before, alike)))
        spent -= self.cost(_with_alike(filling.chosen[other], before))
        if spent <= room:
            filling.aside[place] = "alike"
            filling.alike[other] = (*before, alike)
            return spent
        return 0

    def _is_bare(self, hit: Hit) -> bool:
        if isinstance(hit.origin, Tie):
            return is_bare(self.whole(hit))
        chosen = hit.origin.why[0].name in NAMING if hit.score >= EXACT_SCORE else not hit.pinned
        return chosen and self._opens(hit) and hit is not self._header

    @cached_property
    def _header(self) -> Hit | None:
        """The one primary that may be a container's first lines alone: nothing says more of what the query names."""
        hits = [hit for hit in self.hits if hit.named] or [self.hits[place] for place in self._primary]
        return hits[0] if hits and all(map(self._opens, hits)) else None

    def _opens(self, hit: Hit) -> bool:
        """Whether a hit only opens a container or a file; a whole file of imports says where to read on."""
        draft = self.whole(hit)
        return is_header(draft) and self._corpus.chunks_of_file(draft.item.file) != [*range(hit.first, hit.last + 1)]

    def _form(self, filling: Filling, place: int, room: int) -> Draft | None:
        """The form in which an item goes in: whole, or its best parts where it is larger than its share."""
        hit = self.hits[place]
        share = self._share(filling, hit)
        # A pack of whole items cuts nothing but its very first.
        first = not filling.chosen and (self.cutting or place == 0)
        chars = hit.extent.chars
        if first or hit.pinned or chars <= min(room, share):
            whole = self.whole(hit)
            chars = self.cost(whole)
            if chars <= min(room, share):
                return whole
        # Beside lines that the query points at, others are whole or not in at all.
        tie = isinstance(hit.origin, Tie)
        may_be_cut = self.cutting and (not tie or self._about_ties) and (chars > share or hit.pinned)
        may_be_cut = may_be_cut and (not self._pointed or place in self._pointed)
        lines = hit.extent.end_line - hit.extent.start_line + 1
        some = CALLER_LINES if tie else filling.largest.lines
        least = 0.0 if first or hit.pinned else min(LEAST_PART, some / lines)
        if not (first or may_be_cut) or min(room, share) < least * hit.extent.chars:
            return None
        cut = self._forms.excerpt(hit, self.whole(hit), min(room, share), self.cost)
        if cut is not None and len(cut.lines) < least * lines:
            return None
        if cut is None and first:  # lines so long that no part of it is within its share
            if share < chars <= room:
                return whole
            cut = self._forms.excerpt(hit, whole, room, self.cost) or self._forms.clipped(hit, whole, room, self.cost)
            return cut if cut and self.cost(cut) <= room else None
        return cut

    def _share(self, filling: Filling, hit: Hit) -> int:
        """The most that an item may take."""
        if filling.roomy or len(self.hits) == 1 or not self.cutting:
            return filling.limit
        if self._about_ties and isinstance(hit.origin, Tie):
            return min(filling.limit, max(HEADER_CHARS, int(ASKED_SHARE * filling.limit / len(self._related))))
        if hit.pinned and self._pointed:
            share = filling.limit // min(len(self._pointed), POINTED)
            return min(share, filling.largest.chars) if is_key(hit) else share
        if hit.named and not self._named and self._corpus.outline(hit.first) is not None:
            return min(filling.limit, HEADER_CHARS)
        if hit.named and not hit.points:  # beside what a change took out: a place for it to be shown
            return min(filling.limit, HEADER_CHARS + filling.limit // HUNK_SHARE)
        if hit.named:
            return filling.limit
        if hit.pinned and self.whole(hit).item.symbol is None:
            return min(filling.limit, HEADER_CHARS)
        evidence = 1.0 if isinstance(hit.origin, Tie) else min(1.0, hit.evidence / FULL_EVIDENCE)
        return min(filling.limit, int(filling.largest.chars + filling.largest.part * evidence * filling.limit))

    def _enlarge(self, filling: Filling, places: Sequence[int], spare: int) -> None:
        """Give items that are cut more of themselves, one after the other, as long as `spare` characters stay free.

        The pack is counted anew: a larger item may cost what merging it with its neighbours has saved.
        """
        for place in places if self.cutting else ():
            hit, draft = self.hits[place], filling.chosen.get(place)
            if draft is None or draft is (whole := self.whole(hit)):
                continue
            room = filling.limit - self._spent(filling) - spare
            if room < LEAST_ROOM:
                break
            most, before = self.cost(draft) + room, filling.items
            larger = whole if self.cost(whole) <= most else self._forms.excerpt(hit, whole, most, self.cost)
            if larger is not None and len(larger.lines) > len(draft.lines):
                filling.chosen[place], filling.items = larger, None
                if self._spent(filling) > filling.limit - spare:
                    filling.chosen[place], filling.items = draft, before

    def _spent(self, filling: Filling) -> int:
        return sum(self.cost(one.draft) for one in self._items(filling))

    def _items(self, filling: Filling) -> Sequence[Entry]:
        if filling.items is None:
            entries = [
                Entry(_with_alike(draft, filling.alike.get(place, ())), (place,))
                for place, draft in sorted(filling.chosen.items())
            ]
            filling.items = entries
            if self.cutting:
                filling.items = join_neighbours(entries, self._corpus, self.cost, self._joined, named=self._named)
        return filling.items

    def _contents(self, filling: Filling, spare: int) -> Contents:
        items = self._items(filling)
        shown = {place for one in items for place in one.places}
        absent = {place: filling.aside.get(place, "no_room") for place in range(len(self.hits)) if place not in shown}
        room = filling.limit - sum(self.cost(one.draft) for one in items)
        # An outline is whole: cut is what would show more if there were room.
        pairs = ((self.whole(self.hits[place]), draft) for place, draft in filling.chosen.items())
        cut = any(
            draft is not whole and (whole.lines - draft.lines or draft.code != whole.code) for whole, draft in pairs
        )
        entries = []
        for one in items:
            draft = self._with_imports(one.draft, room - spare) if room - spare > LEAST_IMPORT else one.draft
            room -= self.cost(draft) - self.cost(one.draft)
            entries.append(Entry(draft, one.places))
        return Contents(tuple(entries), absent, room, cut)

    def _with_imports(self, draft: Draft, room: int) -> Draft:
        """The same with the imports that it uses, where there is room for them.

        A pack of whole items shows them as contract v1 has them: all of the code's, however short it is.
        """
        imports = self._corpus.imports(draft.row.number, draft.last)
        if self.cutting:
            shown = draft.item.content
            imports = tuple(one for one in used_imports(imports, shown, draft.row.language) if one not in shown)
        full = with_imports(draft, imports[:MAX_IMPORTS]) if imports else draft
        return full if self.cost(full) - self.cost(draft) <= room else draft


def _with_alike(draft: Draft, alike: tuple[str, ...]) -> Draft:
    """An item that tells of those like it."""
    return replace(draft, item=replace(draft.item, alike=alike)) if alike else draft
