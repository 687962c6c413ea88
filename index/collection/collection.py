"""Per-generation data that every query shares, computed once and held in memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np

from chunker.kinds import KINDS, ROUTINES
from chunker.languages.table import LanguageRules, rules_of
from contracts.lazy_regex import lazy_regex
from index.arithmetic import log1p
from index.collection.tables import ChunkTable, DefinitionTable, FileTable, chunk_cells, chunk_table
from index.generation.reader import Snapshot
from index.graph.edges import CERTAIN, LABELS, Edges
from index.lexical import K1, B, LexicalIndex, QueryTerms
from index.roles import ROLES, is_translation, with_role
from index.segment.columns import Array, spread
from index.types import ChunkId, FileId, Filters

CODE, ASIDE, PROSE = range(3)  # what a file is for a reader who looks for a text, the most important first
_HIDDEN = lazy_regex(r"(^|/)\.[^/]*$")
ONE_RUN_BYTES = 4_000  # a longer run of lines without a symbol is read in parts
REMEMBERED_QUERIES = 2  # a pack looks up the terms of its query for the search and for related items
BRANCH_WORDS = ("if", "elif", "case", "when", "match", "switch", "unless", "guard", "cond")  # as stems: terms of texts
CONSTRUCTORS = frozenset({"__init__", "constructor", "new", "init", "initialize", "__construct"})
_BY_USE = np.isin(LABELS, ("calls", "uses", "extends", "implements"))
_TESTS = np.isin(LABELS, ("tests",))
_ROUTINES = frozenset(map(KINDS.index, ROUTINES))


class Collection:
    """All data of one generation that does not depend on the query."""

    def __init__(self, snapshot: Snapshot) -> None:
        segment = snapshot.segment
        self.snapshot = snapshot
        self.lexical = LexicalIndex(snapshot)
        self.query_terms = lru_cache(REMEMBERED_QUERIES)(partial(QueryTerms, self.lexical))
        self.files = FileTable(segment)
        self.chunks = chunk_table(snapshot)
        self.filled = np.flatnonzero(self.files.chunk_count)  # files that have chunks; reduceat needs non-empty runs
        self.vectors = segment.array("chunk.vector")
        self.imports_out = Edges.of(snapshot, "file_edge", "out")
        self.imports_in = Edges.of(snapshot, "file_edge", "in")
        self.edges_out = Edges.of(snapshot, "edge", "out")
        self.edges_in = Edges.of(snapshot, "edge", "in")
        self._parts = range(0)  # of the chunk looked up last: a long line has thousands

    @cached_property
    def cells(self) -> ChunkTable[Sequence[int]]:
        """The chunk table for fast access to single values."""
        return chunk_cells(self.chunks)

    @cached_property
    def definitions(self) -> DefinitionTable:
        return DefinitionTable(self.snapshot)

    @cached_property
    def shown(self) -> Array:
        """bool[chunks]: False for a chunk of imports only: every chunk shows its own, and alone they answer nothing.

        True if the file has no other chunks.
        """
        bare = self.chunks.imports_only > 0
        other = np.bincount(self.chunks.file[~bare], minlength=len(self.files))
        return ~bare | (other[self.chunks.file] == 0)

    @cached_property
    def file_words(self) -> Array:
        """float64[files]: the number of words in the chunks of each file."""
        return self._per_file(np.add, self.chunks.words, np.float64)

    @cached_property
    def file_norm(self) -> Array:
        """float64[files]: the length normalisation of each file in BM25."""
        average = float(self.file_words.sum()) / max(len(self.filled), 1)
        return K1 * (1 - B + B * self.file_words / max(average, 1.0))

    @cached_property
    def static(self) -> dict[str, Array]:
        """float32[files] each: the signals of files that do not depend on the query."""
        return {
            **{role: with_role(self.files.roles, role).astype(np.float32) for role in ROLES},
            "imported_by": log1p(self.imports_in.degrees("imports").astype(np.float32)).astype(np.float32),
            "size": log1p(self.file_words).astype(np.float32),
            "prose": self.documents.astype(np.float32),
        }

    @cached_property
    def documents(self) -> Array:
        """bool[files]: whether the file is prose, written to be read, not run."""
        return np.array([rules_of(language).prose for language in self.files.languages], bool)

    @cached_property
    def data(self) -> Array:
        """bool[files]: whether the file is neither prose nor in a language with symbols: configurations, lists."""
        return np.array([not rules_of(language).symbols for language in self.files.languages], bool) & ~self.documents

    @cached_property
    def chunk_priors(self) -> dict[str, Array]:
        """float32[chunks] each: the signals of chunks that do not depend on the query."""
        called = self.edges_in.degrees("contains", "calls", "uses", "extends", "implements")
        return {
            "length": log1p(self.chunks.words).astype(np.float32),
            "called_by": log1p(called).astype(np.float32),
            "in_tests": self.chunks.in_tests.astype(np.float32),
        }

    @cached_property
    def branches(self) -> Array:
        """float64[chunks]: the number of words in each chunk's text that begin a branch. Where a program decides
        something is what people ask about; accessors, lists and types decide nothing."""
        numbers = np.array(self.lexical.numbers_of(BRANCH_WORDS), np.int64)
        words = self.lexical.fields["body"].of_all(numbers[numbers >= 0])
        return np.bincount(words.rows, words.weights, len(self.chunks))

    @cached_property
    def imports(self) -> tuple[Array, Array]:
        """Pairs (file, another file that it imports or that imports it), as two arrays."""
        near = [np.repeat(np.arange(len(self.files)), edges.degrees()) for edges in (self.imports_out, self.imports_in)]
        return np.concatenate(near), np.concatenate([self.imports_out.node, self.imports_in.node])

    @cached_property
    def tests(self) -> tuple[Array, Array]:
        """Pairs (file, a test of it), as two arrays."""
        tests = self.imports_in.label == LABELS.index("tests")
        return np.repeat(np.arange(len(self.files)), self.imports_in.degrees())[tests], self.imports_in.node[tests]

    @cached_property
    def users(self) -> Array:
        """float64[chunks]: log2(1 + number of edges that lead to the chunk)."""
        return np.log2(1 + self.edges_in.degrees()).round(9)

    @cached_property
    def aside(self) -> Array:
        """float32[files]: 1 for examples, scripts and generated code, 0.5 for tests."""
        return np.maximum(np.maximum(self.static["aside"], self.static["generated"]), 0.5 * self.static["test"])

    @cached_property
    def name_terms(self) -> Array:
        """float64[files]: the number of terms in the name of each file, at least 1."""
        segment = self.snapshot.segment
        file = np.repeat(np.arange(len(self.files)), np.diff(segment.rows["path"]))
        return np.maximum(np.bincount(file, segment.array("path.in_name"), len(self.files)), 1)

    def file_of(self, chunk: int) -> FileId:
        return FileId(self.cells.file[chunk])

    def path_of(self, chunk: int) -> str:
        return self.files.paths[self.cells.file[chunk]]

    def is_in_tests(self, chunk: int) -> bool:
        """Whether a chunk is in a file of tests."""
        return bool(self.static["test"][self.cells.file[chunk]])

    def kind_of(self, file: FileId) -> int:
        """CODE, PROSE, or ASIDE for all other files: tests, data, build files, translations, dotfiles."""
        static, path = self.static, self.files.paths[file]
        if static["prose"][file]:
            return PROSE
        rules = rules_of(self.files.languages[file])
        is_secondary = static["test"][file] or static["aside"][file] or static["generated"][file]
        is_source = (rules.symbols or rules.template) and not is_secondary
        return CODE if is_source and not (is_translation(path) or _HIDDEN.search(path)) else ASIDE

    def is_data(self, file: FileId) -> bool:
        """Whether a file is markup or data, such as the layout of a screen or a manifest: it defines no symbols, and is
        no text for readers, no translation and not generated."""
        if self.static["prose"][file] or self.static["generated"][file]:
            return False
        return not rules_of(self.files.languages[file]).symbols and not is_translation(self.files.paths[file])

    def is_code(self, chunk: ChunkId) -> bool:
        """Whether a chunk is of CODE and not of a test inside it."""
        return not self.cells.in_tests[chunk] and self.kind_of(self.file_of(chunk)) == CODE

    def code_among(self, chunks: Array) -> list[ChunkId]:
        """Those of the chunks that are of CODE, as `is_code` says."""
        return [chunk for chunk in map(ChunkId, chunks.tolist()) if self.is_code(chunk)]

    def rules_of(self, chunk: int) -> LanguageRules:
        """The rules of a chunk's language."""
        return rules_of(self.files.languages[self.cells.file[chunk]])

    def package_of(self, file: FileId) -> str:
        """The package that a file declares; empty without one."""
        package = int(self.files.package[file])
        return self.snapshot.segment.names[package] if package >= 0 else ""

    def symbol_of(self, chunk: int) -> str:
        """The qualified name of the symbol that a chunk is, or is a part of; empty without one."""
        symbol = self.cells.symbol[chunk]
        return self.snapshot.segment.names[symbol] if symbol >= 0 else ""

    def text_of(self, chunk: int, last: int | None = None) -> bytes:
        """The text of a chunk, or of all from this one to the `last` in its file."""
        cells = self.cells
        end = cells.end_byte[chunk if last is None else last]
        return self.files.bytes_of(FileId(cells.file[chunk]), cells.start_byte[chunk], end)

    def chunks_in(self, file: FileId) -> range:
        """The chunks of a file in the order of its lines."""
        bounds = self.files.chunk_bounds
        return range(bounds[file], bounds[file + 1])

    def files_by_use(self, file: FileId, *, backward: bool, tests: bool = False) -> set[FileId]:
        """The other files that define what a file's code calls, uses, extends or implements, or `tests`; `backward`:
        its users, or the files that test it.

        A name that several definitions or something unknown could have does not count.
        """
        edges = self.edges_in if backward else self.edges_out
        _, at = edges.leaving(np.array(self.chunks_in(file), np.int64))
        at = at[(_TESTS if tests else _BY_USE)[edges.label[at]] & (edges.weight[at] == CERTAIN)]
        return set(self.chunks.file[edges.node[at]].tolist()) - {file}

    def constructors_of(self, chunk: ChunkId) -> list[ChunkId]:
        """The constructors of a class that are chunks of their own."""
        name = self.symbol_of(chunk).rpartition(".")[2]
        inside = self.edges_out.neighbours(chunk) if name else ()
        members = (ChunkId(other) for other, label in inside if label == "contains")
        return [one for one in members if self.symbol_of(one).rpartition(".")[2] in {*CONSTRUCTORS, name}]

    def subtypes_of(self, chunk: ChunkId) -> list[ChunkId]:
        """The types outside of tests that name the type of a chunk as what they extend or implement."""
        ties = self.edges_in.neighbours(chunk)
        subtypes = (ChunkId(other) for other, label in ties if label in ("extends", "implements"))
        return [one for one in subtypes if not self.is_in_tests(one)]

    @cached_property
    def is_alone(self) -> Array:
        """bool[chunks]: whether a chunk outside symbols is in a long run of such chunks (a configuration, a script),
        each about something else; a short run is read as one."""
        chunks = self.chunks
        run = (chunks.part == 0).cumsum() - 1
        size = np.bincount(run, chunks.end_byte - chunks.start_byte)
        on_one_line = np.zeros(len(run) + 1, bool)  # the pieces of a line belong together
        on_one_line[1:-1] = (chunks.part[1:] > 0) & (chunks.start_line[1:] == chunks.end_line[:-1])
        return (chunks.symbol < 0) & (size[run] > ONE_RUN_BYTES) & ~on_one_line[1:] & ~on_one_line[:-1]

    def parts_of(self, chunk: ChunkId) -> range:
        """The chunks of the symbol of `chunk`, in order: its parts and, for a function, the symbols nested in it.

        In a long run of lines outside symbols, a chunk stands alone.
        """
        if self.is_alone[chunk]:
            return range(chunk, chunk + 1)
        part, symbol = self.cells.part, self.cells.symbol
        parts = self._parts
        if chunk in parts and symbol[parts.start] == symbol[chunk]:
            return parts
        run = self.chunks_in(self.file_of(chunk))
        is_function = self.cells.kind[chunk] in _ROUTINES

        def is_nested(number: int) -> bool:
            is_later = is_function and symbol[number] > symbol[chunk]  # names are sorted: cheap, and false of most
            return is_later and self.symbol_of(number).startswith(f"{self.symbol_of(chunk)}.")

        first = last = above = int(chunk)
        while above > run.start and part[first] and (symbol[above - 1] == symbol[chunk] or is_nested(above - 1)):
            above -= 1
            first = above if symbol[above] == symbol[chunk] else first
        while last + 1 < run.stop and ((part[last + 1] and symbol[last + 1] == symbol[chunk]) or is_nested(last + 1)):
            last += 1
        self._parts = parts = range(first, last + 1)
        return parts

    @cached_property
    def is_piece(self) -> Array:
        """bool[chunks]: whether a chunk ends on a line that another chunk begins on, as few do."""
        file, start, end = self.chunks.file, self.chunks.start_line, self.chunks.end_line
        is_piece, same = np.zeros(len(file), bool), file[1:] == file[:-1]
        is_piece[:-1] = same & (start[1:] == end[:-1])
        is_piece[1:] |= same & (start[:-1] == end[1:])
        return is_piece

    def pieces_of(self, chunk: ChunkId) -> range:
        """The chunks that one long line was cut into, including `chunk`; only `chunk` if it has whole lines."""
        if not self.is_piece[chunk]:
            return range(chunk, chunk + 1)
        files, starts, line = self.cells.file, self.cells.start_line, self.cells.end_line[chunk]
        first = last = int(chunk)
        while first and starts[first - 1] == line and files[first - 1] == files[chunk]:
            first -= 1
        while last + 1 < len(starts) and starts[last + 1] == line and files[last + 1] == files[chunk]:
            last += 1
        return range(first, last + 1)

    def chunks_of(self, files: Array) -> Array:
        """int64: the chunks of these files that may be shown, file by file."""
        chunks = spread(self.files.first_chunk[files], self.files.chunk_count[files])
        return chunks[self.shown[chunks]]

    def allowed_files(self, filters: Filters) -> Array:
        """bool[files]: whether the file has chunks and passes every filter."""
        allowed = self.files.chunk_count > 0
        if filters.languages:
            languages = {language.lower() for language in filters.languages}
            allowed &= np.array([language in languages for language in self.files.languages], bool)
        if filters.docs == "skip":
            allowed &= ~self.documents
        if filters.include:
            allowed &= self._matching(filters.include)
        if filters.exclude:
            allowed &= ~self._matching(filters.exclude)
        return allowed

    def _matching(self, globs: Sequence[str]) -> Array:
        """bool[files]: whether the file matches one of the globs."""
        from index.tree.ignore import Rules

        rules = Rules(glob.encode() for glob in globs)
        return np.array([rules.matches(path.encode()) for path in self.files.paths], bool)

    def per_file_max(self, values: Array) -> Array:
        """float32[files]: the largest value among each file's chunks, 0 without any."""
        return self._per_file(np.maximum, values)

    def per_file_sum(self, values: Array) -> Array:
        return self._per_file(np.add, values)

    def _per_file(self, reduce: np.ufunc, values: Array, dtype: type[np.floating[Any]] = np.float32) -> Array:
        per_file = np.zeros(len(self.files), dtype)
        per_file[self.filled] = reduce.reduceat(values, self.files.first_chunk[self.filled])
        return per_file
