"""What a reviewer of a change asks for: the places that changed, then whoever still names what was removed.

Callers, tests and contracts of these places come by the graph, as they do for every other primary item.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunker.languages.table import LANGUAGES
from context_pack.io.changes import ChangedFile, Changes, Lines, old_text
from context_pack.options.spec import MAX_ITEMS
from context_pack.redaction import redact
from contracts.records import Diff, Hint, Why
from index.graph.test_paths import is_test_path
from index.types import ChunkRow, Filters, Scored

if TYPE_CHECKING:
    from context_pack.kinds.code.corpus import Corpus
    from context_pack.options.resolve import Settings
    from index.tree.ignore import Rules

RANKED = 1_000  # of the chunks that match a text, its order tells which change it means
MAX_OLD_FILES = 50  # files whose old text is read for symbols that are gone
MAX_REMOVED = 20  # removed symbols that are looked for
MENTIONS = 10  # places looked at for each of them
SHORTEST_NAME = 4  # a shorter name is found in too many places that mean something else
STEER_CHARS = 4_000  # of the changed lines: what they say decides what is related and which lines of a cut item stay
MAX_NAMED = 10  # files named in a hint


@dataclass(frozen=True, slots=True)
class Review:
    """The primary items for a change, what they are about, and what the reader should know beside the pack."""

    primaries: list[Scored]
    steer: str
    diff: Diff
    lines: Mapping[str, tuple[Lines, ...]]
    hints: tuple[Hint, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """A chunk that changed, and how many of its lines did."""

    row: ChunkRow
    file: ChangedFile
    changed: int
    lines: tuple[int, ...]


def review(
    corpus: Corpus, changes: Changes, text: str, settings: Settings, shown: Callable[[str], str] = str
) -> Review:
    """The changed places, the ones that the text means first, then code before tests before everything else.

    `shown` is how a path is shown to readers.
    """
    passes = _filter(settings.filters)
    places = [place for file in changes.files for place in _places(corpus, file) if passes(place.row)]
    ranked = corpus.search(text, top_k=RANKED, filters=settings.filters) if text.strip() else []
    by_text = {scored.chunk: number for number, scored in enumerate(ranked)}
    places.sort(key=lambda place: _order(place, by_text.get(place.row.number, RANKED)))
    changed = [(place.row.number, _why_changed(place, shown)) for place in places]
    removed = {name: shown(file) for name, file in _removed(corpus, changes).items()}
    taken = {number for number, _ in changed}
    mentions = [pair for pair in _mentions(corpus, removed, settings.filters) if pair[0] not in taken]
    chosen = (changed + mentions)[: settings.primaries]
    added, gone = changes.counts
    lines = {shown(file.path): file.lines or _all_lines(places, file) for file in changes.files}
    return Review(
        primaries=[_scored(number, why, rank) for rank, (number, why) in enumerate(chosen)],
        steer=_steer(text, places, removed),
        diff=Diff(changes.base, changes.commit, len(changes.files), added, gone, changes.head),
        lines=lines,
        hints=(*_hints(corpus, changes, bool(places)), *_beyond(len(changed) + len(mentions), settings.primaries)),
    )


def _places(corpus: Corpus, file: ChangedFile) -> Iterator[_Place]:
    """The chunks that a change touched; all of a new file, and the first of one that was only renamed."""
    rows = [corpus.chunk(number) for number in corpus.chunks_of_file(file.path)]
    if file.is_new or not file.hunks:
        for row in rows if file.is_new else rows[:1]:
            yield _Place(row, file, row.end_line - row.start_line + 1, ())
        return
    for row in rows:
        touched = [
            line for start, end in file.lines for line in range(max(start, row.start_line), min(end, row.end_line) + 1)
        ]
        if touched:
            yield _Place(row, file, len(touched), tuple(touched))


def _order(place: _Place, rank: int) -> tuple[int, int, bool, int, str, int]:
    """Total order: what the text means, code before tests before the rest, symbols, many lines before few, by place."""
    row = place.row
    return (rank, _sort_of_file(row), row.symbol is None, -place.changed, row.file, row.number)


def _sort_of_file(row: ChunkRow) -> int:
    language = LANGUAGES.get(row.language)
    if language is None or not language.symbols or language.prose:
        return 2
    return 1 if is_test_path(row.file) else 0


def _why_changed(place: _Place, shown: Callable[[str], str]) -> Why:
    was = f" from {shown(place.file.was)}" if place.file.was else ""
    many = f"{place.changed} line{'s' * (place.changed != 1)}"
    return Why("changed", float(place.changed), float(place.changed), f"{place.file.state}{was}, {many}")


def _scored(number: int, why: Why, rank: int) -> Scored:
    return Scored(number, max(0.5, 1 - 0.001 * rank), why.points, lambda: (why,))


def _all_lines(places: Sequence[_Place], file: ChangedFile) -> tuple[Lines, ...]:
    if not file.is_new:
        return ()
    return tuple((place.row.start_line, place.row.end_line) for place in places if place.file is file)


def _removed(corpus: Corpus, changes: Changes) -> dict[str, str]:
    """Names whose definition the change took away, and nothing else defines now, with the file that had it."""
    found: dict[str, str] = {}
    files = [file for file in changes.files if file.removed or (file.state == "deleted" and file.hunks)]
    for file in files[:MAX_OLD_FILES]:
        for name in _gone(corpus, changes.commit, file):
            found.setdefault(name, file.was or file.path)
    return dict(sorted(found.items())[:MAX_REMOVED])


def _gone(corpus: Corpus, commit: str, file: ChangedFile) -> Iterator[str]:
    from chunker.api import chunk_file

    path = file.was or file.path
    data = old_text(corpus.root, commit, path)
    for definition in chunk_file(data, path).definitions if data else ():
        touched = any(start <= definition.line <= end for start, end in file.removed)
        told = touched and len(definition.name) >= SHORTEST_NAME and not redact(definition.name).counts
        if told and not _defined(corpus, definition.name):
            yield definition.name


def _defined(corpus: Corpus, name: str) -> bool:
    return any(row.name == name for row in corpus.symbols(name, limit=RANKED))


def _mentions(corpus: Corpus, removed: Mapping[str, str], filters: Filters) -> list[tuple[int, Why]]:
    """The chunks that still name what was removed, each once."""
    found: dict[int, Why] = {}
    for name, file in removed.items():
        whole = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
        for scored in corpus.search(name, top_k=MENTIONS, filters=filters):
            if whole.search(corpus.chunk(scored.chunk).text):
                found.setdefault(scored.chunk, Why("names_removed", 1.0, 1.0, f"{name}, removed from {file}"))
    return list(found.items())


def _steer(text: str, places: Sequence[_Place], removed: Mapping[str, str]) -> str:
    """What the change is about, as words: the text, the names, and the changed lines as far as there is room."""
    names = [place.row.symbol for place in places if place.row.symbol]
    lines = [
        line
        for place in places
        for number, line in enumerate(place.row.text.split("\n"), start=place.row.start_line)
        if number in place.lines
    ]
    return "\n".join([text, *dict.fromkeys(names), *removed, *lines])[:STEER_CHARS]


def _filter(filters: Filters) -> _Filter:
    from index.tree.ignore import Rules

    include, exclude = (
        Rules([glob.encode() for glob in globs]) if globs else None for globs in (filters.include, filters.exclude)
    )
    languages = frozenset(language.lower() for language in filters.languages)
    return _Filter(include, exclude, languages, filters.docs == "skip")


@dataclass(frozen=True, slots=True)
class _Filter:
    """Whether a chunk passes the filters of a question."""

    include: Rules | None
    exclude: Rules | None
    languages: frozenset[str]
    no_docs: bool

    def __call__(self, row: ChunkRow) -> bool:
        path = row.file.encode()
        if self.include is not None and not self.include.matches(path):
            return False
        if self.exclude is not None and self.exclude.matches(path):
            return False
        language = LANGUAGES.get(row.language)
        if self.no_docs and language is not None and language.prose:
            return False
        return not self.languages or row.language in self.languages


def _hints(corpus: Corpus, changes: Changes, passed: bool) -> Iterator[Hint]:
    span = f"between {changes.base} and {changes.head}" if changes.head else f"since {changes.base}"
    if not changes.files:
        yield Hint("info", f"Nothing changed {span}.")
    deleted = [file.path for file in changes.files if file.state == "deleted"]
    if deleted:
        yield Hint("info", f"Deleted: {_named(deleted)}.")
    unseen = [file.path for file in changes.files if file.state != "deleted" and not corpus.chunks_of_file(file.path)]
    if unseen:
        yield Hint("info", f"Changed, but not indexed (empty, binary, ignored or too large): {_named(unseen)}.")
    if not passed and len(deleted) + len(unseen) < len(changes.files):
        yield Hint("info", "No changed place passes the filters. Loosen include, exclude, language or no_docs.")


def _named(paths: Sequence[str]) -> str:
    more = len(paths) - MAX_NAMED
    return ", ".join(paths[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def _beyond(count: int, limit: int) -> tuple[Hint, ...]:
    if count <= limit:
        return ()
    if count > MAX_ITEMS:
        advice = "a TEXT says which are meant, --include and --exclude where they are"
    else:
        advice = f"--limit {count} takes them all"
    return (Hint("action", f"{count} places changed, the first {limit} were selected: {advice}"),)
