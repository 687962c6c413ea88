"""`ctxpack watch`: its options read, its answers written as they come."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import click

from context_pack.cli.options import given
from context_pack.cli.output import command, write

if TYPE_CHECKING:
    from contracts.records import Envelope


@command("watch", "ctxpack watch", "ctxpack watch --repo ~/src/app --repo ~/src/lib")
def watch(repo: tuple[str, ...], **values: Any) -> None:
    """Keep the index fresh while files change, until it is stopped (Ctrl-C), so that no question has to wait.

    Each refresh that changed something is one line on stdout: an envelope, as `ctxpack index` gives it. Needs the
    extra `watch`.
    """
    from context_pack.cli.progress import progress_line
    from context_pack.core.envelope import encoded
    from context_pack.following import follow
    from context_pack.kinds.code.repositories import named
    from context_pack.options.resolve import environment
    from context_pack.options.roots import root_of
    from context_pack.watching import require_watchfiles
    from contracts.wire import envelope_data

    roots = named(root_of(one) for one in repo or (None,))
    require_watchfiles("watch")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    code = 0
    try:
        with progress_line() as progress:
            for envelope in follow(roots, {**environment().values, **given(values)}, progress):
                code = 1 if envelope.status == "error" else 0
                _tell(envelope) if sys.stdout.isatty() else write(encoded(envelope_data(envelope)))
    except KeyboardInterrupt:
        code = 0  # being stopped is how it ends
    sys.stdout.flush()
    os._exit(code)


def _tell(envelope: Envelope) -> None:
    """A line for a person."""
    for hint in envelope.hints:
        click.echo(hint.text)
    if envelope.error is not None:
        click.echo(f"{envelope.error['message']} {envelope.error['hint']}")


COMMANDS = (watch,)
