"""`ctxpack watch`: its options read, its answers written as they come."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from context_pack.cli.options import given
from context_pack.cli.output import command, write


@command("watch", "ctxpack watch", "ctxpack watch --repo ~/src/app --repo ~/src/lib")
def watch(repo: tuple[str, ...], **values: Any) -> None:
    """Keep the index fresh while files change, until it is stopped (Ctrl-C), so that no question has to wait.

    Each refresh that changed something is one line on stdout: an envelope, as `ctxpack index` gives it. Needs the
    extra `watch`.
    """
    from importlib.util import find_spec

    from context_pack.follow.events import missing_extra
    from context_pack.kinds.code.repositories import named
    from context_pack.options.resolve import environment
    from context_pack.options.roots import root_of

    roots = named(root_of(one) for one in repo or (None,))
    if find_spec("watchfiles") is None:
        raise missing_extra("watch")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    code = 0  # being stopped is how it ends
    try:
        asyncio.run(_written(roots, {**environment().values, **given(values)}))
        code = 1  # every folder is gone
    except KeyboardInterrupt:
        pass
    sys.stdout.flush()
    os._exit(code)


async def _written(roots: Mapping[str, Path], options: Mapping[str, object]) -> None:
    from context_pack.cli.progress import progress_line
    from context_pack.envelope import encoded
    from context_pack.follow.loop import watch

    with progress_line() as progress:
        async for envelope in watch(roots, options, progress):
            if not sys.stdout.isatty():
                write(encoded(envelope))
                continue
            for hint in envelope["hints"]:
                click.echo(hint["text"])
            if envelope["status"] == "error":
                click.echo(f"{envelope['error']['message']} {envelope['error']['hint']}")


COMMANDS = (watch,)
