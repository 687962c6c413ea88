"""Files to a segment: read, chunk, analyse, embed. This is what a worker process does with its batch."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chunker.kinds import KINDS, MAX_STEPS, REFERENCE_KINDS, UNKNOWN
from index.segment.columns import Array, Longs, Strings, offsets_of, spread
from index.segment.segment import SCHEMA, SKIP_REASONS, VOCABULARIES, Segment, renamed
from index.text import terms_of, words_in, words_of
from index.tree.beneath import Beneath, NotRead
from index.tree.walk import WalkedFile

if TYPE_CHECKING:
    from chunker.model import Chunk, FileChunks
    from index.types import TermEmbedder

GROWN, LEAST_GROWN_BYTES = 2, 1_000_000  # a file may be written to between the walk and the reading
_KIND_NUMBER = {kind: number for number, kind in enumerate(KINDS)}
_REFERENCE_NUMBER = {kind: number for number, kind in enumerate(REFERENCE_KINDS)}


class _Numbered(dict[str, int]):
    """Numbers strings by first appearance."""

    def __missing__(self, key: str) -> int:
        self[key] = number = len(self)
        return number


@dataclass(slots=True)
class _Field:
    """One lexical field while it grows: word numbers, and how many of them each row has."""

    words: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)

    def add(self, numbers: list[int]) -> None:
        self.words += numbers
        self.lengths.append(len(numbers))


class SegmentBuilder:
    """Collects files one by one; `finish` turns what it has into columns."""

    def __init__(self) -> None:
        self._rows: dict[str, list[int]] = {level: [] for level in SCHEMA}
        self._columns: dict[str, list[object]] = {
            f"{level}.{name}": [] for level, fields in SCHEMA.items() for name in fields
        }
        self._levels = {
            level: [self._columns[f"{level}.{name}"] for name in fields] for level, fields in SCHEMA.items()
        }
        self._names = _Numbered()
        self._words = _Numbered()
        self._fields = {level: _Field() for level in ("body", "named", "signature", "doc")}
        self._paths = (_Field(), _Field())

    def add(self, files: Beneath, stat: WalkedFile) -> None:
        """Read and chunk one file; a file that cannot be read or is not text becomes a row that says why."""
        from chunker.api import chunk_file
        from chunker.model import FileChunks
        from chunker.parse.decoding import decode

        reason, data = _read(files, stat)
        text = None if reason else decode(data)
        if not reason and text is None:
            reason = "binary"
        content = (text or "").encode()
        found = chunk_file(data, stat.path) if text else FileChunks("text", ())
        digest = hashlib.blake2b(data, digest_size=16).digest()
        self._add_file(stat, reason, content, found.language, found.package, digest)
        self._add_chunks(content, found)
        self._add_symbols(found)

    def _put(self, level: str, *values: object) -> None:
        for column, value in zip(self._levels[level], values, strict=False):
            column.append(value)

    def _add_file(
        self, stat: WalkedFile, reason: str, content: bytes, language: str, package: str, digest: bytes
    ) -> None:
        path, skip = stat.path.encode(), SKIP_REASONS.index(reason)
        home = self._names[package] if package else -1
        self._put("file", path, language.encode(), content, stat.size, stat.mtime_ns, digest, skip, home)
        self._rows["file"].append(1)
        folder, _, name = stat.path.rpartition("/")
        for where, part in zip(self._paths, (folder, name.split(".")[0] or name), strict=True):
            where.add([self._words[word] for word in words_of(part)])

    def _add_chunks(self, content: bytes, found: FileChunks) -> None:
        uses = [(number, used) for number, chunk in enumerate(found.chunks) for used in chunk.imports]
        for number, used in uses:
            self._put("use", number, used)
        named: list[list[str]] = [[] for _ in found.chunks]
        for definition in found.definitions:
            named[definition.chunk].append(definition.qualified)
        inside: list[list[str]] = [[] for _ in found.chunks]
        for definition in found.minor:
            inside[definition.chunk].append(definition.name)
        imported = {line for one in found.imports for line in range(one.start_line, one.end_line + 1)}
        for chunk, symbols, minor in zip(found.chunks, named, inside, strict=True):
            self._add_chunk(content, chunk, [*(symbols or [chunk.symbol or ""]), *minor])
            only = not symbols and chunk.symbol is None and _is_covered(content, chunk, imported)
            self._columns["chunk.imports_only"].append(only)
        self._rows["chunk"].append(len(found.chunks))
        self._rows["use"].append(len(uses))

    def _add_chunk(self, content: bytes, chunk: Chunk, symbols: list[str]) -> None:
        words = self._words
        number = words.__getitem__
        body = list(map(number, words_in(content[chunk.start_byte : chunk.end_byte])))
        signature = (chunk.signature.start_byte, chunk.signature.end_byte) if chunk.signature else (-1, -1)
        doc = (chunk.doc.start_byte, chunk.doc.end_byte) if chunk.doc else (-1, -1)
        symbol = self._names[chunk.symbol] if chunk.symbol else -1
        parent = -1 if chunk.parent is None else chunk.parent
        container = self._container(chunk.symbol)
        rest = (_KIND_NUMBER[chunk.kind], symbol, container, parent, chunk.part, *signature, *doc, len(body))
        self._put("chunk", chunk.start_byte, chunk.end_byte, chunk.start_line, chunk.end_line, *rest)
        fields = self._fields
        fields["body"].add(body)
        fields["named"].add([words[word] for name in symbols for word in words_of(name)])
        for name, (start, end) in (("signature", signature), ("doc", doc)):
            fields[name].add(list(map(number, words_in(content[start:end]))) if end > start else [])

    def _container(self, qualified: str | None) -> int:
        """The name number of what a qualified symbol stands in; -1 at the top level."""
        outer = qualified.rpartition(".")[0] if qualified else ""
        return self._names[outer] if outer else -1

    def _extend(self, level: str, columns: Iterable[Sequence[object]], count: int) -> None:
        """Whole columns of one file at once: there are far more references than calls of a function should be."""
        for column, values in zip(self._levels[level], columns, strict=True):
            column.extend(values)
        self._rows[level].append(count)

    def _add_symbols(self, found: FileChunks) -> None:
        names, chains = self._names, _Numbered()
        for level, definitions in (("definition", found.definitions), ("minor", found.minor)):
            containers = [self._container(one.qualified) for one in definitions]
            self._extend(
                level,
                (
                    [one.chunk for one in definitions],
                    [names[one.name] for one in definitions],
                    [names[one.qualified] for one in definitions],
                    containers,
                    [_KIND_NUMBER[one.kind] for one in definitions],
                    [one.line for one in definitions],
                    [one.start_line for one in definitions],
                    [one.end_line for one in definitions],
                ),
                len(definitions),
            )
        chain_of = {None: -1, UNKNOWN: -2}
        for path in [use.receiver for use in found.references] + [known.path for known in found.typed]:
            if path not in chain_of:
                chain_of[path] = chains[path]  # type: ignore[index]
        self._extend(
            "reference",
            (
                [use.chunk for use in found.references],
                [names[use.name] for use in found.references],
                [chain_of[use.receiver] for use in found.references],
                [_REFERENCE_NUMBER[use.kind] for use in found.references],
                [use.line for use in found.references],
                [-1 if use.symbol is None else use.symbol for use in found.references],
            ),
            len(found.references),
        )
        self._extend(
            "typed",
            (
                [names[known.container] if known.container else -1 for known in found.typed],
                [names[known.name] for known in found.typed],
                [chain_of[known.path] for known in found.typed],
                [-1 if known.symbol is None else known.symbol for known in found.typed],
            ),
            len(found.typed),
        )
        self._add_chains(list(chains))
        self._add_imports(found)

    def _add_chains(self, paths: list[str]) -> None:
        names = self._names
        steps = [[names[step.removesuffix("()")] for step in path.split(".")] for path in paths]
        columns = [[path[at] if at < len(path) else -1 for path in steps] for at in range(MAX_STEPS)]
        self._extend("chain", columns, len(paths))

    def _add_imports(self, found: FileChunks) -> None:
        names = self._names
        bound = [(number, *pair) for number, statement in enumerate(found.imports) for pair in statement.names]
        self._extend(
            "import",
            (
                [statement.text.encode() for statement in found.imports],
                [names[statement.module] for statement in found.imports],
                [statement.start_line for statement in found.imports],
                [statement.end_line for statement in found.imports],
            ),
            len(found.imports),
        )
        self._extend(
            "binding",
            (
                [number for number, _, _ in bound],
                [names[local] for _, local, _ in bound],
                [names[target] for _, _, target in bound],
            ),
            len(bound),
        )

    def finish(self, embedder: TermEmbedder | None) -> Segment:
        """The segment; vectors are computed here when the model reads term counts, else left zero wide."""
        names, name_map = _sorted_vocabulary(self._names)
        terms, word_terms = _term_table(self._words)
        columns: dict[str, Array | Strings] = {}
        for column, values in self._columns.items():
            level, name = column.split(".")
            kind = SCHEMA[level][name]
            if kind == "str":
                columns[column] = Strings.of_bytes(values)  # type: ignore[arg-type]
            elif kind in VOCABULARIES:
                columns[column] = renamed(np.array(values, np.int32), name_map)
            elif kind != "vector":
                columns[column] = np.array(values, kind)
        rows = {level: offsets_of(counts) for level, counts in self._rows.items()}
        chunks = rows["chunk"]
        for level, gathered in self._fields.items():
            row, term, count = _counted(gathered, word_terms, len(terms))
            file = np.searchsorted(chunks, row, side="right") - 1
            columns[f"{level}.chunk"] = (row - chunks[file]).astype(np.int32)
            columns[f"{level}.term"] = term
            if level == "body":
                columns["body.tf"] = np.minimum(count, 255).astype(np.uint8)
            rows[level] = np.searchsorted(row, chunks).astype(np.int64)
        self._finish_paths(columns, rows, word_terms, len(terms))
        segment = Segment(columns, rows, names, terms)
        columns["chunk.vector"] = (
            embedder.embed_counts(*counts_for(segment)) if embedder else np.zeros((int(chunks[-1]), 0), np.float32)
        )
        return segment

    def _finish_paths(
        self, columns: dict[str, Array | Strings], rows: dict[str, Longs], word_terms: tuple[Longs, Array], terms: int
    ) -> None:
        folder, name = (_counted(where, word_terms, terms) for where in self._paths)
        file = np.concatenate([folder[0], name[0]])
        in_name = np.repeat(np.array([0, 1], np.uint8), [len(folder[0]), len(name[0])])
        order = np.argsort(file, kind="stable")
        columns["path.term"] = np.concatenate([folder[1], name[1]])[order]
        columns["path.in_name"] = in_name[order]
        rows["path"] = np.searchsorted(file[order], np.arange(len(rows["file"]))).astype(np.int64)


def counts_for(segment: Segment) -> tuple[list[str], Array, Array, Array, Array, Array, Array, Array]:
    """What the static model reads: terms, the bodies as CSR over chunks, paths as CSR over files, and chunk -> file."""
    chunks = int(segment.rows["chunk"][-1])
    row = segment.absolute("body", "chunk", "chunk")
    indptr = np.searchsorted(row, np.arange(chunks + 1))
    file = np.repeat(np.arange(segment.files), np.diff(segment.rows["chunk"]))
    return (
        segment.terms.to_list(), indptr, segment.array("body.term"), segment.array("body.tf"),
        segment.rows["path"], segment.array("path.term"), segment.array("path.in_name"), file,
    )  # fmt: skip


def _is_covered(content: bytes, chunk: Chunk, lines: set[int]) -> bool:
    """Whether every line of a chunk that is not blank is one of these."""
    text = content[chunk.start_byte : chunk.end_byte].split(b"\n")
    return bool(lines) and all(
        number in lines or not line.strip() for number, line in enumerate(text, start=chunk.start_line)
    )


def most_bytes(stat: WalkedFile) -> int:
    """What a file may have when it is read, if it is still being written."""
    return max(GROWN * stat.size, LEAST_GROWN_BYTES)


def _read(files: Beneath, stat: WalkedFile) -> tuple[str, bytes]:
    """(why not, bytes): a file that vanished between walk and read is reported, not fatal.

    So is one in whose place something else stands now, or that has grown beyond what the walk would let pass.
    """
    try:
        return "", files.read(stat.path, most_bytes(stat))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, NotRead):
        return "vanished", b""
    except OSError:
        return "no_permission", b""


def _sorted_vocabulary(numbered: _Numbered) -> tuple[Strings, Array]:
    """The sorted vocabulary and int32[n]: number by first appearance -> sorted position."""
    values = [value.encode("utf-8", "surrogatepass") for value in numbered]
    order = sorted(range(len(values)), key=values.__getitem__)
    to = np.zeros(len(values), np.int32)
    to[order] = np.arange(len(values), dtype=np.int32)
    return Strings.of_bytes([values[number] for number in order]), to


def _term_table(words: _Numbered) -> tuple[Strings, tuple[Longs, Array]]:
    """The sorted terms of all words, and word number -> term positions as CSR."""
    numbered = _Numbered()
    flat, lengths = [], []
    for word in words:
        terms = terms_of(word)
        flat += [numbered[term] for term in terms]
        lengths.append(len(terms))
    vocabulary, to = _sorted_vocabulary(numbered)
    return vocabulary, (offsets_of(lengths), to[np.array(flat, np.int64)] if flat else np.zeros(0, np.int32))


def _counted(gathered: _Field, word_terms: tuple[Longs, Array], terms: int) -> tuple[Array, Array, Array]:
    """(row, term, count) of a field, sorted by row, then term."""
    offsets, table = word_terms
    words = np.array(gathered.words, np.int64)
    lengths = np.diff(offsets)[words]
    row = np.repeat(np.repeat(np.arange(len(gathered.lengths)), gathered.lengths), lengths)
    keys = row * max(terms, 1) + table[spread(offsets[:-1][words], lengths)]
    unique, counts = np.unique(keys, return_counts=True)
    return unique // max(terms, 1), (unique % max(terms, 1)).astype(np.int32), counts


def read_files(root: Path, stats: Sequence[WalkedFile], embedder: TermEmbedder | None) -> Segment:
    """The segment of these files."""
    builder = SegmentBuilder()
    with Beneath(root) as files:
        for stat in stats:
            builder.add(files, stat)
    return builder.finish(embedder)
