"""Full text of a vault's pages, kept beside their records: SQLite's FTS5, one row a page.

It is filled while the pages are parsed for the first time, by a thread of its own (SQLite lets go of the interpreter),
and follows them page by page afterwards. FTS5 counts exactly what stands in it, so that a score depends on the pages
alone and not on the way there.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from context_pack.corpora.cached import Record
from context_pack.corpora.homes import beside, corpus_home, note_use
from context_pack.corpora.vault import search_tables as tables
from context_pack.corpora.vault.search_tables import Row, Source, row_of
from contracts.errors import IndexLocked

if TYPE_CHECKING:
    from queue import SimpleQueue

FILE = "search.db"
BATCH = 256  # pages that go to the thread at once
NAME_WEIGHT = 3.0  # of a word in a page's names (title, slug, aliases, tags), against one in its text
MANY = 1_000  # pages, of which one statement does not name each
LEFT_OVER_S = 3600.0


class PageIndex:
    """The searchable pages of one vault. `take` what is read anyway, then `refresh`, then ask.

    `unsaved` says why the index will have to be made anew next time (empty: it will not).
    """

    def __init__(self, kind: str, root: str) -> None:
        self._home = corpus_home(kind, root)
        self._root = root
        self._filling: _Filling | None = None
        self._is_new = not (self._home / FILE).exists()
        self._source: Source | None = None
        self.unsaved = ""

    def take(self, path: str, digest: bytes, data: bytes, record: Record) -> None:
        """A page that was just read. Where there is an index already, `refresh` finds what it needs by itself."""
        if not self._is_new:
            return
        if self._filling is None:
            self._filling = _Filling(*self._begun())
        self._filling.add(row_of(path, digest, data, record))

    def refresh(self, source: Source) -> None:
        """Make the index that of these pages. IndexLocked when another process keeps it for too long."""
        self._source = source
        filling, self._filling = self._filling, None
        try:
            self._database = self._completed(*filling.finish()) if filling else self._followed()
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise IndexLocked(
                    f"another ctxpack has been writing {self._home / FILE} for more than {tables.WAIT_S:g} s",
                    hint="try again",
                ) from error
            self._database = self._remade()
        except sqlite3.DatabaseError:  # damaged: all of it can be made again
            self._database = self._remade()

    def search(self, words: Sequence[str], count: int) -> list[tuple[str, float]]:
        """(path, BM25) of the `count` best pages that hold any of the words, best first, then by path.

        Words are of letters and digits alone. All pages that are as good as the last one come along. A word that most
        pages hold tells nothing (its BM25 is nearly 0): it is looked for when the others have too few pages.
        """
        pages = self._asked("select count(*) from file", ())[0][0]
        held = {word: self._held(word) for word in words}
        telling = [word for word, number in held.items() if 0 < number <= pages / 2]
        scores = self._scores(telling)
        if len(scores) < count:
            scores = self._scores(words)
        least = sorted((score for _, score in scores), reverse=True)[:count][-1:]
        best = {number: score for number, score in scores if score >= least[0]}
        paths = self._paths(best) if best else []
        return sorted(((path, best[number]) for path, number in paths), key=lambda one: (-one[1], one[0]))

    def _scores(self, words: Sequence[str]) -> list[tuple[int, float]]:
        """(id, BM25) of every page that holds any of the words."""
        statement = "select rowid, round(-bm25(page, ?, 1.0), 6) from page where page match ?"
        return self._asked(statement, (NAME_WEIGHT, _any(words))) if words else []

    def _paths(self, numbers: Collection[int]) -> list[tuple[str, int]]:
        """(path, id) of some pages. Of many all are fetched: SQLite takes no more than 32,766 values."""
        if len(numbers) > MANY:
            return [row for row in self._asked("select path, id from file", ()) if row[1] in numbers]
        return self._asked(f"select path, id from file where id in ({_marks(numbers)})", tuple(numbers))

    def _held(self, word: str) -> int:
        """How many pages hold a word."""
        count: int = self._asked("select count(*) from page where page match ?", (_any([word]),))[0][0]
        return count

    def texts(self, paths: Sequence[str]) -> list[str]:
        """The names and the text of pages, in the order of their paths."""
        statement = "select file.path, page.name || char(10) || page.body from file join page on page.rowid = file.id"
        found = dict(self._asked(f"{statement} where file.path in ({_marks(paths)})", tuple(paths)))
        return [found.get(path, "") for path in paths]

    def _asked(self, statement: str, values: Sequence[object]) -> list[Any]:
        try:
            return self._database.execute(statement, values).fetchall()
        except sqlite3.DatabaseError:  # a damage that opening it did not show
            self._database = self._remade()
            return self._database.execute(statement, values).fetchall()

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
            _remove_left_over(self._home)
            aside.write_bytes(b"")
        except OSError as error:
            self.unsaved = f"{self._home.parent} cannot be written: {error.strerror}"
            return tables.made(None), None
        return tables.made(aside), aside

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


def _any(words: Sequence[str]) -> str:
    """A query of FTS5: any of the words, whatever they spell."""
    return " OR ".join(f'"{word}"' for word in words)


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))


def _remove_left_over(home: Path) -> None:
    """Remove what killed processes were making an hour ago."""
    for left in home.glob(f"{FILE}.*"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > LEFT_OVER_S:
                left.unlink()
