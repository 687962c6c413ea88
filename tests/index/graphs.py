"""The edges of a generation by name, as tests read them."""

from __future__ import annotations

from index.collection.collection import Collection
from index.generation.reader import Snapshot
from index.graph.edges import Edges


class Graph:
    """The edges of a tree by name."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.collection = Collection(snapshot)

    def name(self, chunk: int) -> str:
        segment = self.snapshot.segment
        symbol = int(segment.array("chunk.symbol")[chunk])
        path = segment.strings("file.path")[int(self.collection.chunks.file[chunk])]
        return f"{path}:{segment.names[symbol] if symbol >= 0 else ''}"

    def chunk_edges(self, way: str = "out") -> set[tuple[str, str, str]]:
        edges = Edges.of(self.snapshot, "edge", way)
        return {
            (self.name(node), label, self.name(other))
            for node in range(len(self.collection.chunks))
            for other, label in edges.neighbours(node)
        }

    def file_edges(self) -> set[tuple[str, str, str]]:
        edges, paths = Edges.of(self.snapshot, "file_edge", "out"), self.snapshot.strings("file.path")
        return {
            (paths[node], label, paths[other])
            for node in range(len(self.collection.files))
            for other, label in edges.neighbours(node)
        }

    def symbol(self, node: int) -> str:
        """`path:qualified`, or only the path for the node of a file."""
        segment = self.snapshot.segment
        definitions = int(segment.rows["definition"][-1])
        paths = segment.strings("file.path")
        if node >= definitions:
            return paths[node - definitions]
        file = int(segment.rows["definition"].searchsorted(node, side="right")) - 1
        return f"{paths[file]}:{segment.names[int(segment.array('definition.qualified')[node])]}"

    def symbol_edges(self, *labels: str, way: str = "out") -> set[tuple[str, str, str]]:
        """All edges between symbols and files, or those with these labels."""
        edges = Edges.of(self.snapshot, "symbol_edge", way)
        return {
            (self.symbol(node), label, self.symbol(other))
            for node in range(len(edges.indptr) - 1)
            for other, label in edges.neighbours(node)
            if not labels or label in labels
        }

    def weight(self, source: str, target: str) -> float:
        """The largest weight of the edges between two symbols."""
        edges = Edges.of(self.snapshot, "symbol_edge", "out")
        return max(
            float(edges.weight[at] / 255)
            for node in range(len(edges.indptr) - 1) if self.symbol(node) == source
            for at in range(edges.indptr[node], edges.indptr[node + 1]) if self.symbol(int(edges.node[at])) == target
        )  # fmt: skip
