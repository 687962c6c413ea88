"""Builds and removes indexes, records consent, and manages models. Questions: `context_pack.session`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from context_pack.answer import Answer, Stages
from context_pack.io.paths import root_of
from context_pack.kinds.code.corpus import Corpus
from context_pack.options.config_file import consented, layers, record_consent
from context_pack.options.resolve import option_warnings, resolve
from context_pack.session import check_files, coverage_hints
from contracts.records import Hint
from contracts.reports import Built, Cleaned, Consent, Models
from index.types import Progress


def build(
    repo: str | Path | None = None,
    options: Mapping[str, object] | None = None,
    *,
    full: bool = False,
    progress: Progress | None = None,
) -> tuple[Answer[Built], Corpus]:
    """Bring the index of a repository up to date; `full` reads every file again."""
    from index import build_index

    stages = Stages()
    root = root_of(repo)
    chosen = layers(root, options)
    settings = resolve(*chosen)
    with stages.stage("index"):
        index = build_index(root, progress=progress, full=full, **settings.indexing)
    check_files(index)
    notes = tuple(Hint("warn", note) for note in (index.refreshed.notes if index.refreshed else ()))
    return Answer(
        built(index), (*option_warnings(*chosen), *notes, *coverage_hints(index)), stages.durations_ms()
    ), index


def built(corpus: Corpus) -> Built:
    """The result of the refresh before this answer."""
    news = corpus.refreshed
    counts = (news.added, news.changed, news.removed) if news else (0, 0, 0)
    return Built(corpus.generation, corpus.model_id, corpus.files, corpus.chunks, *counts)


def clean(repo: str | Path | None = None, options: Mapping[str, object] | None = None) -> Answer[Cleaned]:
    """Remove the indexes of a repository (for every model), the caches of graphs and vaults in it, and its clone if it
    was named by a URL.
    """
    from context_pack.io.cache_dirs import forget
    from context_pack.io.clones import remove_clone
    from index import clean as remove

    stages = Stages()
    root = root_of(repo)
    chosen = layers(root, options)
    settings = resolve(*chosen)
    with stages.stage("clean"):
        folders = [*remove(root, home=settings.index_dir), *forget(root), *remove_clone(root)]
    hints = () if folders else (Hint("info", f"There was nothing to remove for {root}."),)
    return Answer(Cleaned(tuple(map(str, folders))), (*option_warnings(*chosen), *hints), stages.durations_ms())


def trust(folder: str | Path | None = None, *, revoke: bool = False) -> Answer[Consent]:
    """Record that the user agrees to the present content of a folder's own configuration file, or revoke that."""
    stages = Stages()
    root = root_of(folder)
    file = consented(root)
    record_consent(root, None if revoke else file.content)
    return Answer(Consent(str(root), file.name, file.for_users, not revoke), stages=stages.durations_ms())


def models() -> Answer[Models]:
    """The available models, and whether each is on this machine."""
    from index.embed.models import list_models

    stages = Stages()
    return Answer(Models(list_models()), stages=stages.durations_ms())


def pull(name: str) -> Answer[Models]:
    """Download a model."""
    from index.embed import models as registry

    stages = Stages()
    with stages.stage("pull"):
        row = registry.report(registry.pull(name))
    return Answer(Models((row,)), stages=stages.durations_ms())
