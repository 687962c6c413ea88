"""`ctxpack mcp`: the server for agents."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from context_pack.cli.options import given
from context_pack.cli.output import command


@command("mcp", "ctxpack mcp", "ctxpack mcp --repo ~/src/app --repo ~/src/lib", "ctxpack mcp --print-config cursor")
def mcp(
    repo: tuple[str, ...], time_limit: float, tools: str, structured: bool, print_config: str | None, **values: Any
) -> None:
    """Serve agents over the Model Context Protocol, on stdin and stdout, until stdin ends.

    Tools: context_pack and related; graph_pack, task_packet, turn_pack and page_pack where the repository has files for
    them; with `--tools all` also search, symbols and index_status. Indexes stay in memory and follow the trees by
    themselves. Needs the extra `mcp`.
    """
    from importlib.util import find_spec

    from context_pack.follow.events import missing_extra
    from context_pack.kinds.code.repositories import named
    from context_pack.options.resolve import environment
    from context_pack.options.roots import root_of
    from contracts.errors import InvalidRequest

    if not time_limit:
        raise InvalidRequest("time_limit", "time_limit must be above 0")
    repositories = named(root_of(one) for one in repo or (None,))
    if print_config is not None:
        _print_config(print_config, list(repositories.values()))
        return
    if find_spec("mcp_types") is None or find_spec("watchfiles") is None:
        raise missing_extra("mcp")
    from context_pack.mcp.server import serve

    chosen = {**environment().values, **given(values)}
    if "index_dir" in chosen:
        chosen["index_dir"] = str(Path(str(chosen["index_dir"])).absolute())
    serve(repositories, chosen, time_limit, tools == "all", structured)


def _print_config(name: str, roots: list[Path]) -> None:
    from context_pack.cli.output import write
    from context_pack.installer import changes

    agent = changes.agent_named(name)
    write(changes.configuration(agent, roots, changes.command()).encode())
    if sys.stderr.isatty():
        print(f"ctxpack: for {agent.title}, in {agent.file(roots[0])}", file=sys.stderr)


COMMANDS = (mcp,)
