"""The tables that a vault is searched by, and how they come to hold its pages: SQLite's FTS5, one row a page."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from context_pack.corpora.vault.pages import Page
from contracts.errors import IOFailure

VERSION = 1  # of the tables below; 1: first
WAIT_S = 30.0
NAME_WEIGHT = 3.0  # of a word in a page's names (title, slug, aliases, tags), against one in its text
MANY = 1_000  # pages, of which one statement does not name each
_TABLES = (
    "create virtual table page using fts5(name, body, tokenize='porter unicode61')",
    "create table file(id integer primary key, path text not null unique, digest blob not null)",
    "create table about(content blob not null)",
    f"pragma user_version = {VERSION}",
)


class Row(NamedTuple):
    """A page as it is searched: its path, what tells whether it changed, its names and its text."""

    path: str
    digest: bytes
    name: str
    body: str


class Source(NamedTuple):
    """What an index is to hold: pages by path with their digests; `content` changes when any of them does.

    `read` gives the row of a page; OSError leaves the page out until the next time.
    """

    content: bytes
    digests: Callable[[], Mapping[str, bytes]]
    read: Callable[[str], Row]


class PageLookup(Protocol):
    """What can be asked about pages by the words that they hold. A page has a number, which means nothing else."""

    def count(self) -> int:
        """How many pages there are."""
        ...

    def held(self, words: Sequence[str]) -> dict[str, int]:
        """How many pages hold each of the words."""
        ...

    def scores(self, words: Sequence[str]) -> list[tuple[int, float]]:
        """(number, BM25) of every page that holds any of the words."""
        ...

    def paths(self, numbers: Collection[int]) -> list[tuple[str, int]]:
        """(path, number) of some pages."""
        ...

    def texts(self, paths: Sequence[str]) -> list[str]:
        """The names and the text of pages, in the order of their paths; empty where there is no such page."""
        ...


def row_of(page: Page, digest: bytes, data: bytes) -> Row:
    """The row of a page: what was read of its file, and the file itself."""
    names = " ".join((page.title_key, page.slug_key, *page.alias_keys, *page.tags))
    text = data.decode("utf-8-sig", "replace").replace("\0", " ")  # SQLite's text ends at a zero
    return Row(page.path, digest, names, _without_frontmatter(text))


def _without_frontmatter(text: str) -> str:
    if not text.startswith("---"):
        return text
    end = text.find("\n---", 3)
    return text if end < 0 else text[end + 4 :]


def made(path: Path | None) -> sqlite3.Connection:
    """A new, empty index in a transaction; in memory without a path. Nobody else sees it before it is whole."""
    database = opened(path)
    for pragma in ("journal_mode = off", "synchronous = off"):
        database.execute(f"pragma {pragma}")
    database.execute("begin")
    create(database, _TABLES)
    return database


def create(database: sqlite3.Connection, statements: Sequence[str]) -> None:
    """Make tables. IOFailure where SQLite has no full-text search."""
    try:
        for statement in statements:
            database.execute(statement)
    except sqlite3.OperationalError as error:
        if "no such module" not in str(error):
            raise
        raise IOFailure(
            f"the SQLite of this Python has no full-text search ({error})",
            hint="leave the searcher out with --searcher none, or use a Python whose SQLite has FTS5",
        ) from error


def opened(path: Path | None) -> sqlite3.Connection:
    place = ":memory:" if path is None else str(path)
    return sqlite3.connect(place, timeout=WAIT_S, isolation_level=None, check_same_thread=False)


def follow(database: sqlite3.Connection, source: Source) -> None:
    """Take out pages that are gone or have changed, take in new ones and what they changed to."""
    wanted = source.digests()
    known = {path: (number, digest) for number, path, digest in database.execute("select id, path, digest from file")}
    gone = [(number,) for path, (number, digest) in known.items() if wanted.get(path) != digest]
    for table, key in (("page", "rowid"), ("file", "id")):
        database.executemany(f"delete from {table} where {key} = ?", gone)
    fresh = [path for path, digest in wanted.items() if known.get(path, _NO)[1] != digest]
    rows = [row for path in fresh if (row := read_row(source, path)) is not None]
    insert(database, rows)
    whole = all(wanted[row.path] == row.digest for row in rows) and len(rows) == len(fresh)
    database.execute("delete from about")
    database.execute("insert into about values (?)", (source.content if whole else b"",))


_NO = (0, b"")


def read_row(source: Source, path: str) -> Row | None:
    """A page as it is now; None when it cannot be read."""
    try:
        return source.read(path)
    except OSError:
        return None


def insert(database: sqlite3.Connection, rows: Sequence[Row]) -> None:
    first = database.execute("select coalesce(max(id), 0) + 1 from file").fetchone()[0]
    files, pages = [], []
    for number, row in enumerate(rows, first):
        files.append((number, row.path, row.digest))
        pages.append((number, row.name, row.body))
    database.executemany("insert into file values (?, ?, ?)", files)
    database.executemany("insert into page(rowid, name, body) values (?, ?, ?)", pages)


class StoredPages:
    """A `PageLookup` by statements, which `asked` answers with all rows."""

    def __init__(self, asked: Callable[[str, Sequence[object]], list[Any]]) -> None:
        self._asked = asked

    def count(self) -> int:
        count: int = self._asked("select count(*) from file", ())[0][0]
        return count

    def held(self, words: Sequence[str]) -> dict[str, int]:
        statement = "select count(*) from page where page match ?"
        return {word: self._asked(statement, (_any([word]),))[0][0] for word in words}

    def scores(self, words: Sequence[str]) -> list[tuple[int, float]]:
        statement = "select rowid, round(-bm25(page, ?, 1.0), 6) from page where page match ?"
        return self._asked(statement, (NAME_WEIGHT, _any(words))) if words else []

    def paths(self, numbers: Collection[int]) -> list[tuple[str, int]]:
        """Of many pages all are fetched: SQLite takes no more than 32,766 values."""
        if len(numbers) > MANY:
            return [row for row in self._asked("select path, id from file", ()) if row[1] in numbers]
        return self._asked(f"select path, id from file where id in ({_marks(numbers)})", tuple(numbers))

    def texts(self, paths: Sequence[str]) -> list[str]:
        statement = "select file.path, page.name || char(10) || page.body from file join page on page.rowid = file.id"
        found = dict(self._asked(f"{statement} where file.path in ({_marks(paths)})", tuple(paths)))
        return [found.get(path, "") for path in paths]


def _any(words: Sequence[str]) -> str:
    """A query of FTS5: any of the words, whatever they spell."""
    return " OR ".join(f'"{word}"' for word in words)


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))
