"""Items of one file that touch or overlap, made one; items that say nearly the same, of which one is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise

from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.packing.drafts import Draft, drawn_over
from context_pack.kinds.code.selection import EXACT_SCORE
from context_pack.render.phrases import first_of
from contracts.records import Why

NAMED = 3  # symbols of an item that are named


@dataclass(frozen=True, slots=True)
class Kept:
    """An item of the pack, the places in the selection of the hits that it shows, and the points of the best one."""

    draft: Draft
    places: tuple[int, ...]
    points: float


Join = Callable[[tuple[Kept, ...]], Sequence[Kept]]


def join_of(corpus: Corpus, cost: Callable[[Draft], int]) -> Join:
    """How neighbours become one item; the same ones are joined once, however often a pack is counted."""
    return cache(lambda group: _join(group, corpus, cost))


def join_neighbours(kept: Sequence[Kept], join: Join, *, named: bool) -> list[Kept]:
    """The items, neighbours in a file as one where that costs no more than they do; the order is that of the best part.

    What touches is joined with the blank lines between; what overlaps (a container's outline and a member in full)
    shows the lines of both. Where the query is a name, what it `named` begins an item: what stands above is another.
    """
    groups: list[list[Kept]] = []
    file, end = "", -2
    for one in sorted(kept, key=lambda one: (one.draft.row.number, -one.draft.last)):
        draft = one.draft
        touches = draft.row.file == file and draft.row.number <= end + 1
        begins = named and draft.item.score >= EXACT_SCORE and draft.row.number > end
        if touches and not (begins and all(other.draft.item.score < EXACT_SCORE for other in groups[-1])):
            groups[-1].append(one)
            end = max(end, draft.last)
        else:
            groups.append([one])
            file, end = draft.row.file, draft.last
    items = [item for group in groups for item in (join(tuple(group)) if len(group) > 1 else group)]
    return sorted(items, key=lambda one: one.places[0])


def _join(group: Sequence[Kept], corpus: Corpus, cost: Callable[[Draft], int]) -> Sequence[Kept]:
    ranked = sorted(group, key=lambda one: one.places[0])
    parts = [one.draft for one in group]
    first, last = parts[0].row.number, max(part.last for part in parts)
    primary = next((one for one in ranked if one.draft.item.role == "primary"), ranked[0])
    if parts[0].last == last:  # an outline and members of it: the whole is called after the container
        symbol, kind = parts[0].item.symbol, parts[0].item.type
    else:
        # The best one's name comes first, as a reader looks for it; those of members are told by their container's.
        names = dict.fromkeys(part.item.symbol for part in (primary.draft, *parts) if part.item.symbol)
        best = primary.draft.item.symbol
        outer = [name for name in names if name == best or name.rpartition(".")[0] not in names]
        symbol = first_of(outer, NAMED) or None
        kind = parts[0].item.type if len({part.item.type for part in parts}) == 1 else "block"
    why = primary.draft.item.why
    others = (one for one in ranked if one is not primary)
    also = (Why("merged", one.draft.item.score, one.points, one.draft.item.id) for one in others)
    item = replace(
        primary.draft.item, symbol=symbol, type=kind, score=max(part.item.score for part in parts),
        why=(*why, *also) if why else (),
        alike=tuple(place for part in parts for place in part.item.alike),
    )  # fmt: skip
    shown = frozenset().union(*(part.lines for part in parts))
    draft = drawn_over(primary.draft, corpus.span(first, last), last, shown, item)
    if cost(draft) > sum(map(cost, parts)):
        return _apart(ranked)  # wide gaps: apart they are cheaper
    places = tuple(sorted(place for one in group for place in one.places))
    return [Kept(draft, places, primary.points)]


def _apart(ranked: Sequence[Kept]) -> list[Kept]:
    """The items that overlap no better one."""
    kept: list[Kept] = []
    for one in ranked:
        row = one.draft.row
        others = (other.draft.row for other in kept)
        if all(row.end_line < other.start_line or other.end_line < row.start_line for other in others):
            kept.append(one)
    return kept


LEAST_ALIKE = 0.8  # of the pairs of two texts that both have: from here on the second one says nothing new
LEAST_PAIRS = 12  # a shorter text costs little and differs in its few words
REMEMBERED = 2_048
_WORD = b"_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_TO_WORDS = bytes(byte if byte in _WORD or byte > 127 else 0x20 for byte in range(256))


def are_alike(one: Draft, other: Draft) -> bool:
    """Whether two items say nearly the same. Those of other kinds and sizes do not: that is cheap to know."""
    if one.row.kind != other.row.kind or not (_are_near(len(one.code), len(other.code))):
        return False
    if not _are_near(one.row.end_line - one.row.start_line, other.row.end_line - other.row.start_line):
        return False
    pairs, others = _pairs(one), _pairs(other)
    both = len(pairs & others)
    return len(pairs) >= LEAST_PAIRS and both >= LEAST_ALIKE * (len(pairs) + len(others) - both)


def _are_near(one: int, other: int) -> bool:
    return min(one, other) >= LEAST_ALIKE * max(one, other)


def _pairs(draft: Draft) -> frozenset[tuple[bytes, bytes]]:
    row, code = draft.row, draft.code
    if row.doc:
        lines = code.split("\n")
        code = "\n".join((*lines[: row.doc[0] - row.start_line], *lines[row.doc[1] + 1 - row.start_line :]))
    return _pairs_of(code, row.symbol or "")


@lru_cache(maxsize=REMEMBERED)
def _pairs_of(code: str, symbol: str) -> frozenset[tuple[bytes, bytes]]:
    names = frozenset(symbol.encode("utf-8", "replace").split(b"."))
    words = code.encode("utf-8", "replace").translate(_TO_WORDS).split()
    return frozenset(pairwise([word for word in words if word not in names]))
