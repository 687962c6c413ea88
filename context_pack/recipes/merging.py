"""Items of one file that touch or overlap, made one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_pack.core.candidate import Candidate
from context_pack.recipes.drafts import Draft, drawn_over, with_imports
from contracts.records import Why

if TYPE_CHECKING:
    from context_pack.corpus import Corpus

MAX_IMPORTS = 5  # of an item, by contract v1
NAMED = 3  # symbols of an item that are named


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """One item of the pack and the places, in the order of selection, of the candidates that it shows.

    Like drafts they are told apart by identity.
    """

    candidate: Candidate[Draft]
    places: tuple[int, ...]


class Merger:
    """Makes one item of neighbours in a file, which never costs more than they did; remembers what it has made."""

    def __init__(self, corpus: Corpus, cost: Callable[[Draft], int]) -> None:
        self._corpus = corpus
        self._cost = cost
        self._known: dict[tuple[Kept, ...], Sequence[Kept]] = {}  # nearly the same groups come again and again

    def merged(self, kept: Sequence[Kept]) -> list[Kept]:
        """The items after merging; the order is that of the best part.

        What touches is joined with the blank lines between; what overlaps (a container's outline and a member in full)
        shows the lines of both.
        """
        groups: list[list[Kept]] = []
        file, end = "", -2
        for one in sorted(kept, key=lambda one: (one.candidate.item.row.number, -one.candidate.item.last)):
            draft = one.candidate.item
            if draft.row.file == file and draft.row.number <= end + 1:
                groups[-1].append(one)
                end = max(end, draft.last)
            else:
                groups.append([one])
                file, end = draft.row.file, draft.last
        items = [item for group in groups for item in self._joined(tuple(group))]
        return sorted(items, key=lambda one: one.places[0])

    def _joined(self, group: tuple[Kept, ...]) -> Sequence[Kept]:
        if len(group) > 1 and group not in self._known:
            self._known[group] = self._join(group)
        return self._known.get(group, group)

    def _join(self, group: tuple[Kept, ...]) -> Sequence[Kept]:
        ranked = sorted(group, key=lambda one: one.places[0])
        parts = [one.candidate.item for one in group]
        first, last = parts[0].row.number, max(part.last for part in parts)
        row = self._corpus.span(first, last)
        shown = frozenset().union(*(part.lines for part in parts))
        imports = tuple(dict.fromkeys(statement for part in parts for statement in part.item.imports))
        best = ranked[0].candidate
        primary = next((one.candidate for one in ranked if one.candidate.item.item.role == "primary"), best)
        item = replace(primary.item.item, score=max(part.item.score for part in parts))
        if parts[0].last == last:  # an outline and members of it: the whole is called after the container
            item = replace(item, symbol=parts[0].item.symbol, type=parts[0].item.type)
        else:
            item = replace(item, symbol=_together([primary.item, *parts]), type=_kind(parts))
        if item.why:
            item = replace(item, why=(*item.why, *_also(ranked, primary)))
        draft = drawn_over(primary.item, row, last, shown, item)
        needed = tuple(one for one in imports if one not in draft.item.content)[:MAX_IMPORTS]
        draft = with_imports(draft, needed) if needed else draft
        if self._cost(draft) > sum(map(self._cost, parts)):
            return _apart(ranked)  # wide gaps: apart they are cheaper
        places = tuple(sorted(place for one in group for place in one.places))
        return [Kept(Candidate(draft.item.id, draft, primary.points, primary.why), places)]


def _together(parts: Sequence[Draft]) -> str | None:
    """What several symbols that are shown as one item are called: by all of their names, or the first few.

    The best one comes first, as a reader looks for it.
    """
    names = list(dict.fromkeys(part.item.symbol for part in parts if part.item.symbol))
    if len(names) <= NAMED:
        return ", ".join(names) or None
    return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"


def _kind(parts: Sequence[Draft]) -> str | None:
    kinds = {part.item.type for part in parts}
    return parts[0].item.type if len(kinds) == 1 else "block"


def _also(ranked: Sequence[Kept], primary: Candidate[Draft]) -> list[Why]:
    """The other parts of a merged item, each with its own score and points."""
    others = (one.candidate for one in ranked if one.candidate is not primary)
    return [Why("merged", other.item.item.score, other.points, other.id) for other in others]


def _apart(ranked: Sequence[Kept]) -> list[Kept]:
    """The items that overlap no better one."""
    kept: list[Kept] = []
    for one in ranked:
        row = one.candidate.item.row
        others = (other.candidate.item.row for other in kept)
        if all(row.end_line < other.start_line or other.end_line < row.start_line for other in others):
            kept.append(one)
    return kept
