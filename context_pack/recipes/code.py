"""The code pack: ranked chunks first, then what the code graph ties to them, within a budget of characters.

`select` asks the index, `pack` fits and finishes; the second is a pure function of what the first returns.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from context_pack.recipes.drafts import EXACT_SCORE, Draft, primary_draft, related_draft
from context_pack.recipes.forms import Forms
from context_pack.recipes.packing import More, Packer, Wanted
from context_pack.recipes.reading import in_reading_order
from contracts.errors import BudgetTooSmall
from contracts.records import Budget as Spent
from contracts.records import Pack
from index.types import RESEMBLES, Follow, Scored, Tie

if TYPE_CHECKING:
    from context_pack.corpus import Corpus
    from context_pack.options.resolve import Settings
    from context_pack.render import Layout
    from index.types import ChunkRow

Found = TypeVar("Found", Scored, Tie)
Has = Callable[[int], bool]  # whether the reader has a chunk, by its number

RANKED_SCORE = 0.499  # the score of a ranked hit that is certain
SCORE_POWER = 0.75  # of a score's share of that: how the chance that a hit is a changed place of a commit falls with it
NEXT_EXACT = 0.85  # of several exact hits each is worth this much of the one before
SEEDS = 10  # primary items from which the graph is followed: what is tied to a worse one is hardly asked for
EXPLORED_DEPTH = 3
MAX_ITEMS = 1_000  # hits looked at for some that the reader does not have
NEAR_PARTS = 250  # parts of a symbol before and behind a hit that are looked at: only generated code has more
LONG_LINE = 800  # from here on a line may have been cut into several parts
LEAST_CHANCE = 0.02  # that a selected hit answers: ranking can be wrong, and another place costs little


@dataclass(frozen=True, slots=True)
class Selection:
    """What was selected for a query, in order: primary items, then related ones; and where it comes from.

    `costs` remembers what the drafts cost in the one format that a selection is packed for.
    """

    query: str
    wanted: tuple[Wanted, ...]
    forms: Forms
    corpus: Corpus
    confidence: str = ""  # as the pack states it
    costs: dict[Draft, int] = field(default_factory=dict)

    def cost(self, layout: Layout) -> Callable[[Draft], int]:
        known, item_chars = self.costs, layout.item_chars

        def cost(draft: Draft) -> int:
            chars = known.get(draft)
            if chars is None:
                chars = known[draft] = item_chars(draft.item)
            return chars

        return cost


def has_nothing(number: int) -> bool:
    """What most readers have of a chunk."""
    return False


def select_primary(corpus: Corpus, query: str, settings: Settings, has: Has = has_nothing) -> list[Scored]:
    """The ranked chunks that answer the query, each once: as many as are wanted beside those that the reader has."""
    wanted = asked = settings.primaries
    while True:
        ranked = _once(corpus.search(query, top_k=asked, filters=settings.filters, order="lines"))
        new = [place for place, scored in enumerate(ranked) if not has(scored.chunk)]
        if len(new) >= wanted or len(ranked) < asked or asked >= MAX_ITEMS:
            return ranked[: new[wanted - 1] + 1] if len(new) >= wanted else ranked
        asked = min(2 * asked, MAX_ITEMS)


def select_related(
    corpus: Corpus, query: str, primaries: Sequence[Scored], settings: Settings, has: Has = has_nothing
) -> list[Tie]:
    """What the graph ties to the primaries, best tie first, each chunk once, no primary and nothing the reader has."""
    seeds = primaries[:SEEDS]
    if not settings.related or not seeds or settings.related_mode == "none":
        return []
    chunks = [scored.chunk for scored in seeds]
    way = follow(settings, settings.related)
    pulls = () if way.explore else tuple(_chances(seeds))
    ties = corpus.related(
        chunks, query, per_primary=way.per_primary, depth=way.depth, filters=settings.filters,
        follow=replace(way, pulls=pulls),
    )  # fmt: skip
    primary = frozenset(scored.chunk for scored in primaries)
    return _once(tie for tie in ties if tie.chunk not in primary and not has(tie.chunk))


def follow(settings: Settings, per_primary: int, *, alike: bool = False) -> Follow:
    """How the settings say that the graph is followed. To explore is to take a step more, from all primaries alike.

    `alike` code counts as tied where that is asked for, by the caller, by `--edges resembles` or to explore.
    """
    explore = settings.related_mode == "explore"
    depth = max(settings.depth, EXPLORED_DEPTH) if explore else settings.depth
    alike = RESEMBLES in settings.edges if settings.edges else alike or explore
    return Follow(per_primary, depth, settings.edges, explore, alike)


def _chance(score: float) -> float:
    """How likely a ranked hit answers, 0..1, up to a factor that all of them share."""
    share: float = (score / RANKED_SCORE) ** SCORE_POWER
    return share


def _chances(primaries: Sequence[Scored]) -> list[float]:
    """How likely each primary answers the query, 0..1."""
    return [
        max(LEAST_CHANCE, NEXT_EXACT**place if scored.score >= EXACT_SCORE else _chance(scored.score))
        for place, scored in enumerate(primaries)
    ]


def _once(found: Iterable[Found]) -> list[Found]:
    """What was found, without the later finds of the same chunk."""
    firsts: dict[int, Found] = {}
    for one in found:
        firsts.setdefault(one.chunk, one)
    return list(firsts.values())


def selection(
    corpus: Corpus, query: str, primaries: Sequence[Scored], ties: Sequence[Tie], settings: Settings,
    has: Has = has_nothing,
) -> Selection:  # fmt: skip
    """The candidates of both slots, as they would be shown."""
    scores = {scored.chunk: scored.score for scored in primaries}
    rows = Symbols(corpus)
    shown: set[int] = set()
    wanted: list[Wanted] = []
    for scored in primaries:
        if has(scored.chunk) or scored.chunk in shown:
            continue
        row, last = rows.around(scored.chunk, shown)
        shown.update(range(row.number, last + 1))
        wanted.append(Wanted(primary_draft(row, last, scored, settings.explain)))
    for tie in ties:
        if tie.chunk in shown:
            continue
        row, last = rows.around(tie.chunk, shown)
        shown.update(range(row.number, last + 1))
        source = corpus.chunk(tie.source).id
        draft = related_draft(row, last, source, scores[tie.source], tie, settings.explain)
        wanted.append(Wanted(draft))
    return Selection(query, tuple(wanted), Forms(query, corpus, outlining=settings.fit == "cut"), corpus)


class Symbols:
    """The symbols that chunks are parts of."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def around(self, chunk: int, shown: Container[int]) -> tuple[ChunkRow, int]:
        """All of a chunk's symbol as one row and its last chunk, without parts that another item shows.

        Of a very long symbol, the parts near the chunk.
        """
        parts = self._corpus.parts(chunk)
        at = parts.index(chunk)
        low = high = at
        while low > 0 and at - low < NEAR_PARTS and parts[low - 1] not in shown:
            low -= 1
        while high + 1 < len(parts) and high - at < NEAR_PARTS and parts[high + 1] not in shown:
            high += 1
        row = self._corpus.span(parts[low], parts[high])
        if low < high and _has_long_line(row.text) and self._is_piece(chunk, parts):
            return self._corpus.chunk(chunk), chunk
        return row, parts[high]

    def _is_piece(self, chunk: int, parts: Sequence[int]) -> bool:
        """Whether a chunk is a piece of a line, as of minified code: what stands beside it is on the same line."""
        row = self._corpus.chunk(chunk)
        beside = [self._corpus.chunk(number) for number in (chunk - 1, chunk + 1) if number in parts]
        return any(other.end_line == row.start_line or other.start_line == row.end_line for other in beside)


def _has_long_line(text: str) -> bool:
    return len(text) > LONG_LINE and any(len(line) > LONG_LINE for line in text.split("\n"))


def pack(chosen: Selection, settings: Settings, model_id: str, layout: Layout) -> Pack:
    """What fits of a selection, in a pack that states exactly what it costs.

    BudgetTooSmall when something was selected and not even the smallest form of one item fits.
    """
    nothing = Spent(settings.max_chars, 0, False, 0)
    empty = Pack(chosen.query, model_id, settings.profile, (), nothing, confidence=chosen.confidence)
    selected = len(chosen.wanted)
    limit = settings.max_chars - layout.frame_chars(empty, selected)
    packer = _packer(chosen, settings, layout)
    packed = packer.pack(limit)
    if packed.room < 0 or (selected and not packed.kept):
        raise _too_small(empty, selected, packer.smallest() if selected else 0, layout)
    dropped = [packer.dropped(place, limit) for place in packed.absent]
    finished = replace(
        empty,
        items=tuple(item.item for item in in_reading_order(chosen.corpus, packed.kept)),
        budget=Spent(
            max_chars=settings.max_chars,
            used_chars=settings.max_chars - packed.room,
            truncated=packed.cut or bool(dropped),
            dropped_items=len(dropped),
        ),
        dropped=tuple(dropped) if settings.explain else (),
    )
    return layout.finish(finished)


def _packer(chosen: Selection, settings: Settings, layout: Layout) -> Packer:
    return Packer(chosen.wanted, chosen.forms, chosen.corpus, chosen.cost(layout), cutting=settings.fit == "cut")


def more(chosen: Selection, fitted: Pack, settings: Settings, layout: Layout) -> More | None:
    """What a little more than the budget of a pack would add; None when nothing is missing."""
    if not fitted.budget.dropped_items:
        return None
    empty = replace(fitted, items=(), dropped=(), budget=replace(fitted.budget, used_chars=0))
    return _packer(chosen, settings, layout).more(settings.max_chars - layout.frame_chars(empty, len(chosen.wanted)))


def whole_chars(chosen: Selection, fitted: Pack, layout: Layout) -> int:
    """A budget that would hold everything that was selected, uncut."""
    cost = chosen.cost(layout)
    items = sum(cost(one.candidate.item) for one in chosen.wanted)
    return _framed(replace(fitted, items=(), dropped=()), len(chosen.wanted), items, layout)


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
