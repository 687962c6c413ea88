"""Some files' chunks as columns, and the one operation on them: merge.

A worker turns a batch of files into a segment; a full build merges its batches; a refresh merges what is left of the
published segment with a segment of the changed files. All three give the same bytes for the same files, because a
merged segment is ordered by path and its vocabularies are sorted.

Every column belongs to a level (file, chunk, reference, ...). The rows of one file stand together at every level, and
what points from one level to another counts from the file's own first row, so that files can be moved as blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from index.segment.columns import Array, Longs, Strings, offsets_of, union
from index.segment.memory import IN_MEMORY, Workspace

# level -> column -> dtype. `str` is a column of strings; `names` and `terms` are int32 positions in that vocabulary
# (-1: none). Columns named `chunk`, `import`, `parent`, `symbol` (a definition) or `chain` count from the file's first
# row of that level.
SCHEMA: dict[str, dict[str, str]] = {
    "file": {
        "path": "str",
        "language": "str",
        "text": "str",
        "size": "int64",
        "mtime_ns": "int64",
        "hash": "S16",
        "skip": "uint8",
        "package": "names",
    },
    "chunk": {
        "start_byte": "int32",
        "end_byte": "int32",
        "start_line": "int32",
        "end_line": "int32",
        "kind": "uint8",
        "symbol": "names",
        "container": "names",
        "parent": "int32",
        "part": "int32",
        "signature_start": "int32",
        "signature_end": "int32",
        "doc_start": "int32",
        "doc_end": "int32",
        "words": "int32",
        "imports_only": "uint8",
        "vector": "vector",
    },
    "use": {"chunk": "int32", "import": "int32"},
    "definition": {
        "chunk": "int32",
        "name": "names",
        "qualified": "names",
        "container": "names",
        "kind": "uint8",
        "line": "int32",
        "start_line": "int32",
        "end_line": "int32",
    },
    # Definitions inside other code, which only a look-up by name meets; columns as above.
    "minor": {
        "chunk": "int32",
        "name": "names",
        "qualified": "names",
        "container": "names",
        "kind": "uint8",
        "line": "int32",
        "start_line": "int32",
        "end_line": "int32",
    },
    # What stands before a dot, as up to four names; `reference.chain` is -1 where nothing stands there and -2 where
    # that is unknown.
    "chain": {"first": "names", "second": "names", "third": "names", "fourth": "names"},
    "reference": {
        "chunk": "int32",
        "name": "names",
        "chain": "int32",
        "kind": "uint8",
        "line": "int32",
        "symbol": "int32",
    },
    # What is known of the types of names: `name` of `container` leads to what `chain` names.
    "typed": {"container": "names", "name": "names", "chain": "int32", "symbol": "int32"},
    "import": {"text": "str", "module": "names", "start_line": "int32", "end_line": "int32"},
    "binding": {"import": "int32", "local": "names", "target": "names"},
    # The lexical fields: which term stands how often in which chunk. Sorted by chunk, then term.
    "body": {"chunk": "int32", "term": "terms", "tf": "uint8"},
    "named": {"chunk": "int32", "term": "terms"},
    "signature": {"chunk": "int32", "term": "terms"},
    "doc": {"chunk": "int32", "term": "terms"},
    # Terms of the file's name and of the folders above it; `in_name` is 1 for the former.
    "path": {"term": "terms", "in_name": "uint8"},
}
VOCABULARIES = ("names", "terms")
SKIP_REASONS = ("", "binary", "vanished", "no_permission")  # file.skip; 0: the file was chunked


@dataclass(frozen=True, slots=True)
class Segment:
    """`columns["level.column"]`, `rows[level]` (int64[files + 1]: each file's first row) and the two vocabularies."""

    columns: dict[str, Array | Strings]
    rows: dict[str, Longs]
    names: Strings
    terms: Strings

    @property
    def files(self) -> int:
        return len(self.rows["file"]) - 1

    def array(self, column: str) -> Array:
        value = self.columns[column]
        assert isinstance(value, np.ndarray)
        return value

    def strings(self, column: str) -> Strings:
        value = self.columns[column]
        assert isinstance(value, Strings)
        return value

    def absolute(self, level: str, column: str, target: str) -> Array:
        """A column that counts from its file's first row of `target`, counted from the segment's first row instead."""
        per_file = np.diff(self.rows[level])
        return self.array(f"{level}.{column}") + np.repeat(self.rows[target][:-1], per_file).astype(np.int32)


def empty(dimensions: int) -> Segment:
    """A segment of no files."""
    columns: dict[str, Array | Strings] = {}
    for level, fields in SCHEMA.items():
        for name, kind in fields.items():
            if kind == "str":
                columns[f"{level}.{name}"] = Strings.of([])
            elif kind == "vector":
                columns[f"{level}.{name}"] = np.zeros((0, dimensions), np.float32)
            else:
                columns[f"{level}.{name}"] = np.zeros(0, "int32" if kind in VOCABULARIES else kind)
    rows = {level: np.zeros(1, np.int64) for level in SCHEMA}
    return Segment(columns, rows, Strings.of([]), Strings.of([]))


def merge(parts: Sequence[tuple[Segment, Array]], workspace: Workspace = IN_MEMORY) -> Segment:
    """The chosen files (positions) of several segments as one segment, ordered by path. A path occurs once."""
    parts = [part for part in parts if len(part[1])] or list(parts[:1])
    if not parts:
        return empty(0)
    segments = [segment for segment, _ in parts]
    names, name_maps = union([segment.names for segment in segments])
    terms, term_maps = union([segment.terms for segment in segments])
    maps = {"names": list(map(_with_none, name_maps)), "terms": list(map(_with_none, term_maps))}
    blocks = _blocks(parts)
    columns: dict[str, Array | Strings] = {}
    rows: dict[str, Longs] = {}
    for level, fields in SCHEMA.items():
        runs = [(part, *segments[part].rows[level][[first, last]].tolist()) for part, first, last in blocks]
        counts = [np.diff(segments[part].rows[level][first : last + 1]) for part, first, last in blocks]
        rows[level] = offsets_of(np.concatenate(counts))
        for name, kind in fields.items():
            column = f"{level}.{name}"
            if kind == "str":
                strings = [(segments[part].strings(column), a, b) for part, a, b in runs]
                columns[column] = _joined(strings, column, workspace)
                continue
            pieces = ((part, segments[part].array(column)[a:b]) for part, a, b in runs)
            to = maps.get(kind)
            columns[column] = workspace.keep(column, (to[part][piece] if to else piece for part, piece in pieces))
    return Segment(columns, rows, names, terms)


def compacted(segment: Segment) -> Segment:
    """The segment with vocabularies of what its columns use: merging keeps what files used that have changed since."""
    columns, vocabularies = dict(segment.columns), {"names": segment.names, "terms": segment.terms}
    for vocabulary, strings in vocabularies.items():
        using = [
            f"{level}.{name}" for level, fields in SCHEMA.items() for name, kind in fields.items() if kind == vocabulary
        ]
        used = np.zeros(len(strings) + 1, bool)
        for column in using:
            used[segment.array(column)] = True
        used[-1] = False
        to = np.where(used, np.cumsum(used) - 1, -1).astype(np.int32)
        columns.update({column: to[segment.array(column)] for column in using})
        vocabularies[vocabulary] = strings.take(np.flatnonzero(used))
    return Segment(columns, segment.rows, **vocabularies)


def _blocks(parts: Sequence[tuple[Segment, Array]]) -> list[tuple[int, int, int]]:
    """(part, first file, behind the last file) of all chosen files by path: what is copied in one piece."""
    paths = [segment.strings("file.path").to_bytes() for segment, _ in parts]
    chosen = [(part, file) for part, (_, kept) in enumerate(parts) for file in kept.tolist()]
    chosen.sort(key=lambda one: paths[one[0]][one[1]])
    blocks: list[tuple[int, int, int]] = []
    for part, file in chosen:
        if blocks and blocks[-1][0] == part and blocks[-1][2] == file:
            blocks[-1] = (part, blocks[-1][1], file + 1)
        else:
            blocks.append((part, file, file + 1))
    return blocks


def _joined(runs: Sequence[tuple[Strings, int, int]], column: str, workspace: Workspace) -> Strings:
    """Runs of several columns of strings as one column."""
    lengths = [np.diff(strings.offsets[a : b + 1]) for strings, a, b in runs]
    pieces = (strings.blob[strings.offsets[a] : strings.offsets[b]] for strings, a, b in runs)
    blob = workspace.keep(f"{column}/blob", pieces)
    return Strings(blob, workspace.keep(f"{column}/offsets", [offsets_of(np.concatenate(lengths))]))


def _with_none(to: Array) -> Array:
    """Positions in one vocabulary as positions in another, by old position; the last place is for -1, which stays."""
    return np.append(to, np.int32(-1))


def renamed(values: Array, to: Array) -> Array:
    """Positions in one vocabulary as positions in another; -1 stays -1."""
    return _with_none(to)[values]
