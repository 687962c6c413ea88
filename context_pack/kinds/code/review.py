"""The question for a reviewer of a change: the changed places, then those that still name something removed.

The graph adds callers, tests and contracts of these places, as it does for every other primary item.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from chunker.languages.table import LANGUAGES, rules_of
from context_pack.core.text import lines_naming, outside_comments, whole_word
from context_pack.io.changes import Changes, reading_rank
from context_pack.io.line_ends import without_line_ends
from context_pack.io.patches import ChangedFile, Hunk, Lines
from context_pack.kinds.code.beside import beside
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.packing.forms import COMMENTS, declaration
from context_pack.kinds.code.removed import (
    imports,
    mentions,
    reason_names,
    removed_names,
    replaced_names,
)
from context_pack.kinds.code.selection import HUNK_SHARE, Question, primary
from context_pack.kinds.code.ties.mentions import mention_of
from context_pack.kinds.code.ties.users import MAX_FOLLOWED, overriders_of, users_of
from context_pack.options.resolve import Settings
from context_pack.options.spec import MAX_ITEMS
from context_pack.redaction import Redactor
from context_pack.render.changed import Change
from context_pack.render.phrases import counted, first_of
from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from contracts.records import Diff, Hint, HintType, HunkText, Why
from index.search.scope import distinct
from index.text import indentation
from index.types import EXACT_SCORE, RANKED_SCORE, ChunkRow, Follow, Scored, SymbolRow, Tie

RANKED = 1_000  # best chunks for the text: their order says which changes the text means
STEER_CHARS = 4_000  # of the text, names and changed lines that rank related items and the lines of cut items
NAMED = 10  # names in a hint
MAX_PINNED = 30  # changed lines of a place that every form shows; if more changed, none is pinned
# Ties to code that must follow a changed signature; they come before all other ties.
FOLLOWERS = {
    "called_by": "calls", "overridden_by": "overrides", "implemented_by": "implements", "overrides": "declares",
}  # fmt: skip
MAX_FOLLOWERS = 20
MAX_OF_NEW = 3  # places of a new file before those of other files: it may be a copy of a library
IN_PROSE = (False, 2)  # the least rank of a mention outside comments that is not in code or tests
MAX_AHEAD, MAX_MISSED = 3, 8  # changed places before those that the change missed, and of these before all other ones
MAX_READERS = 5  # places that read one changed value
MAX_OF_SETTING = 20  # hits of a search for a setting
# A flag, or a name as only variables of the environment and constants have it.
_SETTING = lazy_regex(r"(?<![\w-])--[a-z][\w-]{2,60}|(?<!\w)[A-Z][A-Z0-9]{0,60}_[A-Z0-9_]{1,60}(?!\w)")
_READ_BY_KEY = r"(?:[\w\])]\[|\w:|(?:bool|duration|dig|env|fetch|get|int|read|string|value)\w*\()\s*[\"']{}[\"',]"
MIN_HUNK_CHARS = 200  # least room for the removed lines of one item
MAX_SIGNATURES = 10  # changed signatures that are followed
MAX_DECLARED = 100  # changed definitions, of which some may be methods without a body


@frozen
class _ChangedChunk:
    """A changed chunk, the number and the place of its changed lines, and whether its signature changed.

    If lines were only removed next to the chunk, `changed` is 0 and `lines` are the lines nearest to them.
    """

    row: ChunkRow
    file: ChangedFile
    changed: int
    lines: tuple[int, ...]
    signature: bool = False


def review(corpus: Corpus, changes: Changes, text: str, settings: Settings, redactor: Redactor) -> Question:
    """The changed places, first those that the text means, then code before tests before everything else."""
    shown, passes = redactor.path, corpus.allowed(settings.filters)
    count = len(changes.files)
    changes, unchanged = _without_line_ends(corpus, changes)
    rows = {file.path: [corpus.chunk(number) for number in corpus.chunks_of_file(file.path)] for file in changes.files}
    touched = {file.path: list(_touches(rows[file.path], file)) for file in changes.files}
    places = [
        place
        for file in changes.files
        for place in _places(rows[file.path], touched[file.path], file)
        if passes(place.row.number)
    ]
    ranked = corpus.search(text, top_k=RANKED, filters=settings.filters) if text.strip() else []
    by_text = {scored.chunk: number for number, scored in enumerate(ranked)}
    places = _ordered(corpus, places, by_text)
    replaced = replaced_names(corpus, changes, _changed_lines(places, of_new=True))
    removed = replaced | {name: shown(file) for name, file in removed_names(corpus, changes).items()}
    by_hand = (place.row for place in places if not corpus.is_generated(place.row.number))
    code = sum(_reading_rank(row) < 2 for row in by_hand) or len(places)
    changed = [_changed(place, shown) for place in places]
    readers = _readers(corpus, places, redactor, passes) if settings.related else []
    followers = [*_followers(corpus, places, settings, passes), *readers]
    named = mentions(corpus, removed, RANKED_SCORE if changed else 1.0)
    mentioned = [one for one in named if passes(one.chunk)]
    # Comments come last.
    ranks = {one.chunk: (_is_in_comments(corpus, one), _reading_rank(corpus.chunk(one.chunk))) for one in mentioned}
    mentioned.sort(key=lambda one: ranks[one.chunk])
    used = [one for one in mentioned if ranks[one.chunk] < IN_PROSE]
    imported = [one for one in imports(corpus, changes, shown) if passes(one.chunk)]
    missed = (*imported, *used)
    ahead = (*changed[: min(code, MAX_AHEAD)], *missed[:MAX_MISSED])
    ordered = distinct((*ahead, *changed[:code], *missed, *followers, *changed[code:], *mentioned))
    chosen = [
        replace(one, score=max(EXACT_SCORE if one.score == 1 else 0.0, one.score - 0.001 * rank))
        for rank, one in enumerate(ordered)
    ]
    added, gone = changes.counts
    change = Change(
        diff=Diff(changes.base, count, added, gone, changes.commit, changes.head),
        lines={shown(path): [lines for lines, changed in own if changed] for path, own in touched.items()},
        hunks={shown(file.path): _hunks(file, touched[file.path], redactor) for file in changes.files},
        hunk_chars=max(MIN_HUNK_CHARS, settings.max_chars // HUNK_SHARE),
    )  # fmt: skip
    notes = (
        *_hints(corpus, changes, bool(places), len(chosen), settings.primaries),
        *_named(("info", "Only the ends of lines have changed", unchanged),
                ("warn", "Removed, but still named", reason_names(mentioned)),
                ("warn", "Removed, but still imported", reason_names(imported))),
    )  # fmt: skip
    span = f"between {changes.base} and {changes.head}" if changes.head else f"since {changes.base}"
    hints = () if changes.files else (Hint("info", f"Nothing changed {span if changes.commit else 'in the patch'}."),)
    steer, first = _ranking_text(text, places, removed), chosen[: settings.primaries]
    question = Question(first, steer, notes=notes, hints=hints, title=text, change=change)
    firsts = {place.row.file: place.row for place in reversed(places)}
    files = {file.path: firsts.get(file.path) for file in changes.files}
    lines = [line for file in changes.files for hunk in file.hunks for line in (*hunk.removed, *hunk.added)]
    lines += _changed_lines(places, of_new=True)
    return replace(question, beside=beside(corpus, lines, files, first, steer, settings, redactor, ranked))


def _without_line_ends(corpus: Corpus, changes: Changes) -> tuple[Changes, list[str]]:
    """The changes without those of the ends of lines, and the paths of the files of which nothing else has changed."""
    files, unchanged = list[ChangedFile](), list[str]()
    for file in changes.files:
        has_both_sides = any(hunk.count and (hunk.removed or hunk.added) for hunk in file.hunks)
        text = corpus.file_text(file.path) if has_both_sides else None
        rest = file if text is None else without_line_ends(file, text)
        if rest.hunks or not file.hunks or file.lost or file.state != "modified":
            files.append(rest)
        else:
            unchanged.append(file.path)
    return replace(changes, files=tuple(files)), unchanged


def _places(
    rows: Sequence[ChunkRow], touches: Sequence[tuple[Lines, bool]], file: ChangedFile
) -> Iterator[_ChangedChunk]:
    """The chunks that a change touched: all chunks of a new file, the first one of a file that was only renamed."""
    if file.is_new or not (file.hunks or file.lost):
        for row in rows if file.is_new else rows[:1]:
            yield _ChangedChunk(row, file, row.end_line - row.start_line + 1, ())
        return
    for row in rows:
        ranges = [(max(start, row.start_line), min(end, row.end_line), own) for (start, end), own in touches]
        if lines := [line for start, end, _ in ranges for line in range(start, end + 1)]:
            changed = sum(end - start + 1 for start, end, own in ranges if own and start <= end)
            yield _ChangedChunk(row, file, changed, tuple(lines), _is_signature_changed(row, file.hunks))


def _touches(rows: Sequence[ChunkRow], file: ChangedFile) -> Iterator[tuple[Lines, bool]]:
    """The lines that each hunk touched, or all lines of an untracked file, and whether the chunk around them changed.

    Lines that were only removed belong to the chunk around them, to the one after them if they were its decorators or
    comments, or to the one before them, which changed if they were indented deeper than its start.
    """
    if file.is_new and not file.hunks:
        yield from (((row.start_line, row.end_line), True) for row in rows)
    for hunk, (first, last) in zip(file.hunks, file.lines, strict=True):
        before = [row for row in rows if row.start_line <= first]
        is_inside = any(row.end_line >= last for row in before)
        if hunk.count or is_inside or not rows:
            yield (first, last), True
        elif _is_head(hunk) and any(row.start_line == last for row in rows):
            yield (last, last), True
        elif before:
            depth = next((indentation(line) for line in hunk.removed if line.strip()), 0)
            yield (before[-1].end_line,) * 2, depth > indentation(before[-1].text)
        else:
            yield (rows[0].start_line,) * 2, False


def _is_head(hunk: Hunk) -> bool:
    """Whether the removed lines end in a decorator or a comment."""
    return bool(hunk.removed) and hunk.removed[-1].lstrip().startswith((*COMMENTS, "@", "["))


def _is_signature_changed(row: ChunkRow, hunks: Sequence[Hunk]) -> bool:
    """Whether the declaration of a symbol that existed before has changed."""
    if row.signature is None or not row.symbol:
        return False
    lines = row.text.split("\n")
    first, last = declaration(lines, row.start_line, row.signature[0], row.signature)
    name = row.symbol.rpartition(".")[2]
    for hunk in hunks:
        start, end = (hunk.line, hunk.line + hunk.count - 1) if hunk.count else (hunk.line + 1, hunk.line)
        if start > last or end < first or (not hunk.count and start == first):
            continue
        old = "\n".join(hunk.removed or lines[max(0, start - row.start_line) : end - row.start_line + 1])
        if start > first or whole_word(name)(old):
            return start > first or bool(hunk.old_count)
    return False


def _followers(
    corpus: Corpus, places: Sequence[_ChangedChunk], settings: Settings, passes: Callable[[int], bool]
) -> list[Scored]:
    """The callers, overrides and implementations of symbols with a changed signature, at the lines that name them.

    A declaration that such a symbol overrides no longer fits it, and its callers and other overrides follow.
    """
    changed = {place.row.number for place in places}
    signatures = [place.row.number for place in places if place.signature][:MAX_SIGNATURES]
    ties = _ties(corpus, signatures, settings)
    declared = [tie.chunk for tie in ties if tie.labels[0] == "overrides" and tie.chunk not in changed]
    rows = [row for place in places for row in _changed_symbols(corpus, place)][:MAX_DECLARED]
    names = {row.name for row in rows}
    overriders = filter(lambda tie: passes(tie.chunk), overriders_of(corpus, rows, names) if settings.related else ())
    followers: dict[int, Scored] = {}
    for tie in (*ties, *_ties(corpus, declared, settings), *overriders):
        if tie.chunk not in changed and tie.chunk not in followers:
            is_overrider = tie.labels[0] == "overridden_by"
            name = (corpus.chunk(tie.chunk if is_overrider else tie.source).symbol or "").rpartition(".")[2]
            why = Why("signature_changed", 1.0, 1.0, f"{FOLLOWERS[tie.labels[0]]} {name}")
            lines = lines_naming(corpus.chunk(tie.chunk), whole_word(name))
            followers[tie.chunk] = primary(tie.chunk, why, lines, RANKED_SCORE)
    return list(followers.values())


def _readers(
    corpus: Corpus, places: Sequence[_ChangedChunk], redactor: Redactor, passes: Callable[[int], bool]
) -> list[Scored]:
    """The code that reads the constants, variables, fields and settings whose lines have changed, at these lines."""
    changed = {place.row.number for place in places}
    values = (row for place in places for row in _changed_symbols(corpus, place))
    readers = list[tuple[str, int, Sequence[Lines]]]()
    for row in islice(values, MAX_SIGNATURES):
        holds = mention_of(row.name, row.file)
        ties = [tie for tie in users_of(corpus, [row]) if passes(tie.chunk)][:MAX_READERS]
        readers += [(row.name, tie.chunk, lines_naming(corpus.chunk(tie.chunk), holds)) for tie in ties]
        is_of_tool = "/." in f"/{row.file}"  # `.golangci.yml`: the repository's own code reads none of its words
        is_key = LANGUAGES[corpus.chunk(row.chunk).language].keys and not (ties or is_of_tool)
        readers += _code_with(corpus, row.name, passes) if is_key else []
    for text in islice(dict.fromkeys(name for place in places for name in _settings(place)), MAX_SIGNATURES):
        readers += _code_with(corpus, text, passes)
    scored = list[Scored]()
    for name, chunk, lines in readers:
        why = Why("value_changed", 1.0, 1.0, f"reads {redactor.name(name)}")
        reader = primary(chunk, why, tuple(lines), RANKED_SCORE)
        if chunk not in changed and not (reader.lines and _is_in_comments(corpus, reader)):
            scored.append(reader)
    return scored


def _settings(place: _ChangedChunk) -> Iterator[str]:
    """The flags and the variables of the environment on the changed lines of data and scripts."""
    if (rules_of(place.row.language).graph and place.row.language != "bash") or rules_of(place.row.language).prose:
        return
    for number, line in enumerate(place.row.text.split("\n"), place.row.start_line):
        yield from _SETTING.findall(line) if number in place.lines else ()


def _code_with(corpus: Corpus, name: str, passes: Callable[[int], bool]) -> list[tuple[str, int, Sequence[Lines]]]:
    """(name, chunk, lines) of the code that a query for a setting finds, of a plain word the code that reads it by this
    key (`config["timeout"]`); none if there is too much: the text is then no name of a setting."""
    is_word = name.isalpha()
    reads = lazy_regex(_READ_BY_KEY.format(re.escape(name)))
    hits = corpus.search(f'"{name}"' if is_word else name, top_k=MAX_OF_SETTING, order="pack")
    exact = [hit for hit in hits if hit.score >= EXACT_SCORE and hit.lines and passes(hit.chunk)]
    rows = ((hit, corpus.chunk(hit.chunk)) for hit in exact)
    code = [hit for hit, row in rows if rules_of(row.language).graph and (not is_word or reads.search(row.text))]
    return [(name, hit.chunk, hit.lines) for hit in code] if len(code) <= MAX_READERS else []


def _changed_symbols(corpus: Corpus, place: _ChangedChunk) -> list[SymbolRow]:
    """The definitions and fields of a chunk whose lines have changed; those beside removed lines have not."""
    defined = [] if place.file.is_new else corpus.defined_at(place.row.number, minor=True)
    hunks = zip(place.file.hunks, place.file.lines, strict=True)
    lines = {line for hunk, (first, last) in hunks if hunk.count for line in range(first, last + 1)}
    return [row for row in defined if row.line in lines or (len(defined) == 1 and place.changed)]


def _changed_lines(places: Sequence[_ChangedChunk], *, of_new: bool = False) -> Iterator[str]:
    """The lines of the tree that the change touched; `of_new`: those of new files, too."""
    for place in places:
        for number, line in enumerate(place.row.text.split("\n"), start=place.row.start_line):
            if number in place.lines or (of_new and place.file.is_new):
                yield line


def _ties(corpus: Corpus, chunks: Sequence[int], settings: Settings) -> Sequence[Tie]:
    """The followers of symbols: code before tests, which may be the most and the heaviest."""
    follow = Follow(MAX_FOLLOWED, 1, tuple(FOLLOWERS))
    ties = corpus.related(chunks, "", follow, filters=settings.filters) if chunks and settings.related else []
    return sorted(ties, key=lambda tie: corpus.is_test(tie.chunk))[:MAX_FOLLOWERS]


def _hunks(
    file: ChangedFile, touches: Sequence[tuple[Lines, bool]], redactor: Redactor
) -> list[tuple[Lines, HunkText]]:
    """The lines of the change that the file does not contain, each hunk with the range of lines around it."""
    texts = []
    for hunk, (around, _) in zip(file.hunks, touches, strict=False):
        line = hunk.line if hunk.count else hunk.line + 1
        old, new = (
            redactor.text("\n".join(lines), file.path, piece=True) if lines else None
            for lines in (hunk.removed, hunk.added)
        )
        if old is not None or new is not None:
            texts.append((around, HunkText(max(1, line), old, new)))
    return texts


def _ordered(corpus: Corpus, places: Sequence[_ChangedChunk], by_text: Mapping[int, int]) -> list[_ChangedChunk]:
    """The places in the order of a reader: generated files come last, and of their rank all but a few places of a new
    file."""

    def rank(place: _ChangedChunk) -> int:
        return by_text.get(place.row.number, RANKED)

    counts, late = Counter[str](), set[int]()
    ordered = sorted(places, key=lambda place: _order(place, rank(place)))
    for place in ordered:
        counts[place.row.file] += 1
        if place.file.is_new and counts[place.row.file] > MAX_OF_NEW:
            late.add(place.row.number)

    def order(place: _ChangedChunk) -> tuple[bool, int, int, bool]:
        number = place.row.number
        return corpus.is_generated(number), rank(place), _reading_rank(place.row), number in late

    return sorted(ordered, key=order)


def _order(place: _ChangedChunk, rank: int) -> tuple[int, int, bool, bool, int, str, int]:
    """Total order: rank for the text, code before tests before the rest, changed signatures first, symbols first, many
    changed lines before few, place.
    """
    row = place.row
    return (rank, _reading_rank(row), not place.signature, row.symbol is None, -place.changed, row.file, row.number)


def _reading_rank(row: ChunkRow) -> int:
    return reading_rank(row.file, row.language)


def _is_in_comments(corpus: Corpus, mention: Scored) -> bool:
    return not outside_comments(corpus.chunk(mention.chunk), [line for line, _ in mention.lines])


def _changed(place: _ChangedChunk, shown: Callable[[str], str]) -> Scored:
    lines = tuple((line, line) for line in place.lines) if len(place.lines) <= MAX_PINNED else ()
    signature = ", signature" if place.signature else ""
    was = f" from {shown(place.file.was)}" if place.file.was else ""
    lines_changed = counted(place.changed, "line") if place.changed else "next to removed lines"
    detail = f"{place.file.state}{was}, {lines_changed}{signature}"
    why = Why("changed", float(place.changed), float(place.changed), detail)
    return primary(place.row.number, why, lines)


def _ranking_text(text: str, places: Sequence[_ChangedChunk], removed: Mapping[str, str]) -> str:
    """The words of the change: the text, the names, and as many of the changed lines as there is room for."""
    names = [place.row.symbol for place in places if place.row.symbol]
    return "\n".join([text, *dict.fromkeys(names), *removed, *_changed_lines(places)])[:STEER_CHARS]


def _hints(corpus: Corpus, changes: Changes, passed: bool, count: int, limit: int) -> Iterator[Hint]:
    deleted = [file.path for file in changes.files if file.state == "deleted"]
    unseen = [file.path for file in changes.files if file.state != "deleted" and not corpus.chunks_of_file(file.path)]
    lost = [file.path for file in changes.files if file.lost]
    missing = f"neither the old nor the new lines of {counted(sum(file.lost for file in changes.files), 'hunk')}"
    causes = "empty, binary, ignored or too large" if changes.commit else "not in this tree, binary, ignored"
    renamed = [f"{file.was} is now {file.path}" for file in changes.files if file.was and file.was != file.path]
    ahead = [file.path for file in changes.files if file.ahead]
    yield from _named(
        ("info", "Renamed", renamed),
        ("info", "The patch is not applied here, so these files are shown without it", ahead),
        ("warn", f"The files contain {missing}", lost),
        ("info", "Deleted", deleted),
        ("info", f"Changed, but not indexed ({causes})", unseen),
    )
    if not passed and not lost and len(deleted) + len(unseen) < len(changes.files):
        yield Hint("info", "No changed place passes the filters. Loosen include, exclude, language or no_docs.")
    if count > limit:
        filters = "choose with TEXT, --include or --exclude"
        advice = filters if count > MAX_ITEMS else f"--limit {count} selects all of them"
        yield Hint("action", f"{count} places changed and the first {limit} were selected; {advice}")


def _named(*rows: tuple[HintType, str, Sequence[str]]) -> Iterator[Hint]:
    """A hint for each (type, text, names) with names: the text and the first names."""
    return (Hint(kind, f"{text}: {first_of(names, NAMED)}.") for kind, text, names in rows if names)
