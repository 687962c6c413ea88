"""A process of our own at the other end of a pipe: JSON lines in and out, killed with all that it has started."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

LINE_BYTES = 2**30  # an answer is one line, whatever its size


class ChildEnded(Exception):
    """The process ended before it had answered."""


class Child:
    """A module of ours as its parent sees it, started when it is first spoken to or heard.

    Its stdin is a pipe or empty, never ours. `-P`: the working folder may be a repository with folders named like our
    packages. A session of its own, so that it can be killed with all that it has started.
    """

    def __init__(self, module: str, argument: object, *, stdin: bool = False) -> None:
        self._command = [sys.executable, "-P", "-m", f"context_pack.{module}", json.dumps(argument)]
        self._stdin = PIPE if stdin else DEVNULL
        self._process: Process | None = None

    @property
    def alive(self) -> bool:
        return self._process is None or self._process.returncode is None

    async def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The line that answers a line. ChildEnded when none comes."""
        process = await self._started()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(message).encode() + b"\n")
            await process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise ChildEnded from error
        reply = await self.line()
        if reply is None:
            raise ChildEnded
        return reply

    async def line(self) -> dict[str, Any] | None:
        """The next thing that it says; None when it has ended."""
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
        """End the process and all that it has started, at once."""
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                if sys.platform == "win32":  # no groups: what git is at ends by its own time limit
                    self._process.kill()
                else:
                    os.killpg(self._process.pid, signal.SIGKILL)


class Pipe:
    """The parent as the child sees it. What else is printed in this process goes to stderr, and what else reads stdin
    finds it empty: git, for one, would take what is meant for us."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "wb")
        self.requests = os.fdopen(os.dup(0), "rb")
        os.dup2(2, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

    def write(self, message: Mapping[str, Any]) -> None:
        """One line. Ends this process when nobody listens any more."""
        try:
            self._out.write(json.dumps(message).encode() + b"\n")
            self._out.flush()
        except BrokenPipeError:
            os._exit(1)
