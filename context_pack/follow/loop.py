"""Watches repositories and keeps their indexes up to date; each refresh runs in a process of its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

from context_pack.envelope import failed, translated
from context_pack.follow import events
from context_pack.follow.process import Child, end
from context_pack.kinds.code.repositories import options_of
from contracts.errors import CtxpackError, InternalError, NotADirectory
from contracts.records import as_data
from contracts.reports import Working
from index.types import Progress

Tell = Callable[[Working], Awaitable[None]]
Result = dict[str, Any]  # the last message of a refreshing process: context_pack.follow.refresh

QUIET_S = 0.3  # between two refreshes in the background
MAX_PAUSE_S = 30.0  # the same if refreshes find nothing: a build may write ignored files all the time
REWATCH_S = 2.0  # a deleted folder may come back
FINISH_S = 60.0  # between two updates of the durable table, which take seconds in the background


class Followed:
    """One repository and the state of its index. `after` is called with the result of each refresh."""

    def __init__(
        self, name: str, root: Path, options: Mapping[str, Any], after: Callable[[Followed, Result], None]
    ) -> None:
        self.name, self.root = name, root
        self.watched = False
        self.progress: Working | None = None
        self.error: dict[str, Any] | None = None  # of the last refresh
        self.behind = False  # the last refresh could not write: the previous generation answers
        self._notes: list[str] = []  # of the last refresh
        self._unsent: list[str] = []  # those that no answer has included yet
        self._options = dict(options)
        self._after = after
        self._noise = events.Noise(root)
        self._changed = asyncio.Event()
        self._changed.set()  # the tree has not been compared yet
        self._progress = asyncio.Event()  # a refresh has advanced or ended
        self._in_vain = 0  # refreshes in a row that found nothing to do
        self._job: asyncio.Task[None] | None = None
        self._finished_at = float("-inf")

    @property
    def gone(self) -> bool:
        return not self.root.is_dir()

    @property
    def refreshing(self) -> bool:
        return self._job is not None and not self._job.done()

    @property
    def failed(self) -> bool:
        """Whether the last refresh could not bring the index up to date."""
        return self.error is not None or self.behind

    def notes(self) -> list[str]:
        """The notes for an answer: those of the last refresh, and once those of the refreshes before it."""
        notes = [*dict.fromkeys((*self._unsent, *self._notes))]
        self._unsent = []
        return notes

    def notice(self) -> None:
        """Record that the tree differs, or may differ, from the index."""
        self._changed.set()

    async def freshen(self, deadline: float | None, tell: Tell | None = None) -> bool:
        """Wait until the index has all changes noticed so far, at most until `deadline` (the loop's time).

        False if the deadline came first; the work goes on in the background. A refresh that fails counts as done:
        `error` says why.
        """
        if not self.watched or self.failed:  # a failed refresh may succeed now, even if nothing was noticed
            self._changed.set()
        for _ in range(2):  # changes noticed during one refresh are in the next
            if self._changed.is_set() and not self.refreshing:
                self._job = asyncio.create_task(self._refresh(), name=f"refresh {self.name}")
                self._job.add_done_callback(lambda _job: self._progress.set())
            while self.refreshing:
                self._progress.clear()
                try:
                    async with asyncio.timeout_at(deadline):
                        await self._progress.wait()
                except TimeoutError:
                    return False
                if tell is not None and self.progress is not None:
                    await tell(self.progress)
        return True

    async def follow(self, tell: Tell | None = None) -> None:
        """Bring the index up to date whenever the tree has changed, until cancelled."""
        watching = asyncio.create_task(self._watch())
        try:
            await self._keep_up(tell)
        finally:
            await end((watching, self._job))

    async def _keep_up(self, tell: Tell | None) -> None:
        while True:
            await self._changed.wait()
            if not self.gone:
                await self.freshen(None, tell)
            if self.gone:  # perhaps since the refresh began, which then took the notice of it
                self._changed.clear()  # it is set again when the folder is back
                hint = "restart `ctxpack watch` when the folder is back"
                self._after(self, {**_failure(NotADirectory(f"{self.root} no longer exists", hint=hint)), "gone": True})
                continue
            await asyncio.sleep(min(MAX_PAUSE_S, QUIET_S * 2 ** min(self._in_vain, 10)))

    async def _refresh(self) -> None:
        self._changed.clear()
        suspects = self._noise.take()
        try:
            result = await self._result()
        except OSError as error:
            result = _failure(translated(error))
        self.progress, self.error, self.behind = None, result["envelope"].get("error"), result.get("behind", False)
        self._notes = result.get("notes", [])
        self._unsent += self._notes
        if result.get("changed") == 0:
            self._noise.ignore(suspects)
            self._in_vain += 1
        else:
            self._in_vain = 0
        self._after(self, result)

    async def _result(self) -> Result:
        """The last message of the refreshing process."""
        finish = time.monotonic() - self._finished_at > FINISH_S
        if finish:
            self._finished_at = time.monotonic()
        request = {"name": self.name, "root": str(self.root), "options": self._options, "finish": finish}
        child = Child("follow.refresh", request)
        try:
            while (message := await child.line()) is not None:
                if "envelope" in message:
                    return message
                self.progress = Working(**message)
                self._progress.set()
                await asyncio.sleep(0)  # lets the waiting tasks see each step
        finally:
            child.kill()
        hint = "run `ctxpack index` in the repository to see why"
        return _failure(InternalError("the process that refreshes the index ended unexpectedly", hint=hint))

    async def _watch(self) -> None:
        """Notice changes. If watching is not possible, every `freshen` compares the tree."""
        while True:
            # No watches are left, or the folder vanished under the watcher.
            with suppress(OSError, RuntimeError):
                async with aclosing(events.batches(self.root, self._noise)) as batches:
                    async for changed in batches:
                        self._note_watch(changed, True)
            self._note_watch(False, False)
            await asyncio.sleep(REWATCH_S)

    def _note_watch(self, changed: bool, watched: bool) -> None:
        if changed or watched != self.watched:  # something may have changed before the watch was set up
            self._changed.set()
        self.watched = watched


def _failure(error: CtxpackError) -> Result:
    return {"envelope": as_data(failed(error))}


async def watch(
    roots: Mapping[str, Path], options: Mapping[str, Any], progress: Progress | None = None
) -> AsyncIterator[dict[str, Any]]:
    """An envelope for each refresh that changed something or failed, and for the first refresh of each root.

    A folder that is deleted yields an error. Ends after the last one.
    """
    results: asyncio.Queue[tuple[Followed, Result]] = asyncio.Queue()

    async def tell(working: Working) -> None:
        if progress is not None:
            progress(working.stage, working.done, working.total)

    running, silent = {}, set(roots)
    for name, root in roots.items():
        own = options_of(name, options, len(roots) > 1)
        followed = Followed(name, root, own, lambda one, result: results.put_nowait((one, result)))
        running[name] = asyncio.create_task(followed.follow(tell))
    try:
        while running:
            followed, result = await results.get()
            if followed.name not in running:
                continue
            if result.get("gone"):
                await end([running.pop(followed.name)])
            elif followed.gone or (result.get("changed") == 0 and followed.name not in silent):
                continue
            silent.discard(followed.name)
            yield result["envelope"]
    finally:
        await end(running.values())
