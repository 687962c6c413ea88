"""Turns files into segments, with as many processes as there are processors if that is faster.

A small tree is read by this process and forks of it, a larger one by a pool of workers. All segments together may not
fit in memory, so each worker appends its own to a file. A source file that crashes its worker, through a bug in its
grammar, is left out. In a small tree, it may crash the process itself; the next one that reads the tree is told to be
careful, and uses a worker.
"""

from __future__ import annotations

import gc
import mmap
import os
import pickle
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from posixpath import splitext
from typing import TYPE_CHECKING, BinaryIO

from contracts.errors import IOFailure
from contracts.frozen import frozen
from index.processes import can_fork, processors
from index.segment.builder import Embed, read_files
from index.segment.columns import Segment
from index.segment.memory import MappedFiles, Memory
from index.tree.walk import WalkedFile
from index.types import Progress

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

PoolOf = Callable[[int], "ProcessPoolExecutor"]  # the number of workers -> a pool that reads files

# Bytes of source that one worker takes at a time: large enough to share a vocabulary, small enough to balance.
BATCH_BYTES = 600_000
BATCHES_EACH = 2  # at least, per worker: with fewer, one worker waits for another half of the time
# Below this much source, forks are faster than a pool, which takes 40 ms to load and start while this process waits,
# and whose workers each take 20 ms more for memory and tables of their own: 200 KB take 0.1 s to read.
POOL_BYTES = 1_000_000
PROCESS_BYTES = 40_000  # at least, for each process: a first index of 53 KB takes as long with a fork as without
SHARES_EACH = 6  # per process: with fewer, one waits for the others; the number of a share must fit in a byte
SPAWN_POOL_BYTES = 2_000_000  # the same without fork, where every worker loads everything
HAS_FORK = hasattr(os, "fork")
_ALIGN = 64  # a cache line
_MODE = 0o600  # the files hold source
_KILLED = -9  # exit code of a process that the system kills when memory runs out: not the fault of its file


@frozen
class StoredSegment:
    """A segment in a file: its arrays start at byte `start` and have these lengths in bytes; `head` is the rest."""

    file: str
    start: int
    lengths: tuple[int, ...]
    head: bytes


def read_parallel(
    root: Path, stats: Sequence[WalkedFile], embed: Embed, progress: Progress | None,
    folder: Path, files: MappedFiles, memory: Memory, *, careful: bool = False,
) -> list[Segment]:  # fmt: skip
    """The segments of these files; several ones are memory-mapped from files in `folder`, which is empty before.

    If `careful`, workers read even the smallest tree, because a file may crash the process that reads it.
    """
    size, total, done = _size(stats), len(stats), 0
    processes = memory.workers(min(processors(), size // PROCESS_BYTES), size)
    if HAS_FORK and not can_fork():
        processes, careful = 1, False  # the host program has threads; it may not tolerate being spawned again either
    if size < POOL_BYTES and not careful:
        if segments := _from_forks(root, stats, embed, processes):
            tell(progress, "read", total, total)
            return segments
        careful = True
    in_pool = careful or (processes > 1 and (HAS_FORK or size >= SPAWN_POOL_BYTES))
    share = size // (processes * BATCHES_EACH) if in_pool else BATCH_BYTES
    batches = list(_batches(stats, min(BATCH_BYTES, share)))
    tell(progress, "read", 0, total)
    parts: list[StoredSegment] = []
    pool_of = partial(_pool, root, embed, folder)
    pools = _from_pools(root, batches, pool_of, processes, memory) if in_pool else None
    here = (_store(read_files(root, batch, embed), folder) for batch in batches)
    with closing(pools or here) as read:  # closed at once if the caller is interrupted
        for batch, part in zip(batches, read, strict=True):
            parts.append(part)
            done += len(batch)
            tell(progress, "read", done, total)
    return _mapped_segments(parts, folder, files)


def _from_forks(root: Path, stats: Sequence[WalkedFile], embed: Embed, processes: int) -> list[Segment]:
    """The segments of these files, by this process and forks of it; none if a fork ends unexpectedly.

    Each process takes the next share, of which the largest are first, by reading its number from a pipe.
    """
    shares = sorted(_batches(stats, 1 + _size(stats) // (processes * SHARES_EACH)), key=_size, reverse=True)
    _load_languages(shares)
    numbers, writing = os.pipe()
    os.write(writing, bytes(range(len(shares))))
    os.close(writing)

    def read() -> Segment:
        taken = iter(partial(os.read, numbers, 1), b"")
        return read_files(root, chain.from_iterable(shares[number[0]] for number in taken), embed)

    running: list[tuple[int, BinaryIO]] = []
    try:
        with _delayed_interrupt(), suppress(OSError):  # the system may allow fewer processes, or have no fork
            running.extend(_forked(read) for _ in range(processes - 1))
        return [read(), *(pickle.load(output) for _, output in running)]
    except (EOFError, pickle.UnpicklingError):
        return []
    finally:
        os.close(numbers)
        for pid, output in running:
            output.close()
            _end(pid)


def _forked(read: Callable[[], Segment]) -> tuple[int, BinaryIO]:
    """(id, output) of a fork of this process; the output is a segment."""
    if sys.platform == "win32" or not HAS_FORK:
        raise OSError("this system has no fork")
    reading, writing = os.pipe()
    if pid := os.fork():
        os.close(writing)
        return pid, os.fdopen(reading, "rb")
    try:
        os.close(reading)  # or this process would wait for ever to write once its parent was killed
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in `_start_worker`
        gc.freeze()
        with os.fdopen(writing, "wb") as output:
            pickle.dump(read(), output, 5)
    finally:
        os._exit(0)  # without the clean-up of this process, whose locks and folders are still in use


def _end(pid: int) -> None:
    if sys.platform != "win32":
        with suppress(ProcessLookupError, ChildProcessError):  # the host program ignores the end of its children
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _from_pools(
    root: Path, batches: Sequence[Sequence[WalkedFile]], pool_of: PoolOf, workers: int, memory: Memory
) -> Generator[StoredSegment, None, None]:
    """The segments of the batches in order, by one pool after another; a batch that kills a worker is read alone."""
    from concurrent.futures.process import BrokenProcessPool

    most = workers * memory.reads(workers) // BATCH_BYTES
    start = 0
    while start < len(batches):
        try:
            with closing(_from_pool(batches[start : start + most], pool_of, workers)) as read:
                for part in read:
                    yield part
                    start += 1
        except BrokenProcessPool:
            yield _without_fatal(root, batches[start], pool_of)
            start += 1


def _from_pool(
    batches: Sequence[Sequence[WalkedFile]], pool_of: PoolOf, workers: int
) -> Generator[StoredSegment, None, None]:
    """The segments of the batches in order. BrokenProcessPool if a worker dies; an interruption kills all workers."""
    import multiprocessing

    if HAS_FORK:
        _load_languages(batches)
    with pool_of(workers) as pool:
        try:
            with _delayed_interrupt():
                futures = [pool.submit(_read, batch) for batch in batches]
            for future in futures:
                yield future.result()
        except BaseException:  # Ctrl-C, or the caller stops reading: the pool would finish every batch first
            for worker in multiprocessing.active_children():
                worker.kill()
            raise


def _pool(root: Path, embed: Embed, folder: Path, workers: int) -> ProcessPoolExecutor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("fork" if HAS_FORK else "spawn")
    # A worker gets the model once, and with fork at no cost: passing its 9 MB with each batch costs 0.1 s.
    return ProcessPoolExecutor(workers, context, initializer=_start_worker, initargs=(root, embed, folder))


def _without_fatal(root: Path, batch: Sequence[WalkedFile], pool_of: PoolOf) -> StoredSegment:
    """The segment of a batch; files that crash a process of their own are skipped.

    Raises IOFailure if that does not help, or if the system kills the processes.
    """
    import multiprocessing
    from concurrent.futures.process import BrokenProcessPool

    def in_worker(files: Sequence[WalkedFile], fatal: frozenset[str] = frozenset()) -> StoredSegment | None:
        with pool_of(1) as pool:
            future = pool.submit(_read, files, fatal)
            workers = multiprocessing.active_children()
            with suppress(BrokenProcessPool):
                return future.result()
        if any(worker.exitcode == _KILLED for worker in workers):
            raise failure
        return None

    failure = IOFailure(
        f"a process that was reading files of {root} ended unexpectedly",
        hint="the system may be out of memory; try again, or leave out folders with .ctxpackignore",
    )
    part = in_worker(batch) or in_worker(batch, frozenset(file.path for file in batch if in_worker([file]) is None))
    if part is None:
        raise failure
    return part


def _load_languages(batches: Sequence[Sequence[WalkedFile]]) -> None:
    """Load the languages of several files for all workers before these are forked.

    A language's query takes up to 0.14 s to compile: the first question to a small tree takes an eighth longer without.
    """
    from chunker.api import chunk_file

    counts = Counter(splitext(file.path)[1] for batch in batches for file in batch)
    for suffix in (one for one, count in counts.items() if count > 1):
        chunk_file(b"\n", f"a{suffix}")


@contextmanager
def _delayed_interrupt() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block: in the code that Python runs around a fork it is printed and lost."""
    before = signal.getsignal(signal.SIGINT)
    ours = before is signal.default_int_handler and threading.current_thread() is threading.main_thread()
    if not ours:  # the host program handles it
        yield
        return
    interrupts: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupts:
        raise KeyboardInterrupt


_worker_state: tuple[Path, Embed, Path]  # root of the files, vectors of a segment, folder of the results


def _start_worker(root: Path, embed: Embed, folder: Path) -> None:
    global _worker_state  # noqa: PLW0603 - set once in each worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the pool's owner ends it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.freeze()  # the collector would walk, and so copy, all objects of the parent: 1.3 % of the instructions
    _worker_state = root, embed, folder


def _end_with_parent() -> None:
    """End a worker whose parent was killed: it would wait for its next batch for ever."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _read(batch: Sequence[WalkedFile], fatal: frozenset[str] = frozenset()) -> StoredSegment:
    root, embed, folder = _worker_state
    return _store(read_files(root, batch, embed, fatal), folder)


def _size(stats: Sequence[WalkedFile]) -> int:
    return sum(stat.size for stat in stats)


def tell(progress: Progress | None, stage: str, done: int, total: int) -> None:
    if progress is not None:
        progress(stage, done, total)


def _batches(stats: Sequence[WalkedFile], min_bytes: int) -> Iterator[list[WalkedFile]]:
    batch: list[WalkedFile] = []
    size = 0
    for stat in stats:
        batch.append(stat)
        size += stat.size
        if size >= min_bytes:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _store(segment: Segment, folder: Path) -> StoredSegment:
    """Append a segment to this process's file in the folder. Raises OSError."""
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(segment, 5, buffer_callback=buffers.append)
    name = str(os.getpid())
    with open(folder / name, "ab", opener=lambda path, flags: os.open(path, flags, _MODE)) as out:
        start = out.tell()
        for buffer in buffers:
            raw = buffer.raw()
            out.write(raw)
            out.write(b"\0" * (-raw.nbytes % _ALIGN))
    return StoredSegment(name, start, tuple(buffer.raw().nbytes for buffer in buffers), head)


def _mapped_segments(parts: Sequence[StoredSegment], folder: Path, files: MappedFiles) -> list[Segment]:
    """The segments, memory-mapped. Call it after all processes have finished writing."""
    views: dict[str, memoryview] = {}
    for name in {part.file for part in parts}:
        with (folder / name).open("rb") as file:
            views[name] = memoryview(files.add(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))
    return [_mapped_segment(part, views[part.file]) for part in parts]


def _mapped_segment(part: StoredSegment, view: memoryview) -> Segment:
    buffers, at = [], part.start
    for length in part.lengths:
        buffers.append(view[at : at + length])
        at += length + -length % _ALIGN
    return pickle.loads(part.head, buffers=buffers)  # from our own worker
