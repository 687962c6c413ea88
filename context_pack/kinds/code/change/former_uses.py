"""Places that still look for a definition where it was before the change moved it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from chunker.languages.detection import detect_language
from chunker.languages.table import rules_of
from context_pack.core.text import MAX_NAMING, lines_naming, whole_word
from context_pack.kinds.code.change.places import rows_at
from context_pack.kinds.code.change.removed import MAX_REMOVED, FormerDefinition
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import primary
from context_pack.kinds.code.ties.mentions import MAX_NAMESAKES, MAX_READ
from contracts.frozen import frozen
from contracts.records import Why
from index.types import RANKED_SCORE, Scored, SymbolRow

if TYPE_CHECKING:
    from context_pack.io.changes import Changes
    from context_pack.io.patches import ChangedFile

_EXPORT = {"javascript": r"\bexport\b", "rust": r"\bpub(?:\([^()]*\))?\s+use\b"}  # family of languages -> what exports


@frozen
class MovedName:
    """A name that is defined at another place now.

    Code that finds it at the former one writes one of the `owners` before it, the file's module, its package or the
    type, or imports it from the file if it `is_imported`.
    """

    name: str
    was: str
    path: str
    owners: tuple[str, ...]
    is_imported: bool


def moved_names(corpus: Corpus, changes: Changes, former: Iterable[FormerDefinition]) -> list[MovedName]:
    """The first names whose definition the change removed at one place and added at another."""
    added = {
        (file.path, line) for file in changes.files for hunk in file.hunks for line in _lines(hunk.line, hunk.count)
    }
    untracked = {file.path for file in changes.files if file.is_new and not file.hunks}
    names: dict[str, MovedName] = {}
    for one in former:
        if not _remains(one.file) or one.is_field or one.name in names:
            continue
        rows = corpus.namesakes(one.name, limit=MAX_NAMESAKES)
        now = [row for row in rows if row.file in untracked or (row.file, row.line) in added]
        if now and not any((row.file, row.qualified) == (one.file.path, one.qualified) for row in rows):
            names[one.name] = _moved_name(corpus, one, now)
            if len(names) == MAX_REMOVED:
                break
    return [*names.values()]


def _lines(first: int, count: int) -> range:
    return range(first, first + count)


def _remains(file: ChangedFile) -> bool:
    """Whether a file is where it was, without the lines that the change removed."""
    return not file.ahead and file.state != "deleted" and file.was in ("", file.path)


def _moved_name(corpus: Corpus, one: FormerDefinition, now: list[SymbolRow]) -> MovedName:
    path = one.file.path
    is_passed_on = _passes_on(path, corpus.file_text(path) or "", one.name)
    owner = _owner(one.qualified)
    before = {owner} if owner or is_passed_on else {_module(path)}
    owners = before - {other for row in now for other in (_owner(row.qualified), _module(row.file))} - {""}
    return MovedName(one.name, path, now[0].file, tuple(sorted(owners)), not (owner or is_passed_on))


def _passes_on(path: str, text: str, name: str) -> bool:
    """Whether a file may give a name that it does not define to those who import the file: the name is in the file, in
    languages that mark what they export in an export."""
    mark = _EXPORT.get(rules_of(detect_language(path)).family, "")
    names = rf"(?:[^;=(]*(?<![\w$]){re.escape(name)}(?![\w$])|[^;=('\"]*\*)"
    return re.search(mark + names, text) is not None if mark else whole_word(name)(text) is not None


def _owner(qualified: str) -> str:
    """The last part of the name of what contains a symbol; empty if it is at the top of its file."""
    return qualified.rpartition(".")[0].rpartition(".")[2]


def _module(path: str) -> str:
    """The word before a name of a file in code that imports the file: that of the file, or of its folder."""
    place, rules = PurePosixPath(path), rules_of(detect_language(path))
    is_folder = rules.imports_folders or place.stem in rules.entry_stems
    return place.parent.name if is_folder else place.stem


def former_uses(corpus: Corpus, names: Iterable[MovedName], shown: Callable[[str], str]) -> list[Scored]:
    """The chunks that use moved names where they were, with the lines that do, in the order of the names."""
    by_name = {one.name: one for one in names}
    lines: dict[tuple[str, int], set[int]] = {}
    for name, chunk, line in (*_imports(corpus, [*by_name.values()]), *_members(corpus, [*by_name.values()])):
        lines.setdefault((name, chunk), set()).add(line)
    order = [*by_name]
    places = list[Scored]()
    for name, chunk in sorted(lines, key=lambda place: (order.index(place[0]), place[1])):
        one = by_name[name]
        why = Why("names_moved", 1.0, 1.0, f"{name}, moved from {shown(one.was)} to {shown(one.path)}")
        own = sorted(lines[name, chunk])[:MAX_NAMING]
        places.append(primary(chunk, why, tuple((line, line) for line in own), RANKED_SCORE))
    return places


def _imports(corpus: Corpus, names: list[MovedName]) -> Iterator[tuple[str, int, int]]:
    """(name, chunk, line) of each statement that imports a name from its former file."""
    was = {one.was: one.was for one in names if one.is_imported}
    for path, place in corpus.importers(was):
        first, last = place.first or 1, place.last or 1
        own = {one.name: whole_word(one.name) for one in names if one.was == path}
        for row in rows_at([*map(corpus.chunk, corpus.chunks_of_file(place.file))], first, last):
            for line, text in enumerate(row.text.split("\n"), row.start_line):
                yield from (
                    (name, row.number, line) for name in own if first <= line <= last and whole_word(name)(text)
                )


def _members(corpus: Corpus, names: list[MovedName]) -> Iterator[tuple[str, int, int]]:
    """(name, chunk, line) of each use of a name as a member of its former owner."""
    for one in names:
        if one.owners:
            owners = "|".join(map(re.escape, one.owners))
            holds = re.compile(rf"(?<![\w$])(?:{owners})\s?(?:\.|::|->)\s?{re.escape(one.name)}(?![\w$])").search
            for row in map(corpus.chunk, corpus.naming(one.name)[:MAX_READ]):
                yield from ((one.name, row.number, line) for line, _ in lines_naming(row, holds))
