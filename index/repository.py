"""Opens the index of a repository, up to date if possible; builds and removes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from contracts.errors import CtxpackError, IndexMissing, IOFailure, NotADirectory
from index.api import Index
from index.generation.reader import Snapshot
from index.generation.store import Store, model_home, remove_home, repository_home
from index.tree import MAX_FILE_BYTES
from index.types import MEMORY_BYTES, Progress, Refreshed

if TYPE_CHECKING:
    from index.build import Builder
    from index.embed.models import ModelSpec
    from index.embed.static import StaticEmbedder
    from index.fleet.share import Share
    from index.second_model.vectors import SecondModel
    from index.tree.walk import Walk

DEFAULT_WAIT_S = 30.0
FIRST_FILES, STEP_GROWTH = 100, 5  # of a first index in steps: at least 100 files (half a second), then five times more


def checked_root(root: Path) -> Path:
    """The root as an absolute path. Raises NotADirectory if it is not a directory."""
    if not root.is_dir():
        raise NotADirectory(f"{root} is not a directory", hint="give a folder with --repo")
    return root.resolve()


def open_index(
    root: Path, *, home: Path | None = None, model: str = "auto", refresh: bool = True,
    progress: Progress | None = None, wait_s: float = DEFAULT_WAIT_S,
    max_file_bytes: int = MAX_FILE_BYTES, max_files: int | None = None,
    serving: bool = False, in_steps: bool = False, share: str | None = None, memory: int = MEMORY_BYTES,
) -> Index:  # fmt: skip
    """The newest generation of a repository, brought up to date first unless `refresh` is off.

    A generation always has the static model's vectors; a transformer named by `model` is used in addition. With `auto`,
    only a `serving` caller uses the transformer of this machine: it has time to load it, and answers without it until
    then. A tree that git does not list and that was never indexed may have at most `max_files` files, else LargeTree.
    `in_steps`: a first index is published several times, each with more files, for readers that need it early.
    With `share`, a first index starts from what is published there (`index.fleet.share`).
    Indexing takes at most `memory` bytes, all its processes together.
    Raises IndexMissing if nothing is published and `refresh` is off, and every error of walking and building.
    """
    root = checked_root(root)
    spec = None
    if serving or model not in ("auto", "embedded"):
        from index.embed.models import second_model

        spec = second_model(model)
    folder = repository_home(root, home)
    store, embedder = _static(folder)
    refreshed: Refreshed | None = None
    if refresh:
        from index.build import Builder
        from index.tree.walk import walk

        last, damage = store.open_or_set_aside()
        max_files = None if last else max_files
        tree = walk(root, own=[folder], max_file_bytes=max_file_bytes, max_files=max_files)
        builder = Builder(root, store, embedder, progress, filter(None, [damage]), memory)
        shared = _share(share, builder, max_file_bytes) if last is None else None
        fetched = _fetched(builder, tree, shared, wait_s)
        for part in _parts(tree) if in_steps and last is None and fetched is None else ():
            last, _ = builder.refresh(part, last, full=False, wait_s=wait_s, partial=True)
        live, refreshed = fetched or _refreshed(builder, tree, last, wait_s)
        if shared is not None:
            _take_over(shared, store, spec)
            refreshed = replace(refreshed, notes=(*refreshed.notes, *shared.notes))
    else:
        last = store.open()
        if last is None:
            old = store.live_name() is not None
            state = "has an index of an older format" if old else "has no index yet"
            raise IndexMissing(f"{root} {state}", hint=f"run `ctxpack index` to build it{' again' if old else ''}")
        live = last
    second = _second_model(spec, store, live, waits=not serving)
    return Index(root, store, live, embedder, refreshed, max_file_bytes, second)


def _share(uri: str | None, builder: Builder, max_file_bytes: int) -> Share | None:
    """The share that the user named; None without one."""
    if not uri:
        return None
    from index.fleet.share import Share

    return Share(uri, builder.root, builder.store, builder.embedder.model_id, max_file_bytes)


def _fetched(builder: Builder, tree: Walk, share: Share | None, wait_s: float) -> tuple[Snapshot, Refreshed] | None:
    """A first generation, made from a published one and the files that differ; None if nothing usable is published."""
    snapshot = share.fetched() if share else None
    if share is None or snapshot is None:
        return None
    try:
        return builder.refresh(tree, snapshot, full=False, wait_s=wait_s)
    except CtxpackError:
        raise
    except Exception as error:  # it may have invalid offsets: checksums do not detect malice
        share.notes.append(f"the published index is damaged ({type(error).__name__}); this index is built without it")
        return None
    finally:
        share.forget_fetched()


def _take_over(share: Share, store: Store, spec: ModelSpec | None) -> None:
    """Store the published vectors of a transformer."""
    if spec is None:
        return
    from index.second_model.fill import take_over

    keys, vectors = share.fetched_vectors(spec)
    if keys:
        take_over(store, spec, keys, vectors)


def _parts(tree: Walk) -> Iterator[Walk]:
    """Ever larger parts of a tree, spread evenly over it: each part contains the one before."""
    stride = 1
    while len(tree.files) >= FIRST_FILES * stride * STEP_GROWTH:
        stride *= STEP_GROWTH
    while stride > 1:
        yield replace(tree, files=tree.files[::stride])
        stride //= STEP_GROWTH


def _refreshed(builder: Builder, tree: Walk, last: Snapshot | None, wait_s: float) -> tuple[Snapshot, Refreshed]:
    """The generation of the walk, or the last one if no new one can be written."""
    try:
        return builder.refresh(tree, last, full=False, wait_s=wait_s)
    except IOFailure as error:
        if last is None:
            raise
        return last, builder.behind(error.message)


def build_index(
    root: Path, *, home: Path | None = None, model: str = "auto", progress: Progress | None = None,
    full: bool = False, wait_s: float = DEFAULT_WAIT_S, max_file_bytes: int = MAX_FILE_BYTES, share: str | None = None,
    memory: int = MEMORY_BYTES,
) -> Index:  # fmt: skip
    """Build or refresh the index of a repository; `full` reads every file again.

    The vectors of a named transformer are completed; those of the one that `auto` finds are computed in the background.
    With `share`, a first index starts from what is published there, and the index of a clean commit is published.
    """
    from index.build import Builder
    from index.embed.models import second_model
    from index.tree.walk import walk

    root = checked_root(root)
    spec = second_model(model)
    folder = repository_home(root, home)
    store, embedder = _static(folder)
    live, damage = (None, "") if full else store.open_or_set_aside()
    tree = walk(root, own=[folder], max_file_bytes=max_file_bytes)
    builder = Builder(root, store, embedder, progress, filter(None, [damage]), memory)
    shared = _share(share, builder, max_file_bytes)
    fetched = _fetched(builder, tree, shared, wait_s) if live is None and not full else None
    snapshot, refreshed = fetched or builder.refresh(tree, live, full=full, wait_s=wait_s)
    if shared is not None:
        _take_over(shared, store, spec)
        shared.publish(snapshot)
    if spec is not None:
        from index.second_model import fill

        if model == "auto":
            fill.start_later(store.home, spec)
        else:
            fill.fill(store, spec, wait_s=wait_s, progress=partial(progress, "embed") if progress else None)
            if shared is not None:
                shared.publish_vectors(spec, fill.vectors_of(store, spec, snapshot))
    if shared is not None:
        refreshed = replace(refreshed, notes=(*refreshed.notes, *shared.notes))
    second = _second_model(spec, store, snapshot, waits=True)
    return Index(root, store, snapshot, embedder, refreshed, max_file_bytes=max_file_bytes, second=second)


def _static(folder: Path) -> tuple[Store, StaticEmbedder]:
    """The store of a repository's generations, and the static model that all of them use."""
    embedder = _embedder()
    return Store(model_home(folder, embedder.model_id)), embedder


@cache
def _embedder() -> StaticEmbedder:
    """The static model; loading it again for each repository and refresh takes 5 ms."""
    from index.embed.static import StaticEmbedder

    return StaticEmbedder.load()


def _second_model(spec: ModelSpec | None, store: Store, snapshot: Snapshot, *, waits: bool) -> SecondModel | None:
    if spec is None:
        return None
    from index.second_model.vectors import SecondModel

    return SecondModel(spec, store.home, snapshot.segment, waits=waits)


def clean(root: Path, *, home: Path | None = None) -> list[Path]:
    """Remove all indexes of a repository; returns the removed folders."""
    folder = repository_home(root.resolve(), home)
    removed = [entry for entry in sorted(folder.glob("*")) if remove_home(entry)]
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
    return removed
