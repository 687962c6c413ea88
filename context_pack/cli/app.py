"""Runs one command line and reports every failure: an envelope for a program, a line for a person, no traceback."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from context_pack.cli.progress import INTERRUPTED
from context_pack.version import __version__
from contracts.errors import CtxpackError, UsageError

EXAMPLES = """\b
Examples:
  ctxpack query "EmbeddingCache" --max-chars 20000
  ctxpack query "where are retries configured" --format md --no-docs
  ctxpack query src/http/client.py:120 --explain
  ctxpack search "parse header" --top-k 5 --content
  ctxpack symbols "*Cache"
  ctxpack query --diff --format md
"""


# Each command with its module in this folder and its summary. A module is imported when its command is used.
COMMANDS = {
    "query": ("questions", "Pack the code that answers a question, within a size limit."),
    "search": ("questions", "List ranked chunks, best first, without a size limit."),
    "related": ("questions", "Show what calls a place, what it calls, its tests and types."),
    "symbols": ("questions", "Show where symbols are defined."),
    "batch": ("batch", "Answer requests in JSON Lines, one envelope per line."),
    "graph": ("records", "Pack a node of a Markdown work graph."),
    "pages": ("records", "List the pages of a wiki vault to read first."),
    "task": ("records", "Pack what a planned task needs, in ten slots."),
    "turn": ("records", "Pack what one turn of a workflow node needs."),
    "mcp": ("servers", "Serve agents over the Model Context Protocol."),
    "install": ("install", "Add the MCP server to an agent's configuration."),
    "uninstall": ("install", "Remove the MCP server from an agent's configuration."),
    "init": ("init", "Write a small example project."),
    "index": ("maintenance", "Build or refresh the index of a repository."),
    "watch": ("servers", "Keep an index up to date while files change."),
    "fleet": ("fleet", "Manage the shared index of an organisation's repositories."),
    "bench": ("maintenance", "Measure how much ctxpack finds on your own commits."),
    "status": ("questions", "Show what is indexed, and what is not."),
    "clean": ("maintenance", "Remove the index of a repository."),
    "trust": ("maintenance", "Allow a repository to choose models and folders on this machine."),
    "model": ("maintenance", "List the embedding models, or download one."),
    "completion": ("maintenance", "Print the completion script for a shell."),
}


class Commands(click.Group):
    """The commands of the table, in the same order."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return getattr(import_module(f"context_pack.cli.{COMMANDS[cmd_name][0]}"), cmd_name)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            from context_pack.options.values import closest

            near = closest(name, COMMANDS, "commands")
            asks = "`ctxpack query TEXT` asks a question; " if near.startswith("the commands") else ""
            raise click.UsageError(f"there is no command {name}; {asks}{near}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
    epilog=EXAMPLES,
)
@click.version_option(__version__, prog_name="ctxpack")
@click.pass_context
def cli(context: click.Context) -> None:
    """Find the code that answers a question and pack it within a size limit.

    Results are text on a terminal; elsewhere they are JSON on stdout, in the envelope {status, hints, data, meta}, or
    Markdown (graph, pages, bench). The first question builds the index, and later ones refresh it. Defaults come from
    ctxpack.toml, or from [tool.ctxpack] in pyproject.toml.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code: 0 success, 1 failure, 2 usage error."""
    contexts: dict[str, click.Context] = {}
    try:
        code = cli.main(list(arguments), prog_name="ctxpack", standalone_mode=False, obj=contexts)
    except click.UsageError as error:
        from context_pack.cli.options import alike, takes_text
        from context_pack.redaction import Redactor
        from context_pack.render.phrases import escaped

        if isinstance(error, click.NoSuchOption):
            error = click.NoSuchOption(error.option_name, possibilities=alike(error), ctx=error.ctx)
        message = error.format_message()
        unknown = error.option_name if isinstance(error, click.NoSuchOption) and not error.possibilities else ""
        if unknown and arguments[1:2] and arguments[1].partition("=")[0] == unknown and takes_text(error.ctx):
            message += " A text that begins with a dash comes last, after `--`."
        if message.startswith("Got unexpected extra") and takes_text(error.ctx):
            message += ": put a text of several words in quotes"
        message = re.sub(r"[^\n\t]+", lambda part: escaped(part[0]), Redactor().message(message))
        click.UsageError(message, error.ctx).show()
        field = getattr(error, "option_name", None) or getattr(getattr(error, "param", None), "name", None) or "command"
        field = field.lstrip("-").replace("-", "_")  # its name in a request
        return _fail(UsageError(field, message), error.ctx or contexts.get("command"), shown=True)
    except click.Abort:
        return INTERRUPTED
    except Exception as error:
        from context_pack.envelope import translated

        if os.environ.get("CTXPACK_DEBUG") == "1":
            import traceback

            traceback.print_exception(error)
        return _fail(translated(error), contexts.get("command"))
    return code if isinstance(code, int) else 0


def _fail(error: CtxpackError, context: click.Context | None, *, shown: bool = False) -> int:
    """Report an error to the person at the terminal, or in an envelope on stdout; return the exit code."""
    from context_pack.cli.options import CommandLine
    from context_pack.cli.output import SERVERS, tell_error, write
    from context_pack.next_steps import next_steps
    from context_pack.redaction import Redactor

    steps = next_steps(error, CommandLine(context or click.Context(cli, info_name="ctxpack")))
    if not shown:
        redactor = Redactor()
        # Agents show their users what a server writes to stderr.
        tell_error(redactor.clean(error), redactor.hints(steps), logged=(context and context.info_name) in SERVERS)
    if sys.stdout.isatty():
        return error.exit_code
    from context_pack.envelope import encoded, failed, translated
    from contracts.records import as_data

    try:
        write(encoded(as_data(failed(error, steps)), indented="--pretty" in sys.argv))
    except OSError as no_stdout:
        other = translated(no_stdout).message
        beside = f" (and {other})" if other != error.message else ""
        print(f"ctxpack: {error.message}{beside}", file=sys.stderr)
    return error.exit_code
