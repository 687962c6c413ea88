"""What a work graph says about itself: `.mdkg/config.json`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from posixpath import normpath
from typing import Any, TypeVar

from context_pack.io.tree import Tree, parsed
from context_pack.kinds.graph.nodes import EDGES
from contracts.errors import BrokenFile, InvalidRequest
from contracts.validation import problem

FOLDER = ".mdkg"
FILE = f"{FOLDER}/config.json"
MOST_BYTES = 1_000_000
_ALIAS = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_COUNT = {"type": "integer", "minimum": 0}
_LIMITS = {"type": "object", "properties": {"max_nodes": _COUNT, "max_bytes": _COUNT}}
_PACK = {"default_depth": _COUNT, "default_edges": {"type": "array"}, "verbose_core_list_path": {"type": "string"},
         "limits": _LIMITS}  # fmt: skip
_WORKSPACE = {"path": {"type": "string"}, "mdkg_dir": {"type": "string"}, "enabled": {"type": "boolean"}}
_WORKSPACES = {"type": "object", "additionalProperties": {"type": "object", "properties": _WORKSPACE}}
_SCHEMA = {"properties": {"pack": {"type": "object", "properties": _PACK}, "workspaces": _WORKSPACES}}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Workspace:
    """A part of the graph: its alias, and the folder (relative to the root, forward slashes) that holds its nodes."""

    alias: str
    folder: str


@dataclass(frozen=True, slots=True)
class GraphConfig:
    """The configuration with its defaults. Workspaces are the enabled ones, by alias."""

    workspaces: tuple[Workspace, ...] = (Workspace("root", FOLDER),)
    depth: int = 2
    edges: tuple[str, ...] = ("parent", "epic", "relates")
    max_nodes: int = 25
    max_bytes: int = 2_000_000
    core_list: str = f"{FOLDER}/core/core.md"


def read_config(root: Path) -> GraphConfig:
    """The configuration of the graph in `root`; the defaults where there is none.

    BrokenFile when it is not JSON; InvalidRequest names the key that is wrong; IOFailure when it cannot be read.
    """
    data = Tree(root).read(FILE, most_bytes=MOST_BYTES)
    document = {} if data is None else parsed(data, FILE, "config")
    if not isinstance(document, dict):
        raise BrokenFile("config", FILE, 1, "not a JSON object")
    wrong = problem(document, _SCHEMA)
    if wrong is not None:
        raise InvalidRequest(wrong[0], f"{FILE}: {wrong[0]} {wrong[1]}")
    default, pack = GraphConfig(), document.get("pack", {})
    limits = pack.get("limits", {})
    described = document.get("workspaces", {})
    return GraphConfig(
        workspaces=_workspaces(described) if described else default.workspaces,
        depth=pack.get("default_depth", default.depth),
        edges=_checked("pack.default_edges", edge_names, pack.get("default_edges", default.edges)),
        max_nodes=limits.get("max_nodes", default.max_nodes),
        max_bytes=limits.get("max_bytes", default.max_bytes),
        core_list=_checked(
            "pack.verbose_core_list_path", _inside, pack.get("verbose_core_list_path", default.core_list)
        ),
    )


def edge_names(values: Iterable[object]) -> tuple[str, ...]:
    """Edge names in lower case, each once, `blocked-by` as `blocked_by`. ValueError names one that does not exist."""
    names = [str(value).strip().lower().replace("-", "_") for value in values]
    for name in names:
        if name not in EDGES:
            raise ValueError(f"there is no edge {name!r}; there are {', '.join(EDGES)}")
    return tuple(dict.fromkeys(names))


def _checked(key: str, check: Callable[[Any], T], value: object) -> T:
    try:
        return check(value)
    except ValueError as error:
        raise InvalidRequest(key, f"{FILE}: {key}: {error}") from None


def _workspaces(described: Mapping[str, Any]) -> tuple[Workspace, ...]:
    """The enabled workspaces by alias."""
    folders: dict[str, str | None] = {}
    for name, entry in described.items():
        alias, key = name.lower(), f"workspaces.{name}"
        if not _ALIAS.fullmatch(alias):
            raise InvalidRequest(key, f"{FILE}: {name!r} is no alias of a workspace")
        if alias in folders:
            raise InvalidRequest(key, f"{FILE}: two workspaces are called {alias} in lower case")
        path = _checked(f"{key}.path", _inside, entry.get("path", "."))
        folder = _checked(f"{key}.mdkg_dir", _inside, entry.get("mdkg_dir", FOLDER))
        place = folder if path == "." else f"{path}/{folder}"
        folders[alias] = place if entry.get("enabled", True) else None
    return tuple(Workspace(alias, folder) for alias, folder in sorted(folders.items()) if folder is not None)


def _inside(value: str) -> str:
    """A path relative to the root, forward slashes, that does not lead out of it."""
    if not value.strip() or "\0" in value:
        raise ValueError(f"not a path: {value!r}")
    path = normpath(value.strip().replace("\\", "/"))
    if path.startswith(("/", "~")):
        raise ValueError(f"{value} is not relative to the root")
    if path.split("/")[0] == "..":
        raise ValueError(f"{value} leads out of the root")
    return path
