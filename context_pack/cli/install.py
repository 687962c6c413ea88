"""`ctxpack install` and `ctxpack uninstall`: show a change to an agent's configuration, then make it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from context_pack.answer import Answer, Reply
from context_pack.cli.options import completing
from context_pack.cli.output import command
from context_pack.cli.servers import check_extra
from context_pack.installer import changes
from context_pack.installer.agents import AGENTS
from context_pack.io.paths import root_of
from context_pack.options.values import AGENT
from contracts.errors import CtxpackError, InvalidRequest
from contracts.records import Hint
from contracts.reports import Configurations, Configured

_agents = completing(AGENT)


@command("install", "ctxpack install", "ctxpack install cursor", "ctxpack install codex --yes")
@click.argument("agent", metavar="[AGENT]", required=False, shell_complete=_agents)
def install(agent: str | None, yes: bool, repo: str | None) -> Reply:
    """Add `ctxpack mcp` to the configuration of AGENT, after showing the change and asking.

    AGENT: claude, claude-desktop, codex, cursor, gemini, vscode, windsurf or zed. Without it, list which agents are
    configured. The previous file is kept as a backup; `ctxpack uninstall` undoes the change.
    """
    root = root_of(repo)
    if agent is None:
        return _overview(root)
    chosen = changes.agent_named(agent)
    return _carried_out(changes.installation(chosen, root, changes.command(chosen)), yes, undo=False)


@command("uninstall", "ctxpack uninstall cursor")
@click.argument("agent", shell_complete=_agents)
def uninstall(agent: str, yes: bool, repo: str | None) -> Reply:
    """Remove `ctxpack mcp` from the configuration of AGENT, after showing the change and asking."""
    return _carried_out(changes.removal(changes.agent_named(agent), root_of(repo)), yes, undo=True)


def _overview(root: Path) -> Reply:
    """Every agent and whether it has ctxpack; an unreadable configuration gives a hint."""
    rows, hints = [], []
    for agent in AGENTS.values():
        try:
            change = changes.removal(agent, root)
            rows.append(_row(change, "present" if change.needed else "absent"))
        except CtxpackError as error:
            rows.append(Configured(agent.name, agent.title, str(agent.file(root)), "unreadable"))
            hints.append(Hint("warn", error.message))
    if not any(row.state == "present" for row in rows):
        hints.append(Hint("action", "`ctxpack install AGENT` adds ctxpack to an agent, after showing the change"))
    return Reply(Answer(Configurations(tuple(rows)), tuple(hints)))


def _carried_out(change: changes.FileChange, yes: bool, *, undo: bool) -> Reply:
    """Make the change if `yes` is set or the person at the terminal, who sees the diff, agrees."""
    agent, state, diff = change.agent, "absent" if undo else "present", ""
    hints: tuple[Hint, ...] = ()
    if change.needed:
        agreed, to_confirm = yes, not yes and sys.stdin.isatty() and sys.stderr.isatty()
        if to_confirm:
            click.echo(change.diff, err=True)
            agreed = click.confirm("Make this change?", err=True)
        verb, done = ("uninstall", "removed") if undo else ("install", "written")
        text = f"Nothing was changed; `ctxpack {verb} {agent.name} --yes` makes this change."
        if agreed:
            changes.apply(change, undo=undo)
            text = f"Restart {agent.title}, or reload its MCP servers."
        diff = "" if to_confirm and sys.stdout.isatty() else change.diff  # a person does not need it twice
        state, hints = done if agreed else "asked", (Hint("action", text),)
    try:
        check_extra("mcp")
    except InvalidRequest as missing:
        hints = (*(() if undo else [Hint("warn", f"{missing.message}: {missing.hint}")]), *hints)
    return Reply(Answer(Configurations((_row(change, state, diff),)), hints))


def _row(change: changes.FileChange, state: str, diff: str = "") -> Configured:
    agent, backup = change.agent, str(change.backup) if change.backup.exists() else ""
    return Configured(agent.name, agent.title, str(change.file), state, diff, backup)
