"""Builds a segment from files: read, chunk, analyse, embed. A worker process does this with its batch."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chunker.kinds import EXPECTED, KINDS, MAX_STEPS, REFERENCE_KINDS, UNKNOWN
from index.roles import is_inside_tests, roles_of, test_attributes
from index.segment.columns import SCHEMA, SKIP_REASONS, VOCABULARIES, Array, Longs, Segment, Strings, offsets_of, spread
from index.segment.merge import renamed
from index.text import terms_of, words_in, words_of
from index.tree.beneath import Beneath, NotRead
from index.tree.walk import WalkedFile

if TYPE_CHECKING:
    from chunker.model import Chunk, Definition, FileChunks

# A file with few indented lines that has more bytes, and on average more bytes per line, is taken for minified.
# Indentation counts because a class with one long table has such an average, too; a bundle may contain a text with it.
MINIFIED_BYTES, MINIFIED_LINE = 2_000, 400
BUNDLED_TEXT = 20_000  # bytes for each indented line
HEAD_BYTES = 1_500  # at the start of a file, where comments may say that it is generated
_FIRST_COMMENTS = re.compile(
    rb"(?:[^\S\n]*(?:/\*(?:[^*]|\*(?!/))*+\*/[^\n]*|(?://|#|/?\*|--|;|%|<[!?]|\"\"\"|\{-)[^\n]*)?(?:\n|\Z))*+"
)
# How a script or a style sheet of a release begins: `/*! jQuery JavaScript Library v1.7.1`, `// Backbone.js 0.5.3`.
_RELEASE = re.compile(rb"\s*/[*/][\s*/!]*(?:@\w+\s+)?(\w++)[\w.-]*,? (?:[\w.-]+,? ){0,4}?\(?v?\d+\.\d+")
_RELEASED = re.compile(r"(?!(?:lib|packages|source|src)/)(?:[^/]+/)++([^/.-]++)[^/]*\.(?:css|js)")
_INDENTED = re.compile(rb"^(?:\t|  )[^\S\n]*+\S", re.MULTILINE)
_SAYS_SO = re.compile(rb"@generated\b|<auto-?generated\b|\bdo not (?:hand-?)?(?:edit|modify)\b")
GROWN, MIN_GROWN_BYTES = 2, 1_000_000  # how far a file may grow between the walk and the reading
Embed = Callable[[Segment], Array]  # a segment -> float32[chunks, d], the vectors of its chunks
_KIND_NUMBER = {kind: number for number, kind in enumerate(KINDS)}
_REFERENCE_NUMBER = {kind: number for number, kind in enumerate(REFERENCE_KINDS)}


class _Numbered(dict[str, int]):
    """Numbers strings in the order in which they appear."""

    def __missing__(self, key: str) -> int:
        self[key] = number = len(self)
        return number


@dataclass(slots=True)
class _Field:
    """One lexical field under construction: word numbers, and how many of them each row has."""

    words: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)

    def add(self, numbers: list[int]) -> None:
        self.words += numbers
        self.lengths.append(len(numbers))


class SegmentBuilder:
    """Collects files one by one; `finish` turns them into columns."""

    def __init__(self) -> None:
        self._counts: dict[str, list[int]] = {level: [] for level in SCHEMA}  # number of rows of each file
        self._columns: dict[str, list[list[object]]] = {level: [[] for _ in SCHEMA[level]] for level in SCHEMA}
        self._names = _Numbered()
        self._words = _Numbered()
        self._fields = {level: _Field() for level in ("body", "named", "signature", "doc")}
        self._paths = (_Field(), _Field())

    def add(self, files: Beneath, stat: WalkedFile, *, fatal: bool = False) -> None:
        """Read and chunk one file; a file that cannot be read or is not text becomes a row that says why.

        So does a `fatal` file, which is not chunked because that crashed the process.
        """
        from chunker.api import chunk_file
        from chunker.languages.table import rules_of
        from chunker.model import FileChunks
        from chunker.parse.decoding import source_text

        reason, data = _read(files, stat)
        if fatal and not reason:
            reason = "reader_crashed"
        text = None if reason else source_text(data, stat.path)
        if not reason and text is None:
            reason = "binary"
        content = (text or "").encode()
        file = chunk_file(data, stat.path) if text else FileChunks("text", ())
        digest = hashlib.blake2b(data, digest_size=16).digest()
        skip, package = SKIP_REASONS.index(reason), self._number(file.package)
        path, language = stat.path.encode(), file.language.encode()
        prose = rules_of(file.language).prose
        roles = roles_of(stat.path, generated=is_generated(content, stat.path), prose=prose)
        about = (stat.size, stat.mtime_ns, digest, skip, package, roles)
        self._add("file", [(path, language, content, *about)])
        folder, _, name = stat.path.rpartition("/")
        for field_of_path, part in zip(self._paths, (folder, name.split(".")[0] or name), strict=True):
            field_of_path.add([self._words[word] for word in words_of(part)])
        self._add_chunks(content, file)
        self._add_definitions("definition", file.definitions)
        self._add_definitions("minor", file.minor)
        self._add_references(file)
        self._add_imports(file)

    def _add(self, level: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Add the rows of one file. They lack the last columns, which `finish` adds."""
        for column, values in zip(self._columns[level], zip(*rows, strict=True), strict=False):
            column.extend(values)
        self._counts[level].append(len(rows))

    def _add_chunks(self, content: bytes, file: FileChunks) -> None:
        self._add("use", [(number, used) for number, chunk in enumerate(file.chunks) for used in chunk.imports])
        symbols: list[list[str]] = [[] for _ in file.chunks]
        for definition in file.definitions:
            symbols[definition.chunk].append(definition.qualified)
        inner: list[list[str]] = [[] for _ in file.chunks]
        for definition in file.minor:
            inner[definition.chunk].append(definition.name)
        tests: set[int] = set()  # their lines
        attributes = test_attributes(content)
        for definition in file.definitions:
            head = range(definition.start_line, definition.line + 1)
            is_marked = bool(attributes) and not attributes.isdisjoint(head)
            if definition.end_line not in tests and (is_marked or is_inside_tests(definition.qualified)):
                tests.update(range(definition.start_line, definition.end_line + 1))
        imported = {line for one in file.imports for line in range(one.start_line, one.end_line + 1)}
        rows = []
        for chunk, own, minor in zip(file.chunks, symbols, inner, strict=True):
            only = not own and chunk.symbol is None and _is_covered(content, chunk, imported)
            cells = self._chunk(content, chunk, [*(own or [chunk.symbol or ""]), *minor])
            rows.append((*cells, chunk.start_line in tests, only))
        self._add("chunk", rows)

    def _chunk(self, content: bytes, chunk: Chunk, symbols: list[str]) -> tuple[int, ...]:
        """The row of a chunk without its last three columns; adds its words to the lexical fields."""
        words, fields = self._words, self._fields
        number = words.__getitem__
        body = list(map(number, words_in(content[chunk.start_byte : chunk.end_byte])))
        fields["body"].add(body)
        fields["named"].add([words[word] for name in symbols for word in words_of(name)])
        ranges: list[int] = []
        for name, part in (("signature", chunk.signature), ("doc", chunk.doc)):
            start, end = (part.start_byte, part.end_byte) if part else (-1, -1)
            fields[name].add(list(map(number, words_in(content[start:end]))) if end > start else [])
            ranges += (start, end)
        place = (chunk.start_byte, chunk.end_byte, chunk.start_line, chunk.end_line, _KIND_NUMBER[chunk.kind])
        symbol = self._number(chunk.symbol or "")
        parent = -1 if chunk.parent is None else chunk.parent
        container = self._number((chunk.symbol or "").rpartition(".")[0])
        return (*place, symbol, container, parent, chunk.part, *ranges, len(body))

    def _number(self, name: str) -> int:
        """The number of a name; -1 of an empty one, such as that of a container at the top level."""
        return self._names[name] if name else -1

    def _add_definitions(self, level: str, definitions: Sequence[Definition]) -> None:
        names, rows = self._names, []
        for one in definitions:
            container = self._number(one.qualified.removesuffix(one.name).removesuffix("."))  # a name may have dots
            symbol = (names[one.name], names[one.qualified], container, _KIND_NUMBER[one.kind])
            rows.append((one.chunk, *symbol, one.line, one.start_line, one.end_line))
        self._add(level, rows)

    def _add_references(self, file: FileChunks) -> None:
        names = self._names
        marks: dict[str | None, int] = {None: -1, UNKNOWN: -2, EXPECTED: -3}  # see schema.tsv
        chains = dict(marks)
        for path in (*(use.receiver for use in file.references), *(one.path for one in file.typed)):
            chains.setdefault(path, len(chains) - len(marks))
        references, typed = [], []
        for use in file.references:
            kind, symbol = _REFERENCE_NUMBER[use.kind], -1 if use.symbol is None else use.symbol
            references.append((use.chunk, names[use.name], chains[use.receiver], kind, use.line, symbol))
        for one in file.typed:
            symbol = -1 if one.symbol is None else one.symbol
            typed.append((self._number(one.container), names[one.name], chains[one.path], symbol))
        self._add("reference", references)
        self._add("typed", typed)
        paths = map(str, list(chains)[len(marks) :])
        steps = ([names[step.removesuffix("()")] for step in path.split(".")] for path in paths)
        self._add("chain", [(*path[:MAX_STEPS], *[-1] * (MAX_STEPS - len(path))) for path in steps])

    def _add_imports(self, file: FileChunks) -> None:
        names = self._names
        rows = [(one.text.encode(), names[one.module], one.start_line, one.end_line) for one in file.imports]
        self._add("import", rows)
        pairs: list[tuple[int, ...]] = []
        for number, one in enumerate(file.imports):
            bound = zip(one.names, one.reach, strict=True)
            pairs += [(number, names[local], names[target], reach) for (local, target), reach in bound]
        self._add("binding", pairs)

    def finish(self, embed: Embed) -> Segment:
        """The segment, with the vectors of its chunks."""
        names, name_map = _sorted_vocabulary(self._names)
        terms, word_terms = _term_table(self._words)
        columns: dict[str, Array | Strings] = {}
        for level, fields in SCHEMA.items():
            for (name, kind), values in zip(fields.items(), self._columns[level], strict=True):
                if kind == "str":
                    columns[f"{level}.{name}"] = Strings.of_bytes(values)  # type: ignore[arg-type]
                elif kind in VOCABULARIES:
                    columns[f"{level}.{name}"] = renamed(np.array(values, np.int32), name_map)
                elif kind != "vector":
                    columns[f"{level}.{name}"] = np.array(values, kind)
        rows = {level: offsets_of(counts) for level, counts in self._counts.items()}
        chunks = rows["chunk"]
        for level, lexical in self._fields.items():
            row, term, count = _counted(lexical, word_terms, len(terms))
            file = np.searchsorted(chunks, row, side="right") - 1
            columns[f"{level}.chunk"] = (row - chunks[file]).astype(np.int32)
            columns[f"{level}.term"] = term
            if level == "body":
                columns["body.tf"] = np.minimum(count, 255).astype(np.uint8)
            rows[level] = np.searchsorted(row, chunks).astype(np.int64)
        self._finish_paths(columns, rows, word_terms, len(terms))
        segment = Segment(columns, rows, names, terms)
        columns["chunk.vector"] = embed(segment)
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


def is_generated(content: bytes, path: str) -> bool:
    """Whether a file is generated: its first comments say so and that it should not be edited, or its lines are those
    of minified code. So is a copy of a release in the folders of a website: it begins with its own name and version."""
    if len(content) > max(MINIFIED_BYTES, content.count(b"\n") * MINIFIED_LINE) and (
        len(_INDENTED.findall(content)) * BUNDLED_TEXT < len(content)
    ):
        return True
    head = content[:HEAD_BYTES].lower()
    name, release = _RELEASED.fullmatch(path), _RELEASE.match(head)
    if name and release and release[1] in (own := name[1].lower().encode(), own + b"js"):
        return True
    comments = _FIRST_COMMENTS.match(head) if b"generated" in head else None
    return bool(comments and b"generated" in comments[0] and _SAYS_SO.search(comments[0]))


def _is_covered(content: bytes, chunk: Chunk, lines: set[int]) -> bool:
    """Whether every non-blank line of a chunk is one of these."""
    text = content[chunk.start_byte : chunk.end_byte].split(b"\n")
    return bool(lines) and all(at in lines or not line.strip() for at, line in enumerate(text, start=chunk.start_line))


def _read(files: Beneath, stat: WalkedFile) -> tuple[str, bytes]:
    """(reason not to, bytes): a file that vanished between walk and read is reported, not fatal.

    So is a file that was replaced by something else or has grown beyond the limit.
    """
    try:
        return "", files.read(stat.path, max(GROWN * stat.size, MIN_GROWN_BYTES))
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


def _counted(lexical: _Field, word_terms: tuple[Longs, Array], terms: int) -> tuple[Array, Array, Array]:
    """(row, term, count) of a field, sorted by row, then term."""
    offsets, table = word_terms
    words = np.array(lexical.words, np.int64)
    lengths = np.diff(offsets)[words]
    row = np.repeat(np.repeat(np.arange(len(lexical.lengths)), lexical.lengths), lengths)
    keys = row * max(terms, 1) + table[spread(offsets[:-1][words], lengths)]
    unique, counts = np.unique(keys, return_counts=True)
    return unique // max(terms, 1), (unique % max(terms, 1)).astype(np.int32), counts


def empty(dimensions: int) -> Segment:
    """A segment of no files."""
    return SegmentBuilder().finish(lambda segment: np.zeros((0, dimensions), np.float32))


def read_files(root: Path, stats: Iterable[WalkedFile], embed: Embed, fatal: Collection[str] = ()) -> Segment:
    """The segment of these files; those with a path in `fatal` are not chunked."""
    builder = SegmentBuilder()
    with Beneath(root) as files:
        for stat in stats:
            builder.add(files, stat, fatal=stat.path in fatal)
    return builder.finish(embed)
