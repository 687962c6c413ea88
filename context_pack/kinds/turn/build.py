"""The builder's six steps: docs, deltas, files, redaction, budget, pack and provenance.

Every text is redacted when it is read, before it is cut or measured, so that sizes are right and nothing that was a
secret is ever compared with a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from context_pack.answer import Answer
from context_pack.core.ladder import Climber
from context_pack.core.tokens import Counter
from context_pack.corpora.git import Delta, delta
from context_pack.kinds.turn import deltas, docs, files
from context_pack.kinds.turn.assembly import Assembled, Limits, Render, assemble, limits
from context_pack.kinds.turn.entries import Entry, climber, reason
from context_pack.kinds.turn.excerpts import terms_of_goal
from context_pack.kinds.turn.request import IDENTITY, LISTS, OBJECTS, Request, checked
from context_pack.kinds.turn.sidecar import shrunk, sidecar
from context_pack.options.config_file import file_layer, noted
from context_pack.options.roots import root_of
from context_pack.redaction import Redactor
from context_pack.stages import Stages
from contracts.errors import CtxpackError, NotADirectory
from contracts.records import Hint

OpenCode = Callable[[Path], files.Code]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn pack and its provenance, which the pack's own schema has no place for."""

    pack: dict[str, Any]
    sidecar: dict[str, Any]
    over: bool


def answer(
    request: Any,
    root: str | Path | None = None,
    *,
    max_tokens: int | None = None,
    reason: str | None = None,
    counter: Counter | None = None,
    render: Render | None = None,
    open_code: OpenCode | None = None,
    own_files: Sequence[str] = (),
    no_redact: bool = False,
) -> Answer[Turn]:
    """The pack for a request (a JSON document). Errors name the field of the request that is wrong.

    `own_files` are the request's file and those that the answer is written to: in the root they would answer the goal
    better than any other, and a second run would see what the first one wrote. They are neither relevant nor changed.
    `counter` counts tokens of the text that `render` makes of a pack: of its minified JSON where none is given.
    """
    stages = Stages()
    bounds = limits(max_tokens, reason, counter, render)
    redactor = Redactor(not no_redact)
    asked = checked(request, redactor)
    docs.check_docs_root(asked.docs_root)
    folder = root_of(root)
    hints: list[Hint] = []
    terms = terms_of_goal(asked.goal, *asked.entities)
    with stages.stage("docs"):
        documents = docs.documents(folder, asked.docs_root, terms, redactor)
    with stages.stage("deltas"):
        own = _inside(folder, own_files)
        changed = _since(folder, asked.base, own) if asked.base is not None else None
    with stages.stage("files"):
        code = _code(folder, open_code or opened, hints)
        changes = changed.changes if changed else ()
        known = {*documents.paths, *own}
        relevant = files.relevant(folder, asked, code, changes, known, terms, redactor, bounds.max_tokens)
    with stages.stage("fit"):
        climbers = _climbers(asked, documents, changed, relevant, redactor)
        assembled = assemble(_header(asked), climbers, bounds)
        sources = {
            "request": asked.digest,
            **({"base": asked.base, "baseCommit": changed.commit} if changed else {}),
            **({"modelId": code.model_id} if code else {}),
        }
        provenance = sidecar(assembled, climbers, bounds, redactor, sources)
    hints += [Hint("warn", text) for text in (*documents.warnings, *relevant.warnings)]
    hints += told(assembled, bounds, redactor)
    made = Turn(assembled.pack, provenance, assembled.fitted.over)
    return Answer(made, redactor.hints(hints), stages.durations_ms(), redactor.account)


def opened(root: Path) -> files.Code:
    """The index of a tree, brought up to date; the tree's own configuration counts."""
    from context_pack.session import Session

    return cast("files.Code", Session.open(root).corpus)


def _inside(root: Path, files: Sequence[str]) -> frozenset[str]:
    """The paths from the root of those files that lie in the root; `-` is none."""
    real_root = root.resolve()
    places = [Path(file).resolve() for file in files if file != "-"]
    return frozenset(place.relative_to(real_root).as_posix() for place in places if place.is_relative_to(real_root))


def _since(root: Path, base: str, own: Collection[str]) -> Delta:
    """What changed since the base, but for the call's own files."""
    found = delta(root, base)
    return replace(found, changes=tuple(change for change in found.changes if change.path not in own))


def _code(root: Path, open_code: OpenCode, hints: list[Hint]) -> files.Code | None:
    """The index; where it cannot be made the pack goes without it, and says so."""
    try:
        code = open_code(root)
        if open_code is opened:
            hints += noted(file_layer(root))
        return code
    except NotADirectory:
        raise
    except CtxpackError as error:
        hints.append(Hint("warn", f"relevantFiles: the index could not be asked: {error.message}"))
        return None


def _header(request: Request) -> dict[str, Any]:
    """The fields that are in every pack of this request: the floor's goal and definition of done among them."""
    values = request.values
    identity = {name: values[name] for name in IDENTITY if name in values}
    return {
        **identity,
        "goal": request.goal,
        "definitionOfDone": values["definitionOfDone"],
        "globalMode": values["globalMode"],
        "docsRoot": request.docs_root,
    }


def _climbers(
    request: Request, documents: docs.Documents, changed: Delta | None, relevant: files.Relevant, redactor: Redactor
) -> list[Climber[Entry]]:
    """Every entry once, the most wanted first: this is the order in which they keep their size.

    A request may hand on what this turn finds out anew, such as the failure of a test: then the new one counts.
    """
    by_priority: dict[str, list[Climber[Entry]]] = {name: [] for name in docs.PRIORITIES}
    for document in documents.climbers:
        by_priority[document.candidate.item.value["priority"]].append(document)
    given = given_lists(request.values, "request")
    every = [
        *deltas.evidence(request.errors, request.test_results),
        *(one for one in given if one.stays),
        *given_objects(request.values, "request"),
        *by_priority["high"],
        *_by_points(deltas.diffs(changed, relevant.points, redactor) if changed else [], relevant.climbers),
        *(one for one in given if not one.stays),
        *by_priority["medium"],
        *by_priority["low"],
        *deltas.passed_tests(request.test_results),
    ]
    found: dict[str, Climber[Entry]] = {}
    for one in every:
        found.setdefault(one.candidate.id, one)
    return list(found.values())


def _by_points(diffs: Sequence[Climber[Entry]], found: Sequence[Climber[Entry]]) -> list[Climber[Entry]]:
    """Diffs and files as one list, the most relevant first; of one file the diff comes first."""
    both = [(one, number) for number, climbers in enumerate((diffs, found)) for one in climbers]
    both.sort(key=lambda pair: (-round(pair[0].candidate.points * 1_000_000), pair[1], pair[0].candidate.id.encode()))
    return [one for one, _ in both]


def given_objects(values: Mapping[str, Any], source: str) -> list[Climber[Entry]]:
    """Objects that are handed through: whole, or not at all."""
    return [
        climber(Entry(name, "", values[name], source), (reason("given", f"by {source}"),))
        for name in OBJECTS
        if name in values
    ]


def given_lists(values: Mapping[str, Any], source: str) -> list[Climber[Entry]]:
    """Entries of lists that are handed through, each key once; evidence of failure stays whole."""
    found: dict[str, Climber[Entry]] = {}
    for name, key in LISTS.items():
        for value in values.get(name, ()):
            entry = Entry(name, value[key], value, source)
            why = (reason("given", f"by {source}"),)
            made = deltas.given_artifact(entry, why) if name == "artifacts" else climber(entry, why)
            found.setdefault(entry.id, made)
    return list(found.values())


def told(assembled: Assembled, bounds: Limits, redactor: Redactor) -> Sequence[Hint]:
    """What the reader of a pack should know about its budget and its redactions."""
    fitted = assembled.fitted
    found = []
    if fitted.over:
        found.append(
            Hint(
                "warn",
                f"over budget: goal, definition of done, doc paths and failing evidence alone take {fitted.spent} of "
                f"{bounds.max_tokens} tokens; they are never trimmed",
            )
        )
    shorter, dropped = shrunk(assembled)
    if shorter or dropped:
        text = f"to fit {bounds.max_tokens} tokens {shorter} entries were shortened and {dropped} dropped"
        found.append(Hint("action", f"{text}; --sidecar FILE lists them, --max-tokens allows more"))
    if redactor.counts:
        kinds = ", ".join(f"{count} {kind}" for kind, count in redactor.counts.items())
        found.append(Hint("warn", f"secrets taken out: {kinds}"))
    return found
