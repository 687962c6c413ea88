"""Run one command and print what it took: {"wall_s", "cpu_s", "peak_mib", "code"}. Standard library only.

    python measure.py [--tree] [--out FILE] COMMAND ...

The peak is the largest resident size of any process of the command. A large parent would be counted as its child's
peak until the child's program starts (Linux keeps the high-water mark over `exec`), which is why this process is small.
`--tree` samples the sum over the command's processes instead, shared pages counted once (PSS; Linux only).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

SAMPLE_S = 0.05


def main() -> None:
    words = sys.argv[1:]
    whole_tree = words[0] == "--tree"
    words = words[whole_tree:]
    out = subprocess.DEVNULL
    if words[0] == "--out":
        out = os.open(words[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        words = words[2:]
    began = time.perf_counter()
    running = subprocess.Popen(words, stdout=out, stderr=subprocess.DEVNULL)
    sampled = _sample(running.pid) if whole_tree else 0.0
    _, status, usage = os.wait4(running.pid, 0)
    wall = time.perf_counter() - began
    in_one_mib = 2**20 if sys.platform == "darwin" else 2**10  # ru_maxrss: bytes there, KiB elsewhere
    peak = sampled or usage.ru_maxrss / in_one_mib
    cpu = usage.ru_utime + usage.ru_stime
    print(json.dumps({"wall_s": wall, "cpu_s": cpu, "peak_mib": peak, "code": os.waitstatus_to_exitcode(status)}))


def _sample(root: int) -> float:
    """The largest sum of proportional set sizes, in MiB, until the process has ended (and waits to be reaped)."""
    peak = 0.0
    while not _ended(root):
        peak = max(peak, sum(map(_pss, _processes(root))) / 2**10)
        time.sleep(SAMPLE_S)
    return peak


def _ended(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def _processes(root: int) -> list[int]:
    found, todo = [], [root]
    while todo:
        pid = todo.pop()
        found.append(pid)
        try:
            for task in Path(f"/proc/{pid}/task").iterdir():
                todo += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return found


def _pss(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


if __name__ == "__main__":
    main()
