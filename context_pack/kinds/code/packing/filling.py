"""A pack while it is filled: the chosen forms of the hits, the causes of the others, and the room of an item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from context_pack.kinds.code.packing.items import Draft, Entry
from contracts.frozen import frozen
from contracts.records import Cause

MIN_PART = 0.3  # a smaller part of a symbol shows that it exists, not what it does


class Share(NamedTuple):
    """The room of an item while others wait; an excerpt shows at least MIN_PART of its symbol, or `lines` lines."""

    chars: int  # at most so many characters, plus `part` of the budget
    part: float
    lines: float


# Few symbols answer a question or a concept, many places a longer topic. A topic's items are small, so that its packs
# have room for several files (index/search/searcher.py).
QUESTION, TOPIC = Share(1_000, 0.25, inf), Share(1_000, 0.05, 12)


@frozen
class Contents:
    """The packed items, merged, in the order of selection; `cut` if one of them is not shown whole.

    `room` is the rest of the limit; `absent` maps the places of the hits that are left out to the causes.
    """

    entries: tuple[Entry, ...]
    absent: Mapping[int, Cause]
    room: int
    cut: bool


@dataclass(slots=True)
class Filling:
    """The state of a pack: by the place of a hit, its chosen form, or the cause that it is `rejected` for.

    `alike` lists the ids of the hits that a chosen one stands for. `roomy` means that everything fits;
    `any_evidence`, that weak hits get a full share, too. `items` are the chosen drafts with neighbours joined; None
    after a change. No definition of several gets more than `definition` characters before each of them is shown.
    """

    limit: int
    roomy: bool
    largest: Share
    definition: int
    any_evidence: bool = False
    chosen: dict[int, Draft] = field(default_factory=dict)
    rejected: dict[int, Cause] = field(default_factory=dict)
    alike: dict[int, tuple[str, ...]] = field(default_factory=dict)
    items: Sequence[Entry] | None = None
