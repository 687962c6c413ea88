"""Run one command and print its cost: {"wall_s", "cpu_s", "peak_mib", "after_s", "code"}. Standard library only.

    python measure.py [--tree] [--out FILE] COMMAND ...

The peak is the largest resident size of any process of the command. Linux keeps the high-water mark over `exec`, so a
large parent would count as its child's peak: this process is small for that reason. `--tree` samples the sum over the
command's processes instead, shared pages counted once (PSS; Linux only).

On Linux, this process adopts the processes that the command leaves behind and waits for them, so that they do not slow
the next measurement; `after_s` is how long they went on running. No other figure includes their time; `--tree` includes
their memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

SAMPLE_S = 0.05
PR_SET_CHILD_SUBREAPER = 36  # prctl(2)


def main() -> None:
    words = sys.argv[1:]
    whole_tree = words[0] == "--tree"
    words = words[whole_tree:]
    out = subprocess.DEVNULL
    if words[0] == "--out":
        out = os.open(words[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        words = words[2:]
    adopt_orphans()
    sampler = _Sampler()
    if whole_tree:
        sampler.start()
    began = time.perf_counter()
    process = subprocess.Popen(words, stdout=out, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    wait_for_orphans()
    after = time.perf_counter() - began - wall
    in_one_mib = 2**20 if sys.platform == "darwin" else 2**10  # ru_maxrss: bytes there, KiB elsewhere
    figures = {
        "wall_s": wall,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_mib": sampler.stop() if whole_tree else usage.ru_maxrss / in_one_mib,
        "after_s": after,
        "code": os.waitstatus_to_exitcode(status),
    }
    print(json.dumps(figures))


def adopt_orphans() -> None:
    """Make this process the parent of processes that a child leaves behind (Linux only)."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def wait_for_orphans() -> None:
    """Wait until no child is left."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


class _Sampler(threading.Thread):
    """Records the largest sum of proportional set sizes (MiB) of this process's descendants."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._peak = 0.0
        self._done = threading.Event()

    def run(self) -> None:
        while not self._done.wait(SAMPLE_S):
            self._peak = max(self._peak, sum(map(_pss, _descendants())) / 2**10)

    def stop(self) -> float:
        self._done.set()
        self.join()
        return self._peak


def _descendants() -> list[int]:
    pids: list[int] = []
    todo = [os.getpid()]
    while todo:
        pid = todo.pop()
        try:
            for task in Path(f"/proc/{pid}/task").iterdir():
                children = list(map(int, (task / "children").read_text().split()))
                pids += children
                todo += children
        except OSError:
            continue  # the process has ended
    return pids


def _pss(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


if __name__ == "__main__":
    main()
