"""Builds a task packet from its slots and prints it as Markdown. Every text is redacted before it is shown."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from chunker.languages.detection import detect_language
from chunker.parse.decoding import decode
from context_pack.answer import Answer, Stages
from context_pack.io.paths import root_with
from context_pack.kinds.task.boundaries import SETTINGS, boundaries
from context_pack.kinds.task.digests import acceptance_criteria, compact_state_digest, scars_digest, state_digest
from context_pack.kinds.task.draft import Draft, candidate
from context_pack.kinds.task.project import FOLDER, Project
from context_pack.kinds.task.records import architecture_slice, contracts_slice, dependency_symbols, tests_slice
from context_pack.kinds.task.tasks import is_time, read_task
from context_pack.options.resolve import checked_options
from context_pack.redaction import Redactor
from context_pack.render.markdown import code_span, fenced
from context_pack.render.phrases import escaped
from contracts.errors import InvalidRequest
from contracts.records import Hint
from contracts.task import HEADER, Explanation, TaskPacket, packet_data

UNSPECIFIED = "unspecified"
_DOCUMENTS = ("scarsDigest", "acceptanceCriteria", "stateDigest")
EMPTY = "(empty)\n"


def answer(
    name: str, root: str | Path | None = None, *, digest: str = "full", explain: bool = False,
    generated_at: str | None = None, no_redact: bool = False, files: bool = True,
) -> Answer[TaskPacket]:  # fmt: skip
    """The packet for a task id or, if `files` may be named, for a task's JSON file.

    The packet's time is `generated_at`, else that of the task or the graph, else SOURCE_DATE_EPOCH, else now. Only in
    the last case can two packets of one project differ.
    """
    checked_options("task", {"digest": digest, "generated_at": generated_at})
    if generated_at is not None and not is_time(generated_at):
        raise InvalidRequest("generated_at", f"{generated_at!r} is not a date and time in ISO 8601")
    stages = Stages()
    with stages.stage("read"):
        project = Project(root_with(FOLDER, root, "give the folder of the project with --root"))
        task = read_task(project, name, files=files)
    redactor = Redactor(not no_redact)
    draft = Draft(project, task, redactor)
    with stages.stage("slots"):
        settings, contents, scars = project.json(SETTINGS) or {}, _files_content(draft), scars_digest(draft)
        packet = TaskPacket(
            task_id=task.id,
            tdd_mode=task.tdd_mode or _default(draft, settings, "tdd", "tddMode"),
            risk_tier=task.risk_tier or _default(draft, settings, "risk", "riskTier"),
            generated_at=generated_at or task.stamp or _now(),
            files=tuple(map(redactor.path, task.files)),
            files_content={redactor.path(file): text for file, text in contents.items()},
            architecture_slice={"modules": architecture_slice(draft)},
            contracts_slice={"contracts": contracts_slice(draft)},
            dependency_symbols=dependency_symbols(draft),
            tests_slice=tuple(map(redactor.path, tests_slice(draft))),
            scars_digest=scars,
            acceptance_criteria=acceptance_criteria(draft),
            state_digest=compact_state_digest(draft, scars) if digest == "compact" else state_digest(draft),
            boundaries=tuple(boundaries(draft, settings)),
            explain=Explanation(tuple(draft.shown), tuple(draft.withheld)) if explain else None,
        )
    for place, counts in redactor.places.items():
        draft.warn(f"{place}: redacted secrets: {', '.join(f'{count} {kind}' for kind, count in counts.items())}")
    return Answer(packet, redactor.hints(draft.hints), stages.durations_ms(), redactor.counts)


def _now() -> str:
    """SOURCE_DATE_EPOCH (reproducible-builds.org) if it is set, else the current time, in UTC."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
    return now.isoformat(timespec="seconds").replace("+00:00", "Z")


def _files_content(draft: Draft) -> dict[str, str]:
    """The content of every file of the task; empty for a file that does not exist yet."""
    contents: dict[str, str] = {}
    for file in draft.task.files:
        data = draft.project.read(file, "filesModified")
        draft.show("files", [candidate(file, file, ("task", "filesModified"))])
        text = decode(data or b"")
        if text is None:
            size = f"{len(data or b''):,} bytes"
            draft.warn(f"{file} is a binary file of {size} and is not shown")
            text = f"(binary file of {size}, not shown)"
        elif "\ufffd" in text and b"\xef\xbf\xbd" not in (data or b""):
            draft.warn(f"{file} is not valid UTF-8: invalid bytes are shown as U+FFFD")
        contents[file] = draft.redactor.text(text, file)
    return contents


def _default(draft: Draft, settings: Mapping[str, Any], group: str, name: str) -> str:
    """The project's default for a header field that the task does not have."""
    chosen = settings.get(group)
    value = chosen.get("default") if isinstance(chosen, Mapping) else None
    if isinstance(value, str) and value:
        draft.inform(f"{name}: task {draft.task.id} has none; {SETTINGS} says {value}")
        return value
    draft.warn(f"{name}: task {draft.task.id} has none, and {SETTINGS} has no default for it")
    return UNSPECIFIED


def render(packet: TaskPacket) -> str:
    """The whole document. Every text is in a fence that it cannot close."""
    data = packet_data(packet)
    head = [f"# Task {_span(data['taskId'])}\n", *(f"- {name}: {escaped(data[name])}" for name in HEADER[1:])]
    sections = [f"## {slot}\n\n{_section(slot, value)}" for slot, value in data.items() if slot not in HEADER]
    return "\n".join(["\n".join(head) + "\n", *sections])


def bounded(answered: Answer[TaskPacket], max_chars: int) -> Answer[TaskPacket]:
    """The packet without the content of its largest files if its document is too long; a hint names these files."""
    size, contents, left_out = len(render(answered.data)), dict(answered.data.files_content), list[str]()
    for path in sorted(contents, key=lambda path: (-len(contents[path]), path)):
        note = f"({len(contents[path]):,} characters, not shown)"
        if size <= max_chars or len(contents[path]) <= len(note):
            break
        size += len(_file(path, note)) - len(_file(path, contents[path]))
        contents[path] = note
        left_out.append(path)
    if not left_out:
        return answered
    hint = Hint("warn", f"too large to show, read these files: {', '.join(left_out)}")
    return replace(answered, data=replace(answered.data, files_content=contents)).with_hints((hint,))


def _section(slot: str, value: Any) -> str:
    if not value:
        return EMPTY
    if slot in _DOCUMENTS:
        return fenced(value, "markdown")
    if slot == "filesContent":
        return "\n".join(_file(path, content) for path, content in value.items())
    if slot == "dependencySymbols":
        lines = [f"{_span(path)}: {', '.join(map(_span, names)) or '(nothing known)'}" for path, names in value.items()]
    elif isinstance(value, list):
        lines = [item.replace("\n", "\n  ") if slot == "boundaries" else _span(item) for item in value]
    else:
        return fenced(json.dumps(value, ensure_ascii=False, indent=2), "json") if any(value.values()) else EMPTY
    return "".join(f"- {line}\n" for line in lines)


def _file(path: str, content: str) -> str:
    shown = fenced(content.rstrip("\n"), detect_language(path) or "") if content else "(new file)\n"
    return f"### {_span(path)}\n\n{shown}"


def _span(text: str) -> str:
    return code_span(escaped(text))
