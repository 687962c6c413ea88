"""The full-text index of a vault's pages, stored next to their records: SQLite's FTS5, one row per page.

It is updated page by page. FTS5 counts exactly the rows that it contains, so a score depends on the pages alone, not on
earlier updates.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from context_pack.io.cache_dirs import corpus_home
from context_pack.io.markdown_files import CorpusReader
from context_pack.io.record_cache import digest_of
from context_pack.kinds.pages.page import Page
from context_pack.kinds.pages.vault import KIND, Vault
from contracts.errors import IndexLocked, IOFailure
from index.generation.private import FILE_MODE
from index.text import paired

FILE = "search-3.db"  # its number changes with the rows: 1: first; 2: no digest of the whole; 3: pairs of characters
WAIT_S = 30.0
NAME_WEIGHT = 3.0  # of a word in a page's names (title, slug, aliases, tags), against one in its text
_TABLES = (
    "create virtual table page using fts5(name, body, tokenize='porter unicode61')",
    "create table file(id integer primary key, path text not null unique, digest blob not null)",
)
_SCORES = (
    "select file.path, round(-bm25(page, ?, 1.0), 6) from page join file on file.id = page.rowid"
    " where page match ? order by 2 desc, 1"
)


class SearchIndex:
    """The searchable pages of a vault as it was read; pages that changed since then are left out until the next time.

    `unsaved` says why the index could not be written (empty: it was). Raises IndexLocked if
    another process locks it for too long, IOFailure if SQLite has no full-text search.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._file = corpus_home(KIND, str(vault.root)) / FILE
        self.unsaved = ""
        try:
            self._database = self._updated(self._file)
        except (OSError, sqlite3.DatabaseError):
            self._database = self._rebuilt()

    def close(self) -> None:
        self._database.close()

    def search(self, words: Sequence[str], enough: int) -> list[tuple[str, float]]:
        """(path, BM25) of the pages that contain any of the words, best first, then by path.

        Words consist of letters and digits. A word in most pages says nothing (its BM25 is nearly 0): it is searched
        for only if the others match fewer pages than `enough`.
        """
        pages = self._rows("select count(*) from file")[0][0]
        count = "select count(*) from page where page match ?"
        counts = {word: self._rows(count, _any([word]))[0][0] for word in words}
        rare_words = [word for word in words if 0 < counts[word] <= pages / 2]
        rows = self._rows(_SCORES, NAME_WEIGHT, _any(rare_words)) if rare_words else []
        return rows if len(rows) >= enough else self._rows(_SCORES, NAME_WEIGHT, _any(words))

    def text(self, path: str) -> str:
        """The names and the text of a page; empty if there is no such page."""
        statement = "select name || char(10) || body from file join page on page.rowid = file.id where path = ?"
        return "".join(row[0] for row in self._rows(statement, path))

    def _rows(self, statement: str, *values: object) -> list[Any]:
        try:
            return self._database.execute(statement, values).fetchall()
        except sqlite3.DatabaseError:  # damage that opening the file did not reveal
            self.close()
            self._database = self._rebuilt()
            return self._database.execute(statement, values).fetchall()

    def _rebuilt(self) -> sqlite3.Connection:
        """The index, rebuilt from the pages; in memory if the file cannot be written."""
        try:
            self._file.unlink(missing_ok=True)
            return self._updated(self._file)
        except (OSError, sqlite3.DatabaseError) as error:
            self.unsaved = f"{self._file} cannot be written: {getattr(error, 'strerror', error)}"
            return self._updated(None)

    def _updated(self, file: Path | None) -> sqlite3.Connection:
        """The index in a file (None: in memory), updated to the pages of the vault."""
        if file and not file.exists():
            file.touch(FILE_MODE)
        database = sqlite3.connect(file or ":memory:", timeout=WAIT_S, isolation_level=None)
        try:
            if _digests(database) != self._vault.digests:
                database.execute("begin immediate")
                self._update_rows(database)
                database.execute("commit")
        except BaseException as error:
            database.close()
            if not isinstance(error, sqlite3.Error) or "locked" not in str(error):
                raise
            message = f"another ctxpack process has been writing {file} for more than {WAIT_S:g} s"
            raise IndexLocked(message, hint="try again") from error
        return database

    def _update_rows(self, database: sqlite3.Connection) -> None:
        """Delete pages that are gone or have changed, insert new and changed ones."""
        before, now = _digests(database), self._vault.digests
        if before is None:
            _create_tables(database)
            before = {}
        gone = [(path,) for path, digest in before.items() if now.get(path) != digest]
        database.executemany("delete from page where rowid = (select id from file where path = ?)", gone)
        database.executemany("delete from file where path = ?", gone)
        with CorpusReader(str(self._vault.root)) as reader:
            for page in self._vault.pages:
                digest = now[page.path]
                if before.get(page.path) != digest:
                    with suppress(OSError):
                        data = reader.content(page.path)
                        if digest_of(data) == digest:
                            _insert(database, page, digest, data)


def _insert(database: sqlite3.Connection, page: Page, digest: bytes, data: bytes) -> None:
    names = " ".join((page.title_key, page.slug_key, *page.alias_keys, *page.tags))
    text = data.decode("utf-8-sig", "replace").replace("\0", " ")  # SQLite's text ends at a null character
    end = text.find("\n---", 3) if text.startswith("---") else -1
    body = text if end < 0 else text[end + 4 :]
    row = database.execute("insert into file(path, digest) values (?, ?)", (page.path, digest)).lastrowid
    database.execute("insert into page(rowid, name, body) values (?, ?, ?)", (row, paired(names), paired(body)))


def _digests(database: sqlite3.Connection) -> dict[str, bytes] | None:
    """The digests of the indexed pages, by path; None before the index has tables."""
    has_tables = database.execute("select 1 from sqlite_master").fetchone()
    return dict(database.execute("select path, digest from file")) if has_tables else None


def _create_tables(database: sqlite3.Connection) -> None:
    try:
        for statement in _TABLES:
            database.execute(statement)
    except sqlite3.OperationalError as error:
        if "no such module" not in str(error):
            raise
        hint = "use --searcher none, or a Python whose SQLite has FTS5"
        raise IOFailure(f"this Python's SQLite has no full-text search ({error})", hint=hint) from error


def _any(words: Sequence[str]) -> str:
    """An FTS5 query for any of the words, quoted so that none is an operator."""
    return " OR ".join(f'"{word}"' for word in words)
