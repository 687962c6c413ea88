"""Trees into a fleet: each is indexed as it would be for its own questions, and its rows and generation are stored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_pack.envelope import translated
from context_pack.fleet.engines import run
from context_pack.io.paths import root_of
from context_pack.kinds.code.repositories import named
from contracts.errors import CtxpackError
from index import build_index
from index.fleet.rows import clean_commit, rows_of
from index.fleet.tables import FleetTables, Staged

if TYPE_CHECKING:
    from index.fleet.catalog import Repository

ROWS_AT_ONCE = 200_000  # of a group, which is one commit of each table
FOLLOW_S = 2.0  # between two looks at the commits of the trees
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One tree at one commit, for whom, and what is live of it."""

    uri: str
    name: str
    root: Path
    commit: str
    readers: tuple[str, ...]
    old: Repository | None


def roots_of(trees: Sequence[str]) -> dict[str, Path]:
    """The repositories by name: that of the folder, with as much above it as tells them apart."""
    return named(root_of(tree) for tree in trees)


def index_trees(
    uri: str, trees: Sequence[str], readers: Sequence[str] = (), engine: str = "local",
    progress: Progress | None = None,
) -> list[dict[str, Any]]:  # fmt: skip
    """Bring the fleet to what the trees have committed; a record of each tree, with `problem` where it was left out."""
    tables = FleetTables(uri)
    records = _indexed(tables, uri, roots_of(trees), tuple(sorted(readers)), engine, progress)
    return sorted(records, key=lambda one: str(one["name"]))


def follow_trees(uri: str, trees: Sequence[str], readers: Sequence[str] = ()) -> Iterator[list[dict[str, Any]]]:
    """The records of what was committed meanwhile, again and again. Never ends."""
    tables, roots = FleetTables(uri), roots_of(trees)
    while True:
        records = list(_indexed(tables, uri, roots, tuple(sorted(readers)), "local", None))
        if any("appended" in one for one in records):
            yield [one for one in records if "appended" in one]
        time.sleep(FOLLOW_S)


def _indexed(
    tables: FleetTables, uri: str, roots: Mapping[str, Path], readers: tuple[str, ...], engine: str,
    progress: Progress | None,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """The records of all trees; of one whose commit is live already, without `appended`."""
    live, tasks = tables.repositories(), list[Task]()
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
            tasks.append(Task(uri, name, root, commit, readers, old))
    group: list[Staged] = []
    for done, (task, staged, ended) in enumerate(run(engine, stage, tasks), 1):
        if progress is not None:
            progress("index", done, len(tasks))
        if isinstance(staged, Staged):
            group.append(staged)
        else:
            yield {"name": task.name, "problem": staged or ended}
        if sum(one.appended for one in group) >= ROWS_AT_ONCE:
            yield from _committed(tables, group)
            group = []
    yield from _committed(tables, group)


def stage(task: Task) -> Staged | str:
    """The rows of a tree, written and not committed; or what is wrong with it."""
    try:
        snapshot = build_index(task.root, model="embedded").snapshot
        return FleetTables(task.uri).stage(rows_of(task.name, task.commit, snapshot, task.readers), task.old)
    except Exception as error:  # whatever it is, the other trees are indexed
        return translated(error).message


def _committed(tables: FleetTables, group: Sequence[Staged]) -> Iterator[dict[str, Any]]:
    appended, outrun = tables.commit(group) if group else ({}, [])
    for one in group:
        live = one.repository
        if live.name not in outrun:
            about = {"name": live.name, "commit": live.commit, "files": len(live.live), "chunks": live.chunks}
            yield {**about, "appended": appended[live.name]}
        else:
            yield {"name": live.name, "problem": "another process wrote or purged it meanwhile: index it again"}
