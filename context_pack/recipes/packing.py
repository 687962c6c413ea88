"""What fits of a selection: which form each item takes, what merges, what grows into the room that is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_pack.core.allocate import ABSENT, Rung, allocate
from context_pack.core.candidate import Candidate
from context_pack.recipes.drafts import Draft
from context_pack.recipes.forms import WORTH, Form, Forms
from context_pack.recipes.merging import Kept, Merger
from contracts.records import Dropped

if TYPE_CHECKING:
    from context_pack.corpus import Corpus

# Kept for related items while the primary ones are packed: nothing of a small budget, in which finding the spot counts
# most, and more of a larger one, in which what calls it and what it calls is what the reader asks next.
RELATED_SHARE = 0.3
SHARE_FROM_CHARS, SHARE_FULL_CHARS = 2_000, 16_000
WHOLE = ("whole", "outline")  # forms of an item that is not cut
UNIT = 1_000_000  # values are whole numbers of millionths
LEAST_ROOM = 120  # less is not worth a second look
TRIED = 6  # amounts of room that might add an item, from the smallest
ROUNDS = 2  # how often the room that merging gives back is spent again


@dataclass(frozen=True, slots=True)
class Wanted:
    """A selected item, what it is worth to the reader (0..1), and the largest form that it may take."""

    candidate: Candidate[Draft]
    value: float
    largest: Form

    @property
    def related(self) -> bool:
        return self.candidate.item.item.role == "related"


@dataclass(frozen=True, slots=True)
class Packed:
    """The items that are in, merged, in the order of selection; `cut` when one of them is not shown whole.

    `room` is what is left of the limit, `absent` are the places of what was selected and is not in.
    """

    kept: tuple[Kept, ...]
    absent: tuple[int, ...]
    room: int
    cut: bool


@dataclass(frozen=True, slots=True)
class More:
    """What `chars` more would add: the item with this id."""

    chars: int
    id: str
    symbol: str | None


class Packer:
    """Packs one selection for one query; `cost` is what an item adds to the pack in its format, and is asked often."""

    def __init__(
        self, wanted: Sequence[Wanted], forms: Forms, corpus: Corpus, cost: Callable[[Draft], int], *, cutting: bool
    ) -> None:
        self.wanted = wanted
        self.cost = cost
        self.cutting = cutting
        self._forms = forms
        self._merger = Merger(corpus, self.cost)
        self._alone: dict[tuple[int, Draft], Kept] = {}
        self._largest = [one.largest for one in wanted]
        self._costs = [self.cost(form.draft) for form in self._largest]
        self._ladders: dict[int, tuple[list[Form], list[Rung]]] = {}

    def pack(self, limit: int) -> Packed:
        """What is worth most within `limit`; a negative one leaves room for nothing."""
        if limit < 0:
            return Packed((), tuple(range(len(self.wanted))), limit, cut=False)
        if sum(self._costs) <= limit:
            return self._packed(limit, dict(enumerate(self._largest)))
        chosen = self._chosen(limit)
        done = self._packed(limit, chosen)
        for _ in range(ROUNDS):
            larger = self._enlarged(chosen, done.room)
            again = self._packed(limit, larger)
            if larger == chosen or again.room < 0:  # a larger part may keep its neighbours from merging
                break
            chosen, done = larger, again
        return self._grown(limit, chosen, done) if self.cutting else done

    def smallest(self) -> int:
        """The least that any item costs in any of its forms."""
        costs = [rung.cost for place in range(len(self.wanted)) for rung in self._ladder(place)[1]]
        cut = self.wanted if self.cutting else self.wanted[:1]
        return min(*costs, *(self.cost(self._forms.smallest(one.candidate.item)) for one in cut))

    def dropped(self, place: int, limit: int) -> Dropped:
        """What kept a selected item out, and what it would have cost whole."""
        cost = self._costs[place]
        candidate = self.wanted[place].candidate
        return Dropped(candidate.id, "too_large" if cost > limit else "no_room", cost, candidate.points)

    def more(self, limit: int) -> More | None:
        """The least that would add one of the items that are missing; tried, not guessed."""
        packed = self.pack(limit)
        extras = {max(1, self._ladder(place, limit)[1][-1].cost - packed.room) for place in packed.absent}
        for extra in sorted(extras)[:TRIED]:
            again = self.pack(limit + extra)
            added = [place for place in packed.absent if place not in again.absent]
            if added:
                candidate = self.wanted[added[0]].candidate
                return More(extra, candidate.id, candidate.item.item.symbol)
        return None

    def _ladder(self, place: int, limit: int = 0) -> tuple[list[Form], list[Rung]]:
        """An item's forms and what each costs and is worth. `limit` matters where only a too large first one is cut."""
        known = self._ladders.get(place)
        if known is None:
            forms = [self._largest[place]]
            if self.cutting or (place == 0 and self._costs[0] > limit):
                forms += self._forms.smaller(self.wanted[place].candidate.item, self._largest[place])
            value = self.wanted[place].value
            rungs = [Rung(self.cost(form.draft), max(1, round(UNIT * value * WORTH[form.name]))) for form in forms]
            known = self._ladders[place] = forms, rungs
        return known

    def _chosen(self, limit: int) -> dict[int, Form]:
        """Place -> form, by the allocator."""
        ladders = [self._ladder(place, limit) for place in range(len(self.wanted))]
        slots = [
            [place for place, one in enumerate(self.wanted) if one.related == related] for related in (False, True)
        ]
        first, second = ([ladders[place][1] for place in slot] for slot in slots)
        found = allocate(first, second, limit, int(related_share(limit) * limit))
        return {
            place: ladders[place][0][rung]
            for slot, rungs in zip(slots, (found.first, found.second), strict=True)
            for place, rung in zip(slot, rungs, strict=True)
            if rung != ABSENT
        }

    def _enlarged(self, chosen: dict[int, Form], room: int) -> dict[int, Form]:
        """The same with the room that merging gave back spent, the most valuable first, on larger forms."""
        larger = dict(chosen)
        for place in sorted(range(len(self.wanted)), key=lambda place: (-self.wanted[place].value, place)):
            if room < LEAST_ROOM:
                break
            forms, rungs = self._ladders[place]
            now = forms.index(chosen[place]) if place in chosen else len(forms)
            spent = rungs[now].cost if place in chosen else 0
            best = next((at for at in range(now) if rungs[at].cost - spent <= room), now)
            if best < now:
                larger[place] = forms[best]
                room -= rungs[best].cost - spent
        return larger

    def _packed(self, limit: int, chosen: dict[int, Form]) -> Packed:
        kept = [self._kept(place, chosen[place].draft) for place in sorted(chosen)]
        items = self._merger.merged(kept) if self.cutting else kept
        shown = {place for one in items for place in one.places}
        absent = tuple(place for place in range(len(self.wanted)) if place not in shown)
        room = limit - sum(self.cost(one.candidate.item) for one in items)
        cut = any(form.name not in WHOLE for form in chosen.values())
        return Packed(tuple(items), absent, room, cut)

    def _kept(self, place: int, draft: Draft) -> Kept:
        known = self._alone.get((place, draft))
        if known is None:
            known = self._alone[place, draft] = Kept(replace(self.wanted[place].candidate, item=draft), (place,))
        return known

    def _grown(self, limit: int, chosen: dict[int, Form], done: Packed) -> Packed:
        """The same with what room is left given to what is cut or missing, the best first, line by line."""
        for place, one in enumerate(self.wanted):
            if done.room < LEAST_ROOM:
                break
            form = chosen.get(place)
            if form is not None and form.name in (*WHOLE, "code", "short outline", "header"):
                continue
            draft = one.candidate.item
            spent = self.cost(form.draft) if form else 0
            larger = self._forms.grown(draft, form.draft if form else None, done.room + spent, self.cost)
            if larger is None:
                continue
            bigger = {**chosen, place: Form("excerpt", larger)}
            again = self._packed(limit, bigger)
            if again.room >= 0:
                chosen, done = bigger, again
        return done


def related_share(limit: int) -> float:
    """The part of a budget that is kept for related items."""
    grown = (limit - SHARE_FROM_CHARS) / (SHARE_FULL_CHARS - SHARE_FROM_CHARS)
    return RELATED_SHARE * min(1.0, max(0.0, grown))
