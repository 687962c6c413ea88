"""The process that brings one index up to date: `python -m context_pack.mcp.refresher`, one request on stdin.

It may be killed at any instant: the last published generation stays valid.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

from context_pack.core.envelope import translated
from context_pack.mcp.wire import claim_stdin, claim_stdout, messages, packed
from context_pack.options.config_file import file_layer
from context_pack.options.resolve import Layer, resolve
from context_pack.session import open_corpus
from contracts.wire import error_data

TELL_S = 0.1  # a progress line at most so often


class _Telling:
    """A progress callback that writes lines, few enough to be read."""

    def __init__(self, wire: BinaryIO) -> None:
        self._wire = wire
        self._stage = ""
        self._told = 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = monotonic()
        if stage == self._stage and now - self._told < TELL_S and done < total:
            return
        self._stage, self._told = stage, now
        self._wire.write(packed({"stage": stage, "done": done, "total": total}))
        self._wire.flush()


def refresh(root: Path, options: Mapping[str, Any], wire: BinaryIO) -> dict[str, Any]:
    """What changed; what could not be done is an `error`, as an envelope has it."""
    try:
        settings = resolve(file_layer(root), Layer(options))
        corpus = open_corpus(root, settings, _Telling(wire))
    except Exception as error:  # whatever it is, the server goes on and says so
        return {"error": error_data(translated(error))}
    news = corpus.refreshed
    changed = news.added + news.changed + news.removed if news else 0
    return {"changed": changed, "notes": list(news.notes if news else ()), "behind": bool(news and news.behind)}


def main() -> None:
    wire = claim_stdout()
    request = next(messages(claim_stdin()))
    wire.write(packed(refresh(Path(request["root"]), request["options"], wire)))
    wire.flush()
    os._exit(0)  # as the command line does: taking the interpreter apart costs more than the work


if __name__ == "__main__":
    main()
