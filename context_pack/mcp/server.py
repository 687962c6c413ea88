"""The Model Context Protocol on stdin and stdout. Only this module and `repair` import the SDK.

The SDK takes over stdin and stdout of the process: all other output goes to stderr.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from context_pack.follow.process import end
from context_pack.mcp import schemas
from context_pack.mcp.repair import MessageStream
from context_pack.mcp.service import Service
from context_pack.mcp.text import progress
from context_pack.version import __version__
from contracts.reports import Working

Context = ServerRequestContext[Any, Any]

INSTRUCTIONS = (
    "ctxpack finds the code that answers a question in {served} and packs it within a size limit. Call context_pack "
    "before reading files one by one, and related before changing something."
)


def make_server(service: Service, whole: bool, structured: bool) -> Server[Any]:
    """`whole`: list every tool. `structured`: return places and budget as structured content.

    Without `structured`, `_meta` holds everything but the places: most agents show their model structured content
    instead of the text, and the text already has the places.
    """
    roots = {name: one.root for name, one in service.followed.items()}

    async def list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    description=tool.description,
                    input_schema=schemas.input_schema(tool, tuple(roots), whole, service.fleet is not None),
                    annotations=types.ToolAnnotations(read_only_hint=True),
                )
                for tool in schemas.listed(roots.values(), whole)
            ]
        )

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        steps = count(1)

        async def tell(working: Working) -> None:
            text = progress(working.stage, working.done, working.total)
            await context.session.report_progress(next(steps), None, text)

        reply = await service.call(params.name, params.arguments or {}, tell)
        apart = {"texts", "refresh"} if structured else {"texts", "refresh", "places"}
        about = {name: value for name, value in reply.items() if name not in apart}
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=one) for one in reply["texts"]],
            is_error="error" in reply,
            structured_content=about if structured else None,
            _meta=None if structured else {"ctxpack": about},
        )

    return Server(
        "ctxpack",
        version=__version__,
        instructions=INSTRUCTIONS.format(served=", ".join(roots)),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve(
    repositories: Mapping[str, Path], options: Mapping[str, Any], time_limit_s: float, whole: bool, structured: bool,
    fleet: str | None,
) -> None:  # fmt: skip
    """Serve until stdin ends."""
    gc.freeze()  # objects created by imports stay
    gc.set_threshold(700, 10, 10)  # a server runs long: with the command line's rare collections it would grow

    async def run() -> None:
        service = Service(repositories, options, time_limit_s, fleet)
        server, background = make_server(service, whole, structured), asyncio.create_task(service.run())
        try:
            async with stdio_server() as (read, write):
                await server.run(MessageStream(read, write), write, server.create_initialization_options())
        finally:
            await end([background])
            service.workers.close()

    asyncio.run(run())
    os._exit(0)  # without waiting for a thread that reads stdin
