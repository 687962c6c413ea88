"""Some files as columns: which there are, and how they are read.

Every column belongs to a level (file, chunk, reference, ...). The rows of one file stand together at every level, and
what points from one level to another counts from the file's own first row, so that merging copies blocks of files.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from index.segment.columns import Array, Longs, Strings

_DEFINITION = {
    "chunk": "int32",
    "name": "names",
    "qualified": "names",
    "container": "names",
    "kind": "uint8",
    "line": "int32",
    "start_line": "int32",
    "end_line": "int32",
}
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
        "generated": "uint8",
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
    "definition": _DEFINITION,
    "minor": _DEFINITION,  # inside other code; only a look-up by name meets them
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
    # The types of names: `name` of `container` leads to what `chain` names.
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
