"""Where imports lead that were located for the published generation, for the segment that follows it.

Where an import leads depends on its own words and on the paths of the tree. A path that comes or goes can matter only
to statements that spell its last part.
"""

from __future__ import annotations

import re

import numpy as np

from index.columns import Array, spread
from index.graph.files import Imports, KnownImports, is_manifest
from index.graph.modules import last_parts
from index.graph.moved import Moved
from index.segment import Segment
from index.snapshot import Snapshot

# These spell folders in other ways: by the end of a folder's path, and in camel case.
_OTHERWISE = ("go", "elixir")
_HERE = re.compile(r"(?:^|/)\.*/?$")  # `.`, `..` and `../..` name the last part of a folder without spelling it


def known_imports(snapshot: Snapshot, moved: Moved) -> KnownImports | None:
    """What is known of the imports of `moved.new`; None where every statement must be looked at."""
    old, new = moved.old, moved.new
    paths = _paths(old, [*moved.replaced, *moved.removed]) + _paths(new, moved.added)
    if any(is_manifest(path) for path in paths):
        return None
    located = ~moved.fresh
    if not moved.same_paths:
        parts = {part for path in _paths(old, moved.removed) + _paths(new, moved.added) for part in last_parts(path)}
        located &= ~_spelling(new, parts)
    else:
        for before in moved.replaced.tolist():
            located[moved.file_to[before]] = _imports_the_same(moved, before)
    files = np.flatnonzero(located)
    file_to = np.append(moved.file_to, -1)
    columns = []
    for level, column in (("import", "module"), ("binding", "names")):
        rows, counts = old.rows[level], np.diff(new.rows[level])[files]
        found = np.full(int(new.rows[level][-1]), -1, np.int32)
        was = snapshot.array(f"import/{column}")[spread(rows[moved.file_from[files]], counts)]
        found[spread(new.rows[level][files], counts)] = file_to[was]
        columns.append(found)
    pairs = file_to[snapshot.array("import/pairs")]
    pairs = pairs[(pairs[:, 0] >= 0) & located[pairs[:, 0]]]
    return KnownImports(Imports(pairs, *columns), located)


def _paths(segment: Segment, files: Array | list[int]) -> list[str]:
    paths = segment.strings("file.path")
    return [paths[int(file)] for file in files]


def _spelling(segment: Segment, parts: set[str]) -> Array:
    """bool by file: which have an import that may end in one of these parts."""
    named = np.zeros(len(segment.names) + 1, bool)
    names = segment.names.blob.tobytes().lower()
    for part in sorted(parts):
        if not part.isascii():
            return np.ones(segment.files, bool)
        begins = [match.start() for match in re.finditer(re.escape(part.encode()), names)]
        named[np.searchsorted(segment.names.offsets, begins, side="right") - 1] = True
    module = segment.array("import.module")
    named[[number for number in np.unique(module).tolist() if _HERE.search(segment.names[number])]] = True
    found = np.zeros(segment.files, bool)
    for level, column in (("import", "module"), ("binding", "target")):
        rows = np.flatnonzero(named[segment.array(f"{level}.{column}")])
        found[np.searchsorted(segment.rows[level], rows, side="right") - 1] = True
    for number, language in enumerate(segment.strings("file.language").to_list()):
        found[number] |= language in _OTHERWISE
    return found


def _imports_the_same(moved: Moved, before: int) -> bool:
    """Whether a file that was read anew still has the same import statements."""
    file = int(moved.file_to[before])
    if moved.spoken(moved.old, before)[0] != moved.spoken(moved.new, file)[0]:
        return False
    was, now = (_statements(segment, number) for segment, number in ((moved.old, before), (moved.new, file)))
    return all(
        len(a) == len(b) and np.array_equal(moved.name_to[a] if renamed else a, b)
        for (a, renamed), (b, _) in zip(was, now, strict=True)
    )


def _statements(segment: Segment, file: int) -> list[tuple[Array, bool]]:
    """The columns on which it depends where a file's imports lead, and whether they hold names."""
    found = []
    for column, renamed in (("import.module", True), ("binding.import", False), ("binding.target", True)):
        rows = segment.rows[column.partition(".")[0]]
        found.append((segment.array(column)[rows[file] : rows[file + 1]], renamed))
    return found
