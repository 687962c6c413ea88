"""A fleet as its readers use it: its repositories, those that a question is about, and the index of each."""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from weakref import proxy

from contracts.errors import IndexCorrupt, IOFailure, NotFound
from index.api import Index
from index.embed.static import StaticEmbedder
from index.fleet import blocks, catalog, published
from index.fleet.candidates import RowTable, best_repositories, candidates, table_names
from index.fleet.catalog import Repository
from index.fleet.objects import StoreFailure, open_objects
from index.generation.private import FILE_MODE, cache_root, make_private
from index.generation.reader import Snapshot
from index.generation.store import UNSAFE, Store
from index.search.query import parse_query
from index.segment.columns import Array

MAX_REPOSITORIES = 16  # searched for one question: the right one is among them for 0.99 of the suite's questions
AT_ONCE = 4  # generations that are fetched in parallel
MAX_OPEN = 128  # generations that stay open
WAIT_S = 300.0  # for another process that fetches a generation
FORGOTTEN_S = 86_400.0  # since a generation was fetched: another process may know newer repositories


class Fleet:
    """The tables and generations at a URI. Generations are fetched once, into the home, and memory-mapped."""

    def __init__(self, uri: str, home: Path | None = None) -> None:
        self.uri = uri = catalog.location(uri)
        self._home = (home or cache_root()) / "fleet" / _digest(uri, 8)
        self._catalog = catalog.open_table(uri, catalog.REPOSITORIES)
        with catalog.store_errors(uri):
            self._repositories = catalog.repositories_of(self._catalog)
        self._objects = open_objects(uri)
        self._embedder = StaticEmbedder.load()
        self._tables: dict[str, RowTable] = {}
        # Of a proxy: in a circle, a fleet that nobody uses any more would keep its files open for a while.
        self._opened = lru_cache(MAX_OPEN)(partial(Fleet._open, proxy(self)))

    def refresh(self) -> None:
        """Go to the newest version of every table."""
        for table in self._tables.values():  # rows are written before the state of their repository
            table.refresh()
        with catalog.store_errors(self.uri):
            latest = catalog.newest(self._catalog)
            if latest is not self._catalog:
                self._catalog, self._repositories = latest, catalog.repositories_of(latest)
                for table in self._tables.values():
                    table.refresh()

    def prewarm(self) -> None:
        """Read the indexes of all tables into memory."""
        for name in table_names(self._repositories):
            self._table(name).prewarm()

    def repositories(
        self, reader: str | None = None, globs: Sequence[str] = (), *, owner: bool = False
    ) -> list[Repository]:
        """The repositories that the reader may see and a glob matches. NotFound if there are none."""
        seen = catalog.visible(self._repositories, reader, globs, owner=owner)
        if not seen:
            wanted = f" matches {', '.join(globs)}" if globs else ""
            hint = f"run {catalog.command('status', self.uri)} to list them" if owner else ""
            raise NotFound(f"no repository of the fleet{wanted}", hint=hint)
        return seen

    def choose(self, text: str, repositories: Sequence[Repository]) -> list[Repository]:
        """The repositories that a question is about, by name: all if there are few, one if the text begins with its
        name."""
        named = [one for one in repositories if text.strip().startswith(f"{one.name}/")]
        if named:
            return [max(named, key=lambda one: len(one.name))]
        if len(repositories) <= MAX_REPOSITORIES:
            return list(repositories)
        query = parse_query(text)
        vector: Array | None = self._embedder.embed_query(query.text) if query.terms else None
        tables = [self._table(name) for name in table_names(repositories)]
        rows = candidates(tables, repositories, query, vector)
        best = best_repositories(rows, repositories, query, MAX_REPOSITORIES)
        return sorted(best or repositories[:1], key=lambda one: one.name)

    def index(self, repository: Repository) -> Index:
        """The live generation of a repository, fetched if it is not local yet. IndexCorrupt, IOFailure."""
        return self._opened(repository.name, repository.generation)

    def _open(self, name: str, generation: str) -> Index:
        home = self._home / "generations" / _folder_name(name)
        folder = home / _digest(generation, 16)
        snapshot = _trusted(folder) or self._fetched(name, generation, home, folder)
        return Index(Path(name), Store(home), snapshot, self._embedder, None)

    def indexes(self, repositories: Sequence[Repository]) -> tuple[dict[str, Index], list[IndexCorrupt]]:
        """(the live generations by name, the errors of those that cannot be read). IndexCorrupt if none can.

        Generations that are not local yet are fetched in parallel.
        """
        opened: dict[str, Index] = {}
        errors: list[IndexCorrupt] = []
        with ThreadPoolExecutor(AT_ONCE) as pool:
            jobs = {one.name: pool.submit(self.index, one) for one in repositories}
        for name, job in jobs.items():
            try:
                opened[name] = job.result()
            except IndexCorrupt as error:
                errors.append(error)
        if errors and not opened:
            raise errors[0]
        return opened, errors

    def _fetched(self, name: str, generation: str, home: Path, folder: Path) -> Snapshot:
        """Fetch the generation and move it into its folder in one step; older ones of the repository are removed, and
        those of repositories that the fleet has not had for some time.

        One process at a time; the others then find it there.
        """
        import filelock

        temporary = home / f"next-{os.getpid()}-{threading.get_ident()}"
        try:
            make_private(home)
            with filelock.FileLock(home / "lock", timeout=WAIT_S, mode=FILE_MODE):
                if snapshot := _trusted(folder):
                    return snapshot
                named = published.parts_under(self._objects, generation)
                if named is None:
                    raise ValueError("it is missing")
                blocks.fetch(self._objects, named, temporary, self._embedder, _last(home))
                old = [one for one in home.iterdir() if one.is_dir() and one != temporary]
                names, before = {_folder_name(one.name) for one in self._repositories}, time.time() - FORGOTTEN_S
                others = (one for one in home.parent.iterdir() if one.name not in names)
                with suppress(FileNotFoundError):  # another process removes it, too
                    old += (one for one in others if one.stat().st_mtime < before)
                for one in old:
                    shutil.rmtree(one, ignore_errors=True)
                temporary.rename(folder)
                return Snapshot(folder)
        except StoreFailure as failure:
            raise IOFailure(f"{self.uri}: {failure}", details={"path": self.uri}) from failure
        except OSError as error:
            raise IOFailure(
                f"{home} cannot be written: {error.strerror or error}", details={"path": str(home)}
            ) from error
        except (KeyError, TypeError, ValueError) as error:
            forget = catalog.command("forget", name, self.uri)
            purge = catalog.command("upkeep", "--purge", self.uri)
            hint = f"publish it again with `ctxpack fleet index`; if it is damaged, {forget} and {purge} come first"
            raise IndexCorrupt(f"the generation of {name} in {self.uri} cannot be used: {error}", hint=hint) from error
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def _table(self, name: str) -> RowTable:
        if name not in self._tables:
            self._tables[name] = RowTable(self.uri, name, self._home / "rows")
        return self._tables[name]


def _trusted(folder: Path) -> Snapshot | None:
    """The generation in a folder; None if there is none, or it is damaged."""
    with suppress(IndexCorrupt):
        if folder.is_dir() and (snapshot := Snapshot(folder)).is_trusted():
            return snapshot
    return None


def _last(home: Path) -> Path | None:
    """The folder of a generation of the repository that was fetched before, if any."""
    return next((one for one in sorted(home.iterdir()) if not one.name.startswith("next-") and _trusted(one)), None)


def _folder_name(name: str) -> str:
    return f"{UNSAFE.sub('_', name)[-40:]}-{_digest(name, 8)}"


def _digest(text: str, size: int) -> str:
    return hashlib.blake2b(text.encode(), digest_size=size).hexdigest()
