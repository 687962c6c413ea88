"""The code pack: ranked chunks first, then what the code graph ties to them, within a budget of characters.

`select` asks the index, `pack` fits and finishes; the second is a pure function of what the first returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from context_pack.core.budget import Amounts, Budget
from context_pack.core.candidate import Slot
from context_pack.core.fit import Drop, Fitted, fit, smallest_limit
from context_pack.recipes.drafts import Cutter, Draft, primary_draft, related_draft
from contracts.errors import BudgetTooSmall
from contracts.records import Budget as Spent
from contracts.records import Dropped, Pack
from index.types import Scored, Tie

if TYPE_CHECKING:
    from context_pack.corpus import Corpus
    from context_pack.render import Layout
    from context_pack.settings import Settings

Found = TypeVar("Found", Scored, Tie)

# Kept for related items while the primary ones are packed. Ranking finds the spot; what it calls and what calls it is
# what the reader asks next. What they do not use goes back to the primary items.
RELATED_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Selection:
    """What was selected for a query: the slots, primary and related, each in its order."""

    query: str
    slots: tuple[Slot[Draft], Slot[Draft]]

    @property
    def size(self) -> int:
        return sum(len(slot.candidates) for slot in self.slots)


def select_primary(corpus: Corpus, query: str, settings: Settings) -> list[Scored]:
    """The ranked chunks that answer the query, each once."""
    ranked = corpus.search(query, top_k=settings.limit, filters=settings.filters)
    return _once(ranked)


def select_related(corpus: Corpus, query: str, primaries: Sequence[Scored], settings: Settings) -> list[Tie]:
    """What the graph ties to the primaries, best tie first, each chunk once and no primary."""
    if not settings.related or not primaries:
        return []
    chunks = [scored.chunk for scored in primaries]
    ties = corpus.related(chunks, query, per_primary=settings.related, depth=settings.depth, filters=settings.filters)
    primary = frozenset(chunks)
    return _once(tie for tie in ties if tie.chunk not in primary)


def _once(found: Iterable[Found]) -> list[Found]:
    """What was found, without the later finds of the same chunk."""
    firsts: dict[int, Found] = {}
    for one in found:
        firsts.setdefault(one.chunk, one)
    return list(firsts.values())


def selection(
    corpus: Corpus, query: str, primaries: Sequence[Scored], ties: Sequence[Tie], settings: Settings
) -> Selection:
    """The candidates of both slots, as they would be shown."""
    numbers = [scored.chunk for scored in primaries] + [tie.chunk for tie in ties]
    rows = {number: corpus.chunk(number) for number in numbers}
    scores = {scored.chunk: scored.score for scored in primaries}
    primary = [primary_draft(rows[scored.chunk], scored, settings.explain) for scored in primaries]
    related = [
        related_draft(rows[tie.chunk], rows[tie.source].id, scores[tie.source], tie, settings.explain) for tie in ties
    ]
    slots = (Slot("primary", tuple(primary)), Slot("related", tuple(related), share=RELATED_SHARE))
    return Selection(query, slots)


def pack(chosen: Selection, settings: Settings, model_id: str, layout: Layout) -> Pack:
    """What fits of a selection, in a pack that states exactly what it costs.

    BudgetTooSmall when something was selected and not even the smallest form of one item fits.
    """
    empty = Pack(chosen.query, model_id, settings.profile, (), Spent(settings.max_chars, 0, False, 0))
    budget = Budget(
        limits={"chars": settings.max_chars},
        fixed={"chars": layout.frame_chars(empty, chosen.size)},
        shrinking="any" if settings.fit == "cut" else "first",
    )

    def measure(draft: Draft) -> Amounts:
        return {"chars": layout.item_chars(draft.item)}

    cutter = Cutter(chosen.query)
    fitted = fit(chosen.slots, budget, measure, cutter)
    if fitted.over or (chosen.size and not fitted.kept):
        least_item = smallest_limit(chosen.slots, replace(budget, fixed={}), measure, "chars", cutter)
        raise _too_small(empty, chosen.size, least_item, layout)
    return layout.finish(_finished(empty, fitted, settings.explain))


def whole_chars(chosen: Selection, fitted: Pack, layout: Layout) -> int:
    """A budget that would hold everything that was selected, uncut."""
    items = sum(layout.item_chars(candidate.item.item) for slot in chosen.slots for candidate in slot.candidates)
    return _framed(replace(fitted, items=(), dropped=()), chosen.size, items, layout)


def _framed(empty: Pack, selected: int, items_chars: int, layout: Layout) -> int:
    """The least limit from the pack's own upwards that holds the items: the frame states it, so it grows with it."""
    limit = empty.budget.max_chars
    while True:
        framed = replace(empty, budget=replace(empty.budget, max_chars=limit))
        needed = items_chars + layout.frame_chars(framed, selected)
        if needed <= limit:
            return limit
        limit = needed


def _too_small(empty: Pack, selected: int, least_item: int, layout: Layout) -> BudgetTooSmall:
    limit, smallest = empty.budget.max_chars, _framed(empty, selected, least_item, layout)
    return BudgetTooSmall(
        f"nothing fits into {limit} characters; the smallest budget that would do is {smallest}",
        hint=f"--max-chars {smallest}",
        details={"max_chars": limit, "smallest": smallest},
    )


def _finished(empty: Pack, fitted: Fitted[Draft], explain: bool) -> Pack:
    dropped = len(fitted.dropped)
    return replace(
        empty,
        items=tuple(candidate.item.item for candidate in fitted.kept),
        budget=Spent(
            max_chars=empty.budget.max_chars,
            used_chars=fitted.spent["chars"],
            truncated=fitted.shrunk or dropped > 0,
            dropped_items=dropped,
        ),
        dropped=tuple(map(_dropped, fitted.dropped)) if explain else (),
    )


def _dropped(drop: Drop[Draft]) -> Dropped:
    return Dropped(drop.candidate.id, drop.cause, drop.cost["chars"], drop.candidate.points)
