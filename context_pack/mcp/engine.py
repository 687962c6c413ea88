"""What a tool call does: wait until the index is fresh, ask a worker, and answer within the time limit."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from context_pack.core.envelope import answered, failed, translated
from context_pack.core.next_steps import Request, next_steps
from context_pack.kinds.code.repositories import options_of
from context_pack.mcp import text
from context_pack.mcp.served import Served, Tell
from context_pack.mcp.tools import DEFAULT_LIMIT_S, MAX_LIMIT_S, TOOLS, Tool, input_schema
from context_pack.mcp.workers import Askers, WorkerGone
from contracts.errors import Ambiguous, CtxpackError, InternalError, InvalidRequest, NotADirectory, NotFound, TimedOut
from contracts.records import Envelope, Hint
from contracts.reports import ServedRepositories, ServedRepository, Working
from contracts.validation import problem
from contracts.wire import envelope_data
from index.processors import processors

FRESHEN_SHARE = 0.8  # of a call's time limit: the rest is for answering from the index as it is
LEAST_S = 0.2  # an answer from an open index takes milliseconds, from one to be opened a little more
STATUS_LIMIT_S = 10.0
START_AFTER_S = 0.1  # the client's first request is answered before the background takes the processor
TABLE_AFTER_S = 30.0  # without a refresh, before the durable table follows the generations


@dataclass(frozen=True, slots=True)
class Reply:
    """What a call answers: the envelope as data, and the texts that a person reads."""

    envelope: Mapping[str, Any]
    texts: tuple[str, ...]


class Engine:
    """The served repositories and the workers that answer for them."""

    def __init__(
        self, repositories: Mapping[str, Path], options: Mapping[str, Any], time_limit_s: float = DEFAULT_LIMIT_S
    ) -> None:
        own = {name: options_of(name, options, len(repositories) > 1) for name in repositories}
        self.served = {name: Served(name, root, own[name]) for name, root in repositories.items()}
        by_root = {str(root): own[name] for name, root in repositories.items()}
        self._askers = Askers(by_root, most=max(2, min(4, processors())))
        self._time_limit_s = time_limit_s
        self._table: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self) -> None:
        """Watch the repositories and keep their indexes fresh and open. Never ends."""
        await asyncio.sleep(START_AFTER_S)
        for served in self.served.values():
            served.watch()
        await asyncio.gather(*(served.follow(self._refreshed) for served in self.served.values()))

    def close(self) -> None:
        self._askers.close()

    async def call(self, name: str, arguments: Mapping[str, Any], tell: Tell) -> Reply:
        """The answer of a tool, also where the call is wrong or fails."""
        try:
            tool = _tool(name)
            args = dict(arguments)
            self._check(tool, args)
            limit_s = _limit(args.pop("time_limit_s", self._time_limit_s))
            chosen = self._chosen(tool, args.pop("repo", None))
            if name == "index_status":
                return await self._status(chosen)
            return await self._answer(tool, chosen, args, limit_s, tell)
        except (WorkerGone, CtxpackError, OSError) as error:
            return _failure(_as_ours(error), Request({}, arguments, name))

    def _check(self, tool: Tool, args: Mapping[str, Any]) -> None:
        found = problem(args, input_schema(tool, tuple(self.served)))
        if found is not None:
            where, what = found
            raise InvalidRequest(where or "arguments", f"{where or 'the arguments'} {what}")

    def _chosen(self, tool: Tool, repo: str | None) -> list[Served]:
        names = ", ".join(self.served)
        if repo is None:
            if len(self.served) > 1 and not tool.several and tool.name != "index_status":
                raise Ambiguous(
                    f"{tool.name} needs to know which repository is meant", hint="name one as repo",
                    details={"candidates": list(self.served)},
                )  # fmt: skip
            chosen = list(self.served.values())
        else:
            chosen = [one for one in self.served.values() if repo in (one.name, str(one.root))]
            if not chosen:
                raise NotFound(f"no repository {repo} is served", hint=f"served are {names}")
        for served in chosen if tool.name != "index_status" else ():
            if served.gone:
                raise NotADirectory(
                    f"the folder of {served.name} is gone ({served.root})",
                    hint="put it back, or start the server without it",
                )
        return chosen

    async def _answer(
        self, tool: Tool, chosen: list[Served], args: Mapping[str, Any], limit_s: float, tell: Tell
    ) -> Reply:
        loop = asyncio.get_running_loop()
        deadline, enough = loop.time() + limit_s, loop.time() + limit_s * FRESHEN_SHARE
        behind = await _freshen(chosen, enough, tell) if tool.indexed else []
        request = {"op": "call", "tool": tool.name, "args": args, "roots": _roots(chosen), "look": not behind}
        try:
            reply = await self._ask(request, deadline, limit_s)
        except TimedOut:
            if behind:
                raise _unfinished(behind, limit_s) from None
            raise
        unknown = _names_to_refresh(reply, chosen, behind) if tool.indexed else []
        if unknown:
            for served in unknown:
                served.notice()
            behind = await _freshen(unknown, enough, tell)
            reply = await self._ask({**request, "look": False}, deadline, limit_s)
        return _told(reply, chosen, behind, limit_s)

    async def _ask(self, request: Mapping[str, Any], deadline: float, limit_s: float) -> dict[str, Any]:
        """A worker's reply. A worker that dies is replaced once; one that takes too long is ended."""
        left_s = max(LEAST_S, deadline - asyncio.get_running_loop().time())
        try:
            async with asyncio.timeout(left_s):
                try:
                    return await self._askers.ask({**request, "limit_s": left_s})
                except WorkerGone:
                    return await self._askers.ask({**request, "limit_s": left_s})
        except TimeoutError:
            raise TimedOut(
                f"nothing was ready within {limit_s:g} s, and the work was ended",
                hint="allow more with time_limit_s, or ask for less: a lower limit, fewer related items, a filter",
                details={"limit_s": limit_s},
            ) from None

    async def _refreshed(self, served: Served) -> None:
        """Open the new generation before anybody asks, and let the durable table follow when there is peace."""
        roots = _roots([served])
        await self._quietly({"op": "warm", "roots": roots})
        waiting = self._table.pop(served.name, None)
        if waiting is not None:
            waiting.cancel()
        loop = asyncio.get_running_loop()
        self._table[served.name] = loop.call_later(TABLE_AFTER_S, self._finish, roots)

    def _finish(self, roots: Mapping[str, str]) -> None:
        task = asyncio.create_task(self._quietly({"op": "finish", "roots": roots}))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _quietly(self, request: Mapping[str, Any]) -> None:
        try:
            await self._askers.ask(request)
        except WorkerGone:
            return  # the next call starts another one

    async def _status(self, chosen: list[Served]) -> Reply:
        rows = await asyncio.gather(*map(self._row, chosen))
        found = ServedRepositories(tuple(rows))
        envelope = answered_status(found)
        return Reply(envelope_data(envelope), (text.repositories(found),))

    async def _row(self, served: Served) -> ServedRepository:
        state, index = "gone", None
        if not served.gone:
            request = {"op": "call", "tool": "status", "args": {}, "roots": _roots([served]), "look": False}
            deadline = asyncio.get_running_loop().time() + STATUS_LIMIT_S
            reply = await self._ask(request, deadline, STATUS_LIMIT_S)
            index = reply["envelope"]["data"]
            state = "indexing" if served.indexing else "ready" if index else "missing"
        return ServedRepository(
            served.name, str(served.root), state, served.watched, served.progress, index, served.error
        )


def answered_status(found: ServedRepositories) -> Envelope:
    from context_pack.answer import Answer

    return answered(Answer(found))


def _tool(name: str) -> Tool:
    if name not in TOOLS:
        raise NotFound(f"there is no tool {name}", hint=f"there are {', '.join(TOOLS)}")
    return TOOLS[name]


def _limit(value: float) -> float:
    if not 0 < value <= MAX_LIMIT_S:
        raise InvalidRequest("time_limit_s", f"time_limit_s must be above 0 and at most {MAX_LIMIT_S:g}, not {value!r}")
    return float(value)


def _roots(chosen: list[Served]) -> dict[str, str]:
    return {served.name: str(served.root) for served in chosen}


async def _freshen(chosen: list[Served], enough: float, tell: Tell) -> list[Served]:
    """Those whose indexes could not be brought up to date in time."""
    done = await asyncio.gather(*(served.freshen(enough, tell) for served in chosen))
    return [served for served, fresh in zip(chosen, done, strict=True) if not fresh]


def _names_to_refresh(reply: Mapping[str, Any], chosen: list[Served], behind: list[Served]) -> list[Served]:
    """What a worker saw that the watch had not told: a tree that changed, or an index that was removed."""
    if "changed" in reply:
        return [served for served in chosen if served.name in reply["changed"]]
    error = reply["envelope"].get("error")
    missing = error is not None and error["code"] == "index_missing"
    return [one for one in chosen if one.error is None] if missing and not behind else []


def _told(reply: Mapping[str, Any], chosen: list[Served], behind: list[Served], limit_s: float) -> Reply:
    """The reply with what the server knows: what could not be brought up to date, and why."""
    envelope = dict(reply["envelope"])
    error = envelope.get("error")
    if error is not None and error["code"] in ("index_missing", "model_mismatch"):
        failure = next((served.error for served in chosen if served.error is not None), None)
        if failure is not None:
            envelope["error"] = failure
            return Reply(envelope, (f"{failure['code']}: {failure['message']}\n{failure['hint']}\n",))
        if behind:
            raise _unfinished(behind, limit_s)
    hints = [*_behind_hints(behind), *_failure_hints(chosen), *_notes(chosen)]
    if not hints or error is not None:
        return Reply(envelope, tuple(reply["text"]))
    envelope["hints"] = [*envelope["hints"], *({"type": hint.type, "text": hint.text} for hint in hints)]
    if "index" in envelope["meta"] and (behind or any(served.failed for served in chosen)):
        envelope["meta"] = {**envelope["meta"], "index": {**envelope["meta"]["index"], "stale": True}}
    printed = reply["text"][0]
    shown = tuple(Hint(hint["type"], hint["text"]) for hint in envelope["hints"])
    return Reply(envelope, (printed, *text.hints_text(shown)))


def _unfinished(behind: list[Served], limit_s: float) -> TimedOut:
    names = ", ".join(served.name for served in behind)
    return TimedOut(
        f"the index of {names} is not there yet{_how_far(behind)}; it goes on in the background",
        hint="ask again, with a higher time_limit_s if need be; index_status tells how far it is",
        details={"limit_s": limit_s},
    )


def _behind_hints(behind: list[Served]) -> list[Hint]:
    return [
        Hint(
            "warn",
            f"{served.name} has changed and its index is still being brought up to date{_how_far([served])}: "
            "this answer is from before. Ask again for a fresh one.",
        )
        for served in behind
    ]


def _failure_hints(chosen: list[Served]) -> list[Hint]:
    return [
        Hint("warn", f"The index of {served.name} could not be brought up to date: {served.error['message']}")
        for served in chosen
        if served.error is not None
    ]


def _notes(chosen: list[Served]) -> list[Hint]:
    return [Hint("warn", note) for served in chosen for note in served.notes()]


def _how_far(behind: list[Served]) -> str:
    told = [working for served in behind if (working := served.progress) is not None]
    return f" ({', '.join(_words(working) for working in told)})" if told else ""


def _words(working: Working) -> str:
    return text.progress(working.stage, working.done, working.total)


def _as_ours(error: Exception) -> CtxpackError:
    if isinstance(error, WorkerGone):
        return InternalError("the process at work on this call ended before it had answered")
    return translated(error)


def _failure(error: CtxpackError, call: Request) -> Reply:
    envelope = failed(error, next_steps(error, call))
    return Reply(envelope_data(envelope), (text.error_text(envelope),))
