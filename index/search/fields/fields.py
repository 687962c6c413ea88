"""Finds fields of types and keys of data. The index does not contain them: the files that may declare them are parsed
again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, partial

from chunker.kinds import KINDS, TYPES
from index.collection.collection import Collection
from index.search.definitions import definitions
from index.search.fields.data_keys import has_keys, keys_at, keys_of
from index.search.names import NearNames
from index.search.spelling import folded, in_file, is_compound_name, spellings, symbol_of
from index.segment.columns import Strings
from index.text import terms_of
from index.types import ChunkId, FileId, Near, SymbolRow

MAX_BYTES = 250_000  # of a file that is parsed
MAX_CHUNKS = 400  # that contain a name and are read to find those that may declare it
MAX_FILES = 10  # that may declare a name and are parsed
REMEMBERED_FILES = 64


class Fields:
    """The fields of the types of one generation."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self.of_file = lru_cache(REMEMBERED_FILES)(partial(_fields_of_file, collection))

    def named(self, name: str) -> list[SymbolRow]:
        """The fields that a name refers to, by place: `items`, `Cart.items`, `src/cart.ts:Cart.items`; `shop.max-items`
        is a key, or a field that a setting fills: `max_items`."""
        file, name = in_file(name) or ("", name)
        owner, _, field = (symbol_of(name) or name).rpartition(".")
        is_type, end = owner and "-" not in field, f"/{file}" if file else ""
        tried = (
            (one, self._of_type(owner, one) if is_type else self._beside(terms_of(one), re.escape(one)))
            for one in spellings(field)
        )
        rows = next(filter(None, ([row for row in every if row.name == one] for one, every in tried)), [])
        if not rows and owner and ("." in owner or not self._is_type(owner)):
            rows = keys_at(self._collection, f"{owner}.{field}")
        firsts: dict[tuple[str, str], SymbolRow] = {}
        for row in (row for row in rows if f"/{row.file}".endswith(end)):  # a key may have several values in a file
            firsts.setdefault((row.file, row.qualified if owner else row.name), row)
        code = [row for row in firsts.values() if not self._collection.rules_of(row.chunk).keys]
        return code or list(firsts.values())

    def near(self, name: str, limit: int) -> list[Near]:
        """The fields spelled most like a name: those of its type (`Cart.itmes`), or all if no code contains the name
        and it is no plain word (`max_itmes`)."""
        owner, _, field = symbol_of(name).rpartition(".")
        if owner:
            qualified = {row.name: row.qualified for row in self._of_type(owner)}
            return [Near(qualified[one.name], one.distance) for one in _near(field, [*qualified], limit)]
        letters, lexical = folded(field), self._collection.lexical
        if not is_compound_name(field) or not letters.isascii() or lexical.number_of(letters) >= 0:
            return []
        distances = {one.name: one.distance for one in _near(letters, lexical.terms.beginning(letters[0]), limit)}
        rows = (row for term in distances for row in self._beside([term], r"\w+") if folded(row.name) == term)
        return [Near(name, distances[folded(name)]) for name in dict.fromkeys(row.name for row in rows)][:limit]

    def _is_type(self, name: str) -> bool:
        """Whether a type has exactly this name."""
        names = (one.row for one in definitions(self._collection, name) if one.row.kind in TYPES)
        return any(row.name == name.rpartition(".")[2] for row in names)

    def _of_type(self, name: str, field: str = "") -> list[SymbolRow]:
        """The fields of the type that a name most likely refers to; of another one if only that has a certain field."""
        types = [one for one in definitions(self._collection, name) if one.row.kind in TYPES]
        texts = self._collection.files.text
        for meant in ([one for one in types if one.group == types[0].group], types):
            qualified = {one.row.qualified for one in meant}
            files = [file for file in sorted({one.row.file for one in meant}) if field.encode() in texts.raw(file)]
            rows = [row for file in files[:MAX_FILES] for row in self.of_file(file)]
            rows = [row for row in rows if row.qualified.rpartition(".")[0] in qualified]
            if any(field in ("", row.name) for row in rows):
                return rows
        return []

    def _beside(self, terms: Sequence[str], spelling: str) -> list[SymbolRow]:
        """The fields of files with these terms in data, in the chunk of a type, or behind `self.` or `this.`.

        `spelling` is a pattern of the name. Tests count only if there are no other such files.
        """
        collection = self._collection
        is_test = collection.static["test"]
        kinds = collection.cells.kind
        own = re.compile(rf"\b(?:self|this)\.{spelling}(?!\w)".encode())
        chunks = map(ChunkId, collection.lexical.holding(terms)[:MAX_CHUNKS].tolist())
        likely = {
            collection.file_of(one)
            for one in chunks
            if KINDS[kinds[one]] in TYPES or collection.rules_of(one).keys or own.search(collection.text_of(one))
        }
        files_to_parse = sorted([file for file in likely if not is_test[file]] or likely)[:MAX_FILES]
        return [row for file in files_to_parse for row in self.of_file(file)]


def _fields_of_file(collection: Collection, file: FileId) -> tuple[SymbolRow, ...]:
    """No method: a cache of a bound method would keep the index's files open."""
    from chunker.api import chunk_file

    if has_keys(collection, file):
        return keys_of(collection, file)
    data, path, run = collection.files.text.raw(file), collection.files.path[file], collection.chunks_in(file)
    chunks = chunk_file(data, path, fields=True) if len(data) <= MAX_BYTES else None
    if chunks is None or len(chunks.chunks) != len(run):
        return ()
    fields = chunks.fields
    return tuple(SymbolRow(one.name, one.qualified, one.kind, path, one.line, run[one.chunk]) for one in fields)


def _near(name: str, others: Sequence[str], limit: int) -> list[Near]:
    return NearNames(Strings.of(others)).near(name, limit)
