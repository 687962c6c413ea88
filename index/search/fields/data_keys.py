"""Finds keys of data by the keys around them: `server.port` in YAML, TOML, INI, properties and HOCON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter

from chunker.keys import HELM_ROOT, read_keys
from chunker.languages.table import rules_of
from index.collection.collection import Collection
from index.search.spelling import MAX_CHARS
from index.segment.columns import Array
from index.text import terms_of_text
from index.types import FileId, SymbolRow

MAX_KEYS = 20_000  # of a file
MAX_READ = 10_000  # keys of files that may give a key its value


def has_keys(collection: Collection, file: FileId) -> bool:
    """Whether a file contains data whose keys count as fields."""
    return rules_of(collection.files.languages[file]).keys


def keys_of(collection: Collection, file: FileId) -> tuple[SymbolRow, ...]:
    """The keys of a data file, in order."""
    return tuple(_rows(collection, file, islice(_keys(collection, file), MAX_KEYS)))


def keys_at(collection: Collection, path: str, allowed: Array | None = None) -> list[SymbolRow]:
    """The keys with these names around them, outermost first: `server.port`; tests count only if no other has it."""
    if len(path) > MAX_CHARS:
        return []
    names = path.removeprefix(f"{HELM_ROOT}.").split(".")
    files, is_test = collection.chunks.file, collection.static["test"]
    holding = [set(files[collection.lexical.holding(terms_of_text(name))].tolist()) for name in names]
    data = [file for file in map(FileId, sorted(set.intersection(*holding))) if has_keys(collection, file)]
    data = [file for file in data if allowed is None or allowed[file]]
    data = [file for file in data if not is_test[file]] or data
    # A pattern that begins with a text is found faster.
    last = re.escape(names[-1].encode())
    is_key = re.compile(last + rb"(?<![\w-]" + last + rb")[\"']?[ \t]*[:={]")
    sizes = {file: len(raw) for file in data if is_key.search(raw := collection.files.text.raw(file))}
    smallest = sorted(sizes, key=sizes.__getitem__)  # schemas and generated data come last
    keys = ((file, key) for file in smallest for key in _keys(collection, file))
    matches = [(file, key) for file, key in islice(keys, MAX_READ) if f".{key[1]}".endswith(f".{path}")]
    matches.sort(key=itemgetter(0))
    rows = [
        row for file, own in groupby(matches, itemgetter(0)) for row in _rows(collection, file, map(itemgetter(1), own))
    ]
    if any(_is_of_chart(row) for row in rows):  # other files override its values
        return [row for row in rows if _is_of_chart(row) or not row.qualified.startswith(f"{HELM_ROOT}.")]
    return rows


def _is_of_chart(row: SymbolRow) -> bool:
    return row.file.rpartition("/")[2] == "values.yaml"


def _keys(collection: Collection, file: FileId) -> Iterator[tuple[str, str, int]]:
    return read_keys(collection.files.text.raw(file), collection.files.path[file])


def _rows(collection: Collection, file: FileId, keys: Iterable[tuple[str, str, int]]) -> Iterator[SymbolRow]:
    """The rows of some keys of a file, which are in order."""
    run, path, data = collection.chunks_in(file), collection.files.path[file], collection.files.text.raw(file)
    starts, line, before = collection.chunks.start_byte[run.start : run.stop], 1, 0
    for name, qualified, place in keys if len(run) else ():
        line, before = line + data.count(b"\n", before, place), place
        chunk = run.start + max(int(starts.searchsorted(place, "right")) - 1, 0)
        yield SymbolRow(name, qualified, "variable", path, line, chunk)


def is_data_path(collection: Collection, name: str, allowed: Array | None = None) -> bool:
    """Whether a name of several parts is a path of data; code may happen to define something that ends like it."""
    return name.count(".") > 1 and bool(keys_at(collection, name, allowed))
