"""A chunk as an item of the code pack, before it is decided how much of it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from struct import pack as packed
from struct import unpack as unpacked
from typing import TYPE_CHECKING

from context_pack.core.candidate import Candidate
from context_pack.core.excerpt import excerpt
from contracts.records import Item, Why

if TYPE_CHECKING:
    from index.types import ChunkRow, Scored, Tie


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """An item as it would be shown, the row that it shows with its code, and the last of the row's chunks.

    Drafts are told apart by identity: what is found out about one is remembered by it.
    """

    item: Item
    row: ChunkRow
    code: str
    last: int

    @property
    def lines(self) -> frozenset[int]:
        """The numbers of the lines that are shown."""
        left_out = (line for start, end in self.item.elided for line in range(start, end + 1))
        return frozenset(range(self.row.start_line, self.row.end_line + 1)).difference(left_out)


def primary_draft(row: ChunkRow, scored: Scored, explain: bool) -> Candidate[Draft]:
    # The named points are looked up for readers alone: that takes longer than the search has taken for each hit.
    why = scored.why if explain else (Why("points", scored.points, scored.points),)
    return Candidate(row.id, _draft(row, scored.score, why if explain else ()), scored.points, why)


def related_draft(row: ChunkRow, source: str, source_score: float, tie: Tie, explain: bool) -> Candidate[Draft]:
    """A related item's score is its primary's, as far as the tie carries it."""
    why = tie_why(tie, source)
    score = source_score * min(1.0, max(0.0, tie.weight))
    return Candidate(row.id, _draft(row, score, why if explain else (), tie), tie.weight, why)


def tie_why(tie: Tie, source: str) -> tuple[Why, ...]:
    """Why a related item is there: the labels of its path and the primary that it starts from, then other points."""
    path = " > ".join(tie.labels)
    if not tie.parts:
        return (Why(path, tie.distance, tie.weight, f"from {source}"),)
    return tuple(
        Why(path if name == "tie" else name, signal, points, f"from {source}" if name == "tie" else "")
        for name, signal, points in tie.parts
    )


def _draft(row: ChunkRow, score: float, why: tuple[Why, ...], tie: Tie | None = None) -> Draft:
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
    return Draft(item, row, code, row.number)


def code_of(row: ChunkRow) -> str:
    """A chunk's text as it is shown: without the line end behind it. Secrets are out since it was read."""
    return row.text.rstrip("\r\n")


def without_imports(draft: Draft) -> Draft:
    return replace(draft, item=replace(draft.item, imports=(), content=draft.code))


def drawn(draft: Draft, shown: Iterable[int], imports: tuple[str, ...] = ()) -> Draft:
    """The draft with only these lines of its file, a mark in each gap, and imports before them."""
    row, code = draft.row, draft.code
    elided: tuple[tuple[int, int], ...] = ()
    wanted = set(shown)
    if len(wanted) <= row.end_line - row.start_line:
        lines = code.split("\n")
        first = row.start_line
        code, elided = excerpt(lines, (line - first for line in wanted), first, _comment(row.language))
    item = replace(draft.item, imports=imports, content=_content(imports, code), elided=elided)
    return Draft(item, row, draft.code, draft.last)


def drawn_over(draft: Draft, row: ChunkRow, last: int, shown: Iterable[int]) -> Draft:
    """The draft with lines of a larger row, which holds its own."""
    item = replace(draft.item, id=row.id, file=row.file, start_line=row.start_line, end_line=row.end_line)
    return drawn(Draft(item, row, code_of(row), last), shown)


def with_imports(draft: Draft, imports: tuple[str, ...]) -> Draft:
    """A draft without imports, with these before its code."""
    return replace(draft, item=replace(draft.item, imports=imports, content=_content(imports, draft.item.content)))


def _comment(language: str) -> str:
    from chunker.languages import LANGUAGES  # a table that whole items do not need

    known = LANGUAGES.get(language)
    return known.comment if known else ""


def _content(imports: Iterable[str], code: str) -> str:
    head = "\n".join(imports)
    return f"{head}\n\n{code}" if head else code


def single(score: float) -> float:
    """A score as contract v1 prints it: the nearest 32-bit float, in 0..1."""
    nearest: float = unpacked("f", packed("f", min(1.0, max(0.0, score))))[0]
    return nearest
