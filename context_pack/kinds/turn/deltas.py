"""Step 2: what changed since the last turn, and what failed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from context_pack.core.ladder import Climber
from context_pack.corpora.git import Change, Delta
from context_pack.kinds.turn.entries import Entry, climber, reason
from context_pack.kinds.turn.excerpts import MAX_LINE_CHARS
from context_pack.kinds.turn.request import Outcome
from context_pack.redaction import Redactor
from contracts.records import Why

MAX_PATCH_LINES = 60  # of one file's patch in a pack; the sidecar and git have the rest
MAX_PATCH_CHARS = 3_000
MAX_OUTPUT_LINES = 10  # of a test that passed
# How the artifacts are named that this builder makes. The first two are evidence of failure: they are never trimmed.
ERROR, FAILED, PASSED, DIFF = "error:", "failed:", "passed:", "diff:"


def is_evidence(artifact: Mapping[str, Any]) -> bool:
    """Whether an artifact says that something failed: then no budget takes anything from it."""
    ref = str(artifact.get("ref", ""))
    return ref.startswith((ERROR, FAILED)) or (artifact.get("type") == "verification" and not ref.startswith(PASSED))


def evidence(errors: Sequence[str], results: Sequence[Outcome]) -> list[Climber[Entry]]:
    """Errors and failed tests, whole and never trimmed, each once."""
    found: dict[str, Climber[Entry]] = {}
    for number, error in enumerate(errors):
        value = {"ref": f"{ERROR}{_short(error)}", "type": "log", "summary": error}
        found.setdefault(value["ref"], _artifact(value, f"request errors[{number}]", "error", whole=True))
    for number, result in enumerate(results):
        if result.failed:
            value = _test(FAILED, "verification", result)
            source = f"request testResults[{number}]"
            found.setdefault(value["ref"], _artifact(value, source, "failed_test", whole=True))
    return list(found.values())


def passed_tests(results: Sequence[Outcome]) -> list[Climber[Entry]]:
    """Tests that did not fail: they shrink to their names, and go first."""
    found: dict[str, Climber[Entry]] = {}
    for number, result in enumerate(results):
        if not result.failed:
            cut = Outcome(result.name, result.status, _cut(result.output, MAX_OUTPUT_LINES, MAX_PATCH_CHARS))
            value = _test(PASSED, "report", cut)
            summary = f"{result.name}: {result.status}" if cut.output else ""
            source = f"request testResults[{number}]"
            found.setdefault(value["ref"], _artifact(value, source, "passed_test", summary=summary))
    return list(found.values())


def given_artifact(entry: Entry, why: tuple[Why, ...]) -> Climber[Entry]:
    """An artifact that another turn made: evidence stays whole, a longer summary shrinks to its first line.

    Of a diff or a test the first line says what became of it.
    """
    first, _, more = entry.value.get("summary", "").partition("\n")
    return climber(entry, why, whole=is_evidence(entry.value), summary=first if more else "")


def diffs(delta: Delta, points: Mapping[str, float], redactor: Redactor) -> list[Climber[Entry]]:
    """The patch of each changed file, with the file's points; it shrinks to how many lines changed."""
    return [_diff(change, delta.commit, points.get(change.path, 0.0), redactor) for change in delta.changes]


def _diff(change: Change, commit: str, points: float, redactor: Redactor) -> Climber[Entry]:
    patch = (
        "" if change.is_binary or change.state == "deleted" else redactor.text(change.patch, change.path, piece=True)
    )
    summary, name = redactor.name(change.summary), redactor.path(change.path)
    value = {"ref": f"{DIFF}{name}", "type": "diff", "summary": summary}
    if patch:
        body = patch[patch.find("\n@@") + 1 :] if "\n@@" in patch else patch
        value["summary"] = f"{summary}\n{_cut(body, MAX_PATCH_LINES, MAX_PATCH_CHARS)}"
        value["sha256"] = hashlib.sha256(patch.encode()).hexdigest()
    source = f"git diff {commit[:12]} -- {name}"
    return _artifact(value, source, "changed", detail=summary, summary=summary if patch else "", points=points)


def _artifact(
    value: dict[str, str],
    source: str,
    name: str,
    *,
    detail: str = "",
    whole: bool = False,
    summary: str = "",
    points: float = 0.0,
) -> Climber[Entry]:
    entry = Entry("artifacts", value["ref"], value, source)
    return climber(entry, (reason(name, detail, points),), points, whole=whole, summary=summary)


def _test(prefix: str, kind: str, result: Outcome) -> dict[str, str]:
    text = f"{result.name}: {result.status}"
    summary = f"{text}\n{result.output}" if result.output else text
    return {"ref": f"{prefix}{result.name}:{_short(summary)}", "type": kind, "summary": summary}


def _short(text: str) -> str:
    """Names what a text says: two packs that tell of different failures are merged without losing one."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _cut(text: str, most_lines: int, most_chars: int) -> str:
    """The first lines of a text; how many are left out is said."""
    lines = [
        line if len(line) <= MAX_LINE_CHARS else line[:MAX_LINE_CHARS] + " ..." for line in text.rstrip().split("\n")
    ]
    kept: list[str] = []
    room = most_chars
    for line in lines[:most_lines]:
        room -= len(line) + 1
        if room < 0 and kept:
            break
        kept.append(line)
    left_out = len(lines) - len(kept)
    return "\n".join([*kept, f"... {left_out} more lines"] if left_out else kept)
