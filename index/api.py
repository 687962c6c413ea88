"""The public interface of the index: search it, follow its graph, read its chunks."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chunker.kinds import KINDS, TYPES
from chunker.languages.table import rules_of
from index.collection.collection import Collection
from index.collection.reader import imports_of, last_inside, outline_of, row_of
from index.generation.reader import Snapshot
from index.generation.store import Store
from index.roles import is_test_path
from index.search.definitions import definitions
from index.search.ranker import Ranker, shipped_ranker
from index.search.related import links, ties
from index.search.searcher import Searcher
from index.search.spelling import in_file, symbol_of
from index.segment.columns import distinct
from index.text import terms_of_text
from index.tree import MAX_FILE_BYTES
from index.types import (
    ChunkId,
    ChunkRow,
    Coverage,
    Extent,
    FilePlace,
    Filters,
    Follow,
    Grade,
    ImportStatement,
    Near,
    Order,
    Outline,
    Refreshed,
    Scored,
    SymbolRow,
    Tie,
    TraceReading,
    VectorCoverage,
)

if TYPE_CHECKING:
    from index.build import Footprint
    from index.embed.static import StaticEmbedder
    from index.search.fields.fields import Fields
    from index.search.nearest import NearestNames
    from index.second_model.vectors import SecondModel

MANY = 400  # chunks with a name, of which not all are read
MAX_IMPORTING_TESTS = 10  # of a file that no test is named after; with more, each says little about it


class Index:
    """One published generation of a repository, read-only."""

    def __init__(
        self, root: Path, store: Store, snapshot: Snapshot, embedder: StaticEmbedder, refreshed: Refreshed | None,
        max_file_bytes: int = MAX_FILE_BYTES, second: SecondModel | None = None,
    ) -> None:  # fmt: skip
        self.root = root
        self.second = second  # the transformer used in addition to the static model
        self.max_file_bytes = max_file_bytes
        self.store = store
        self.snapshot = snapshot
        self.embedder = embedder
        self.refreshed = refreshed
        self.ranker: Ranker | None = None  # replaces the shipped one

    @cached_property
    def collection(self) -> Collection:
        """The data that search needs in memory; built on first use."""
        return Collection(self.snapshot)

    @cached_property
    def _searcher(self) -> Searcher:
        second = self.second.signal if self.second else None
        return Searcher(self.collection, self.embedder, self.ranker or shipped_ranker(), second)

    @cached_property
    def _fields(self) -> Fields:
        from index.search.fields.fields import Fields

        return Fields(self.collection)

    @cached_property
    def _nearest_names(self) -> NearestNames:
        from index.search.nearest import NearestNames

        return NearestNames(self.collection, self._fields)

    @property
    def model_id(self) -> str:
        """The ids of the static model and of the transformer, if any, joined by `+`."""
        static = self.snapshot.manifest.model_id
        return f"{static}+{self.second.spec.model_id}" if self.second else static

    @property
    def vector_coverage(self) -> VectorCoverage | None:
        """How many chunks have vectors of the transformer; None without one."""
        return self.second.coverage if self.second else None

    @property
    def generation(self) -> int:
        return self.snapshot.manifest.generation

    @property
    def coverage(self) -> Coverage:
        return Coverage.of(self.snapshot.manifest.about)

    @property
    def files(self) -> int:
        return int(self.snapshot.manifest.about["files"])

    @property
    def chunks(self) -> int:
        return int(self.snapshot.manifest.about["chunks"])

    def search(
        self, query: str, *, top_k: int = 10, filters: Filters | None = None, order: Order = "files"
    ) -> list[Scored]:
        """At most `top_k` chunks, best first, in a total order; empty if nothing has anything in common with the query.

        Order `files` puts different files first; `lines` puts the lines to read first, whatever their file, each symbol
        once. `pack` is `lines`; for a topic, hits in files that were not shown yet come earlier.
        """
        return self._searcher.search(query, top_k, filters or Filters(), order)

    def grade(self, query: str, *, filters: Filters | None = None) -> Grade:
        """How sure it is that this repository answers the query."""
        return self._searcher.question(query, filters or Filters()).grade

    def evidence(self, query: str, *, filters: Filters | None = None) -> float:
        """The evidence that this repository has an answer, in points that are comparable between repositories."""
        return self._searcher.evidence(query, filters or Filters())

    def near_in_meaning(self, query: str, *, limit: int = 3) -> list[str]:
        """The symbols of code nearest in meaning to words that the model knows, nearest first."""
        return self._searcher.near_in_meaning(query, limit)

    def paths(self) -> list[str]:
        """The paths of all files, sorted."""
        return list(self.collection.files.paths)

    def unmatched(self, globs: Sequence[str]) -> list[str]:
        """The globs that match no indexed file."""
        return [glob for glob in globs if not self.collection.allowed_files(Filters(include=(glob,))).any()]

    def trace(self, query: str, *, filters: Filters | None = None) -> TraceReading | None:
        """The frames of a pasted trace in this index; None if the query is not a trace.

        Raises NotFound if the query is only a place, and its file or line does not exist.
        """
        located = self._searcher.locations(query, filters or Filters())
        if located and located.missing:
            raise located.missing
        return located.trace if located else None

    def places(self, text: str) -> list[FilePlace]:
        """The files, with lines, that a place in any notation may refer to; none if the text is not a place.

        Raises NotFound if the text can only be a place, and its file or line does not exist.
        """
        from index.search.places.locations import file_places

        return file_places(self.collection, text)

    def related(
        self, primaries: Sequence[int], query: str, follow: Follow, *, filters: Filters | None = None
    ) -> list[Tie]:
        """Chunks that the graph links to the primaries, best first, never a primary, each once."""
        return ties(self.collection, primaries, query, follow, filters or Filters())

    def allowed(self, filters: Filters) -> Callable[[int], bool]:
        """A predicate for chunks whose files pass the filters; for chunks that no search has found."""
        files, file_of = self.collection.allowed_files(filters), self.collection.chunks.file
        return lambda number: bool(files[file_of[number]])

    def chunk(self, number: int) -> ChunkRow:
        """One chunk with its text."""
        return self.span(number, number)

    def path_of(self, number: int) -> str:
        """The path of a chunk's file, without reading its text."""
        return self.collection.path_of(number)

    def symbol(self, number: int) -> tuple[str | None, str]:
        """The qualified name and the kind of the symbol that a chunk is part of, without reading its text."""
        return self.collection.symbol_of(number) or None, KINDS[self.collection.cells.kind[number]]

    def chunks_of_file(self, file: str) -> list[int]:
        """The chunks of a file in the order of its lines; none if this generation has no such file."""
        number = self.collection.files.find(file)
        return [] if number is None else list(self.collection.chunks_in(number))

    def parts(self, number: int) -> list[int]:
        """The chunks that a long symbol was cut into, in order, including `number`; only `number` if it was not cut."""
        return list(self.collection.parts_of(ChunkId(number)))

    def last_inside(self, number: int) -> int:
        """The last chunk of a symbol, of its own parts or of the symbols defined inside it."""
        return last_inside(self.collection, ChunkId(number))

    def pieces(self, number: int) -> range:
        """The chunks that one long line was cut into, including `number`; only `number` if it has whole lines."""
        return self.collection.pieces_of(ChunkId(number))

    def span(self, first: int, last: int) -> ChunkRow:
        """Neighbouring chunks of one file as one, with the text between them."""
        return row_of(self.collection, ChunkId(first), ChunkId(last))

    def extent(self, first: int, last: int) -> Extent:
        """The lines and the size that neighbouring chunks of one file cover together."""
        cells = self.collection.cells
        return Extent(cells.start_line[first], cells.end_line[last], cells.end_byte[last] - cells.start_byte[first])

    def imports(self, first: int, last: int) -> tuple[str, ...]:
        """The import statements that neighbouring chunks of one file use, each once."""
        return imports_of(self.collection, ChunkId(first), ChunkId(last))

    def import_statements(self, chunk: int, first: int, last: int) -> list[ImportStatement]:
        """The import statements at these lines of a chunk's file, by line."""
        from index.collection.import_statements import statements_at

        return statements_at(self.collection, self.collection.file_of(chunk), first, last)

    def outline(self, number: int) -> Outline | None:
        """A container's header and members, if the chunk is the header of one that was too large for one chunk."""
        return outline_of(self.collection, ChunkId(number))

    def uses(self, chunks: Sequence[int]) -> list[tuple[int, int]]:
        """The pairs (user, definition) of these chunks in which one calls, uses or extends the other, sorted."""
        return links(self.collection, chunks)

    def file_text(self, file: str) -> str | None:
        """The text of a file in this generation; None if it has no such file."""
        number = self.collection.files.find(file)
        return None if number is None else self.collection.files.text[number]

    def symbols(self, pattern: str | None = None, *, limit: int = 1000) -> list[SymbolRow]:
        """Defined symbols whose qualified name matches a glob (`*`, `?`) or a substring, ignoring case.

        Definitions that the pattern, read as a name, refers to come first, then others of that name, each by place.
        """
        from index.search.names import exact_first, matching_symbols

        matches = exact_first(matching_symbols(self.collection, pattern), pattern)
        return list(dict.fromkeys([*self.defined(pattern or ""), *matches]))[:limit]

    def defined(self, name: str) -> list[SymbolRow]:
        """The definitions that a name in any notation refers to, best first: only those in the best kind of place.

        The name may follow its file: `src/a.py:Cart.total`. A path of data (`shop.cart.total`) is none.
        """
        symbol = symbol_of(name) or name
        matches = definitions(self.collection, symbol)
        if matches and "." in symbol:
            from index.search.fields.data_keys import is_data_path

            matches = [] if is_data_path(self.collection, symbol) else matches
        if not matches and (parts := in_file(name)):
            files = np.zeros(len(self.collection.files.paths), bool)
            files[self.collection.files.names.ending(parts[0])] = True
            matches = definitions(self.collection, symbol_of(parts[1]), files)
        best = (one.row for one in matches if one.group == matches[0].group)
        return [self.collection.definitions.symbol_row(row) for row in best]

    def namesakes(self, name: str, *, limit: int) -> list[SymbolRow]:
        """The first definitions with exactly this name, minor ones last."""
        table = self.collection.definitions
        return [table.symbol_row(row) for row in table.at(table.of(name)[:limit])]

    def implementers(self, chunk: int, changed: Container[str] = ()) -> list[SymbolRow]:
        """The types that implement an interface of a chunk without naming it, as in Go; code before generated code and
        tests. Types may still have other parameters for the `changed` methods."""
        collection, table = self.collection, self.collection.definitions
        if not collection.rules_of(ChunkId(chunk)).implicit_interfaces:
            return []
        from index.collection.implementers import implementers

        rows = table.in_chunk(chunk, minor=False)
        types = dict.fromkeys(one for row in rows for one in implementers(collection, row, changed))
        order = sorted(types, key=lambda one: (self.is_generated(one.chunk), self.is_test(one.chunk)))
        return [table.symbol_row(one) for one in order]

    def defined_at(self, chunk: int, *, minor: bool = False) -> list[SymbolRow]:
        """The definitions whose lines are in a chunk, by line; then, if they are wanted, minor ones and fields."""
        collection, table = self.collection, self.collection.definitions
        rows = [table.symbol_row(row) for row in table.in_chunk(chunk, minor=minor)]
        has_fields = minor and (KINDS[collection.cells.kind[chunk]] in TYPES or collection.rules_of(chunk).keys)
        fields = self._fields.of_file(collection.file_of(chunk)) if has_fields else ()
        return [*rows, *(row for row in fields if row.chunk == chunk)]

    def fields(self, name: str) -> list[SymbolRow]:
        """The fields of types that a name refers to, by place; `defined` does not return most of them."""
        return self._fields.named(name)

    def is_test(self, chunk: int) -> bool:
        """Whether a chunk is in a file of tests, or in a test inside the file that it tests."""
        return bool(self.collection.cells.in_tests[chunk]) or self.collection.is_in_tests(chunk)

    def is_generated(self, chunk: int) -> bool:
        """Whether a chunk is in generated code."""
        return bool(self.collection.static["generated"][self.collection.cells.file[chunk]])

    def only_imports(self, chunk: int) -> bool:
        """Whether a chunk has imports and no other code."""
        from index.collection.import_statements import has_only_imports

        return has_only_imports(self.collection, ChunkId(chunk))

    def naming(self, name: str) -> list[int]:
        """The chunks that contain all parts of a name, code before tests before imports, of many also before data and
        prose: nearly all contain the name itself."""
        chunks = self.collection.lexical.holding(terms_of_text(name))
        files, languages = self.collection.chunks.file[chunks], self.collection.files.languages
        tests, imports = self.collection.static["test"][files], self.collection.chunks.imports_only[chunks] > 0
        own = np.unique(files) if len(chunks) > MANY else files[:0]
        beside = np.isin(files, [file for file in own.tolist() if not rules_of(languages[file]).symbols])
        return chunks[np.lexsort((tests, imports, beside))].tolist()

    def naming_in_data(self, name: str) -> list[int]:
        """The chunks of markup and data that contain all parts of a name, without translations and generated files."""
        collection = self.collection
        chunks = collection.lexical.holding(terms_of_text(name))
        files = collection.chunks.file[chunks]
        own = [file for file in distinct(files).tolist() if collection.is_data(file)]
        return chunks[np.isin(files, own)].tolist() if own else []

    def importers(self, former: Mapping[str, str]) -> list[tuple[str, FilePlace]]:
        """The statements that import renamed or removed files, as `import_files.importers` returns them."""
        from index.graph.import_files import importers

        return importers(self.snapshot.segment, former) if former else []

    def nearest(self, text: str, *, limit: int = 3) -> list[Near]:
        """The names of definitions spelled most like a name: the name itself if it exists; for a member that its type
        does not define, another one, otherwise the type; for a member of an unknown type, the member of that name if
        code has one or two, or as many in types whose names contain that of the type; none for other texts."""
        name = symbol_of(text)
        if not name:
            return []
        if definitions(self.collection, name):
            return [Near(name, 0.0)]
        return self._nearest_names.of(name, limit)

    def contains(self, word: str) -> bool:
        """Whether any file but documents contains a text, in its case, as a whole word."""
        from index.search.occurrences import is_word_of_code

        return is_word_of_code(self.collection, word)

    def joins(self, phrase: str) -> bool:
        """Whether some text joins the words of a phrase: `authGuard` or `auth_guard` for `auth guard`."""
        return self.collection.lexical.number_of(phrase.replace(" ", "").lower()) >= 0

    def respellings(self, text: str) -> dict[str, str]:
        """For words of a question that occur nowhere here, the word that each one misspells."""
        from index.search.respelling import respellings

        located = self._searcher.locations(text, Filters())
        return {} if located else respellings(self.collection, self.embedder, text)

    def language(self, file: str) -> str | None:
        """The language of a file; None if this generation has no such file."""
        number = self.collection.files.find(file)
        return None if number is None else self.collection.files.language[number]

    def linked(self, file: str, label: str, *, backward: bool = False) -> list[str]:
        """The files at the other end of a file's edges with that label (`imports`, `tests`), by path.

        Where the files of a package see each other without imports, a file also imports those that its code uses.
        If no file of tests is named after a file, those with a test that is named after its definitions test it; if
        there is none either, those that import it, unless they are many.
        """
        files, number = self.collection.files, self.collection.files.find(file)
        if number is None:
            return []
        edges = self.collection.imports_in if backward else self.collection.imports_out
        others = {other for other, own in edges.neighbours(number) if own == label}
        if (label == "tests" and not others) or (label == "imports" and rules_of(files.language[number]).package):
            others |= self.collection.files_by_use(number, backward=backward, tests=label == "tests")
        if label == "tests" and backward and not others:
            tests = [*filter(is_test_path, self.linked(file, "imports", backward=True))]
            return tests if len(tests) <= MAX_IMPORTING_TESTS else []
        return sorted(files.path[other] for other in others)

    def defined_in(self, file: str) -> list[SymbolRow]:
        """The definitions of a file, by line; none if this generation has no such file."""
        number, table = self.collection.files.find(file), self.collection.definitions
        return [] if number is None else [table.symbol_row(row) for row in table.in_file(number)]

    @property
    def folder(self) -> Path:
        """The folder of this repository's index under this model."""
        return self.store.home

    def is_intact(self) -> bool:
        """Whether everything in this generation still has the checksums that it was written with. Reads all of it."""
        return self.snapshot.is_intact()

    def superseded(self) -> bool:
        """Whether another generation has been published since, or the index was removed."""
        return self.store.live_name() != self.snapshot.folder.name

    def footprint(self) -> Footprint:
        """The files of this generation and their folders, to be compared with the disk later."""
        from index.build import Footprint

        return Footprint(self.root, self.snapshot.segment)

    def finish_later(self) -> None:
        """Start a process that outlives this one to compute the transformer's missing vectors.

        Does nothing for an index that was opened without a refresh.
        """
        if self.refreshed is None or self.second is None or self.second.coverage.covered >= self.chunks:
            return
        from index.second_model.fill import start_later

        start_later(self.store.home, self.second.spec)

    def stale(self) -> bool:
        """Whether the tree has changed since this generation was built."""
        from index.build import compare
        from index.tree.walk import walk

        tree = walk(self.root, own=[self.folder.parent], max_file_bytes=self.max_file_bytes)
        return compare(self.root, tree, self.snapshot.segment).any
