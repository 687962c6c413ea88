"""`ctxpack init`: an example project to try a command on."""

from __future__ import annotations

import click

from context_pack.cli.examples import KINDS, write_example
from context_pack.cli.output import Reply, command


@command("init", "ctxpack init graph demo", "ctxpack init wiki notes")
@click.argument("kind", type=click.Choice(sorted(KINDS)))
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path())
def init(kind: str, folder: str) -> Reply:
    """Write a small example project into DIR (default: here), which must be new or empty.

    KIND: graph (a Markdown work graph), task (a planned task and its records), turn (a turn request and its
    repository), wiki (a vault of pages). The answer names the commands to try on it.
    """
    return Reply(write_example(kind, folder))


COMMANDS = (init,)
