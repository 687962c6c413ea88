"""The index as its users see it: open it (fresh), search it, follow its graph, build it, remove it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from contracts.errors import IndexMissing, IOFailure, NotADirectory
from index.corpus import Corpus
from index.definitions import definitions
from index.filtering import allowed_files
from index.rank import Ranker, shipped_ranker
from index.related import links, ties
from index.retrieve import TABLE_ABOVE, table_retriever
from index.rows import Rows
from index.search import Searcher
from index.snapshot import Snapshot
from index.spelling import symbol_of
from index.store import Store, model_home, remove_home, repository_home
from index.types import (
    ChunkRow,
    Coverage,
    Extent,
    Embedder,
    FilePlace,
    Filters,
    Follow,
    Grade,
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
    from index.batches import Progress
    from index.build import Builder
    from index.embed.models import ModelSpec
    from index.embed.static import StaticEmbedder
    from index.footprint import Footprint
    from index.listing import Listing
    from index.nearest import NearNames
    from index.second_model.second_model import SecondModel
    from index.tree import Tree
    from index.walk import Walk

DEFAULT_WAIT_S = 30.0
REMEMBERED_ROWS = 4_096  # chunks that many questions show again and again
MAX_FILE_BYTES = 1_000_000  # larger files are mostly data; they are reported as skipped


class Index:
    """One published generation of a repository, read-only."""

    def __init__(
        self, root: Path, store: Store, snapshot: Snapshot, embedder: Embedder, refreshed: Refreshed | None,
        table_above: int = TABLE_ABOVE, max_file_bytes: int = MAX_FILE_BYTES, second: SecondModel | None = None,
    ) -> None:  # fmt: skip
        self.root = root
        self.second = second  # the transformer beside the static model
        self.table_above = table_above
        self.max_file_bytes = max_file_bytes
        self.store = store
        self.snapshot = snapshot
        self.embedder = embedder
        self.refreshed = refreshed
        self._remembered: dict[tuple[int, int], ChunkRow] = {}  # by first and last chunk
        self._outlines: dict[int, Outline | None] = {}
        self._near_names: dict[str, NearNames] = {}
        self.ranker: Ranker | None = None  # in place of the one that ships

    @cached_property
    def corpus(self) -> Corpus:
        """What search needs in memory; made on first use."""
        return Corpus(self.snapshot)

    @cached_property
    def _searcher(self) -> Searcher:
        retriever = table_retriever(self.store, self.corpus, self.table_above)
        return Searcher(self.corpus, self.embedder, self.ranker or shipped_ranker(), retriever, self.second)

    @property
    def model_id(self) -> str:
        """The static model, and the transformer beside it where there is one."""
        static = self.snapshot.manifest.model_id
        return f"{static}+{self.second.spec.model_id}" if self.second else static

    @property
    def vector_coverage(self) -> VectorCoverage | None:
        """How far the transformer's vectors are; None without one."""
        return self.second.coverage if self.second else None

    @property
    def generation(self) -> int:
        return self.snapshot.manifest.generation

    @property
    def coverage(self) -> Coverage:
        from index.build import coverage_of

        return coverage_of(self.snapshot)

    @property
    def files(self) -> int:
        return int(self.snapshot.manifest.about["files"])

    @property
    def chunks(self) -> int:
        return int(self.snapshot.manifest.about["chunks"])

    def search(
        self, query: str, *, top_k: int = 10, filters: Filters | None = None, order: Order = "files"
    ) -> list[Scored]:
        """At most `top_k` chunks, best first, in a total order; empty where nothing shares anything with the query.

        By `files`, different files come first; by `lines`, what must be read, whatever its file, each symbol once.
        """
        return self._searcher.search(query, top_k, filters or Filters(), order)

    def grade(self, query: str, *, filters: Filters | None = None) -> Grade:
        """How sure it is that this repository answers the query."""
        return self._searcher.grade(query, filters or Filters())

    def unmatched(self, globs: Sequence[str]) -> list[str]:
        """Those of the globs that no indexed file matches."""
        return [glob for glob in globs if not allowed_files(self.corpus, Filters(include=(glob,))).any()]

    def trace(self, query: str, *, filters: Filters | None = None) -> TraceReading | None:
        """What a pasted trace says of this index; None for every other question.

        NotFound where the query is a place and nothing else, and its file or its line is not there.
        """
        located = self._searcher.locations(query, filters or Filters())
        if located and located.missing:
            raise located.missing
        return located.trace if located else None

    def places(self, text: str) -> list[FilePlace]:
        """The files, with their lines, that a place in any spelling may mean; none for any other text.

        NotFound where the text can only be a place, and its file or its line is not there.
        """
        from index.locations import file_places

        return file_places(self.corpus, text)

    def related(
        self, primaries: Sequence[int], query: str, *, per_primary: int = 3, depth: int = 1,
        filters: Filters | None = None, follow: Follow | None = None,
    ) -> list[Tie]:  # fmt: skip
        """Chunks tied to the primaries by the graph, best first, never a primary, each once.

        `follow` says more than `per_primary` and `depth`, and stands for them.
        """
        return ties(self.corpus, primaries, query, follow or Follow(per_primary, depth), filters or Filters())

    def chunk(self, number: int) -> ChunkRow:
        """One chunk with its text."""
        return self.span(number, number)

    def chunks_of_file(self, file: str) -> list[int]:
        """The chunks of a file in the order of its lines; none when this generation holds no such file."""
        number = self.snapshot.strings("file.path").find(file)
        if number < 0:
            return []
        first, behind = (int(self.snapshot.segment.rows["chunk"][number + side]) for side in (0, 1))
        return list(range(first, behind))

    def parts(self, number: int) -> list[int]:
        """The chunks that a long symbol was cut into, in order, `number` among them; it alone where that is whole."""
        return self._rows.parts(number)

    def span(self, first: int, last: int) -> ChunkRow:
        """Neighbouring chunks of one file as one, with what stands between them."""
        row = self._remembered.get((first, last))
        if row is None:
            if len(self._remembered) >= REMEMBERED_ROWS:
                self._remembered.clear()
            row = self._remembered[first, last] = self._rows.span(first, last)
        return row

    def extent(self, first: int, last: int) -> Extent:
        """How far neighbouring chunks of one file reach."""
        return self._rows.extent(first, last)

    def imports(self, first: int, last: int) -> tuple[str, ...]:
        """The import statements that neighbouring chunks of one file use, each once."""
        return self._rows.imports(first, last)

    def outline(self, number: int) -> Outline | None:
        """A container's header and members, if the chunk is the header of one that was too large for one chunk."""
        if number not in self._outlines:
            if len(self._outlines) >= REMEMBERED_ROWS:
                self._outlines.clear()
            self._outlines[number] = self._rows.outline(number)
        return self._outlines[number]

    def uses(self, chunks: Sequence[int]) -> list[tuple[int, int]]:
        """(user, definition) for every two of these chunks of which one calls, uses or extends the other, sorted."""
        return links(self.corpus, chunks)

    @cached_property
    def _rows(self) -> Rows:
        return Rows(self.snapshot, self.corpus.chunk_file)

    def file_text(self, file: str) -> str | None:
        """The text of a file as this generation holds it; None when it holds no such file."""
        number = self.snapshot.strings("file.path").find(file)
        return self._rows.file_bytes(number).decode("utf-8") if number >= 0 else None

    def symbols(self, pattern: str | None = None, *, limit: int = 1000) -> list[SymbolRow]:
        """Defined symbols by glob (`*`, `?`) or substring of the qualified name, case-insensitive, by place."""
        from index.symbols import matching_symbols

        return matching_symbols(self.corpus, pattern, limit)

    def defined(self, name: str) -> list[SymbolRow]:
        """The definitions that a name in any spelling stands for, best first: of the best kind of place alone."""
        from index.symbols import symbol_row

        found = definitions(self.corpus, symbol_of(name)) if symbol_of(name) else []
        return [symbol_row(self.corpus, one.row) for one in found if one.standing == found[0].standing]

    def nearest(self, text: str, *, limit: int = 3) -> list[Near]:
        """The names of definitions that are spelled most like a name; itself where it is one, none for other texts."""
        name = symbol_of(text)
        if not name:
            return []
        if definitions(self.corpus, name):
            return [Near(name, 0.0)]
        if "." in name:
            found = self._names("qualified").near(name, limit)
            name = name.rpartition(".")[2]
            return found or [near for near in self._names("name").near(name, limit) if near.distance]
        return self._names("name").near(name, limit)

    def _names(self, column: str) -> NearNames:
        from index.nearest import name_table

        if column not in self._near_names:
            self._near_names[column] = name_table(self.corpus, column)
        return self._near_names[column]

    @cached_property
    def tree(self) -> Tree:
        """The files of this generation, and the edges between them."""
        from index.tree import Tree

        return Tree(self.snapshot)

    @property
    def folder(self) -> Path:
        """Where the index of this repository under this model lives."""
        return self.store.home

    def is_intact(self) -> bool:
        """Whether all of this generation still has the checksums that it was written with. Reads everything."""
        return self.snapshot.is_intact()

    def superseded(self) -> bool:
        """Whether another generation has been published since, or the index was removed."""
        return self.store.live_name() != self.snapshot.folder.name

    def footprint(self) -> Footprint:
        """The files of this generation and their folders, to be compared with what lies on the disk later."""
        from index.footprint import Footprint

        return Footprint(self.root, self.snapshot)

    def finish_later(self) -> None:
        """What nobody waits for, in processes that outlive this one.

        The table is brought up to the generation that this opening published; the transformer's missing vectors are
        computed.
        """
        refreshed = self.refreshed
        if refreshed is None:
            return  # who asked for no refresh leaves everything as it is
        if refreshed.added + refreshed.changed + refreshed.removed:
            self.follow_later()
        else:
            self._fill_later()

    def follow_later(self) -> None:
        """Let table and vectors follow the live generation, in processes that outlive this one."""
        from index.persist import start_later

        start_later(self.store.home)
        self._fill_later()

    def _fill_later(self) -> None:
        if self.second is not None and self.second.coverage.covered < self.chunks:
            from index.second_model.fill import start_later

            start_later(self.store.home, self.second.spec)

    def stale(self) -> bool:
        """Whether the tree has changed since this generation was made."""
        from index.build import compare
        from index.walk import walk

        seen = walk(self.root, own=[self.folder.parent], max_file_bytes=self.max_file_bytes)
        return compare(self.root, seen, self.snapshot.segment).any


def checked_root(root: Path) -> Path:
    """The root as an absolute path. NotADirectory when it is none."""
    if not root.is_dir():
        raise NotADirectory(f"{root} is not a directory", hint="name a folder with --repo")
    return root.resolve()


def open_index(
    root: Path, *, home: Path | None = None, model: str = "auto", refresh: bool = True,
    progress: Progress | None = None, wait_s: float = DEFAULT_WAIT_S, listing: Listing | None = None,
    table_above: int = TABLE_ABOVE, max_file_bytes: int = MAX_FILE_BYTES, most_files: int | None = None,
    serving: bool = False,
) -> Index:  # fmt: skip
    """The newest generation of a repository, brought up to date first unless `refresh` is off.

    The generation is always the static model's; a transformer named by `model` stands beside it. `auto` means the
    transformer of this machine to those who are `serving`: they have time to load it, and answer without it meanwhile.
    Above `table_above` chunks the LanceDB table names the candidates of a query, up to it the snapshot does.
    A tree that git does not list and that was never indexed may have `most_files` files: LargeTree.
    Raises IndexMissing when nothing is published and `refresh` is off, and every error of walking and building.
    """
    from index.embed.models import second_model

    root = checked_root(root)
    spec = second_model(model, auto=serving)
    folder = repository_home(root, home)
    store, embedder = _static(folder)
    refreshed: Refreshed | None = None
    if refresh:
        from index.build import Builder
        from index.walk import walk

        last, damage = store.open_or_set_aside()
        most_files = None if last else most_files
        seen = walk(root, own=[folder], listing=listing, max_file_bytes=max_file_bytes, most_files=most_files)
        builder = Builder(root, store, embedder, progress, filter(None, [damage]))
        live, refreshed = _refreshed(builder, seen, last, wait_s)
    else:
        last = store.open()
        if last is None:
            raise IndexMissing(f"{root} has no index yet", hint="run `ctxpack index`, or leave out --no-refresh")
        live = last
    second = _beside(spec, store, live, waits=not serving)
    return Index(root, store, live, embedder, refreshed, table_above, max_file_bytes, second)


def _refreshed(builder: Builder, seen: Walk, last: Snapshot | None, wait_s: float) -> tuple[Snapshot, Refreshed]:
    """The generation of what was seen; the last one where none can be written."""
    try:
        return builder.refresh(seen, last, full=False, wait_s=wait_s)
    except IOFailure as error:
        if last is None:
            raise
        return last, builder.behind(last, error.message)


def build_index(
    root: Path, *, home: Path | None = None, model: str = "auto", progress: Progress | None = None,
    full: bool = False, wait_s: float = DEFAULT_WAIT_S, max_file_bytes: int = MAX_FILE_BYTES,
) -> Index:  # fmt: skip
    """Build or refresh the index of a repository, table included; `full` reads every file again.

    The vectors of a named transformer are completed; those of the transformer that `auto` finds are begun aside.
    """
    from index.build import Builder
    from index.embed.models import second_model
    from index.walk import walk

    root = checked_root(root)
    spec = second_model(model, auto=True)
    folder = repository_home(root, home)
    store, embedder = _static(folder)
    live, damage = (None, "") if full else store.open_or_set_aside()
    seen = walk(root, own=[folder], max_file_bytes=max_file_bytes)
    builder = Builder(root, store, embedder, progress, filter(None, [damage]))
    snapshot, refreshed = builder.refresh(seen, live, full=full, wait_s=wait_s)
    from index.persist import synchronise

    def tell(stage: str) -> Callable[[int, int], None]:
        return lambda done, total: progress(stage, done, total) if progress is not None else None

    synchronise(store, snapshot, wait_s, full=full, progress=tell("table"))
    if spec is not None:
        from index.second_model import fill

        if model == "auto":
            fill.start_later(store.home, spec)
        else:
            fill.fill(store, spec, wait_s=wait_s, progress=tell("embed"))
    second = _beside(spec, store, snapshot, waits=True)
    return Index(root, store, snapshot, embedder, refreshed, max_file_bytes=max_file_bytes, second=second)


def _static(folder: Path) -> tuple[Store, StaticEmbedder]:
    """The generations of a repository under the model that makes them all."""
    from index.embed.static import StaticEmbedder

    embedder = StaticEmbedder.load()
    return Store(model_home(folder, embedder.model_id)), embedder


def _beside(spec: ModelSpec | None, store: Store, snapshot: Snapshot, *, waits: bool) -> SecondModel | None:
    if spec is None:
        return None
    from index.second_model.second_model import SecondModel

    return SecondModel(spec, store.home, snapshot.segment, waits=waits)


def clean(root: Path, *, home: Path | None = None) -> list[Path]:
    """Remove everything that is kept about a repository; the folders that were removed."""
    folder = repository_home(root.resolve(), home)
    removed = [entry for entry in sorted(folder.glob("*")) if remove_home(entry)]
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
    return removed


__all__ = ["Index", "build_index", "checked_root", "clean", "open_index"]
