"""How fast the MCP server and `ctxpack batch` are, and how much memory they use, measured through stdio.

    python -m benchmarks.mcp [--repo DIR] [--calls 200] [--starts 5] [--write]

Without `--repo`, the benchmark builds a repository of some 3,000 chunks from installed packages. Questions are names
and words of the repository itself, all different. Times are measured by a client that only writes to and reads from a
pipe. Memory is the resident memory of the server and its worker together.
Needs the extra `mcp`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters, stdio_client

from benchmarks import machine, pages
from benchmarks.marks import Row
from benchmarks.report import percentile, table
from benchmarks.trees import compose
from context_pack.session import Session

PACKAGES = ("click", "_pytest", "hypothesis")
FILES = 72  # of these packages, in the order of their paths: some 3,000 chunks
SCRIPT = Path(sys.executable).with_name("ctxpack")
SMALL_FILES = 25  # of the repository, for the batch: some 600 chunks


def questions(repo: Path, count: int, cache: Path) -> list[str]:
    """Questions about a repository: names of symbols, and the words of two names together."""
    os.environ["CTXPACK_CACHE_DIR"] = str(cache)
    names = [row.qualified for row in Session.open(repo).symbols(limit=1000).data.symbols]
    steps = [names[number * 7919 % len(names)] for number in range(count)]
    queries = []
    for number, name in enumerate(steps):
        words = f"{name} {names[number * 104729 % len(names)]}".replace(".", " ").replace("_", " ")
        queries.append(name if number % 3 == 0 else words.strip())
    return queries


@asynccontextmanager
async def client(repo: Path, environment: dict[str, str]) -> Any:
    parameters = StdioServerParameters(command=str(SCRIPT), args=["mcp", "--repo", str(repo)], env=environment)
    async with stdio_client(parameters) as pipes, ClientSession(*pipes) as session:
        yield session


async def starts(repo: Path, environment: dict[str, str], runs: int) -> list[float]:
    """Seconds from the start of the process to the answer of `initialize`."""
    seconds = []
    for _ in range(runs):
        began = time.perf_counter()
        async with client(repo, environment) as session:
            await session.initialize()
            seconds.append(time.perf_counter() - began)
    return seconds


async def calls(repo: Path, environment: dict[str, str], queries: Sequence[str]) -> dict[str, Any]:
    """The memory before and after calls of `context_pack`, while the server is warm and idle."""
    async with client(repo, environment) as session:
        await session.initialize()
        for _ in range(3):
            await session.call_tool("context_pack", {"query": queries[0]})
            await asyncio.sleep(1.0)
        idle = resident_mib()
        for query in queries:  # the cache of chunks is bounded, and full after this
            await session.call_tool("context_pack", {"query": query})
        before = resident_mib()
        for query in queries:
            await session.call_tool("context_pack", {"query": query})
        after = resident_mib()
        status = await session.call_tool("index_status", {})
        (repository,) = status.meta["ctxpack"]["repositories"]
        return {"idle": idle, "before": before, "after": after, "index": repository["index"]}


def arrivals(repo: Path, environment: dict[str, str], queries: Sequence[str]) -> list[float]:
    """Seconds from the first byte of each request to the last byte of its answer, for a client that is only a pipe."""
    server = subprocess.Popen(
        [SCRIPT, "mcp", "--repo", repo], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdin is not None and server.stdout is not None

    def send(method: str, params: dict[str, Any], **fields: int) -> None:
        assert server.stdin is not None
        message = {"jsonrpc": "2.0", "method": method, "params": params, **fields}
        server.stdin.write(f"{json.dumps(message)}\n".encode())
        server.stdin.flush()

    def call(number: int, query: str) -> float:
        assert server.stdout is not None
        began = time.perf_counter()
        send("tools/call", {"name": "context_pack", "arguments": {"query": query}}, id=number)
        line = server.stdout.readline()
        seconds = time.perf_counter() - began
        assert f'"id":{number},' in line[:60].decode("utf-8", "replace"), line[:200]
        return seconds

    client = {"name": "benchmark", "version": "1"}
    send("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}, id=0)
    server.stdout.readline()
    send("notifications/initialized", {})
    for query in queries:  # the cache of chunks is full after this
        call(1, query)
    seconds = [call(number, query) for number, query in enumerate(queries, 2)]
    server.stdin.close()
    server.wait()
    return sorted(seconds)


def resident_mib() -> float:
    """The resident memory of all descendants of this process."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            parents.setdefault(parent, []).append(int(entry.name))
    pids, kib = list(parents.get(os.getpid(), ())), 0
    while pids:
        pid = pids.pop()
        pids += parents.get(pid, ())
        status = (Path("/proc") / str(pid) / "status").read_text().splitlines()
        kib += next((int(line.split()[1]) for line in status if line.startswith("VmRSS")), 0)
    return kib / 1024


def batch(repo: Path, environment: dict[str, str], queries: Sequence[str]) -> tuple[float, float]:
    """Queries per second of one `ctxpack batch`: all queries including the start, and all but the first 200."""
    requests = [{"id": number, "action": "query", "args": {"query": query}} for number, query in enumerate(queries)]
    spent = []
    for some in (requests[:200], requests):
        with tempfile.TemporaryFile() as lines:
            lines.write("".join(f"{json.dumps(request)}\n" for request in some).encode())
            lines.seek(0)
            began = time.perf_counter()
            done = subprocess.run(
                [SCRIPT, "batch", "--repo", str(repo)], stdin=lines, capture_output=True, env=environment, check=True
            )
            spent.append(time.perf_counter() - began)
        assert done.stdout.count(b"\n") == len(some)
    return len(requests) / spent[1], (len(requests) - 200) / (spent[1] - spent[0])


def measure(repo: Path, small: Path, scratch: Path, count: int, runs: int) -> tuple[list[Row], dict[str, Any]]:
    queries = questions(repo, count, scratch / "cache")
    environment = {
        "CTXPACK_CACHE_DIR": str(scratch / "cache"),
        "CTXPACK_NO_BACKGROUND": "1",
        "PATH": os.environ["PATH"],
    }
    start_seconds = asyncio.run(starts(repo, environment, runs))
    memory = asyncio.run(calls(repo, environment, queries))
    answer_seconds = arrivals(repo, environment, queries)
    small_queries = questions(small, 1_000, scratch / "cache")
    whole, steady = batch(small, environment, small_queries)
    p50, p99 = (1000 * percentile(answer_seconds, share) for share in (50, 99))
    rows = [
        Row("from start to the answer to `initialize`", "s", statistics.median(start_seconds), most=1.5),
        Row("`context_pack`, warm, from request to answer, p50", "ms", p50, most=15),
        Row("`context_pack`, warm, from request to answer, p99", "ms", p99, most=60),
        Row("memory, idle with the index open", "MiB", memory["idle"], most=250),
        Row(f"memory added by {count} calls", "MiB", memory["after"] - memory["before"], most=3),
        Row("`ctxpack batch`, start included", "queries/s", whole),
        Row("`ctxpack batch`, steady", "queries/s", steady, least=200),
    ]
    return rows, {"files": memory["index"]["files"], "chunks": memory["index"]["chunks"]}


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", type=Path)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="put the table into its page of results/")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        packages = Path(sysconfig.get_paths()["purelib"])
        sources = {name: packages / name for name in PACKAGES if (packages / name).is_dir()}
        repo, small = options.repo, scratch / "small"
        if repo is None:
            repo = scratch / "repository"
            compose(repo, sources, files=FILES)
        compose(small, sources, files=SMALL_FILES)
        rows, size = measure(repo, small, scratch, options.calls, options.starts)
    cells = [[row.what, _amount(row), row.mark, {None: "", True: "yes", False: "**no**"}[row.met]] for row in rows]
    lines = table(["what", "ctxpack", "mark", "met"], cells)
    about = (
        f"A repository of {size['files']:,} files and {size['chunks']:,} chunks; {options.calls} different questions, "
        f"default budget. Commit {machine.commit()}; {machine.machine()}; "
        f"`{machine.command('benchmarks.mcp', arguments)}`."
    )
    text = "\n".join([*lines, "", about]) + "\n"
    print(text)
    if options.write:
        pages.publish("mcp", text)


def _amount(row: Row) -> str:
    return f"{row.ours:.2f} {row.unit}" if row.unit == "s" else f"{row.ours:,.1f} {row.unit}"


if __name__ == "__main__":
    main()
