"""A segment to the arrays of its graph."""

from __future__ import annotations

import numpy as np

from chunker.kinds import REFERENCE_KINDS
from index.columns import Array
from index.graph.edges import LABELS, Rows, both_ways, joined_rows
from index.graph.files import Known, find_imports, test_pairs
from index.graph.names import Names
from index.graph.references import Binder
from index.graph.world import World, kinds
from index.segment import Segment

_CALLABLE = kinds("function", "method", "class", "struct", "enum", "macro", "type", "trait", "interface", "impl")
_TYPE_LIKE = kinds("class", "struct", "enum", "interface", "trait", "impl", "type", "const", "variable", "module")
_CONTRACT = kinds("interface", "trait")
_CALL, _BASE = REFERENCE_KINDS.index("call"), REFERENCE_KINDS.index("base")


def derive_edges(segment: Segment, known: Known | None = None) -> dict[str, Array]:
    """The edges that a snapshot keeps: between symbols, between chunks, between files; and where imports lead."""
    paths = segment.strings("file.path").to_list()
    imports = find_imports(segment, paths, known)
    tests = test_pairs(paths, imports.pairs)
    world = World(segment, imports)
    rows, targets, shared = Binder(Names(world)).bind()
    kind = segment.array("reference.kind")[rows]
    fits = (kind == _CALL) | _TYPE_LIKE[world.kind[targets]]
    rows, targets, shared, kind = rows[fits], targets[fits], shared[fits], kind[fits]
    definitions, files = world.definitions, world.files
    home = segment.absolute("reference", "symbol", "definition").astype(np.int64)[rows]
    at_top = segment.array("reference.symbol")[rows] < 0
    source = np.where(at_top, world.file_of("reference")[rows] + definitions, home)
    label = _labels(world.kind[targets], kind)
    symbol_edges = Rows.of(source, targets, label, shared)
    symbol_edges = symbol_edges.keep(symbol_edges.source != symbol_edges.target)
    chunk_of = segment.absolute("definition", "chunk", "chunk").astype(np.int64)
    from_chunk = segment.absolute("reference", "chunk", "chunk").astype(np.int64)[rows]
    chunk_edges = Rows.of(from_chunk, chunk_of[targets], label, shared)
    chunk_edges = chunk_edges.keep(chunk_edges.source != chunk_edges.target)
    file_edges = joined_rows([_files(imports.pairs, "imports"), _files(tests, "tests")])
    return {
        **both_ways("symbol_edge", symbol_edges, definitions + files),
        **both_ways("edge", joined_rows([_contains(segment), chunk_edges]), int(segment.rows["chunk"][-1])),
        **both_ways("file_edge", file_edges, segment.files),
        "import/pairs": imports.pairs,
        "import/module": imports.module,
        "import/names": imports.names,
    }


def _labels(target: Array, kind: Array) -> Array:
    """By the kinds of the target and of the reference. Calling what a variable holds only uses the variable."""
    labels = np.full(len(kind), LABELS.index("uses"), np.int64)
    labels[(kind == _CALL) & _CALLABLE[target]] = LABELS.index("calls")
    labels[kind == _BASE] = LABELS.index("extends")
    labels[(kind == _BASE) & _CONTRACT[target]] = LABELS.index("implements")
    return labels


def _contains(segment: Segment) -> Rows:
    chunk = np.arange(int(segment.rows["chunk"][-1]), dtype=np.int64)
    inside = segment.array("chunk.parent") >= 0
    return Rows.of(segment.absolute("chunk", "parent", "chunk")[inside], chunk[inside], "contains")


def _files(pairs: Array, label: str) -> Rows:
    return Rows.of(pairs[:, 0], pairs[:, 1], label)
