"""Reuses the resolved references of the published generation that a refresh cannot change.

If every changed file still defines, imports and declares what it did before, no binding in other files can change, and
only the references of the changed files are resolved. After any other change, all references are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np

from chunker.kinds import REFERENCE_KINDS
from contracts.frozen import frozen
from index.generation.diff import GenerationDiff
from index.graph.edges import EdgeRows
from index.graph.import_files import Imports, declared_modules
from index.graph.overloads import accepted_by_calls
from index.graph.references import Uses
from index.graph.scopes import ResolvedNames
from index.graph.symbol_table import spaces
from index.segment.columns import SCHEMA, VOCABULARIES, Array, Segment, rows_of
from index.types import FileId

# Columns that other files depend on; they do not depend on lines and chunks.
_VISIBLE = {
    "definition": ("name", "qualified", "container", "kind"),
    "typed": ("container", "name", "symbol"),
    "import": ("module",),
    "binding": ("import", "local", "target", "reach"),
}
Stored = TypeVar("Stored", Imports, EdgeRows, ResolvedNames, Uses)
_SHARED = [REFERENCE_KINDS.index(kind) for kind in ("base", "alias", "demand")]


def arrays_of(name: str, record: Stored) -> dict[str, Array]:
    """The parts of a record as a generation stores them, in at most four bytes per number."""
    parts = {part: getattr(record, part) for part in record.__match_args__}
    return {
        f"{name}/{part}": values.astype(np.int32) if values.dtype == np.int64 else values
        for part, values in parts.items()
    }


@frozen
class Reuse:
    """`references`: those to resolve, of changed files. Definitions, imports and typed members keep their numbers."""

    diff: GenerationDiff
    references: Array

    def record(self, name: str, kind: type[Stored]) -> Stored:
        """The record that `arrays_of` stored in the generation."""
        return kind(*(self.diff.old.array(f"{name}/{part}").astype(np.int64) for part in kind.__match_args__))

    def uses(self, name: str) -> Uses:
        """The stored uses of this name, of references in unchanged files."""
        uses = self.record(name, Uses)
        reference = self.diff.rows("reference")[uses.reference]
        return rows_of(Uses(reference, uses.definition, uses.shared), reference >= 0)


def reusable(diff: GenerationDiff) -> Reuse | None:
    """The reusable part of the published generation; None if other files may see a change."""
    old, new = diff.old.segment, diff.new
    if not diff.same_paths:
        return None
    to, same = np.append(diff.names, -1), np.append(np.arange(len(new.names)), -1)
    for file in map(FileId, np.flatnonzero(diff.fresh).tolist()):
        path = new.strings("file.path")[file]
        if declared_modules(old, file, path) != declared_modules(new, file, path):
            return None
        if accepted_by_calls(old, file) != accepted_by_calls(new, file):
            return None
        was, now = _visible(old, file, to), _visible(new, file, same)
        if not all(np.array_equal(a, b) for a, b in zip(was, now, strict=True)):
            return None
    return Reuse(diff, np.flatnonzero(np.repeat(diff.fresh, np.diff(new.rows["reference"]))))


def _visible(segment: Segment, file: FileId, to: Array) -> Iterator[Array]:
    """The columns of a file that others depend on; `to` maps its name numbers to those that both generations share."""

    def values(level: str, name: str) -> Array:
        run = slice(*segment.rows[level][file : file + 2].tolist())
        column: Array = segment.array(f"{level}.{name}")[run]
        return to[column] if SCHEMA[level][name] in VOCABULARIES else column

    yield np.array([segment.strings("file.language")[file]])
    yield to[segment.array("file.package")[[file]]]
    for level, columns in _VISIBLE.items():
        yield from (values(level, name) for name in columns)
    yield to[spaces(segment, *segment.rows["definition"][file : file + 2].tolist())]
    steps = np.column_stack([values("chain", part) for part in SCHEMA["chain"]])
    yield steps[values("typed", "chain")]
    shared = np.flatnonzero(np.isin(values("reference", "kind"), _SHARED))
    chain = values("reference", "chain")[shared]
    yield from (values("reference", name)[shared] for name in ("kind", "name", "symbol"))
    yield np.minimum(chain, 0)
    yield steps[chain[chain >= 0]]
