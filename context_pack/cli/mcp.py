"""`ctxpack mcp`: the server for agents."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from context_pack.agents.known import AGENTS
from context_pack.cli.options import given, options


@click.command(
    epilog="\b\nExamples:\n  ctxpack mcp\n  ctxpack mcp --repo ~/src/app --repo ~/src/lib\n"
    "  ctxpack mcp --print-config cursor"
)
@options("repos", "profile", "model", "index_dir", "max_file_bytes")
@click.option("--time-limit", type=float, metavar="SECONDS", default=30.0, help="Of a call that names none. [30]")
@click.option(
    "--print-config", "agent", metavar="AGENT", help=f"Print what to paste for an agent: {', '.join(AGENTS)}."
)
def mcp(repo: tuple[str, ...], time_limit: float, agent: str | None, **values: Any) -> None:
    """Serve agents over the Model Context Protocol, on stdin and stdout, until stdin ends.

    Tools: context_pack, search, related, symbols, graph_pack, task_packet, turn_pack, page_pack, index_status. Indexes
    stay in memory and follow the trees by themselves. Needs the extra `mcp`.
    """
    from importlib.util import find_spec

    from context_pack.config import root_of
    from context_pack.mcp.tools import MAX_LIMIT_S
    from context_pack.repositories import named
    from context_pack.watching import missing_extra
    from contracts.errors import InvalidRequest

    if not 0 < time_limit <= MAX_LIMIT_S:
        raise InvalidRequest("time_limit", f"--time-limit must be above 0 and at most {MAX_LIMIT_S:g} seconds")
    repositories = named(root_of(one) for one in repo or (None,))
    if agent is not None:
        _print_config(agent, list(repositories.values()))
        return
    if find_spec("mcp_types") is None or find_spec("watchfiles") is None:
        raise missing_extra("mcp")
    from context_pack.mcp.server import serve

    chosen = given(values)
    if "index_dir" in chosen:
        chosen["index_dir"] = str(Path(str(chosen["index_dir"])).absolute())
    serve(repositories, chosen, time_limit)


def _print_config(name: str, roots: list[Path]) -> None:
    from context_pack.agents import installing
    from context_pack.cli.emit import write

    agent = installing.agent_named(name)
    write(installing.configuration(agent, roots, installing.command()).encode())
    if sys.stderr.isatty():
        print(f"ctxpack: for {agent.title}, in {agent.file(roots[0])}", file=sys.stderr)


COMMANDS = (mcp,)
