"""Work graphs for tests: in memory, or written to disk."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from context_pack.kinds.graph.config import GraphSettings
from context_pack.kinds.graph.nodes import Node
from context_pack.kinds.graph.pack import pack, select
from context_pack.kinds.graph.work_graph import CoreList, WorkGraph
from contracts.graph import GraphPack

ALL_EDGES = ("parent", "epic", "relates", "blocked_by", "blocks", "prev", "next")
FOLDERS = {"rule": "core", "edd": "design", "dec": "design", "prd": "design", "prop": "design"}


def node(qid: str, kind: str = "", title: str = "", **fields: Any) -> Node:
    """A node from a bare id (workspace root) or a qid; edges by keyword, with one target or several."""
    alias, _, name = qid.rpartition(":")
    edges = {key: _names(fields.pop(key)) for key in ALL_EDGES if key in fields}
    lists = {key: _names(fields.pop(key)) for key in ("links", "artifacts", "refs", "aliases") if key in fields}
    kind = kind or {"chk": "checkpoint"}.get(name.partition("-")[0], name.partition("-")[0])
    status, priority = fields.pop("status", None), fields.pop("priority", None)
    assert not fields, fields
    path = f".mdkg/work/{name}.md"
    return Node(alias or "root", path, name, kind, title or f"title of {name}", status, priority, edges, lists)


def graph(*nodes: Node, pins: Sequence[str] = (), owner: str = "root", body: str = "", **bodies: str) -> WorkGraph:
    """A graph in memory. Bodies are given by id, with `_` for `-`; the default is `body`."""
    core = CoreList(".mdkg/core/core.md", owner, dict(enumerate(pins, 1)))
    return WorkGraph(
        nodes={one.qid: one for one in nodes},
        workspaces=tuple(sorted({one.workspace for one in nodes})),
        body=lambda one: bodies.get(one.id.replace("-", "_"), body),
        core=core,
    )


def packed(given: WorkGraph, name: str, **options: Any) -> GraphPack:
    """The pack without a limit on its bytes."""
    chosen = GraphSettings(**options)
    return pack(given, select(given, name, chosen), chosen)[0]


def ids(found: GraphPack) -> list[str]:
    """The ids of a pack of one workspace, in order."""
    return [one.id for one in found.nodes]


def write_node(root: Path, name: str, body: str = "\nBody.\n", folder: str = "", **fields: Any) -> Path:
    """Writes a node's file into a workspace's folder; lists as `[a, b]`, None leaves a field out."""
    kind = fields.pop("type", None) or {"chk": "checkpoint"}.get(name.partition("-")[0], name.partition("-")[0])
    values = {"id": name, "type": kind, "title": f"title of {name}", **fields}
    lines = [f"{key}: {_written(value)}" for key, value in values.items() if value is not None]
    path = root / ".mdkg" / (folder or FOLDERS.get(kind, "work")) / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("\n".join(["---", *lines, "---", body]).encode())
    return path


def write_config(root: Path, **config: Any) -> None:
    (root / ".mdkg").mkdir(parents=True, exist_ok=True)
    (root / ".mdkg/config.json").write_text(json.dumps(config))


def write_graph(root: Path, nodes: Mapping[str, Node], bodies: Mapping[str, str] | None = None) -> None:
    """Writes nodes as files: each workspace except `root` in a folder of its name; a config lists them."""
    aliases = sorted({one.workspace for one in nodes.values()} | {"root"})
    write_config(root, workspaces={alias: {"path": "." if alias == "root" else alias} for alias in aliases})
    for qid, one in nodes.items():
        fields: dict[str, Any] = {key: targets[0] for key, targets in one.edges.items() if key in _SINGLE and targets}
        fields |= {key: targets for key, targets in one.edges.items() if key not in _SINGLE}
        fields |= {"status": one.status, "priority": one.priority, **one.lists}
        place = root if one.workspace == "root" else root / one.workspace
        body = (bodies or {}).get(qid, "\nBody.\n")
        write_node(place, one.id, body, type=one.type, title=one.title, **fields)


_SINGLE = frozenset({"parent", "epic", "prev", "next"})


def _names(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _written(value: Any) -> str:
    return f"[{', '.join(value)}]" if isinstance(value, list | tuple) else str(value)
