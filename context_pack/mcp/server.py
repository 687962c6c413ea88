"""The Model Context Protocol on stdin and stdout. It and `repair` alone import the SDK.

The SDK takes the process's stdout for itself and lets everything else that is printed go to stderr.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from context_pack import __version__
from context_pack.mcp.engine import Engine
from context_pack.mcp.repair import repaired
from context_pack.mcp.schemas import output_schema
from context_pack.mcp.text import progress
from context_pack.mcp.tools import TOOLS, Tool, input_schema
from contracts.reports import Working

Context = ServerRequestContext[Any, Any]

INSTRUCTIONS = (
    "ctxpack finds the code that answers a question in the served repositories ({served}) and packs it within a size "
    "limit. Call context_pack first for any question about the code, before reading files one by one; `related` before "
    "changing a function; `search` or `symbols` when only places are wanted. Answers are the same for the same tree."
)


class Progress:
    """Working as one number that only grows, whatever the stages are."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._stage = ""
        self._before = 0.0
        self._last = 0.0

    async def __call__(self, working: Working) -> None:
        if working.stage != self._stage:
            self._stage, self._before = working.stage, self._last
        value = self._before + working.done
        if value <= self._last:
            return
        self._last = value
        total = self._before + working.total if working.total else None
        said = progress(working.stage, working.done, working.total)
        await self._context.session.report_progress(value, total, said)


def listed(tool: Tool, repositories: tuple[str, ...]) -> types.Tool:
    """A tool as clients see it; none of them changes anything but the index."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=input_schema(tool, repositories),
        output_schema=output_schema(tool.answer),
        annotations=types.ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
    )


def make_server(engine: Engine) -> Server[Any]:
    tools = [listed(tool, tuple(engine.served)) for tool in TOOLS.values()]

    async def list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        reply = await engine.call(params.name, params.arguments or {}, Progress(context))
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=one) for one in reply.texts],
            structured_content=dict(reply.envelope),
            is_error=reply.envelope["status"] == "error",
        )

    return Server(
        "ctxpack",
        version=__version__,
        title="ctxpack",
        instructions=INSTRUCTIONS.format(served=", ".join(engine.served)),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _serve(engine: Engine) -> None:
    server = make_server(engine)
    background = asyncio.create_task(engine.run())
    try:
        async with stdio_server() as (read, write), repaired(read, write) as messages:
            await server.run(messages, write, server.create_initialization_options())
    finally:
        background.cancel()
        engine.close()


def serve(repositories: Mapping[str, Path], options: Mapping[str, Any], time_limit_s: float) -> None:
    """Serve until stdin ends."""
    gc.freeze()  # what the imports made stays
    gc.set_threshold(700, 10, 10)  # a server runs long: the command line's seldom collections would let it grow
    asyncio.run(_serve(Engine(repositories, options, time_limit_s)))
    os._exit(0)  # without waiting for a thread that reads stdin
