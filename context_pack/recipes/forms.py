"""The forms in which an item of the code pack may be shown, the largest first: an honest ladder.

A container's header with the signatures of its members; the whole chunk with its imports; its code alone; its
signature, its documentation and the lines that answer the query; its signature. What a form leaves out is marked where
it stood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from context_pack.core.excerpt import Lines, least, priority
from context_pack.core.size import size
from context_pack.recipes.drafts import REMEMBERED, Draft, drawn, drawn_over, lines_of, signed, without_imports
from context_pack.recipes.telling import Telling

if TYPE_CHECKING:
    from context_pack.corpus import Corpus
    from index.types import ChunkRow, Outline

# What a form tells of an item, as a share of the whole: the first lines tell most, so that many items seen in part are
# worth more than one seen whole as soon as they are nearly as good; between equals, whole symbols win.
WORTH = {
    "outline": 1.0, "short outline": 0.75, "header": 0.3,
    "whole": 1.0, "code": 0.96, "excerpt": 0.75, "signature": 0.5,
}  # fmt: skip
EXCERPT_SHARE = 0.45  # of an item's bytes, in an excerpt
EXCERPT_LINES = 10  # a shorter chunk has no excerpt worth a mark
CUT_CHARS = 160  # a smaller related chunk is hardly larger than its signature and a mark
OUTLINE_CHARS = 1_500  # of signatures in an outline; of more, those that match the query come first
SHORT_OUTLINE_CHARS = 400
DOC_LINES = 3  # of a doc comment count as telling; the rest is worth what its words are


class Form(NamedTuple):
    """One way to show an item: its name in WORTH, and the item so shown."""

    name: str
    draft: Draft


class Forms:
    """Makes the forms of items for one query over one corpus."""

    def __init__(self, query: str, corpus: Corpus, *, outlining: bool) -> None:
        self._telling = Telling(query)
        self._corpus = corpus
        self._outlining = outlining
        self._told: dict[int, list[tuple[int, range]]] = {}  # of outlines, by their headers: see _signatures
        self._lines: dict[int, tuple[Sequence[str], list[int]]] = {}  # of chunks: see _ranked

    def largest(self, draft: Draft) -> Form:
        """The form in which an item is shown where there is room for everything."""
        outline = self._outline(draft)
        return Form("whole", draft) if outline is None else Form("outline", self._outlined(draft, outline))

    def smaller(self, draft: Draft, largest: Form) -> list[Form]:
        """What there is below an item's largest form, in order, each smaller than the one before.

        A related item is shown whole or by its signature, because which of its lines answer the query says little, and
        a container never by its header alone, a section of a document never by its heading alone.
        """
        outline = self._outline(draft)
        if outline is not None:
            below = [Form("short outline", self._outlined(draft, outline, SHORT_OUTLINE_CHARS))]
            below += [Form("header", draft)] if draft.item.role == "primary" else []
            return _falling(largest.draft, below)
        forms = [Form("code", without_imports(draft))] if draft.item.imports else []
        primary = draft.item.role == "primary"
        if primary and draft.code.count("\n") >= EXCERPT_LINES:
            lines, ranked = self._ranked(draft)
            forms.append(Form("excerpt", _cut(draft, ranked[: _share(lines, ranked)])))
        if primary or (draft.row.signature and len(draft.code) >= CUT_CHARS and not _heading_alone(draft)):
            forms.append(Form("signature", self.smallest(draft)))
        return _falling(draft, forms)

    def _outline(self, draft: Draft) -> Outline | None:
        """The members of the container that the item is the header of."""
        return self._corpus.outline(draft.row.number) if self._outlining else None

    def smallest(self, draft: Draft) -> Draft:
        """The signature under the first two lines of its documentation; without one, the fewest lines worth showing."""
        if draft.row.signature:
            return signed(draft)
        lines, ranked = self._ranked(draft)
        return _cut(draft, ranked[: least(lines, ranked)])

    def grown(self, draft: Draft, shown: Draft | None, room: int, cost: Callable[[Draft], int]) -> Draft | None:
        """The cut form that shows most for at most `room`, if it shows more than `shown` does; None: nothing yet."""
        least_form = shown or self.smallest(draft)
        if cost(least_form) > room:
            return None
        lines, ranked = self._ranked(draft)
        kept = [line - draft.row.start_line for line in least_form.lines]
        low, high, best = 0, len(lines), least_form
        while low < high:
            middle = (low + high + 1) // 2
            form = _cut(draft, [*ranked[:middle], *kept])
            if cost(form) <= room:
                low, best = middle, form
            else:
                high = middle - 1
        grew = len(best.lines) > len(least_form.lines)
        return best if grew or (shown is None and not _heading_alone(draft)) else None

    def _outlined(self, draft: Draft, outline: Outline, room: int = OUTLINE_CHARS) -> Draft:
        """The header and the signatures of its members, those that match the query before the others."""
        shown = set(range(outline.header[0], outline.header[1] + 1))
        for chars, lines in self._signatures(outline):
            room -= chars
            if room < 0:
                break
            shown.update(lines)
        return drawn_over(draft.item, outline.row, outline.numbers[-1], shown)

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
        """The lines of the draft's chunk, and their positions by worth."""
        known = self._lines.get(draft.row.number)
        if known is None:
            lines = lines_of(draft.code)
            weights = self._telling.weights(draft.code, lines)
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
    """The positions of a chunk's lines by worth; its signature and the first lines of its documentation count, too."""
    for told, most in ((row.signature, len(lines)), (row.doc, DOC_LINES)):
        if told:
            first, last = (line - row.start_line for line in told)
            for line in range(first, min(last, first + most - 1, len(lines) - 1) + 1):
                weights[line] += 1.0
    return priority(weights, _header(row, lines))


def _heading_alone(draft: Draft) -> bool:
    """Whether the smallest form is a heading that stands around the answer: its symbol would say as much."""
    return draft.item.role == "related" and draft.row.kind == "section"


def _cut(draft: Draft, shown: Sequence[int] | range) -> Draft:
    """The draft with only these lines (0-based) and no imports."""
    start = draft.row.start_line
    return drawn(draft, [start + line for line in shown])


def _falling(largest: Draft, forms: Sequence[Form]) -> list[Form]:
    """The forms that are smaller than the one before."""
    kept: list[Form] = []
    room = size(largest.item.content)
    for form in forms:
        needed = size(form.draft.item.content)
        if needed < room:
            kept.append(form)
            room = needed
    return kept


def _share(lines: Sequence[str], ranked: Sequence[int]) -> int:
    """How many of the first lines of `ranked` make the excerpt."""
    room = EXCERPT_SHARE * sum(map(len, lines))
    count = least(lines, ranked)
    used = sum(len(lines[line]) for line in ranked[:count])
    while count < len(lines) and used + len(lines[ranked[count]]) <= room:
        used += len(lines[ranked[count]])
        count += 1
    return count


def _header(row: ChunkRow, lines: Sequence[str]) -> int:
    """The line that names the symbol: what stands before it is documentation or decoration."""
    if row.signature:
        return row.signature[0] - row.start_line
    name = (row.symbol or "").rpartition(".")[2]
    return next((number for number, line in enumerate(lines) if name and name in line), 0)
