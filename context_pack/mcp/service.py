"""Serves tool calls: waits until the index is up to date, asks a worker, and answers within the time limit."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from os.path import lexists
from pathlib import Path
from typing import Any

from context_pack.envelope import translated
from context_pack.follow.loop import Followed, Result, Tell
from context_pack.follow.process import Child, ChildEnded, end
from context_pack.kinds.code.repositories import options_of
from context_pack.mcp.schemas import MAX_LIMIT_S, TOOLS, Tool, input_schema, read_arguments
from context_pack.mcp.text import Reply, error_text, failure, progress
from contracts.errors import Ambiguous, CtxpackError, InvalidRequest, NotADirectory, NotFound, TimedOut
from contracts.records import as_data

ANSWER_SHARE, ANSWER_S = 0.2, 1.0  # time kept for the answer: a share of the limit, and at least 1 s or half of it
MIN_S = 0.2  # an answer from an open index takes milliseconds
START_AFTER_S = 0.1  # the client's first request is answered before the background takes the processor
WARM_LIMIT_S = 60.0
_PATH = re.compile(r"(?!/)(?:(?!\.\.)[^:#\s])+")  # of a place or at the beginning of a query, below the root
PATIENCE_S = 2.0  # longer than nearly every answer, even the first; after it, a second worker is started
MAX_WORKERS = 2


class Workers:
    """The processes that answer: one, and a second one while a call takes long."""

    def __init__(self, options: Mapping[str, Mapping[str, Any]]) -> None:
        self._options = options
        self._free: asyncio.Queue[Child] = asyncio.Queue()
        self._running: set[Child] = set()

    async def ask(self, request: Mapping[str, Any]) -> Reply:
        """The reply. Anything that interrupts the wait (a cancelled call, a time limit) kills the busy worker."""
        worker = await self._take()
        try:
            reply = await worker.ask(request)
        except BaseException:
            self._end(worker)
            raise
        if self._free.empty():
            self._free.put_nowait(worker)
        else:
            self._end(worker)
        return reply

    async def _take(self) -> Child:
        while True:
            try:
                async with asyncio.timeout(PATIENCE_S if self._running else 0):
                    worker = await self._free.get()
            except TimeoutError:
                if len(self._running) == MAX_WORKERS:
                    continue
                worker = Child("mcp.worker", self._options, stdin=True)
                self._running.add(worker)
            if worker.alive:
                return worker
            self._end(worker)

    def _end(self, worker: Child) -> None:
        worker.kill()
        self._running.discard(worker)

    def close(self) -> None:
        for worker in self._running:
            worker.kill()


class Service:
    """The served repositories and the workers that answer for them."""

    def __init__(
        self, repositories: Mapping[str, Path], options: Mapping[str, Any], time_limit_s: float, fleet: str | None
    ) -> None:
        self.fleet = fleet
        own = {name: options_of(name, options, len(repositories) > 1) for name in repositories}
        self.followed = {name: Followed(name, root, own[name], self._warm) for name, root in repositories.items()}
        self.workers = Workers({str(root): own[name] for name, root in repositories.items()})
        self._time_limit_s = time_limit_s
        self._warming: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Keep the indexes up to date and open, until cancelled."""
        await asyncio.sleep(START_AFTER_S)
        for one in self.followed.values():
            self._warm(one, {})
        tasks = [asyncio.create_task(one.follow()) for one in self.followed.values()]
        try:
            await asyncio.gather(*tasks)
        finally:
            await end((*tasks, *self._warming))

    async def call(self, name: str, arguments: Mapping[str, Any], tell: Tell) -> Reply:
        """The reply of a tool, also if the call is invalid or fails."""
        try:
            if name not in TOOLS:
                raise NotFound(f"there is no tool {name}", hint=f"the tools are {', '.join(TOOLS)}")
            tool = TOOLS[name]
            schema = input_schema(tool, tuple(self.followed), whole=True, fleet=self.fleet is not None)
            args = read_arguments(tool, arguments, schema)
            limit_s = float(args.pop("time_limit_s", self._time_limit_s))
            if not 0 < limit_s <= MAX_LIMIT_S:
                wanted = f"time_limit_s must be above 0 and at most {MAX_LIMIT_S:g}, not {limit_s!r}"
                raise InvalidRequest("time_limit_s", wanted)
            if "repos" in args:
                request = {"fleet": self.fleet, "repos": args.pop("repos"), "tool": name, "args": args}
                return await self._ask(request, asyncio.get_running_loop().time() + limit_s, limit_s, [])
            chosen = self._repositories_of(tool, args.get("repo"))
            args = _from_its_root(args, chosen[0]) if "repo" in args else args
            return await self._answer(tool, chosen, args, limit_s, tell)
        except (CtxpackError, OSError) as error:
            return failure(translated(error), name, arguments)

    def _repositories_of(self, tool: Tool, repo: str | None) -> list[Followed]:
        served = list(self.followed.values())
        if repo is None and len(served) > 1 and not tool.several:
            raise Ambiguous(
                f"{tool.name} needs a repository, and several are served",
                hint="name one with repo", details={"candidates": list(self.followed), "by": "repo"},
            )  # fmt: skip
        chosen = [one for one in served if repo in (None, one.name, str(one.root))]
        if not chosen:
            raise NotFound(f"the repository {repo} is not served", hint=f"these are: {', '.join(self.followed)}")
        gone = next((one for one in chosen if one.gone), None)
        if gone and tool.name != "index_status":
            hint = "restore it, or restart the server without it"
            raise NotADirectory(f"the folder of {gone.name} no longer exists ({gone.root})", hint=hint)
        return chosen

    async def _answer(
        self, tool: Tool, chosen: list[Followed], args: Mapping[str, Any], limit_s: float, tell: Tell
    ) -> Reply:
        now = asyncio.get_running_loop().time()
        enough = now + limit_s - max(ANSWER_SHARE * limit_s, min(ANSWER_S, limit_s / 2))
        behind = await _freshen(chosen, enough, tell) if tool.indexed else []
        look, notes = tool.indexed and not behind, dict[str, None]()
        while True:
            notes |= dict.fromkeys(note for one in chosen for note in one.notes())
            request = {"tool": tool.name, "args": args, "look": look, **_state_of(chosen, behind, notes)}
            reply = await self._ask(request, now + limit_s, limit_s, behind)
            if not look or "refresh" not in reply:
                break
            outdated = [one for one in chosen if one.name in reply["refresh"]]
            for one in outdated:
                one.notice()
            behind, look = await _freshen(outdated, enough, tell), False
        failed = next((one.error for one in chosen if one.error is not None), None)
        if "refresh" in reply and failed is not None:
            return error_text(failed)
        if "refresh" in reply and behind:
            raise _unfinished(behind, limit_s)
        return reply

    async def _ask(self, request: Mapping[str, Any], deadline: float, limit_s: float, behind: list[Followed]) -> Reply:
        """A worker's reply. A worker that dies is replaced once; one that takes too long is killed."""
        left_s = max(MIN_S, deadline - asyncio.get_running_loop().time())
        try:
            async with asyncio.timeout(left_s):
                with suppress(ChildEnded):
                    return await self.workers.ask({**request, "limit_s": left_s})
                return await self.workers.ask({**request, "limit_s": left_s})
        except TimeoutError:
            if behind:
                raise _unfinished(behind, limit_s) from None
            raise TimedOut(
                f"no answer was ready within {limit_s:g} s; the call was stopped",
                hint="raise time_limit_s, or ask for less with a lower limit or a filter",
                details={"limit_s": limit_s},
            ) from None

    def _warm(self, followed: Followed, _: Result) -> None:
        """Let a worker prepare what the next call needs; errors are left for that call to report."""

        async def warm() -> None:
            with suppress(ChildEnded, TimeoutError, OSError):
                async with asyncio.timeout(WARM_LIMIT_S):
                    request = {"roots": {followed.name: str(followed.root)}, "limit_s": WARM_LIMIT_S}
                    await self.workers.ask(request)

        task = asyncio.create_task(warm())
        self._warming.add(task)
        task.add_done_callback(self._warming.discard)


def _from_its_root(args: Mapping[str, Any], one: Followed) -> dict[str, Any]:
    """The arguments about one repository, without its name before paths, as answers about several write them.

    A topic (`async/await`), a route or a branch may begin with the same word: of these only the path of a file that
    exists loses it.
    """
    name = "" if (one.root / one.name).exists() else f"{one.name}/"  # a folder of the repository may be called so

    def own(value: Any) -> Any:
        if isinstance(value, list):  # globs and places
            return [text.removeprefix(name) or text for text in value]
        rest = value.removeprefix(name) if isinstance(value, str) else value
        return rest if rest != value and (path := _PATH.match(rest)) and lexists(one.root / path[0]) else value

    return {key: value if key == "diff" else own(value) for key, value in args.items()}


async def _freshen(chosen: list[Followed], enough: float, tell: Tell) -> list[Followed]:
    """Refresh the indexes; returns the repositories for which there was not enough time."""
    done = await asyncio.gather(*(one.freshen(enough, tell) for one in chosen))
    return [one for one, fresh in zip(chosen, done, strict=True) if not fresh]


def _state_of(chosen: list[Followed], behind: list[Followed], notes: Iterable[str]) -> dict[str, Any]:
    """The state of the repositories of a call, as the worker needs it."""
    late = "{}{}: this answer covers what was indexed so far. Ask again for the rest."
    hints = [late.format(f"{one.name} is still being indexed", _how_far([one])) for one in behind]
    failed = "The index of {} could not be refreshed: {}"
    hints += [failed.format(one.name, one.error["message"]) for one in chosen if one.error]
    states = [
        {"name": one.name, "root": str(one.root), "watched": one.watched, "refreshing": one.refreshing,
         "progress": as_data(one.progress) if one.progress else None, "error": one.error}
        for one in chosen
    ]  # fmt: skip
    roots = {one.name: str(one.root) for one in chosen if not one.gone}
    stale = bool(behind or any(one.failed for one in chosen))
    return {"roots": roots, "hints": [*hints, *notes], "stale": stale, "states": states}


def _unfinished(behind: list[Followed], limit_s: float) -> TimedOut:
    names = ", ".join(one.name for one in behind)
    return TimedOut(
        f"the index of {names} is not ready yet{_how_far(behind)}; indexing continues in the background",
        hint="ask again, with a higher time_limit_s if needed",
        details={"limit_s": limit_s},
    )


def _how_far(behind: list[Followed]) -> str:
    said = [progress(one.progress.stage, one.progress.done, one.progress.total) for one in behind if one.progress]
    return f" ({', '.join(said)})" if said else ""
