"""The tables that a vault is searched by, and how they come to hold its pages: SQLite's FTS5, one row a page."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from context_pack.corpora.cached import Record
from context_pack.corpora.vault.pages import from_record
from contracts.errors import IOFailure

VERSION = 1  # of the tables below; 1: first
WAIT_S = 30.0
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


def row_of(path: str, digest: bytes, data: bytes, record: Record) -> Row:
    """The row of a page. `record` is that of `pages.record_of`."""
    page = from_record(record)
    names = " ".join((page.title_key, page.slug_key, *page.alias_keys, *page.tags))
    text = data.decode("utf-8-sig", "replace").replace("\0", " ")  # SQLite's text ends at a zero
    return Row(path, digest, names, _without_frontmatter(text))


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
    try:
        for statement in _TABLES:
            database.execute(statement)
    except sqlite3.OperationalError as error:
        if "no such module" not in str(error):
            raise
        raise IOFailure(
            f"the SQLite of this Python has no full-text search ({error})",
            hint="leave the searcher out with --searcher none, or use a Python whose SQLite has FTS5",
        ) from error
    return database


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
    rows = [row for path in fresh if (row := _row(source, path)) is not None]
    insert(database, rows)
    whole = all(wanted[row.path] == row.digest for row in rows) and len(rows) == len(fresh)
    database.execute("delete from about")
    database.execute("insert into about values (?)", (source.content if whole else b"",))


_NO = (0, b"")


def _row(source: Source, path: str) -> Row | None:
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
