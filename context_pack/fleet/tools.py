"""An agent's tools over a fleet, answered by the functions that serve single repositories."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from context_pack.envelope import translated
from context_pack.fleet.questions import OWNER, Reader, session_for
from context_pack.fleet.replies import is_server, post
from context_pack.mcp import tools
from context_pack.mcp.schemas import DEFAULTS, FLEET_TOOLS, TOOLS, input_schema, read_arguments
from context_pack.mcp.text import Reply, failure, success
from contracts.errors import InvalidRequest
from index.fleet.fleet import Fleet

REFRESH_S = 2.0  # between two checks for newer tables
LIMIT_S = 60.0
_opened: dict[str, tuple[Fleet, float]] = {}  # per URI, with the time of the last check


def reply_of(uri: str, tool: str, args: Mapping[str, Any], globs: Sequence[str]) -> Reply:
    """The reply of a tool, from a store, which stays open, or from a server."""
    try:
        if is_server(uri):
            return post(uri, "tool", {"tool": tool, "args": dict(args), "repos": list(globs)})
        return reply(_fleet(uri), tool, args, OWNER, globs)
    except Exception as error:  # whatever it is, the caller gets it
        return failure(translated(error), tool, args)


def _fleet(uri: str) -> Fleet:
    now = time.monotonic()
    fleet, looked_at = _opened.get(uri) or (Fleet(uri), now)
    if now - looked_at > REFRESH_S:
        fleet.refresh()
        looked_at = now
    _opened[uri] = fleet, looked_at
    return fleet


def reply(fleet: Fleet, tool: str, args: Any, reader: Reader, globs: Sequence[str]) -> Reply:
    """The reply of a tool; a failure if the call is invalid or fails."""
    where = {"repos": list(globs)} if globs else {}  # for the calls in hints
    given: Mapping[str, Any] = {**(args if isinstance(args, dict) else {}), **where}
    try:
        if tool not in FLEET_TOOLS:
            raise InvalidRequest("tool", f"a fleet supports {', '.join(FLEET_TOOLS)}, not {tool}")
        given = {**read_arguments(TOOLS[tool], args, input_schema(TOOLS[tool], (), whole=True)), **where}
        if given.get("mode") == "symbols" or given.keys() & {"diff", "staged"}:
            raise InvalidRequest("mode", "a fleet supports neither diff nor staged nor the mode symbols")
        text = str(given.get("target" if tool == "related" else "query", ""))
        session, hints = session_for(fleet, text, reader, globs, {**DEFAULTS, "format": "md"})
        options = {name: value for name, value in given.items() if name not in ("repo", "repos", "time_limit_s")}
        call = tools.Call(lambda _roots: session, {}, options, float(given.get("time_limit_s", LIMIT_S)), ())
        answer, printed, about = getattr(tools, tool)(call)
        return success(answer.with_hints(hints), printed, about, tool, given)
    except Exception as error:  # whatever it is, the caller gets it
        return failure(translated(error), tool, given)
