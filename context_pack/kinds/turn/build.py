"""The builder's six steps: docs, deltas, files, redaction, budget, pack and provenance.

Every text is redacted when it is read, before it is cut or measured, so that sizes are right and nothing that was a
secret is ever compared with a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from context_pack.answer import Answer, Stages
from context_pack.core import Counter
from context_pack.core.fit import Climber
from context_pack.io.changes import delta
from context_pack.io.paths import root_of
from context_pack.io.tree import Tree
from context_pack.kinds.turn.deltas import diffs, results
from context_pack.kinds.turn.docs import documents
from context_pack.kinds.turn.excerpts import terms_of_goal
from context_pack.kinds.turn.files import relevant
from context_pack.kinds.turn.pack import KEYS, Entry, Render, Turn, limits, packed, reason, shrinking
from context_pack.kinds.turn.request import HEADER, OBJECTS, request_of
from context_pack.options.config_file import file_layer, noted
from context_pack.redaction import Redactor
from contracts.errors import CtxpackError, NotADirectory
from contracts.records import Hint

if TYPE_CHECKING:
    from index import Index

OpenCode = Callable[[Path], "Index"]


def answer(
    request: Any, root: str | Path | None = None, *, max_tokens: int | None = None, reason: str | None = None,
    counter: Counter | None = None, render: Render | None = None, open_code: OpenCode | None = None,
    own_files: Sequence[str] = (), no_redact: bool = False,
) -> Answer[Turn]:  # fmt: skip
    """The pack for a request (a JSON document). Errors name the field of the request that is wrong.

    `own_files` are the request's file and those that the answer is written to: in the root they would answer the goal
    better than any other, and a second run would see what the first one wrote. They are neither relevant nor changed.
    `counter` counts tokens of the text that `render` makes of a pack: of its minified JSON where none is given.
    """
    stages = Stages()
    bounds = limits(max_tokens, reason, counter, render)
    redactor = Redactor(not no_redact)
    fields, digest = request_of(request, redactor)
    folder = root_of(root)
    tree = Tree(folder)
    hints: list[Hint] = []
    warnings: list[str] = []
    terms = terms_of_goal(fields["goal"], *fields.get("entities", ()))
    with stages.stage("docs"):
        docs = documents(tree, fields["docsRoot"], terms, redactor, warnings)
    with stages.stage("deltas"):
        own = {path for file in own_files if file != "-" and (path := tree.below(file))}
        base = fields.get("base")
        changed = None if base is None else delta(folder, base)
        changes = [one for one in changed.files if one.path not in own] if changed else []
    with stages.stage("files"):
        code = _code(folder, open_code, hints)
        named = {*own, *docs}
        files, points = relevant(tree, fields, code, changes, named, terms, redactor, bounds.max_tokens, warnings)
    hints += [Hint("warn", text) for text in warnings]
    sources = {
        "request": digest,
        **({"base": base, "baseCommit": changed.commit} if changed else {}),
        **({"modelId": code.model_id} if code else {}),
    }
    header = {name: fields[name] for name in HEADER if name in fields}
    files += diffs(changes, changed.commit if changed else "", points, redactor)
    return packed(header, _climbers(fields, list(docs.values()), files), bounds, redactor, sources, hints, stages)


def _code(root: Path, open_code: OpenCode | None, hints: list[Hint]) -> Index | None:
    """The index, brought up to date, by the tree's own configuration; where it cannot be made the pack says so."""
    from context_pack.session import Session

    try:
        if open_code is not None:
            return open_code(root)
        code = cast("Index", Session.open(root).corpus)
        hints += noted(file_layer(root))
        return code
    except NotADirectory:
        raise
    except CtxpackError as error:
        hints.append(Hint("warn", f"relevantFiles: the index could not be asked: {error.message}"))
        return None


def _climbers(
    request: Mapping[str, Any], docs: Sequence[Climber[Entry]], files: Sequence[Climber[Entry]]
) -> list[Climber[Entry]]:
    """Every entry once, the most wanted first: this is the order in which they keep their size.

    Where a request hands on an entry that this turn makes too, such as a failed test, this turn's counts.
    """
    own = results(request.get("errors", ()), request.get("testResults", ()))
    given = _unique(_handed_on(name, value[KEYS[name]], value)
                    for name in ("decisions", "inputs", "artifacts") for value in request.get(name, ()))  # fmt: skip
    high = sum(document.candidate.item.value["priority"] == "high" for document in docs)
    # The most relevant first; of one file the diff, an artifact, comes before the file itself.
    best = sorted(files, key=lambda one: (-round(one.candidate.points * 1_000_000), one.candidate.id.encode()))
    return _unique(
        [
            *(one for one in (*own, *given) if one.stays),
            *(_handed_on(name, "", request[name]) for name in OBJECTS if name in request),
            *docs[:high],
            *best,
            *(one for one in given if not one.stays),
            *docs[high:],
            *(one for one in own if not one.stays),
        ]
    )


def _handed_on(field: str, key: str, value: Any) -> Climber[Entry]:
    return shrinking(Entry(field, key, value, "request"), reason("given", "by request"))


def _unique(climbers: Iterable[Climber[Entry]]) -> list[Climber[Entry]]:
    unique: dict[str, Climber[Entry]] = {}
    for climber in climbers:
        unique.setdefault(climber.candidate.id, climber)
    return list(unique.values())
