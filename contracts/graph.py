"""The typed records that `ctxpack graph` prints, as in `graph.schema.json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contracts.frozen import frozen
from contracts.records import Why


@frozen
class GraphTruncation:
    """Which limits left something out (or are exceeded by the root alone), and the qids left out, in pack order."""

    max_nodes: bool
    max_bytes: bool
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphMeta:
    """`generated_at` is the only value that may differ between two runs; UTC, or None."""

    root: str
    depth: int
    verbose: bool
    generated_at: str | None = None
    node_count: int
    truncated: GraphTruncation


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """A node in a pack. `frontmatter` contains those of links, artifacts, refs and aliases that are not empty.

    `slot` names the node's part of the reading order; `slot` and `why` are set with `--explain`.
    """

    qid: str
    id: str
    workspace: str
    type: str
    title: str
    status: str | None = None
    priority: int | None = None
    path: str
    frontmatter: Mapping[str, Sequence[str]]
    body: str
    slot: str = ""
    why: tuple[Why, ...] = ()


@frozen
class DroppedNode:
    """A selected node that is not in the pack, the limit that left it out, and why it was selected."""

    qid: str
    limit: str
    why: tuple[Why, ...]


@frozen
class GraphPack:
    """`data` of `ctxpack graph`, nodes in reading order; `left_out` is set with `--explain`."""

    meta: GraphMeta
    nodes: tuple[GraphNode, ...]
    left_out: tuple[DroppedNode, ...] = ()
    version: int = 1
