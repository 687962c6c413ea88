"""Builds a turn pack in six steps: docs, deltas, files, redaction, budget, pack and provenance.

Every text is redacted when it is read, before it is cut or measured, so that sizes are right and no secret is ever
compared with a limit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from context_pack.answer import Answer, Stages
from context_pack.core.text import Counter
from context_pack.io.changes import delta
from context_pack.io.patches import ChangedFile, new_lines
from context_pack.io.paths import root_of
from context_pack.io.tree import Tree
from context_pack.kinds import code_of
from context_pack.kinds.turn.docs import documents
from context_pack.kinds.turn.draft import TurnDraft
from context_pack.kinds.turn.excerpts import first_lines
from context_pack.kinds.turn.files import rank_of_file, relevant
from context_pack.kinds.turn.pack import (
    DIFF,
    ERROR,
    FAILED,
    KEYS,
    PASSED,
    Entry,
    Render,
    Turn,
    limits,
    packed,
    reason,
)
from context_pack.kinds.turn.request import HEADER, OBJECTS, request_of
from context_pack.redaction import Redactor
from contracts.records import Hint

MAX_PATCH_LINES, MAX_PATCH_CHARS = 60, 3_000  # of one file's patch in a pack; the sidecar and git have the rest
MAX_OUTPUT_LINES = 10  # of a test that passed
# A test with any other status failed; an unknown word counts as a failure, so that no failure goes unseen.
FINE = frozenset(
    "pass passed ok success succeeded successful green skip skipped xfail xfailed pending ignored todo".split()
)


def answer(
    request: Any, root: str | Path | None = None, *, max_tokens: int | None = None, reason: str | None = None,
    counter: Counter | None = None, render: Render | None = None, own_files: Sequence[str] = (),
    no_redact: bool = False,
) -> Answer[Turn]:  # fmt: skip
    """The pack for a request (a JSON document). Errors name the field of the request that is wrong.

    `own_files` are the request's file and those that the answer is written to. In the root they would match the goal
    better than any other file, and a second run would see the output of the first, so they count as neither relevant
    nor changed. `counter` counts the tokens of the text that `render` makes of a pack, by default its minified JSON.
    """
    stages = Stages()
    bounds = limits(max_tokens, reason, counter, render)
    redactor = Redactor(not no_redact)
    fields, digest = request_of(request, redactor)
    folder = root_of(root)
    draft, hints = TurnDraft(Tree(folder), fields, redactor), list[Hint]()
    with stages.stage("index"):
        code = code_of(folder, hints)
    with stages.stage("docs"):
        docs, every_document = documents(draft, code)
    with stages.stage("deltas"):
        own = {path for file in own_files if file != "-" and (path := draft.tree.below(file))}
        base = fields.get("base")
        changed = None if base is None else delta(folder, base)
        changes = [one for one in changed.files if one.path not in own] if changed else []
    # If a request contains an entry that this turn also makes, such as a failed test, that of this turn counts.
    made = [*_results(fields.get("errors", ()), fields.get("testResults", ())), *docs.values()]
    with stages.stage("files"):
        diffs = {change.path: _diff(change, redactor) for change in changes}
        shown = {change.path: _lines_shown(change, diffs[change.path]) for change in changes}
        files, points = relevant(
            draft, code, changes, shown, _failures(fields), own | every_document, bounds.max_tokens
        )
    hints += [Hint("warn", text) for text in draft.warnings]
    sources = {
        "request": digest,
        **({"base": base, "baseCommit": changed.commit} if changed else {}),
        **({"modelId": code.model_id} if code else {}),
    }
    header = {name: fields[name] for name in HEADER if name in fields}
    command = f"git diff {changed.commit[:12]}" if changed else ""
    files += [_diff_entry(diff, command, points.get(path, 0.0)) for path, diff in diffs.items()]
    entries = [*made, *sorted(files, key=_by_relevance), *_given(fields)]
    return packed(header, entries, bounds, redactor, sources, hints, stages)


def _by_relevance(file: Entry) -> tuple[int, int, bytes]:
    """The most relevant files first; the diff of a file, an artifact, comes before the file itself."""
    return (*rank_of_file(file.points, file.key.removeprefix(DIFF)), file.id.encode())


def _given(request: Mapping[str, Any]) -> list[Entry]:
    """The entries that the request contains."""
    lists = ("decisions", "inputs", "artifacts")
    values = [(name, value[KEYS[name]], value) for name in lists for value in request.get(name, ())]
    values += [(name, "", request[name]) for name in OBJECTS if name in request]
    return [Entry(*value, "request", reason("given", "by request")) for value in values]


def _has_failed(test: Mapping[str, Any]) -> bool:
    return test["status"].strip().lower() not in FINE


def _failures(request: Mapping[str, Any]) -> list[str]:
    """The errors of a request, and the name and the output of each failed test."""
    failed = filter(_has_failed, request.get("testResults", ()))
    return [*request.get("errors", ()), *(text for test in failed for text in (test["name"], test.get("output", "")))]


def _results(errors: Sequence[str], tests: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """Errors and failed tests, which are never trimmed, and the tests that passed, which shrink to their names."""
    artifacts = [
        _artifact(ERROR, "log", text, f"request errors[{number}]", "error") for number, text in enumerate(errors)
    ]
    for number, test in enumerate(tests):
        output, source = test.get("output", ""), f"request testResults[{number}]"
        failed = _has_failed(test)
        if not failed:
            output = first_lines(output, MAX_OUTPUT_LINES, MAX_PATCH_CHARS)
        text = f"{test['name']}: {test['status']}" + (f"\n{output}" if output else "")
        form = (f"{FAILED}{test['name']}:", "verification") if failed else (f"{PASSED}{test['name']}:", "report")
        artifacts.append(_artifact(*form, text, source, "failed_test" if failed else "passed_test"))
    return artifacts


def _artifact(name: str, kind: str, text: str, source: str, why: str) -> Entry:
    """An artifact named by a digest of its text, so that merging two packs with different failures keeps both."""
    ref = f"{name}{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    return Entry("artifacts", ref, {"ref": ref, "type": kind, "summary": text}, source, reason(why))


def _diff(change: ChangedFile, redactor: Redactor) -> dict[str, str]:
    """The artifact with the patch of a changed file; it shrinks to the number of changed lines."""
    hidden = change.is_binary or change.state == "deleted"
    patch = "" if hidden else redactor.text(change.patch, change.path, piece=True)
    summary = redactor.name(change.summary)
    value = {"ref": f"{DIFF}{redactor.path(change.path)}", "type": "diff", "summary": summary}
    if patch:
        body = patch[patch.find("\n@@") + 1 :] if "\n@@" in patch else patch
        value["summary"] = f"{summary}\n{first_lines(body, MAX_PATCH_LINES, MAX_PATCH_CHARS)}"
        value["sha256"] = hashlib.sha256(patch.encode()).hexdigest()
    return value


def _lines_shown(change: ChangedFile, diff: Mapping[str, str]) -> set[int]:
    """The lines of a changed file that its diff shows, by the patch itself: redacted lines lose their signs."""
    _, *rows = diff["summary"].split("\n")
    is_cut = bool(rows) and rows[-1].startswith("... ")
    return new_lines(change.patch, len(rows) - is_cut)


def _diff_entry(diff: Mapping[str, str], command: str, points: float) -> Entry:
    """The entry of a diff, with the points of its file."""
    why = reason("changed", diff["summary"].partition("\n")[0], points)
    source = f"{command} -- {diff['ref'].removeprefix(DIFF)}"
    return Entry("artifacts", diff["ref"], diff, source, why, points)
