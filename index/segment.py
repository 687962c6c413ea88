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

from index.columns import Array, Longs, Strings, joined, offsets_of, spread, union

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
SKIP_REASONS = ("", "binary", "encoding", "vanished", "no_permission")  # file.skip; 0: the file was chunked


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


def merge(parts: Sequence[tuple[Segment, Array]]) -> Segment:
    """The chosen files (positions) of several segments as one segment, ordered by path. A path occurs once."""
    parts = [part for part in parts if len(part[1])] or list(parts[:1])
    if not parts:
        return empty(0)
    segments = [segment for segment, _ in parts]
    names, name_maps = union([segment.names for segment in segments])
    terms, term_maps = union([segment.terms for segment in segments])
    maps = {"names": name_maps, "terms": term_maps}

    first_file = np.cumsum([0, *(segment.files for segment in segments)])
    paths = [path for segment, _ in parts for path in segment.strings("file.path").to_bytes()]
    chosen = np.concatenate([kept + first for (_, kept), first in zip(parts, first_file, strict=False)])
    order = np.array(sorted(chosen.tolist(), key=paths.__getitem__), np.int64)

    columns: dict[str, Array | Strings] = {}
    rows: dict[str, Longs] = {}
    for level, fields in SCHEMA.items():
        first_row = np.cumsum([0, *(int(segment.rows[level][-1]) for segment in segments)])
        starts = np.concatenate(
            [segment.rows[level][:-1] + first for segment, first in zip(segments, first_row, strict=False)]
        )[order]
        lengths = np.concatenate([np.diff(segment.rows[level]) for segment in segments])[order]
        rows[level] = offsets_of(lengths)
        wanted = spread(starts, lengths)
        for name, kind in fields.items():
            column = f"{level}.{name}"
            if kind == "str":
                columns[column] = joined([segment.strings(column) for segment in segments]).take(wanted)
            else:
                pieces = [segment.array(column) for segment in segments]
                if kind in VOCABULARIES:
                    pieces = [renamed(piece, to) for piece, to in zip(pieces, maps[kind], strict=True)]
                columns[column] = (np.concatenate(pieces) if len(pieces) > 1 else pieces[0])[wanted]
    return Segment(columns, rows, names, terms)


def renamed(values: Array, to: Array) -> Array:
    """Positions in one vocabulary as positions in another; -1 stays -1."""
    if not len(to):
        return values
    return np.where(values < 0, np.int32(-1), to[values]).astype(np.int32)
