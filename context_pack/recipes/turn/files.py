"""Step 3: the files that matter for the goal, each with its purpose in words, its best lines and its hash."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from chunker.languages.detection import detect_language
from chunker.languages.table import LANGUAGES
from chunker.parse.decoding import decode
from context_pack.core.candidate import Candidate
from context_pack.core.ladder import Climber
from context_pack.core.order import ordered
from context_pack.corpora.git import Change
from context_pack.corpora.globs import holds
from context_pack.corpora.inside import inside
from context_pack.recipes.turn.entries import Entry, climber, reason
from context_pack.recipes.turn.excerpts import best_lines
from context_pack.recipes.turn.reading import read
from context_pack.recipes.turn.request import Request
from context_pack.redaction import Redactor
from contracts.errors import InvalidRequest
from contracts.records import Why
from index.types import ChunkRow, Filters, Scored, Tie

CHUNKS_PER_FILE = 2  # of the search for the goal, for each file that may be chosen: the best files have several
TOP_ENTITY_CHUNKS = 5
LEAST_SHARE = 0.3  # of the best score: what answers the goal less than that is in the list for want of better
TIES_PER_CHUNK, TIE_DEPTH = 3, 2
MAX_PER_GLOB = 20  # files that one ownership glob brings in by itself
# Files for each so many tokens of the budget: about what an excerpt takes, so that most of those chosen can show one.
TOKENS_PER_FILE, LEAST_FILES = 400, 8
MAX_WAYS = 3  # reasons in a purpose; the sidecar has all
EXCERPT_LINES, EXCERPT_CHARS = 30, 1_600
MAX_EXCERPT_BYTES = 1_000_000  # of a file that is read for an excerpt; the index skips larger ones too
# What each way to be relevant is worth; a file's points are the sum of its ways, each counted once.
POINTS = {
    "goal": 1.0, "entity": 0.9, "changed": 0.5, "graph": 0.4, "imported_by_changed": 0.3, "owned": 0.3,
    "tests_changed": 0.25, "imports_changed": 0.2,
}  # fmt: skip


class Tree(Protocol):
    """Whole files of an index."""

    @property
    def paths(self) -> Sequence[str]: ...

    def linked(self, file: str, label: str, *, backward: bool = False) -> Sequence[str]: ...


class Code(Protocol):
    """What this step asks of an index; every list is in a total order."""

    @property
    def model_id(self) -> str: ...

    @property
    def tree(self) -> Tree: ...

    def search(self, query: str, *, top_k: int, filters: Filters | None = None) -> list[Scored]: ...

    def chunk(self, number: int) -> ChunkRow: ...

    def related(
        self, primaries: Sequence[int], query: str, *, per_primary: int, depth: int, filters: Filters | None = None
    ) -> list[Tie]: ...


@dataclass(slots=True)
class _Reasons:
    """Why files are relevant: by file, by way, the strongest of each way."""

    by_file: dict[str, dict[str, Why]] = field(default_factory=dict)

    def add(self, file: str, way: str, strength: float, detail: str) -> None:
        """`strength` in 0..1 scales the points of the way."""
        known = self.by_file.setdefault(file, {})
        found = reason(way, detail, POINTS[way] * strength, strength)
        if way not in known or found.points > known[way].points:
            known[way] = found

    def points(self, file: str) -> float:
        return sum(why.points for why in self.by_file[file].values())


@dataclass(frozen=True, slots=True)
class Relevant:
    """The files, best first, what the reader should know about them, and the points of every file with any."""

    climbers: tuple[Climber[Entry], ...]
    warnings: tuple[str, ...]
    points: Mapping[str, float]


def relevant(
    root: Path, request: Request, code: Code | None, changes: Sequence[Change], known: Collection[str],
    terms: Collection[str], redactor: Redactor, max_tokens: int,
) -> Relevant:  # fmt: skip
    """The files for a request; `known` are those that the pack names already, and the call's own files."""
    reasons = _Reasons()
    most = max(LEAST_FILES, max_tokens // TOKENS_PER_FILE)
    changed = {change.path: change for change in changes if change.state != "deleted"}
    for path, change in changed.items():
        reasons.add(path, "changed", 1.0, change.summary)
    if code is not None:
        filters = Filters(exclude=tuple(f"/{path}" for path in sorted(known)))
        _by_search(code, request, filters, CHUNKS_PER_FILE * most, reasons)
        _by_imports(code, changed, reasons)
        _by_ownership(code.tree.paths, request.ownership, reasons)
    _by_ownership(changed, request.ownership, reasons)
    found = [
        Candidate(file, file, reasons.points(file), tuple(ways.values()))
        for file, ways in reasons.by_file.items()
        if file not in known
    ]
    best = ordered(found, lambda one: (-round(one.points * 1_000_000), one.id.encode()))[:most]
    warnings: list[str] = []
    if len(found) > most:
        warnings.append(f"relevantFiles: the best {most} of {len(found)} files that have some tie to the goal")
    climbers = (_climber(root, one, terms, redactor, warnings) for one in best)
    chosen = tuple(one for one in climbers if one is not None)
    return Relevant(chosen, tuple(warnings), {file: reasons.points(file) for file in reasons.by_file})


def _by_search(code: Code, request: Request, filters: Filters, top_k: int, reasons: _Reasons) -> None:
    """Hybrid retrieval on the goal and on each entity, and what the code graph ties to the best chunks."""
    found = code.search(request.goal, top_k=top_k, filters=filters)
    found = [scored for scored in found if scored.score >= LEAST_SHARE * found[0].score]
    for scored in found:
        row = code.chunk(scored.chunk)
        reasons.add(row.file, "goal", scored.score / found[0].score, _spot(row))
    for entity in filter(str.strip, request.entities):
        for scored in code.search(entity, top_k=TOP_ENTITY_CHUNKS, filters=filters):
            row = code.chunk(scored.chunk)
            if entity.lower() in row.text.lower():  # the search also finds what merely resembles the entity
                reasons.add(row.file, "entity", scored.score, f"{entity} in {_spot(row)}")
    chunks = [scored.chunk for scored in found]
    if not chunks:
        return
    for tie in code.related(chunks, request.goal, per_primary=TIES_PER_CHUNK, depth=TIE_DEPTH, filters=filters):
        labels = " > ".join(tie.labels)
        detail = f"{labels} from {_spot(code.chunk(tie.source))}"
        reasons.add(code.chunk(tie.chunk).file, "graph", min(1.0, max(0.0, tie.weight)), detail)


def _spot(row: ChunkRow) -> str:
    return f"{row.symbol} ({row.file}:{row.start_line})" if row.symbol else f"{row.file}:{row.start_line}"


def _by_imports(code: Code, changed: Collection[str], reasons: _Reasons) -> None:
    """What stands next to a changed file; that two changed files stand together says nothing more about either."""
    for file in changed:
        for way, label, backward in (
            ("imported_by_changed", "imports", False), ("imports_changed", "imports", True),
            ("tests_changed", "tests", True),
        ):  # fmt: skip
            for other in code.tree.linked(file, label, backward=backward):
                if other not in changed:
                    reasons.add(other, way, 1.0, file)


def _by_ownership(paths: Iterable[str], ownership: Mapping[str, str], reasons: _Reasons) -> None:
    """Files under an ownership glob: those that are relevant anyway, then the first of the others by path."""
    every = list(paths)
    for glob, note in sorted(ownership.items()):
        owned = [path for path in every if holds(glob.lstrip("/"), path)]
        owned.sort(key=lambda path: (path not in reasons.by_file, path.encode()))
        for path in owned[:MAX_PER_GLOB]:
            reasons.add(path, "owned", 1.0, f"{glob}: {note}" if note else glob)


def _climber(
    root: Path, candidate: Candidate[str], terms: Collection[str], redactor: Redactor, warnings: list[str]
) -> Climber[Entry] | None:
    path = candidate.id
    why = tuple(sorted(candidate.why, key=lambda one: (-one.points, one.name)))
    name = redactor.path(path)
    value: dict[str, object] = {"path": name, "purpose": redactor.text(purpose(why), place=path)}
    try:
        value["hash"], size_bytes, data = read(inside(root, path, "relevantFiles"), MAX_EXCERPT_BYTES)
    except (OSError, InvalidRequest) as error:
        fault = error.strerror if isinstance(error, OSError) else error.message
        warnings.append(f"{path} is left out: it cannot be read ({fault})")
        return None
    text = decode(data)
    if text is None or size_bytes > MAX_EXCERPT_BYTES:
        what = "binary" if text is None else "too large for an excerpt"
        warnings.append(f"{path} is {what} ({size_bytes:,} bytes): it is named and not shown")
        value["purpose"] = f"{value['purpose']}; {what}, not shown"
    else:
        shown = _excerpt(redactor.text(text, path), path, terms)
        value |= {"excerpt": shown} if shown else {}
    return climber(Entry("relevantFiles", name, value, name), why, candidate.points)


def _excerpt(text: str, path: str, terms: Collection[str]) -> str:
    language = LANGUAGES.get(detect_language(path) or "")
    comment = language.comment if language else ""
    return best_lines(text.replace("\r\n", "\n"), terms, EXCERPT_LINES, EXCERPT_CHARS, comment)


_IN_WORDS = {
    "changed": "changed since the last turn ({})",
    "entity": "holds {}",
    "goal": "answers the goal: {}",
    "imported_by_changed": "imported by {}, which changed",
    "owned": "owned as {}",
    "tests_changed": "tests {}, which changed",
    "imports_changed": "imports {}, which changed",
    "graph": "tied to an answer: {}",
}


def purpose(why: Sequence[Why]) -> str:
    """The strongest reasons in words."""
    return "; ".join(_IN_WORDS[one.name].format(one.detail) for one in why[:MAX_WAYS])
