"""Indexing within a memory limit: it writes the same bytes, and leaves no spilled data behind."""

from __future__ import annotations

import errno
import gc
import os
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunker.languages.table import LANGUAGES
from chunker.parse.parsing import parse
from index.build import Builder
from index.embed.static import StaticEmbedder
from index.generation.reader import Snapshot
from index.generation.store import Store
from index.processes import rare_collections
from index.segment.memory import Memory
from index.tree.walk import walk
from index.types import MEMORY_BYTES, MIN_MEMORY_BYTES
from tests.index.conftest import Keeper
from tests.reference import postings


@pytest.fixture
def in_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes several processes read even the smallest tree, in several batches each."""
    monkeypatch.setattr("index.segment.workers.BATCH_BYTES", 200)
    monkeypatch.setattr("index.segment.workers.PROCESS_BYTES", 1)
    monkeypatch.setattr("index.segment.workers.POOL_BYTES", 0)
    monkeypatch.setattr("index.segment.workers.processors", lambda: 3)
    monkeypatch.setattr("index.segment.workers.can_fork", lambda: True)


def built(root: Path, home: Path, embedder: StaticEmbedder, memory: int = MEMORY_BYTES) -> Snapshot:
    builder = Builder(root, Store(home), embedder, None, (), memory)
    return builder.refresh(walk(root), None, full=True, wait_s=1)[0]


def test_the_same_bytes_whatever_the_memory_and_the_processes(
    shop: Path,
    tmp_path: Path,
    embedder: StaticEmbedder,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    alone = (built(shop, tmp_path / "alone", embedder).folder / "arrays.bin").read_bytes()
    request.getfixturevalue("in_pool")
    monkeypatch.setattr("index.generation.writer._SMALL", 0)  # every column is read from the file
    monkeypatch.setattr("index.generation.writer._READ_BYTES", 0)
    for blocks in (12, MEMORY_BYTES // 100, MEMORY_BYTES):  # blocks of megabytes, of 100 bytes, of one row
        monkeypatch.setattr("index.segment.memory._BLOCKS", blocks)
        for memory in (MIN_MEMORY_BYTES, MEMORY_BYTES, 10 * MEMORY_BYTES):
            snapshot = built(shop, tmp_path / f"{blocks}-{memory}", embedder, memory)
            assert (snapshot.folder / "arrays.bin").read_bytes() == alone
            assert snapshot.is_intact()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux is given advice")
def test_a_kernel_that_takes_no_advice_stops_no_index(
    shop: Path, tmp_path: Path, embedder: StaticEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: int) -> None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(os, "posix_fadvise", refuse)
    monkeypatch.setattr("index.generation.writer._SMALL", 0)
    assert built(shop, tmp_path / "alone", embedder).is_intact()


@pytest.mark.parametrize("blocks", [12, MEMORY_BYTES // 400, MEMORY_BYTES])
def test_postings_are_what_the_plain_inversion_gives(
    shop: Path, keeper: Keeper, monkeypatch: pytest.MonkeyPatch, blocks: int
) -> None:
    monkeypatch.setattr("index.segment.memory._BLOCKS", blocks)
    snapshot, _ = keeper.refresh(shop)
    for level, target in (("body", "chunk"), ("named", "chunk"), ("doc", "chunk"), ("path", "file")):
        indptr, rows = postings(snapshot.segment, level, target)
        assert np.array_equal(snapshot.array(f"post/{level}/indptr"), indptr)
        assert np.array_equal(snapshot.array(f"post/{level}/{target}"), rows)


@pytest.mark.usefixtures("in_pool")
def test_a_generation_keeps_no_file_of_the_workers(shop: Path, keeper: Keeper) -> None:
    left = keeper.store.generations / "next" / "read"  # left by a killed writer
    left.mkdir(parents=True)
    (left / "17").write_bytes(b"half a segment")
    snapshot, _ = keeper.refresh(shop)
    assert {place.name for place in snapshot.folder.iterdir()} == {"arrays.bin", "manifest.json"}
    assert [place.name for place in keeper.store.generations.iterdir()] == [snapshot.folder.name]


@given(memory=st.integers(MIN_MEMORY_BYTES, 10**11), most=st.integers(1, 256), source=st.integers(0, 10**10))
def test_workers_fit_into_the_memory(memory: int, most: int, source: int) -> None:
    bound = Memory(memory)
    workers = bound.workers(most, source)
    assert 1 <= workers <= most
    assert workers * (80_000_000 + 2 * min(bound.reads(workers), source // workers)) < memory
    assert bound.workers(most, source * 2) <= workers <= Memory(memory * 2).workers(most, source)


def test_a_tree_that_may_exceed_the_memory_limit_is_reported(shop: Path, keeper: Keeper) -> None:
    seen = walk(shop)
    large = replace(seen, files=[entry._replace(size=500_000_000) for entry in seen.files])
    _, report = Builder(shop, keeper.store, keeper.embedder, None).refresh(large, None, full=True, wait_s=1)
    assert any("may take 3.9 GB" in note and "--memory" in note for note in report.notes), report.notes
    _, report = Builder(shop, keeper.store, keeper.embedder, None).refresh(seen, None, full=True, wait_s=1)
    assert not any("--memory" in note for note in report.notes)


def test_the_memory_of_a_parsed_file_is_released() -> None:
    data = b"def total(cart):\n    return sum(cart)\n" * 300
    held = sys.getrefcount(data)
    assert parse(data, LANGUAGES["python"]) is not None
    assert sys.getrefcount(data) == held


@pytest.mark.parametrize("first", [0, 700, 1_000_000])
def test_garbage_is_collected_rarely_only_while_an_index_is_built(first: int) -> None:
    """Not more often than the host program wants, and never if it wants none."""
    before = gc.get_threshold()
    try:
        gc.set_threshold(first, *before[1:])
        with rare_collections():
            assert gc.get_threshold() == (first and max(first, 100_000), *before[1:])
        assert gc.get_threshold() == (first, *before[1:])
    finally:
        gc.set_threshold(*before)


def test_the_last_of_overlapping_builds_restores_the_thresholds() -> None:
    before = gc.get_threshold()
    first, second = rare_collections(), rare_collections()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold()[0] >= 100_000
    second.__exit__(None, None, None)
    assert gc.get_threshold() == before
