"""Child processes that exchange JSON lines over a pipe and are killed with everything they started."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from contracts.errors import InternalError

LINE_BYTES = 2**30  # an answer is one line, whatever its size


class ChildEnded(InternalError):
    """The process ended before it answered."""

    def __init__(self) -> None:
        super().__init__("the worker process ended before it answered this call")


class Child:
    """A module of ctxpack as a child process, which starts at the first `ask` or `line`.

    Its stdin is a pipe or empty, never ours. `-P`: the working folder may be a repository with folders named like our
    packages. It has a session of its own, so that it can be killed with everything it started.
    """

    def __init__(self, module: str, argument: object, *, stdin: bool = False) -> None:
        self._command = [sys.executable, "-P", "-m", f"context_pack.{module}", json.dumps(argument)]
        self._stdin = PIPE if stdin else DEVNULL
        self._process: Process | None = None

    @property
    def alive(self) -> bool:
        return self._process is None or self._process.returncode is None

    async def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Send a line and return the reply. ChildEnded if none comes."""
        process = await self._started()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(message).encode() + b"\n")
            await process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise ChildEnded() from error
        reply = await self.line()
        if reply is None:
            raise ChildEnded()
        return reply

    async def line(self) -> dict[str, Any] | None:
        """The next message of the process; None if it has ended."""
        process = await self._started()
        assert process.stdout is not None
        line = await process.stdout.readline()
        return dict(json.loads(line)) if line else None

    async def _started(self) -> Process:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=self._stdin, stdout=PIPE, limit=LINE_BYTES, start_new_session=True
            )
        return self._process

    def kill(self) -> None:
        """Kill the process and everything it started."""
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                if sys.platform == "win32":  # no groups: a running git ends by its own time limit
                    self._process.kill()
                else:
                    os.killpg(self._process.pid, signal.SIGKILL)


async def end(tasks: Iterable[asyncio.Task[Any] | None]) -> None:
    """Cancel the tasks and wait until they have ended.

    `asyncio.run` would cancel asyncio's own tasks at the same time. Without the one that connects the pipes of a child
    that is just being started, Python 3.11 waits for that child forever.
    """
    left = [task for task in tasks if task is not None]
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


class Pipe:
    """The parent, as the child sees it. Anything else printed in this process goes to stderr, and any other reader
    finds stdin empty: git, for example, would read lines that are meant for us."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "wb")
        self.requests = os.fdopen(os.dup(0), "rb")
        os.dup2(2, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

    def write(self, message: Mapping[str, Any]) -> None:
        """Write one line. Ends this process if nobody reads any more."""
        try:
            self._out.write(json.dumps(message).encode() + b"\n")
            self._out.flush()
        except BrokenPipeError:
            os._exit(1)
