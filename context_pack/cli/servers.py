"""`ctxpack mcp`, the server for agents, and `ctxpack watch`; both follow file changes until they are stopped."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from context_pack.cli.options import given
from context_pack.cli.output import command, write
from context_pack.cli.progress import progress_line, until_stopped
from context_pack.io.paths import root_of
from context_pack.options.resolve import environment
from contracts.errors import InvalidRequest, with_extra

EXTRAS = {"mcp": ("mcp", "mcp_types", "watchfiles"), "watch": ("watchfiles",)}


@command("mcp", "ctxpack mcp", "ctxpack mcp --repo ~/src/app --repo ~/src/lib", "ctxpack mcp --print-config cursor")
def mcp(
    repo: tuple[str, ...], fleet: str | None, time_limit: float, tools: str, structured: bool,
    print_config: str | None, **values: Any,
) -> None:  # fmt: skip
    """Serve agents over the Model Context Protocol, on stdin and stdout, until stdin ends.

    Tools: context_pack and related; graph_pack, task_packet, turn_pack and page_pack if the repository has files for
    them; with `--tools all` also search, symbols and index_status. Indexes stay in memory and are refreshed when files
    change. With --fleet, the tools accept `repos`, a glob of repository names in the fleet to ask instead. Needs the
    extra `mcp`.
    """
    if not time_limit:
        raise InvalidRequest("time_limit", "time_limit must be above 0")
    repositories = _named(repo)
    if print_config is not None:
        from context_pack.installer import changes

        roots, agent = list(repositories.values()), changes.agent_named(print_config)
        write(changes.configuration(agent, roots, changes.command(agent)).encode())
        if sys.stderr.isatty():
            print(f"ctxpack: for {agent.title}, in {agent.file(roots[0])}", file=sys.stderr)
        return
    check_extra("mcp")
    from context_pack.mcp.server import serve

    chosen = {**environment().values, **given(values)}
    if "index_dir" in chosen:
        chosen["index_dir"] = str(Path(str(chosen["index_dir"])).absolute())
    serve(repositories, chosen, time_limit, tools == "all", structured, fleet)


def _named(repo: tuple[str, ...]) -> dict[str, Path]:
    """The roots of the repositories to serve, by name."""
    from context_pack.kinds.code.repositories import named

    return named(root_of(one) for one in repo or (None,))


def check_extra(command: str) -> None:
    """InvalidRequest if packages of a command's extra, which has the same name, are missing."""
    if any(find_spec(package) is None for package in EXTRAS[command]):
        raise InvalidRequest(
            "command", f"`ctxpack {command}` needs the extra `{command}`, which is not installed",
            hint=f"run {with_extra(command)}",
        )  # fmt: skip


@command("watch", "ctxpack watch", "ctxpack watch --repo ~/src/app --repo ~/src/lib")
def watch(repo: tuple[str, ...], **values: Any) -> None:
    """Keep the index up to date while files change, until stopped (Ctrl-C), so that no question has to wait.

    Prints one line for the first refresh, and one per refresh that changed something: an envelope, as `ctxpack index`
    prints it. Needs the extra `watch`.
    """
    roots, code = _named(repo), 0
    check_extra("watch")
    with until_stopped():
        asyncio.run(_written(roots, {**environment().values, **given(values)}))
        code = 1  # every folder is gone
    sys.stdout.flush()
    os._exit(code)


async def _written(roots: Mapping[str, Path], options: Mapping[str, object]) -> None:
    from context_pack.envelope import encoded
    from context_pack.follow.loop import watch

    with progress_line() as progress:
        async for envelope in watch(roots, options, progress):
            if not sys.stdout.isatty():
                write(encoded(envelope))
                continue
            for hint in envelope["hints"]:
                click.echo(hint["text"])
            if envelope["status"] == "error":
                click.echo(f"{envelope['error']['message']} {envelope['error']['hint']}")
