"""Runs one command line and answers every failure: an envelope for a program, a line for a person, no traceback."""

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
from contracts.errors import CtxpackError, UsageError, clipped

EXAMPLES = """\b
Examples:
  ctxpack query "EmbeddingCache" --max-chars 20000
  ctxpack query "where are retries configured" --format md --no-docs
  ctxpack query src/http/client.py:120 --explain
  ctxpack search "parse header" --top-k 5 --content
  ctxpack symbols "*Cache"
  git diff | ctxpack query -
"""


# Each command with the module of this folder that has it, under its own name, and its summary. Modules are loaded when
# they are asked for.
COMMANDS = {
    "query": ("questions", "The pack for a question: the code to read, within a budget."),
    "search": ("questions", "Ranked chunks, best first, without a budget."),
    "related": ("questions", "What calls a place, what it calls, its tests and types."),
    "symbols": ("questions", "Where symbols are defined."),
    "batch": ("batch", "Answer JSON Lines, one envelope a line."),
    "graph": ("records", "The pack for a node of a Markdown work graph."),
    "pages": ("records", "The pages of a wiki vault to read first."),
    "task": ("records", "The packet for a planned task: ten slots, nothing else."),
    "turn": ("records", "The pack for one turn of a workflow node."),
    "mcp": ("servers", "Serve agents over the Model Context Protocol."),
    "install": ("install", "Write the server into an agent's configuration."),
    "uninstall": ("install", "Take the server out of an agent's configuration."),
    "init": ("init", "Write a small example project."),
    "index": ("maintenance", "Build or refresh the index of a repository."),
    "watch": ("servers", "Keep an index fresh while files change."),
    "fleet": ("fleet", "The index of an organisation's repositories."),
    "bench": ("maintenance", "How much of your own history's questions ctxpack answers."),
    "status": ("questions", "What is indexed, and what is not."),
    "clean": ("maintenance", "Remove the index of a repository."),
    "trust": ("maintenance", "Let a repository choose models and folders of this machine."),
    "model": ("maintenance", "List the embedding models, or get one."),
    "completion": ("maintenance", "Print the completion script for a shell."),
}


class Commands(click.Group):
    """The commands of the table, in its order."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        own: click.Command = getattr(import_module(f"context_pack.cli.{COMMANDS[cmd_name][0]}"), cmd_name)
        return own

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            from context_pack.options.values import closest

            raise click.UsageError(f"there is no command {name}. {closest(name, COMMANDS, 'commands')}", ctx)
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
    """One query in, one bounded pack out: the code that answers it, chosen, explained, and never larger than asked.

    On a terminal results are text, elsewhere JSON on stdout, in the envelope {status, hints, data, meta}. The index is
    made on the first question and refreshed by every other one. Defaults come from ctxpack.toml, or [tool.ctxpack] in
    pyproject.toml.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def run(arguments: Sequence[str]) -> int:
    """The exit code: 0 ok, 1 the command failed, 2 usage."""
    contexts: dict[str, click.Context] = {}
    try:
        code = cli.main(list(arguments), prog_name="ctxpack", standalone_mode=False, obj=contexts)
    except click.UsageError as error:
        from context_pack.render.phrases import escaped

        if isinstance(error, click.NoSuchOption):
            from context_pack.cli.options import alike

            error = click.NoSuchOption(error.option_name, possibilities=alike(error), ctx=error.ctx)
        message = re.sub(r"[^\n\t]+", lambda part: escaped(part[0]), clipped(error.format_message()))
        click.UsageError(message, error.ctx).show()
        field = getattr(error, "option_name", None) or getattr(getattr(error, "param", None), "name", None) or "command"
        field = field.lstrip("-").replace("-", "_")  # as it is named in a request
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
    """Tell it to the person at the terminal, or in an envelope to the program behind stdout; the exit code."""
    from context_pack.cli.options import CommandLine
    from context_pack.cli.output import tell_error, write
    from context_pack.next_steps import next_steps
    from context_pack.redaction import Redactor

    steps = next_steps(error, CommandLine(context or click.Context(cli, info_name="ctxpack")))
    if not shown:
        redactor = Redactor()
        tell_error(redactor.clean(error), redactor.hints(steps))
    if sys.stdout.isatty():
        return error.exit_code
    from context_pack.envelope import encoded, failed
    from contracts.records import as_data

    try:
        write(encoded(as_data(failed(error, steps)), indented="--pretty" in sys.argv))
    except OSError as no_stdout:
        print(f"ctxpack: {error.message} (and {no_stdout})", file=sys.stderr)
    return error.exit_code
