"""`ctxpack bench`: its options read, its answer written."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from context_pack.answer import Reply
from context_pack.cli.output import command
from context_pack.cli.progress import progress_line

TERMINATED = 128 + signal.SIGTERM  # what shells report


@command("bench", "ctxpack bench", "ctxpack bench --repo ~/src/project --commits 100 --explain")
def bench(commits: int, format: str, repo: str | None, model: str | None, explain: bool | None) -> Reply:
    """How much ctxpack finds on your own repository, beside plain BM25 and `grep -l`.

    The newest commits are the questions: what their subject says, answered by the one to three source files that they
    changed and by the lines that they changed in them. All are asked of the tree before the oldest of them, which is
    written to a scratch folder and removed again; the repository itself is only read.
    """
    from context_pack.benchmark.run import bench as measure
    from context_pack.render.bench import render

    with _leaving_in_order(), progress_line() as progress:
        answer = measure(repo, count=commits, model=model or "auto", explain=bool(explain), progress=progress)
    return Reply(answer, render(answer.data, format), markdown=lambda: render(answer.data, "md") or "")


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
