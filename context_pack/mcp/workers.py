"""Processes that do the work of the server and can be killed at any instant: what ends a call ends its work."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any

from context_pack.mcp.wire import packed, unpacked

LINE_BYTES = 2**30  # an answer is one line, whatever its size
PATIENCE_S = 0.5  # longer than nearly every answer takes: then another asker is started
SPARE_S = 30.0  # how long a second asker waits for another moment of need


class WorkerGone(Exception):
    """A process ended before it had answered."""


class Worker:
    """One process that answers a line with a line, or with several."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, module: str) -> Worker:
        """`-P`: a repository may hold folders with the names of our packages, and may be the working folder.

        A session of its own, so that it can be killed with all that it has started.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", f"context_pack.mcp.{module}",
            stdin=PIPE, stdout=PIPE, limit=LINE_BYTES, start_new_session=True,
        )  # fmt: skip
        return cls(process)

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    @property
    def pid(self) -> int:
        return self._process.pid

    async def send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(packed(message))
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise WorkerGone from error

    async def replies(self) -> AsyncIterator[dict[str, Any]]:
        """What it says, until it ends."""
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            yield unpacked(line)

    async def reply(self) -> dict[str, Any]:
        async for message in self.replies():
            return message
        raise WorkerGone

    def kill(self) -> None:
        """End the process and all that it has started, at once."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)


class Askers:
    """A few askers. A call waits a moment for one that is at work, so that one serves most clients; the others go when
    they have been idle for a while."""

    def __init__(self, options: Mapping[str, Any], most: int) -> None:
        self._options = options
        self._most = most
        self._count = 0  # of those that run or are being started
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._freed = asyncio.Event()

    async def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply. Whatever interrupts the waiting (a cancelled call, a time limit) kills the asker at work."""
        worker = await self._take()
        try:
            await worker.send({**request, "options": self._options})
            reply = await worker.reply()
        except BaseException:
            self._drop(worker)
            raise
        self._idle.append(worker)
        self._freed.set()
        if len(self._idle) > 1:
            asyncio.get_running_loop().call_later(SPARE_S, self._release, self._idle[0])
        return reply

    async def _take(self) -> Worker:
        """The asker that worked last, whose indexes are the warmest; another one when all stay at work."""
        while not self._idle:
            if self._count < self._most and not (self._count and await self._wait(PATIENCE_S)):
                return await self._start()
            if not self._idle:
                await self._wait(None)
        worker = self._idle.pop()
        if worker.alive:
            return worker
        self._drop(worker)
        return await self._take()

    async def _wait(self, seconds: float | None) -> bool:
        """Whether an asker came free, or ended, within that time."""
        self._freed.clear()
        try:
            await asyncio.wait_for(self._freed.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def _start(self) -> Worker:
        self._count += 1
        try:
            worker = await Worker.start("asker")
        except BaseException:
            self._count -= 1
            self._freed.set()
            raise
        self._all.add(worker)
        return worker

    def _release(self, worker: Worker) -> None:
        if worker in self._idle and len(self._idle) > 1:
            self._idle.remove(worker)
            self._drop(worker)

    def _drop(self, worker: Worker) -> None:
        worker.kill()
        if worker in self._all:
            self._all.remove(worker)
            self._count -= 1
        self._freed.set()

    def close(self) -> None:
        for worker in list(self._all):
            self._drop(worker)
