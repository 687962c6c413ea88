"""Which chunks a name stands for: `FILE`, `FILE:LINE`, or a symbol."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from contracts.errors import Ambiguous, NotFound

if TYPE_CHECKING:
    from context_pack.corpus import Corpus
    from index.types import ChunkRow, SymbolRow

_LINE = re.compile(r"(?P<file>.+):(?P<line>[1-9]\d{0,8})")
MOST = 1_000  # chunks of a file, or definitions that share a name


def chunks_of(corpus: Corpus, target: str) -> list[int]:
    """The chunks that a target names: those of a file, the one around a line, or the one that defines a symbol.

    NotFound when there are none; Ambiguous when several symbols have the name.
    """
    placed = _LINE.fullmatch(target)
    file, line = (placed["file"], int(placed["line"])) if placed else (target, None)
    rows = [corpus.chunk(found.chunk) for found in corpus.search(target, top_k=MOST)]
    chunks = [row.number for row in rows if row.file == file and _holds(row, line)]
    if chunks:
        return sorted(chunks)
    defined = _definitions(corpus, target)
    if not defined:
        raise NotFound(
            f"nothing that is indexed is named {target}", hint="`ctxpack symbols PATTERN` lists what there is"
        )
    candidates = sorted({f"{row.qualified} ({row.file}:{row.line})" for row in defined})
    if len(candidates) > 1:
        raise Ambiguous(
            f"{target} is defined in {len(candidates)} places", hint="name one as FILE:LINE",
            details={"candidates": candidates},
        )  # fmt: skip
    return [defined[0].chunk]


def _holds(row: ChunkRow, line: int | None) -> bool:
    return line is None or row.start_line <= line <= row.end_line


def _definitions(corpus: Corpus, name: str) -> list[SymbolRow]:
    """Definitions with exactly this name: the qualified one if there are such, else the last part."""
    rows = corpus.symbols(name, limit=MOST)
    return [row for row in rows if row.qualified == name] or [row for row in rows if row.name == name]
