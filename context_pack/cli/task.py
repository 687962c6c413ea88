"""`ctxpack task`: its options read, its answer written."""

from __future__ import annotations

from typing import Any

import click

from context_pack.cli.options import given
from context_pack.cli.output import Reply, command


@command("task", "ctxpack task T02 --format md", "ctxpack task task.json --root ~/src/app --digest compact")
@click.argument("name", metavar="TASK_ID_OR_FILE")
def task(name: str, root: str | None, format: str, **values: Any) -> Reply:
    """The packet for a planned task: ten slots, each with what the task's files concern and nothing else.

    A task comes from .nexus/05-runtime/TASK_GRAPH.json by its id, or from a JSON file (`-`: stdin). What a file of
    records would say and does not, the code index says. A slot that stays empty is explained by a hint.
    """
    from context_pack.kinds.task import answer
    from context_pack.kinds.task.packet_markdown import render
    from contracts.task import packet_data

    chosen: dict[str, Any] = given(values)
    found = answer(name, root, **chosen)
    printed = render(found.data) if format == "md" else None
    return Reply(found.holding(packet_data(found.data)), printed, in_order=True, text=lambda: render(found.data))


COMMANDS = (task,)
