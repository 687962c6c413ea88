"""The question for a reviewer of a change: the changed places, then those that still name something removed.

The graph adds callers, tests and contracts of these places, as it does for every other primary item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from context_pack.io.changes import Changes
from context_pack.io.line_ends import without_line_ends
from context_pack.io.moves import Move, without_moves
from context_pack.io.patches import ChangedFile, Lines
from context_pack.kinds.code.change.beside import beside
from context_pack.kinds.code.change.branches import branches
from context_pack.kinds.code.change.followers import followers, readers
from context_pack.kinds.code.change.missed import missed_by
from context_pack.kinds.code.change.places import (
    RANKED,
    ChangedChunk,
    changed_hit,
    changed_lines,
    in_reading_order,
    moved_hits,
    places_of,
    rank_of,
    rows_at,
    touches,
)
from context_pack.kinds.code.change.removed import reason_names, replaced_names
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import HUNK_SHARE, Question
from context_pack.options.resolve import Settings
from context_pack.options.spec import MAX_ITEMS
from context_pack.redaction import Redactor
from context_pack.render.changed import Change
from context_pack.render.phrases import counted, first_of
from contracts.records import Diff, Hint, HintType, HunkText
from index.search.scope import distinct
from index.types import EXACT_SCORE, RANKED_SCORE, ChunkRow, Scored

STEER_CHARS = 4_000  # of the text, names and changed lines that rank related items and the lines of cut items
NAMED = 10  # names in a hint
MAX_AHEAD, MAX_MISSED = 3, 8  # changed places before those that the change missed, and of these before all other ones
CONFLICT = ("<<<<<<< ", ">>>>>>> ")  # how git marks both ends of one
MIN_HUNK_CHARS = 200  # least room for the removed lines of one item


def review(corpus: Corpus, changes: Changes, text: str, settings: Settings, redactor: Redactor) -> Question:
    """The changed places, first those that the text means, then code before tests before everything else."""
    shown, passes = redactor.path, corpus.allowed(settings.filters)
    count = len(changes.files)
    whole, unchanged = _without_line_ends(corpus, changes)
    rows = {file.path: [corpus.chunk(number) for number in corpus.chunks_of_file(file.path)] for file in whole.files}
    changes, moves = _without_moves(corpus, whole, rows)
    touched = {file.path: list(touches(rows[file.path], file)) for file in changes.files}
    places = [
        place
        for file in changes.files
        for place in places_of(rows[file.path], touched[file.path], file)
        if passes(place.row.number)
    ]
    ranked = corpus.search(text, top_k=RANKED, filters=settings.filters) if text.strip() else []
    places = in_reading_order(corpus, places, {scored.chunk: number for number, scored in enumerate(ranked)})
    by_hand = (place.row for place in places if not corpus.is_generated(place.row.number))
    code = sum(rank_of(row) < 2 for row in by_hand) or len(places)
    changed = [changed_hit(corpus, place, shown) for place in places]
    numbers = {place.row.number for place in places}
    last = [one for one in moved_hits(corpus, moves, numbers, shown) if passes(one.chunk)]
    replaced = replaced_names(corpus, changes, changed_lines(places, of_new=True))
    missed = missed_by(corpus, whole, replaced, passes, shown, RANKED_SCORE if changed else 1.0)
    follow = [
        *branches(corpus, places, passes), *followers(corpus, places, settings, passes),
        *readers(corpus, places, settings, redactor, passes),
    ]  # fmt: skip
    ahead = (*changed[: min(code, MAX_AHEAD)], *missed.in_code[:MAX_MISSED])
    ordered = (*ahead, *changed[:code], *missed.in_code, *follow, *changed[code:], *last, *missed.mentions)
    chosen = _with_falling_scores(ordered)
    notes = (
        *_hints(corpus, whole, bool(changed or last), len(chosen), settings.primaries),
        *_named(("info", "Only the ends of lines have changed", unchanged),
                ("info", "Moved", [_move_text(move, shown) for move in moves]),
                ("warn", "Removed, but still named", reason_names(missed.mentions)),
                ("warn", "Removed, but still imported", reason_names(missed.imports)),
                ("warn", "Moved, but still used where they were", reason_names(missed.uses))),
    )  # fmt: skip
    span = f"between {changes.base} and {changes.head}" if changes.head else f"since {changes.base}"
    hints = () if whole.files else (Hint("info", f"Nothing changed {span if changes.commit else 'in the patch'}."),)
    steer, first = _ranking_text(text, places, missed.names), chosen[: settings.primaries]
    firsts = {place.row.file: place.row for place in reversed(places)}
    files = {file.path: firsts.get(file.path) for file in changes.files}
    lines = [line for file in changes.files for hunk in file.hunks for line in (*hunk.removed, *hunk.added)]
    lines += changed_lines(places, of_new=True)
    ties = beside(corpus, lines, files, first, steer, settings, redactor, ranked)
    change = _change(changes, count, touched, settings, redactor)
    return Question(first, steer, notes=notes, hints=hints, title=text, change=change, beside=ties)


def _with_falling_scores(places: Iterable[Scored]) -> list[Scored]:
    """The places in their order, each once and with a lower score than the one before it."""
    return [
        replace(one, score=max(EXACT_SCORE if one.score == 1 else 0.0, one.score - 0.001 * rank))
        for rank, one in enumerate(distinct(places))
    ]


def _change(
    changes: Changes, count: int, touched: Mapping[str, Sequence[tuple[Lines, bool]]], settings: Settings,
    redactor: Redactor,
) -> Change:  # fmt: skip
    """The change of `count` files as its pack shows it."""
    shown, (added, gone) = redactor.path, changes.counts
    return Change(
        diff=Diff(changes.base, count, added, gone, changes.commit, changes.head),
        lines={shown(path): [lines for lines, changed in own if changed] for path, own in touched.items()},
        hunks={shown(file.path): _hunks(file, touched[file.path], redactor) for file in changes.files},
        hunk_chars=max(MIN_HUNK_CHARS, settings.max_chars // HUNK_SHARE),
    )


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


def _without_moves(
    corpus: Corpus, changes: Changes, rows: Mapping[str, Sequence[ChunkRow]]
) -> tuple[Changes, list[Move]]:
    """The changes without lines that have moved, and without the files that have no other changes; and the moves.

    `rows` are the chunks of each file.
    """

    def symbol_at(path: str, line: int) -> str | None:
        return next((row.symbol for row in rows_at(rows[path], line, line)), None)

    files, moves = without_moves(changes.files, corpus.file_text, symbol_at)
    pairs = zip(files, changes.files, strict=True)
    rest = tuple(file for file, whole in pairs if file is whole or file.hunks) if moves else files
    return replace(changes, files=rest), moves


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


def _move_text(move: Move, shown: Callable[[str], str]) -> str:
    first, last = move.lines
    return f"{shown(move.was)}:{move.was_line} is now {shown(move.path)}:{first}-{last}"


def _ranking_text(text: str, places: Sequence[ChangedChunk], removed: Mapping[str, str]) -> str:
    """The words of the change: the text, the names, and as many of the changed lines as there is room for."""
    names = [place.row.symbol for place in places if place.row.symbol]
    return "\n".join([text, *dict.fromkeys(names), *removed, *changed_lines(places)])[:STEER_CHARS]


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
        (
            "warn",
            "Conflicts that are not resolved",
            [file.path for file in changes.files if _has_conflict(corpus, file)],
        ),
        ("info", "Deleted", deleted),
        ("info", f"Changed, but not indexed ({causes})", unseen),
    )
    if not passed and not lost and len(deleted) + len(unseen) < len(changes.files):
        yield Hint("info", "No changed place passes the filters. Loosen include, exclude, language or no_docs.")
    if count > limit:
        filters = "choose with TEXT, --include or --exclude"
        advice = filters if count > MAX_ITEMS else f"--limit {count} selects all of them"
        yield Hint("action", f"{count} places changed and the first {limit} were selected; {advice}")


def _has_conflict(corpus: Corpus, file: ChangedFile) -> bool:
    """Whether the lines of a change have the marks of a conflict at both ends."""
    text = None if file.ahead or file.state == "deleted" or not file.hunks else corpus.file_text(file.path)
    if text is None or not all(f"\n{mark}" in f"\n{text}" for mark in CONFLICT):
        return False
    lines = text.split("\n")
    changed = "\n".join("\n".join(["", *lines[first - 1 : last]]) for first, last in file.lines)
    return all(f"\n{mark}" in changed for mark in CONFLICT)


def _named(*rows: tuple[HintType, str, Sequence[str]]) -> Iterator[Hint]:
    """A hint for each (type, text, names) with names: the text and the first names."""
    return (Hint(kind, f"{text}: {first_of(names, NAMED)}.") for kind, text, names in rows if names)
