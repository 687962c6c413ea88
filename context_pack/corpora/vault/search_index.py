"""Full text of a vault's pages, kept beside their records: SQLite's FTS5, one row a page.

It is filled while the pages are parsed for the first time, by a thread of its own (SQLite lets go of the interpreter),
and follows them page by page afterwards. FTS5 counts exactly what stands in it, so that a score depends on the pages
alone and not on the way there. Where another process may fill it later, the pages are searched as they were read.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from context_pack.corpora.cached import Record
from context_pack.corpora.homes import beside, corpus_home, note_use, remove_left_over
from context_pack.corpora.vault import search_tables as tables
from context_pack.corpora.vault.pages import from_record
from context_pack.corpora.vault.search_tables import PageLookup, Row, Source, row_of
from contracts.errors import IndexLocked
from index.private import FILE_MODE

if TYPE_CHECKING:
    from queue import SimpleQueue

    from context_pack.corpora.vault.scan import PageScan

FILE = "search.db"
BATCH = 256  # pages that go to the thread at once
LATER_FROM_BYTES = 1 << 20  # of pages: an index of fewer is written sooner than another process starts
MOST_HELD_BYTES = 1 << 26  # of pages that are kept in memory to be searched as they are
MAKING_S = 30.0  # what was written so recently, another process is still at


class PageIndex:
    """The searchable pages of one vault. `take` what is read anyway, then `refresh`, then ask.

    `unsaved` says why the index will have to be made anew next time (empty: it will not). With `later`, that of a large
    vault is not written for its first answer: `unwritten` tells whether another process should open it to make it.
    """

    def __init__(self, kind: str, root: str, *, later: bool = False) -> None:
        self._home = corpus_home(kind, root)
        self._root = root
        self._filling: _Filling | None = None
        self._is_new = not (self._home / FILE).exists()
        self._held: _Held | None = _Held() if later and self._is_new else None
        self._database: sqlite3.Connection
        self._lookup: PageLookup = tables.StoredPages(self._asked)
        self._source: Source | None = None
        self.unsaved = ""

    @property
    def unwritten(self) -> bool:
        return self._held is not None and not self.unsaved and not self._is_being_made()

    def take(self, path: str, digest: bytes, data: bytes, record: Record) -> None:
        """A page that was just read. Where there is an index already, `refresh` finds what it needs by itself."""
        if not self._is_new:
            return
        rows: Sequence[Row] = [row_of(from_record(record), digest, data)]
        if self._held is not None:
            self._held.add(rows[0])
            if self._held.size <= MOST_HELD_BYTES:
                return
            rows, self._held = self._held.rows, None
        if self._filling is None:
            self._filling = _Filling(*self._begun())
        for row in rows:
            self._filling.add(row)

    def refresh(self, source: Source) -> None:
        """Make the index that of these pages. IndexLocked when another process keeps it for too long."""
        self._source = source
        remove_left_over(self._home)
        filling, self._filling = self._filling, None
        if self._held is not None:
            is_all = self._held.complete(source)
            if is_all and self._held.size >= LATER_FROM_BYTES and self._held.rows:
                self._note_use()
                return
            rows, self._held = self._held.rows, None
            self._open(lambda: self._filled(rows))
        else:
            self._open(lambda: self._completed(*filling.finish()) if filling else self._followed())

    def search(self, words: Sequence[str], count: int) -> list[tuple[str, float]]:
        """(path, BM25) of the `count` best pages that hold any of the words, best first, then by path.

        Words are of letters and digits alone. All pages that are as good as the last one come along. A word that most
        pages hold tells nothing (its BM25 is nearly 0): it is looked for when the others have too few pages.
        """
        self._look_for(words)
        pages, held = self._lookup.count(), self._lookup.held(words)
        telling = [word for word, number in held.items() if 0 < number <= pages / 2]
        scores = self._lookup.scores(telling)
        if len(scores) < count:
            scores = self._lookup.scores(words)
        least = sorted((score for _, score in scores), reverse=True)[:count][-1:]
        best = {number: score for number, score in scores if score >= least[0]}
        paths = self._lookup.paths(best) if best else []
        return sorted(((path, best[number]) for path, number in paths), key=lambda one: (-one[1], one[0]))

    def texts(self, paths: Sequence[str]) -> list[str]:
        """The names and the text of pages, in the order of their paths."""
        return self._lookup.texts(paths)

    def _look_for(self, words: Sequence[str]) -> None:
        """Be ready for these words. Pages that are held are searched as they are, if the words allow that."""
        if self._held is None:
            return
        scan = self._held.scan()
        if scan.look_for(words):
            self._lookup = scan
            return
        rows, self._held = self._held.rows, None
        self._lookup = tables.StoredPages(self._asked)
        self._open(lambda: self._filled(rows))

    def _asked(self, statement: str, values: Sequence[object]) -> list[Any]:
        try:
            return self._database.execute(statement, values).fetchall()
        except sqlite3.DatabaseError:  # a damage that opening it did not show
            self._database = self._remade()
            return self._database.execute(statement, values).fetchall()

    def _open(self, make: Callable[[], sqlite3.Connection]) -> None:
        """The index that is made so, or a new one where that fails."""
        try:
            self._database = make()
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise IndexLocked(
                    f"another ctxpack has been writing {self._home / FILE} for more than {tables.WAIT_S:g} s",
                    hint="try again",
                ) from error
            self._database = self._remade()
        except sqlite3.DatabaseError:  # damaged: all of it can be made again
            self._database = self._remade()

    def _filled(self, rows: Sequence[Row]) -> sqlite3.Connection:
        """A new index, of pages that were read."""
        database, aside = self._begun()
        tables.insert(database, rows)
        return self._completed(database, aside)

    def _followed(self) -> sqlite3.Connection:
        """The index as it is kept, with what changed since."""
        assert self._source is not None
        if self._is_new:
            return self._anew()
        database = tables.opened(self._home / FILE)
        if database.execute("pragma user_version").fetchone()[0] != tables.VERSION:
            database.close()
            return self._anew()
        if database.execute("select content from about").fetchone() != (self._source.content,):
            database.execute("begin immediate")
            tables.follow(database, self._source)
            database.execute("commit")
        return database

    def _anew(self) -> sqlite3.Connection:
        """A new index, with nothing taken over."""
        return self._completed(*self._begun())

    def _remade(self) -> sqlite3.Connection:
        """A new index; in memory where the disk is full or nothing may be written."""
        try:
            return self._anew()
        except sqlite3.OperationalError as error:
            self.unsaved = f"{self._home / FILE} cannot be written: {error}"
            return self._completed(tables.made(None), None)

    def _begun(self) -> tuple[sqlite3.Connection, Path | None]:
        """A new, empty index in a transaction, and where it is made: in memory where nothing can be written."""
        aside = beside(self._home / FILE)
        try:
            note_use(self._home, self._root)
            aside.unlink(missing_ok=True)
            aside.touch(FILE_MODE)
        except OSError as error:
            self.unsaved = self._unwritable(error)
            return tables.made(None), None
        return tables.made(aside), aside

    def _note_use(self) -> None:
        try:
            note_use(self._home, self._root)
        except OSError as error:
            self.unsaved = self._unwritable(error)

    def _unwritable(self, error: OSError) -> str:
        return f"{self._home.parent} cannot be written: {error.strerror}"

    def _is_being_made(self) -> bool:
        """Whether another process has just begun to make it."""
        return any(time.time() - began_s < MAKING_S for _, began_s in _asides(self._home))

    def _completed(self, database: sqlite3.Connection, aside: Path | None) -> sqlite3.Connection:
        """A new index that holds what it should, in its place."""
        assert self._source is not None
        tables.follow(database, self._source)
        database.execute("commit")
        if aside is None:
            return database
        database.close()
        aside.replace(self._home / FILE)
        return tables.opened(self._home / FILE)


class _Held:
    """Pages that were read, as the rows that they would be in the index."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.size = 0
        self._scan: PageScan | None = None

    def add(self, row: Row) -> None:
        self.rows.append(row)
        self.size += len(row.body)

    def complete(self, source: Source) -> bool:
        """Hold the pages of the source and no others; False as soon as that is more than should be held."""
        known = {row.path: row for row in self.rows}
        self.rows, self.size = [], 0
        for path, digest in source.digests().items():
            row = known.get(path)
            if row is None or row.digest != digest:
                row = tables.read_row(source, path)
            if row is not None:
                self.add(row)
            if self.size > MOST_HELD_BYTES:
                return False
        return True

    def scan(self) -> PageScan:
        if self._scan is None:
            from context_pack.corpora.vault.scan import PageScan

            self._scan = PageScan(self.rows)
        return self._scan


class _Filling:
    """Takes rows into a new index, in a thread of its own."""

    def __init__(self, database: sqlite3.Connection, aside: Path | None) -> None:
        from queue import SimpleQueue

        self._database, self._aside = database, aside
        self._batch: list[Row] = []
        self._waiting: SimpleQueue[list[Row]] = SimpleQueue()
        self._failure: sqlite3.Error | None = None
        self._thread = Thread(target=self._work, name="page index", daemon=True)
        self._thread.start()

    def add(self, row: Row) -> None:
        self._batch.append(row)
        if len(self._batch) == BATCH:
            self._waiting.put(self._batch)
            self._batch = []

    def finish(self) -> tuple[sqlite3.Connection, Path | None]:
        """The index with every row that was added, as it was given. The thread's sqlite3.Error comes out here."""
        self._waiting.put(self._batch)
        self._waiting.put([])
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        return self._database, self._aside

    def _work(self) -> None:
        while batch := self._waiting.get():
            if self._failure is None:
                try:
                    tables.insert(self._database, batch)
                except sqlite3.Error as error:
                    self._failure = error


def _asides(home: Path) -> list[tuple[Path, float]]:
    """What an index is being made in, with when that was last written (seconds since the epoch)."""
    found = []
    for aside in home.glob(f"{FILE}.*"):
        with suppress(OSError):
            found.append((aside, aside.stat().st_mtime))
    return found
