"""Reading the task of a packet: by id from the task graph, or from a file of its own."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from context_pack.io.tree import parsed, read_named
from context_pack.kinds.task.project import FOLDER, Project
from contracts.errors import Ambiguous, InvalidRequest, NotFound
from contracts.frozen import frozen
from contracts.schemas import problem

GRAPH = f"{FOLDER}/05-runtime/TASK_GRAPH.json"
_STAMPS = ("generatedAt", "generated_at", "lastUpdated", "last_updated")
_TWINS = {"files_modified": "filesModified", "acceptance_criteria": "acceptanceCriteria", "tdd_mode": "tddMode",
          "risk_tier": "riskTier"}  # fmt: skip
_TEXT, _TEXTS = {"type": "string"}, {"type": "array", "items": {"type": "string", "minLength": 1}}
_SCHEMA = {"properties": {"filesModified": _TEXTS, "acceptanceCriteria": _TEXTS, "tddMode": _TEXT, "riskTier": _TEXT}}


@frozen
class Task:
    """A planned task. `stamp` is the time at which its file says that it was written; empty if it says none."""

    id: str
    files: tuple[str, ...]
    criteria: tuple[str, ...]
    tdd_mode: str
    risk_tier: str
    phase: str
    stamp: str


def read_task(project: Project, name: str, *, files: bool = True) -> Task:
    """The task for an id or a JSON file (`-`: stdin). Without `files`, the name is an id, whatever it looks like.

    NotFound if there is no such task; Ambiguous if several have the id; InvalidRequest names what is wrong with it.
    """
    if not name.strip():
        raise NotFound("the id is empty", hint="give the id of a task, as in `ctxpack task T02`")
    if files and (name == "-" or "/" in name or name.lower().endswith(".json")):
        return _from_file(project, name)
    document = project.json(GRAPH)
    if document is not None:
        return _from_graph(document, name)
    if files and Path(name).is_file():
        return _from_file(project, name)
    hint = "give the project with --root, or the task as a JSON file" if files else "give its folder as folder"
    raise NotFound(f"cannot look up {name}: there is no {GRAPH}", hint=hint)


def _from_file(project: Project, name: str) -> Task:
    """The task in a file: its whole content, or the only one of its `tasks`. The file may be named from the project."""
    source, data = "stdin" if name == "-" else name, None
    if name != "-" and not Path(name).exists():
        with suppress(InvalidRequest):  # it leads out of the project
            data = project.read(name)
    document = parsed(read_named(name) if data is None else data, source)
    if isinstance(document, Mapping) and "tasks" not in document:
        return _task(document, source, document)
    tasks = _tasks(document, source)
    if len(tasks) != 1:
        raise InvalidRequest(source, f"{source} contains {len(tasks)} tasks", hint="choose one by its id")
    return _task(tasks[0], source, document)


def _from_graph(document: Any, name: str) -> Task:
    tasks = _tasks(document, GRAPH)
    named = [task for task in tasks if _id(task) == name]
    if not named:
        ids = sorted({_id(task) for task in tasks})
        close = get_close_matches(name, ids, n=3)
        hint = f"did you mean {', '.join(close)}?" if close else f"it has {', '.join(ids[:20]) or 'no tasks'}"
        raise NotFound(f"{GRAPH} has no task {name}", hint=hint, details={"nearest": close})
    if len(named) > 1:
        raise Ambiguous(
            f"{GRAPH} has {len(named)} tasks with the id {name}", hint="give each task a unique id",
            details={"candidates": [f"{name} (phase {task.get('phase') or '?'})" for task in named]},
        )  # fmt: skip
    return _task(named[0], GRAPH, document)


def _tasks(document: Any, source: str) -> list[Mapping[str, Any]]:
    tasks = document.get("tasks") if isinstance(document, Mapping) else None
    if not isinstance(tasks, list) or not all(isinstance(task, Mapping) for task in tasks):
        raise InvalidRequest(source, f"{source} has an unknown format: it has no list of tasks")
    return tasks


def _id(task: Mapping[str, Any]) -> str:
    """The id as text, which may be a number in the file; empty if there is none."""
    name = task.get("id")
    return str(name) if isinstance(name, str | int) and not isinstance(name, bool) else ""


def _task(task: Mapping[str, Any], source: str, document: Mapping[str, Any]) -> Task:
    values = {key: value for key, value in task.items() if value is not None}
    name = _id(values)
    if not name:
        raise InvalidRequest("id", f"{source}: the task has no id")
    for snake, camel in _TWINS.items():
        if snake in values and values.setdefault(camel, values[snake]) != values[snake]:
            raise InvalidRequest(camel, f"{source}: {camel} and {snake} of task {name} differ", hint="keep one of them")
    where, what = problem(values, _SCHEMA) or ("", "")
    if where:
        raise InvalidRequest(where.partition("[")[0], f"{source}: {where} of task {name} {what}")
    if not values.get("filesModified"):
        fault = f"{source}: task {name} modifies no files"
        raise InvalidRequest("filesModified", fault, hint="list them in its filesModified")
    stamps = (one.get(key) for one in (task, document) for key in _STAMPS)
    return Task(
        id=name,
        files=tuple(values["filesModified"]),
        criteria=tuple(values.get("acceptanceCriteria", ())),
        tdd_mode=values.get("tddMode", ""),
        risk_tier=values.get("riskTier", ""),
        phase=str(values.get("phase", "")),
        stamp=next((stamp for stamp in stamps if isinstance(stamp, str) and is_time(stamp)), ""),
    )


def is_time(text: str) -> bool:
    """Whether a text is a date and time in ISO 8601."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return "T" in text or " " in text
