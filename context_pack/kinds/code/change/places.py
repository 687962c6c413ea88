"""The chunks that a change touched, in the order of a reader."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter

from context_pack.core.text import outside_comments, whole_word
from context_pack.io.changes import reading_rank
from context_pack.io.moves import Move
from context_pack.io.patches import ChangedFile, Hunk, Lines
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.packing.forms import COMMENTS, declaration
from context_pack.kinds.code.selection import CHANGED, primary
from context_pack.render.phrases import counted
from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from contracts.records import Why
from index.text import indentation
from index.types import ChunkRow, Scored, SymbolRow

RANKED = 1_000  # best chunks for the text: their order says which changes the text means
MAX_PINNED = 30  # changed lines of a place that every form shows; if more changed, none is pinned
MAX_OF_NEW = 3  # places of a new file before those of other files: it may be a copy of a library
WORD = lazy_regex(r"(?<![\w$])\w+")


@frozen
class ChangedChunk:
    """A changed chunk, the number and the place of its changed lines, and whether its signature changed.

    If lines were only removed next to the chunk, `changed` is 0 and `lines` are the lines nearest to them. `added` are
    the lines that the change added or replaced, without those beside removed ones; none of a new file.
    """

    row: ChunkRow
    file: ChangedFile
    changed: int
    lines: tuple[int, ...]
    signature: bool = False
    added: frozenset[int] = frozenset()


def places_of(
    rows: Sequence[ChunkRow], touches: Sequence[tuple[Lines, bool]], file: ChangedFile
) -> Iterator[ChangedChunk]:
    """The chunks that a change touched; the first one of a file that was only renamed."""
    if not (file.is_new or file.hunks or file.lost):
        yield from (ChangedChunk(row, file, row.end_line - row.start_line + 1, ()) for row in rows[:1])
        return
    counts = [hunk.count for hunk in file.hunks] or [1] * len(touches)
    ranges = defaultdict[int, list[tuple[int, int, bool, int]]](list)
    for ((start, end), own), count in zip(touches, counts, strict=True):
        for at in _positions(rows, start, end):
            ranges[at].append((max(start, rows[at].start_line), min(end, rows[at].end_line), own, count))
    hunks = defaultdict[int, list[Hunk]](list)
    for hunk in () if file.is_new else file.hunks:
        for at in _positions(rows, hunk.line, hunk.line + max(hunk.count, 1)):
            hunks[at].append(hunk)
    for at in sorted(ranges):
        changed = sum(end - start + 1 for start, end, own, _ in ranges[at] if own)
        if file.is_new:
            yield ChangedChunk(rows[at], file, changed, ())
            continue
        lines = tuple(line for start, end, *_ in ranges[at] for line in range(start, end + 1))
        added = frozenset(line for start, end, _, count in ranges[at] if count for line in range(start, end + 1))
        yield ChangedChunk(rows[at], file, changed, lines, _is_signature_changed(rows[at], hunks[at]), added)


def rows_at(rows: Sequence[ChunkRow], first: int, last: int) -> Sequence[ChunkRow]:
    """Those of the chunks of a file, in order, that have one of these lines."""
    positions = _positions(rows, first, last)
    return rows[positions.start : positions.stop]


def _positions(rows: Sequence[ChunkRow], first: int, last: int) -> range:
    """The positions of these rows. Chunks do not overlap."""
    return range(
        bisect_left(rows, first, key=attrgetter("end_line")), bisect_right(rows, last, key=attrgetter("start_line"))
    )


def touches(rows: Sequence[ChunkRow], file: ChangedFile) -> Iterator[tuple[Lines, bool]]:
    """The lines that each hunk touched, or all lines of an untracked file, and whether the chunk around them changed.

    Lines that were only removed belong to the chunk around them, to the one after them if they were its decorators or
    comments, or to the one before them, which changed if they were indented deeper than its start.
    """
    if file.is_new and not file.hunks:
        yield from (((row.start_line, row.end_line), True) for row in rows)
    for hunk, (first, last) in zip(file.hunks, file.lines, strict=True):
        count = bisect_right(rows, first, key=attrgetter("start_line"))
        before = rows[count - 1] if count else None
        if hunk.count or (before and before.end_line >= last) or not rows:
            yield (first, last), True
        elif _is_head(hunk) and any(row.start_line == last for row in rows_at(rows, last, last)):
            yield (last, last), True
        elif before:
            depth = next((indentation(line) for line in hunk.removed if line.strip()), 0)
            yield (before.end_line,) * 2, depth > indentation(before.text)
        else:
            yield (rows[0].start_line,) * 2, False


def _is_head(hunk: Hunk) -> bool:
    """Whether the removed lines end in a decorator or a comment."""
    return bool(hunk.removed) and hunk.removed[-1].lstrip().startswith((*COMMENTS, "@", "["))


def _is_signature_changed(row: ChunkRow, hunks: Sequence[Hunk]) -> bool:
    """Whether the declaration of a symbol that existed before has changed."""
    if row.signature is None or not row.symbol:
        return False
    lines = row.text.split("\n")
    first, last = declaration(lines, row.start_line, row.signature[0], row.signature)
    name = row.symbol.rpartition(".")[2]
    for hunk in hunks:
        start, end = (hunk.line, hunk.line + hunk.count - 1) if hunk.count else (hunk.line + 1, hunk.line)
        if start > last or end < first or (not hunk.count and start == first):
            continue
        old = "\n".join(hunk.removed or lines[max(0, start - row.start_line) : end - row.start_line + 1])
        if start > first or whole_word(name)(old):
            return start > first or bool(hunk.old_count)
    return False


def changed_lines(places: Sequence[ChangedChunk], *, of_new: bool = False) -> Iterator[str]:
    """The lines of the tree that the change touched; `of_new`: those of new files, too."""
    for place in places:
        for number, line in enumerate(place.row.text.split("\n"), start=place.row.start_line):
            if number in place.lines or (of_new and place.file.is_new):
                yield line


def changed_symbols(corpus: Corpus, place: ChangedChunk) -> list[SymbolRow]:
    """The definitions and fields of a chunk whose lines have changed; those beside removed lines have not."""
    defined = [] if place.file.is_new else corpus.defined_at(place.row.number, minor=True)
    return [row for row in defined if row.line in place.added or (len(defined) == 1 and place.changed)]


def removed_words(file: ChangedFile) -> set[str]:
    """The words of the lines that the change removed from a file."""
    return {word for hunk in file.hunks for line in hunk.removed for word in WORD.findall(line)}


def in_reading_order(corpus: Corpus, places: Sequence[ChangedChunk], by_text: Mapping[int, int]) -> list[ChangedChunk]:
    """The places in the order of a reader: generated files come last, imports alone after code and tests, and of their
    rank all but a few places of a new file."""

    def rank(place: ChangedChunk) -> int:
        return by_text.get(place.row.number, RANKED)

    counts, late = Counter[str](), set[int]()
    ordered = sorted(places, key=lambda place: _order(place, rank(place)))
    for place in ordered:
        counts[place.row.file] += 1
        if place.file.is_new and counts[place.row.file] > MAX_OF_NEW:
            late.add(place.row.number)

    def order(place: ChangedChunk) -> tuple[bool, int, int, bool]:
        number, own = place.row.number, rank_of(place.row)
        if corpus.only_imports(number):
            return corpus.is_generated(number), rank(place), max(own, 1), True
        return corpus.is_generated(number), rank(place), own, number in late

    return sorted(ordered, key=order)


def _order(place: ChangedChunk, rank: int) -> tuple[int, int, bool, bool, int, str, int]:
    """Total order: rank for the text, code before tests before the rest, changed signatures first, symbols first, many
    changed lines before few, place.
    """
    row = place.row
    return (rank, rank_of(row), not place.signature, row.symbol is None, -place.changed, row.file, row.number)


def rank_of(row: ChunkRow) -> int:
    """The place of a chunk in the order of a reader, by its file: see `reading_rank`."""
    return reading_rank(row.file, row.language)


def is_in_comments(corpus: Corpus, mention: Scored) -> bool:
    """Whether all lines of a hit are in comments."""
    return not outside_comments(corpus.chunk(mention.chunk), [line for line, _ in mention.lines])


def changed_hit(corpus: Corpus, place: ChangedChunk, shown: Callable[[str], str]) -> Scored:
    """A changed chunk as a hit, without points if it has nothing but imports; `shown` returns a path as it may be
    shown."""
    lines = tuple((line, line) for line in place.lines) if len(place.lines) <= MAX_PINNED else ()
    signature = ", signature" if place.signature else ""
    was = f" from {shown(place.file.was)}" if place.file.was else ""
    lines_changed = counted(place.changed, "line") if place.changed else "next to removed lines"
    detail = f"{place.file.state}{was}, {lines_changed}{signature}"
    points = 0.0 if corpus.only_imports(place.row.number) else float(place.changed)
    why = Why(CHANGED, float(place.changed), points, detail)
    return primary(place.row.number, why, lines)


def moved_hits(
    corpus: Corpus, moves: Iterable[Move], changed: Container[int], shown: Callable[[str], str]
) -> list[Scored]:
    """The chunks with lines that have moved and with no other changes, code before tests before the rest."""
    hits = list[tuple[int, Scored]]()
    for path, own in groupby(moves, key=attrgetter("path")):
        spans = sorted(own, key=attrgetter("lines"))
        starts, ends = zip(*(move.lines for move in spans), strict=True)
        for row in map(corpus.chunk, corpus.chunks_of_file(path)):
            own_spans = spans[bisect_left(ends, row.start_line) : bisect_right(starts, row.end_line)]
            inside = [
                (move, min(last, row.end_line) - max(first, row.start_line) + 1)
                for move in own_spans
                for first, last in [move.lines]
            ]
            if inside and row.number not in changed:
                count = sum(lines for _, lines in inside)
                why = Why(
                    "moved", float(count), float(count), f"{counted(count, 'line')} from {shown(inside[0][0].was)}"
                )
                hits.append((rank_of(row), primary(row.number, why)))
    return [hit for _, hit in sorted(hits, key=itemgetter(0))]
