"""A chunk as an item of the code pack, before it is decided how much of it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from struct import pack as packed
from struct import unpack as unpacked
from typing import TYPE_CHECKING

from context_pack.core.candidate import Candidate
from context_pack.core.excerpt import Lines, excerpt
from contracts.records import Item, Why

if TYPE_CHECKING:
    from index.types import ChunkRow, Scored, Tie

EXACT_SCORE = 0.5  # from here up a hit is exact
REMEMBERED = 2_048  # texts as lines, and signatures drawn from them
REMEMBERED_OVER = 1_024  # containers and neighbours as they were shown
REMEMBERED_CHARS = 100_000  # of a text that is remembered as lines


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """An item as it would be shown, the row that it shows with its code, and the last of the row's chunks.

    `best` is the chunk that was found, one of the row's; `pinned` are the lines that every form shows; `named` says
    that the query names the symbol. Drafts are told apart by identity: what is found out about one is remembered by it.
    """

    item: Item
    row: ChunkRow
    code: str
    last: int
    best: int = -1
    pinned: tuple[tuple[int, int], ...] = ()
    named: bool = False

    @property
    def lines(self) -> frozenset[int]:
        """The numbers of the lines that are shown."""
        shown: list[int] = []
        line = self.row.start_line
        for start, end in self.item.elided:
            shown += range(line, start)
            line = end + 1
        return frozenset((*shown, *range(line, self.row.end_line + 1)))


def primary_draft(row: ChunkRow, last: int, scored: Scored, explain: bool) -> Candidate[Draft]:
    """A hit as an item: its whole symbol, up to the chunk `last`."""
    # The named points are looked up for readers alone: that takes longer than the search has taken for each hit.
    why = scored.why if explain else (Why("points", scored.points, scored.points),)
    named = scored.score >= EXACT_SCORE
    draft = _draft(row, last, scored.score, why if explain else (), best=scored.chunk, pinned=scored.lines, named=named)
    return Candidate(row.id, draft, scored.points, why)


def related_draft(
    row: ChunkRow, last: int, source: str, source_score: float, tie: Tie, explain: bool
) -> Candidate[Draft]:
    """A related item's score is its primary's, as far as the tie carries it."""
    why = tie_why(tie, source) if explain else (Why("tie", tie.distance, tie.weight),)
    score = source_score * min(1.0, max(0.0, tie.weight))
    draft = _draft(row, last, score, why if explain else (), tie, best=tie.chunk)
    return Candidate(row.id, draft, tie.weight, why)


def tie_why(tie: Tie, source: str) -> tuple[Why, ...]:
    """Why a related item is there: the labels of its path and the primary that it starts from, then other points."""
    path = " > ".join(tie.labels)
    if not tie.parts:
        return (Why(path, tie.distance, tie.weight, f"from {source}"),)
    return tuple(
        Why(path if name == "tie" else name, signal, points, f"from {source}" if name == "tie" else "")
        for name, signal, points in tie.parts
    )


def _draft(
    row: ChunkRow, last: int, score: float, why: tuple[Why, ...], tie: Tie | None = None, *, best: int,
    pinned: tuple[tuple[int, int], ...] = (), named: bool = False,
) -> Draft:  # fmt: skip
    code = code_of(row)
    item = Item(
        id=row.id,
        role="related" if tie else "primary",
        file=row.file,
        start_line=row.start_line,
        end_line=row.end_line,
        score=single(score),
        imports=row.imports,
        content=_content(row.imports, code),
        symbol=row.symbol,
        type=row.kind,
        relationship=tie.labels if tie else (),
        distance=tie.distance if tie else None,
        why=why,
    )
    return Draft(item, row, code, last, best, pinned, named)


def code_of(row: ChunkRow) -> str:
    """A chunk's text as it is shown: without the line end behind it. Secrets are out since it was read.

    One that ended the text has left the ends of its lines: they are lines of the chunk still.
    """
    code = row.text.rstrip("\r\n")
    if len(row.text) - len(code) > 2:
        ends = min(row.text.count("\n", len(code)), row.end_line - row.start_line - code.count("\n"))
        code += "\n" * ends
    return code


def without_imports(draft: Draft) -> Draft:
    return _as(draft, _shown(draft.item, (), draft.code, draft.item.elided)) if draft.item.imports else draft


def with_imports(draft: Draft, imports: tuple[str, ...]) -> Draft:
    """A draft without imports, with these before its code."""
    item = draft.item
    shown = _shown(item, imports, _content(imports, item.content), item.elided)
    return _as(draft, shown)


def drawn(draft: Draft, shown: Iterable[int]) -> Draft:
    """The draft with only these lines of its file, a mark in each gap, and no imports."""
    return _as(draft, _shown(draft.item, (), *_excerpted(draft.row, draft.code, shown)))


def signed(draft: Draft) -> Draft:
    """The draft by its signature, under the first two lines of its documentation."""
    row = draft.row
    assert row.signature is not None
    told = _signed(draft.code, row.start_line, row.end_line, row.signature, row.doc, row.language)
    return _as(draft, _shown(draft.item, (), *told))


def drawn_over(draft: Draft, row: ChunkRow, last: int, shown: Iterable[int], item: Item | None = None) -> Draft:
    """The draft with lines of a larger row, which holds its own; `item` where more than its text changes."""
    code = code_of(row)
    make = _remembered_over if len(code) <= REMEMBERED_CHARS else _over
    told = make(code, frozenset(shown), row.start_line, row.end_line, row.language)
    item = _shown(item or draft.item, (), *told, over=row)
    return Draft(item, row, code, last, draft.best, draft.pinned, draft.named)


def _as(draft: Draft, item: Item) -> Draft:
    """The same draft, shown so."""
    return Draft(item, draft.row, draft.code, draft.last, draft.best, draft.pinned, draft.named)


def _shown(
    item: Item, imports: tuple[str, ...], content: str, elided: tuple[tuple[int, int], ...],
    over: ChunkRow | None = None,
) -> Item:  # fmt: skip
    """The item with this to show, over the place of a larger row where there is one.

    Every item is tried in many forms, and `dataclasses.replace` takes three times as long.
    """
    return Item(
        over.id if over else item.id, item.role, over.file if over else item.file,
        over.start_line if over else item.start_line, over.end_line if over else item.end_line,
        item.score, imports, content, item.symbol, item.type, item.relationship, item.distance, elided,
        item.why, item.changed,
    )  # fmt: skip


def _excerpted(row: ChunkRow, code: str, shown: Iterable[int]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The shown lines of a row's code with a mark in each gap, and the lines that are left out."""
    return _over(code, frozenset(shown), row.start_line, row.end_line, row.language)


def _over(
    code: str, shown: frozenset[int], first: int, last: int, language: str
) -> tuple[str, tuple[tuple[int, int], ...]]:
    if len(shown) > last - first:
        return code, ()
    return excerpt(lines_of(code), [line - first for line in shown], first, _comment(language))


# Whoever answers many questions shows the same containers, most often with the same members.
_remembered_over = lru_cache(maxsize=REMEMBERED_OVER)(_over)


def lines_of(code: str) -> Lines:
    """A text as lines; remembered, because whoever answers many questions shows the same ones again and again."""
    return _remembered(code) if len(code) <= REMEMBERED_CHARS else _remembered_long(code)


def _lines(code: str) -> Lines:
    return Lines(code.split("\n"))


_remembered = lru_cache(maxsize=REMEMBERED)(_lines)
_remembered_long = lru_cache(maxsize=2)(_lines)  # one text is tried in many forms


@lru_cache(maxsize=REMEMBERED)
def _signed(
    code: str, first: int, last: int, signature: tuple[int, int], doc: tuple[int, int] | None, language: str
) -> tuple[str, tuple[tuple[int, int], ...]]:
    summary = range(doc[0], min(doc[1], doc[0] + 1) + 1) if doc else ()
    return _over(code, frozenset((*range(signature[0], signature[1] + 1), *summary)), first, last, language)


def _comment(language: str) -> str:
    from chunker.languages.table import LANGUAGES  # a table that whole items do not need

    known = LANGUAGES.get(language)
    return known.comment if known else ""


def _content(imports: Iterable[str], code: str) -> str:
    head = "\n".join(imports)
    return f"{head}\n\n{code}" if head else code


def single(score: float) -> float:
    """A score as contract v1 prints it: the nearest 32-bit float, in 0..1."""
    nearest: float = unpacked("f", packed("f", min(1.0, max(0.0, score))))[0]
    return nearest
