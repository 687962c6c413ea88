"""Ctrl-C while a tree is indexed: the end within a second, and one line that says what is left."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

from index.processors import holds_no_lock

GRACE_S = 0.4  # for Python to see the signal: it does not while a long call of a library runs
INTERRUPTED = 130  # what shells report for SIGINT
STOPPED = (
    "ctxpack: indexing was stopped. Nothing is lost: an index that was published before still answers (--no-refresh), "
    "and the next run goes on from it."
)


@contextmanager
def stoppable() -> Iterator[None]:
    """What runs inside ends within a second of Ctrl-C, with one line on stderr; click.Abort then ends the command."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if sys.platform == "win32":  # a wake-up goes to sockets alone there: Python sees Ctrl-C when a long call returns
        with _told():
            yield
        return

    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    done = threading.Event()
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    watch = threading.Thread(target=_end_if_stuck, args=(reader, done), name="interrupt", daemon=True)
    holds_no_lock(watch).start()  # or no worker would be forked beside it
    try:
        with _told(done):
            yield
    finally:
        done.set()
        signal.set_wakeup_fd(before)
        os.close(writer)


@contextmanager
def _told(done: threading.Event | None = None) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        if done is not None:
            done.set()
        _say()
        raise click.Abort from None


def _end_if_stuck(reader: int, done: threading.Event) -> None:
    """End the process where the signal has come and nothing has followed from it."""
    while signals := os.read(reader, 16):
        if signal.SIGINT in signals and not done.wait(GRACE_S):
            _kill_workers()
            _say()
            os._exit(INTERRUPTED)
    os.close(reader)


def _kill_workers() -> None:
    if "multiprocessing" in sys.modules:
        from multiprocessing import active_children

        for worker in active_children():
            worker.kill()


def _say() -> None:
    print(f"\r{STOPPED}" if sys.stderr.isatty() else STOPPED, file=sys.stderr, flush=True)
