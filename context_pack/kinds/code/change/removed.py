"""Places that still name what a change removed: removed symbols, and removed or renamed files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from chunker.kinds import VALUES
from context_pack.core.text import MAX_NAMING, lines_naming
from context_pack.io.patches import ChangedFile, Lines
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import primary
from context_pack.kinds.code.ties.mentions import (
    ANDROID_VALUES,
    MAX_NAMESAKES,
    MAX_READ,
    is_of_schema,
    mention_of,
)
from context_pack.redaction import redact
from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from contracts.records import Why
from index.search.spelling import is_code_name
from index.types import Scored

if TYPE_CHECKING:
    from context_pack.io.changes import Changes

# The name that a line of a file of resources declares; translations repeat it.
_RESOURCE = lazy_regex(r"<[\w-]++\s[^<>\n]{0,400}?\bname=\"(\w{4,80})\"")
MAX_OLD_FILES = 50  # files whose old text is searched for removed symbols
MAX_REMOVED = 20  # removed symbols that are searched for
MAX_CHECKED = 200  # removed or replaced names that are looked up: a change may move thousands of keys
_WORD = lazy_regex(r"(?<![\w$])[A-Za-z_]\w{3,80}(?![\w$])")
MIN_FILES, MIN_FILES_OF_WORD = 2, 3  # that a change replaces a name in, and one that prose spells so, too
MAX_REPLACED = 5  # such names, those of the most files first
MAX_LEFT = 12  # chunks that still contain one: more were not meant to change
SHORTEST_NAME = 4  # shorter names appear in too many places that mean something else


@frozen
class FormerDefinition:
    """A definition on a line that the change removed from a file."""

    file: ChangedFile
    name: str
    qualified: str
    is_field: bool


def former_definitions(changes: Changes) -> list[FormerDefinition]:
    """The definitions on removed lines whose names are telling and no secrets."""
    from chunker.api import chunk_file

    former = list[FormerDefinition]()
    files = [file for file in changes.files if file.removed or (file.state == "deleted" and file.hunks)]
    for file in files[:MAX_OLD_FILES]:
        old = chunk_file(changes.before(file) or b"", file.was or file.path, fields=True)
        definitions = [*old.definitions, *(one for one in old.minor if one.kind in VALUES)]
        fields = [one for one in old.fields if is_code_name(one.name)]
        removed = {line for first, last in file.removed for line in range(first, last + 1)}
        for place, one in enumerate((*definitions, *fields)):
            if one.line in removed and len(one.name) >= SHORTEST_NAME and not redact(one.name).counts:
                former.append(FormerDefinition(file, one.name, one.qualified, place >= len(definitions)))
    return former


def removed_names(corpus: Corpus, changes: Changes, former: Iterable[FormerDefinition]) -> dict[str, str]:
    """Names whose definition the change removed and that nothing else defines, each with the file that defined it."""
    names: dict[str, tuple[str, bool]] = {}
    for one in former:
        path = one.file.was or one.file.path
        of_schema = is_of_schema(path)  # what generated code implements remains
        others = corpus.namesakes(one.name, limit=MAX_NAMESAKES if of_schema else 1)
        if not any(not of_schema or is_of_schema(other.file) for other in others):
            names.setdefault(one.name, (path, one.is_field))
    for file in changes.files:
        names.update((name, (file.path, False)) for name in _gone_resources(corpus, changes, file))
    checked = sorted(names.items(), key=lambda one: (one[1][1], one[0]))[:MAX_CHECKED]  # symbols before fields
    gone = ((name, path) for name, (path, is_field) in checked if not (is_field and corpus.fields(name)))
    return dict(sorted(islice(gone, MAX_REMOVED)))


def replaced_names(corpus: Corpus, changes: Changes, lines: Iterable[str]) -> dict[str, str]:
    """Names that a change replaces in several files and that few places still have, each with the number of the files:
    the place that such a change left out has no edge to the others. `lines` are the changed ones as they are now."""
    counts = Counter[str]()
    for file in changes.files:
        if file.state == "modified":
            counts.update({word for hunk in file.hunks for line in hunk.removed for word in _WORD.findall(line)})
    several = [word for word, count in counts.items() if count >= MIN_FILES]
    here = {word for line in lines for word in _WORD.findall(line)} if several else set()
    gone = sorted((word for word in several if word not in here), key=lambda word: (-counts[word], word))
    names = dict[str, str]()
    for word in gone[:MAX_CHECKED]:
        is_often = counts[word] >= (MIN_FILES if is_code_name(word) else MIN_FILES_OF_WORD)
        if is_often and 0 < len(corpus.naming(word)) <= MAX_LEFT and not redact(word).counts:
            names[word] = f"{counts[word]} files"
        if len(names) == MAX_REPLACED:
            break
    return names


def _gone_resources(corpus: Corpus, changes: Changes, file: ChangedFile) -> set[str]:
    """The names of resources of an Android app that the change no longer declares in a file of values."""
    if not ANDROID_VALUES.search(file.path):
        return set()
    rows = (changes.before(file) or b"").decode("utf-8", "replace").split("\n")
    removed = (row for first, last in file.removed for row in rows[first - 1 : last])
    added = [row for hunk in file.hunks for row in hunk.added]
    now = () if file.ahead or file.state == "deleted" else map(corpus.chunk, corpus.chunks_of_file(file.path))
    left = {name for text in (*added, *(row.text for row in now)) for name in _RESOURCE.findall(text)}
    names = {name for row in removed for name in _RESOURCE.findall(row)} - left
    return {name for name in names if not redact(name).counts}


def mentions(corpus: Corpus, removed: Mapping[str, str], best: float = 1.0) -> list[Scored]:
    """The chunks that still name something removed, ordered by the name, with the lines that do.

    Of a name of a schema that code still defines, those in another case: the name itself means that.
    """
    places = list[Scored]()
    for name, file in removed.items():
        why = Why("names_removed", 1.0, 1.0, f"{name}, removed from {file}")
        holds = mention_of(name, file, other=bool(corpus.namesakes(name, limit=1)))
        rows = map(corpus.chunk, corpus.naming(name)[:MAX_READ])
        lines = ((row.number, lines_naming(row, holds)) for row in rows)
        places += [primary(number, why, own, best) for number, own in lines if own]
    return places


def imports(corpus: Corpus, changes: Changes, shown: Callable[[str], str]) -> list[Scored]:
    """The chunks that import a file that the change renamed or removed, each once, with the statements' lines."""
    former = {
        file.was or file.path: file.path if file.ahead or file.state != "deleted" else ""
        for file in changes.files
        if file.state == "deleted" or file.was not in ("", file.path)
    }
    lines: dict[int, list[Lines]] = {}
    files: dict[int, str] = {}
    for was, place in corpus.importers(former):
        first, last = place.first or 1, place.last or 1
        rows = (corpus.chunk(number) for number in corpus.chunks_of_file(place.file))
        row = next((row for row in rows if row.start_line <= first <= row.end_line), None)
        if row is not None:
            lines.setdefault(row.number, []).append((first, min(last, row.end_line)))
            files.setdefault(row.number, was)
    return [
        primary(number, Why("imports_removed", 1.0, 1.0, shown(file)), tuple(lines[number][:MAX_NAMING]))
        for number, file in files.items()
    ]


def reason_names(places: Sequence[Scored]) -> list[str]:
    """The names in the reasons of some places, each once."""
    return list(dict.fromkeys(why.detail.partition(",")[0] for place in places for why in place.why))
