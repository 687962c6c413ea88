"""The forms in which an item of the code pack may be shown: whole first, and what is left out is marked where it stood.

A symbol is shown whole. Where it is larger than its share of the budget, the parts around the best one are; of a
container that the query names, its header with the signatures of its members.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from context_pack.core.excerpt import Lines, least, priority
from context_pack.recipes.drafts import REMEMBERED, Draft, drawn, drawn_over, lines_of, signed, without_imports
from context_pack.recipes.telling import Telling

if TYPE_CHECKING:
    from context_pack.corpus import Corpus
    from index.types import ChunkRow, Outline

OUTLINE_CHARS = 1_500  # of signatures in an outline; of more, those that match the query come first
DOC_LINES = 3  # of a doc comment count as telling; the rest is worth what its words are
LEAST_SHARE = 0.35  # of a symbol's lines that an excerpt of it shows: less says that it is there, not what it does
PINNED = 1_000.0  # more than words can make up for
Cost = Callable[[Draft], int]


class Forms:
    """Makes the forms of items for one query over one corpus."""

    def __init__(self, query: str, corpus: Corpus, *, outlining: bool) -> None:
        self._telling = Telling(query)
        self._corpus = corpus
        self._outlining = outlining
        self._told: dict[int, list[tuple[int, range]]] = {}  # of outlines, by their headers: see _signatures
        self._lines: dict[int, tuple[Sequence[str], list[int]]] = {}  # of symbols: see _ranked

    def whole(self, draft: Draft) -> Draft:
        """All of an item, without its imports; of a container that the query names, its members' signatures, too."""
        outline = self._corpus.outline(draft.row.number) if self._outlining and draft.named else None
        return self._outlined(draft, outline) if outline else without_imports(draft)

    def excerpt(self, draft: Draft, room: int, cost: Cost, *, least_share: float = LEAST_SHARE) -> Draft | None:
        """The parts around the best one that fit into `room`, or the best lines of that one; None for too little."""
        best = self._window(draft, room, cost) or self._best_lines(draft, room, cost)
        if best is None:
            return None
        shown = len(best.lines) / (best.row.end_line - best.row.start_line + 1)
        return best if shown >= least_share else None

    def smallest(self, draft: Draft) -> Draft:
        """The lines that the item is about, or its signature under the first two lines of its documentation.

        Without either, the fewest lines worth showing.
        """
        if draft.pinned:
            return drawn(draft, self._pinned_lines(draft))
        if draft.row.signature:
            return signed(draft)
        lines, ranked = self._ranked(draft)
        return _cut(draft, ranked[: least(lines, ranked)])

    def asked_lines(self, draft: Draft) -> Draft:
        """The lines that the hit is about and no others."""
        return drawn(draft, {line for first, last in draft.pinned for line in range(first, last + 1)})

    def _window(self, draft: Draft, room: int, cost: Cost) -> Draft | None:
        """The best part and as many of those beside it as fit, with the lines that every form shows."""
        parts = [self._corpus.chunk(number) for number in range(draft.row.number, draft.last + 1)]
        if len(parts) < 2:
            return None
        low = high = draft.best - draft.row.number
        kept = self._pinned_lines(draft)
        found = None
        while True:
            shown = {*kept, *range(parts[low].start_line, parts[high].end_line + 1)}
            tried = drawn(draft, shown)
            if cost(tried) > room:
                return found
            found = tried
            if low == 0 and high == len(parts) - 1:
                return found
            # Further down first: code reads on; then up to the signature.
            if high < len(parts) - 1 and (low == 0 or high - draft.best <= draft.best - low - draft.row.number):
                high += 1
            else:
                low -= 1

    def _best_lines(self, draft: Draft, room: int, cost: Cost) -> Draft | None:
        """As many of the best lines as fit."""
        smallest = self.smallest(draft)
        if cost(smallest) > room and draft.pinned:
            smallest = self.asked_lines(draft)
        if cost(smallest) > room:
            return None
        lines, ranked = self._ranked(draft)
        kept = [line - draft.row.start_line for line in smallest.lines]
        low, high, best = 0, len(lines), smallest
        while low < high:
            middle = (low + high + 1) // 2
            form = _cut(draft, [*ranked[:middle], *kept])
            if cost(form) <= room:
                low, best = middle, form
            else:
                high = middle - 1
        return best

    def _pinned_lines(self, draft: Draft) -> set[int]:
        """The lines that every form shows: those that the hit is about, with the signature of their symbol."""
        pinned = {line for first, last in draft.pinned for line in range(first, last + 1)}
        signature = draft.row.signature if pinned else None
        return pinned | (set(range(signature[0], signature[1] + 1)) if signature else set())

    def _outlined(self, draft: Draft, outline: Outline, room: int = OUTLINE_CHARS) -> Draft:
        """The header and the signatures of its members, those that match the query before the others."""
        shown = {*range(outline.header[0], outline.header[1] + 1), *self._pinned_lines(draft)}
        for chars, lines in self._signatures(outline):
            room -= chars
            if room < 0:
                break
            shown.update(lines)
        return drawn_over(draft, outline.row, outline.numbers[-1], shown)

    def _signatures(self, outline: Outline) -> list[tuple[int, range]]:
        """The characters and the lines of each member's signature, those first that match the query."""
        known = self._told.get(outline.row.number)
        if known is None:
            signed = _signatures_of(outline.row.text, outline.row.start_line, outline.members)
            weights = iter(self._telling.weights(signed.text, signed.lines))
            told = [-sum(islice(weights, len(lines))) for _, lines in signed.members]
            order = sorted(range(len(told)), key=told.__getitem__)  # stable: of equals the upper one comes first
            known = self._told[outline.row.number] = [signed.members[number] for number in order]
        return known

    def _ranked(self, draft: Draft) -> tuple[Sequence[str], list[int]]:
        """The lines of the draft's code, and their positions by worth."""
        known = self._lines.get(draft.row.number)
        if known is None:
            lines = lines_of(draft.code)
            weights = self._telling.weights(draft.code, lines)
            for first, last in draft.pinned:
                for line in range(
                    max(first - draft.row.start_line, 0), min(last - draft.row.start_line + 1, len(lines))
                ):
                    weights[line] += PINNED
            known = self._lines[draft.row.number] = lines.lines, _order(draft.row, lines.lines, weights)
        return known


@dataclass(frozen=True, slots=True)
class _Signatures:
    """The signatures of a container's members as one text, and of each its characters and its lines in the file."""

    text: str
    lines: Lines
    members: tuple[tuple[int, range], ...]


@lru_cache(maxsize=REMEMBERED)
def _signatures_of(text: str, first: int, members: tuple[tuple[int, tuple[int, int]], ...]) -> _Signatures:
    lines = lines_of(text).lines
    signatures = [lines[start - first : end + 1 - first] for _, (start, end) in members]
    told = [line for signature in signatures for line in signature]
    sizes = [sum(map(len, signature)) for signature in signatures]
    ranges = [range(start, end + 1) for _, (start, end) in members]
    return _Signatures("\n".join(told), Lines(told), tuple(zip(sizes, ranges, strict=True)))


def _order(row: ChunkRow, lines: Sequence[str], weights: list[float]) -> list[int]:
    """The positions of a symbol's lines by worth; its signature and the first lines of its documentation count, too."""
    for told, most in ((row.signature, len(lines)), (row.doc, DOC_LINES)):
        if told:
            first, last = (line - row.start_line for line in told)
            for line in range(first, min(last, first + most - 1, len(lines) - 1) + 1):
                weights[line] += 1.0
    return priority(weights, _header(row, lines))


def _cut(draft: Draft, shown: Sequence[int] | range) -> Draft:
    """The draft with only these lines (0-based) and no imports."""
    start = draft.row.start_line
    return drawn(draft, [start + line for line in shown])


def _header(row: ChunkRow, lines: Sequence[str]) -> int:
    """The line that names the symbol: what stands before it is documentation or decoration."""
    if row.signature:
        return row.signature[0] - row.start_line
    name = (row.symbol or "").rpartition(".")[2]
    return next((number for number, line in enumerate(lines) if name and name in line), 0)
