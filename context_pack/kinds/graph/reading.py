"""A tree with `.mdkg` folders becomes a work graph."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from context_pack.collecting import collection_paused
from context_pack.corpora.cached import Records, cached_records
from context_pack.corpora.files import Files, Problem, markdown_files, read_bytes
from context_pack.corpora.inside import with_home
from context_pack.kinds.graph import nodes as node_files
from context_pack.kinds.graph.config import FOLDER, GraphConfig, Workspace, read_config
from context_pack.kinds.graph.frontmatter import FrontmatterError
from context_pack.kinds.graph.nodes import BrokenNode, Node
from context_pack.kinds.graph.work_graph import CoreList, Pin, WorkGraph
from contracts.errors import BrokenFile, IOFailure, NoFiles, NotADirectory

FOLDERS = ("core", "design", "work")


def graph_root(chosen: str | Path | None) -> Path:
    """The folder that holds the graph: the one that is named, else the nearest one upwards with a `.mdkg` folder."""
    if chosen is None:
        here = Path.cwd()
        return next((folder for folder in (here, *here.parents) if (folder / FOLDER).is_dir()), here)
    folder = with_home(chosen)
    if "\0" in str(folder) or not folder.is_dir():
        raise NotADirectory(f"{chosen} is not a directory", hint="name the folder that holds .mdkg with --root")
    return folder.absolute()


@collection_paused()
def read_graph(root: Path, config: GraphConfig | None = None) -> WorkGraph:
    """The work graph of a tree. Files that are no nodes are reported in it; NoFiles when there is no file at all."""
    config = config or read_config(root)
    at = str(root)
    workspaces, problems = _readable(root, config.workspaces)
    left_out = {config.core_list, *(f"{workspace.folder}/core/core.md" for workspace in workspaces)}
    found = {
        workspace.alias: markdown_files(at, _folders(workspace), lambda path: path not in left_out)
        for workspace in workspaces
    }
    files = {file.path: file for below in found.values() for file in below.files}
    if not files:
        looked = ", ".join(folder for workspace in config.workspaces for folder in _folders(workspace))
        raise NoFiles(
            f"{root} holds no work graph: there is no *.md in {looked}",
            hint="`ctxpack init graph DIR` writes an example, --root names another folder",
        )
    records = cached_records("graph", node_files.VERSION, at, tuple(files.values()), node_files.record_of)
    graph = _Assembly(found, records)
    return WorkGraph(
        nodes=graph.nodes,
        workspaces=tuple(workspace.alias for workspace in config.workspaces),
        body=lambda node: _body(at, node),
        core=_core_list(root, config),
        broken=tuple(graph.broken),
        duplicates={qid: tuple(files) for qid, files in graph.claims.items()},
        problems=(
            *problems,
            *(p for below in found.values() for p in below.problems),
            *records.problems,
            *graph.problems,
        ),
        unsaved=records.unsaved,
    )


def _folders(workspace: Workspace) -> list[str]:
    return [f"{workspace.folder}/{name}" for name in FOLDERS]


def _readable(root: Path, workspaces: Sequence[Workspace]) -> tuple[list[Workspace], list[Problem]]:
    """The workspaces whose folder is there and inside the root, and what is wrong with the others."""
    inside = os.path.realpath(root)
    kept: list[Workspace] = []
    problems: list[Problem] = []
    for workspace in workspaces:
        folder = Path(os.path.realpath(root / workspace.folder))
        if not folder.is_relative_to(inside):
            problems.append(Problem(workspace.folder, 0, f"the workspace {workspace.alias} is outside of the root"))
        elif not folder.is_dir():
            problems.append(Problem(workspace.folder, 0, f"the workspace {workspace.alias} has no such folder"))
        else:
            kept.append(workspace)
    return kept, problems


class _Assembly:
    """Nodes by qid, in the order of workspaces, then of paths; the first file that claims a qid has it."""

    def __init__(self, found: Mapping[str, Files], records: Records) -> None:
        self.nodes: dict[str, Node] = {}
        self.broken: list[BrokenNode] = []
        self.claims: dict[str, list[str]] = {}
        self.problems: list[Problem] = []
        by_path = records.by_path
        for alias, below in found.items():
            for file in below.files:
                record = by_path.get(file.path)
                if record is None:  # it could not be read, which is a problem already
                    continue
                if not record[0]:
                    self._break(BrokenNode(alias, file.path, *record[1:]))
                    continue
                node = Node(alias, file.path, *record[2:])
                qid = f"{alias}:{node.id}"
                if qid in self.nodes:
                    self._repeat(qid, node)
                else:
                    self.nodes[qid] = node
                if not record[1]:
                    self.problems.append(
                        Problem(node.path, 0, "not valid UTF-8: what cannot be read is shown as U+FFFD")
                    )

    def _break(self, node: BrokenNode) -> None:
        self.broken.append(node)
        self.problems.append(Problem(node.path, node.line, f"{node.message} (the file is left out)"))

    def _repeat(self, qid: str, node: Node) -> None:
        first = self.nodes[qid].path
        self.claims.setdefault(qid, [first]).append(node.path)
        self.problems.append(Problem(node.path, 0, f"{qid} is {first} already (this file is left out)"))


def _body(root: str, node: Node) -> str:
    try:
        return node_files.body_of(read_bytes(root, node.path))
    except OSError as error:
        raise IOFailure(f"{node.path} cannot be read: {error.strerror}", details={"path": node.path}) from error
    except FrontmatterError as error:  # it was a node a moment ago
        raise BrokenFile(
            "id", node.path, error.line, error.message, hint="the file has just changed: try again"
        ) from error


def _core_list(root: Path, config: GraphConfig) -> CoreList | None:
    """The pins of the core list, or None when there is none to be read (only `--verbose` cares)."""
    if not Path(os.path.realpath(root / config.core_list)).is_relative_to(os.path.realpath(root)):
        return None  # a link out of the root: its lines would come out in warnings
    try:
        text = node_files.decoded(read_bytes(str(root), config.core_list))[0]
    except OSError:
        return None
    lines = enumerate(text.split("\n"), start=1)
    pins = [Pin(name, number) for number, line in lines if (name := line.partition("#")[0].strip().lower())]
    owners = [workspace for workspace in config.workspaces if config.core_list.startswith(f"{workspace.folder}/")]
    owner = max(owners, key=lambda workspace: len(workspace.folder), default=None)
    return CoreList(config.core_list, owner.alias if owner else "", tuple(pins))
