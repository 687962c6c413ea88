"""The order in which a pack is read: from top to bottom, what is defined before what uses it, where scores allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from context_pack.kinds.code.packing.merging import Kept

if TYPE_CHECKING:
    from context_pack.kinds.code.corpus import Corpus
    from context_pack.kinds.code.packing.drafts import Draft

NEAR = 0.75  # a definition goes before its user when its score is at least this much of the user's


def in_reading_order(corpus: Corpus, kept: Sequence[Kept]) -> list[Draft]:
    """The best item first; then primary items, then related ones, each by their place in the selection.

    Within a role an item moves up to before the first item that uses it, if its score is near that item's. The best
    item stays where it is.
    """
    drafts = [one.draft for one in kept]
    owner = {chunk: place for place, draft in enumerate(drafts) for chunk in range(draft.row.number, draft.last + 1)}
    users: dict[int, set[int]] = {}  # place of a definition -> places of what uses it
    for user, definition in corpus.uses(sorted(owner)):
        if owner[user] != owner[definition]:
            users.setdefault(owner[definition], set()).add(owner[user])
    first, ordered = drafts[:1], []
    for role in ("primary", "related"):
        places = [place for place in range(1, len(drafts)) if drafts[place].item.role == role]
        ordered += _definitions_first(drafts, places, users)
    return [*first, *(drafts[place] for place in ordered)]


def _definitions_first(drafts: Sequence[Draft], places: Sequence[int], users: Mapping[int, set[int]]) -> list[int]:
    ordered: list[int] = []
    for place in places:
        using = [
            at
            for at, other in enumerate(ordered)
            if other in users.get(place, ()) and drafts[place].item.score >= NEAR * drafts[other].item.score
        ]
        ordered.insert(using[0] if using else len(ordered), place)
    return ordered
