"""What a refresh takes over from the published generation instead of resolving it again.

Where every changed file still defines, imports and declares what it did, all numbers of definitions, imports and typed
members are the same in both generations, and what other files bind cannot change: only the references of the changed
files are resolved. Where that is not so, everything is; where only the paths are the same, imports are taken over.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunker.kinds import REFERENCE_KINDS
from index.columns import Array, Strings
from index.graph.edges import Rows
from index.graph.files import KnownImports, is_manifest
from index.graph.overloads import stated
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
class Uses:
    """(reference, definition, among how many it is shared), by reference."""

    reference: Array
    definition: Array
    shared: Array

    def arrays(self) -> dict[str, Array]:
        return {
            "bound/reference": self.reference.astype(np.int32),
            "bound/definition": self.definition.astype(np.int32),
            "bound/shared": self.shared.astype(np.uint8),
        }


@dataclass(frozen=True, slots=True)
class Learned:
    """What was found out of a world before any reference was bound: what imported names are, the bases of classes
    (CSR) and what typed members lead to."""

    bound: Array
    bases_from: Array
    bases: Array
    values: Array

    def arrays(self) -> dict[str, Array]:
        return {f"learned/{name}": getattr(self, name).astype(np.int32) for name in Learned.__slots__}


@dataclass(frozen=True, slots=True)
class Kept:
    """What is taken over where nobody else can see a change: `uses` by the files that did not change, `about`
    (overrides, tests by name), what was learned. `fresh` are the references to resolve."""

    uses: Uses
    about: Rows
    learned: Learned
    fresh: Array


@dataclass(frozen=True, slots=True)
class Known:
    """What is taken over: where imports lead always, the rest where it holds."""

    imports: KnownImports
    kept: Kept | None = None


def known_graph(snapshot: Snapshot, segment: Segment, changed: frozenset[int]) -> Known:
    """What holds of a generation for a segment of the same paths in which these files changed."""
    old = snapshot.segment
    imports = KnownImports.of(snapshot, changed)
    paths = segment.strings("file.path")
    if any(is_manifest(paths[file]) or _seen(old, file) != _seen(segment, file) for file in sorted(changed)):
        return Known(imports)
    is_changed = np.zeros(segment.files, bool)
    is_changed[sorted(changed)] = True
    before, after = old.rows["reference"], segment.rows["reference"]
    reference = snapshot.array("bound/reference").astype(np.int64)
    file = np.searchsorted(before, reference, side="right") - 1
    kept = ~is_changed[file]
    moved = reference[kept] + (after[:-1] - before[:-1])[file[kept]]
    uses = Uses(moved, *(snapshot.array(f"bound/{part}")[kept].astype(np.int64) for part in ("definition", "shared")))
    about = Rows(*(snapshot.array(f"about/{part}").astype(np.int64) for part in Rows.__slots__))
    fresh = np.flatnonzero(is_changed[np.repeat(np.arange(segment.files), np.diff(after))])
    learned = Learned(*(snapshot.array(f"learned/{part}").astype(np.int64) for part in Learned.__slots__))
    return Known(imports, Kept(uses, about, learned, fresh))


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
