"""Writes a fleet's tables: first a repository's rows, then indexes, then the repository's state, which makes them live.

A row counts only if its file is live in its repository, so a commit that is killed midway shows nothing. Rows that no
longer count are dropped when pieces are joined or deleted by `upkeep`, not at once: as soon as one row of a table is
deleted, each question has to check every row.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from chunker.kinds import KINDS
from contracts.errors import InvalidRequest, NotFound
from index.fleet import blocks, catalog, pieces, published
from index.fleet.blocks import FORMAT
from index.fleet.catalog import REPOSITORIES, Repository, open_table, store_errors
from index.fleet.lease import Lease
from index.fleet.objects import AT_ONCE, open_objects
from index.generation.reader import INDEX_FORMAT, Snapshot
from index.segment.columns import Array
from index.tree import git

_hash = partial(hashlib.blake2b, digest_size=8)
MAX_TF = 4  # repeats of a term at most: more hardly change BM25


@dataclass(frozen=True, slots=True, eq=False)
class FleetRows:
    """A repository at a commit, its generation, and `rows`, the table of its chunks."""

    repository: Repository
    snapshot: Snapshot
    rows: Any


def clean_commit(root: Path) -> tuple[str, str]:
    """(the commit that a tree equals exactly, the tree's folder inside its repository, empty for the whole repository).

    InvalidRequest if there is no commit or anything differs.
    """
    commands = (("rev-parse", "--show-prefix", "HEAD"), ("status", "--porcelain", "-unormal", "--", "."))
    try:
        head, changed = (git.run(one, root, settings=git.filters_off(root)) for one in commands)
    except (OSError, git.GitRefused) as error:
        raise InvalidRequest("trees", f"{root}: {error}") from error
    if head.code or changed.code:
        raise InvalidRequest("trees", f"{root} is not a repository with a commit", hint="a fleet only contains commits")
    if changed.output:
        raise InvalidRequest("trees", f"{root} has uncommitted changes", hint="commit them, or index a clone")
    folder, _, commit = head.output.decode("utf-8", "replace").rstrip("\n").rpartition("\n")
    return commit, folder


def rows_of(name: str, commit: str, snapshot: Snapshot, readers: Sequence[str] = (), folder: str = "") -> FleetRows:
    """The rows of a generation, a pure function of it: one per chunk, in order.

    Without `readers`, everybody may read them. Each set of readers has its own table, so that neither statistics nor
    indexes reveal rows of another.
    """
    import pyarrow as pa

    segment, file = snapshot.segment, snapshot.array("chunk_file")
    paths, languages = snapshot.strings("file.path").to_list(), snapshot.strings("file.language").to_list()
    blobs = [blob.ljust(16, b"\0") for blob in segment.array("file.hash").tolist()]
    abouts = [
        f"{name}\0{path}\0".encode("utf-8", "surrogatepass") + blob for path, blob in zip(paths, blobs, strict=True)
    ]  # files have equal keys if repository, path and content are equal
    keys = np.array([int.from_bytes(_hash(one).digest(), "little") for one in abouts], np.uint64)
    names, files = segment.names.to_list(), file.tolist()
    vectors = segment.array("chunk.vector").astype(np.float16)
    count = len(files)
    symbols = [names[one] if one >= 0 else None for one in segment.array("chunk.symbol").tolist()]
    rows = pa.table(
        {
            "repository": pa.array([name] * count, pa.string()),
            "commit": pa.array([commit] * count, pa.string()),
            "path": pa.array([paths[one] for one in files], pa.string()),
            "blob": pa.array([blobs[one] for one in files], pa.binary(16)),
            "file_key": pa.array(keys[file] if count else [], pa.uint64()),
            "start_line": pa.array(segment.array("chunk.start_line"), pa.int32()),
            "end_line": pa.array(segment.array("chunk.end_line"), pa.int32()),
            "language": pa.array([languages[one] for one in files], pa.string()),
            "kind": pa.array([KINDS[one] for one in segment.array("chunk.kind").tolist()], pa.string()),
            "symbol": pa.array(symbols, pa.string()),
            "terms": pa.array(_terms(snapshot, file), pa.string()),
            "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), vectors.shape[1]),
        }
    )
    generation = generation_key(name, commit, snapshot.manifest.model_id, folder)
    table = f"chunks-{_hash(orjson.dumps(sorted(set(readers)))).hexdigest()}.lance" if readers else "chunks.lance"
    repository = Repository(name, commit, generation, frozenset(readers), table, np.sort(keys), count)
    return FleetRows(repository, snapshot, rows)


def generation_key(name: str, commit: str, model_id: str, folder: str = "") -> str:
    """The key of the generation of a repository, or of a folder of it: an object per commit, format and model."""
    place, form = (_hash(orjson.dumps(one)).hexdigest() for one in ([name, folder], [INDEX_FORMAT, FORMAT, model_id]))
    return f"{published.ROOT}/fleet/{place}/{commit}-{form}.json"


def _terms(snapshot: Snapshot, file: Array) -> list[str]:
    """The terms of each chunk, as in the local index, and those of its file's path, separated by blanks."""
    segment = snapshot.segment
    terms = np.array(segment.terms.to_list(), object)
    chunk = segment.absolute("body", "chunk", "chunk")
    order = chunk.argsort(kind="stable")
    times = np.minimum(segment.array("body.tf"), MAX_TF)[order]
    words = terms[segment.array("body.term")[order].repeat(times)]
    bounds = np.searchsorted(chunk[order].repeat(times), np.arange(len(file) + 1)).tolist()
    path, ends = terms[segment.array("path.term")], segment.rows["path"].tolist()
    of_path = [" ".join(path[start:end]) for start, end in pairwise(ends)]
    return [
        f"{' '.join(words[bounds[number] : bounds[number + 1]])} {of_path[one]}"
        for number, one in enumerate(file.tolist())
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Staged:
    """The written but uncommitted rows of a repository: `pieces` are their fragments, as JSON.

    `old`: the state that was live; `written`: the bytes of the pieces; `schema`: that of the rows.
    """

    repository: Repository
    old: Repository | None
    appended: int
    pieces: tuple[str, ...]
    written: int
    schema: Any


def live_keys(old: Repository | None, table: str) -> Array:
    """The keys of the files of a repository that have rows in a table."""
    return old.live if old is not None and old.table == table else np.zeros(0, np.uint64)


class FleetTables:
    """The store of a fleet, for writers: one process commits at a time."""

    def __init__(self, uri: str) -> None:
        self._uri = catalog.location(uri)
        self._lance = catalog.lance()
        self._objects = open_objects(self._uri)
        if "://" not in uri:
            Path(self._uri).mkdir(parents=True, exist_ok=True)

    def repositories(self) -> dict[str, Repository]:
        """The live state of each repository by name; empty if the store has no fleet yet."""
        with store_errors(self._uri):
            table = open_table(self._uri, REPOSITORIES) if self._exists(REPOSITORIES) else None
            return {one.name: one for one in catalog.repositories_of(table)} if table is not None else {}

    def stage(self, one: FleetRows, old: Repository | None) -> Staged:
        """Publish a generation and write the rows of files that are new in it; readers do not see them yet.

        Any number of processes may stage at once, for different repositories or the same one.
        """
        import pyarrow as pa
        import pyarrow.compute as pc
        from lance.fragment import write_fragments

        repository, rows = one.repository, one.rows
        before = live_keys(old, repository.table)
        if len(before):
            rows = rows.filter(pc.invert(pc.is_in(rows["file_key"], value_set=pa.array(before, pa.uint64()))))
        with store_errors(self._uri):
            blocks.publish(self._objects, repository.generation, one.snapshot, old.generation if old else "")
            made = write_fragments(rows, self._place(repository.table)) if rows.num_rows else []
        written = sum(int(file.file_size_bytes or 0) for piece in made for file in piece.files)
        texts = tuple(json.dumps(piece.to_json()) for piece in made)
        return Staged(repository, old, rows.num_rows, texts, written, rows.schema)

    def commit(self, group: Sequence[Staged]) -> tuple[dict[str, int], list[str]]:
        """(number of rows appended, by repository; repositories that another process has purged since, or written with
        another state)."""
        with Lease(self._objects) as lease, store_errors(self._uri):
            old = self.repositories()
            fresh = [one for one in group if self._is_whole(one, old.get(one.repository.name))]
            by_table: dict[str, list[Staged]] = {}
            for one in sorted(fresh, key=lambda one: one.repository.table):
                by_table.setdefault(one.repository.table, []).append(one)
            lease.check()
            for table, staged in by_table.items():
                self._append(table, staged)
                pieces.index_rows(self._uri, table)
            lease.check()
            states = [one.repository for one in fresh]
            self._flip(states)
            for state in states:
                if (last := old.get(state.name)) is not None and last.table != state.table:
                    self._delete(last.table, "repository", state.name)
            live = {**old, **{state.name: state for state in states}}.values()
            for table, staged in by_table.items():
                written = sum(one.written for one in staged)
                most = pieces.JOINED_BYTES - written if written < pieces.JOINED_BYTES else 2 * written
                pieces.join(self._uri, table, most, [one for one in live if one.table == table])
            if fresh:
                pieces.join(self._uri, REPOSITORIES, pieces.JOINED_BYTES // 4)
        appended = {one.repository.name: one.appended for one in fresh}
        left = [one.repository for one in group if one.repository.name not in appended]
        return appended, [one.name for one in left if one.name not in old or old[one.name].state != one.state]

    def forget(self, name: str) -> None:
        """Remove a repository from the fleet and from all answers, at once. NotFound."""
        with Lease(self._objects), store_errors(self._uri):
            old = self.repositories().get(name)
            if old is None:
                hint = f"run {catalog.command('status', self._uri)} to list them"
                raise NotFound(f"the fleet has no repository {name}", hint=hint)
            self._delete(REPOSITORIES, "name", name)
            self._delete(old.table, "repository", name)

    def upkeep(self, *, purge: bool = False) -> dict[str, int]:
        """Remove rows that a killed writer left, join pieces, and remove versions older than a day; with `purge`,
        remove everything that no live state needs.

        A reader that still uses something purged gets an error that says so, and asks again.
        """
        freed = swept = 0
        with Lease(self._objects) as lease, store_errors(self._uri):
            live = self.repositories().values()
            for name in (*self._tables(), REPOSITORIES):
                if name != REPOSITORIES:
                    swept += pieces.sweep(open_table(self._uri, name), [one for one in live if one.table == name])
                pieces.join_all(self._uri, name, deleted=purge)
                age = timedelta(days=0 if purge else 1)
                removed = open_table(self._uri, name).cleanup_old_versions(age, delete_unverified=purge)
                freed += int(removed.bytes_removed)
            lease.check()
            gone = self._purge() if purge else 0
        return {"rows_removed": swept, "bytes_removed": freed, "objects_removed": gone}

    def _is_whole(self, one: Staged, old: Repository | None) -> bool:
        """Whether the repository was not written since it was staged, and nothing staged was purged."""
        table = one.repository.table
        if not np.array_equal(live_keys(one.old, table), live_keys(old, table)):
            return False
        files = {f"{table}/data/{file['path']}" for piece in one.pieces for file in json.loads(piece)["files"]}
        with ThreadPoolExecutor(AT_ONCE) as pool:
            parts = self._blobs(one.repository.generation)
            live_blobs = self._blobs(old.generation) if old is not None else set()
            return bool(parts) and all(pool.map(lambda key: self._objects.first([key]), files | (parts - live_blobs)))

    def _blobs(self, generation: str) -> set[str]:
        """The keys of the parts of a generation; none if it is not published, or damaged."""
        named = published.intact_parts(self._objects, generation)
        return {f"{published.ROOT}/blobs/{one.get('sha256')}" for one in named.values()}

    def _append(self, name: str, group: Sequence[Staged]) -> None:
        """Append the staged rows to a table, in one commit."""
        from lance import LanceDataset, LanceOperation
        from lance.fragment import FragmentMetadata

        fragments = [FragmentMetadata.from_json(piece) for one in group for piece in one.pieces]
        if not self._exists(name):
            LanceDataset.commit(self._place(name), LanceOperation.Overwrite(group[0].schema, fragments))
        elif fragments:
            version = open_table(self._uri, name).version
            LanceDataset.commit(self._place(name), LanceOperation.Append(fragments), read_version=version)

    def _flip(self, states: Sequence[Repository]) -> None:
        """Write the states of the repositories, in one commit, which makes them live."""
        if states and not self._exists(REPOSITORIES):
            self._lance.write_dataset(catalog.table_of(states), self._place(REPOSITORIES))
        elif states:
            merge = open_table(self._uri, REPOSITORIES).merge_insert("name")
            merge.when_matched_update_all().when_not_matched_insert_all().execute(catalog.table_of(states))

    def _delete(self, table: str, column: str, name: str) -> None:
        quoted = name.replace("'", "''")
        open_table(self._uri, table).delete(f"{column} = '{quoted}'")

    def _purge(self) -> int:
        """Remove generations that are no longer live and parts that no object names; returns the number of objects."""
        live = {one.generation for one in self.repositories().values()}
        removed = [key for key in self._objects.keys(f"{published.ROOT}/fleet") if key not in live]
        for key in removed:
            self._objects.remove(key)
        named = (key for key in self._objects.keys(published.ROOT) if key.endswith(".json"))
        parts = set[str]().union(*map(self._blobs, named))
        unnamed = [key for key in self._objects.keys(f"{published.ROOT}/blobs") if key not in parts]
        for key in unnamed:
            self._objects.remove(key)
        return len(removed) + len(unnamed)

    def _tables(self) -> Iterable[str]:
        """The tables of chunks in the store, including those that no repository uses any more."""
        folders = {key.partition("/")[0] for key in self._objects.keys("") if key.startswith("chunks")}
        return sorted(name for name in folders if name.endswith(".lance"))

    def _exists(self, name: str) -> bool:
        return any(True for _ in self._objects.keys(f"{name}/_versions"))

    def _place(self, name: str) -> str:
        return f"{self._uri}/{name}"
