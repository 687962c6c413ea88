"""The configuration of a work graph: `.mdkg/config.json`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from posixpath import normpath
from typing import Any

from context_pack.io.tree import Tree, parsed
from context_pack.kinds.graph.nodes import EDGES
from contracts.errors import BrokenFile, InvalidRequest
from contracts.frozen import frozen
from contracts.schemas import problem

FOLDER = ".mdkg"
FILE = f"{FOLDER}/config.json"
MAX_BYTES = 1_000_000
_ALIAS = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_COUNT = {"type": "integer", "minimum": 0}
_LIMITS: dict[str, Any] = {"type": "object", "properties": {"max_nodes": _COUNT, "max_bytes": _COUNT}}
_PACK = {"default_depth": _COUNT, "default_edges": {"type": "array"}, "verbose_core_list_path": {"type": "string"},
         "limits": _LIMITS}  # fmt: skip
_WORKSPACE = {"path": {"type": "string"}, "mdkg_dir": {"type": "string"}, "enabled": {"type": "boolean"}}
_WORKSPACES = {"type": "object", "additionalProperties": {"type": "object", "properties": _WORKSPACE}}
_SCHEMA = {"properties": {"pack": {"type": "object", "properties": _PACK}, "workspaces": _WORKSPACES}}


@frozen
class GraphSettings:
    """Every option with its value. 0 nodes or bytes mean no limit; `edges` are in the order they are followed.

    `workspaces` maps the alias of each enabled one to the folder of its nodes (relative to the root, forward slashes).
    """

    depth: int = 2
    edges: tuple[str, ...] = ("parent", "epic", "relates")
    verbose: bool = False
    workspace: str | None = None
    max_nodes: int = 25
    max_bytes: int = 2_000_000
    explain: bool = False
    no_redact: bool = False
    core_list: str = f"{FOLDER}/core/core.md"
    workspaces: Mapping[str, str] = field(default_factory=lambda: {"root": FOLDER})


def read_config(root: Path) -> GraphSettings:
    """The configuration of the graph in `root`; the defaults if there is no file.

    BrokenFile if it is not JSON; InvalidRequest names the key that is wrong; IOFailure if it cannot be read.
    """
    data = Tree(root).read(FILE, max_bytes=MAX_BYTES)
    document = {} if data is None else parsed(data, FILE, "config")
    if not isinstance(document, dict):
        raise BrokenFile("config", FILE, 1, "not a JSON object")
    wrong = problem(document, _SCHEMA)
    if wrong is not None:
        raise InvalidRequest(wrong[0], f"{FILE}: {wrong[0]} {wrong[1]}")
    pack = document.get("pack", {})
    values = {name: count for name, count in pack.get("limits", {}).items() if name in _LIMITS["properties"]}
    if "default_depth" in pack:
        values["depth"] = pack["default_depth"]
    for name, key, check in (("edges", "default_edges", edge_names), ("core_list", "verbose_core_list_path", _inside)):
        if key in pack:
            values[name] = _checked(f"pack.{key}", check, pack[key])
    if document.get("workspaces"):
        values["workspaces"] = _workspaces(document["workspaces"])
    return GraphSettings(**values)


def edge_names(values: Iterable[object]) -> tuple[str, ...]:
    """Edge names in lower case, each once, `blocked-by` as `blocked_by`. ValueError names one that does not exist."""
    names = [str(value).strip().lower().replace("-", "_") for value in values]
    for name in names:
        if name not in EDGES:
            raise ValueError(f"must name edges, not {name!r}; the edges are {', '.join(EDGES)}")
    return tuple(dict.fromkeys(names))


def _checked(key: str, check: Callable[[Any], Any], value: object) -> Any:
    try:
        return check(value)
    except ValueError as error:
        raise InvalidRequest(key, f"{FILE}: {key}: {error}") from None


def _workspaces(described: Mapping[str, Any]) -> dict[str, str]:
    folders: dict[str, str | None] = {}
    for name, entry in described.items():
        alias, key = name.lower(), f"workspaces.{name}"
        if not _ALIAS.fullmatch(alias):
            raise InvalidRequest(key, f"{FILE}: {name!r} is not a valid workspace alias")
        if alias in folders:
            raise InvalidRequest(key, f"{FILE}: two workspaces have the alias {alias} in lower case")
        path = _checked(f"{key}.path", _inside, entry.get("path", "."))
        folder = _checked(f"{key}.mdkg_dir", _inside, entry.get("mdkg_dir", FOLDER))
        place = folder if path == "." else f"{path}/{folder}"
        folders[alias] = place if entry.get("enabled", True) else None
    return {alias: folder for alias, folder in sorted(folders.items()) if folder is not None}


def _inside(value: str) -> str:
    """A path relative to the root, with forward slashes. ValueError if it leads out of the root."""
    if not value.strip() or "\0" in value:
        raise ValueError(f"not a valid path: {value!r}")
    path = normpath(value.strip().replace("\\", "/"))
    if path.startswith(("/", "~")):
        raise ValueError(f"{value} is not relative to the root")
    if path.split("/")[0] == "..":
        raise ValueError(f"{value} is outside the root")
    return path
