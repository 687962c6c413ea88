"""Reuses the resolved references of the published generation where a refresh cannot change them.

Where every changed file still defines, imports and declares what it did, nothing that other files bind can change:
only the references of the changed files are resolved. After any other change everything is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from chunker.kinds import REFERENCE_KINDS
from index.generation.reader import Snapshot
from index.graph.edges import LABELS, EdgeRows, Edges
from index.graph.imports.import_files import Imports, is_manifest
from index.graph.resolve.overloads import accepted_by_calls
from index.graph.resolve.resolved import ResolvedNames, Uses
from index.graph.reuse.generation_diff import GenerationDiff
from index.segment.columns import Array
from index.segment.segment import SCHEMA, VOCABULARIES, Segment
from index.types import FileId

# Columns that other files can see; lines and chunks they cannot.
_VISIBLE = {
    "definition": ("name", "qualified", "container", "kind"),
    "typed": ("container", "name", "symbol"),
    "import": ("module",),
    "binding": ("import", "local", "target"),
}
_BASE = REFERENCE_KINDS.index("base")


@dataclass(frozen=True, slots=True)
class TakenOver:
    """`references`: those of changed files, which are to be resolved. The numbers of definitions, imports and typed
    members are what they were."""

    snapshot: Snapshot
    diff: GenerationDiff
    references: Array

    def imports(self) -> Imports:
        return Imports(*(self.snapshot.array(f"import/{name}") for name in Imports.__slots__))

    def resolved(self) -> ResolvedNames:
        return ResolvedNames.of(self.snapshot)

    def tests(self) -> Array:
        """int64[n, 2]: which files test which."""
        edges = Edges.of(self.snapshot, "file_edge", "out")
        source = np.repeat(np.arange(self.diff.new.files), np.diff(edges.indptr))
        pairs: Array = np.column_stack([source, edges.node])[edges.label == LABELS.index("tests")].astype(np.int64)
        return pairs

    def by_name(self) -> EdgeRows:
        """Overrides, and what is tested by name."""
        return EdgeRows(*(self.snapshot.array(f"by_name/{part}").astype(np.int64) for part in EdgeRows.__slots__))

    def uses(self) -> Uses:
        """The uses by references of files that did not change."""
        reference = self.diff.rows("reference")[self.snapshot.array("bound/reference")]
        still_there = reference >= 0
        definition, shared = (self.snapshot.array(f"bound/{part}")[still_there] for part in ("definition", "shared"))
        return Uses(reference[still_there], definition.astype(np.int64), shared.astype(np.int64))


def taken_over(snapshot: Snapshot, diff: GenerationDiff) -> TakenOver | None:
    """The reusable part of a generation; None where other files may see a change."""
    old, new = diff.old, diff.new
    if not diff.same_paths:
        return None
    place = {name: number for number, name in enumerate(new.names.to_bytes())}  # a refresh keeps all old names
    to, same = np.array([*map(place.__getitem__, old.names.to_bytes()), -1]), np.append(np.arange(len(new.names)), -1)
    for file in map(FileId, np.flatnonzero(diff.fresh).tolist()):
        languages = {segment.strings("file.language")[file] for segment in (old, new)}
        if len(languages) > 1 or is_manifest(new.strings("file.path")[file]):
            return None
        if accepted_by_calls(old, file) != accepted_by_calls(new, file):
            return None
        was, now = _visible(old, file, to), _visible(new, file, same)
        if not all(np.array_equal(a, b) for a, b in zip(was, now, strict=True)):
            return None
    return TakenOver(snapshot, diff, np.flatnonzero(np.repeat(diff.fresh, np.diff(new.rows["reference"]))))


def _visible(segment: Segment, file: FileId, to: Array) -> Iterator[Array]:
    """The columns of a file that other files can see; `to` gives the numbers that both sides have for names."""

    def values(level: str, name: str) -> Array:
        run = slice(*segment.rows[level][file : file + 2].tolist())
        column: Array = segment.array(f"{level}.{name}")[run]
        return to[column] if SCHEMA[level][name] in VOCABULARIES else column

    yield to[segment.array("file.package")[[file]]]
    for level, columns in _VISIBLE.items():
        yield from (values(level, name) for name in columns)
    steps = np.column_stack([values("chain", part) for part in SCHEMA["chain"]])
    yield steps[values("typed", "chain")]
    base = np.flatnonzero(values("reference", "kind") == _BASE)
    chain = values("reference", "chain")[base]
    yield from (values("reference", name)[base] for name in ("name", "symbol"))
    yield np.minimum(chain, 0)
    yield steps[chain[chain >= 0]]
