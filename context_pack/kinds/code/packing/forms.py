"""The forms of an item of the code pack: whole, or in parts with a mark for each gap.

A symbol is shown whole. If it is larger than its share of the budget, its best lines are shown under its whole
signature. A container that the query names is shown as its header with the signatures of its members.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain, filterfalse

from context_pack.core.fit import longest
from context_pack.core.text import least, priority
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.packing.items import Draft, Source, Span, clipped, code_of, drawn, source_of, whole_draft
from context_pack.kinds.code.selection import KEYS, POINTING, Hit
from index.search.query import parse_query
from index.text import content_terms, indentation, words_of
from index.types import Outline

OUTLINE_CHARS = 1_500  # of signatures in an outline; those that match the query come first
DOC_LINES = 3  # first lines of a doc comment, which weigh more; the others weigh only as much as their words
SUMMARY_LINES = 2  # first lines of a doc comment that the smallest form of an item shows
SIGNATURE_LINES = 30  # lines searched for the end of a parameter list
BEST_PART = 4.0  # weight of a line of the best part; a word of the query weighs 1
MATCHING_LINES, MATCHING_WORDS = 3, 3  # lines kept wherever they are; words of the query that each must contain
OUTSIDE_ROUTE = 5.0  # weight of a query's word outside its route, more than the best part
PINNED = 1_000.0  # weight of a pinned line, more than words can add up to
MAX_OPENING = 6  # lines that open a block around the part that was found, the innermost first
MAX_DECORATORS = 6  # lines of decorators above a signature
COMMENTS = ("//", "/*", "*", "--", "#", '"""', "{-")
_CONTINUES = re.compile(r"\W+$|[])}]|(?:else|elif|elsif|elseif)\b")  # a line that another one at its depth opened
CLIPPED_CHARS = 200  # minimum shown of a line that is too long; a shorter line is never cut


class Forms:
    """The forms of one hit: `whole`, which is the largest, and smaller ones. What these share is made once: an item is
    cut to its share, and later to the room that is left.

    `outlining`: the hit is asked for, so that the members of a container say more than its opening, and `outline` is
    that of the container.
    """

    def __init__(
        self, corpus: Corpus, hit: Hit, weights: LineWeights, cost: Callable[[Draft], int], *, cutting: bool,
        outlining: bool,
    ) -> None:  # fmt: skip
        self._corpus, self._hit, self._line_weights, self._cost = corpus, hit, weights, cost
        self._drafts: dict[frozenset[int], Draft] = {}
        self.whole = whole_draft(corpus, hit, cutting=cutting)
        has_outline = outlining and (hit.named or self.whole.source.is_bare)
        self.outline = outline = corpus.outline(hit.first) if has_outline else None
        # An outline does not show the code around a line below the header.
        if outline and not (hit.pin in POINTING and any(last > outline.header[1] for _, last in hit.pinned)):
            self.whole = self._outlined(outline)

    @property
    def _source(self) -> Source:
        return self.whole.source

    def excerpt(self, room: int) -> Draft | None:
        """The declaration with the chunks around the best one, or else with the best lines; None if it does not fit.

        If the query points at lines, as many of them as fit come first, then the lines around them.
        """
        hit, draft, pointed, is_key = self._hit, self.whole, self._hit.pin in POINTING, self._hit.pin in KEYS
        base = next((one for one in self._bases() if self._cost(one) <= room), None)
        if base is None:
            return self.pinned(room) if pointed else None
        matching = self._matching if is_key or hit.first < hit.last else frozenset()
        # Otherwise the lines near the key would come first. Each matching line brings the line above it.
        if matching and is_key:
            larger = self._drawn(base.lines.union(matching, (line - 1 for line in matching)) & draft.lines)
            base = larger if self._cost(larger) <= room else base
        opening = self._opening if hit.first < hit.last else []
        cut = self._fitted(room, base.lines, *self._around(matching.union(opening) - base.lines, base.lines))
        if cut is None or pointed:
            base = cut or base
            cut = self._fitted(room, base.lines, [*dict.fromkeys([*opening, *self._ranked])])
        return cut or base

    def pinned(self, room: int) -> Draft | None:
        """As many of the first pinned lines as fit; None if not even one does."""
        lines = [*dict.fromkeys(line for first, last in self._hit.pinned for line in range(first, last + 1))]
        return self._fitted(room, frozenset(), lines)

    def _bases(self) -> Iterator[Draft]:
        """The lines that an excerpt adds to: the declaration, or the pinned lines alone."""
        yield self._declared(decorated=True)
        yield self._declared(decorated=False)
        if self._hit.pinned:
            yield self._drawn(lines_in(self._hit.pinned))

    def _declared(self, *, decorated: bool) -> Draft:
        """The signature with the pinned lines, or else with the first lines of its documentation.

        Without signature and pinned lines, the fewest lines worth showing.
        """
        row, lines, spans = self._source.row, self._source.lines, list(self._hit.pinned)
        if row.signature:
            first, last = declaration(lines, row.start_line, row.start_line, row.signature)
            spans.append((first if decorated else row.signature[0], last))
            if row.doc and not self._hit.pinned:
                spans.append((row.doc[0], min(row.doc[1], row.doc[0] + SUMMARY_LINES - 1)))
        if spans:
            return self._drawn(lines_in(spans))
        ranked = self._ranked
        return self._drawn(ranked[: least(lines, [line - row.start_line for line in ranked])])

    def _drawn(self, shown: Iterable[int]) -> Draft:
        """The draft with only these lines. An excerpt for another room tries many of the same ones."""
        lines = frozenset(shown)
        if lines not in self._drafts:
            self._drafts[lines] = drawn(self.whole.item, self._source, lines)
        return self._drafts[lines]

    @cached_property
    def _matching(self) -> frozenset[int]:
        """The few lines that match the most words of the query, wherever they are."""
        weights = self._weights
        lines = [line for line, weight in enumerate(weights) if weight >= MATCHING_WORDS]
        lines.sort(key=lambda line: -weights[line])  # stable: the upper of two equal lines comes first
        return frozenset(self._source.row.start_line + line for line in lines[:MATCHING_LINES])

    @cached_property
    def _opening(self) -> list[int]:
        """The lines that open the blocks around the part that was found: the branch, the loop, the case.

        Comments and directives open nothing, nor does a line that is no deeper than the declaration: a label, a text of
        several lines. The line that opened what `} else {` or `) as file:` closes comes with it; a bracket alone says
        nothing.
        """
        lines, row, first = self._source.lines, self._source.row, self._source.row.start_line
        least = indentation(lines[row.signature[0] - first]) if row.signature else -1
        part = self._corpus.extent(self._hit.best, self._hit.best)
        own = [line for line in lines[part.start_line - first : part.end_line - first + 1] if line.strip()]
        depth, opening = indentation(own[0]) if own else 0, list[int]()
        for at in range(part.start_line - first - 1, -1, -1):
            text = lines[at].lstrip()
            deep = len(lines[at]) - len(text)
            # Most lines are too deep, which is cheap to check.
            if least < deep < depth and text and (text.rstrip().endswith("{") or not text.startswith(COMMENTS)):
                depth = deep + (_CONTINUES.match(text) is not None)
                opening += [first + at] if any(map(str.isalnum, text)) else []
        return opening[:MAX_OPENING]

    def _around(self, matching: frozenset[int], base: frozenset[int]) -> tuple[list[int], list[int]]:
        """Lines that `base` lacks, `matching` ones first, and how many of them each window of the hit shows."""
        lines, counts, covered = [*matching], [], matching | base
        start = end = self._corpus.extent(self._hit.best, self._hit.best).start_line
        for window in _windows(self._hit):
            extent = self._corpus.extent(*window)
            around = chain(range(extent.start_line, start), range(end, extent.end_line + 1))
            lines += filterfalse(covered.__contains__, around)
            counts.append(len(lines))
            start, end = extent.start_line, extent.end_line + 1
        return lines, counts

    def clipped(self, room: int) -> Draft | None:
        """As much of a long line as fits, at least CLIPPED_CHARS, from the query's first word on; None for others."""
        row = self._source.row
        line = self._hit.pinned[0][0] if self._hit.pinned else self._ranked[0]
        text = code_of(row).split("\n")[line - row.start_line]
        if len(text) <= CLIPPED_CHARS:
            return None
        at = self._line_weights.first(text)
        at = min(at, len(text) - CLIPPED_CHARS) if at > CLIPPED_CHARS else 0

        def piece(most: int) -> Draft:
            return clipped(self._corpus, self.whole, line, at, max(most, CLIPPED_CHARS))

        return piece(longest(min(len(text) - at, room), lambda most: self._cost(piece(most)) <= room))

    def _outlined(self, outline: Outline) -> Draft:
        """A container's header and its members' signatures; if there are many, those that match the query best."""
        row, first = outline.row, outline.row.start_line
        lines, weights = row.text.split("\n"), self._line_weights.of(row.text)
        starts = [self._corpus.extent(member, member).start_line for member, _ in outline.members]
        spans = [declaration(lines, first, at, own) for at, (_, own) in zip(starts, outline.members, strict=True)]
        # Stable: the upper of two equal spans comes first.
        spans.sort(key=lambda span: -sum(weights[span[0] - first : span[1] - first + 1]))
        chars = accumulate(sum(map(len, lines[start - first : end - first + 1])) for start, end in spans)
        count = bisect_right(list(chars), OUTLINE_CHARS)
        shown = lines_in([outline.header, *self._hit.pinned, *spans[:count]])
        return drawn(self.whole.item, source_of(self._corpus, row, outline.numbers[-1]), shown)

    @cached_property
    def _weights(self) -> list[float]:
        """The weight of each line. Most lines in the handler of a route contain words of the route; the query's other
        words say which lines the question is about."""
        weights = self._line_weights.of(self._source.code)
        if self._hit.pin not in KEYS:
            return weights
        outside = self._line_weights.outside_routes.of(self._source.code)
        return [own + OUTSIDE_ROUTE * more for own, more in zip(weights, outside, strict=True)]

    @cached_property
    def _ranked(self) -> list[int]:
        """The line numbers, best first: pinned lines, then by best chunk, words of the query, declaration."""
        row, lines, weights = self._source.row, self._source.lines, [*self._weights]
        best = self._corpus.extent(self._hit.best, self._hit.best)
        for lines_there, weight, most in (
            *(((first, last), PINNED, len(lines)) for first, last in self._hit.pinned),
            ((best.start_line, best.end_line), BEST_PART, len(lines)),
            (row.signature, 1.0, len(lines)),
            (row.doc, 1.0, DOC_LINES),
        ):
            if lines_there:
                first, last = (line - row.start_line for line in lines_there)
                for line in range(max(first, 0), min(last, first + most - 1, len(lines) - 1) + 1):
                    weights[line] += weight
        # The line that names the symbol comes first; documentation and decorators may precede it in the code. A later
        # part of a class does not name it, and its first line says nothing about the others.
        name = (row.symbol or "").rpartition(".")[2]
        default = weights.index(max(weights)) if name else 0
        header = next((number for number, line in enumerate(lines) if name and name in line), default)
        if row.signature:
            header = row.signature[0] - row.start_line
        return [row.start_line + line for line in priority(weights, header)]

    def _fitted(
        self, room: int, base: frozenset[int], lines: Sequence[int], counts: Sequence[int] | None = None
    ) -> Draft | None:
        """`base` and the most of `lines` that fits: the first `counts[0]`, `counts[1]`, ... of them, or any number.
        None if nothing more than `base` fits."""
        if counts is None:
            lines = [line for line in lines if line not in base]
            counts = range(1, len(lines) + 1)
        drafts: dict[int, Draft] = {}
        chars = self._source.chars_of.__getitem__
        least = [*accumulate(map(chars, lines), initial=sum(map(chars, base)) - 1)]

        def fits(steps: int) -> bool:
            if least[counts[steps - 1]] > room:  # cheap, and true of most that do not fit
                return False
            drafts[steps] = self._drawn(base.union(lines[: counts[steps - 1]]))
            return self._cost(drafts[steps]) <= room

        return drafts.get(longest(len(counts), fits))


def _windows(hit: Hit) -> list[Span]:
    """(first, last) chunk of growing ranges from the part found to the whole hit; empty for a hit of one chunk."""
    # Down first, as code is read, then up towards the signature.
    order = sorted(range(hit.first, hit.last + 1), key=lambda one: (abs(one - hit.best), one < hit.best))
    return [*zip(accumulate(order, min), accumulate(order, max), strict=True)] if len(order) > 1 else []


def declaration(lines: Sequence[str], first: int, start: int, signature: Span) -> Span:
    """The lines of a symbol's decorators and signature, to the end of its last parameter list.

    `lines` are the file's lines from line `first` on; the symbol begins at line `start`.
    """
    above, last = signature
    while above > start and above > signature[0] - MAX_DECORATORS:
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


def _words_outside_routes(query: str) -> str:
    """The words of a query outside its routes, with the names of HTTP statuses added; empty without a route."""
    routes = parse_query(query).routes
    if not routes:
        return ""
    from http import HTTPStatus

    for verb, route in routes:
        query = query.replace(f"{verb} {route}".strip(), " ")
    return " ".join([query, *(status.phrase for status in HTTPStatus if str(status.value) in query.split())])


STEM_CHARS = 5  # of a term: words with the same beginning count as one


class LineWeights:
    """Weighs lines for one query."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._starts = sorted({term[:STEM_CHARS].lower() for term in content_terms(words_of(query))})

    @cached_property
    def outside_routes(self) -> LineWeights:
        """Weighs lines for the words of the query outside its routes; everything weighs nothing if it has no route."""
        return LineWeights(_words_outside_routes(self._query))

    def first(self, line: str) -> int:
        """The position of the first of the query's terms in a line; 0 if it contains none."""
        return min((at for at in map(line.lower().find, self._starts) if at >= 0), default=0)

    def of(self, text: str) -> list[float]:
        """How many of the query's terms each line of a text contains, at the start of a word or of a word's part."""
        low = text.lower()
        weights = [0.0] * (low.count("\n") + 1)
        same = text if len(low) == len(text) else low  # a few letters have a longer lower case
        for start in self._starts:
            at, line, counted = low.find(start), 0, 0
            while at >= 0:
                if at == 0 or not low[at - 1].isalpha() or same[at].isupper():
                    line += low.count("\n", counted, at)
                    weights[line] += 1.0
                    counted = at
                    end = low.find("\n", at)
                    at = low.find(start, end) if end >= 0 else -1
                else:
                    at = low.find(start, at + 1)
        return weights
