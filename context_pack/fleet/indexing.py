"""Trees into a fleet: each is indexed as it would be for its own questions, and its rows and generation are stored."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from context_pack.envelope import translated
from context_pack.io.paths import root_of
from context_pack.kinds.code.repositories import named
from contracts.errors import CtxpackError
from index import build_index
from index.fleet.rows import FleetRows, clean_commit, rows_of
from index.fleet.tables import FleetTables
from index.generation.reader import Snapshot

ROWS_AT_ONCE = 200_000  # of a group: rows in memory, and one commit of each table
FOLLOW_S = 2.0  # between two looks at the commits of the trees
Progress = Callable[[str, int, int], None]


def roots_of(trees: Sequence[str]) -> dict[str, Path]:
    """The repositories by name: that of the folder, with as much above it as tells them apart."""
    return named(root_of(tree) for tree in trees)


def index_trees(
    uri: str, trees: Sequence[str], readers: Sequence[str] = (), progress: Progress | None = None
) -> list[dict[str, Any]]:
    """Bring the fleet to what the trees have committed; a record of each tree, with `problem` where it was left out."""
    tables = FleetTables(uri)
    return list(_indexed(tables, roots_of(trees), tuple(sorted(readers)), progress))


def follow_trees(uri: str, trees: Sequence[str], readers: Sequence[str] = ()) -> Iterator[list[dict[str, Any]]]:
    """The records of what was committed meanwhile, again and again. Never ends."""
    tables, roots = FleetTables(uri), roots_of(trees)
    while True:
        records = [one for one in _indexed(tables, roots, tuple(sorted(readers)), None) if "appended" in one]
        if records:
            yield records
        time.sleep(FOLLOW_S)


def _indexed(
    tables: FleetTables, roots: Mapping[str, Path], readers: tuple[str, ...], progress: Progress | None
) -> Iterator[dict[str, Any]]:
    """The records of all trees; of one whose commit is live already, without `appended`."""
    live = tables.repositories()
    commits: dict[str, str] = {}
    for name, root in roots.items():
        try:
            commit = clean_commit(root)
        except CtxpackError as error:
            yield {"name": name, "problem": error.message}
            continue
        old = live.get(name)
        if old is not None and (old.commit, old.readers) == (commit, frozenset(readers)):
            yield {"name": name, "commit": commit}
        else:
            commits[name] = commit
    group: list[FleetRows] = []
    for done, (name, folder, problem) in enumerate(_built({name: roots[name] for name in commits}), 1):
        if progress is not None:
            progress("index", done, len(commits))
        if problem:
            yield {"name": name, "problem": problem}
            continue
        group.append(rows_of(name, commits[name], Snapshot(folder), readers))
        if sum(one.rows.num_rows for one in group) >= ROWS_AT_ONCE:
            yield from _put(tables, group)
            group = []
    yield from _put(tables, group)


def _built(roots: Mapping[str, Path]) -> Iterator[tuple[str, Path, str]]:
    """(name, folder of the generation, why there is none) of each tree, by processes that know no tables.

    The engine of the tables has threads: a process with them must not be forked, as indexing does.
    """
    if not roots:
        return
    with ProcessPoolExecutor(min(len(roots), os.cpu_count() or 1), get_context("spawn")) as pool:
        for name, job in {name: pool.submit(_build, root) for name, root in roots.items()}.items():
            try:
                folder, problem = job.result()
            except BrokenProcessPool:
                folder, problem = "", "the process that indexed it ended before it was done"
            yield name, Path(folder), problem


def _build(root: Path) -> tuple[str, str]:
    try:
        return str(build_index(root, model="embedded").snapshot.folder), ""
    except Exception as error:  # whatever it is, the other trees are indexed
        return "", translated(error).message


def _put(tables: FleetTables, group: Sequence[FleetRows]) -> list[dict[str, Any]]:
    appended = tables.put(group) if group else {}
    return [
        {"name": one.name, "commit": one.commit, "files": len(one.live), "chunks": one.rows.num_rows,
         "appended": appended[one.name]}
        for one in group
    ]  # fmt: skip
