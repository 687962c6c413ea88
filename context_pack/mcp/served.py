"""One served repository: watched for changes, its index brought up to date in the background and when a call needs it.

Changes are counted, not listed: `seen` of them were noticed, the first `fresh` of them are in the index.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from context_pack import watching
from context_pack.core.envelope import translated
from context_pack.mcp.workers import Worker, WorkerGone
from contracts.errors import InternalError
from contracts.reports import Working
from contracts.wire import error_data

Tell = Callable[[Working], Awaitable[None]]

QUIET_S = 0.3  # after the last noticed change, before the index follows by itself
MOST_PAUSE_S = 30.0  # between comparisons that find nothing: a build writes ignored files all the time
REWATCH_S = 2.0  # a deleted folder may come back
NO_LIMIT_S = 86_400.0


class Served:
    """A repository by name, and how its index stands to its tree."""

    def __init__(self, name: str, root: Path, options: Mapping[str, Any]) -> None:
        self.name = name
        self.root = root
        self.watched = False
        self.progress: Working | None = None
        self.error: dict[str, Any] | None = None  # of the last refresh
        self.behind = False  # the last refresh could not write: the generation before it answers
        self._notes: tuple[str, ...] = ()  # of the last refresh
        self._untold: tuple[str, ...] = ()  # all that no answer has told yet
        self._options = dict(options)
        self._noise = watching.Noise(root)
        self._seen = 1  # nobody has compared the tree yet
        self._fresh = 0
        self._in_vain = 0  # refreshes in a row that found nothing to do
        self._job: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._moved = asyncio.Event()

    @property
    def gone(self) -> bool:
        return not self.root.is_dir()

    @property
    def indexing(self) -> bool:
        return self._job is not None

    @property
    def failed(self) -> bool:
        """Whether the index is not what the tree holds, and could not be."""
        return self.error is not None or self.behind

    def notes(self) -> tuple[str, ...]:
        """What an answer tells of the refreshes: what the last one noted, and once what those before it did."""
        told = tuple(dict.fromkeys((*self._untold, *self._notes)))
        self._untold = ()
        return told

    def notice(self) -> None:
        """The tree differs from the index, or may differ."""
        self._seen += 1
        self._changed.set()

    async def freshen(self, deadline: float, tell: Tell) -> bool:
        """Wait until what has been noticed so far is in the index, at most until `deadline` (the loop's time).

        False when that did not come about; the work goes on in the background. A refresh that fails counts as done:
        `error` says why.
        """
        if not self.watched or self.failed:  # what failed may go well now, whatever was noticed
            self._seen += 1
        wanted = self._seen
        loop = asyncio.get_running_loop()
        while self._fresh < wanted:
            if self._job is None:
                self._job = asyncio.create_task(self._refresh(), name=f"refresh {self.name}")
            self._moved.clear()
            try:
                await asyncio.wait_for(self._moved.wait(), max(0.0, deadline - loop.time()))
            except TimeoutError:
                return False
            if self.progress is not None:
                await tell(self.progress)
        return True

    async def _refresh(self) -> None:
        wanted, suspects = self._seen, self._noise.take()
        try:
            result = await self._result()
        except WorkerGone:
            result = {"error": error_data(_ended())}
        except OSError as error:
            result = {"error": error_data(translated(error))}
        finally:
            self._job = None
            self.progress = None
        self.error = result.get("error")
        self.behind = result.get("behind", False)
        self._notes = tuple(result.get("notes", ()))
        self._untold += self._notes
        if result.get("changed") == 0 and not self.behind:
            self._noise.ignore(suspects)
            self._in_vain += 1
        else:
            self._in_vain = 0
        self._fresh = wanted
        self._moved.set()

    async def _result(self) -> dict[str, Any]:
        worker = await Worker.start("refresher")
        try:
            await worker.send({"root": str(self.root), "options": self._options})
            async for message in worker.replies():
                if "stage" not in message:
                    return message
                self.progress = Working(message["stage"], message["done"], message["total"])
                self._moved.set()
        finally:
            worker.kill()
        raise WorkerGone

    async def follow(self, refreshed: Callable[[Served], Awaitable[None]]) -> None:
        """Bring the index up to date whenever the tree has come to rest; `refreshed` hears of it. Never ends."""
        loop = asyncio.get_running_loop()
        while True:
            if self._fresh < self._seen and not self.gone:
                await self.freshen(loop.time() + NO_LIMIT_S, _silent)
                if self.error is None:
                    await refreshed(self)
                await asyncio.sleep(min(MOST_PAUSE_S, QUIET_S * 2 ** min(self._in_vain, 10)))
            self._changed.clear()
            if self._fresh >= self._seen or self.gone:
                await self._changed.wait()
            await asyncio.sleep(QUIET_S)

    def watch(self) -> None:
        """Start noticing changes. Where watching is not possible, every call compares the tree."""
        loop = asyncio.get_running_loop()

        def run() -> None:
            while True:
                try:
                    for changed in watching.batches(self.root, self._noise, threading.Event()):
                        loop.call_soon_threadsafe(self._heard, changed)
                except (OSError, RuntimeError):  # no watches left; a folder that vanished under the watcher
                    pass
                loop.call_soon_threadsafe(self._deaf)
                time.sleep(REWATCH_S)

        watching.start(f"watch {self.name}", run)

    def _heard(self, changed: bool) -> None:
        if changed or not self.watched:  # the first time: what happened before the watch stood
            self.watched = True
            self.notice()

    def _deaf(self) -> None:
        if self.watched:
            self.watched = False
            self.notice()


async def _silent(working: Working) -> None:
    return None


def _ended() -> InternalError:
    return InternalError(
        "the process that brings the index up to date ended before it was done",
        hint="run `ctxpack index` in the repository to see why",
    )
