"""The shape of packs: items that are mostly elided, items of a line or two, items cut without a mark."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from chunker.api import chunk_file
from context_pack.benchmark.measures import lines_shown
from contracts.records import Item

BUDGET = 6_000  # characters
GONE = 0.7  # of an item's lines
FEW = 2  # lines
_WORD = re.compile(r"\w+")
_MARK = " left out"


@dataclass(slots=True)
class Shape:
    """Counts of items; `cut` lists the places of those that begin or end inside a function without saying so."""

    packs: int = 0
    items: int = 0
    excerpts: int = 0
    gone: int = 0
    few: int = 0
    cut: list[str] = field(default_factory=list)
    roles: Counter[str] = field(default_factory=Counter)
    shown: Counter[str] = field(default_factory=Counter)  # lines by role

    def add(self, query: str, items: Sequence[Item], root: Path) -> None:
        """Count the items of one pack of the repository at `root`."""
        self.packs += bool(items)
        for item in items:
            line_count = len(lines_shown([item]))
            whole = item.end_line - item.start_line + 1
            self.items += 1
            self.roles[item.role] += 1
            self.shown[item.role] += line_count
            self.excerpts += line_count < whole
            self.gone += whole - line_count > GONE * whole
            self.few += line_count <= FEW and not (line_count == whole and is_asked_for(item, query))
            if is_cut(item, units(root, item.file)):
                self.cut.append(f"{root.name}/{item.id}")


def is_asked_for(item: Item, query: str) -> bool:
    """Whether the query names the symbol that an item shows."""
    names = set(_WORD.findall((item.symbol or "").casefold())[-1:])
    return bool(names.intersection(_WORD.findall(query.casefold())))


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a file: the (first, last) lines of its functions, and the lines where any symbol begins or ends."""

    functions: tuple[tuple[int, int], ...]
    begins: frozenset[int]
    ends: frozenset[int]
    blank: frozenset[int]


@lru_cache(maxsize=512)
def units(root: Path, file: str) -> Units:
    data = (root / file).read_bytes()
    file_chunks = chunk_file(data, file)
    functions = [
        (one.start_line, one.end_line) for one in file_chunks.definitions if one.kind in ("function", "method")
    ]
    # A chunk begins at the doc comment of its symbol, the definition at the symbol itself.
    first_parts = {one.start_line for one in file_chunks.chunks if one.symbol and not one.part}
    blank = {number for number, line in enumerate(data.splitlines(), start=1) if not line.strip()}
    begins = first_parts | {one.start_line for one in file_chunks.definitions}
    ends = {one.end_line for one in file_chunks.definitions}
    return Units(tuple(functions), frozenset(begins), frozenset(ends), frozenset(blank))


def is_cut(item: Item, of: Units) -> bool:
    """Whether an item begins or ends inside a function, not at a symbol, and neither text nor record says so."""
    if getattr(item, "part", None):
        return False
    first, last = item.start_line, item.end_line
    while last > first and last in of.blank:
        last -= 1
    code = item.content.removeprefix("\n".join(item.imports)).strip("\n").split("\n")
    head = first not in of.begins and any(start < first <= end for start, end in of.functions)
    tail = last not in of.ends and any(start <= last < end for start, end in of.functions)
    return (head and _MARK not in code[0]) or (tail and _MARK not in code[-1])
