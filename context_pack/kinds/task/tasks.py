"""The task that a packet is made for: by id from the task graph, or from a file of its own."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from context_pack.kinds.task.project import FOLDER, Project, parsed
from contracts.errors import Ambiguous, InvalidRequest, IOFailure, NotFound

GRAPH = f"{FOLDER}/05-runtime/TASK_GRAPH.json"
_STAMPS = ("generatedAt", "generated_at", "lastUpdated", "last_updated", "updatedAt", "updated_at")


@dataclass(frozen=True, slots=True)
class Task:
    """A planned task. `source` is the file it comes from; `stamp` when that file says it was written (or empty)."""

    id: str
    files: tuple[str, ...]
    criteria: tuple[str, ...]
    tdd_mode: str
    risk_tier: str
    phase: str
    stamp: str
    source: str


def read_task(project: Project, name: str, *, files: bool = True) -> Task:
    """The task for an id or a JSON file (`-`: stdin); without `files` for an id alone, whatever it looks like.

    NotFound when there is no such task; Ambiguous when several have the id; InvalidRequest names what is wrong with it.
    """
    if not files:
        if project.find(GRAPH) is None:
            raise NotFound(f"there is no {GRAPH} to look {name} up in", hint="name the project's folder as folder")
        return _from_graph(project.json(GRAPH), name)
    if name == "-":
        return _own(parsed(sys.stdin.buffer.read(), "stdin"), "stdin")
    file = Path(name)
    if file.suffix.lower() == ".json" or "/" in name:
        if not file.is_file() and (project.root / name).is_file():
            file = project.root / name
        return _own(_read(file, name), name)
    if project.find(GRAPH) is None:
        if file.is_file():
            return _own(_read(file, name), name)
        raise NotFound(
            f"there is no {GRAPH} to look {name} up in",
            hint="name the project with --root, or give the task as a JSON file",
        )
    return _from_graph(project.json(GRAPH), name)


def _read(file: Path, name: str) -> Any:
    try:
        return parsed(file.read_bytes(), name)
    except OSError as error:
        raise IOFailure(f"{name} cannot be read: {error.strerror}", details={"path": name}) from error


def _own(document: Any, source: str) -> Task:
    """A task that is a file's whole content, or its `task`, or the only one of its `tasks`."""
    if isinstance(document, Mapping):
        if isinstance(document.get("task"), Mapping):
            return _task(document["task"], source, _stamp(document["task"]) or _stamp(document))
        if "tasks" not in document:
            return _task(document, source, _stamp(document))
    tasks = _tasks(document, source)
    if len(tasks) != 1:
        raise InvalidRequest(source, f"{source} holds {len(tasks)} tasks", hint="name one by its id")
    return _task(tasks[0], source, _stamp(tasks[0]) or _stamp(document))


def _from_graph(document: Any, name: str) -> Task:
    tasks = _tasks(document, GRAPH)
    found = [task for task in tasks if _id(task) == name]
    if not found:
        ids = sorted({_id(task) for task in tasks})
        close = get_close_matches(name, ids, n=3)
        known = f"did you mean {', '.join(close)}?" if close else f"it has {', '.join(ids[:20]) or 'no tasks'}"
        raise NotFound(f"{GRAPH} has no task {name}", hint=known)
    if len(found) > 1:
        raise Ambiguous(
            f"{GRAPH} has {len(found)} tasks with the id {name}", hint="give each task an id of its own",
            details={"candidates": [f"{name} (phase {_first(task, 'phase') or '?'})" for task in found]},
        )  # fmt: skip
    return _task(found[0], GRAPH, _stamp(found[0]) or _stamp(document))


def _tasks(document: Any, source: str) -> list[Mapping[str, Any]]:
    """The tasks of a graph: `{tasks: [..]}`, `{tasks: {id: ..}}`, `[..]`, or those of its phases."""
    body = document
    if isinstance(document, Mapping):
        if "tasks" in document:
            body = document["tasks"]
        elif isinstance(document.get("phases"), list):
            body = [task for phase in document["phases"] for task in _of_phase(phase, source)]
    if isinstance(body, Mapping) and all(isinstance(task, Mapping) for task in body.values()):
        body = [{"id": name, **task} for name, task in body.items()]
    if not isinstance(body, list) or not all(isinstance(task, Mapping) for task in body):
        raise InvalidRequest(source, f"{source} is not understood: it has no list of tasks")
    return body


def _of_phase(phase: Any, source: str) -> list[Mapping[str, Any]]:
    tasks = phase.get("tasks", []) if isinstance(phase, Mapping) else None
    if not isinstance(tasks, list) or not all(isinstance(task, Mapping) for task in tasks):
        raise InvalidRequest(source, f"{source} is not understood: a phase has no list of tasks")
    return [{"phase": _first(phase, "id", "phase", "name"), **task} for task in tasks]


def _id(task: Mapping[str, Any]) -> str:
    return str(_first(task, "id", "taskId", "task_id") or "")


def _task(task: Mapping[str, Any], source: str, stamp: str) -> Task:
    name = _id(task)
    if not name:
        raise InvalidRequest("id", f"{source}: the task has no id")
    files = _list(task, source, name, "filesModified", "files_modified")
    if not files:
        raise InvalidRequest(
            "filesModified", f"{source}: task {name} modifies no files", hint="list them in its filesModified"
        )
    return Task(
        id=name,
        files=tuple(files),
        criteria=tuple(_list(task, source, name, "acceptanceCriteria", "acceptance_criteria")),
        tdd_mode=_word(task, source, name, "tddMode", "tdd_mode"),
        risk_tier=_word(task, source, name, "riskTier", "risk_tier"),
        phase=str(_first(task, "phase", "phaseId", "phase_id") or ""),
        stamp=stamp,
        source=source,
    )


def _first(record: Mapping[str, Any], *keys: str) -> Any:
    return next((record[key] for key in keys if record.get(key) is not None), None)


def _twin(task: Mapping[str, Any], source: str, name: str, camel: str, snake: str) -> Any:
    """The value of a field under either of its spellings; both at once have to agree."""
    one, other = task.get(camel), task.get(snake)
    if one is not None and other is not None and one != other:
        raise InvalidRequest(camel, f"{source}: {camel} and {snake} of task {name} differ", hint="keep one of them")
    return other if one is None else one


def _list(task: Mapping[str, Any], source: str, name: str, camel: str, snake: str) -> list[str]:
    value = _twin(task, source, name, camel, snake)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(part, str) and part for part in value):
        raise InvalidRequest(camel, f"{source}: {camel} of task {name} is not a list of texts")
    return value


def _word(task: Mapping[str, Any], source: str, name: str, camel: str, snake: str) -> str:
    value = _twin(task, source, name, camel, snake)
    if value is not None and not isinstance(value, str):
        raise InvalidRequest(camel, f"{source}: {camel} of task {name} is not a text")
    return value or ""


def _stamp(document: Any) -> str:
    """When a document says that it was written, as it says it; empty when it does not, or not in ISO 8601."""
    value = _first(document, *_STAMPS) if isinstance(document, Mapping) else None
    return value if isinstance(value, str) and is_time(value) else ""


def is_time(text: str) -> bool:
    """Whether a text is a date and time in ISO 8601."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return "T" in text or " " in text
