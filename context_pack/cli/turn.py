"""`ctxpack turn` and `ctxpack turn merge`: their options read, their answers written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from context_pack.cli.output import Reply, command, write

if TYPE_CHECKING:
    from context_pack.answer import Answer
    from context_pack.kinds.turn import Turn


class _Turn(click.Group):
    """`turn REQUEST` builds, `turn merge PACK...` merges: what is no command of the group is a request."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            raise click.UsageError("Missing argument 'REQUEST.json'.", ctx)
        if args[0] not in {*self.commands, "-h", "--help"}:
            args.insert(0, "build")
        return super().parse_args(ctx, args)


@click.group(
    cls=_Turn,
    epilog="\b\nExamples:\n  ctxpack turn request.json --sidecar turn.sidecar.json\n  ctxpack turn merge a.json b.json",
)
def turn() -> None:
    """The pack for one turn of a workflow node: documents, what changed, what failed, the files that matter.

    `ctxpack turn REQUEST.json` is short for `ctxpack turn build REQUEST.json`; `-` reads the request from stdin.
    """


@command("build", group=turn)
@click.argument("request", metavar="REQUEST.json")
def build(request: str, root: str | None, **values: Any) -> Reply:
    """The pack for a request. Goal, definition of done, document paths and failures are never trimmed."""
    from context_pack.kinds.turn import answer, read_json

    files = (request, values["sidecar"], click.get_current_context().params["out"])
    own = [name for name in files if name is not None]
    return _reply(lambda **limits: answer(read_json(request), root, own_files=own, **limits), **values)


@command("merge", group=turn)
@click.argument("packs", metavar="PACK...", nargs=-1, required=True)
def merge(packs: tuple[str, ...], **values: Any) -> Reply:
    """One pack of several: united by path, id, ref and payload; of two with one key the earlier pack's counts."""
    from context_pack.kinds.turn import merge as united
    from context_pack.kinds.turn import read_json

    return _reply(lambda **limits: united([(name, read_json(name)) for name in packs], **limits), **values)


def _reply(
    ask: Callable[..., Answer[Turn]], *, format: str, sidecar: str | None, explain: bool | None,
    no_redact: bool | None, **limits: Any,
) -> Reply:  # fmt: skip
    """The pack; its account, which its schema has no place for, goes among the hints, beside a text to stderr."""
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
    told = answer if printed else answer.with_hints(tuple(Hint("info", line) for line in lines))
    return Reply(told.holding(pack), printed, in_order=True, text=lambda: render(pack))


COMMANDS = (turn,)
