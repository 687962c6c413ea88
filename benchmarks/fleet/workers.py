"""How fast workers index trees while one of them is killed: `python -m benchmarks.fleet.workers TREE... --to FOLDER`.

Each tree is a git repository without changes. The trees are indexed from scratch three times, each time into a new
store: by local processes, by Ray (a worker is killed after a third of the trees), and by local processes again. The
rows must be the same, and as many as the chunks of the trees' own indexes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from context_pack.fleet.indexing import index_trees
from index.fleet.catalog import open_table
from index.processes import processors

ORDER = [(name, "ascending") for name in ("repository", "path", "start_line", "end_line", "terms")]


class Killer:
    """Kills one busy worker of this process when a third of the trees are done."""

    def __init__(self) -> None:
        self.pid = 0

    def __call__(self, _task: str, done: int, total: int) -> None:
        if not self.pid and 3 * done >= total:
            self.pid = next(iter(self._workers()), 0)
            if self.pid:
                os.kill(self.pid, signal.SIGKILL)

    def _workers(self) -> list[int]:
        """The descendants of this process in which Ray runs a task."""
        parents, workers = {}, []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                if (folder / "cmdline").read_bytes().startswith(b"ray::stage"):
                    workers.append(int(folder.name))
            except OSError:
                continue  # the process has ended
        return [pid for pid in workers if os.getpid() in self._above(pid, parents)]

    def _above(self, pid: int, parents: dict[int, int]) -> set[int]:
        ancestors: set[int] = set()
        while pid in parents and pid not in ancestors:
            ancestors.add(pid)
            pid = parents[pid]
        return ancestors


def time_indexing(folder: Path, trees: Sequence[str], engine: str, progress: Any = None) -> tuple[float, Any, int]:
    """(seconds, the rows in order, the number of chunks in the trees' own indexes)."""
    shutil.rmtree(folder, ignore_errors=True)
    os.environ["CTXPACK_CACHE_DIR"] = str(folder / "cache")
    began = time.perf_counter()
    records = index_trees(str(folder / "store"), trees, engine=engine, progress=progress)
    spent = time.perf_counter() - began
    assert not [one for one in records if "problem" in one], records
    rows = open_table(str(folder / "store"), "chunks.lance").to_table().sort_by(ORDER)
    return spent, rows, sum(one["chunks"] for one in records)


def by_ray(folder: Path, trees: Sequence[str], killer: Killer) -> tuple[float, float, Any, int]:
    """(seconds with the start and end of Ray, seconds without, rows, chunks)."""
    import ray

    os.environ["CTXPACK_CACHE_DIR"] = str(folder / "cache")
    os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
    times = [time.perf_counter()]
    ray.init(
        include_dashboard=False, log_to_driver=False, configure_logging=False, num_cpus=processors(),
        _node_ip_address="127.0.0.1",
    )  # fmt: skip
    times.append(time.perf_counter())
    spent, rows, chunks = time_indexing(folder, trees, "ray", killer)
    times.append(time.perf_counter())
    ray.shutdown()
    times.append(time.perf_counter())
    return times[1] - times[0] + spent + times[3] - times[2], spent, rows, chunks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+")
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()
    os.environ["CTXPACK_NO_BACKGROUND"] = "1"
    workers, killer = processors(), Killer()
    before_s, rows, chunks = time_indexing(options.to / "local", options.trees, "local")
    whole_s, ray_s, of_ray, again = by_ray(options.to / "ray", options.trees, killer)
    assert killer.pid, "no worker was at work"
    assert of_ray.equals(rows), "the rows differ"
    assert rows.num_rows == chunks == again
    after_s, _, _ = time_indexing(options.to / "local", options.trees, "local")
    local = 2 * chunks / (before_s + after_s) / workers
    print(f"{len(options.trees)} trees, {chunks:,} chunks, {workers} workers; the rows are the same")
    print(f"local: {before_s:.1f} s and {after_s:.1f} s, {local:,.0f} chunks a second and worker")
    for name, seconds in (("at work", ray_s), ("with start and end", whole_s)):
        rate = chunks / seconds / workers
        print(
            f"ray, a worker killed, {name}: {seconds:.1f} s, {rate:,.0f} chunks a second and worker, {rate / local:.0%}"
        )


if __name__ == "__main__":
    main()
