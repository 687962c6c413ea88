"""The time of a pack of a large work graph and of a large vault, from the start to the end of the process.

    python -m benchmarks.recipes [--count 10000] [--runs 7] [--searcher hybrid] [--scratch DIR] [--out RESULT.json]

Cold: ctxpack has never read the corpus (the files are in the page cache). Cached: it has read it, and no file changed.
Changed: one file changed since. The table also has processor time, because the machine may be busy.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import machine
from benchmarks.measure import adopt_orphans, wait_for_orphans

GRAPH_COLD_MOST_S = 1.0
VAULT_COLD_MOST_S = 2.0
CACHED_MOST_S = 0.3
BODY_WORDS = 150  # per node or page: about 1 KB
SETTLE_S = 2.5  # files newer than the resolution of the clock are read again; a real corpus has few of them


@dataclass(frozen=True, slots=True)
class ProcessCost:
    wall_s: float
    cpu_s: float
    peak_mib: float


@dataclass(frozen=True, slots=True)
class Row:
    """Medians of one measurement; `most_s` is the mark for wall time (None: no mark)."""

    what: str
    wall_s: float
    cpu_s: float
    peak_mib: float
    most_s: float | None


def write_graph(root: Path, count: int) -> list[str]:
    """Write a work graph of `count` nodes with five edges each; returns the arguments that pack one of them."""
    chance = random.Random(20260101)
    kinds = ("epic", "edd", "dec", "rule", "prd", "feat", *["task"] * 10, "bug", "checkpoint")
    for number in range(count):
        kind = kinds[number % len(kinds)]
        related = ", ".join(f"n-{chance.randrange(count)}" for _ in range(3))
        folder = root / ".mdkg" / ("work" if kind in {"task", "bug", "feat", "epic"} else "design") / str(number % 50)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"n-{number}.md").write_text(
            f"---\nid: n-{number}\ntype: {kind}\ntitle: {_words(chance, 6)}\nstatus: todo\npriority: {number % 4}\n"
            f"epic: n-{chance.randrange(count)}\nparent: n-{chance.randrange(count)}\ntags: [a, b]\nowners: []\n"
            f"links: []\nartifacts: [src/{number}.py]\nrelates: [{related}]\nrefs: []\naliases: []\n"
            f"created: 2026-01-01\nupdated: 2026-01-02\n---\n\n# {number}\n\n{_words(chance, BODY_WORDS)}\n"
        )
    return ["graph", f"n-{6 if count > 6 else 0}", "--root", str(root), "--format", "json"]


def write_vault(root: Path, count: int, searcher: str) -> list[str]:
    """Write a vault of `count` pages with five links each; returns the arguments that ask it a question."""
    chance = random.Random(20260102)
    tags = [f"tag-{number}" for number in range(200)]
    for number in range(count):
        folder = root / "wiki" / ("concepts", "entities", "comparisons")[number % 3] / str(number % 50)
        folder.mkdir(parents=True, exist_ok=True)
        links = " ".join(f"[[page-{chance.randrange(count)}]]" for _ in range(5))
        labels = ", ".join(chance.sample(tags, 3))
        (folder / f"page-{number}.md").write_text(
            f"---\ntitle: {_words(chance, 3).title()} {number}\ndate-created: 2026-01-01\n"
            f"date-modified: 2026-01-{number % 28 + 1:02}\npage-type: concept\ndomain: [domain-{number % 9}]\n"
            f'tags: [{labels}]\nsources: []\nrelated:\n  - "[[page-{chance.randrange(count)}]]"\naliases: []\n---\n\n'
            f"# {number}\n\n{_words(chance, BODY_WORDS)} {links}\n"
        )
    (root / "vault.yaml").write_text("default-domains: [domain-1]\n")
    question = "how does tag-17 compare with tag-42 for page-123"
    return ["pages", question, "--vault", str(root), "--format", "json", "--searcher", searcher]


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(_VOCABULARY) for _ in range(count))


_VOCABULARY = tuple(
    f"{first}{last}"
    for first in ("ba", "cor", "den", "fal", "gri", "hol", "mu", "nes")
    for last in ("lo", "rit", "sen")
)


def alone(scratch: Path) -> ProcessCost:
    """The cost of `ctxpack --version`: the lower bound for a pack on this machine at this moment."""
    return run(["--version"], scratch)[0]


def ask(arguments: Sequence[str], cache: Path) -> ProcessCost:
    """The cost of one process from start to end. Its answer must be a pack."""
    cost, answer = run(arguments, cache)
    if json.loads(answer)["status"] != "ok":
        raise RuntimeError(f"ctxpack {' '.join(arguments)} failed: {answer[:500]!r}")
    return cost


def run(arguments: Sequence[str], cache: Path) -> tuple[ProcessCost, bytes]:
    """Run one process; returns its cost and its output."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "context_pack", *arguments],
        stdout=subprocess.PIPE,
        env={**os.environ, "CTXPACK_CACHE_DIR": str(cache)},
        cwd=machine.ROOT,
    )
    assert process.stdout is not None
    answer = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = time.perf_counter() - began
    wait_for_orphans()  # writes after the answer must not slow the next measurement
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"ctxpack {' '.join(arguments)} failed: {answer[:500]!r}")
    return ProcessCost(wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), answer


def measure(name: str, arguments: Sequence[str], root: Path, scratch: Path, runs: int, cold_most_s: float) -> list[Row]:
    """Cold, cached and changed packs of one corpus."""
    cache = scratch / "cache"

    def pack_cold() -> ProcessCost:
        shutil.rmtree(cache, ignore_errors=True)
        return ask(arguments, cache)

    def pack_changed() -> ProcessCost:
        one = next(root.rglob("*7.md"))
        one.write_text(f"{one.read_text()}\nEdited.\n")
        return ask(arguments, cache)

    return [
        _row(f"{name}, cold", pack_cold, runs, cold_most_s),
        _row(f"{name}, cached", lambda: ask(arguments, cache), runs, CACHED_MOST_S),
        _row(f"{name}, one file changed", pack_changed, runs, None),
    ]


def _row(what: str, once: Callable[[], ProcessCost], runs: int, most_s: float | None) -> Row:
    costs = [once() for _ in range(runs)]
    wall, cpu, peak = (
        statistics.median(getattr(one, part) for one in costs) for part in ("wall_s", "cpu_s", "peak_mib")
    )
    return Row(what, round(wall, 3), round(cpu, 3), round(peak, 1), most_s)


def table(rows: Sequence[Row]) -> str:
    lines = ["| whole process | wall s | processor s | peak MiB | at most s |", "|---|---:|---:|---:|---:|"]
    for row in rows:
        most = "" if row.most_s is None else f"{row.most_s:.1f}"
        lines.append(f"| {row.what} | {row.wall_s:.3f} | {row.cpu_s:.3f} | {row.peak_mib:.0f} | {most} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--searcher", default="hybrid", choices=["none", "hybrid"])
    parser.add_argument("--scratch", type=Path)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    adopt_orphans()
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        scratch = Path(folder)
        graph = write_graph(scratch / "graph", options.count)
        vault = write_vault(scratch / "vault", options.count, options.searcher)
        time.sleep(SETTLE_S)
        rows = [_row("the interpreter and the command line alone", lambda: alone(scratch), options.runs, None)]
        rows += measure(
            f"graph of {options.count:,} nodes", graph, scratch / "graph", scratch, options.runs, GRAPH_COLD_MOST_S
        )
        name = f"vault of {options.count:,} pages, searcher {options.searcher}"
        rows += measure(name, vault, scratch / "vault", scratch, options.runs, VAULT_COLD_MOST_S)
    print(f"{machine.machine()}; commit {machine.commit()}; `{machine.command('benchmarks.recipes')}`\n\n{table(rows)}")
    if options.out:
        result = {"machine": machine.machine(), "commit": machine.commit(), "rows": [asdict(row) for row in rows]}
        options.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
