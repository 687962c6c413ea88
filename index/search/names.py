"""Finds names of definitions: those that match a pattern, and those that a misspelt name may mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np

from chunker.kinds import KINDS
from index.collection.collection import Collection
from index.collection.tables import LEVELS
from index.search.spelling import folded
from index.segment.columns import Array, Strings, distinct
from index.text import parts_of
from index.types import Near, SymbolRow

MIN_CHARS = 3  # letters and digits; a shorter name is near everything
OTHER_CASE = 0.25  # distance of `help_formatter` from `HelpFormatter`: the same letters in the same order
SWAPPED = 0.5  # distance of `FormatterHelp` from `HelpFormatter`: the same parts in another order
LONGER = 0.9  # distance of `HelpFormatterOptions` from `HelpFormatter`
MAX_LONGER = 3
OTHER_NUMBER = 0.75  # distance of `factories` from `factory`
_MAX_COMPARED = 200  # names with the most similar letter counts, which are compared letter by letter
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_OTHER = len(_LETTERS)
_CLASS = np.full(256, _OTHER, np.uint8)
for _number, _letter in enumerate(_LETTERS):
    _CLASS[ord(_letter)] = _CLASS[ord(_letter.upper())] = _number
_HEADING_KINDS = ("section", "block")  # headings, which are not looked up by name


def matching_symbols(collection: Collection, pattern: str | None) -> list[SymbolRow]:
    """Symbols whose qualified name matches a glob, or contains the pattern; case-insensitive, by file and line."""
    segment, table, matches = collection.snapshot.segment, collection.definitions, _matcher(pattern)
    qualified = [number for level in LEVELS for number in segment.array(f"{level}.qualified").tolist()]
    is_match = cache(lambda name: matches(segment.names[name]))
    rows = [table.symbol_row(table[row]) for row, name in enumerate(qualified) if is_match(name)]
    return sorted(rows, key=lambda one: (one.file.encode(), one.line, one.qualified))


def exact_first(rows: Sequence[SymbolRow], pattern: str | None) -> list[SymbolRow]:
    """The symbols whose name is the pattern, then those whose name is it in another case, then the others; headings,
    which contain any word, come last."""
    if not pattern:
        return [*rows]
    wanted = pattern.casefold()

    def mismatch(row: SymbolRow) -> int:
        names = (row.name, row.qualified)
        return 0 if pattern in names else 1 if wanted in map(str.casefold, names) else 2 + (row.kind == "section")

    return sorted(rows, key=mismatch)  # stable: equals keep their order


def _matcher(pattern: str | None) -> Callable[[str], bool]:
    if not pattern:
        return lambda name: True
    wanted = pattern.casefold()
    if "*" in pattern or "?" in pattern:
        import fnmatch

        shape = re.compile(fnmatch.translate(wanted))
        return lambda name: bool(shape.match(name.casefold()) or shape.match(name.rpartition(".")[2].casefold()))
    return lambda name: wanted in name.casefold()


class NearNames:
    """The letter counts of names, to find similar ones: counts give a lower bound of the edit distance."""

    def __init__(self, names: Strings) -> None:
        self._names = names
        lengths = np.diff(names.offsets)
        row = np.repeat(np.arange(len(names)), lengths)
        cells = row * (_OTHER + 1) + _CLASS[names.blob[names.offsets[0] : names.offsets[-1]]]
        counts = np.bincount(cells, minlength=len(names) * (_OTHER + 1)).reshape(len(names), _OTHER + 1)
        self._counts = np.minimum(counts[:, :_OTHER], 100).astype(np.int8)
        self._lengths = self._counts.sum(axis=1, dtype=np.int32)

    def near(self, name: str, limit: int) -> list[Near]:
        """At most `limit` names, nearest first; ties are broken by first letter, length and name."""
        wanted = folded(name)
        most = _most_edits(len(wanted))
        if len(wanted) < MIN_CHARS:
            return []
        matches: dict[str, float] = {}
        for spelling, penalty in _numbers(wanted):
            for least, other in self._candidates(spelling, most):
                if len(matches) >= limit and least > sorted(matches.values())[limit - 1]:
                    break
                far = penalty or _distance(name, wanted, other, most)
                if penalty and folded(other) != spelling:
                    continue
                if far <= most:
                    matches[other] = min(far, matches.get(other, far))
        matches.update((other, min(LONGER, matches.get(other, LONGER))) for other in self._longer(name))
        ranked = sorted(matches, key=lambda other: (matches[other], *_unlike(wanted, other)))
        return [Near(other, matches[other]) for other in ranked[:limit]]

    def _longer(self, name: str) -> list[str]:
        """The names that begin with a name of several words, if they are few: `CartGridView` for `CartGrid`."""
        if len(parts_of(name)) < 2:
            return []
        offsets, first = self._names.offsets, self._names.offsets[0]
        begins = re.compile(re.escape(name.encode("utf-8", "replace")) + rb"(?=[A-Z_])")
        places = [match.start() + first for match in begins.finditer(self._names.blob[first : offsets[-1]].tobytes())]
        rows = np.searchsorted(offsets, places, side="right") - 1
        whole = [row for row, place in zip(rows.tolist(), places, strict=True) if offsets[row] == place]
        return [self._names[row] for row in whole] if len(whole) <= MAX_LONGER else []

    def _candidates(self, wanted: str, most: int) -> Iterator[tuple[int, str]]:
        """(lower bound of the edit distance, name), nearest first."""
        own = np.bincount(_CLASS[np.frombuffer(wanted.encode("utf-8", "replace"), np.uint8)], minlength=_OTHER + 1)
        rows = np.flatnonzero(np.abs(self._lengths - len(wanted)) <= most)
        differing = np.abs(self._counts[rows] - np.minimum(own[:_OTHER], 100).astype(np.int8)).sum(
            axis=1, dtype=np.int32
        )
        # A replacement changes two counts: each side has one letter that the other lacks.
        least = (differing + np.abs(self._lengths[rows] - len(wanted))) // 2
        near = np.flatnonzero(least <= most)
        near = near[np.argsort(least[near], kind="stable")][:_MAX_COMPARED]
        for place in near.tolist():
            yield int(least[place]), self._names[int(rows[place])]


def name_table(collection: Collection, column: str) -> NearNames:
    """The distinct names (`name` or `qualified`) of all definitions except headings."""
    segment = collection.snapshot.segment
    used: list[Array] = []
    for level in LEVELS:
        real = ~np.isin(segment.array(f"{level}.kind"), [KINDS.index(kind) for kind in _HEADING_KINDS])
        used.append(segment.array(f"{level}.{column}")[real])
    return NearNames(segment.names.take(distinct(np.concatenate(used))))


def _most_edits(length: int) -> int:
    return 0 if length <= 3 else 1 if length <= 5 else 2 if length <= 9 else 3


def is_near(wanted: str, other: str) -> bool:
    """Whether a name may be a misspelling of another one."""
    most = _most_edits(len(folded(wanted)))
    return edits(folded(wanted), folded(other), most) <= most


def _numbers(wanted: str) -> list[tuple[str, float]]:
    """(spelling, distance): the name itself at 0, and its singular or plural in `y` and `ies`."""
    other = f"{wanted[:-3]}y" if wanted.endswith("ies") else f"{wanted[:-1]}ies" if wanted.endswith("y") else ""
    return [(wanted, 0.0), *([(other, OTHER_NUMBER)] if other else [])]


def _distance(name: str, wanted: str, other: str, most: int) -> float:
    """The distance of `other` from a name whose folded form is `wanted`; more than `most` if it is too far."""
    if name == other:
        return 0.0
    letters = folded(other)
    if letters == wanted:
        return OTHER_CASE
    if len(letters) == len(wanted) and sorted(parts_of(name)) == sorted(parts_of(other)):
        return SWAPPED
    return float(edits(wanted, letters, most))


def _unlike(wanted: str, other: str) -> tuple[bool, int, str]:
    letters = folded(other)
    return letters[:1] != wanted[:1], abs(len(letters) - len(wanted)), other


def edits(one: Sequence[str], other: Sequence[str], most: int) -> int:
    """The number of letters to insert, remove, replace or swap with a neighbour; `most` + 1 if it is larger.

    Each letter is edited once: Damerau's restricted edit distance (optimal string alignment).
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        this = [row]
        for column, second in enumerate(other, 1):
            cost = min(last[column] + 1, this[column - 1] + 1, last[column - 1] + (letter != second))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == second:
                cost = min(cost, before[column - 2] + 1)
            this.append(cost)
        if min(this) > most and (not before or min(last) > most):
            return most + 1
        before, last = last, this
    return min(last[-1], most + 1)
