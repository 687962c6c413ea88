"""Processes: how many may run, whether one may fork, and whether work may go on after an answer."""

from __future__ import annotations

import os
import sys
import threading
from weakref import WeakSet

NO_BACKGROUND = "CTXPACK_NO_BACKGROUND"  # set to keep an answer from starting any
_holding_no_lock: WeakSet[threading.Thread] = WeakSet()


def processors() -> int:
    """At least 1. Fewer than the machine has where the process is bound to some of them."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def holds_no_lock(thread: threading.Thread) -> threading.Thread:
    """Declare that a thread waits in a system call without any lock that a forked process could need."""
    _holding_no_lock.add(thread)
    return thread


def can_fork() -> bool:
    """Whether a fork is safe: a lock that another thread holds stays locked in the child for ever.

    The lock of `sys.stdin` is the first that a worker of multiprocessing waits for.
    """
    if not hasattr(os, "fork") or "lance" in sys.modules:  # its threads are none of Python's
        return False
    here = threading.current_thread()
    return all(thread is here or thread in _holding_no_lock for thread in threading.enumerate())


def background_allowed() -> bool:
    return not os.environ.get(NO_BACKGROUND)
