"""What a refresh takes over from the published generation instead of resolving it again.

Where every changed file still defines, imports and declares what it did, what other files bind cannot change, and
nothing is learned anew: only the references of the changed files are resolved. Where that is not so, also those of
other files that look at a name which may mean something else (index/graph/doubts.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunker.kinds import REFERENCE_KINDS
from index.columns import Array, Strings
from index.graph.doubts import Doubts
from index.graph.edges import LABELS, Edges, Rows
from index.graph.files import KnownImports, is_manifest, is_test_path
from index.graph.known_imports import known_imports
from index.graph.learned import Learned, Uses
from index.graph.moved import Moved
from index.graph.names import Names
from index.graph.overloads import stated
from index.graph.subjects import may_be_tested
from index.segment import SCHEMA, Segment
from index.snapshot import Snapshot

# What other files can see of a file; lines and chunks they cannot.
_SEEN = {
    "file": ("language", "package"),
    "definition": ("name", "qualified", "container", "kind"),
    "typed": ("container", "name", "symbol"),
    "import": ("module",),
    "binding": ("import", "local", "target"),
}
_BASE = REFERENCE_KINDS.index("base")


@dataclass(frozen=True, slots=True)
class Kept:
    """What is taken over: the `uses` by references that did not change, by old numbers, and the references to resolve.
    Where no other file can see the changes also `about` (overrides, tests by name) and what was learned."""

    uses: Uses
    fresh: Array
    about: Rows | None = None
    learned: Learned | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """A published generation, seen from a segment that follows it. `private`: no other file can see the changes."""

    snapshot: Snapshot
    moved: Moved
    imports: KnownImports | None
    private: bool

    def taken_over(self) -> Kept | None:
        """What holds where the changes are private; None where they are not."""
        if not self.private:
            return None
        about = Rows(*(self.snapshot.array(f"about/{part}").astype(np.int64) for part in Rows.__slots__))
        asked = self._fresh_references()
        return Kept(self._uses(asked), np.flatnonzero(asked), about, Learned.of(self.snapshot))

    def tests(self, pairs: Array) -> Array | None:
        """Which files test which, where that is as it was; `pairs` are the imports between files as they are now."""
        if not self.moved.same_paths or not np.array_equal(pairs, self.snapshot.array("import/pairs")):
            return None
        edges = Edges.of(self.snapshot, "file_edge", "out")
        source = np.repeat(np.arange(self.moved.new.files), np.diff(edges.indptr))
        is_test = edges.label == LABELS.index("tests")
        found: Array = np.column_stack([source, edges.node])[is_test].astype(np.int64)
        return found

    def tested_by_name(self, pairs: Array) -> Rows | None:
        """What is tested by its name, where no change can have a part in it. `pairs` as for `tests`."""
        moved, found = self.moved, self.moved.definitions
        if self.tests(pairs) is None or moved.changed_packages or moved.nests_otherwise:
            return None
        if any(
            moved.spoken(moved.old, file) != moved.spoken(moved.new, int(moved.file_to[file]))
            for file in moved.replaced
        ):
            return None
        paths = moved.new.strings("file.path")
        if any(is_test_path(paths[file]) for file in np.flatnonzero(moved.fresh).tolist()):
            return None
        changed = {moved.old.names[int(name)] for name in moved.old.array("definition.name")[found.gone]}
        changed |= {moved.new.names[int(name)] for name in moved.new.array("definition.name")[found.came]}
        if not may_be_tested(moved.new, changed):
            about = [self.snapshot.array(f"about/{part}").astype(np.int64) for part in Rows.__slots__]
            rows = Rows(*about).keep(about[2] == LABELS.index("tests"))
            return Rows(found.to[rows.source], found.to[rows.target], rows.label, rows.shared)
        return None

    def undoubted(self, names: Names, learned: Learned) -> Kept:
        """What holds of uses where what was learned of the new world is this."""
        asked = self._fresh_references()
        asked |= Doubts(self.moved, names, Learned.of(self.snapshot), learned).references()
        return Kept(self._uses(asked), np.flatnonzero(asked))

    def _fresh_references(self) -> Array:
        counts = np.diff(self.moved.new.rows["reference"])
        return np.repeat(self.moved.fresh, counts)

    def _uses(self, asked: Array) -> Uses:
        """The uses by references that are not asked again, in new numbers. Marks what has no place any more."""
        snapshot, moved = self.snapshot, self.moved
        reference = moved.rows("reference")[snapshot.array("bound/reference")]
        definition = moved.definitions.to[snapshot.array("bound/definition")]
        asked[reference[(reference >= 0) & (definition < 0)]] = True
        kept = reference >= 0
        kept[kept] = ~asked[reference[kept]]
        return Uses(reference[kept], definition[kept], snapshot.array("bound/shared")[kept].astype(np.int64))


def known_graph(snapshot: Snapshot, moved: Moved) -> Known:
    """What may be taken over from a generation."""
    segment = moved.new
    private = moved.same_paths and not any(
        is_manifest(segment.strings("file.path")[file]) or _seen(moved.old, file) != _seen(segment, file)
        for file in np.flatnonzero(moved.fresh).tolist()
    )
    return Known(snapshot, moved, known_imports(snapshot, moved), private)


def _seen(segment: Segment, file: int) -> list[object]:
    """What other files can see of a file, without regard to the numbering of names and chains."""
    found: list[object] = [_values(segment, level, name, file) for level, columns in _SEEN.items() for name in columns]
    parts = [_values(segment, "chain", part, file) for part in SCHEMA["chain"]]
    chains = list(zip(*parts, strict=True))
    found += [chains[at] for at in segment.array("typed.chain")[_run(segment, "typed", file)].tolist()]
    found.append(stated(segment, file))
    run = _run(segment, "reference", file)
    columns = (segment.array(f"reference.{part}")[run].tolist() for part in ("kind", "name", "symbol", "chain"))
    found += [
        (segment.names[name], symbol, chains[chain] if chain >= 0 else chain)
        for kind, name, symbol, chain in zip(*columns, strict=True)
        if kind == _BASE
    ]
    return found


def _run(segment: Segment, level: str, file: int) -> slice:
    return slice(int(segment.rows[level][file]), int(segment.rows[level][file + 1]))


def _values(segment: Segment, level: str, name: str, file: int) -> list[object]:
    column, run = segment.columns[f"{level}.{name}"], _run(segment, level, file)
    if isinstance(column, Strings):
        return [column[at] for at in range(run.start, run.stop)]
    values: list[object] = column[run].tolist()
    if SCHEMA[level][name] == "names":
        return [segment.names[value] if value >= 0 else None for value in column[run].tolist()]
    return values
