"""The uses of names that the query found -> the references of each chunk."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from chunker.captures import Use
from chunker.grammars import USE_KINDS
from chunker.lines import Lines
from chunker.model import Reference, Span

_RECEIVER_BYTES = 100  # a longer expression before the dot is no name
_RECEIVER = re.compile(rb"[@$]{0,2}[\w\x80-\xff]+[!?]?(?:(?:\??\.|::|->|\\)[$@]?[\w\x80-\xff]+)*\.?")


def read_references(
    uses: Mapping[int, Use], names: set[int], imports: Sequence[Span], starts: Sequence[int], lines: Lines
) -> tuple[Reference, ...]:
    """The first use of each name in each chunk, in the order of the file: a graph needs no more.

    `uses` are by start byte, `names` where symbols have their names, `starts` where chunks start. Left out are a
    symbol's own name, unless it is taken from a base (`instance Show Point`), and the words of import statements.
    """
    data = lines.data
    found: list[Reference] = []
    receivers: dict[bytes, str | None] = {b"": None}
    remaining = iter(imports)
    statement = next(remaining, None)
    ordered = sorted(uses)
    at = 0
    for chunk, (_, chunk_end) in enumerate(pairwise([*starts, len(data) + 1])):
        seen: set[tuple[bytes, int, str | None]] = set()
        while at < len(ordered) and ordered[at] < chunk_end:
            start = ordered[at]
            at += 1
            while statement is not None and statement.end_byte <= start:
                statement = next(remaining, None)
            use = uses[start]
            is_base = use.rank >= _BASE
            if (statement is not None and statement.start_byte <= start) or (start in names and not is_base):
                continue
            receiver = _receiver(data, use, receivers)
            key = (data[start : use.end], use.rank >> 1, receiver)
            if key not in seen:
                seen.add(key)
                name = key[0].decode("utf-8", "replace")
                found.append(Reference(name, USE_KINDS[use.rank >> 1], chunk, lines.row(start) + 1, receiver))
    return tuple(found)


_BASE = 2 * USE_KINDS.index("base")


def _receiver(data: bytes, use: Use, known: dict[bytes, str | None]) -> str | None:
    """The text before the dot when it is a plain (dotted) name."""
    if use.receiver_end - use.receiver_start > _RECEIVER_BYTES:
        return None
    text = data[use.receiver_start : use.receiver_end]
    if text not in known:
        known[text] = text.decode("utf-8", "replace").rstrip(".") if _RECEIVER.fullmatch(text) else None
    return known[text]
