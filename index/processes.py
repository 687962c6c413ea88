"""How many processes may run, whether this one may fork, whether work may continue after an answer, and how often
garbage is collected."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from weakref import WeakSet

NO_BACKGROUND = "CTXPACK_NO_BACKGROUND"  # if set, an answer starts no background process
# New objects between two garbage collections. Reading 2,000 files leaves 50,000 objects to collect, of millions; with
# Python's own threshold, collections take 7 % of the time.
_GC_THRESHOLD = 100_000


@dataclass(slots=True)
class _Collections:
    """The blocks in which garbage is collected rarely, and the thresholds before the first of them."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    blocks: int = 0
    usual: tuple[int, int, int] = (0, 0, 0)


_collections = _Collections()
_fork_safe: WeakSet[threading.Thread] = WeakSet()


def processors() -> int:
    """The number of processors, at least 1: those of the machine, or only those that the process is bound to."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def fork_safe(thread: threading.Thread) -> threading.Thread:
    """Declare that a thread waits in a system call and holds no lock that a forked process could need."""
    _fork_safe.add(thread)
    return thread


def can_fork() -> bool:
    """Whether a fork is safe: a lock that another thread holds stays locked in the child for ever.

    The first lock that a multiprocessing worker needs is that of `sys.stdin`.
    """
    if not hasattr(os, "fork") or "lance" in sys.modules:  # its threads are not Python's
        return False
    here = threading.current_thread()
    return all(thread is here or thread in _fork_safe for thread in threading.enumerate())


def background_allowed() -> bool:
    return not os.environ.get(NO_BACKGROUND)


@contextmanager
def rare_collections() -> Iterator[None]:
    """Collect garbage rarely until the end of the block, here and in forks of this process; of blocks that overlap in
    several threads, until the end of the last one."""
    with _collections.lock:
        if not _collections.blocks:
            _collections.usual = usual = gc.get_threshold()
            gc.set_threshold(usual[0] and max(_GC_THRESHOLD, usual[0]), *usual[1:])  # 0: the host program wants none
        _collections.blocks += 1
    try:
        yield
    finally:
        with _collections.lock:
            _collections.blocks -= 1
            if not _collections.blocks:
                gc.set_threshold(*_collections.usual)
