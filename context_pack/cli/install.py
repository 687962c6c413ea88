"""`ctxpack install` and `ctxpack uninstall`: an agent's configuration, changed after it was shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from context_pack.answer import Reply
from context_pack.cli.options import completions
from context_pack.cli.output import command
from context_pack.installer.agents import AGENTS
from context_pack.options.values import AGENT

if TYPE_CHECKING:
    from context_pack.installer.changes import Change
    from contracts.records import Hint
    from contracts.reports import Configured


def _agents(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:
    return completions(AGENT, incomplete)


@command("install", "ctxpack install", "ctxpack install cursor", "ctxpack install codex --yes")
@click.argument("agent", metavar="[AGENT]", required=False, shell_complete=_agents)
def install(agent: str | None, yes: bool, repo: str | None) -> Reply:
    """Write `ctxpack mcp` into the configuration of AGENT, after showing the change and asking.

    AGENT: claude, claude-desktop, codex, cursor, gemini, vscode, windsurf or zed. Without it: which of them have it.
    The file that was there is kept beside it; `ctxpack uninstall` takes the change back.
    """
    from context_pack.installer import changes
    from context_pack.io.paths import root_of

    root = root_of(repo)
    if agent is None:
        return _reply(*_overview(root))
    change = changes.installation(changes.agent_named(agent), root, changes.command())
    row, hints = _carry_out(change, yes, "written", f"ctxpack install {agent} --yes", lambda: changes.apply(change))
    return _reply([row], hints)


@command("uninstall", "ctxpack uninstall cursor")
@click.argument("agent", shell_complete=_agents)
def uninstall(agent: str, yes: bool, repo: str | None) -> Reply:
    """Take `ctxpack mcp` out of the configuration of AGENT, after showing the change and asking."""
    from context_pack.installer import changes
    from context_pack.io.paths import root_of

    change = changes.removal(changes.agent_named(agent), root_of(repo))
    undo = f"ctxpack uninstall {agent} --yes"
    row, hints = _carry_out(change, yes, "removed", undo, lambda: changes.apply(change, undo=True))
    return _reply([row], hints)


def _overview(root: Path) -> tuple[list[Configured], tuple[Hint, ...]]:
    """Every agent, with or without us; one whose configuration cannot be read gives a hint."""
    from context_pack.installer import changes
    from contracts.errors import CtxpackError
    from contracts.records import Hint
    from contracts.reports import Configured

    rows, hints = [], []
    for agent in AGENTS.values():
        try:
            rows.append(_row(changes.removal(agent, root)))
        except CtxpackError as error:
            rows.append(Configured(agent.name, agent.title, str(agent.file(root)), "unreadable"))
            hints.append(Hint("warn", error.message))
    if not any(row.state == "present" for row in rows):
        hints.append(Hint("action", "`ctxpack install AGENT` shows the change for one of them and asks"))
    return rows, tuple(hints)


def _row(change: Change, state: str = "", diff: str = "") -> Configured:
    """Without a state: whether the configuration has us, which is so where there is anything to take out."""
    from contracts.reports import Configured

    agent = change.agent
    backup = str(change.backup) if change.backup.exists() else ""
    presence = "present" if change.needed else "absent"
    return Configured(agent.name, agent.title, str(change.file), state or presence, diff, backup)


def _carry_out(
    change: Change, yes: bool, done: str, again: str, run: Callable[[], None]
) -> tuple[Configured, tuple[Hint, ...]]:
    from contracts.records import Hint

    if not change.needed:
        return _row(change, "present" if done == "written" else "absent"), ()
    diff = change.diff
    if yes or _agreed(diff):
        run()
        restart = Hint("action", f"Start {change.agent.title} again, or reload its MCP servers.")
        return _row(change, done, diff), (restart,)
    return _row(change, "asked", diff), (Hint("action", f"Nothing was changed: `{again}` makes the change"),)


def _agreed(diff: str) -> bool:
    """Whether a person at a terminal agrees to the change, which they are shown."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    click.echo(diff, err=True)
    return click.confirm("Make this change?", err=True)


def _reply(rows: Sequence[Configured], hints: Sequence[Hint]) -> Reply:
    from context_pack.answer import Answer
    from contracts.reports import Configurations

    return Reply(Answer(Configurations(tuple(rows)), tuple(hints)))


COMMANDS = (install, uninstall)
