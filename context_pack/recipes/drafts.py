"""A chunk as an item of the code pack: what is shown of it, whole or cut around the lines that answer the query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from struct import pack as packed
from struct import unpack as unpacked
from typing import TYPE_CHECKING

from context_pack.core.candidate import Candidate
from context_pack.core.excerpt import excerpt, least, priority
from contracts.records import Item, Why
from index.analysis import content_terms, terms_of_text, words_of

if TYPE_CHECKING:
    from index.types import ChunkRow, Scored, Tie


@dataclass(frozen=True, slots=True)
class Draft:
    """An item as it would be shown, and the chunk that it shows."""

    item: Item
    row: ChunkRow


def primary_draft(row: ChunkRow, scored: Scored, explain: bool) -> Candidate[Draft]:
    why = scored.why
    item = replace(_item(row, scored.score), why=why if explain else ())
    return Candidate(row.id, Draft(item, row), scored.points, why)


def related_draft(row: ChunkRow, source: str, source_score: float, tie: Tie, explain: bool) -> Candidate[Draft]:
    """A related item's score is its primary's, as far as the tie carries it."""
    why = tie_why(tie, source)
    item = replace(
        _item(row, source_score * min(1.0, max(0.0, tie.weight))),
        role="related",
        relationship=tie.labels,
        distance=tie.distance,
        why=why if explain else (),
    )
    return Candidate(row.id, Draft(item, row), tie.weight, why)


def tie_why(tie: Tie, source: str) -> tuple[Why, ...]:
    """Why a related item is there: the labels of its path, how long it is, and the primary that it starts from."""
    return (Why(" > ".join(tie.labels), tie.distance, tie.weight, f"from {source}"),)


def _item(row: ChunkRow, score: float) -> Item:
    code = code_of(row)
    return Item(
        id=row.id,
        role="primary",
        file=row.file,
        start_line=row.start_line,
        end_line=row.end_line,
        score=single(score),
        imports=row.imports,
        content=_content(row.imports, code),
        symbol=row.symbol,
        type=row.kind,
    )


def code_of(row: ChunkRow) -> str:
    """A chunk's text as it is shown: without the line end behind it. Secrets are out since it was read."""
    return row.text.rstrip("\r\n")


def _content(imports: Iterable[str], code: str) -> str:
    head = "\n".join(imports)
    return f"{head}\n\n{code}" if head else code


def single(score: float) -> float:
    """A score as contract v1 prints it: the nearest 32-bit float, in 0..1."""
    nearest: float = unpacked("f", packed("f", min(1.0, max(0.0, score))))[0]
    return nearest


class Cutter:
    """Cuts an item around the lines that answer the query. A cut item shows its lines and no imports."""

    def __init__(self, query: str) -> None:
        self._query = query

    def smallest(self, draft: Draft) -> Draft | None:
        lines, ranked = self._ranked(draft)
        return _cut(draft, lines, ranked[: least(lines, ranked)])

    def shrink(self, draft: Draft, accepts: Callable[[Draft], bool]) -> Draft | None:
        """Lines are added in the order of their worth until one does not fit."""
        if not accepts(replace(draft, item=replace(draft.item, imports=(), content=""))):
            return None  # most calls: there is no room for its heading
        lines, ranked = self._ranked(draft)
        count = least(lines, ranked)
        best = _cut(draft, lines, ranked[:count])
        if not accepts(best):
            return None
        while count < len(lines):
            count += 1
            larger = _cut(draft, lines, ranked[:count])
            if not accepts(larger):
                break
            best = larger
        return best

    def _ranked(self, draft: Draft) -> tuple[list[str], list[int]]:
        """The chunk's lines, and their positions by worth."""
        lines = code_of(draft.row).split("\n")
        return lines, priority([self._weight(line) for line in lines], _header(draft.row.symbol, lines))

    def _weight(self, line: str) -> float:
        """How many of the query's terms a line holds."""
        return float(len(self._terms.intersection(terms_of_text(line))))

    @cached_property
    def _terms(self) -> frozenset[str]:
        return frozenset(content_terms(words_of(self._query)))


def _header(symbol: str | None, lines: Sequence[str]) -> int:
    """The line that names the symbol: what stands before it is documentation or decoration."""
    name = (symbol or "").rpartition(".")[2]
    return next((number for number, line in enumerate(lines) if name and name in line), 0)


def _cut(draft: Draft, lines: Sequence[str], shown: Iterable[int]) -> Draft:
    from chunker.languages import LANGUAGES  # a table that whole items do not need

    language = LANGUAGES.get(draft.row.language)
    content, elided = excerpt(lines, shown, draft.row.start_line, language.comment if language else "")
    return replace(draft, item=replace(draft.item, imports=(), content=content, elided=elided))
