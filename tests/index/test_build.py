"""Building and refreshing: incremental equals full, and the last generation survives every failure."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunker.api import chunk_file
from chunker.model import FileChunks
from contracts.errors import IndexCorrupt, IndexLocked, IOFailure, NoFiles
from index import open_index
from index.build import Builder
from index.embed.static import StaticEmbedder
from index.generation.reader import INDEX_FORMAT, Snapshot
from index.generation.store import Store
from index.segment.builder import read_files
from index.segment.columns import Segment, Strings
from index.segment.memory import MappedFiles, Memory
from index.segment.merge import merge
from index.segment.workers import read_parallel
from index.tree.walk import WalkedFile, walk
from index.types import Coverage
from tests.index.conftest import SHOP, Keeper, WriteTree


def live_columns(snapshot: Snapshot) -> dict[str, list[object]]:
    """The columns with vocabularies resolved: what a reader can see of a segment, stale terms aside."""
    segment = snapshot.segment
    names, terms = segment.names.to_list(), segment.terms.to_list()
    return {
        "path": list(segment.strings("file.path").to_list()),
        "text": list(segment.strings("file.text").to_list()),
        "symbol": [names[n] if n >= 0 else None for n in segment.array("chunk.symbol").tolist()],
        "lines": segment.array("chunk.start_line").tolist(),
        "body": [
            (chunk, terms[term], tf)
            for chunk, term, tf in zip(
                segment.absolute("body", "chunk", "chunk").tolist(),
                segment.array("body.term").tolist(),
                segment.array("body.tf").tolist(),
                strict=True,
            )
        ],
        "vector": segment.array("chunk.vector").tolist(),
        "edges": [
            snapshot.array(f"{level}/{way}/{part}").tolist()
            for level in ("edge", "file_edge") for way in ("in", "out") for part in ("indptr", "node", "label")
        ],
    }  # fmt: skip


def test_a_refresh_without_changes_publishes_nothing(shop: Path, keeper: Keeper) -> None:
    first, _ = keeper.refresh(shop)
    second, report = keeper.refresh(shop)
    assert second.manifest.generation == first.manifest.generation
    assert (report.added, report.changed, report.removed) == (0, 0, 0)


def test_an_edit_an_addition_and_a_removal_are_counted_and_seen(shop: Path, keeper: Keeper) -> None:
    keeper.refresh(shop)
    (shop / "shop/money.py").write_text("def brand_new_symbol():\n    return 1\n")
    (shop / "shop/extra.py").write_text("EXTRA = 1\n")
    (shop / "README.md").unlink()
    snapshot, report = keeper.refresh(shop)
    assert (report.added, report.changed, report.removed) == (1, 1, 1)
    paths = snapshot.strings("file.path").to_list()
    assert paths == sorted(paths, key=str.encode)
    assert "README.md" not in paths
    assert snapshot.segment.names.find("brand_new_symbol") >= 0


def test_a_touched_file_with_the_same_bytes_is_not_read_as_changed(shop: Path, keeper: Keeper) -> None:
    keeper.refresh(shop)
    os.utime(shop / "shop/cart.py", (1, 1))
    _, report = keeper.refresh(shop)
    assert (report.added, report.changed, report.removed) == (0, 0, 0)


def test_words_of_replaced_text_are_removed_eventually(
    shop: Path, keeper: Keeper, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, embedder: StaticEmbedder
) -> None:
    monkeypatch.setattr("index.build.GROWTH_LEAST", 20)
    sizes = []
    for number in range(40):
        (shop / "shop/extra.py").write_text(f"def word{number}x():\n    return other{number}x\n")
        snapshot, _ = keeper.refresh(shop)
        sizes.append(len(snapshot.segment.names) + len(snapshot.segment.terms))
    fresh, _ = Keeper(tmp_path / "fresh", embedder).refresh(shop)
    least = len(fresh.segment.names) + len(fresh.segment.terms)
    assert max(sizes) < least * 1.25 + 40
    assert snapshot.segment.names.find("word0x") < 0
    assert snapshot.segment.names.find("word39x") >= 0
    assert live_columns(snapshot) == live_columns(fresh)


def test_a_restored_older_file_is_noticed(shop: Path, keeper: Keeper) -> None:
    keeper.refresh(shop)
    text = (shop / "shop/cart.py").read_text().replace("sum_up", "add_up")
    (shop / "shop/cart.py").write_text(text)
    os.utime(shop / "shop/cart.py", (1_000_000_000, 1_000_000_000))  # older than the indexed state
    snapshot, report = keeper.refresh(shop)
    assert report.changed == 1
    assert snapshot.segment.names.find("Cart.add_up") >= 0


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["a.py", "b.py", "lib/c.py", "lib/d.go", "notes.md", "data.txt"]),
        st.sampled_from(["", "x = 1\n", "def alpha():\n    return beta()\n",
                         "def beta():\n    return 1\n\n\nclass Gamma:\n    x = 2\n",
                         "package lib\n\nfunc Delta() int { return 1 }\n", "# Title\n\ntext of gamma\n", "één twee\n"]),
    ),
    min_size=1, max_size=8,
)  # fmt: skip


@given(edits=EDITS, cut=st.integers(1, 8))
@settings(max_examples=25, deadline=None)
def test_incremental_equals_full(
    tmp_path_factory: pytest.TempPathFactory, embedder: StaticEmbedder, edits: list[tuple[str, str]], cut: int
) -> None:
    base = tmp_path_factory.mktemp("incremental")
    root = base / "tree"
    root.mkdir()
    (root / "keep.py").write_text("def kept():\n    return alpha()\n")
    step, whole = Keeper(base / "step", embedder), Keeper(base / "whole", embedder)
    for run in (edits[:cut], edits[cut:]):
        for path, text in run:
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(text)
        snapshot, _ = step.refresh(root)
    full, _ = whole.refresh(root)
    assert live_columns(snapshot) == live_columns(full)


@given(cuts=st.lists(st.integers(0, len(SHOP)), max_size=3), seed=st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_any_partition_of_the_files_merges_to_the_same_segment(
    tmp_path_factory: pytest.TempPathFactory, embedder: StaticEmbedder, cuts: list[int], seed: object
) -> None:
    root = tmp_path_factory.mktemp("partition")
    for path, text in SHOP.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    stats = [WalkedFile(path, len(text), 0) for path, text in SHOP.items()]
    seed.shuffle(stats)  # type: ignore[attr-defined]
    bounds = [0, *sorted(cuts), len(stats)]
    parts = [read_files(root, stats[a:b], embedder.embed_segment) for a, b in pairwise(bounds)]
    merged = merge([(part, np.arange(part.files)) for part in parts])
    whole = merge([(read_files(root, stats, embedder.embed_segment), np.arange(len(stats)))])
    assert _bytes(merged) == _bytes(whole)


def _bytes(segment: Segment) -> dict[str, bytes]:
    found = {name: rows.tobytes() for name, rows in segment.rows.items()}
    for name, column in segment.columns.items():
        found[name] = b"\0".join(column.to_bytes()) if isinstance(column, Strings) else column.tobytes()
    return {**found, "names": segment.names.blob.tobytes(), "terms": segment.terms.blob.tobytes()}


def test_two_processes_read_what_one_reads(
    tmp_path: Path, embedder: StaticEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Path(os.__file__).parent / "json"
    stats = [WalkedFile(file.name, file.stat().st_size, 0) for file in sorted(library.glob("*.py"))]
    alone = merge([(read_files(library, stats, embedder.embed_segment), np.arange(len(stats)))])
    monkeypatch.setattr("index.segment.workers.BATCH_BYTES", 5_000)
    monkeypatch.setattr("index.segment.workers.POOL_BYTES", 0)
    monkeypatch.setattr("index.segment.workers.processors", lambda: 2)
    monkeypatch.setattr("index.segment.workers.can_fork", lambda: True)  # whatever threads other tests have left behind
    segments = read_parallel(library, stats, embedder.embed_segment, None, tmp_path, MappedFiles(), Memory())
    assert len(segments) > 2
    assert _bytes(merge([(segment, np.arange(segment.files)) for segment in segments])) == _bytes(alone)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a platform without forks")
@pytest.mark.parametrize("processes", [2, 3])
def test_forks_read_what_one_process_reads(
    shop: Path, tmp_path: Path, embedder: StaticEmbedder, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    stats = walk(shop).files
    alone = merge([(read_files(shop, stats, embedder.embed_segment), np.arange(len(stats)))])
    fork, pids = os.fork, list[int]()
    monkeypatch.setattr(os, "fork", lambda: pids.append(fork()) or pids[-1])
    monkeypatch.setattr("index.segment.workers.PROCESS_BYTES", 1)
    monkeypatch.setattr("index.segment.workers.processors", lambda: processes)
    monkeypatch.setattr("index.segment.workers.can_fork", lambda: True)  # whatever threads other tests have left behind
    segments = read_parallel(shop, stats, embedder.embed_segment, None, tmp_path, MappedFiles(), Memory())
    assert len(segments) == processes
    assert _bytes(merge([(segment, np.arange(segment.files)) for segment in segments])) == _bytes(alone)
    for pid in pids:
        with pytest.raises(ChildProcessError):  # none is left
            os.waitpid(pid, os.WNOHANG)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a platform without forks")
def test_a_process_that_may_not_fork_reads_all_files(
    shop: Path, tmp_path: Path, embedder: StaticEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fork() -> int:
        raise BlockingIOError("too many processes")

    monkeypatch.setattr(os, "fork", fork)
    monkeypatch.setattr("index.segment.workers.PROCESS_BYTES", 1)
    monkeypatch.setattr("index.segment.workers.processors", lambda: 2)
    monkeypatch.setattr("index.segment.workers.can_fork", lambda: True)
    stats = walk(shop).files
    (segment,) = read_parallel(shop, stats, embedder.embed_segment, None, tmp_path, MappedFiles(), Memory())
    assert segment.files == len(stats)


def test_a_dead_worker_is_one_clear_error(
    tmp_path: Path, embedder: StaticEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    stats = [WalkedFile(f"{number}.py", 40_000, 0) for number in range(8)]
    monkeypatch.setattr("index.segment.workers.POOL_BYTES", 0)
    monkeypatch.setattr("index.segment.workers.processors", lambda: 2)
    monkeypatch.setattr("index.segment.workers.can_fork", lambda: True)  # whatever threads other tests have left behind
    monkeypatch.setattr("index.segment.workers.read_files", lambda *_: os._exit(9))
    with pytest.raises(IOFailure, match="ended unexpectedly"):
        read_parallel(tmp_path, stats, embedder.embed_segment, None, tmp_path, MappedFiles(), Memory())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="what is patched here does not reach a spawned worker")
@pytest.mark.parametrize("pool_bytes", [0, 10**9], ids=["in a pool", "in a fork"])
def test_a_file_that_crashes_its_worker_is_skipped(
    write_tree: WriteTree, keeper: Keeper, monkeypatch: pytest.MonkeyPatch, pool_bytes: int
) -> None:
    own = os.getpid()

    def chunked(data: bytes, path: str) -> FileChunks:
        if path == "b/fatal.py":
            os._exit(1)  # as a crash in a grammar would
        return chunk_file(data, path)

    def read(*args: Any) -> Segment:
        if os.getpid() == own:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)  # a fork takes all files
        return read_files(*args)

    monkeypatch.setattr("index.segment.workers.POOL_BYTES", pool_bytes)
    monkeypatch.setattr("index.segment.workers.read_files", read)

    names = [*(f"a/{number}.py" for number in range(6)), "b/fatal.py", *(f"c/{number}.py" for number in range(6))]
    root = write_tree({name: f"NAME = '{name}'\n" * 2_000 for name in names})
    monkeypatch.setattr("index.segment.workers.processors", lambda: 2)
    monkeypatch.setattr("index.segment.workers.can_fork", lambda: True)  # whatever threads other tests have left behind
    monkeypatch.setattr("chunker.api.chunk_file", chunked)
    snapshot, _ = keeper.refresh(root)
    assert Coverage.of(snapshot.manifest.about) == Coverage(len(names), len(names) - 1, {"reader_crashed": 1})
    assert snapshot.segment.strings("file.path").to_list() == names
    assert not keeper.refresh(root)[1].changed  # it is read again when it changes


WITH_A_CRASHING_GRAMMAR = """
import os, signal, sys
from pathlib import Path
import chunker.api
from index.build import Builder
from index.embed.static import StaticEmbedder
from index.generation.store import Store
from index.tree.walk import walk
chunk_file = chunker.api.chunk_file
def chunked(data, path):
    if b"fatal" in data:
        os.kill(os.getpid(), signal.SIGSEGV)
    return chunk_file(data, path)
chunker.api.chunk_file = chunked
root, store = Path(sys.argv[1]), Store(Path(sys.argv[2]))
full = len(sys.argv) > 3
from index.types import Coverage
snapshot, report = Builder(root, store, StaticEmbedder.load(), None).refresh(
    walk(root), store.open(), full=full, wait_s=1
)
print(report.changed, Coverage.of(snapshot.manifest.about).skipped, flush=True)
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="what is patched here does not reach a spawned worker")
def test_a_file_that_crashes_the_reader_of_a_small_tree_is_skipped_from_the_second_run_on(
    write_tree: WriteTree, keeper: Keeper
) -> None:
    def run(*options: str) -> tuple[int, str]:
        command = [sys.executable, "-c", WITH_A_CRASHING_GRAMMAR, str(root), str(keeper.store.home), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.strip()

    root = write_tree({"a.py": "A = 1\n", "b.py": "fatal = 1\n", "c.py": "C = 1\n"})
    assert run() == (-signal.SIGSEGV, "")
    assert run() == (0, "0 {'reader_crashed': 1}")
    os.utime(root / "b.py", (1, 1))
    assert run() == (0, "0 {'reader_crashed': 1}")  # its content is the same
    write_tree({"a.py": "A = 2\n", "b.py": "fatal = 2\n"})
    assert run() == (0, "2 {'reader_crashed': 1}")
    assert run("--full") == (0, "0 {'reader_crashed': 1}")
    write_tree({"b.py": "B = 1\n"})
    assert run() == (0, "1 {}")
    assert [entry.name for entry in keeper.store.generations.iterdir() if not entry.name.isdigit()] == []


@pytest.mark.parametrize("left", [False, True], ids=["nothing left", "left by a killed writer"])
def test_only_what_a_dead_writer_was_reading_makes_the_next_one_careful(
    shop: Path, keeper: Keeper, monkeypatch: pytest.MonkeyPatch, left: bool
) -> None:
    careful: list[bool] = []

    def noting(*args: Any, **options: bool) -> list[Segment]:
        careful.append(options["careful"])
        return read_parallel(*args, **options)

    monkeypatch.setattr("index.segment.workers.read_parallel", noting)
    monkeypatch.setattr("index.segment.workers.can_fork", lambda: True)  # whatever threads other tests have left behind
    plain = keeper.refresh(shop)[0].segment
    if left:
        (keeper.store.generations / "next/read").mkdir(parents=True)
    again = keeper.refresh(shop, full=True)[0].segment
    keeper.refresh(shop, full=True)
    assert careful == [False, left, False]
    assert _bytes(again) == _bytes(plain)


def test_an_empty_tree_is_an_error_with_its_reason(tmp_path: Path, keeper: Keeper) -> None:
    (tmp_path / "tree").mkdir()
    with pytest.raises(NoFiles, match="it is empty"):
        keeper.refresh(tmp_path / "tree")


def test_a_tree_may_lose_all_its_files_and_get_others(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree({"a.py": "x = 1\n"})
    keeper.refresh(root)
    (root / "a.py").unlink()
    snapshot, refreshed = keeper.refresh(root)
    assert (snapshot.manifest.about["files"], refreshed.removed) == (0, 1)
    (root / "b.py").write_text("y = 1\n")
    assert keeper.refresh(root)[0].manifest.about["files"] == 1


def test_a_tree_of_binaries_reports_them(write_tree: WriteTree, keeper: Keeper) -> None:
    root = write_tree({"a.bin": "\0\0\0", "b.py": "x = 1\n"})
    snapshot, _ = keeper.refresh(root)
    assert Coverage.of(snapshot.manifest.about) == Coverage(2, 1, {"binary": 1})


def test_a_file_that_vanishes_between_walk_and_read_is_reported(shop: Path, keeper: Keeper) -> None:
    seen = walk(shop)
    (shop / "shop/money.py").unlink()
    snapshot, _ = Builder(shop, keeper.store, keeper.embedder, None).refresh(seen, None, full=False, wait_s=1)
    assert Coverage.of(snapshot.manifest.about).skipped == {"vanished": 1}
    again, second = keeper.refresh(shop)
    assert second.removed == 1
    assert again.manifest.generation > snapshot.manifest.generation


def test_a_damaged_generation_is_named_and_never_replaced_silently(shop: Path, keeper: Keeper) -> None:
    snapshot, _ = keeper.refresh(shop)
    arrays = snapshot.folder / "arrays.bin"
    arrays.write_bytes(arrays.read_bytes()[:-10])
    with pytest.raises(IndexCorrupt, match=r"arrays\.bin") as caught:
        keeper.store.open()
    assert str(snapshot.folder) in caught.value.message
    assert "`ctxpack index`" in caught.value.hint


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "1"}', '{"format": 99}', f'{{"format": {INDEX_FORMAT}}}'])
def test_a_manifest_that_is_broken_or_newer_is_an_error(shop: Path, keeper: Keeper, text: str) -> None:
    snapshot, _ = keeper.refresh(shop)
    (snapshot.folder / "manifest.json").write_text(text)
    with pytest.raises(IndexCorrupt):
        keeper.store.open()


def test_an_older_format_is_made_again(shop: Path, keeper: Keeper) -> None:
    snapshot, _ = keeper.refresh(shop)
    (snapshot.folder / "manifest.json").write_text('{"format": 1}')
    assert keeper.store.open() is None
    again, report = keeper.refresh(shop)
    assert again.manifest.generation > snapshot.manifest.generation
    assert report.added == 5


def test_a_pointer_to_nowhere_is_an_error(shop: Path, keeper: Keeper) -> None:
    keeper.refresh(shop)
    (keeper.store.home / "CURRENT").write_text("../../etc\n")
    with pytest.raises(IndexCorrupt):
        keeper.store.open()


def test_flipped_bits_are_found_by_the_checksum(shop: Path, keeper: Keeper) -> None:
    snapshot, _ = keeper.refresh(shop)
    assert Snapshot(snapshot.folder).is_intact()
    arrays = snapshot.folder / "arrays.bin"
    raw = bytearray(arrays.read_bytes())
    raw[len(raw) // 2] ^= 0xFF
    arrays.write_bytes(raw)
    assert not Snapshot(snapshot.folder).is_intact()


def test_a_busy_writer_is_waited_for_and_then_reported(shop: Path, keeper: Keeper) -> None:
    with keeper.store.writing(1.0):
        began = time.monotonic()
        with pytest.raises(IndexLocked, match=str(keeper.store.home)):
            other = Store(keeper.store.home)
            Builder(shop, other, keeper.embedder, None).refresh(walk(shop), None, full=False, wait_s=0.2)
        assert time.monotonic() - began >= 0.2


def test_waiting_for_another_writer_is_reported(shop: Path, keeper: Keeper) -> None:
    told: list[tuple[str, int, int]] = []
    with keeper.store.writing(1.0), pytest.raises(IndexLocked):
        other = Builder(shop, Store(keeper.store.home), keeper.embedder, lambda *step: told.append(step))
        other.refresh(walk(shop), None, full=False, wait_s=1.5)
    assert told == [("wait for another process, second", 1, 2)]


def test_a_full_disk_is_an_error_and_leaves_the_old_generation(shop: Path, keeper: Keeper) -> None:
    """RLIMIT_FSIZE simulates the full disk: the kernel refuses to let the file grow."""
    snapshot, _ = keeper.refresh(shop)
    (shop / "more.py").write_text("MORE = 1\n")
    code = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from pathlib import Path\n"
        "from index.build import Builder\nfrom index.generation.store import Store\nfrom index.tree.walk import walk\n"
        "from index.embed.static import StaticEmbedder\nfrom contracts.errors import IOFailure\n"
        "store = Store(Path(sys.argv[2])); root = Path(sys.argv[1]); model = StaticEmbedder.load()\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n    Builder(root, store, model, None).refresh(walk(root), store.open(), full=False, wait_s=1)\n"
        "except IOFailure as error:\n    print('IOFailure', error.message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(shop), str(keeper.store.home)], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("IOFailure the index in")
    live = keeper.store.open()
    assert live is not None
    assert live.manifest.generation == snapshot.manifest.generation
    assert live.is_intact()
    assert [place.name for place in keeper.store.generations.iterdir()] == [snapshot.folder.name]


AS_NOBODY = """
import os, sys
from pathlib import Path
from index.build import Builder
from index.generation.store import Store
from index.tree.walk import WalkedFile, walk
from index.embed.static import StaticEmbedder
from contracts.errors import IOFailure
root, home, warm = map(Path, sys.argv[1:])
seen, model = walk(root), StaticEmbedder.load()
def build(home):
    Builder(root, Store(home), model, None).refresh(seen, Store(home).open(), full=False, wait_s=1)
build(warm)  # import everything while the interpreter's own files can still be read
if os.geteuid() == 0:
    os.setuid(65534)  # root may write anywhere
try:
    build(home)
except IOFailure as error:
    print("IOFailure", error.message)
"""


def test_a_read_only_index_is_an_error_when_it_would_have_to_change(shop: Path, embedder: StaticEmbedder) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "home"
        snapshot, _ = Keeper(home, embedder).refresh(shop)
        (shop / "more.py").write_text("MORE = 1\n")
        for place in (Path(scratch), home, *home.rglob("*")):  # an index is private to its owner until it is shared
            place.chmod(0o555 if place.is_dir() else 0o444)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, str(shop), str(home), str(shop / "../warm")],
            capture_output=True,
            text=True,
            check=False,
        )
        for folder in (Path(scratch), home, *home.rglob("*")):
            folder.chmod(0o755)
        assert done.stdout.startswith("IOFailure the index in"), done.stderr
        live = Store(home).open()
        assert live is not None
        assert live.manifest.generation == snapshot.manifest.generation


BESIDE_A_READER = """
import sys, threading
from pathlib import Path
from index.build import Builder
from index.generation.store import Store
from index.tree.walk import WalkedFile, walk
from index.embed.static import StaticEmbedder
import index.segment.workers
index.segment.workers.POOL_BYTES = 0
threading.Thread(target=sys.stdin.buffer.read, daemon=True).start()
root = Path(sys.argv[1])
snapshot, _ = Builder(root, Store(Path(sys.argv[2])), StaticEmbedder.load(), None).refresh(
    walk(root), None, full=True, wait_s=1
)
print(snapshot.manifest.about["files"], flush=True)
import os
os._exit(0)
"""


def test_a_program_whose_thread_reads_stdin_can_build(shop: Path, tmp_path: Path) -> None:
    """A forked worker closes stdin, and would wait forever for the lock that the thread holds."""
    for number in range(4):
        (shop / f"large_{number}.py").write_text("VALUE = 1\n" * 4_000)
    with subprocess.Popen(
        [sys.executable, "-c", BESIDE_A_READER, str(shop), str(tmp_path / "home")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], 60)
        files = process.stdout.readline() if ready else b"0"
        process.kill()
    assert int(files) > 4


INTERRUPTED_AT_A_FORK = """
import os, signal, sys
from pathlib import Path
from index.build import Builder
from index.generation.store import Store
from index.tree.walk import WalkedFile, walk
from index.embed.static import StaticEmbedder
import index.segment.workers
index.segment.workers.POOL_BYTES = int(sys.argv[3])
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.Signals[sys.argv[4]]))
root = Path(sys.argv[1])
try:
    Builder(root, Store(Path(sys.argv[2])), StaticEmbedder.load(), None).refresh(walk(root), None, full=True, wait_s=1)
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.parametrize("pool_bytes", [0, 10**9], ids=["of a pool", "of this process"])
def test_an_interruption_in_the_middle_of_a_fork_is_not_lost(shop: Path, tmp_path: Path, pool_bytes: int) -> None:
    for number in range(4):
        (shop / f"large_{number}.py").write_text("VALUE = 1\n" * 4_000)
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT_A_FORK, str(shop), str(tmp_path / "home"), str(pool_bytes), "SIGINT"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("stopped\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a platform without forks")
def test_a_fork_ends_when_its_parent_was_killed(shop: Path, tmp_path: Path) -> None:
    """It would keep the writer's lock, and its output, which is more than a pipe holds."""
    for number in range(4):
        (shop / f"large_{number}.py").write_text("VALUE = 1\n" * 4_000)
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT_A_FORK, str(shop), str(tmp_path / "home"), str(10**9), "SIGKILL"],
        capture_output=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL


def test_a_home_that_is_a_file_is_an_error(shop: Path, tmp_path: Path, embedder: StaticEmbedder) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IOFailure, match="cannot be written"):
        Keeper(tmp_path / "file", embedder).refresh(shop)


def test_the_size_limit_is_the_caller_s(shop: Path, tmp_path: Path) -> None:
    (shop / "large.py").write_text("x = 1\n" * 200)
    small = open_index(shop, home=tmp_path / "home", model="embedded", max_file_bytes=1_000)
    assert small.coverage.skipped == {"too_large": 1}
    assert not small.stale()
    assert open_index(shop, home=tmp_path / "home", model="embedded").coverage.skipped == {}
