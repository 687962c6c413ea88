"""Step 2: what changed since the last turn, and what failed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from context_pack.core.fit import Climber
from context_pack.io.patches import ChangedFile
from context_pack.kinds.turn.excerpts import first_lines
from context_pack.kinds.turn.pack import Entry, reason, shrinking
from context_pack.redaction import Redactor
from contracts.records import Why

Json = Mapping[str, Any]
MAX_PATCH_LINES, MAX_PATCH_CHARS = 60, 3_000  # of one file's patch in a pack; the sidecar and git have the rest
MAX_OUTPUT_LINES = 10  # of a test that passed
# How the artifacts are named that this builder makes. The first two are evidence of failure: they are never trimmed.
ERROR, FAILED, PASSED, DIFF = "error:", "failed:", "passed:", "diff:"
# A test with another status than these failed; an unknown word is taken for a failure, so that none goes unseen.
FINE = frozenset(
    "pass passed ok success succeeded successful green skip skipped xfail xfailed pending ignored todo".split()
)


def is_evidence(artifact: Json) -> bool:
    """Whether an artifact says that something failed: then no budget takes anything from it."""
    ref = str(artifact.get("ref", ""))
    return ref.startswith((ERROR, FAILED)) or (artifact.get("type") == "verification" and not ref.startswith(PASSED))


def errors(texts: Sequence[str]) -> list[Climber[Entry]]:
    """Errors, whole and never trimmed."""
    return [
        _artifact(f"{ERROR}{_short(text)}", "log", text, f"request errors[{number}]", "error", whole=True)
        for number, text in enumerate(texts)
    ]


def tests(results: Sequence[Json], *, failed: bool) -> list[Climber[Entry]]:
    """Failed tests, whole and never trimmed; or the others, which shrink to their names."""
    artifacts = []
    for number, result in enumerate(results):
        if (result["status"].strip().lower() not in FINE) == failed:
            name, output, source = result["name"], result.get("output", ""), f"request testResults[{number}]"
            short = f"{name}: {result['status']}"
            if not failed:
                output = first_lines(output, MAX_OUTPUT_LINES, MAX_PATCH_CHARS)
            text = f"{short}\n{output}" if output else short
            ref = f"{FAILED if failed else PASSED}{name}:{_short(text)}"
            kind, why = ("verification", "failed_test") if failed else ("report", "passed_test")
            artifacts.append(_artifact(ref, kind, text, source, why, whole=failed, summary=short if output else ""))
    return artifacts


def given_artifact(entry: Entry, *why: Why) -> Climber[Entry]:
    """An artifact that another turn made: evidence stays whole, a longer summary shrinks to its first line.

    The first line of a diff or a test says how it ended.
    """
    first, _, more = entry.value.get("summary", "").partition("\n")
    return shrinking(entry, *why, whole=is_evidence(entry.value), summary=first if more else "")


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
        why = reason("changed", short, worth)
        artifacts.append(shrinking(entry, why, points=worth, summary=short if patch else ""))
    return artifacts


def _artifact(
    ref: str, kind: str, text: str, source: str, why: str, *, whole: bool, summary: str = ""
) -> Climber[Entry]:
    entry = Entry("artifacts", ref, {"ref": ref, "type": kind, "summary": text}, source)
    return shrinking(entry, reason(why), whole=whole, summary=summary)


def _short(text: str) -> str:
    """A digest that tells texts apart: merging two packs with different failures keeps both."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]
