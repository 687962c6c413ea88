"""`ctxpack watch`: indexes that follow their trees until somebody stops it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from queue import Empty, SimpleQueue

from context_pack import watching
from context_pack.answer import Answer
from context_pack.core.envelope import answered, failed, translated
from context_pack.kinds.code.repositories import options_of
from context_pack.options.config_file import file_layer, noted
from context_pack.options.resolve import Layer, resolve
from context_pack.session import Progress, open_corpus
from context_pack.stages import Stages
from contracts.errors import CtxpackError, NotADirectory
from contracts.records import Envelope, Hint
from contracts.reports import Built

LISTEN_S = 0.5  # a signal is heard between two of these
PEACE_S = 30.0  # without a change, before the durable table follows


def follow(
    roots: Mapping[str, Path], options: Mapping[str, object], progress: Progress | None = None
) -> Iterator[Envelope]:
    """An envelope for each refresh that changed something, and one for each that failed; the first for each root.

    Ends when the last folder is gone, which is an error. The caller may stop at any time.
    """
    own = {name: options_of(name, options, len(roots) > 1) for name in roots}
    heard: SimpleQueue[tuple[str, bool]] = SimpleQueue()
    noises = {name: watching.Noise(root) for name, root in roots.items()}
    for name, root in roots.items():
        watching.start(f"watch {name}", lambda name=name, root=root: _listen(name, root, noises[name], heard))  # type: ignore[misc]
    left, told, unsaved, peace_s = set(roots), set[str](), set[str](), 0.0
    while left:
        try:
            name, there = heard.get(timeout=LISTEN_S)
        except Empty:
            peace_s += LISTEN_S
            if peace_s >= PEACE_S and unsaved:
                for one in sorted(unsaved):
                    _save(roots[one], own[one])
                unsaved.clear()
            continue
        peace_s = 0.0
        if not there:
            left.discard(name)
            gone = NotADirectory(f"{roots[name]} is gone", hint="start `ctxpack watch` again when it is back")
            yield failed(gone)
            continue
        if not roots[name].is_dir():
            continue  # the listener will say so
        envelope, changed = _refreshed(name, roots[name], own[name], noises[name], progress)
        first = name not in told
        if changed or envelope.status == "error" or first:
            told.add(name)
            yield envelope
        if changed or first:  # at first too: an earlier run may have left vectors to compute
            unsaved.add(name)


def _listen(name: str, root: Path, noise: watching.Noise, heard: SimpleQueue[tuple[str, bool]]) -> None:
    """Report each change; the first report comes when the watch stands."""
    first = True
    try:
        for changed in watching.batches(root, noise, threading.Event()):
            if changed or first:
                heard.put((name, True))
            first = False
    except OSError:
        pass  # no watches left: as good as gone for whoever wants to follow it
    heard.put((name, False))


def _refreshed(
    name: str, root: Path, options: Mapping[str, object], noise: watching.Noise, progress: Progress | None
) -> tuple[Envelope, bool]:
    stages = Stages()
    suspects = noise.take()
    try:
        with stages.stage("index"):
            own = file_layer(root)
            corpus = open_corpus(root, resolve(own, Layer(options)), progress)
    except (CtxpackError, OSError) as error:
        return failed(translated(error)), False
    news = corpus.refreshed
    added, changed, removed = (news.added, news.changed, news.removed) if news else (0, 0, 0)
    behind = news is not None and news.behind
    if not added + changed + removed + behind:
        noise.ignore(suspects)
    built = Built(corpus.generation, corpus.model_id, corpus.files, corpus.chunks, added, changed, removed)
    told = Hint(
        "info",
        f"{name}: {added} files added, {changed} changed, {removed} removed; "
        f"{corpus.files} files, {corpus.chunks} chunks.",
    )
    notes = (told, *noted(own), *(Hint("warn", note) for note in (news.notes if news else ())))
    return answered(Answer(built, notes, stages.durations_ms()), corpus), bool(added + changed + removed + behind)


def _save(root: Path, options: Mapping[str, object]) -> None:
    """Let the durable table and a transformer's vectors follow, in processes of their own."""
    try:
        corpus = open_corpus(root, resolve(file_layer(root), Layer({**options, "no_refresh": True})), serving=True)
    except (CtxpackError, OSError):
        return  # the next refresh says why
    corpus.follow_later()
