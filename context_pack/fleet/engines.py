"""Who does the work of indexing trees: processes of this machine, or a Ray cluster. Both give the same rows."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import redirect_stdout
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Any, TypeVar

from contracts.distribution import with_extra
from contracts.errors import InvalidRequest
from index.processes import processors

Task = TypeVar("Task")
Result = TypeVar("Result")
ENGINES = ("local", "ray")
TRIES = 3  # of a task whose process came to an end
ENDED = "the process that indexed it ended before it was done"


def run(
    engine: str, function: Callable[[Task], Result], tasks: Sequence[Task]
) -> Iterator[tuple[Task, Result | None, str]]:
    """(task, result, why there is none) of each task, as they are done. A task may be done more than once.

    InvalidRequest where the engine is not installed.
    """
    if not tasks:
        return iter(())
    return _of_ray(function, tasks) if engine == "ray" else _of_processes(function, tasks)


def _of_processes(
    function: Callable[[Task], Result], tasks: Sequence[Task]
) -> Iterator[tuple[Task, Result | None, str]]:
    """By new processes, for those of the tables' engine have threads: a process with these must not be forked."""
    left = list(tasks)
    for _ in range(TRIES):
        broken: list[Task] = []
        with ProcessPoolExecutor(min(len(left), processors()), get_context("spawn"), max_tasks_per_child=1) as pool:
            for task, job in [(task, pool.submit(function, task)) for task in left]:
                try:
                    yield task, job.result(), ""
                except BrokenProcessPool:
                    broken.append(task)
        left = broken
        if not left:
            return
    for task in left:
        yield task, None, ENDED


def _of_ray(function: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[tuple[Task, Result | None, str]]:
    """By the cluster that RAY_ADDRESS names, else by one of this machine alone, which ends with the last task.

    Workers see trees and store under the same names as this process.
    """
    if find_spec("ray") is None:
        raise InvalidRequest("engine", "ray is not installed", hint=f"`{with_extra('ray')}`")
    import ray

    own = not ray.is_initialized()
    if own:
        local: dict[str, Any] = {} if os.environ.get("RAY_ADDRESS") else {"_node_ip_address": "127.0.0.1"}
        os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
        ray.init(include_dashboard=False, log_to_driver=False, configure_logging=False, **local)
    with redirect_stdout(sys.stderr):  # where Ray tells of lost workers: stdout holds the answer alone
        yield from _remote(ray, function, tasks, own)


def _remote(
    ray: Any, function: Callable[[Task], Result], tasks: Sequence[Task], own: bool
) -> Iterator[tuple[Task, Result | None, str]]:
    try:
        remote = ray.remote(max_retries=TRIES)(function)
        waiting = {remote.remote(task): task for task in tasks}
        while waiting:
            (done, *_), _ = ray.wait(list(waiting), num_returns=1)
            task = waiting.pop(done)
            try:
                yield task, ray.get(done), ""
            except ray.exceptions.RayError:
                yield task, None, ENDED
    finally:
        if own:
            ray.shutdown()
