"""`ctxpack task`: its options read, its answer written."""

from __future__ import annotations

import click

from context_pack.cli.delivery import deliver
from context_pack.cli.options import options

FORMATS = ("json", "md")
DIGESTS = ("full", "compact")


@click.command(
    epilog="\b\nExamples:\n  ctxpack task T02 --format md\n  ctxpack task task.json --root ~/src/app --digest compact"
)
@click.argument("name", metavar="TASK_ID_OR_FILE")
@click.option("--root", metavar="DIR", type=click.Path(), help="Folder that holds .nexus. [the nearest upwards]")
@click.option("--format", "form", type=click.Choice(FORMATS), default="json", help="Output format. [json]")
@click.option("--digest", type=click.Choice(DIGESTS), default="full", help="How much of the project's state. [full]")
@click.option("--generated-at", metavar="TIME", help="The packet's time. [the task graph's; SOURCE_DATE_EPOCH; now]")
@options("explain", "no_redact", "out", "pretty")
def task(
    name: str, root: str | None, form: str, digest: str, generated_at: str | None, explain: bool | None,
    no_redact: bool | None, out: str | None, pretty: bool,
) -> None:  # fmt: skip
    """The packet for a planned task: ten slots, each with what the task's files concern and nothing else.

    A task comes from .nexus/05-runtime/TASK_GRAPH.json by its id, or from a JSON file (`-`: stdin). What a file of
    records would say and does not, the code index says. A slot that stays empty is explained by a hint.
    """
    from context_pack.recipes.task import answer
    from contracts.task import packet_data

    found = answer(
        name, root, digest=digest, explain=bool(explain), generated_at=generated_at, no_redact=bool(no_redact)
    )
    if form == "md":
        from context_pack.render.task_markdown import render

        deliver(found, render(found.data), out=out, pretty=pretty)
        return
    deliver(found.holding(packet_data(found.data)), None, out=out, pretty=pretty, in_order=True)


COMMANDS = (task,)
