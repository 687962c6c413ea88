"""`ctxpack turn` and `ctxpack turn merge`: their options read, their answers written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from context_pack.cli.delivery import deliver
from context_pack.cli.emit import write
from context_pack.cli.options import options

if TYPE_CHECKING:
    from context_pack.answer import Answer
    from context_pack.recipes.turn import Turn

FORMATS = ("json", "text")
REASONS = ("investigation", "refactor", "verification_failure")


class _Turn(click.Group):
    """`turn REQUEST` builds, `turn merge PACK...` merges: what is no command of the group is a request."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            raise click.UsageError("Missing argument 'REQUEST.json'.", ctx)
        if args[0] not in {*self.commands, "-h", "--help"}:
            args.insert(0, "build")
        return super().parse_args(ctx, args)


def _limits(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(
        (
            click.option("--max-tokens", type=int, metavar="N", help="Size limit; over 6000 needs --reason. [6000]"),
            click.option("--reason", type=click.Choice(REASONS), help="Why up to 20000 tokens are needed."),
            click.option("--format", "form", type=click.Choice(FORMATS), default="json", help="Output format. [json]"),
            click.option("--sidecar", metavar="FILE", type=click.Path(), help="Write where everything came from."),
            options("explain", "no_redact", "out", "pretty"),
        )
    ):
        function = option(function)
    return function


@click.group(
    cls=_Turn,
    epilog="\b\nExamples:\n  ctxpack turn request.json --sidecar turn.sidecar.json\n  ctxpack turn merge a.json b.json",
)
def turn() -> None:
    """The pack for one turn of a workflow node: documents, what changed, what failed, the files that matter.

    `ctxpack turn REQUEST.json` is short for `ctxpack turn build REQUEST.json`; `-` reads the request from stdin.
    """


@turn.command()
@click.argument("request", metavar="REQUEST.json")
@click.option("--root", metavar="DIR", type=click.Path(), help="Repository to read. [the enclosing one]")
@_limits
def build(request: str, root: str | None, form: str, sidecar: str | None, out: str | None, pretty: bool,
          explain: bool | None, no_redact: bool | None, **values: Any) -> None:  # fmt: skip
    """The pack for a request. Goal, definition of done, document paths and failures are never trimmed."""
    from context_pack.recipes.turn import answer, read_json

    own = [name for name in (request, sidecar, out) if name is not None]
    found = answer(read_json(request), root, render=_renderer(form), own_files=own, no_redact=bool(no_redact), **values)
    _deliver(found, form, sidecar, out, pretty, bool(explain))


@turn.command()
@click.argument("packs", metavar="PACK...", nargs=-1, required=True)
@_limits
def merge(packs: tuple[str, ...], form: str, sidecar: str | None, out: str | None, pretty: bool,
          explain: bool | None, no_redact: bool | None, **values: Any) -> None:  # fmt: skip
    """One pack of several: united by path, id, ref and payload; of two with one key the earlier pack's counts."""
    from context_pack.recipes.turn import merge as united
    from context_pack.recipes.turn import read_json

    found = united(
        [(name, read_json(name)) for name in packs], render=_renderer(form), no_redact=bool(no_redact), **values
    )
    _deliver(found, form, sidecar, out, pretty, bool(explain))


def _renderer(form: str) -> Any:
    if form == "json":
        return None
    from context_pack.render.turn_text import render

    return render


def _deliver(found: Answer[Turn], form: str, sidecar: str | None, out: str | None, pretty: bool, explain: bool) -> None:
    """The pack; its account, which its schema has no place for, goes among the hints, beside a text to stderr."""
    from context_pack.envelope import encoded
    from context_pack.render.turn_text import account
    from contracts.records import Hint

    if sidecar is not None:
        write(encoded(found.data.sidecar, indented=True), sidecar)
    render = _renderer(form)
    printed = render(found.data.pack) if render else None
    lines = account(found.data.sidecar) if explain else []
    told = found if printed else found.with_hints(tuple(Hint("info", line) for line in lines))
    deliver(told.holding(found.data.pack), printed, out=out, pretty=pretty, in_order=True)
    if printed:
        for line in lines:
            click.echo(f"ctxpack: {line}", err=True)


COMMANDS = (turn,)
