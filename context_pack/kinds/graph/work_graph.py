"""Reading a tree with `.mdkg` folders as a work graph: its nodes by qid, its pins and its problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path

from context_pack.io.markdown_files import FrontmatterError, Problem, decoded, markdown_files, read_bytes
from context_pack.io.paths import real_path, root_with, unreadable
from context_pack.io.record_cache import cached_records, collection_paused
from context_pack.kinds.graph import nodes as node_files
from context_pack.kinds.graph.config import FOLDER, GraphSettings, read_config
from context_pack.kinds.graph.nodes import BrokenNode, Node
from context_pack.render.phrases import first_of
from contracts.errors import Ambiguous, BrokenFile, NoFiles, NotFound
from contracts.frozen import frozen

FOLDERS = ("core", "design", "work")
NODES_IN_HINT = 20


@frozen
class CoreList:
    """The pins that `--verbose` adds, from a file of a workspace. Pins are ids in lower case, by line."""

    path: str
    workspace: str
    pins: Mapping[int, str]


@frozen
class WorkGraph:
    """Nodes by qid; `body` returns a node's text. `duplicates` lists all files that claim one qid, by qid.

    `unsaved` says why the records could not be cached (empty: they were).
    """

    nodes: Mapping[str, Node]
    workspaces: tuple[str, ...]
    body: Callable[[Node], str]
    core: CoreList | None = None
    broken: tuple[BrokenNode, ...] = ()
    duplicates: Mapping[str, list[str]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    unsaved: str = ""

    def find(self, name: str, workspace: str | None = None) -> list[str]:
        """The qids that an id or qid means, sorted; a bare id is looked up in every workspace, or in the given one."""
        wanted = name.strip().lower()
        places = self.workspaces if workspace is None else (workspace,)
        qids = [wanted] if ":" in wanted else [f"{place}:{wanted}" for place in places]
        return sorted(qid for qid in qids if qid in self.nodes)

    def root(self, name: str, workspace: str | None = None) -> str:
        """The one qid that an id or qid means.

        NotFound, Ambiguous (also if several files claim the qid), or BrokenFile if its file is not a node.
        """
        if not name.strip():
            raise NotFound("the id is empty", hint="give the id of a node, as in `ctxpack graph task-1`")
        qids = self.find(name, workspace)
        if not qids:
            raise self._missing(name.strip().lower(), workspace)
        if len(qids) > 1:
            raise Ambiguous(
                f"{name} is in {len(qids)} workspaces", hint="choose one as ALIAS:ID, or with --ws",
                details={"candidates": qids},
            )  # fmt: skip
        files = self.duplicates.get(qids[0])
        if files:
            raise Ambiguous(
                f"{len(files)} files have the id {qids[0]}: {', '.join(files)}", hint="change the id in all but one",
                details={"candidates": sorted(files), "by": "file"},
            )  # fmt: skip
        return qids[0]

    def broken_file(self, name: str, workspace: str | None = None) -> BrokenNode | None:
        """The broken file that an id or qid most likely means."""
        alias, colon, wanted = name.rpartition(":")
        place = alias if colon else workspace
        return next((file for file in self.broken if place in (None, file.workspace) and file.means(wanted)), None)

    def _missing(self, name: str, workspace: str | None) -> NotFound | BrokenFile:
        from difflib import get_close_matches

        broken = self.broken_file(name, workspace)
        if broken is not None:
            return BrokenFile("id", broken.path, broken.line, broken.message, hint="fix the frontmatter of this file")
        elsewhere = self.find(name)
        if elsewhere:
            hint = f"did you mean {' or '.join(elsewhere)}?"
            return NotFound(f"there is no node {name} in the workspace {workspace}", hint=hint)
        close = get_close_matches(name, self.nodes if ":" in name else {node.id for node in self.nodes.values()}, n=3)
        every = first_of([*self.nodes], NODES_IN_HINT)
        hint = f"did you mean {' or '.join(close)}?" if close else f"the graph has {every}"
        return NotFound(f"there is no node {name}", hint=hint, details={"nearest": close})


def graph_root(chosen: str | Path | None) -> Path:
    """The folder of the graph: the chosen one, else the nearest one upwards with a `.mdkg` folder."""
    return root_with(FOLDER, chosen, "give the folder that contains .mdkg with --root")


@collection_paused()
def read_graph(root: Path, config: GraphSettings | None = None) -> WorkGraph:
    """The work graph of a tree. Files that are not nodes become its problems; NoFiles if there are no files at all.

    Nodes are ordered by workspace, then by path; the first file that claims a qid gets it.
    """
    config = config or read_config(root)
    at = str(root)
    folders = {alias: [f"{folder}/{name}" for name in FOLDERS] for alias, folder in config.workspaces.items()}
    missing = _unreadable(root, config.workspaces)
    left_out = {config.core_list, *(f"{folder}/core/core.md" for folder in config.workspaces.values())}
    by_alias = {alias: markdown_files(at, places, lambda path: path not in left_out)
             for alias, places in folders.items() if alias not in missing}  # fmt: skip
    files = {file.path: file for below in by_alias.values() for file in below.files}
    if not files:
        looked = ", ".join(place for places in folders.values() for place in places)
        raise NoFiles(
            f"{root} has no work graph: {f'there is no *.md in {looked}' if looked else 'no workspace is enabled'}",
            hint="give another folder with --root, or run `ctxpack init graph DIR` to write an example",
        )
    records = cached_records("graph", node_files.VERSION, at, tuple(files.values()), node_files.record_of)
    problems = [*missing.values(), *(one for below in by_alias.values() for one in below.problems), *records.problems]
    nodes: dict[str, Node] = {}
    broken: list[BrokenNode] = []
    claims: dict[str, list[str]] = {}
    for alias, path in ((alias, file.path) for alias, below in by_alias.items() for file in below.files):
        record = records.by_path.get(path)
        if record is None:  # unreadable, which is a problem already
            continue
        if not record[0]:
            broken.append(BrokenNode(alias, path, *record[1:]))
            problems.append(Problem(path, record[1], f"{record[2]} (the file was left out)"))
            continue
        node = Node(alias, path, *record[2:])
        first = nodes.setdefault(node.qid, node)
        if first is not node:
            claims.setdefault(node.qid, [first.path]).append(path)
            problems.append(Problem(path, 0, f"{node.qid} is already defined in {first.path} (this file was left out)"))
        if not record[1]:
            problems.append(Problem(path, 0, "not valid UTF-8: invalid bytes are shown as U+FFFD"))
    return WorkGraph(
        nodes=nodes,
        workspaces=tuple(folders),
        body=lambda node: _body(at, node),
        core=_core_list(at, config),
        broken=tuple(broken),
        duplicates=claims,
        problems=tuple(problems),
        unsaved=records.unsaved,
    )


def _unreadable(root: Path, workspaces: Mapping[str, str]) -> dict[str, Problem]:
    """The problems of workspaces whose folder does not exist or is outside the root, by alias."""
    problems = {}
    for alias, folder in workspaces.items():
        is_inside = real_path(str(root), folder) is not None
        if not is_inside or not (root / folder).is_dir():
            fault = "has no such folder" if is_inside else "is outside the root"
            problems[alias] = Problem(folder, 0, f"the workspace {alias} {fault}")
    return problems


def _body(root: str, node: Node) -> str:
    try:
        return node_files.parse(decoded(read_bytes(root, node.path))[0])[1]
    except OSError as error:
        raise unreadable(node.path, error) from error
    except FrontmatterError as error:  # it was a node a moment ago
        hint = "the file has just changed; try again"
        raise BrokenFile("id", node.path, error.line, error.message, hint=hint) from error


def _core_list(root: str, config: GraphSettings) -> CoreList | None:
    """The pins of the core list; None if it cannot be read, which matters to `--verbose` only."""
    try:
        text = decoded(read_bytes(root, config.core_list))[0]
    except OSError:
        return None
    lines = enumerate(text.split("\n"), start=1)
    ids = ((number, line.partition("#")[0].strip()) for number, line in lines)
    pins = {number: name for number, text in ids if (name := text.lower().removeprefix("-").strip())}
    owners = [alias for alias, folder in config.workspaces.items() if config.core_list.startswith(f"{folder}/")]
    return CoreList(config.core_list, max(owners, key=lambda alias: len(config.workspaces[alias]), default=""), pins)
