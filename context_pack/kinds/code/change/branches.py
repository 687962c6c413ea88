"""Code that tells the members of an enumeration apart: it may have to handle a member that the change adds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from context_pack.core.text import MAX_NAMING, outside_comments
from context_pack.kinds.code.change.places import ChangedChunk, changed_symbols
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import primary
from contracts.frozen import frozen
from contracts.records import Why
from index.types import RANKED_SCORE, ChunkRow, Scored, SymbolRow

MIN_MEMBERS = 2  # of the old ones that a place names: it tells them apart
MAX_MEMBERS = 40  # that are looked up
MAX_NAMED, MAX_READ = 2_000, 60  # chunks that contain one member, and chunks that contain the most, which are read
MAX_BRANCHES = 8  # places for one enumeration
LONG_NAME = 6  # a name with `_` of so many letters says what it means without its type


@frozen
class _Enumeration:
    """Constants that stand together: the name of their type, empty without one, and the members before and since."""

    owner: str
    file: str
    chunks: frozenset[int]
    members: tuple[str, ...]
    added: tuple[str, ...]


def branches(corpus: Corpus, places: Sequence[ChangedChunk], passes: Callable[[int], bool]) -> list[Scored]:
    """The chunks that name members of an enumeration, but not the one that the change adds to it, at these lines; those
    that name the most come first, code before tests."""
    hits: dict[int, Scored] = {}
    for one in _enumerations(corpus, places):
        counts = Counter[int]()
        for name in one.members[:MAX_MEMBERS]:
            counts.update(islice(corpus.naming(name), MAX_NAMED))
        several = [chunk for chunk, count in counts.items() if count >= MIN_MEMBERS and chunk not in one.chunks]
        several.sort(key=lambda chunk: (corpus.is_test(chunk), -counts[chunk], chunk))
        named = [(row, *_named(one, row)) for row in map(corpus.chunk, several[:MAX_READ])]
        ranked = sorted(
            (len(names) < MIN_MEMBERS, corpus.is_test(row.number), -len(names), row.number, names, lines)
            for row, names, lines in named
            if not names & set(one.added)
        )
        code = ((number, names, lines) for few, *_, number, names, lines in ranked if not few and passes(number))
        for number, names, lines in islice(code, MAX_BRANCHES):
            shown = outside_comments(corpus.chunk(number), lines)[:MAX_NAMING]
            if shown and number not in hits:
                why = Why("member_added", 1.0, 1.0, f"names {', '.join(sorted(names)[:3])}, but not {one.added[0]}")
                hits[number] = primary(number, why, tuple((line, line) for line in shown), RANKED_SCORE)
    return list(hits.values())


def _enumerations(corpus: Corpus, places: Sequence[ChangedChunk]) -> Iterator[_Enumeration]:
    """The constants among which the change adds one, with one enumeration for each type."""
    seen = set[tuple[str, str]]()
    for place in places:
        gone = "\n".join(line for hunk in place.file.hunks for line in hunk.removed)
        rows = [row for row in changed_symbols(corpus, place) if row.kind == "const" and row.name not in gone]
        for row in rows[:1]:
            prefix = row.qualified.rpartition(".")[0]
            key = (row.file, prefix or str(place.row.number))
            if key not in seen:
                seen.add(key)
                yield _enumeration(corpus, row, prefix, {one.name for one in rows})


def _enumeration(corpus: Corpus, row: SymbolRow, prefix: str, added: set[str]) -> _Enumeration:
    chunks = corpus.chunks_of_file(row.file) if prefix else [row.chunk]
    symbols = [one for chunk in chunks for one in corpus.defined_at(chunk, minor=True)]
    members = [one for one in symbols if one.kind == row.kind and one.qualified.rpartition(".")[0] == prefix]
    own = frozenset(one.chunk for one in members)
    names = dict.fromkeys(one.name for one in members)
    old = tuple(name for name in names if name not in added)
    return _Enumeration(prefix.rpartition(".")[2], row.file, own, old, tuple(name for name in names if name in added))


def _named(one: _Enumeration, row: ChunkRow) -> tuple[set[str], list[int]]:
    """The members that a chunk names as such, and its lines that do."""
    names, lines = set[str](), list[int]()
    pattern = _pattern(one, row.file == one.file)
    for number, line in enumerate(row.text.split("\n"), row.start_line):
        hits = {name for match in pattern.finditer(line) for name in match.groups() if name}
        if hits:
            names |= hits
            lines.append(number)
    return names, lines


def _pattern(one: _Enumeration, is_own_file: bool) -> re.Pattern[str]:
    """Matches a member behind its type, as a case, or alone if its name says enough."""
    members = (*one.members[:MAX_MEMBERS], *one.added)
    any_of = "|".join(map(re.escape, members))
    owners = "|".join([re.escape(one.owner), *(("Self", "self", "static") if is_own_file else ())])
    alone = [re.escape(name) for name in members if not one.owner or ("_" in name and len(name) >= LONG_NAME)]
    forms = [rf"\b(?:case|when)\s+\.?({any_of})\b", rf"(?<![\w$)\]])\.({any_of})\b"]
    forms += [rf"(?<![\w$])(?:{owners})(?:\.|::)({any_of})\b"] if one.owner else []
    forms += [rf"(?<![\w$])({'|'.join(alone)})\b"] if alone else []
    return re.compile("|".join(forms))
