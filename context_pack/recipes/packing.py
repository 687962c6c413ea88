"""What fits of a selection: whole symbols, best first; an excerpt only of what is larger than its share.

One pass down the primaries, one down what is related to them, each with its share of the budget; then what is left of
either goes to what was passed over, to what was cut, and last to imports. No step ever takes back what one before gave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_pack.core.candidate import Candidate
from context_pack.core.size import size
from context_pack.recipes.drafts import Draft, with_imports
from context_pack.recipes.forms import LEAST_SHARE, Forms
from context_pack.recipes.merging import Kept, Merger
from contracts.records import Dropped

if TYPE_CHECKING:
    from context_pack.corpus import Corpus

# Kept for related items while the primary ones are packed: nothing of a small budget, in which finding the spot counts
# most, and more of a larger one, in which what calls it and what it calls is what the reader asks next.
RELATED_SHARE = 0.15
SHARE_FROM_CHARS, SHARE_FULL_CHARS = 4_000, 16_000
# The most that one item takes while others wait: nearly all of a small budget, a third of a large one.
LARGEST_CHARS, LARGEST_SHARE = 1_000, 0.25
LEAST_ROOM = 120  # less is not worth a second look
TRIED = 6  # amounts of room that might add an item, from the smallest


@dataclass(frozen=True, slots=True)
class Wanted:
    """A selected item; their order says how much each is wanted."""

    candidate: Candidate[Draft]

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
        self.whole = [forms.whole(one.candidate.item) for one in wanted]
        self._costs = [self.cost(draft) for draft in self.whole]

    def pack(self, limit: int) -> Packed:
        """The best items that `limit` holds; a negative one leaves room for nothing."""
        if limit < 0:
            return Packed((), tuple(range(len(self.wanted))), limit, cut=False)
        if sum(self._costs) <= limit:
            return self._packed(limit, self._with_imports(dict(enumerate(self.whole)), limit))
        chosen: dict[int, Draft] = {}
        primary = [place for place, one in enumerate(self.wanted) if not one.related]
        related = [place for place, one in enumerate(self.wanted) if one.related]
        reserve = int(related_share(limit) * limit) if related else 0
        room = limit - self._add(chosen, primary, limit - reserve, limit)
        if primary and not chosen and self.wanted[0].candidate.item.pinned:
            return self._packed(limit, chosen)
        room -= self._add(chosen, related, room, limit)
        room -= self._add(chosen, primary, room, limit)
        room = limit - self._spent(chosen)  # merging has given some back
        for place in primary:
            if room < LEAST_ROOM:
                break
            room -= self._enlarge(chosen, place, room)
        return self._packed(limit, self._with_imports(chosen, limit))

    def smallest(self) -> int:
        """The least that any item costs in any of its forms."""
        first = self.wanted[0].candidate.item
        if first.pinned and self.cutting:
            return min(self._costs[0], self.cost(self._forms.asked_lines(first)))
        cut = self.wanted if self.cutting else self.wanted[:1]
        return min(*self._costs, *(self.cost(self._forms.smallest(one.candidate.item)) for one in cut))

    def dropped(self, place: int, limit: int) -> Dropped:
        """What kept a selected item out, and what it would have cost whole."""
        cost = self._costs[place]
        candidate = self.wanted[place].candidate
        return Dropped(candidate.id, "too_large" if cost > limit else "no_room", cost, candidate.points)

    def more(self, limit: int) -> More | None:
        """The least that would add one of the items that are missing; tried, not guessed."""
        packed = self.pack(limit)
        extras = {max(1, self._costs[place] - packed.room) for place in packed.absent}
        for extra in sorted(extras)[:TRIED]:
            again = self.pack(limit + extra)
            added = [place for place in packed.absent if place not in again.absent]
            if added:
                candidate = self.wanted[added[0]].candidate
                return More(extra, candidate.id, candidate.item.item.symbol)
        return None

    def _add(self, chosen: dict[int, Draft], places: Iterable[int], room: int, limit: int) -> int:
        """Choose what is not chosen yet, in order, within `room`; what that costs."""
        spent = 0
        for place in places:
            if place in chosen:
                continue
            left = room - spent
            # A pack of whole items cuts nothing but its very first.
            draft = self._form(place, left, limit, first=not chosen and (self.cutting or place == 0))
            if draft is not None:
                chosen[place] = draft
                spent += self.cost(draft)
            elif place == 0 and self.wanted[0].candidate.item.pinned:
                break  # what was asked for by its place comes first, or nothing does
        return spent

    def _form(self, place: int, room: int, limit: int, *, first: bool) -> Draft | None:
        """The form in which an item goes in: whole, or its best parts where it is larger than its share."""
        cost, item = self._costs[place], self.wanted[place].candidate.item
        alone = len(self.wanted) == 1 or item.named or not self.cutting
        share = limit if alone else min(limit, int(LARGEST_CHARS + LARGEST_SHARE * limit))
        if cost <= min(room, share):
            return self.whole[place]
        cuttable = self.cutting and not self.wanted[place].related and (cost > share or item.pinned)
        if not first and not cuttable:
            return None
        least_share = 0.0 if first or item.pinned else LEAST_SHARE
        cut = self._forms.excerpt(item, min(room, share), self.cost, least_share=least_share)
        if cut is None and first and cost > share:  # lines so long that no part of it is within its share
            return self.whole[place] if cost <= room else self._forms.excerpt(item, room, self.cost, least_share=0.0)
        return cut

    def _enlarge(self, chosen: dict[int, Draft], place: int, room: int) -> int:
        """Give an item that is cut more of itself, within `room` more; what that costs."""
        draft = chosen.get(place)
        if draft is None or draft is self.whole[place] or not self.cutting:
            return 0
        spent = self.cost(draft)
        if self._costs[place] <= spent + room:
            larger: Draft | None = self.whole[place]
        else:
            larger = self._forms.excerpt(self.wanted[place].candidate.item, spent + room, self.cost, least_share=0.0)
        if larger is None or len(larger.lines) <= len(draft.lines):
            return 0
        chosen[place] = larger
        return self.cost(larger) - spent

    def _with_imports(self, chosen: dict[int, Draft], limit: int) -> dict[int, Draft]:
        """The same with the imports of the first items that have room for them; never more import than code.

        A pack of whole items shows them as contract v1 has them, with their imports, however short the code is.
        """
        room = limit - self._spent(chosen)
        shown = dict(chosen)
        for place in sorted(chosen):
            imports = self.wanted[place].candidate.item.item.imports
            if not imports or (self.cutting and sum(map(size, imports)) > size(chosen[place].item.content)):
                continue
            draft = with_imports(chosen[place], imports)
            cost = self.cost(draft) - self.cost(chosen[place])
            if cost <= room:
                shown[place] = draft
                room -= cost
        return shown

    def _spent(self, chosen: dict[int, Draft]) -> int:
        return sum(self.cost(one.candidate.item) for one in self._items(chosen))

    def _items(self, chosen: dict[int, Draft]) -> Sequence[Kept]:
        kept = [self._kept(place, chosen[place]) for place in sorted(chosen)]
        return self._merger.merged(kept) if self.cutting else kept

    def _packed(self, limit: int, chosen: dict[int, Draft]) -> Packed:
        items = self._items(chosen)
        shown = {place for one in items for place in one.places}
        absent = tuple(place for place in range(len(self.wanted)) if place not in shown)
        room = limit - sum(self.cost(one.candidate.item) for one in items)
        cut = any(self._is_cut(place, draft) for place, draft in chosen.items())
        return Packed(tuple(items), absent, room, cut)

    def _is_cut(self, place: int, draft: Draft) -> bool:
        """Whether lines are left out that the item would show if there were room: an outline is whole."""
        return bool(self.whole[place].lines - draft.lines)

    def _kept(self, place: int, draft: Draft) -> Kept:
        known = self._alone.get((place, draft))
        if known is None:
            known = self._alone[place, draft] = Kept(replace(self.wanted[place].candidate, item=draft), (place,))
        return known


def related_share(limit: int) -> float:
    """The part of a budget that is kept for related items."""
    grown = (limit - SHARE_FROM_CHARS) / (SHARE_FULL_CHARS - SHARE_FROM_CHARS)
    return RELATED_SHARE * min(1.0, max(0.0, grown))
