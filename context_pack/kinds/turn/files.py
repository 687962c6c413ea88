"""Step 3: the files that matter for the goal, each with its purpose in words, its best lines and its hash."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from chunker.kinds import VALUES
from chunker.languages.detection import detect_language
from chunker.languages.table import rules_of
from context_pack.core.fit import Candidate
from context_pack.io.changes import reading_rank
from context_pack.io.globs import holds
from context_pack.io.patches import ChangedFile
from context_pack.kinds.turn.draft import TurnDraft
from context_pack.kinds.turn.excerpts import Spot, excerpts, lengths_for
from context_pack.kinds.turn.pack import Entry
from contracts.errors import InvalidRequest
from contracts.records import Why
from index.types import EXACT_SCORE, ChunkRow, Filters, Follow

if TYPE_CHECKING:
    from index import Index

CHUNKS_PER_FILE = 2  # hits of the search for the goal, per file that may be chosen; the best files have several
TOP_ENTITY_CHUNKS = 5
# A ranked hit with less than this share of the best one's score is there only because there is nothing better.
MIN_SHARE = 0.1
RANKED = 0.9  # strength of the best ranked hit; exact hits come before it
TIES_PER_CHUNK, TIE_DEPTH = 3, 2
MAX_PER_GLOB = 20  # files that one ownership glob makes relevant
# One file per this many tokens of the budget, about those of an excerpt, so that most chosen files can show one.
TOKENS_PER_FILE, MIN_FILES = 500, 8
SHARE_POWER = 2  # of a file's points in those of the best one: more of the lines to change are in the best files
MAX_WAYS = 3  # reasons in a purpose; the sidecar has all
PLACES_PER_FAILURE = 5
# Worth in an excerpt, in terms of the goal: a line of a chunk that was found, and the line of a failure. With 30, some
# seven lines on each side of it are worth more than any line about the goal.
HIT, FAILING = 3.0, 30.0
# Points and wording of each way to be relevant; a file's points are the sum of its ways, each counted once.
WAYS = {
    "failed": (1.0, "a failure names {}"),
    "goal": (1.0, "answers the goal: {}"),
    "entity": (0.9, "contains {}"),
    "changed": (0.5, "changed since the last turn ({})"),
    "graph": (0.4, "related to an answer: {}"),
    "imported_by_changed": (0.3, "used by {}, which changed"),
    "owned": (0.3, "owned as {}"),
    "tests_changed": (0.25, "tests {}, which changed"),
    "imports_changed": (0.2, "uses {}, which changed"),
}


class _Reasons(dict[str, dict[str, Why]]):
    """Why files are relevant, by file and by way: the strongest reason of each way; `spots` are the lines to show."""

    def __init__(self) -> None:
        self.spots: dict[str, list[Spot]] = {}

    def add(self, file: str, way: str, detail: str, strength: float = 1.0) -> float:
        """Add a way to be relevant; returns its points, which `strength` in 0..1 scales."""
        ways = self.setdefault(file, {})
        why = Why(way, round(strength, 6), round(WAYS[way][0] * strength, 6), detail)
        if way not in ways or why.points > ways[way].points:
            ways[way] = why
        return why.points

    def show(self, row: ChunkRow, way: str, detail: str, strength: float = 1.0) -> None:
        """Add a way by a chunk, which its file's excerpt prefers as much as the way has points."""
        points = self.add(row.file, way, detail, strength)
        self.spots.setdefault(row.file, []).append(Spot(row.start_line, row.end_line, HIT * points))


def relevant(
    draft: TurnDraft, code: Index | None, changes: Sequence[ChangedFile], shown: Mapping[str, Collection[int]],
    failures: Iterable[str], named: Collection[str], max_tokens: int,
) -> tuple[list[Entry], dict[str, float]]:  # fmt: skip
    """The files for a request, best first, and the points of every file with any.

    `shown` are the lines of changed files that their diffs show: no excerpt repeats them. `named` are files to leave
    out: those that the pack names already, and the call's own files.
    """
    reasons = _Reasons()
    ownership = draft.request.get("ownership", {})
    most = max(MIN_FILES, max_tokens // TOKENS_PER_FILE)
    changed = {change.path: change for change in changes if change.state != "deleted"}
    for path, change in changed.items():
        reasons.add(path, "changed", change.summary)
        reasons.spots[path] = [Spot(first, last, HIT) for first, last in change.lines]
    if code is not None:
        filters = Filters(exclude=tuple(f"/{path}" for path in sorted(named)))
        _by_failures(code, failures, filters, reasons)
        _by_search(code, draft.request, filters, CHUNKS_PER_FILE * most, reasons)
        _by_imports(code, changed, reasons)
        _by_ownership(code.paths(), ownership, reasons)
    _by_ownership(changed, ownership, reasons)
    points = {file: sum(why.points for why in ways.values()) for file, ways in reasons.items()}
    candidates = [
        Candidate(file, file, points[file], tuple(ways.values())) for file, ways in reasons.items() if file not in named
    ]
    best = sorted(candidates, key=lambda one: (*rank_of_file(one.points, one.id), one.id.encode()))[:most]
    if len(candidates) > most:
        draft.warnings.append(f"relevantFiles: the best {most} of {len(candidates)} files related to the goal")
    # A diff shows that a file changed: for that alone, the rest of the file gets no room.
    worth = {one.id: one.points - (WAYS["changed"][0] if shown.get(one.id) else 0.0) for one in best}
    most_worth = max(worth.values(), default=0.0) or 1.0
    entries = (
        _entry(draft, code, one, reasons.spots.get(one.id, ()), shown.get(one.id, ()),
               lengths_for(max_tokens, (worth[one.id] / most_worth) ** SHARE_POWER))
        for one in best
    )  # fmt: skip
    return [entry for entry in entries if entry is not None], points


def rank_of_file(points: float, path: str) -> tuple[int, int]:
    """The most points first; of files with equal points, such as those that only changed, code before tests before the
    rest: a large change to data must not displace that to code."""
    return -round(points * 1_000_000), reading_rank(path, detect_language(path))


def _by_failures(code: Index, failures: Iterable[str], filters: Filters, reasons: _Reasons) -> None:
    """The places that failures name: frames of a trace, lines of a compiler's output, a test, the text of a message."""
    for text in filter(str.strip, failures):
        for hit in code.search(text, top_k=PLACES_PER_FAILURE, filters=filters):
            if hit.lines and hit.score >= EXACT_SCORE:
                row = code.chunk(hit.chunk)
                reasons.show(row, "failed", _within(row, hit.lines[0][0]))
                reasons.spots[row.file] += [Spot(first, last, FAILING) for first, last in hit.lines]


def _by_search(code: Index, request: Mapping[str, Any], filters: Filters, top_k: int, reasons: _Reasons) -> None:
    """Hybrid retrieval on the goal and on each entity, and the chunks that the code graph ties to the best ones."""
    goal = request["goal"]
    hits = code.search(goal, top_k=top_k, filters=filters, order="pack")
    best = next((hit.score for hit in hits if hit.score < EXACT_SCORE), EXACT_SCORE)  # of the ranked ones
    hits = [hit for hit in hits if hit.score >= MIN_SHARE * best]
    for hit in hits:
        row = code.chunk(hit.chunk)
        strength = hit.score if hit.score >= EXACT_SCORE else RANKED * hit.score / best
        reasons.show(row, "goal", _within(row), strength)
    for entity in filter(str.strip, request.get("entities", ())):
        for hit in code.search(entity, top_k=TOP_ENTITY_CHUNKS, filters=filters):
            row = code.chunk(hit.chunk)
            if entity.lower() in row.text.lower():  # the search also finds chunks that merely resemble the entity
                place = f"{entity} (line {row.start_line})" if row.symbol == entity else f"{entity} in {_within(row)}"
                reasons.show(row, "entity", place, hit.score)
    chunks = [hit.chunk for hit in hits]
    ties = code.related(chunks, goal, Follow(TIES_PER_CHUNK, TIE_DEPTH), filters=filters) if chunks else ()
    for tie in ties:
        source, row = code.chunk(tie.source), code.chunk(tie.chunk)
        if row.file != source.file:  # another part of the same file makes the file no more relevant
            detail = f"{_spot(source)} > {' > '.join(tie.labels).replace('_', ' ')}"
            reasons.show(row, "graph", detail, min(1.0, max(0.0, tie.weight)))


def _within(row: ChunkRow, line: int | None = None) -> str:
    """A place in the file whose purpose names it."""
    place = f"line {row.start_line if line is None else line}"
    return f"{row.symbol} ({place})" if row.symbol else place


def _spot(row: ChunkRow) -> str:
    return f"{row.symbol} ({row.file}:{row.start_line})" if row.symbol else f"{row.file}:{row.start_line}"


def _by_imports(code: Index, changed: Collection[str], reasons: _Reasons) -> None:
    """Files tied to a changed file by imports, use or tests. A tie between two changed files says nothing."""
    links = (("imported_by_changed", "imports", False), ("imports_changed", "imports", True),
             ("tests_changed", "tests", True))  # fmt: skip
    for file in changed:
        for way, label, backward in links:
            for other in code.linked(file, label, backward=backward):
                if other not in changed:
                    reasons.add(other, way, file)


def _by_ownership(paths: Iterable[str], ownership: Mapping[str, str], reasons: _Reasons) -> None:
    """Files under an ownership glob: those that are relevant already, then the first of the others by path."""
    every = list(paths)
    for glob, note in sorted(ownership.items()):
        owned = [path for path in every if holds(glob.lstrip("/"), path)]
        owned.sort(key=lambda path: (path not in reasons, path.encode()))
        for path in owned[:MAX_PER_GLOB]:
            reasons.add(path, "owned", f"{glob}: {note}" if note else glob)


def _definitions(code: Index, file: str) -> list[tuple[int, int]]:
    """The first line of each definition of a file except values, and its last one or that of its chunk."""
    rows = (row for row in code.defined_in(file) if row.kind not in VALUES)
    return [(row.line, code.extent(row.chunk, code.last_inside(row.chunk)).end_line) for row in rows]


def _entry(
    draft: TurnDraft, code: Index | None, candidate: Candidate[str], spots: Sequence[Spot], shown: Collection[int],
    lengths: Sequence[tuple[int, int]],
) -> Entry | None:  # fmt: skip
    """A file with its excerpt of the last of these lengths, and the longer ones."""
    path, name = candidate.id, draft.redactor.path(candidate.id)
    why = sorted(candidate.why, key=lambda one: (-one.points, one.name))
    try:
        digest, text, what = draft.readable(path, "relevantFiles")
    except (OSError, InvalidRequest) as error:
        fault = error.strerror if isinstance(error, OSError) else error.message
        draft.warnings.append(f"{path} was left out: it cannot be read ({fault})")
        return None
    purpose = draft.redactor.text("; ".join(WAYS[one.name][1].format(one.detail) for one in why[:MAX_WAYS]), place=path)
    value, longer = {"path": name, "purpose": purpose, "hash": digest}, list[str]()
    if text is None:
        draft.warnings.append(f"{path} is {what}: it is listed but not shown")
        value["purpose"] = f"{purpose}; {what.partition(' (')[0]}, not shown"
    else:
        comment = rules_of(detect_language(path)).comment
        definitions = _definitions(code, path) if code is not None else ()
        *longer, usual = excerpts(text, draft.terms, lengths, comment, spots, definitions, shown)
        if usual:
            value["excerpt"] = usual
        else:  # its diff shows the whole file
            longer = []
    return Entry("relevantFiles", name, value, name, tuple(why), candidate.points, longer=tuple(longer))
