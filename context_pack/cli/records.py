"""The commands that pack records: `ctxpack graph`, `pages`, `task` and `turn`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from context_pack.answer import Answer, Reply
from context_pack.cli.options import given
from context_pack.cli.output import command, write
from context_pack.io.record_cache import collection_paused

if TYPE_CHECKING:
    from context_pack.kinds.turn import Turn


@command("graph", "ctxpack graph task-12 --format md", "ctxpack graph api:task-3 --edges blocked_by --verbose")
@click.argument("name", metavar="ID_OR_QID")
@collection_paused()
def graph(name: str, root: str | None, format: str, no_timestamp: bool, **values: Any) -> Reply:
    """Pack a node of a Markdown work graph with the nodes that its edges lead to, in reading order.

    Nodes are the *.md files below .mdkg/core, .mdkg/design and .mdkg/work. Dangling edges and broken files are skipped
    with a warning. After a task come its parent, epic, checkpoints and blockers, then designs, decisions, rules,
    requirements, proposals and other work. `-` reads the id from stdin.
    """
    from datetime import UTC, datetime

    from context_pack.kinds.graph import answer
    from context_pack.kinds.graph.formats import markdown, render

    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    name = sys.stdin.read().strip() if name == "-" else name
    pack = answer(name, root, given(values), format, None if no_timestamp else now)
    printed, warnings = render(pack.data, format)
    return Reply(pack.with_hints(warnings), printed, text=lambda: markdown(pack.data))


@command(
    "pages",
    'ctxpack pages "how do agents remember" --vault notes',
    'ctxpack pages --title "RAG vs. wiki" --tags rag,wiki --entities andrej-karpathy --limit 3',
    "ctxpack pages --page wiki/concepts/memory.md --format json",
)
@click.argument("seed", required=False, default="")
@collection_paused()
def pages(
    seed: str, vault: str | None, format: str, explain: bool | None, no_redact: bool | None, **chosen: Any
) -> Reply:
    """List the pages of a wiki vault to read before answering or writing about SEED, each with its points.

    SEED is a question or any text (`-` reads stdin); it is optional with --page or --title. Pages are the *.md files
    below wiki/, except index*.md. Points: shared tag 3, shared domain 2, link to or from a named entity 1, same page
    type 1, top-3 hit of the searcher 5, title overlap 4. `ctxpack init wiki DIR` writes an example.
    """
    from context_pack.kinds.pages import PageRequest, answer
    from context_pack.kinds.pages.pack import as_table

    if chosen["page"] is not None and (chosen["title"], chosen["tags"], chosen["entities"]) != (None, None, None):
        raise click.UsageError("--page cannot be used with --title, --tags or --entities")
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if seed == "-" else seed
    pack = answer(PageRequest(text, explain=bool(explain), no_redact=bool(no_redact), **chosen), vault)
    return Reply(pack, as_table(pack.data) if format == "md" else None, markdown=lambda: as_table(pack.data))


@command("task", "ctxpack task T02 --format md", "ctxpack task task.json --root ~/src/app --digest compact")
@click.argument("name", metavar="TASK_ID_OR_FILE")
def task(name: str, root: str | None, format: str, **values: Any) -> Reply:
    """Pack what a planned task needs, in ten slots limited to the task's files.

    A task is read from .nexus/05-runtime/TASK_GRAPH.json by its id, or from a JSON file (`-` reads stdin): an object
    with `id`, `filesModified`, `acceptanceCriteria` and more (docs/rules.md). What the records do not say is taken from
    the code index. A hint explains each slot that stays empty. `ctxpack init task DIR` writes an example.
    """
    from context_pack.kinds.task import answer
    from context_pack.kinds.task.packet import render
    from contracts.task import packet_data

    chosen: dict[str, Any] = given(values)
    packet = answer(name, root, **chosen)
    printed = render(packet.data) if format == "md" else None
    return Reply(packet.with_data(packet_data(packet.data)), printed, in_order=True, text=lambda: render(packet.data))


class _Turn(click.Group):
    """`turn REQUEST` builds, `turn merge PACK...` merges: a first argument that is not a command is a request."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:  # a shell that completes `ctxpack turn ` is no mistake
            raise click.UsageError("missing argument REQUEST.json", ctx)
        if args and args[0] not in {*self.commands, "-h", "--help"}:
            args.insert(0, "build")
        return super().parse_args(ctx, args)


@click.group(
    cls=_Turn,
    epilog="\b\nExamples:\n  ctxpack turn request.json --sidecar turn.sidecar.json\n  ctxpack turn merge a.json b.json",
)
def turn() -> None:
    """Pack what one turn of a workflow node needs: documents, changes, failures and relevant files.

    `ctxpack turn REQUEST.json` is short for `ctxpack turn build REQUEST.json`; `-` reads the request from stdin.
    `ctxpack init turn DIR` writes an example.
    """


@command("build", group=turn)
@click.argument("request", metavar="REQUEST.json")
def build(request: str, root: str | None, **values: Any) -> Reply:
    """Build the pack for a request. The goal, definition of done, document paths and failures are never trimmed."""
    from context_pack.kinds.turn import answer, read_json

    files = (request, values["sidecar"], click.get_current_context().params["out"])
    own = [name for name in files if name is not None]
    return _turn_reply(lambda **limits: answer(read_json(request), root, own_files=own, **limits), **values)


@command("merge", group=turn)
@click.argument("packs", metavar="PACK...", nargs=-1, required=True)
def merge(packs: tuple[str, ...], **values: Any) -> Reply:
    """Merge packs into one.

    Entries are merged by path, id, ref and payload; if two share a key, the earlier pack's is kept.
    """
    from context_pack.kinds.turn import merge as united
    from context_pack.kinds.turn import read_json

    return _turn_reply(lambda **limits: united([(name, read_json(name)) for name in packs], **limits), **values)


def _turn_reply(
    ask: Callable[..., Answer[Turn]], *, format: str, sidecar: str | None, explain: bool | None,
    no_redact: bool | None, **limits: Any,
) -> Reply:  # fmt: skip
    """The pack. The `--explain` account, which its schema cannot hold, goes into the hints, or to stderr for text."""
    from context_pack.envelope import encoded
    from context_pack.kinds.turn.text import account, render
    from contracts.records import Hint

    answer = ask(render=render if format == "text" else None, no_redact=bool(no_redact), **limits)
    pack = answer.data.pack
    if sidecar is not None:
        write(encoded(answer.data.sidecar, indented=True), sidecar)
    printed = render(pack) if format == "text" else None
    lines = account(answer.data.sidecar) if explain else []
    for line in lines if printed else ():
        click.echo(f"ctxpack: {line}", err=True)
    reply = answer if printed else answer.with_hints(tuple(Hint("info", line) for line in lines))
    return Reply(reply.with_data(pack), printed, in_order=True, text=lambda: render(pack))
