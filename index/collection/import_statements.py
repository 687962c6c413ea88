"""The import statements at some lines of a file: the names that they bind, the files they mean, and their users."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from index.collection.collection import Collection
from index.collection.reader import row_of
from index.types import ChunkId, FileId, ImportStatement

# How lines begin that may stand beside imports: comments, the name of the file's own package, the ends of a group.
BESIDE = ("//", "/*", "*", "# ", "#!", "--", "package ", "namespace ", "import (", ")", "<?php", "declare(")


def has_only_imports(collection: Collection, chunk: ChunkId) -> bool:
    """Whether a chunk has imports and no other code."""
    if collection.cells.imports_only[chunk]:
        return True
    if collection.symbol_of(chunk):
        return False
    row = row_of(collection, chunk, chunk)
    spans = _spans(collection, collection.file_of(chunk), row.start_line, row.end_line)
    lines = {line for first, last in spans for line in range(max(first, row.start_line), last + 1)}
    texts = enumerate(row.text.split("\n"), row.start_line)
    others = (text.lstrip() for line, text in texts if line not in lines)
    return bool(spans) and all(not text or text.startswith(BESIDE) for text in others)


def _spans(collection: Collection, file: FileId, first: int, last: int) -> list[tuple[int, int]]:
    """The first and last lines of the import statements that overlap these lines."""
    segment = collection.snapshot.segment
    start, end = (int(segment.rows["import"][file + side]) for side in (0, 1))
    starts, ends = (segment.array(f"import.{side}_line")[start:end] for side in ("start", "end"))
    own = (starts <= last) & (ends >= first)
    return [*zip(starts[own].tolist(), ends[own].tolist(), strict=True)]


def statements_at(collection: Collection, file: FileId, first: int, last: int) -> list[ImportStatement]:
    """The import statements that overlap these lines, by line."""
    segment = collection.snapshot.segment
    start, end = (int(segment.rows["import"][file + side]) for side in (0, 1))
    starts, ends = (segment.array(f"import.{side}_line")[start:end] for side in ("start", "end"))
    numbers = np.flatnonzero((starts <= last) & (ends >= first)).tolist()
    return [_statement(collection, file, start, number) for number in numbers]


def _statement(collection: Collection, file: FileId, start: int, number: int) -> ImportStatement:
    """The statement with a number in its file, whose first has the number `start` in the segment."""
    segment, snapshot = collection.snapshot.segment, collection.snapshot
    begin, end = (int(segment.rows["binding"][file + side]) for side in (0, 1))
    owner = segment.array("binding.import")[begin:end]  # sorted: the names of one statement are adjacent
    bound = range(begin + bisect_left(owner, number), begin + bisect_left(owner, number + 1))
    names = [segment.names[segment.array("binding.target")[row]] for row in bound]
    module = segment.names[segment.array("import.module")[start + number]]
    numbers = [snapshot.array("import/module")[start + number], *(snapshot.array("import/names")[row] for row in bound)]
    files = list(dict.fromkeys(int(one) for one in numbers if one >= 0)) or _of_package(collection, file, module)
    low, high = (int(segment.rows["use"][file + side]) for side in (0, 1))
    users = segment.array("use.chunk")[low:high][segment.array("use.import")[low:high] == number]
    chunks = dict.fromkeys(ChunkId(collection.chunks_in(file).start + int(user)) for user in users)
    return ImportStatement((*names,), tuple(collection.files.paths[one] for one in files), (*chunks,))


def _of_package(collection: Collection, file: FileId, module: str) -> list[int]:
    """The files that a file imports in the folder with the name of a module, where a module is a folder."""
    folder = module.rpartition("/")[2]
    linked = (other for other, label in collection.imports_out.neighbours(file) if label == "imports")
    paths = ((other, collection.files.paths[other].split("/")) for other in linked)
    return [other for other, path in paths if len(path) > 1 and path[-2] == folder]
