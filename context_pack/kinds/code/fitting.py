"""Fitting a selection into the limits: the pack in reading order, and hints about what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from math import inf

from context_pack.core.fit import longest
from context_pack.core.text import size
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.packing.items import Entry
from context_pack.kinds.code.packing.packing import Packer
from context_pack.kinds.code.selection import Selection
from context_pack.options.resolve import Settings
from context_pack.render import Layout, layout
from context_pack.render.phrases import counted
from contracts.errors import BudgetTooSmall
from contracts.records import Budget, Dropped, Hint, Item, LeftOut, Pack, Why, as_data

ROUND_CHARS = 1_000
NOTES_SHARE = 8  # notes get at most an eighth of the budget: a long list of deleted files leaves room for code


def fitted(chosen: Selection, settings: Settings) -> tuple[Pack, tuple[Hint, ...]]:
    """The pack, and hints if something was left out or cut. BudgetTooSmall names each limit that is too small.

    A document shows notes before its items, as many as fit into an eighth of the budget; none if that leaves no room
    for an item.
    """
    if settings.max_tokens is None and settings.tokenizer is None:
        fit = Fit(chosen, settings, layout(settings.format))
        pack = fit.pack(settings.max_chars)
        hints = *fit.left_out(pack), *fit.next_item(pack)
        return fit.explained(fit.sparing(pack)) if settings.explain else pack, hints
    try:
        fit, pack = _counted(chosen, settings)
    except BudgetTooSmall as error:
        raise _both_limits(error, chosen, settings) from None
    return fit.explained(pack) if settings.explain else pack, fit.left_out(pack)


def _counted(chosen: Selection, settings: Settings) -> tuple[Fit, Pack]:
    """A pack that states its tokens, and what made it. BudgetTooSmall names the first limit that is too small."""
    from context_pack.render.tokens import TokenLayout, token_counter, within_tokens

    counter, name = token_counter(settings.tokenizer)
    counting = TokenLayout(layout(settings.format), counter, name, settings.max_tokens)
    fit = Fit(chosen, settings, counting)
    if settings.max_tokens is None:
        return fit, fit.pack(settings.max_chars)
    return fit, within_tokens(fit.pack, counting, settings.max_chars, settings.max_tokens)


def _both_limits(error: BudgetTooSmall, chosen: Selection, settings: Settings) -> BudgetTooSmall:
    """The error, or one that names both limits if the other one is too small as well."""
    limits, last = settings, error
    while True:
        smallest = int(str(last.details["smallest"]))
        in_tokens = "max_tokens" in last.details
        larger = replace(limits, max_tokens=smallest) if in_tokens else replace(limits, max_chars=smallest)
        if larger == limits:  # nothing fits into what should suffice: without an end, this would go on for ever
            return error
        limits = larger
        try:
            _counted(chosen, limits)
            break
        except BudgetTooSmall as other:
            last = other
    if limits.max_chars == settings.max_chars or limits.max_tokens == settings.max_tokens:
        return error
    return BudgetTooSmall(
        f"nothing fits into {settings.max_chars} characters and {settings.max_tokens} tokens; "
        f"the smallest possible budgets are {limits.max_chars} and {limits.max_tokens}",
        hint=f"use --max-chars {limits.max_chars} --max-tokens {limits.max_tokens}",
        details={
            "max_chars": settings.max_chars, "smallest": limits.max_chars,
            "max_tokens": settings.max_tokens, "smallest_tokens": limits.max_tokens,
        },
    )  # fmt: skip


class Fit:
    """Makes packs of one selection in one format. Each pack states its exact cost."""

    def __init__(self, chosen: Selection, settings: Settings, layout: Layout) -> None:
        self._chosen, self._settings, self._layout = chosen, settings, layout
        about = chosen.about
        self._notes = [hint.text for hint in about.notes if hint.type != "action"]
        title, change = about.query if about.title is None else about.title, about.change
        self._empty = Pack(
            title, chosen.corpus.model_id, settings.profile, (), Budget(0, 0, False, 0),
            diff=change.diff if change else None, confidence=about.confidence,
        )  # fmt: skip
        self._shown = shown = change.marked if change else lambda item: item
        self._packer = Packer(chosen, lambda draft: layout.item_chars(shown(draft.item)), cutting=settings.fit == "cut")
        self._accounts: dict[tuple[Item, ...], tuple[list[tuple[Why, ...]], tuple[Dropped, ...]]] = {}

    def pack(self, max_chars: int, spare: int = 0) -> Pack:
        """The items that fit, with `spare` characters left free if the items can do without them.

        BudgetTooSmall if something was selected and not even the smallest form of any item fits.
        """
        for notes in dict.fromkeys((self._notes_within(max_chars), self._notes_within(0))):
            limit = max_chars - self._frame(max_chars, notes)
            packed = self._packer.pack(limit, spare)
            if packed.room >= 0 and (packed.entries or "no_room" not in packed.absent.values()):
                break
        else:
            raise self._too_small(max_chars)
        absent = [(self._packer.hits[place], cause) for place, cause in packed.absent.items()]
        absent += [(hit, "little_evidence") for hit in self._chosen.weak]
        causes: Counter[str] = Counter(cause for _, cause in absent)
        no_room = causes.pop("no_room", 0)
        budget = Budget(
            max_chars=max_chars,
            used_chars=max_chars - packed.room,
            truncated=packed.cut or no_room > 0,
            dropped_items=len(absent),
            left_out=LeftOut(**causes) if causes else None,
        )
        entries = in_reading_order(self._chosen.corpus, packed.entries)
        items = tuple(self._shown(entry.draft.item) for entry in entries)
        pack = self._layout.finish(replace(self._empty, notes=notes, items=items, budget=budget))
        if self._settings.explain:
            drops = tuple(self._packer.dropped(*one, limit) for one in absent)
            self._accounts[pack.items] = list(map(self._packer.why, entries)), drops
        return pack

    def sparing(self, pack: Pack) -> Pack:
        """The same items with fewer lines of cut items and fewer imports, if reasons and drops need the room."""
        drops = self._accounts[pack.items][1]
        needed = self._with_reasons(pack, len(pack.items), len(drops)).budget.used_chars - pack.budget.used_chars
        sparing = self.pack(pack.budget.max_chars, needed)
        return sparing if self._accounts[sparing.items][1] == drops else pack

    def explained(self, pack: Pack) -> Pack:
        """The pack with as many reasons and drops as there is room for; they never displace an item.

        The best reason of each item comes first, then the drops, then further reasons, one per item in turn.
        """
        reasons, drops = self._accounts[pack.items]

        def fits(steps: int, listed: int) -> bool:
            budget = self._with_reasons(pack, steps, listed).budget
            return budget.used_chars <= budget.max_chars and (budget.used_tokens or 0) <= (budget.max_tokens or inf)

        best = longest(len(reasons), lambda steps: fits(steps, 0))
        listed = longest(len(drops), lambda listed: fits(best, listed))
        more = longest(sum(map(len, reasons)) - best, lambda more: fits(best + more, listed))
        return self._with_reasons(pack, best + more, listed)

    def _with_reasons(self, pack: Pack, steps: int, listed: int) -> Pack:
        """The pack with `steps` reasons, the best of each item before the second of any, and `listed` drops."""
        reasons, drops = self._accounts[pack.items]
        order = sorted((rank, place) for place, why in enumerate(reasons) for rank in range(len(why)))
        counts = Counter(place for _, place in order[:steps])
        shown = (_first_reasons(why, counts[place]) for place, why in enumerate(reasons))
        items = tuple(replace(item, why=why) for item, why in zip(pack.items, shown, strict=True))
        return self._layout.finish(replace(pack, items=items, dropped=drops[:listed]))

    def left_out(self, pack: Pack) -> tuple[Hint, ...]:
        """A hint: how many items are left out, and about how large a budget would hold everything."""
        budget = pack.budget
        if not budget.truncated:
            return ()
        by_tokens = budget.max_tokens is not None
        needed = self._sufficient_limit(0 if by_tokens else budget.max_chars, self._packer.estimate())
        chars = -(-needed // ROUND_CHARS) * ROUND_CHARS
        options = f"--max-chars {chars}"
        if by_tokens:
            tokens = -(-chars * (budget.used_tokens or 0) * 11 // (max(1, budget.used_chars) * 10))  # a tenth to spare
            options = f"{options if chars > budget.max_chars else ''} --max-tokens {tokens}".strip()
        count = budget.dropped_items - sum(as_data(budget.left_out).values() if budget.left_out else ())
        what = f"{counted(count, 'selected item')} left out" if count else "an item was cut"
        return (Hint("action", f"{what}; about {options} would hold everything selected"),)

    def next_item(self, pack: Pack) -> tuple[Hint, ...]:
        """With `--explain`, a hint: which item a slightly larger budget would add."""
        if not self._settings.explain or not pack.budget.truncated:
            return ()
        more = self._packer.more(pack.budget.max_chars - self._frame(pack.budget.max_chars, pack.notes))
        if more is None:
            return ()
        chars, item = more
        named = f" ({item.symbol})" if item.symbol else ""
        return (Hint("info", f"+{chars} characters would add {item.id}{named}"),)

    def _frame(self, max_chars: int, notes: tuple[str, ...]) -> int:
        """The most characters around the items, notes included, however many of the selected items are shown."""
        count = len(self._packer.hits) + len(self._chosen.weak)
        widest = Budget(max_chars, 0, False, 0, left_out=LeftOut(count, count, count) if count else None)
        return self._layout.frame_chars(replace(self._empty, notes=notes, budget=widest), count)

    def _notes_within(self, max_chars: int) -> tuple[str, ...]:
        """The notes that fit into their share, or all notes if there are no items."""
        costs = accumulate(map(size, self._notes))
        room = max_chars // NOTES_SHARE if self._packer.hits else inf
        return tuple(note for note, chars in zip(self._notes, costs, strict=True) if chars <= room)

    def _sufficient_limit(self, max_chars: int, items_chars: int, notes_chars: int | None = None) -> int:
        """The least limit, from `max_chars` up, that holds the items and the frame, which grows with the limit.

        The notes are those within the limit, or within `notes_chars`.
        """
        while True:
            notes = self._notes_within(max_chars if notes_chars is None else notes_chars)
            needed = items_chars + self._frame(max_chars, notes)
            if needed <= max_chars:
                return max_chars
            max_chars = needed

    def _too_small(self, max_chars: int) -> BudgetTooSmall:
        smallest = self._sufficient_limit(max_chars, self._packer.smallest, notes_chars=0)
        return BudgetTooSmall(
            f"nothing fits into {max_chars} characters; the smallest possible budget is {smallest}",
            hint=f"use --max-chars {smallest}",
            details={"max_chars": max_chars, "smallest": smallest},
        )


NEAR = 0.75  # a definition moves before its user if its score is at least this share of the user's


def _first_reasons(why: tuple[Why, ...], count: int) -> tuple[Why, ...]:
    """The `count` reasons with the most points, and one that sums up the others; none if `count` is 0."""
    if count in (0, len(why)):
        return why[:count]
    ranked = sorted(why, key=lambda part: -part.points)
    return (*ranked[:count], Why("more", len(why) - count, round(sum(part.points for part in ranked[count:]), 9)))


def in_reading_order(corpus: Corpus, entries: Sequence[Entry]) -> list[Entry]:
    """The best item, then primary items, then related ones, each in the order of the selection.

    Within a role, an item moves before the first item that uses it if its score is near that item's. The best item
    stays first.
    """
    sources = [one.draft.source for one in entries]
    owner = {chunk: place for place, one in enumerate(sources) for chunk in range(one.row.number, one.last + 1)}
    users: dict[int, set[int]] = {}  # place of a definition -> places of its users
    for user, definition in corpus.uses(sorted(owner)):
        if owner[user] != owner[definition]:
            users.setdefault(owner[definition], set()).add(owner[user])
    items, ordered = [one.draft.item for one in entries], list[int]()
    for place in sorted(range(1, len(items)), key=lambda place: items[place].role):  # `primary` before `related`
        role, score = items[place].role, items[place].score
        same = ((at, items[other]) for at, other in enumerate(ordered) if other in users.get(place, ()))
        near = (at for at, user in same if user.role == role and score >= NEAR * user.score)
        ordered.insert(next(near, len(ordered)), place)
    return [*entries[:1], *(entries[place] for place in ordered)]
