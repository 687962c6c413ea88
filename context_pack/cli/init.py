"""`ctxpack init`: an example project to try a command on."""

from __future__ import annotations

import click

from context_pack.cli.delivery import deliver
from context_pack.cli.options import options
from context_pack.examples import KINDS, write_example


@click.command(epilog="\b\nExamples:\n  ctxpack init graph demo\n  ctxpack init wiki notes")
@click.argument("kind", type=click.Choice(sorted(KINDS)))
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path())
@options("out", "pretty")
def init(kind: str, folder: str, out: str | None, pretty: bool) -> None:
    """Write a small example project into DIR (default: here), which must be new or empty.

    KIND: graph (a Markdown work graph), task (a planned task and its records), turn (a turn request and its
    repository), wiki (a vault of pages). The answer names the commands to try on it.
    """
    deliver(write_example(kind, folder), None, out=out, pretty=pretty)


COMMANDS = (init,)
