"""Indexes trees into a fleet: each one as for its own questions; its rows and its generation are stored."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib.util import find_spec
from math import inf
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from context_pack.envelope import translated
from context_pack.io.paths import root_of
from context_pack.kinds.code.repositories import named
from context_pack.redaction import Redactor
from contracts.errors import CtxpackError, InvalidRequest, with_extra
from index import build_index
from index.embed import MODEL_ID
from index.fleet.catalog import Repository, command
from index.fleet.tables import FleetTables, Staged, clean_commit, generation_key, rows_of
from index.processes import processors
from index.tree import git
from index.types import Progress

ROWS_AT_ONCE = 200_000  # of a group, which is one commit per table
FOLLOW_S = 2.0  # between two checks of the trees' commits
RETRY_S = 60.0  # until a failed task is tried again although nothing has changed: indexing takes long
TRIES = 3  # per task, if its process dies
ENDED = "the process that indexed it ended unexpectedly"
# Of the files of the smaller one, for two states of one repository. Of 3,000 pairs of other repositories, no pair has
# more than 0.02 in common; of this repository, 0.11 are equal after 600 commits.
MIN_IN_COMMON = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class TreeTask:
    """One tree at one commit, its folder inside its repository, its readers, and the live state under its name."""

    uri: str
    name: str
    root: Path
    commit: str
    folder: str
    readers: tuple[str, ...]
    old: Repository | None

    @property
    def state(self) -> tuple[object, ...]:
        """Equal if there is nothing new for the tree."""
        return self.commit, self.folder, self.old and self.old.state


Outcome = tuple[TreeTask, Staged | str]  # a text says why there are no rows
Failures = dict[str, tuple[tuple[object, ...], float, str]]  # by name, the state of the last task, when it failed, why


def index_trees(
    uri: str, trees: Sequence[str], readers: Sequence[str] = (), names: Sequence[str] = (), engine: str = "local",
    progress: Progress | None = None,
) -> list[dict[str, Any]]:  # fmt: skip
    """Update the fleet to the trees' commits; returns a record per tree, with `problem` if it was left out.

    `names` are those of the repositories, in the order of the trees. Without them, a repository is named after its
    folder, with as many parent folders before it as make the name unique. The work is done by local processes or by a
    Ray cluster (`engine`); both give the same rows. InvalidRequest if the engine is not installed.
    """
    roots = _named(trees, names)
    records = _indexed(FleetTables(uri), uri, roots, tuple(sorted(readers)), {}, engine, progress)
    return sorted(records, key=lambda one: str(one["name"]))


def follow_trees(
    uri: str, trees: Sequence[str], readers: Sequence[str] = (), names: Sequence[str] = ()
) -> Iterator[list[dict[str, Any]]]:
    """Yield the records of new commits and new problems, again and again. Never ends."""
    roots, tables, problems, failures = _named(trees, names), FleetTables(uri), dict[str, str](), Failures()
    while True:
        records = list(_indexed(tables, uri, roots, tuple(sorted(readers)), failures))
        last = problems
        problems = {one["name"]: one["problem"] for one in records if "problem" in one}
        news = dict(problems.items() - last.items())
        if lines := [one for one in records if "appended" in one or one["name"] in news]:
            yield lines
        time.sleep(FOLLOW_S)


def _named(trees: Sequence[str], names: Sequence[str]) -> dict[str, Path]:
    """The root of each tree by the name of its repository."""
    roots = list(map(root_of, trees))
    if not names:
        return named(roots)
    for name in names:
        if " " in name or not name.isprintable() or {"", ".", ".."} & set(name.split("/")):
            raise InvalidRequest("name", f"{name!r} is no name of a repository", hint="give one like `owner/shop`")
    if len(set(names)) != len(trees) or len(names) != len(trees):
        raise InvalidRequest("name", "give a --name for each TREE, all different, in the order of the trees")
    return dict(zip(names, roots, strict=True))


def _indexed(
    tables: FleetTables, uri: str, roots: Mapping[str, Path], readers: tuple[str, ...], failures: Failures,
    engine: str = "local", progress: Progress | None = None,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """The records of all trees; without `appended` if the commit is already live, with the last problem if it is new
    and nothing has changed since."""
    live, tasks = tables.repositories(), list[TreeTask]()
    for name, root in roots.items():
        try:
            commit, folder = clean_commit(root)
        except CtxpackError as error:
            yield {"name": name, "problem": Redactor().clean(error).message}
            continue
        task = TreeTask(uri, name, root, commit, folder, readers, live.get(name))
        live_key = generation_key(name, commit, MODEL_ID, folder)
        failed, failed_at, problem = failures.get(name, ((), -inf, ""))
        if task.old is not None and task.old.state == (live_key, frozenset(readers)):
            yield {"name": name, "commit": commit}
        elif task.state == failed and time.monotonic() < failed_at + RETRY_S:
            yield {"name": name, "problem": problem}
        else:
            tasks.append(task)
    group: list[Staged] = []
    outcomes = _by_ray if engine == "ray" else _by_processes
    for done, (task, staged) in enumerate(outcomes(tasks) if tasks else (), 1):
        if progress is not None:
            progress("index", done, len(tasks))
        if isinstance(staged, Staged):
            group.append(staged)
        else:
            failures[task.name] = task.state, time.monotonic(), staged
            yield {"name": task.name, "problem": staged}
        if sum(one.appended for one in group) >= ROWS_AT_ONCE:
            yield from _committed(tables, group)
            group = []
    yield from _committed(tables, group)


def stage(task: TreeTask) -> Staged | str:
    """Write the rows of a tree without committing them; returns a text that says why if that fails."""
    try:
        snapshot = build_index(task.root, model="embedded").snapshot
        if clean_commit(task.root) != (task.commit, task.folder):
            return "another commit was checked out while it was indexed; index it again"
        rows = rows_of(task.name, task.commit, snapshot, task.readers, task.folder)
        if task.old is not None and not _is_same(task, rows.repository, task.old):
            forget = command("forget", task.name, task.uri)
            return f"the fleet has another repository of this name; give this one a --name, or run {forget} first"
        return FleetTables(task.uri).stage(rows, task.old)
    except Exception as error:  # whatever it is, the other trees are still indexed
        return Redactor().clean(translated(error)).message


def _is_same(task: TreeTask, new: Repository, old: Repository) -> bool:
    """Whether a tree is of the repository that is published under its name: the same folder of it, with the published
    commit, or with files in common, as in a shallow clone or after a rewrite of the history. All folders of a
    repository have its commits."""
    if new.series == old.series and git.run(("cat-file", "-e", f"{old.commit}^{{commit}}"), task.root).code == 0:
        return True
    return len(np.intersect1d(new.live, old.live)) >= MIN_IN_COMMON * min(len(new.live), len(old.live))


def _committed(tables: FleetTables, group: Sequence[Staged]) -> Iterator[dict[str, Any]]:
    """Commit a group; `readers_before` says who alone could read a repository that everybody can read now."""
    appended, outrun = tables.commit(group) if group else ({}, [])
    for one in group:
        live = one.repository
        if live.name in appended:
            about = {"name": live.name, "commit": live.commit, "files": len(live.live), "chunks": live.chunks}
            before = sorted(one.old.readers) if one.old is not None and not live.readers else []
            yield {**about, "appended": appended[live.name], **({"readers_before": before} if before else {})}
        elif live.name in outrun:
            yield {"name": live.name, "problem": "another process wrote or purged it meanwhile; index it again"}
        else:
            yield {"name": live.name, "commit": live.commit}


def _by_processes(tasks: Sequence[TreeTask]) -> Iterator[Outcome]:
    """The outcome of each task, which may run more than once.

    Processes are spawned: the tables' engine has threads, and a process with threads must not be forked.
    """
    left = list(tasks)
    for _ in range(TRIES):
        broken: list[TreeTask] = []
        with ProcessPoolExecutor(min(len(left), processors()), get_context("spawn"), max_tasks_per_child=1) as pool:
            for task, job in [(task, pool.submit(stage, task)) for task in left]:
                try:
                    yield task, job.result()
                except BrokenProcessPool:
                    broken.append(task)
        left = broken
        if not left:
            return
    yield from ((task, ENDED) for task in left)


def _by_ray(tasks: Sequence[TreeTask]) -> Iterator[Outcome]:
    """The outcomes from the cluster that RAY_ADDRESS names, or else from a local one, which ends with the last task.

    Workers must see trees and store under the same paths as this process.
    """
    if find_spec("ray") is None:
        raise InvalidRequest("engine", "ray is not installed", hint=f"run {with_extra('ray')}")
    import ray

    own = not ray.is_initialized()
    if own:
        local: dict[str, Any] = {} if os.environ.get("RAY_ADDRESS") else {"_node_ip_address": "127.0.0.1"}
        os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
        ray.init(include_dashboard=False, log_to_driver=False, configure_logging=False, **local)
    with redirect_stdout(sys.stderr):  # Ray reports lost workers there; stdout is for the answer only
        try:
            remote = ray.remote(max_retries=TRIES)(stage)
            waiting = {remote.remote(task): task for task in tasks}
            while waiting:
                (done, *_), _ = ray.wait(list(waiting), num_returns=1)
                task = waiting.pop(done)
                try:
                    yield task, ray.get(done)
                except ray.exceptions.RayError:
                    yield task, ENDED
        finally:
            if own:
                ray.shutdown()
