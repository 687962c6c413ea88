"""Step 2: what changed since the last turn, and what failed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from context_pack.core.fit import Climber
from context_pack.io.patches import ChangedFile
from context_pack.kinds.turn.excerpts import first_lines
from context_pack.kinds.turn.pack import DIFF, ERROR, FAILED, PASSED, Entry, reason, shrinking
from context_pack.redaction import Redactor

MAX_PATCH_LINES, MAX_PATCH_CHARS = 60, 3_000  # of one file's patch in a pack; the sidecar and git have the rest
MAX_OUTPUT_LINES = 10  # of a test that passed
# A test with another status than these failed; an unknown word is taken for a failure, so that none goes unseen.
FINE = frozenset(
    "pass passed ok success succeeded successful green skip skipped xfail xfailed pending ignored todo".split()
)


def results(errors: Sequence[str], tests: Sequence[Mapping[str, Any]]) -> list[Climber[Entry]]:
    """Errors and failed tests, whole and never trimmed; and the tests that passed, which shrink to their names."""
    artifacts = [
        _artifact(ERROR, "log", text, f"request errors[{number}]", "error") for number, text in enumerate(errors)
    ]
    for number, test in enumerate(tests):
        output, source = test.get("output", ""), f"request testResults[{number}]"
        failed = test["status"].strip().lower() not in FINE
        if not failed:
            output = first_lines(output, MAX_OUTPUT_LINES, MAX_PATCH_CHARS)
        text = f"{test['name']}: {test['status']}" + (f"\n{output}" if output else "")
        form = (f"{FAILED}{test['name']}:", "verification") if failed else (f"{PASSED}{test['name']}:", "report")
        artifacts.append(_artifact(*form, text, source, "failed_test" if failed else "passed_test"))
    return artifacts


def _artifact(name: str, kind: str, text: str, source: str, why: str) -> Climber[Entry]:
    """The digest in its name tells texts apart: merging two packs with different failures keeps both."""
    ref = f"{name}{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    return shrinking(Entry("artifacts", ref, {"ref": ref, "type": kind, "summary": text}, source), reason(why))


def diffs(
    changes: Sequence[ChangedFile], commit: str, points: Mapping[str, float], redactor: Redactor
) -> list[Climber[Entry]]:
    """The patch of each changed file, with the file's points; it shrinks to how many lines changed."""
    artifacts = []
    for change in changes:
        hidden = change.is_binary or change.state == "deleted"
        patch = "" if hidden else redactor.text(change.patch, change.path, piece=True)
        worth, short, name = points.get(change.path, 0.0), redactor.name(change.summary), redactor.path(change.path)
        value = {"ref": f"{DIFF}{name}", "type": "diff", "summary": short}
        if patch:
            body = patch[patch.find("\n@@") + 1 :] if "\n@@" in patch else patch
            value["summary"] = f"{short}\n{first_lines(body, MAX_PATCH_LINES, MAX_PATCH_CHARS)}"
            value["sha256"] = hashlib.sha256(patch.encode()).hexdigest()
        entry = Entry("artifacts", value["ref"], value, f"git diff {commit[:12]} -- {name}")
        artifacts.append(shrinking(entry, reason("changed", short, worth), points=worth))
    return artifacts
