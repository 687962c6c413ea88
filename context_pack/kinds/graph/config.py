"""What a work graph says about itself: `.mdkg/config.json`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from context_pack.kinds.graph.nodes import EDGES
from contracts.errors import BrokenFile, InvalidRequest, IOFailure
from contracts.validation import HALF_PAIR, half_pair_line
from index.beneath import NotRead, read_beneath

FILE = ".mdkg/config.json"
FOLDER = ".mdkg"
MOST_BYTES = 1_000_000
DEFAULT_EDGES = ("parent", "epic", "relates")
_ALIAS = re.compile(r"[a-z0-9][a-z0-9_.-]*")

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
    disabled: tuple[str, ...] = ()
    depth: int = 2
    edges: tuple[str, ...] = DEFAULT_EDGES
    max_nodes: int = 25
    max_bytes: int = 2_000_000
    core_list: str = f"{FOLDER}/core/core.md"


def read_config(root: Path) -> GraphConfig:
    """The configuration of the graph in `root`; the defaults where there is none.

    BrokenFile when it is not JSON; InvalidRequest names the key that is wrong; IOFailure when it cannot be read.
    """
    path = root / FILE
    try:
        data = read_beneath(root, FILE, MOST_BYTES)
    except NotRead as error:
        raise IOFailure(f"{FILE} is not read: {error.strerror}", details={"path": str(path)}) from error
    except (FileNotFoundError, NotADirectoryError):
        return GraphConfig()
    except OSError as error:
        raise IOFailure(f"{FILE} cannot be read: {error.strerror}", details={"path": str(path)}) from error
    return config_of(_Table(_parsed(data), ""))


def edge_names(values: object) -> tuple[str, ...]:
    """Edge names in lower case, each once, `blocked-by` as `blocked_by`. ValueError names one that does not exist."""
    names = [str(value).strip().lower().replace("-", "_") for value in _sequence(values)]
    for name in names:
        if name not in EDGES:
            raise ValueError(f"there is no edge {name!r}; there are {', '.join(EDGES)}")
    return tuple(dict.fromkeys(names))


def config_of(table: _Table) -> GraphConfig:
    """The configuration that a table describes."""
    default = GraphConfig()
    pack = table.table("pack")
    limits = pack.table("limits")
    enabled, disabled = _workspaces(table)
    return GraphConfig(
        workspaces=enabled if enabled or disabled else default.workspaces,
        disabled=disabled,
        depth=pack.value("default_depth", _count, default.depth),
        edges=pack.value("default_edges", edge_names, default.edges),
        max_nodes=limits.value("max_nodes", _count, default.max_nodes),
        max_bytes=limits.value("max_bytes", _count, default.max_bytes),
        core_list=pack.value("verbose_core_list_path", _inside, default.core_list),
    )


class _Table:
    """An object of the file, and where it is; what is wrong in it is named with its place."""

    def __init__(self, values: Mapping[str, Any], place: str) -> None:
        self.values = values
        self._place = place

    def table(self, key: str) -> _Table:
        return _Table(self.value(key, _object, {}), f"{self._place}{key}.")

    def value(self, key: str, check: Callable[[object], T], default: T) -> T:
        if key not in self.values:
            return default
        try:
            return check(self.values[key])
        except ValueError as error:
            raise InvalidRequest(self._place + key, f"{FILE}: {self._place}{key}: {error}") from None


def _parsed(data: bytes) -> Mapping[str, Any]:
    import json

    try:
        text = data.decode("utf-8-sig")
        loaded = json.loads(text)
    except UnicodeDecodeError as error:
        raise BrokenFile("config", FILE, data.count(b"\n", 0, error.start) + 1, "not valid UTF-8") from error
    except json.JSONDecodeError as error:
        raise BrokenFile("config", FILE, error.lineno, f"not JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, brackets thousands deep
        raise BrokenFile("config", FILE, 1, f"not JSON that can be read: {error}") from error
    if not isinstance(loaded, dict):
        raise BrokenFile("config", FILE, 1, "not a JSON object")
    torn = half_pair_line(loaded, text)
    if torn:
        raise BrokenFile("config", FILE, torn, HALF_PAIR)
    return loaded


def _workspaces(table: _Table) -> tuple[tuple[Workspace, ...], tuple[str, ...]]:
    """The enabled workspaces by alias, and the aliases of the disabled ones."""
    described = table.table("workspaces")
    found: dict[str, Workspace | None] = {}
    for name in described.values:
        alias = name.lower()
        if not _ALIAS.fullmatch(alias):
            raise InvalidRequest(f"workspaces.{name}", f"{FILE}: {name!r} is no alias of a workspace")
        if alias in found:
            raise InvalidRequest(f"workspaces.{name}", f"{FILE}: two workspaces are called {alias} in lower case")
        entry = described.table(name)
        folder = _joined(entry.value("path", _inside, "."), entry.value("mdkg_dir", _inside, FOLDER))
        found[alias] = Workspace(alias, folder) if entry.value("enabled", _flag, True) else None
    enabled = tuple(workspace for _, workspace in sorted(found.items()) if workspace is not None)
    return enabled, tuple(sorted(alias for alias, workspace in found.items() if workspace is None))


def _joined(path: str, folder: str) -> str:
    return folder if path == "." else f"{path}/{folder}"


def _object(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def _sequence(value: object) -> list[object]:
    if not isinstance(value, list | tuple):
        raise ValueError("not a list")
    return list(value)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"not a whole number from 0: {value!r}")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"neither true nor false: {value!r}")
    return value


def _inside(value: object) -> str:
    """A path relative to the root, forward slashes, that does not lead out of it."""
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise ValueError(f"not a path: {value!r}")
    parts: list[str] = []
    for part in value.strip().replace("\\", "/").split("/"):
        if part == ".." and not parts:
            raise ValueError(f"{value} leads out of the root")
        if part == "..":
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    if value.strip().startswith(("/", "~")):
        raise ValueError(f"{value} is not relative to the root")
    return "/".join(parts) or "."
