"""The forms in which an item of the code pack may be shown: whole first, and what is left out is marked where it stood.

A symbol is shown whole. Where it is larger than its share of the budget, its best lines are, always under its whole
signature; of a container that the query names, its header with the signatures of its members.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate, chain

from context_pack.core.fit import longest
from context_pack.core.text import least, priority
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.packing.items import Draft, Span, clipped, code_of, drawn, spanning
from context_pack.kinds.code.selection import Hit
from index.text import content_terms, words_of
from index.types import Outline, Scored

OUTLINE_CHARS = 1_500  # of signatures in an outline; of more, those that match the query come first
DOC_LINES = 3  # of a doc comment count as telling; the rest is worth what its words are
SUMMARY_LINES = 2  # of it stand in the smallest form
SIGNATURE_LINES = 30  # that are looked at for the end of a parameter list
BEST_PART = 4.0  # what a line of the best part weighs beside one word of the query
MATCHING_LINES, MATCHING_WORDS = 3, 3  # lines that are kept wherever they stand, with so many words of the query
PINNED = 1_000.0  # more than words can make up for
MOST_DECORATORS = 6  # lines of them
COMMENTS = ("//", "/*", "*", "--", "#", '"""', "{-")
BARE_LINES = 3  # an opening line under more of its documentation tells what it opens
OPENED = frozenset({"class", "struct", "enum", "interface", "trait", "impl", "module", "section"})
NAMELESS = frozenset({"module", "block", "macro"})  # a line or two of these define nothing that can be called
CALLED = frozenset({"function", "method"})
# A line that only says where its file belongs and what it needs, or opens a container.
_HEADING = re.compile(
    r"(?:(?:export|declare|public|internal|abstract|final|static|sealed|partial|pub|inline)\s+)*"
    r"(?:(?:namespace|module|package|mod|class)\b[^({=]*\{?|(?:import|using|use|from|open|require\w*)\b[^(=]*)|"
    r"\W*|#\s*(?:(?:end)?region|include|frozen[_-]string|-\*-).*"
)
CLIPPED_CHARS = 200  # of a line that is too long to be shown, at least; a shorter one is never cut
# Reasons for a hit that the query points at by its lines.
POINTING = ("exact.path", "exact.frame", "exact.message", "exact.key", "exact.code")
Cost = Callable[[Draft], int]


class Forms:
    """Makes the forms of items for one query over one corpus."""

    def __init__(self, query: str, corpus: Corpus, *, cutting: bool) -> None:
        self._line_weights = LineWeights(query)
        self._corpus = corpus
        self._cutting = cutting

    def whole(self, hit: Hit, draft: Draft) -> Draft:
        """All of an item; of a container that the query names, or that shows nothing else, its members' signatures."""
        outlining = self._cutting and (hit.named or (draft.item.role == "primary" and is_bare(draft)))
        outline = self._corpus.outline(hit.first) if outlining else None
        if outline is None or (points_at(hit) and any(last > outline.header[1] for _, last in hit.pinned)):
            return draft  # an outline shows nothing around a line that is not in the header
        return self._outlined(hit, draft, outline)

    def excerpt(self, hit: Hit, draft: Draft, room: int, cost: Cost) -> Draft | None:
        """The parts around the one that was found, or else its best lines, under its declaration; None for no room.

        Of lines that the query points at, the first ones that fit, then what is around them.
        """

        def largest(lines: Sequence[int], counts: Sequence[int], base: frozenset[int]) -> Draft | None:
            """The draft with `base` and the first `counts[0]`, `counts[1]`, ... of the lines: the most that fit."""
            chars = draft.least_chars([*base, *lines])
            drafts: dict[int, Draft] = {}

            def fits(steps: int) -> bool:
                count = counts[steps - 1]
                if chars[len(base) + count] > room:  # known before anything is drawn
                    return False
                drafts[steps] = drawn(draft, base.union(lines[:count]))
                return cost(drafts[steps]) <= room

            return drafts.get(longest(len(counts), fits))

        def each(lines: Sequence[int], base: frozenset[int]) -> Draft | None:
            """The draft with `base` and as many of the lines as fit."""
            more = [line for line in lines if line not in base]
            return largest(more, range(1, len(more) + 1), base)

        pinned = [line for first, last in hit.pinned for line in range(first, last + 1)]
        pointed = points_at(hit)
        forms = (partial(self.smallest, decorated=True), self.smallest, lambda *_: drawn(draft, pinned))
        drafts = (form(hit, draft) for form in (forms if pinned else forms[:2]))
        base = next((one for one in drafts if cost(one) <= room), None)
        if base is None:
            return each(pinned, frozenset()) if pointed else None
        windows = _windows(hit)
        cut = None
        if windows:
            weights = self._line_weights.of(draft.code)
            lines = [line for line, weight in enumerate(weights) if weight >= MATCHING_WORDS]
            lines.sort(key=lambda line: -weights[line])  # stable: of equals the upper one comes first
            # The few lines that match most words of the query come first, wherever they stand.
            matching = {draft.row.start_line + line for line in lines[:MATCHING_LINES]} - base.lines
            around, counts, known = [*matching], [], base.lines | matching
            extents = [self._corpus.extent(*window) for window in windows]
            start = end = extents[0].start_line
            for extent in extents:
                new = chain(range(extent.start_line, start), range(end, extent.end_line + 1))
                around += (line for line in new if line not in known)
                counts.append(len(around))
                start, end = extent.start_line, extent.end_line + 1
            cut = largest(around, counts, base.lines)
        if cut is None or pointed:
            base = cut or base
            cut = each(self._ranked(hit, draft), base.lines)
        return cut or base

    def clipped(self, hit: Hit, draft: Draft, room: int, cost: Cost) -> Draft | None:
        """As much of a long line as fits, from the first word of the query on, or CLIPPED_CHARS; None of a shorter."""
        line = hit.pinned[0][0] if hit.pinned else self._ranked(hit, draft)[0]
        text = code_of(draft.row).split("\n")[line - draft.row.start_line]
        if len(text) <= CLIPPED_CHARS:
            return None
        at = self._line_weights.first(text)
        at = min(at, len(text) - CLIPPED_CHARS) if at > CLIPPED_CHARS else 0

        def piece(most: int) -> Draft:
            return clipped(self._corpus, draft, line, at, max(most, CLIPPED_CHARS))

        return piece(longest(len(text) - at, lambda most: cost(piece(most)) <= room))

    def smallest(self, hit: Hit, draft: Draft, *, decorated: bool = False) -> Draft:
        """The signature with the lines that the item is about, or else with the first ones of its documentation.

        Without a signature, the fewest lines worth showing.
        """
        row, lines = draft.row, draft.text_lines
        spans = list(hit.pinned)
        if row.signature:
            first, last = declaration(lines, row.start_line, row.start_line, row.signature)
            spans.append((first if decorated else row.signature[0], last))
            if row.doc and not hit.pinned:
                spans.append((row.doc[0], min(row.doc[1], row.doc[0] + SUMMARY_LINES - 1)))
        if spans:
            return drawn(draft, lines_in(spans))
        ranked = self._ranked(hit, draft)
        return drawn(draft, ranked[: least(lines, [line - row.start_line for line in ranked])])

    def _outlined(self, hit: Hit, draft: Draft, outline: Outline) -> Draft:
        """The header and the signatures of its members, those that match the query before the others."""
        row, first = outline.row, outline.row.start_line
        lines, weights = row.text.split("\n"), self._line_weights.of(row.text)
        starts = [self._corpus.extent(member, member).start_line for member, _ in outline.members]
        spans = [declaration(lines, first, at, own) for at, (_, own) in zip(starts, outline.members, strict=True)]
        # Stable: of equals the upper one comes first.
        spans.sort(key=lambda span: -sum(weights[span[0] - first : span[1] - first + 1]))
        chars = accumulate(sum(map(len, lines[start - first : end - first + 1])) for start, end in spans)
        count = bisect_right(list(chars), OUTLINE_CHARS)
        shown = lines_in([outline.header, *hit.pinned, *spans[:count]])
        return drawn(spanning(self._corpus, draft.item, row, outline.numbers[-1]), shown)

    def _ranked(self, hit: Hit, draft: Draft) -> list[int]:
        """The numbers of the draft's lines by worth: words of the query, the part that was found, what declares it."""
        row, lines = draft.row, draft.text_lines
        weights = self._line_weights.of(draft.code)
        best = self._corpus.extent(hit.best, hit.best)
        for lines_there, weight, most in (
            *(((first, last), PINNED, len(lines)) for first, last in hit.pinned),
            ((best.start_line, best.end_line), BEST_PART, len(lines)),
            (row.signature, 1.0, len(lines)),
            (row.doc, 1.0, DOC_LINES),
        ):
            if lines_there:
                first, last = (line - row.start_line for line in lines_there)
                for line in range(max(first, 0), min(last, first + most - 1, len(lines) - 1) + 1):
                    weights[line] += weight
        # The line that names the symbol comes first: before it stand documentation and decoration.
        name = (row.symbol or "").rpartition(".")[2]
        header = next((number for number, line in enumerate(lines) if name and name in line), 0)
        if row.signature:
            header = row.signature[0] - row.start_line
        return [row.start_line + line for line in priority(weights, header)]


def points_at(hit: Hit) -> bool:
    """Whether the query points at lines of a hit: as a place, by a frame of a trace or with an error's message."""
    return bool(hit.pinned) and isinstance(hit.origin, Scored) and hit.origin.why[0].name in POINTING


def is_key(hit: Hit) -> bool:
    """Whether a hit is here for a key or a route that one of its lines holds: others are worth as much as its rest."""
    return isinstance(hit.origin, Scored) and hit.origin.why[0].name == "exact.key"


def _windows(hit: Hit) -> list[Span]:
    """The first and the last chunk of the part that was found, then with more and more of those beside it."""
    low = high = hit.best
    windows = []
    while hit.first < hit.last:
        windows.append((low, high))
        if (low, high) == (hit.first, hit.last):
            break
        # Further down first: code reads on; then up to the signature.
        if high < hit.last and (low == hit.first or high - hit.best <= hit.best - low):
            high += 1
        else:
            low -= 1
    return windows


def is_bare(draft: Draft) -> bool:
    """Whether an item says only that something is there: an opening or closing line, a line outside of any symbol."""
    row, code = draft.row, draft.code
    if code.count("\n") > 2 * BARE_LINES:
        return False
    lines = {number: line for number, line in enumerate(code.split("\n"), row.start_line) if line.strip()}
    if len(lines) > BARE_LINES:
        return False
    text = "\n".join(line for number, line in lines.items() if not row.doc or not row.doc[0] <= number <= row.doc[1])
    if row.kind in NAMELESS and len(lines) < BARE_LINES:
        return True
    opened = sum(map(text.count, "([{")) > sum(map(text.count, ")]}"))
    if row.kind in OPENED:
        opened |= len(lines) == 1 and (text.endswith((":", " do")) or "(" not in text)
    return (opened and row.kind not in CALLED) or not any(map(str.isalnum, text))


def is_header(draft: Draft) -> bool:
    """Whether an item is nothing but the first lines of a container or of a file: `module X`, `impl X {`, a heading."""
    code = draft.code.strip()
    # The first line decides for nearly all items.
    if _HEADING.fullmatch(code.partition("\n")[0].rstrip()) and all(
        _HEADING.fullmatch(line.strip()) for line in code.split("\n")
    ):
        return True
    if not is_bare(draft):
        return False
    return draft.row.kind == "section" or sum(map(draft.code.count, "([{")) > sum(map(draft.code.count, ")]}"))


def declaration(lines: Sequence[str], first: int, start: int, signature: Span) -> Span:
    """A symbol's signature with its decorators, to where its last parameter list ends.

    `lines` are those from line `first` of the file on, the symbol begins at line `start`.
    """
    above, last = signature
    while above > start and above > signature[0] - MOST_DECORATORS:
        text = lines[above - 1 - first].strip()
        if not text or (text.startswith(COMMENTS) and not text.startswith("#[")):
            break
        above -= 1
    at = signature[0] - first
    while last - first + 1 < min(len(lines), at + SIGNATURE_LINES):
        text = "".join(lines[at : last - first + 1])
        if text.count("(") <= text.count(")"):
            break
        last += 1
    return above, last


def lines_in(spans: Iterable[Span]) -> set[int]:
    return {line for first, last in spans for line in range(first, last + 1)}


STEM_CHARS = 5  # of a term: words that begin alike count as one


class LineWeights:
    """Weighs lines for one query."""

    def __init__(self, query: str) -> None:
        self._starts = sorted({term[:STEM_CHARS].lower() for term in content_terms(words_of(query))})
        self._weights: dict[str, list[float]] = {}

    def of(self, text: str) -> list[float]:
        """How many of the query's terms each line of a text holds, at the beginning of a word or of a word's part."""
        if text not in self._weights:  # an item is cut several times
            self._weights[text] = self._weighed(text)
        return [*self._weights[text]]

    def first(self, line: str) -> int:
        """Where the first of the query's terms begins in a line; 0 where it holds none."""
        return min((at for at in map(line.lower().find, self._starts) if at >= 0), default=0)

    def _weighed(self, text: str) -> list[float]:
        low = text.lower()
        begins = [0, *accumulate(len(line) + 1 for line in low.split("\n"))]
        weights = [0.0] * (len(begins) - 1)
        same = text if len(low) == len(text) else low  # a few letters have a longer lower case
        for start in self._starts:
            at = low.find(start)
            while at >= 0:
                if at == 0 or not low[at - 1].isalpha() or same[at].isupper():
                    line = bisect_right(begins, at)
                    weights[line - 1] += 1.0
                    at = low.find(start, begins[line])
                else:
                    at = low.find(start, at + 1)
        return weights
