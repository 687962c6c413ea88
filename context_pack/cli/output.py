"""Writes results to stdout or a file, everything else to stderr: JSON for programs, text for people on a terminal."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from context_pack.answer import Reply
from context_pack.cli.options import click_option
from context_pack.options.spec import options_of
from contracts.errors import CtxpackError, InvalidRequest
from contracts.records import Hint

SERVERS = ("mcp", "watch")
HOOK_MARKS = ("GIT_DIR", "GIT_INDEX_FILE")  # git sets one of them in hooks


class Command(click.Command):
    """A command that creates its options on first use and stores its context for error reports."""

    made = False
    records = ""  # the name of the command in the option records

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        if not self.made and self.name:
            self.made = True
            self.params += map(click_option, options_of(self.records))
        return super().get_params(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if isinstance(ctx.obj, dict):
            ctx.obj["command"] = ctx
        return super().parse_args(ctx, args)


def command(
    name: str, *examples: str, group: click.Group | None = None, records: str = ""
) -> Callable[[Callable[..., Reply | None]], click.Command]:
    """Turn a function that returns a reply into a command that has the options of its records and writes the reply."""
    title = "Example" if len(examples) == 1 else "Examples"
    epilog = f"\b\n{title}:\n" + "\n".join(f"  {line}" for line in examples) if examples else None

    def decorate(function: Callable[..., Reply | None]) -> click.Command:
        @wraps(function)
        def run(out: str | None = None, pretty: bool = False, color: str = "auto", **values: Any) -> None:
            if "allow_clone" in values:
                values["repo"] = _cloned(values["repo"], values.pop("fetch"), values.pop("allow_clone"))
            reply = function(**values)
            if reply is not None:
                write_reply(reply, out, pretty, color)

        made = click.command(name, cls=Command, epilog=epilog)(run)
        made.records = records or name
        if group is not None:
            group.add_command(made)
        return made

    return decorate


def _cloned(repo: str | tuple[str, ...] | None, fetch: bool, allowed: bool) -> str | tuple[str, ...] | None:
    """The given folders, with clones in place of URLs. InvalidRequest if a clone is needed but not allowed."""
    named = (repo,) if isinstance(repo, str) else repo or ()
    if not any("://" in one or "@" in one or "::" in one for one in named):
        return repo
    from context_pack.io.clones import Address, address_of, cloned, is_there

    context = click.get_current_context()
    refused = not allowed and (context.info_name in SERVERS or any(mark in os.environ for mark in HOOK_MARKS))

    def folder(address: Address) -> str:
        there = is_there(address)
        if there and not fetch:
            return str(cloned(address))
        if refused:
            hint = "use --allow-clone, or clone it first"
            raise InvalidRequest("repo", f"{address} is not cloned in a hook or by a server", hint=hint)
        doing = "fetching" if there else "cloning"
        print(f"ctxpack: {doing} {address} ({address.folder})", file=sys.stderr, flush=True)
        return str(cloned(address, fetch=fetch))

    addresses = [(one, address_of(one)) for one in named]
    shown = [str(address or one) for one, address in addresses]
    context.params["repo"] = shown[0] if isinstance(repo, str) else tuple(shown)  # for hints: without passwords
    folders = [folder(address) if address else one for one, address in addresses]
    return folders[0] if isinstance(repo, str) else tuple(folders)


def write_reply(reply: Reply, out: str | None, pretty: bool, color: str) -> None:
    """Write the reply to a file or a program, or to a person at a terminal unless a format was requested."""
    format_source = click.get_current_context().get_parameter_source("format")
    is_person = color == "always" or sys.stdout.isatty()
    if out is None and not pretty and is_person and format_source is not click.core.ParameterSource.COMMANDLINE:
        from context_pack.cli.terminal import drawn

        _show(*drawn(reply, color))
        return
    if reply.printed is not None:
        write(reply.printed.encode(), out)
        tell_hints(reply.answer.hints, warned=reply.corpus is None)
        return
    from context_pack.envelope import answered, encoded
    from contracts.records import as_data

    envelope = as_data(answered(reply.answer, reply.corpus, reply.checked))
    indented = pretty or (out is None and sys.stdout.isatty())
    write(encoded(envelope, indented=indented, in_order=reply.in_order), out)


def _show(text: str, coloured: bool) -> None:
    """Print a text, through the pager if it is longer than the screen."""
    if text.count("\n") >= shutil.get_terminal_size().lines and sys.stdin.isatty() and sys.stdout.isatty():
        os.environ.setdefault("LESS", "FRX")  # keep colours, and leave the text on the screen
        click.echo_via_pager(text, color=coloured)
        return
    write(text.encode("utf-8", "backslashreplace"))


def write(result: bytes, out: str | None = None) -> None:
    """Write the result to stdout or to the file `out`, which is replaced atomically. OSError names the file."""
    if out is None or out == "-":
        _print(result)
        return
    target = Path(out)
    if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
        target.write_bytes(result)
        return
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(result)
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, out) from error


def _print(result: bytes) -> None:
    """Write the result to stdout; exit silently if the reader has closed the pipe."""
    try:
        sys.stdout.buffer.write(result)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discard what is still buffered
        raise SystemExit(0) from None
    except OSError as error:  # a full disk behind `> pack.json`
        raise OSError(error.errno, error.strerror, "stdout") from error


def tell_error(error: CtxpackError, steps: tuple[Hint, ...] = (), *, logged: bool = False) -> None:
    """Print one line about a failure for a person or, if it is `logged`, for any reader, and what to run next."""
    from context_pack.next_steps import candidates

    if logged or sys.stderr.isatty():
        _say(f"{error.message} ({error.hint})" if error.hint else error.message)
        for line in (*candidates(error.details), *(f"try {step.text}" for step in steps)):
            _say(line)


def tell_hints(hints: tuple[Hint, ...], *, warned: bool = False) -> None:
    """Print the hints of an answer whose format cannot hold them; with `warned`, warnings even without a terminal."""
    for hint in hints:
        if warned and hint.type == "warn":
            _say(f"warning: {hint.text}")
        elif sys.stderr.isatty():
            _say(hint.text)


def _say(text: str) -> None:
    """Print one line to stderr. Control characters, which a name may contain, are escaped."""
    from context_pack.render.phrases import escaped

    print(f"ctxpack: {escaped(text)}", file=sys.stderr)
