"""Fills the budget from a selection: whole symbols, best first; an excerpt only if a symbol is larger than its share.

Primary items are packed first, then related items, each within a share of the budget; of a name, those with little
evidence come after what is tied to it. The rest goes to primary items that did not fit, then to cut items, and last to
imports. No step takes back what an earlier one gave. Code is read only if there may be room for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial

from chunker.kinds import TYPES
from context_pack.core.fit import longest
from context_pack.kinds.code.packing.filling import MIN_PART, QUESTION, TOPIC, Contents, Filling
from context_pack.kinds.code.packing.forms import Forms, LineWeights, lines_in
from context_pack.kinds.code.packing.items import NAMELESS, Draft, Entry, join_neighbours, joined, tie_why, used_imports
from context_pack.kinds.code.packing.roles import Roles
from context_pack.kinds.code.selection import CHANGED, HUNK_SHARE, KEYS, Hit, Selection
from contracts.records import Cause, Dropped, Item, Why
from index.search.query import parse_query
from index.types import EXACT_SCORE, Scored, Tie

# Share of the budget reserved for related items while primary items are packed. Small budgets reserve nothing: there,
# finding the spot matters most. In larger ones, callers and callees are what the reader asks for next.
RELATED_SHARE = 0.15
# In the pack for a change, that share, and by how many changed places the budget is divided at most: their lines are
# shown in any case, but the code around them in a long function says less than its callers and tests.
RELATED_SHARE_OF_CHANGE, POINTED_OF_CHANGE = 0.3, 6
ASKED_SHARE = 0.65  # if the question asks for ties
SHARE_FROM_CHARS, SHARE_FULL_CHARS = 4_000, 16_000
FULL_EVIDENCE = 0.25  # of the best hit's score; an item with less gets a smaller part of the budget
ITEM_CHARS = 200  # rough cost of an item without its code, in any format
# What is tied to a name says more than code with a lower score, which only shares a word with it. That of a type may be
# one of its members.
MIN_WORD_SCORE, MIN_MEMBER_SCORE = 0.25, 0.1
MAX_IMPORTS, MIN_IMPORT = 5, 8  # statements per item (contract v1); characters of the shortest statement
MIN_ROOM = 120  # less room is left over
POINTED = 3  # places that the query points at divide the budget by their number, at most by this
TRIED = 6  # amounts of extra room that are tried for a further item, smallest first


CALLER_LINES = 5  # of a long caller: its signature, the call and the lines around it
# Evidence from which the part that was found suffices, however long its symbol is: a branch of a function of 400 lines
# that handles all messages. On explore-dev, packs of 4,000 characters show 0.376 of the lines instead of 0.366.
STRONG_PART = 0.6
# A sentence that names a class is about some of its members, which are ranked themselves. With this limit, packs for
# 737 commits show 0.389 of the changed lines in 2,000 characters instead of 0.372, and 0.541 in 4,000 instead of 0.528.
HEADER_CHARS = 500
# Largest parts of the budget for what uses the name that is asked for, whose lines around the name are shown, and for
# what the name uses.
USER_PART, USED_PART = 0.125, 0.25
NAMING = ("exact.symbol", "exact.named")  # reasons for a hit that defines a name of the query


class Packer:
    """Packs one selection; `item_chars` returns what an item adds to the pack, and is called once per draft."""

    def __init__(self, chosen: Selection, item_chars: Callable[[Draft], int], *, cutting: bool) -> None:
        self.hits = chosen.hits
        self.cutting = cutting
        self._corpus = chosen.corpus
        query = parse_query(chosen.about.query)
        self._roles = Roles(chosen, query)
        self._related_share, self._most_pointed = (
            (RELATED_SHARE, POINTED) if chosen.about.change is None else (RELATED_SHARE_OF_CHANGE, POINTED_OF_CHANGE)
        )
        self._largest = TOPIC if query.is_topic and not query.is_concept else QUESTION
        self._name = query.symbol.rpartition(".")[2]
        self._line_weights = LineWeights(query.text)
        self.cost = cache(item_chars)
        self._join = cache(partial(joined, chosen.corpus, self.cost))  # a pack is counted often
        self._forms: dict[Hit, Forms] = {}
        self._definitions = {} if self._roles.pointed else self._find_definitions()
        self._for_tests = bool(self._definitions) and query.wants_tests  # the graph knows none: words find them

    def _find_definitions(self) -> dict[int, Draft]:
        """The definitions that divide the budget before the rest of a long one follows: all of a name but its copies,
        or one of each name in a sentence."""
        definitions: dict[int, Draft] = {}
        names: set[str] = set()  # of a sentence
        for place in self._roles.primary:
            hit = self.hits[place]
            if not (hit.named and hit.pinned) or self._roles.is_double(hit):
                continue
            if self.whole(hit).first_alike(definitions) is not None:
                continue
            symbol = None if self._roles.named else self._corpus.symbol(hit.best)[0]
            name = symbol.rpartition(".")[2] if symbol else ""
            if name and name in names:
                continue
            names.add(name)
            definitions[place] = self.whole(hit)
        return definitions

    def pack(self, limit: int, spare: int = 0) -> Contents:
        """The best items that fit into `limit` characters; none if it is negative.

        Enlarging cut items and adding imports leave `spare` characters free.
        """
        if limit < 0:
            return Contents((), dict.fromkeys(range(len(self.hits)), "no_room"), limit, cut=False)
        roles, roomy, room = self._roles, self._holds_all(limit), limit
        grown = (limit - SHARE_FROM_CHARS) / (SHARE_FULL_CHARS - SHARE_FROM_CHARS)
        share = ASKED_SHARE if roles.about_ties else self._related_share * min(1.0, max(0.0, grown))
        reserve = int(share * limit) if roles.related and not roomy else 0
        several = len(self._definitions) > 1
        of_all, definition = self._definition_room(limit, reserve)
        filling = Filling(limit, roomy, self._largest, definition)
        if roles.pointed:
            self._add(filling, roles.first, limit)
            texts = {at for at in roles.pointed if self.hits[at].pin in (*KEYS, "exact.message")}
            self._enlarge(filling, [at for at in roles.pointed if at not in texts], spare)
            room = limit - self._spent(filling)
        if several and not filling.roomy:
            self._add(filling, self._definitions, room - reserve)
            long = [place for place in self._definitions if self._share(filling, self.hits[place]) == definition]
            self._enlarge(filling, long, spare + limit - of_all)
            room = limit - self._spent(filling)
        if roles.named and not filling.roomy:
            symbol, kind = self._corpus.symbol(self.hits[0].best)
            is_type = kind in TYPES and (symbol or "").endswith(self._name)  # not a member of it
            least = MIN_WORD_SCORE if roles.has_users and not is_type else MIN_MEMBER_SCORE
            strong = [at for at in roles.primary if (hit := self.hits[at]).score >= least and not roles.is_double(hit)]
            room -= self._add(filling, strong, room - reserve)
            ties = roles.direct if roles.has_users else self._explained(filling)
            room -= self._add(filling, ties if filling.chosen else (), room)
        room -= self._add(filling, roles.primary, room - reserve)
        if reserve and not filling.chosen:
            room -= self._add(filling, roles.primary, room)
        if filling.chosen or not self._starts_with_place:
            room -= self._add(filling, self._explained(filling), room)
            filling.largest = QUESTION
            self._add(filling, roles.primary, room)
            self._enlarge(filling, roles.primary, spare)
            filling.any_evidence = True
            room = limit - self._spent(filling) - spare
            self._add(filling, roles.primary if room >= MIN_ROOM else (), room)
            if roles.about_ties:
                self._enlarge(filling, roles.related, spare)
        return self._contents(filling, spare)

    def _definition_room(self, limit: int, reserve: int) -> tuple[int, int]:
        """The room of all definitions, and of each of them before the rest of a long one follows."""
        count = len(self._definitions)
        room = limit - (int(ASKED_SHARE * limit) if self._for_tests else reserve)
        return room, room // min(count, self._most_pointed) if count > 1 or self._for_tests else limit

    def whole(self, hit: Hit) -> Draft:
        """The largest form of a hit."""
        return self._forms_of(hit).whole

    def _forms_of(self, hit: Hit) -> Forms:
        """Related items are outlined only if the query asks for them (`tests for Cart`)."""
        if hit not in self._forms:
            is_asked_for = self._roles.about_ties or not isinstance(hit.origin, Tie)
            self._forms[hit] = Forms(
                self._corpus, hit, self._line_weights, self.cost, cutting=self.cutting,
                outlining=self.cutting and is_asked_for and not self._roles.is_beside(hit),
            )  # fmt: skip
        return self._forms[hit]

    @cached_property
    def smallest(self) -> int:
        """The least limit within which any item is shown, found by trying; 0 if none would be shown."""
        # Other hits come after all lines that the query points at.
        places = self._roles.first if self._roles.pointed else range(len(self.hits))
        shown = (hit for hit in map(self.hits.__getitem__, places) if not self._is_bare(hit))
        most = next((self.cost(self.whole(hit)) for hit in shown), 0)
        return most - longest(most - 1, lambda less: bool(self.pack(most - less).entries))

    def why(self, entry: Entry) -> tuple[Why, ...]:
        """The reasons for an item: those of its best hit, and one for each other hit that it shows."""
        best, *others = (self.hits[place] for place in entry.places)
        items = ((one.points, self.whole(one).item) for one in others)
        merged = (Why("merged", item.score, points, item.id) for points, item in items)
        origin = best.origin
        own = origin.why if isinstance(origin, Scored) else tie_why(origin, self._corpus.chunk(origin.source).id)
        return (*own, *merged)

    def dropped(self, hit: Hit, cause: Cause, limit: int) -> Dropped:
        """The record of a hit that is left out: the cause, and its cost if it were shown whole."""
        draft = self.whole(hit)
        chars = self.cost(draft)
        named = "too_large" if cause == "no_room" and chars > limit else cause
        return Dropped(draft.item.id, named, chars, hit.points)

    def estimate(self) -> int:
        """The approximate cost of all hits: exact for those that are read, else a little more than their text."""
        return sum(
            self.cost(self.whole(hit)) if hit in self._forms or hit.named else hit.extent.chars + ITEM_CHARS
            for hit in self.hits
        )

    def more(self, limit: int) -> tuple[int, Item] | None:
        """(fewest extra characters that add a missing item, that item), found by trying; None if no try adds one."""
        packed = self.pack(limit)
        missing = [place for place, cause in packed.absent.items() if cause == "no_room"]
        extras = {max(1, self.cost(self.whole(self.hits[place])) - packed.room) for place in missing}
        for extra in sorted(extras)[:TRIED]:
            absent = self.pack(limit + extra).absent
            if added := [place for place in missing if place not in absent]:
                return extra, self.whole(self.hits[added[0]]).item
        return None

    def _holds_all(self, limit: int) -> bool:
        may = sum(hit.extent.chars for hit in self.hits) <= limit  # if not, no code needs to be read
        return may and sum(self.cost(self.whole(hit)) for hit in self.hits) <= limit

    def _add(self, filling: Filling, places: Iterable[int], room: int) -> int:
        """Chooses hits that are not chosen yet, in order, within `room`; returns their cost."""
        spent = 0
        for place in places:
            if place in filling.chosen or place in filling.rejected:
                continue
            if self._roles.pointed and place not in self._roles.first and not self._shows_lines(filling):
                break
            draft = self._form(filling, place, room - spent)
            if draft is not None:
                spent += self._choose(filling, place, draft, room - spent)
            elif place == 0 and self._starts_with_place:
                break
        return spent

    def _explained(self, filling: Filling) -> list[int]:
        """The related hits, without those tied to a ranked one that is not shown, nor one like it, if anything is."""
        shown = {None, *filling.chosen, *(place for place, cause in filling.rejected.items() if cause == "alike")}
        return [place for place, source in self._roles.sources.items() if source in shown or not filling.chosen]

    def _shows_lines(self, filling: Filling) -> bool:
        """Whether all lines that the query points at are shown."""
        drafts = ((filling.chosen.get(place), self.hits[place].pinned) for place in self._roles.pointed)
        return all(draft is not None and draft.lines >= lines_in(pinned) for draft, pinned in drafts)

    def _choose(self, filling: Filling, place: int, draft: Draft, room: int) -> int:
        """Adds a form of a hit, unless the hit is bare or like a chosen one; returns what that costs."""
        hit = self.hits[place]
        if self._is_bare(hit):
            filling.rejected[place] = "bare"
            return 0
        other = self._stand_in(hit, draft, filling) if self.cutting else None
        filling.items = None
        if other is None:
            filling.chosen[place] = draft
            return self.cost(draft)
        before, alike = filling.alike.get(other, ()), self.whole(hit).item.id
        spent = self.cost(_with_alike(filling.chosen[other], (*before, alike)))
        spent -= self.cost(_with_alike(filling.chosen[other], before))
        if spent <= room:
            filling.rejected[place] = "alike"
            filling.alike[other] = (*before, alike)
            return spent
        return 0

    def _stand_in(self, hit: Hit, draft: Draft, filling: Filling) -> int | None:
        """The place of a chosen item that says nearly the same; for a definition of a name, only one with the same code
        and symbol, a copy in another file; for other lines that the query points at, none."""
        if hit.pin in NAMING:
            own = self.whole(hit).source
            named = {at: self.whole(self.hits[at]).source for at in filling.chosen if self.hits[at].pin in NAMING}
            return next(
                (at for at, one in named.items() if (one.row.symbol, one.code) == (own.row.symbol, own.code)), None
            )
        is_own = hit.named or (hit.pinned and not self._roles.is_direct(hit))
        return None if is_own else draft.first_alike(filling.chosen)

    def _is_bare(self, hit: Hit) -> bool:
        if isinstance(hit.origin, Tie):
            return not (hit.pinned or self._roles.about_ties) and self.whole(hit).source.is_bare
        if hit.score < EXACT_SCORE:
            chosen = not hit.pinned
        elif self._roles.is_beside(hit):  # the class around a line says where it is, a namespace hardly
            chosen = self.whole(hit).source.row.kind in NAMELESS
        else:
            chosen = hit.reason in NAMING
        return chosen and self._opens(hit) and hit is not self._header

    @cached_property
    def _starts_with_place(self) -> bool:
        """Whether the first hit is a place that the query names and that is shown: it comes first, or nothing does."""
        return bool(self.hits and self.hits[0].pinned and not self._is_bare(self.hits[0]))

    @cached_property
    def _header(self) -> Hit | None:
        """The one primary that may be only a container's first lines, because no other one says more; or None."""
        hits = [hit for hit in self.hits if hit.named] or [self.hits[place] for place in self._roles.primary]
        return hits[0] if hits and all(map(self._opens, hits)) else None

    def _opens(self, hit: Hit) -> bool:
        """Whether a hit only opens a container or a file; not for a whole file: its imports say where to read on."""
        source = self.whole(hit).source
        return source.is_header and self._corpus.chunks_of_file(source.row.file) != [*range(hit.first, hit.last + 1)]

    def _form(self, filling: Filling, place: int, room: int) -> Draft | None:
        """The form of an item: whole, or its best parts if it is larger than its share; None if there is no room."""
        hit, roles = self.hits[place], self._roles
        share = self._share(filling, hit)
        # A pack of whole items cuts only its very first item.
        first = not filling.chosen and (self.cutting or place == 0)
        chars = hit.extent.chars
        if first or hit.pinned or chars <= min(room, share):
            whole = self.whole(hit)
            chars = self.cost(whole)
            if chars <= min(room, share):
                return whole
        # If the query points at lines, other items are shown whole or not at all.
        tie = isinstance(hit.origin, Tie)
        may_be_cut = self.cutting and (not tie or roles.about_ties or roles.is_direct(hit))
        may_be_cut = may_be_cut and (chars > share or bool(hit.pinned))
        may_be_cut = may_be_cut and (not roles.pointed or place in roles.first or roles.is_direct(hit))
        lines = hit.extent.end_line - hit.extent.start_line + 1
        some = CALLER_LINES if tie else filling.largest.lines
        least = 0.0 if first or hit.pinned else min(MIN_PART, some / lines)
        if not (first or may_be_cut):
            return None
        is_strong = filling.any_evidence or hit.evidence >= STRONG_PART
        part = self._corpus.extent(hit.best, hit.best) if is_strong else hit.extent
        if min(room, share) < min(least * hit.extent.chars, part.chars):
            return None
        forms = self._forms_of(hit)
        cut = forms.excerpt(min(room, share))
        if cut is None and hit.pinned and hit.score >= EXACT_SCORE:  # the lines that it is shown for are far apart
            most = min(room, filling.largest.chars)
            cut = forms.excerpt(most) or (forms.pinned(most) if hit.pin == CHANGED else None)
        if cut and cut.line_count < least * lines and not cut.lines >= lines_in([(part.start_line, part.end_line)]):
            return None
        if cut is None and (first or place in roles.first):  # its lines are so long that no part fits into its share
            if first and share < chars <= room:
                return whole
            cut = (forms.excerpt(room) or forms.clipped(room)) if first else forms.clipped(min(room, share))
            return cut if cut and self.cost(cut) <= room else None
        return cut

    def _share(self, filling: Filling, hit: Hit) -> int:
        """The most characters that an item may take."""
        roles = self._roles
        if filling.roomy or len(self.hits) == 1 or not self.cutting:
            return filling.limit
        if roles.is_direct(hit) or (roles.about_ties and isinstance(hit.origin, Tie)):
            part = USER_PART if hit.pinned else USED_PART
            part = ASKED_SHARE / len(roles.related) if roles.about_ties else part
            return min(filling.limit, max(HEADER_CHARS, int(part * filling.limit)))
        if hit.pinned and roles.pointed:
            share = filling.limit // min(len(roles.pointed if roles.named else roles.first), POINTED)
            if hit.pin in KEYS:
                share = min(share, filling.largest.chars)
            elif hit.pin == "exact.message" and hit.extent.chars > share:
                share = min(share, filling.limit // 2)
            return share
        is_extended = hit.named and hit.reason == "exact.extended"
        is_container = hit.named and not (roles.named or is_extended or roles.is_beside(hit))
        if is_container and self._forms_of(hit).outline is not None:
            return min(filling.limit, HEADER_CHARS)
        if hit.named and not hit.points:  # changed imports, or next to removed lines, which are shown with it
            removed = 0 if self._corpus.only_imports(hit.best) else filling.limit // HUNK_SHARE
            return min(filling.limit, HEADER_CHARS + removed)
        if hit.named and not is_extended:
            return filling.definition
        if hit.pinned and self._is_of_field(hit):
            return min(filling.limit, HEADER_CHARS)
        full = filling.any_evidence or isinstance(hit.origin, Tie)
        evidence = 1.0 if full else min(1.0, hit.evidence / FULL_EVIDENCE)
        return min(filling.limit, int(filling.largest.chars + filling.largest.part * evidence * filling.limit))

    def _is_of_field(self, hit: Hit) -> bool:
        """Whether the pinned lines of a hit are outside symbols, or in a type that is only mentioned."""
        symbol, kind = self._corpus.symbol(hit.best)
        return symbol is None or (hit.pin == "exact.mention" and kind in TYPES)

    def _enlarge(self, filling: Filling, places: Sequence[int], spare: int) -> None:
        """Shows more of the cut items, one after the other, as long as `spare` characters stay free.

        The whole pack is counted again: a larger item may cost what merging it with its neighbours saved.
        """
        for place in places if self.cutting else ():
            hit, draft = self.hits[place], filling.chosen.get(place)
            if draft is None or draft is (whole := self.whole(hit)):
                continue
            room = filling.limit - self._spent(filling) - spare
            if room < MIN_ROOM:
                break
            most, before = self.cost(draft) + room, filling.items
            larger = whole if self.cost(whole) <= most else self._forms_of(hit).excerpt(most)
            if larger is not None and larger.line_count > draft.line_count:
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
                filling.items = join_neighbours(entries, self._join, named=self._roles.named)
        return filling.items

    def _contents(self, filling: Filling, spare: int) -> Contents:
        items = self._items(filling)
        shown = {place for one in items for place in one.places}
        absent = {at: filling.rejected.get(at, "no_room") for at in range(len(self.hits)) if at not in shown}
        room = filling.limit - sum(self.cost(one.draft) for one in items)
        # An outline counts as whole: an item is cut if it would show more with more room.
        pairs = ((self.whole(self.hits[place]), draft) for place, draft in filling.chosen.items())
        cut = any(
            draft is not whole and (whole.lines - draft.lines or draft.source.code != whole.source.code)
            for whole, draft in pairs
        )
        entries = []
        for one in items:
            draft = self._with_imports(one.draft, room - spare) if room - spare > MIN_IMPORT else one.draft
            room -= self.cost(draft) - self.cost(one.draft)
            entries.append(Entry(draft, one.places))
        return Contents(tuple(entries), absent, room, cut)

    def _with_imports(self, draft: Draft, room: int) -> Draft:
        """The draft with the imports that it uses, if there is room for them.

        A pack of whole items shows all imports of the code, however short it is, as contract v1 does.
        """
        row = draft.source.row
        imports = self._corpus.imports(row.number, draft.source.last)
        if self.cutting:
            imports = used_imports(imports, draft.item.content, row.language)
        full = draft.with_imports(imports[:MAX_IMPORTS]) if imports else draft
        return full if self.cost(full) - self.cost(draft) <= room else draft


def _with_alike(draft: Draft, alike: tuple[str, ...]) -> Draft:
    """The item, listing the items like it."""
    return replace(draft, item=replace(draft.item, alike=alike)) if alike else draft
