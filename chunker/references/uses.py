"""Uses of names in the captures -> the references of each symbol."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from chunker.chunks.lines import Lines
from chunker.chunks.outline import Outline
from chunker.kinds import UNKNOWN
from chunker.model import Reference
from chunker.parse.captures import Symbol
from chunker.parse.grammars import USE_KINDS
from chunker.references.bindings import Locals, enclosing
from chunker.references.expressions import path_of

_BASE_RANK = 2 * USE_KINDS.index("base")


def read_references(outline: Outline, variables: Locals, starts: Sequence[int], lines: Lines) -> tuple[Reference, ...]:
    """The first use of each name by each symbol in each chunk, in the order of the file: a graph needs no more.

    `starts` are where chunks start. Left out are a symbol's own name, unless it is taken from a base (`instance Show
    Point`), and the words of import statements.
    """
    data, rows, last_row, uses = lines.data, lines.starts, lines.count, outline.uses
    references: list[Reference] = []
    seen: set[tuple[bytes, int, str | None, Symbol | None, int]] = set()
    names = {symbol.name_start for symbol in outline.symbols}
    ordered = sorted(uses)
    for statement in reversed(outline.imports):
        del ordered[bisect_left(ordered, statement.start_byte) : bisect_right(ordered, statement.end_byte - 1)]
    # The chunk and the row only move forwards.
    chunk, row, last, words = -1, 0, len(starts), variables.names
    for start, symbol in zip(ordered, enclosing(outline.symbols, ordered), strict=True):
        rank, end, left, right = uses[start]
        if rank < _BASE_RANK and start in names:
            continue
        while chunk + 1 < last and starts[chunk + 1] <= start:
            chunk += 1
        word = data[start:end]
        receiver: str | None = None
        if right > left:
            receiver = path_of(data[left:right])
            if receiver != UNKNOWN:
                receiver = variables.follow(symbol, receiver, start)
        elif word in words and variables.find(symbol, word, start) is not None:
            receiver = UNKNOWN
        kind = rank >> 1
        key = (word, kind, receiver, symbol, chunk)
        if key in seen:
            continue
        seen.add(key)
        row = bisect_right(rows, start, row, last_row)
        number = symbol.number if symbol is not None else None
        name = word.decode("utf-8", "replace")
        references.append(Reference(name, USE_KINDS[kind], chunk if chunk > 0 else 0, row, receiver, number))
    return tuple(references)
