"""Which chunks a name stands for: `FILE`, `FILE:LINE`, or a symbol."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from contracts.errors import Ambiguous, NotFound

if TYPE_CHECKING:
    from context_pack.corpus import Corpus
    from index.types import ChunkRow, SymbolRow

_LINE = re.compile(r"(?P<file>.+):(?P<line>[1-9]\d{0,8})")


def from_root(target: str, root: Path, folder: Path) -> str:
    """A target whose path is written from the root; `folder` is what a relative path starts at.

    A target that is the path of no file below the root stays as it is: it may be a symbol.
    """
    placed = _LINE.fullmatch(target)
    file, line = (placed["file"], f":{placed['line']}") if placed else (target, "")
    try:
        place, real_root = (folder / file).resolve(), root.resolve()
        return f"{place.relative_to(real_root).as_posix()}{line}" if place.is_file() else target
    except (OSError, ValueError):  # ValueError: outside the root, or a null byte
        return target


def chunks_of(corpus: Corpus, target: str) -> list[int]:
    """The chunks that a target names: those of a file, the one around a line, or the one that defines a symbol.

    Where that one is a part of a symbol that was too long for one chunk, all of its parts.
    NotFound when there are none; Ambiguous when several symbols have the name.
    """
    placed = _LINE.fullmatch(target)
    file, line = (placed["file"], int(placed["line"])) if placed else (target, None)
    chunks = corpus.chunks_of_file(file)
    if chunks:
        return chunks if line is None else corpus.parts(_at_line([corpus.chunk(number) for number in chunks], line))
    defined = corpus.defined(target)
    if not defined:
        near = [one.name for one in corpus.nearest(target)]
        raise NotFound(
            f"nothing that is indexed is named {target}", hint="`ctxpack symbols PATTERN` lists what there is",
            details={"nearest": near} if near else {},
        )  # fmt: skip
    # The overloads of a function are one place, named after the first.
    places: dict[tuple[str, str], SymbolRow] = {}
    for row in sorted(defined, key=lambda row: (row.file, row.line)):
        places.setdefault((row.file, row.qualified), row)
    if len(places) > 1:
        candidates = sorted(f"{row.qualified} ({row.file}:{row.line})" for row in places.values())
        raise Ambiguous(
            f"{target} is defined in {len(places)} places", hint="name one as FILE:LINE",
            details={"candidates": candidates},
        )  # fmt: skip
    return sorted({part for row in defined for part in corpus.parts(row.chunk)})


def _at_line(rows: list[ChunkRow], line: int) -> int:
    """The chunk that holds a line; for a blank line between two chunks the one above it, or else the first."""
    last = max(row.end_line for row in rows)
    if line > last:
        raise NotFound(f"{rows[0].file} has no line {line}", hint=f"its last indexed line is {last}")
    around = [row for row in rows if row.start_line <= line <= row.end_line]
    above = [row for row in rows if row.start_line <= line]
    # Of chunks that share a line, the one that starts last is the innermost.
    return max(around or above or rows[:1], key=lambda row: (row.start_line, row.number)).number
