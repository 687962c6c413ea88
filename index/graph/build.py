"""Builds the arrays of the code graph from a segment."""

from __future__ import annotations

import numpy as np

from chunker.kinds import REFERENCE_KINDS, ROUTINES, TYPES
from index.graph.edges import LABELS, EdgeRows, both_ways
from index.graph.guesses import calls_without_definition, guess, guess_by_receiver
from index.graph.import_files import Imports, find_imports
from index.graph.lookup import Lookup, kinds
from index.graph.overloads import same_arity
from index.graph.references import METHODS, Binder, Uses
from index.graph.reuse import Reuse, arrays_of
from index.graph.scopes import ResolvedNames, Scopes
from index.graph.symbol_table import SymbolTable
from index.graph.templates import EMBED, embedded, rendered
from index.graph.test_doc_links import documented, test_pairs, tested_by_name, tested_by_use
from index.segment.columns import Array, Segment, joined, rows_of
from index.segment.memory import IN_MEMORY, Workspace

_CALLABLE = kinds(*ROUTINES, *TYPES - {"module"}, "macro")
_CONTRACT = kinds("interface", "trait")
_REFERENCE_BYTES = 300  # of memory per reference while it is bound
_CALL, _BASE, _MENTION, _MACRO = (REFERENCE_KINDS.index(kind) for kind in ("call", "base", "mention", "macro"))


def derive_edges(segment: Segment, reuse: Reuse | None = None, workspace: Workspace = IN_MEMORY) -> dict[str, Array]:
    """The edges of a snapshot (between symbols, chunks and files), and arrays that the next generation can reuse."""
    rows, derived = _edge_rows(segment, reuse, workspace)
    definitions, chunks = (int(segment.rows[level][-1]) for level in ("definition", "chunk"))
    nodes = {"symbol_edge": definitions + segment.files, "edge": chunks, "file_edge": segment.files}
    for name, count in nodes.items():
        derived |= both_ways(name, rows.pop(name), count)
    return derived


def _edge_rows(
    segment: Segment, reuse: Reuse | None, workspace: Workspace
) -> tuple[dict[str, EdgeRows], dict[str, Array]]:
    """The edges of each kind and the reusable arrays; the tables they come from are freed on return."""
    imports = reuse.record("import", Imports) if reuse else find_imports(segment)
    table = SymbolTable(segment, imports)
    tests = test_pairs(table)
    resolved = reuse.record("resolved", ResolvedNames) if reuse else None
    scopes = Scopes(table, resolved)
    binder = Binder(scopes, resolved)
    uses = _uses(binder, reuse, workspace)
    if reuse:
        by_name = reuse.record("by_name", EdgeRows)
    else:
        by_name = joined([_overrides(scopes), tested_by_name(table, np.concatenate([tests, imports.pairs]))])
    is_open = calls_without_definition(binder, uses)
    by_receiver = _guesses_by_receiver(binder, is_open, reuse)
    used, chunk_of_use = _used(table, joined([uses, guess(binder, is_open, by_receiver), embedded(table)]))
    named = joined([by_name, tested_by_use(table, used, tests)])
    source, chunk, template = rendered(table)
    chunk_of = np.append(segment.absolute("definition", "chunk", "chunk"), np.full(table.files, -1))
    inside = np.flatnonzero(segment.array("chunk.parent") >= 0)  # chunks that have a header chunk
    linked = ((imports.pairs, "imports"), (tests, "tests"))
    parts = {
        "symbol_edge": [_contains(table), used, named, EdgeRows.of(source, template + table.first_file, "uses")],
        "edge": [
            EdgeRows.of(segment.absolute("chunk", "parent", "chunk")[inside], inside, "contains"),
            used.between(chunk_of_use, chunk_of[used.target]),
            named.between(chunk_of[named.source], chunk_of[named.target]),
            EdgeRows.of(chunk, segment.rows["chunk"][template], "uses"),
        ],
        "file_edge": [EdgeRows.of(pairs[:, 0], pairs[:, 1], label) for pairs, label in linked],
    }
    return {name: joined(parts.pop(name)) for name in list(parts)}, {
        **arrays_of("import", imports),
        **arrays_of("by_name", by_name),
        **arrays_of("bound", uses),
        **arrays_of("by_receiver", by_receiver),
        **arrays_of("resolved", binder.resolved),
    }


def _uses(binder: Binder, reuse: Reuse | None, workspace: Workspace) -> Uses:
    """The definitions that each reference is bound to, sorted by reference."""
    only = reuse.references if reuse else np.arange(len(binder.table.segment.array("reference.kind")))
    most = max(1, workspace.block // _REFERENCE_BYTES)
    blocks = np.split(only, range(most, len(only), most))
    parts = []
    for block in blocks:
        parts.append(binder.bind(block))
        workspace.release()
    parts += [documented(binder.table, only), *([reuse.uses("bound")] if reuse else [])]
    return _in_order(joined(parts))


def _guesses_by_receiver(binder: Binder, is_open: Array, reuse: Reuse | None) -> Uses:
    """What calls on receivers of unknown type mean by the names of the receivers, sorted by reference. Each call is
    guessed alone."""
    if reuse is None:
        return _in_order(guess_by_receiver(binder, is_open))
    is_changed = np.zeros(len(is_open), bool)
    is_changed[reuse.references] = True
    return _in_order(joined([guess_by_receiver(binder, is_open & is_changed), reuse.uses("by_receiver")]))


def _in_order(uses: Uses) -> Uses:
    """The uses, sorted by reference."""
    uses = rows_of(uses, np.lexsort((uses.definition, uses.reference)))
    return Uses(uses.reference, uses.definition, uses.shared.astype(np.uint8))


def _used(table: SymbolTable, uses: Uses) -> tuple[EdgeRows, Array]:
    """The uses as edges from a symbol or file to a symbol, and the chunk of each use."""
    segment, rows = table.segment, uses.reference
    source = table.sources(rows)
    label = _labels(table.kind[uses.definition], segment.array("reference.kind")[rows])
    return EdgeRows.of(source, uses.definition, label, uses.shared), table.pointed("reference", "chunk", "chunk", rows)


def _contains(table: SymbolTable) -> EdgeRows:
    """Edges to each symbol from the symbol that encloses it, or from its file."""
    row = np.arange(table.definitions)
    order = np.argsort(kinds("impl")[table.kind], kind="stable")
    by_name = Lookup((table.key(table.file, -1, table.qualified)[order], order))
    around = by_name.first(table.key(table.file, -1, table.container))
    beside = np.flatnonzero((around < 0) & (table.container >= 0))
    around[beside] = table.class_at(table.file[beside], table.container[beside])
    return EdgeRows.of(np.where(around < 0, table.first_file + table.file, around), row, "contains")


def _overrides(scopes: Scopes) -> EdgeRows:
    """Edges from each method to the method it overrides, in the nearest base class that has one; in languages with
    overloads, to those with as many parameters."""
    table = scopes.table
    rows = np.flatnonzero(METHODS[table.kind])
    at, base = scopes.overridden(rows)
    is_alone, rows = np.bincount(at)[at] == 1, rows[at]
    is_clear = is_alone | table.files_where(lambda rules: rules.overloads)[table.file[rows]]
    good = is_clear & METHODS[table.kind[base]] & same_arity(table, rows, base)
    return EdgeRows.of(rows[good], base[good], "overrides")


def _labels(target: Array, kind: Array) -> Array:
    """The label of each edge, by the kinds of its target and reference. A call of a variable's value only uses it."""
    labels = np.full(len(kind), LABELS.index("uses"), np.int64)
    is_call = np.isin(kind, (_CALL, _MACRO)) | ((kind == EMBED) & METHODS[target])
    labels[is_call & _CALLABLE[target]] = LABELS.index("calls")
    labels[kind == _BASE] = LABELS.index("extends")
    labels[(kind == _BASE) & _CONTRACT[target]] = LABELS.index("implements")
    labels[kind == _MENTION] = LABELS.index("documents")
    return labels
