"""Code that tells the members of an enumeration apart: it may have to handle a member that the change adds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from chunker.languages.table import rules_of
from context_pack.core.text import MAX_NAMING, outside_comments
from context_pack.kinds.code.change.places import WORD, ChangedChunk, changed_symbols, removed_words
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import primary
from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from contracts.records import Why
from index.types import RANKED_SCORE, ChunkRow, Scored, SymbolRow

MIN_MEMBERS = 2  # of the old ones that a place names: it tells them apart
MAX_MEMBERS = 40  # that are looked up
MAX_NAMED, MAX_READ = 2_000, 60  # chunks that contain one member, and chunks that contain the most, which are read
MAX_BRANCHES, MAX_TESTS = 8, 2  # places for one enumeration, and tests among them, which may list some members
MAX_ENUMERATIONS = 10  # that are looked for
# Constants without a type belong together if their names start with the same word, or with so many letters of one in
# capitals: `StateOpen`, `MIMEJSON`, but not `sockaddr` and `socklen_t`.
MIN_PREFIX = 3
_FIRST_WORD = lazy_regex(r"_*(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+|.)")
_TABLE = lazy_regex(r"=\s*(?:[\[{]|array\()")  # a constant with such a value is no member: it may list them
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
    for one in islice(_enumerations(corpus, places), MAX_ENUMERATIONS):
        counts = Counter[int]()
        for name in one.members[:MAX_MEMBERS]:
            counts.update(islice(corpus.naming(name), MAX_NAMED))
        several = [chunk for chunk, count in counts.items() if count >= MIN_MEMBERS and chunk not in one.chunks]
        several = [chunk for chunk in several if not corpus.only_imports(chunk)]
        several.sort(key=lambda chunk: (corpus.is_test(chunk), -counts[chunk], chunk))
        rows = [row for row in map(corpus.chunk, several[:MAX_READ]) if not rules_of(row.language).prose]
        named = [(row, *_named(one, row)) for row in rows]
        ranked = sorted(
            (corpus.is_test(row.number), -len(names), row.number, names, lines)
            for row, names, lines in named
            if len(names) >= MIN_MEMBERS and not names & set(one.added) and passes(row.number)
        )
        code = len(ranked) - sum(is_test for is_test, *_ in ranked)
        for _, _, number, names, lines in ranked[: min(code + MAX_TESTS, MAX_BRANCHES)]:
            shown = outside_comments(corpus.chunk(number), lines)[:MAX_NAMING]
            if shown and number not in hits:
                why = Why("member_added", 1.0, 1.0, f"names {', '.join(sorted(names)[:3])}, but not {one.added[0]}")
                hits[number] = primary(number, why, tuple((line, line) for line in shown), RANKED_SCORE)
    return list(hits.values())


def _enumerations(corpus: Corpus, places: Sequence[ChangedChunk]) -> Iterator[_Enumeration]:
    """The constants among which the change adds one, with one enumeration for each type."""
    seen = set[tuple[str, str]]()
    removed: dict[str, set[str]] = {}
    for place in places:
        rows = [row for row in changed_symbols(corpus, place) if row.kind == "const"]
        if rows and place.row.file not in removed:
            removed[place.row.file] = removed_words(place.file)
        new = [row for row in rows if row.name not in removed[place.row.file] and not _is_table(place.row, row.line)]
        for row in new[:1]:
            prefix = row.qualified.rpartition(".")[0]
            key = (row.file, prefix or str(place.row.number))
            if key not in seen:
                seen.add(key)
                yield _enumeration(corpus, row, prefix, {one.name for one in new})


def _is_table(row: ChunkRow, line: int) -> bool:
    """Whether the constant on a line of a chunk has a list or a table as its value."""
    first = line - row.start_line
    return any(map(_TABLE.search, row.text.split("\n")[first : first + 1]))


def _enumeration(corpus: Corpus, row: SymbolRow, prefix: str, added: set[str]) -> _Enumeration:
    chunks = corpus.chunks_of_file(row.file) if prefix else [row.chunk]
    symbols = [one for chunk in chunks for one in corpus.defined_at(chunk, minor=True)]
    members = [one for one in symbols if one.kind == row.kind and one.qualified.rpartition(".")[0] == prefix]
    own = frozenset(one.chunk for one in members)
    names = dict.fromkeys(one.name for one in members)
    old = [name for name in names if name not in added and (prefix or _start_alike(name, row.name))]
    new = tuple(name for name in names if name in added)
    return _Enumeration(prefix.rpartition(".")[2], row.file, own, tuple(old), new)


def _start_alike(name: str, other: str) -> bool:
    starts = [_beginning(name), _beginning(other)]
    return starts[0].startswith(starts[1]) or starts[1].startswith(starts[0])


def _beginning(name: str) -> str:
    """The first word of a name; the first letters if that is a letter, or all of a name in capitals."""
    word = _FIRST_WORD.match(name)
    first = word[0] if word else name
    return name[:MIN_PREFIX] if len(first) == 1 or (first == name and name.isupper()) else first


def _named(one: _Enumeration, row: ChunkRow) -> tuple[set[str], list[int]]:
    """The members that a chunk names as such, and its lines that do."""
    names, lines = set[str](), list[int]()
    patterns, members = _patterns(one, row.file == one.file), {*one.members[:MAX_MEMBERS], *one.added}
    for number, line in enumerate(row.text.split("\n"), row.start_line):
        alone = {word for word in WORD.findall(line) if not one.owner or ("_" in word and len(word) >= LONG_NAME)}
        hits = alone.union(*(pattern.findall(line) for pattern in patterns)) & members
        if hits:
            names |= hits
            lines.append(number)
    return names, lines


def _patterns(one: _Enumeration, is_own_file: bool) -> list[re.Pattern[str]]:
    """Match names that are members if they are those of one: as a case, behind a dot, and behind the type. A name alone
    means a member if it has no type or says enough."""
    if not one.owner:
        return []
    owners = "|".join([re.escape(one.owner), *(("Self", "self", "static") if is_own_file else ())])
    behind = rf"(?<![\w$])(?:{owners})(?:\.|::)(\w+)"
    return [*map(re.compile, (r"\b(?:case|when)\s+\.?(\w+)", r"(?<![\w$)\]])\.(\w+)", behind))]
