"""`ctxpack turn` and `ctxpack turn merge`: their options read, their answers written."""

from __future__ import annotations

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
def build(request: str, root: str | None, format: str, sidecar: str | None, explain: bool | None,
          no_redact: bool | None, **values: Any) -> Reply:  # fmt: skip
    """The pack for a request. Goal, definition of done, document paths and failures are never trimmed."""
    from context_pack.kinds.turn import answer, read_json

    out = click.get_current_context().params["out"]
    own = [name for name in (request, sidecar, out) if name is not None]
    found = answer(
        read_json(request), root, render=_renderer(format), own_files=own, no_redact=bool(no_redact), **values
    )
    return _reply(found, format, sidecar, bool(explain))


@command("merge", group=turn)
@click.argument("packs", metavar="PACK...", nargs=-1, required=True)
def merge(packs: tuple[str, ...], format: str, sidecar: str | None, explain: bool | None,
          no_redact: bool | None, **values: Any) -> Reply:  # fmt: skip
    """One pack of several: united by path, id, ref and payload; of two with one key the earlier pack's counts."""
    from context_pack.kinds.turn import merge as united
    from context_pack.kinds.turn import read_json

    found = united(
        [(name, read_json(name)) for name in packs], render=_renderer(format), no_redact=bool(no_redact), **values
    )
    return _reply(found, format, sidecar, bool(explain))


def _renderer(form: str) -> Any:
    if form == "json":
        return None
    from context_pack.kinds.turn.text import render

    return render


def _reply(found: Answer[Turn], form: str, sidecar: str | None, explain: bool) -> Reply:
    """The pack; its account, which its schema has no place for, goes among the hints, beside a text to stderr."""
    from context_pack.core.envelope import encoded
    from context_pack.kinds.turn.text import account, render
    from contracts.records import Hint

    if sidecar is not None:
        write(encoded(found.data.sidecar, indented=True), sidecar)
    pack = found.data.pack
    printed = render(pack) if form == "text" else None
    lines = account(found.data.sidecar) if explain else []
    for line in lines if printed else ():
        click.echo(f"ctxpack: {line}", err=True)
    told = found if printed else found.with_hints(tuple(Hint("info", line) for line in lines))
    return Reply(told.holding(pack), printed, in_order=True, text=lambda: render(pack))


COMMANDS = (turn,)
