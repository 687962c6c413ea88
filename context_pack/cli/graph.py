"""`ctxpack graph`: its options read, its answer written."""

from __future__ import annotations

import sys
from typing import Any

import click

from context_pack.cli.delivery import deliver
from context_pack.cli.options import given, options
from context_pack.collecting import collection_paused

FORMATS = ("md", "json", "toon", "xml")
_WHOLE = click.IntRange(min=0)


def _edges(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    """`--edges a,b` as names; one that does not exist is a usage error."""
    from context_pack.corpora.workgraph.config import edge_names

    if value is None:
        return None
    try:
        return edge_names([name for name in value.split(",") if name.strip()])
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None


@click.command(
    epilog="\b\nExamples:\n  ctxpack graph task-12 --format md\n  ctxpack graph api:task-3 --edges blocked_by --verbose"
)
@click.argument("name", metavar="ID_OR_QID")
@click.option("--root", metavar="DIR", type=click.Path(), help="Folder that holds .mdkg. [the nearest upwards]")
@click.option("--depth", type=_WHOLE, metavar="N", help="Steps from the node. [2]")
@click.option("--edges", callback=_edges, metavar="A,B", help="Edges to follow besides parent, epic and relates.")
@click.option("--ws", metavar="ALIAS", help="Workspace of a bare id.")
@click.option("--verbose", is_flag=True, default=None, help="Add the nodes that the core list pins.")
@click.option("--max-nodes", type=_WHOLE, metavar="N", help="Nodes at most; 0: all. [25]")
@click.option("--max-bytes", type=_WHOLE, metavar="N", help="Size limit of Markdown; 0: none. [2000000]")
@click.option("--format", "form", type=click.Choice(FORMATS), default="md", help="Output format. [md]")
@click.option("--no-timestamp", is_flag=True, help="Leave out generated_at: equal input, equal bytes.")
@options("explain", "no_redact", "out", "pretty")
@collection_paused()
def graph(
    name: str, root: str | None, form: str, no_timestamp: bool, out: str | None, pretty: bool, **values: Any
) -> None:
    """The pack for a node of a Markdown work graph: the node, and what its edges lead to, in reading order.

    Nodes are *.md below .mdkg/core, .mdkg/design and .mdkg/work. Dangling edges and broken files are skipped with a
    warning. A task is followed by its parent, epic, checkpoints and blockers, then designs, decisions, rules,
    requirements, proposals and the other work. `-` reads the id from stdin.
    """
    from context_pack.recipes.graph import answer
    from context_pack.render import graph as rendering

    stamp = None if no_timestamp else _now()
    name = sys.stdin.read().strip() if name == "-" else name
    found = answer(name, root, given(values), rendering.layout(form), stamp)
    printed, warnings = rendering.render(found.data, form)
    deliver(found.with_hints(warnings), printed, out=out, pretty=pretty)


def _now() -> str:
    from datetime import UTC, datetime

    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


COMMANDS = (graph,)
