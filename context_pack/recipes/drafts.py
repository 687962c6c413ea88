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


@dataclass(frozen=True, slots=True)
class Draft:
    """An item as it would be shown, the row that it shows with its code, and the last of the row's chunks."""

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
    item = _item(row, scored.score, why if explain else ())
    return Candidate(row.id, _drafted(item, row), scored.points, why)


def related_draft(row: ChunkRow, source: str, source_score: float, tie: Tie, explain: bool) -> Candidate[Draft]:
    """A related item's score is its primary's, as far as the tie carries it."""
    why = tie_why(tie, source)
    item = replace(
        _item(row, source_score * min(1.0, max(0.0, tie.weight)), why if explain else ()),
        role="related",
        relationship=tie.labels,
        distance=tie.distance,
    )
    return Candidate(row.id, _drafted(item, row), tie.weight, why)


def tie_why(tie: Tie, source: str) -> tuple[Why, ...]:
    """Why a related item is there: the labels of its path and the primary that it starts from, then other points."""
    path = " > ".join(tie.labels)
    if not tie.parts:
        return (Why(path, tie.distance, tie.weight, f"from {source}"),)
    return tuple(
        Why(path if name == "tie" else name, signal, points, f"from {source}" if name == "tie" else "")
        for name, signal, points in tie.parts
    )


def _item(row: ChunkRow, score: float, why: tuple[Why, ...]) -> Item:
    return Item(
        id=row.id,
        role="primary",
        file=row.file,
        start_line=row.start_line,
        end_line=row.end_line,
        score=single(score),
        imports=row.imports,
        content="",
        symbol=row.symbol,
        type=row.kind,
        why=why,
    )


def _drafted(item: Item, row: ChunkRow) -> Draft:
    code = code_of(row)
    return Draft(replace(item, content=_content(item.imports, code)), row, code, row.number)


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
