"""`ctxpack bench`: its options read, its answer written."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import click

from context_pack.cli.delivery import deliver
from context_pack.cli.options import options
from context_pack.cli.progress import progress_line

FORMATS = ("md", "json")
TERMINATED = 128 + signal.SIGTERM  # what shells report


@click.command(epilog="\b\nExamples:\n  ctxpack bench\n  ctxpack bench --repo ~/src/project --commits 100 --explain")
@click.option("--commits", type=click.IntRange(1, 1000), default=50, metavar="N", help="Commits to ask about. [50]")
@click.option("--format", "form", type=click.Choice(FORMATS), default="md", help="Output format. [md]")
@click.option("--repo", metavar="DIR", type=click.Path(), help="Repository to ask about. [the enclosing one]")
@options("model", "explain", "out", "pretty")
def bench(
    commits: int, form: str, repo: str | None, model: str | None, explain: bool | None, out: str | None, pretty: bool
) -> None:
    """How much ctxpack finds on your own repository, beside plain BM25 and `grep -l`.

    The newest commits are the questions: what their subject says, answered by the one to three source files that they
    changed and by the lines that they changed in them. All are asked of the tree before the oldest of them, which is
    written to a scratch folder and removed again; the repository itself is only read.
    """
    from context_pack.evaluation.run import bench as measure
    from context_pack.render.bench import render

    with _leaving_in_order(), progress_line() as progress:
        found = measure(repo, count=commits, model=model or "auto", explain=bool(explain), progress=progress)
    deliver(found, render(found.data, form), out=out, pretty=pretty)


@contextmanager
def _leaving_in_order() -> Iterator[None]:
    """SIGTERM is an exit like any other: the scratch folder is removed on the way out, whatever else is sent."""

    def leave(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise SystemExit(TERMINATED)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


COMMANDS = (bench,)
