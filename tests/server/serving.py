"""Starts servers under test, talks to them, and observes them from outside."""

from __future__ import annotations

import asyncio
import json
import os
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters, stdio_client

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "tests" / "cli" / "project"
SCRIPT = Path(sys.executable).with_name("ctxpack")
PATIENCE_S = 300.0  # ends a hang; nothing here takes seconds on an idle machine


@dataclass(frozen=True)
class Servers:
    """Starts servers with an environment that has its own cache."""

    environment: dict[str, str]

    def run(self, talk: Callable[[ClientSession], Awaitable[Any]], *repos: Path, options: tuple[str, ...] = ()) -> Any:
        """The result of a conversation with a new server."""

        async def converse() -> Any:
            parameters = self.parameters(*repos, options=options)
            async with (
                asyncio.timeout(PATIENCE_S),
                stdio_client(parameters) as pipes,
                ClientSession(*pipes) as session,
            ):
                await session.initialize()
                return await talk(session)

        return asyncio.run(converse())

    def parameters(self, *repos: Path, options: tuple[str, ...] = ()) -> StdioServerParameters:
        return StdioServerParameters(
            command=str(SCRIPT), args=self.arguments(*repos, options=options), env=self.environment
        )

    def arguments(self, *repos: Path, options: tuple[str, ...] = ()) -> list[str]:
        return ["mcp", *options, *(part for repo in repos for part in ("--repo", str(repo)))]


def servers_in(folder: Path) -> Servers:
    """Servers of this tree, whichever version is installed, with their cache in a folder."""
    cache, path = str(folder / "cache"), os.environ["PATH"]
    return Servers({"CTXPACK_CACHE_DIR": cache, "CTXPACK_NO_BACKGROUND": "1", "PATH": path, "PYTHONPATH": str(ROOT)})


def project_in(folder: Path) -> Path:
    """A copy of the small project of the command line's tests."""
    return shutil.copytree(PROJECT, folder / "project", ignore=shutil.ignore_patterns("__pycache__"))


class Wire:
    """A server that is controlled with raw bytes."""

    def __init__(self, servers: Servers, repo: Path) -> None:
        self.process = subprocess.Popen(
            [SCRIPT, *servers.arguments(repo)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=servers.environment
        )
        self._read = b""
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        self.ask(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about}).encode())
        self.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')

    def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def ask(self, line: bytes) -> Any:
        """The reply to a line."""
        self.send(line)
        return self.reply(line)

    def reply(self, line: bytes = b"", within_s: float = PATIENCE_S) -> Any:
        """The next reply. AssertionError that names the line if none comes in time."""
        assert self.process.stdout is not None
        while b"\n" not in self._read:
            ready, _, _ = select.select([self.process.stdout], [], [], within_s)
            part = os.read(self.process.stdout.fileno(), 1 << 20) if ready else b""
            assert part, f"no reply within {within_s:g} s to {line[:200]!r}"
            self._read += part
        first, _, self._read = self._read.partition(b"\n")
        return json.loads(first)

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()

    def call(self, number: int, arguments: bytes, tool: bytes = b"search") -> Any:
        body = b'"method": "tools/call", "params": {"name": "%s", "arguments": %s}' % (tool, arguments)
        return self.ask(b'{"jsonrpc": "2.0", "id": %d, %s}' % (number, body))


def children(pid: int) -> list[int]:
    """The running processes that a process has started, by the system's own list."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                if int(parent) == pid and state != "Z":
                    found.append(int(entry.name))
    return sorted(found)


def alive(pid: int) -> bool:
    with suppress(OSError):
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


async def until(condition: Callable[[], bool]) -> None:
    """Waits for a condition that other processes bring about."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.02)


def workers() -> Iterator[int]:
    """The workers among the descendants of this process."""
    pending = [os.getpid()]
    while pending:
        pid = pending.pop()
        pending += children(pid)
        with suppress(OSError):
            if b"context_pack.mcp.worker" in (Path("/proc") / str(pid) / "cmdline").read_bytes():
                yield pid


def text_of(result: Any) -> str:
    """The text of a tool's result, for people."""
    return "\n".join(block.text for block in result.content)


def about(result: Any) -> Any:
    """The data of a tool's result for programs, in addition to its text."""
    return result.meta["ctxpack"]


def places(result: Any) -> dict[str, list[str]]:
    """File -> ranges of lines, in the order of the headings in an answer's text."""
    found: dict[str, list[str]] = {}
    for file, lines in re.findall(r"^(?:## |\d+\. )`([^`]+):([\d-]+)`", text_of(result), re.MULTILINE):
        found.setdefault(file, []).append(lines)
    return found


def error_code(result: Any) -> str | None:
    return about(result).get("error", {}).get("code")
