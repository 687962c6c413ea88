"""Processes: how many may run, whether one may fork, and work of its own that an answer does not wait for."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
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


def start(module: str, *arguments: str) -> None:
    """Run a module of ours, if that is allowed."""
    if not background_allowed():
        return
    subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd=Path(__file__).resolve().parent.parent,
    )


def be_nice() -> None:
    """Let all other processes of this machine go first, where the system has priorities."""
    if sys.platform != "win32":
        os.nice(10)
