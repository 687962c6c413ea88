"""Edges as sorted arrays: for each node its neighbours in one direction, their labels and weights."""

from __future__ import annotations

import numpy as np

from contracts.frozen import frozen
from index.generation.reader import Snapshot
from index.segment.columns import Array, begins_run, offsets_of, rows_of, spread

LABELS = ("contains", "calls", "uses", "extends", "imports", "tests", "implements", "overrides", "documents")
CERTAIN = 255  # the weight of an edge if the name can mean only one definition
_LABEL_BITS = 4


@frozen
class Edges:
    """One direction of a graph: node n's neighbours are node[indptr[n]:indptr[n + 1]], with labels and weights.

    A weight is CERTAIN, or less if the name could mean one of several definitions or something unknown.
    """

    indptr: Array
    node: Array
    label: Array
    weight: Array

    @classmethod
    def of(cls, snapshot: Snapshot, name: str, way: str) -> Edges:
        """`name`: `edge` between chunks, `file_edge` between files, `symbol_edge` between symbols and files.

        A symbol's node is its row among the definitions; file f is node `definitions + f`. `way`: `out` or `in`.
        """
        return cls(*(snapshot.array(f"{name}/{way}/{part}") for part in ("indptr", "node", "label", "weight")))

    def leaving(self, nodes: Array, most: int | None = None) -> tuple[Array, Array]:
        """(position in `nodes`, position among the edges) of the edges of these nodes, at most `most` per node."""
        first = self.indptr[nodes]
        counts = self.indptr[nodes + 1] - first
        if most is not None:
            counts = np.minimum(counts, most)
        return np.arange(len(nodes)).repeat(counts), spread(first, counts)

    def neighbours(self, node: int) -> list[tuple[int, str]]:
        """(neighbour, label), by neighbour."""
        run = slice(self.indptr[node], self.indptr[node + 1])
        labels = [LABELS[label] for label in self.label[run].tolist()]
        return list(zip(self.node[run].tolist(), labels, strict=True))

    def degrees(self, *labels: str) -> Array:
        """The number of neighbours of each node, by edges with these labels; by all edges if no label is given."""
        if not labels:
            return np.diff(self.indptr)
        wanted = np.isin(self.label, [LABELS.index(label) for label in labels])
        counted = np.concatenate([[0], np.cumsum(wanted)])
        return counted[self.indptr[1:]] - counted[self.indptr[:-1]]


@frozen
class EdgeRows:
    """Unsorted edges: int64 sources, targets, label numbers, and how many definitions share each reference."""

    source: Array
    target: Array
    label: Array
    shared: Array

    @classmethod
    def of(cls, source: Array, target: Array, label: str | Array, shared: Array | None = None) -> EdgeRows:
        labels = np.full(len(source), LABELS.index(label), np.int64) if isinstance(label, str) else label
        count = np.ones(len(source), np.int64) if shared is None else shared
        return cls(source.astype(np.int64), target.astype(np.int64), labels.astype(np.int64), count.astype(np.int64))

    def between(self, source: Array, target: Array) -> EdgeRows:
        """The same edges between other nodes."""
        return EdgeRows.of(source, target, self.label, self.shared)


def both_ways(name: str, rows: EdgeRows, nodes: int) -> dict[str, Array]:
    """The edges as CSR arrays, outgoing and incoming; of duplicates, the largest weight stays.

    Omits edges from a node to itself and edges without a source: top-level code of a file is in no symbol's chunk.
    """
    rows = rows_of(rows, (rows.source != rows.target) & (rows.source >= 0))
    # One number per edge sorts many times faster than its parts: 2 * 28 bits of nodes, 4 of label, 2 of share.
    span = max(nodes, 1)
    key = ((rows.source * span + rows.target) << (_LABEL_BITS + 2)) | (rows.label << 2) | rows.shared
    key = np.sort(key)
    edge = key >> 2
    first = begins_run(edge)
    key, edge = key[first], edge[first]
    weight = (CERTAIN // np.maximum(key & 3, 1)).astype(np.uint8)
    label = (edge & ((1 << _LABEL_BITS) - 1)).astype(np.uint8)
    pair = edge >> _LABEL_BITS
    source, target = pair // span, pair % span
    arrays: dict[str, Array] = {}
    # Sources ascend already, so a stable sort by target orders by target, source and label.
    for way, near, far, order in (
        ("out", source, target, slice(None)),
        ("in", target, source, np.argsort(target, kind="stable")),
    ):
        arrays[f"{name}/{way}/indptr"] = offsets_of(np.bincount(near, minlength=nodes))
        arrays[f"{name}/{way}/node"] = far[order].astype(np.int32)
        arrays[f"{name}/{way}/label"] = label[order]
        arrays[f"{name}/{way}/weight"] = weight[order]
    return arrays
