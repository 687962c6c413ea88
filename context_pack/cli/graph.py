"""`ctxpack graph`: its options read, its answer written."""

from __future__ import annotations

import sys
from typing import Any

import click

from context_pack.cli.options import given
from context_pack.cli.output import Reply, command
from context_pack.garbage import collection_paused


@command("graph", "ctxpack graph task-12 --format md", "ctxpack graph api:task-3 --edges blocked_by --verbose")
@click.argument("name", metavar="ID_OR_QID")
@collection_paused()
def graph(name: str, root: str | None, format: str, no_timestamp: bool, **values: Any) -> Reply:
    """The pack for a node of a Markdown work graph: the node, and what its edges lead to, in reading order.

    Nodes are *.md below .mdkg/core, .mdkg/design and .mdkg/work. Dangling edges and broken files are skipped with a
    warning. A task is followed by its parent, epic, checkpoints and blockers, then designs, decisions, rules,
    requirements, proposals and the other work. `-` reads the id from stdin.
    """
    from datetime import UTC, datetime

    from context_pack.kinds.graph import answer
    from context_pack.kinds.graph.formats import markdown, render

    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    name = sys.stdin.read().strip() if name == "-" else name
    found = answer(name, root, given(values), format, None if no_timestamp else now)
    printed, warnings = render(found.data, format)
    return Reply(found.with_hints(warnings), printed, text=lambda: markdown(found.data))


COMMANDS = (graph,)
