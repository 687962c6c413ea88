"""A work graph in memory: its nodes by qid, what pins it has, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from context_pack.corpora.files import Problem
from context_pack.kinds.graph.nodes import BrokenNode, Node
from contracts.errors import Ambiguous, BrokenFile, InvalidRequest, NotFound


@dataclass(frozen=True, slots=True)
class Pin:
    """An id of the core list, in lower case, and its line there."""

    name: str
    line: int


@dataclass(frozen=True, slots=True)
class CoreList:
    """What `--verbose` adds: the pins of a file, which belongs to a workspace."""

    path: str
    workspace: str
    pins: tuple[Pin, ...]


@dataclass(frozen=True, slots=True)
class WorkGraph:
    """Nodes by qid; `body` gives a node's text. `duplicates` holds every file that claims a qid more than once.

    `unsaved` says why the graph will have to be read anew next time (empty: it will not).
    """

    nodes: Mapping[str, Node]
    workspaces: tuple[str, ...]
    body: Callable[[Node], str]
    core: CoreList | None = None
    broken: tuple[BrokenNode, ...] = ()
    duplicates: Mapping[str, tuple[str, ...]] | None = None
    problems: tuple[Problem, ...] = ()
    unsaved: str = ""

    def find(self, name: str, workspace: str | None = None) -> list[str]:
        """The qids that an id or qid stands for, sorted; a bare id is looked up in every workspace, or in one."""
        wanted = name.strip().lower()
        if ":" in wanted:
            return [wanted] if wanted in self.nodes else []
        places = self.workspaces if workspace is None else (workspace,)
        return sorted(qid for place in places if (qid := f"{place}:{wanted}") in self.nodes)

    def root(self, name: str, workspace: str | None = None) -> str:
        """The one qid that an id or qid stands for.

        NotFound, Ambiguous (also when several files claim the qid), or BrokenFile when its file is no node.
        """
        if not name.strip():
            raise NotFound("the id is empty", hint="name a node, as in `ctxpack graph task-1`")
        found = self.find(name, workspace)
        if not found:
            raise self._missing(name.strip().lower(), workspace)
        if len(found) > 1:
            raise Ambiguous(
                f"{name} is in {len(found)} workspaces", hint="name one as ALIAS:ID, or choose with --ws",
                details={"candidates": found},
            )  # fmt: skip
        files = (self.duplicates or {}).get(found[0])
        if files:
            raise Ambiguous(
                f"{len(files)} files claim to be {found[0]}: {', '.join(files)}", hint="give all but one another id",
                details={"candidates": sorted(files)},
            )  # fmt: skip
        return found[0]

    def broken_file(self, name: str, workspace: str | None = None) -> BrokenNode | None:
        """The broken file that an id or qid most likely means: the one that claims the id, or is named after it."""
        alias, colon, wanted = name.rpartition(":")
        place = alias if colon else workspace
        for node in self.broken:
            if place in {None, node.workspace} and _means(node, wanted):
                return node
        return None

    def check_workspace(self, alias: str) -> str:
        """An alias in lower case. InvalidRequest when there is no such workspace."""
        known = alias.strip().lower()
        if known not in self.workspaces:
            raise InvalidRequest(
                "ws", f"there is no enabled workspace {alias!r}", hint=f"there are {', '.join(self.workspaces)}"
            )
        return known

    def _missing(self, name: str, workspace: str | None) -> NotFound | BrokenFile:
        broken = self.broken_file(name, workspace)
        if broken is not None:
            return BrokenFile("id", broken.path, broken.line, broken.message, hint="mend the frontmatter of this file")
        elsewhere = self.find(name)
        if elsewhere:
            where = f"no node {name} in the workspace {workspace}"
            return NotFound(f"there is {where}", hint=f"there is {', '.join(elsewhere)}")
        from difflib import get_close_matches

        close = get_close_matches(name, [*self.nodes, *(node.id for node in self.nodes.values())], n=3)
        return NotFound(f"there is no node {name}", hint=f"did you mean {' or '.join(close)}?" if close else "")


def _means(node: BrokenNode, name: str) -> bool:
    if node.claimed:
        return node.claimed == name
    stem = node.path.rpartition("/")[2].removesuffix(".md").lower()
    return stem == name or stem.startswith(f"{name}-")
