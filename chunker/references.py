"""The uses of names that the query found -> the references of each chunk."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from chunker.captures import Uses
from chunker.grammars import USE_KINDS
from chunker.lines import Lines
from chunker.model import Reference, Span

_RECEIVER_BYTES = 100  # a longer expression before the dot is no name
_RECEIVER = re.compile(rb"[@$]{0,2}[\w\x80-\xff]+[!?]?(?:(?:\??\.|::|->|\\)[$@]?[\w\x80-\xff]+)*\.?")
_BASE_RANK = 2 * USE_KINDS.index("base")


def read_references(
    uses: Uses, names: set[int], imports: Sequence[Span], starts: Sequence[int], lines: Lines
) -> tuple[Reference, ...]:
    """The first use of each name in each chunk, in the order of the file: a graph needs no more.

    `uses` are by start byte, `names` where symbols have their names, `starts` where chunks start. Left out are a
    symbol's own name, unless it is taken from a base (`instance Show Point`), and the words of import statements.
    """
    data = lines.data
    found: list[Reference] = []
    receivers: dict[bytes, str | None] = {b"": None}
    ordered = _outside_imports(sorted(uses), imports)
    at = 0
    for chunk, (_, chunk_end) in enumerate(pairwise([*starts, len(data) + 1])):
        stop = bisect_left(ordered, chunk_end, at)
        seen: set[tuple[bytes, int, bytes]] = set()
        for start in ordered[at:stop]:
            rank, end, left, right = uses[start]
            if start in names and rank < _BASE_RANK:
                continue
            before = data[left:right] if right - left <= _RECEIVER_BYTES else b""
            key = (data[start:end], rank >> 1, before)
            if key in seen:
                continue
            seen.add(key)
            if before not in receivers:
                receivers[before] = _plain_name(before)
            receiver = receivers[before]
            if receiver is None and before:
                # Two expressions that are no names are one and the same: `f(1).g` and `f(2).g`.
                key = (key[0], rank >> 1, b"")
                if key in seen:
                    continue
                seen.add(key)
            name = key[0].decode("utf-8", "replace")
            found.append(Reference(name, USE_KINDS[rank >> 1], chunk, lines.row(start) + 1, receiver))
        at = stop
    return tuple(found)


def _outside_imports(ordered: list[int], imports: Sequence[Span]) -> list[int]:
    for statement in reversed(imports):
        first, last = bisect_left(ordered, statement.start_byte), bisect_right(ordered, statement.end_byte - 1)
        del ordered[first:last]
    return ordered


def _plain_name(text: bytes) -> str | None:
    """The text before the dot when it is a plain (dotted) name."""
    return text.decode("utf-8", "replace").rstrip(".") if _RECEIVER.fullmatch(text) else None
