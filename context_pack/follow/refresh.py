"""The process that brings one index up to date: `python -m context_pack.follow.refresh REQUEST`.

It starts no thread and reads no stdin, so it may fork. It may be killed at any instant: the last published generation
stays valid. REQUEST is JSON: `{"name", "root", "options", "finish"}`; with `finish`, it also starts the durable table
and a transformer's vectors, in processes that outlive it. It writes `{"stage", "done", "total"}` while it works, and
`{"envelope", "changed", "notes", "behind"}` at the end.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from context_pack.answer import Answer, Stages
from context_pack.envelope import answered, failed, translated
from context_pack.follow.process import Pipe
from context_pack.maintenance import built
from context_pack.options.config_file import file_layer
from context_pack.options.resolve import Layer, option_warnings, resolve
from context_pack.session import open_corpus
from contracts.records import Hint, as_data
from index.types import Progress


def refresh(name: str, root: Path, options: Mapping[str, Any], progress: Progress, *, finish: bool) -> dict[str, Any]:
    """Refresh one index; returns the last message, with the envelope of `ctxpack index` or of the failure."""
    stages = Stages()
    try:
        with stages.stage("index"):
            own = file_layer(root)
            corpus = open_corpus(root, resolve(own, Layer(options)), progress, serving=True, in_steps=True)
    except Exception as error:  # whatever it is, the parent goes on and reports it
        return {"envelope": as_data(failed(translated(error)))}
    if finish:
        corpus.finish_later()
    news = corpus.refreshed
    notes = news.notes if news else ()
    data = built(corpus)
    counts = f"{data.added} files added, {data.changed} changed, {data.removed} removed"
    summary = f"{counts}; {data.files} files, {data.chunks} chunks."
    hints = (Hint("info", f"{name}: {summary}"), *option_warnings(own), *(Hint("warn", note) for note in notes))
    envelope = as_data(answered(Answer(data, hints, stages.durations_ms()), corpus))
    behind = news is not None and news.behind
    return {
        "envelope": envelope,
        "changed": data.added + data.changed + data.removed + behind,
        "notes": notes,
        "behind": behind,
    }


def main() -> None:
    pipe, request = Pipe(), json.loads(sys.argv[1])

    def progress(stage: str, done: int, total: int) -> None:
        pipe.write({"stage": stage, "done": done, "total": total})

    pipe.write(refresh(**{**request, "root": Path(request["root"])}, progress=progress))
    os._exit(0)  # as the command line does: a regular interpreter exit takes longer than the work


if __name__ == "__main__":
    main()
