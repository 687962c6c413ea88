"""A progress line on a terminal's stderr, and handling of Ctrl-C and SIGTERM while a command works."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from types import FrameType
from typing import TextIO

import click

from index.processes import fork_safe
from index.types import Progress

REDRAW_S = 0.1  # a terminal on a slow connection must not slow the work
QUIET_S = 0.4  # refreshing a few files ends before anyone can read a line
MANY = 200  # items whose first part may take seconds: their line is drawn at once


@contextmanager
def progress_line() -> Iterator[Progress | None]:
    """A progress callback that draws on stderr and cleans up at the end; None if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    line = ProgressLine(sys.stderr)
    try:
        yield line.update
    finally:
        line.clear()


class ProgressLine:
    """One line that is redrawn: `embedding 1,200 of 5,000 [####------] 850/s, 4 s left`."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._stage = ""
        self._stage_start = self._start = clock()
        self._drawn_at = 0.0
        self._drawn = False

    def update(self, stage: str, done: int, total: int) -> None:
        """A `total` of 0 means that the amount of work is unknown."""
        now = self._clock()
        if stage != self._stage:
            self._stage, self._stage_start = stage, now
        elif now - self._drawn_at < REDRAW_S and done < total:
            return
        if now - self._start < QUIET_S and (done or total < MANY):
            return
        width = shutil.get_terminal_size().columns - 1
        text = progress_text(stage, done, total, now - self._stage_start)
        self._stream.write(f"\r{text[:width].ljust(width)}")
        self._stream.flush()
        self._drawn_at, self._drawn = now, True

    def clear(self) -> None:
        if self._drawn:
            self._stream.write(f"\r{' ' * (shutil.get_terminal_size().columns - 1)}\r")
            self._stream.flush()


def progress_text(stage: str, done: int, total: int, spent_s: float) -> str:
    rate = done / spent_s if spent_s > 0 else 0.0
    speed = f" {rate:,.0f}/s" if rate >= 1 else ""
    if total <= 0:
        return f"{stage} {done:,}{speed}"
    filled = min(20, 20 * done // total)
    left = f", {_duration((total - done) / rate)} left" if 0 < done < total and rate > 0 else ""
    return f"{stage} {done:,} of {total:,} [{'#' * filled}{'-' * (20 - filled)}]{speed}{left}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


AGAIN_S = 0.01  # longer than any function whose exceptions Python discards
GRACE_S = 0.4  # time for Python to handle the signal, which waits until a library call returns
INTERRUPTED, TERMINATED = 130, 143  # what shells report for SIGINT and SIGTERM
STOPPED = (
    "ctxpack: indexing was stopped. The previous index, if any, is intact and still answers with --no-refresh; "
    "the next run continues from it."
)


@contextmanager
def exit_on_sigterm() -> Iterator[None]:
    """Turn SIGTERM into a normal exit that removes scratch folders; further SIGTERMs are ignored."""
    stopped = False

    def leave(number: int, frame: FrameType | None) -> None:
        nonlocal stopped
        stopped = True
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise SystemExit(TERMINATED)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        with _repeated_if_discarded(signal.SIGTERM):
            yield
    except Exception:  # until Python 3.12, an exit during __set_name__ arrives as a RuntimeError
        if not stopped:
            raise
    finally:
        signal.signal(signal.SIGTERM, before)
    if stopped:
        raise SystemExit(TERMINATED)


@contextmanager
def until_stopped() -> Iterator[None]:
    """Treat Ctrl-C and SIGTERM as the normal end of the code inside, not as a failure."""
    signal.signal(signal.SIGTERM, _interrupt)
    with suppress(KeyboardInterrupt), _repeated_if_discarded(signal.SIGTERM):
        yield


def _interrupt(number: int, frame: FrameType | None) -> None:
    """What Ctrl-C does now: `asyncio.run` cancels its main task, all else gets a KeyboardInterrupt."""
    handler = signal.getsignal(signal.SIGINT)
    (handler if callable(handler) else signal.default_int_handler)(number, frame)


@contextmanager
def _repeated_if_discarded(number: int) -> Iterator[None]:
    """Send the signal again where Python prints and discards what its handler raises, as in `__del__`.

    Which function runs is chance: each import has a callback of this kind.
    """
    handler = signal.getsignal(number)
    hook = sys.unraisablehook
    repeats: list[threading.Timer] = []

    def repeat(lost: sys.UnraisableHookArgs) -> None:
        is_exit = isinstance(lost.exc_value, (KeyboardInterrupt, SystemExit))
        if not is_exit or threading.current_thread() is not threading.main_thread():
            hook(lost)
            return
        signal.signal(number, handler)
        # To the process, so that a main thread that waits wakes up; on Windows, this would end the process at once.
        send = signal.raise_signal if sys.platform == "win32" else partial(os.kill, os.getpid())
        repeats.append(threading.Timer(AGAIN_S, send, (number,)))
        repeats[-1].start()

    sys.unraisablehook = repeat
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for timer in repeats:
            timer.cancel()


@contextmanager
def stoppable() -> Iterator[None]:
    """End the code inside within a second of Ctrl-C, with one line on stderr, and raise click.Abort."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if sys.platform == "win32":  # wake-ups need a socket there: Python handles Ctrl-C when a long call returns
        with _one_line_on_interrupt():
            yield
        return

    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    done = threading.Event()
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    watch = threading.Thread(target=_end_if_stuck, args=(reader, done), name="interrupt", daemon=True)
    fork_safe(watch).start()  # otherwise no worker would be forked while it runs
    try:
        with _one_line_on_interrupt(done), _repeated_if_discarded(signal.SIGINT):
            yield
    finally:
        done.set()
        signal.set_wakeup_fd(before)
        os.close(writer)


@contextmanager
def _one_line_on_interrupt(done: threading.Event | None = None) -> Iterator[None]:
    try:
        yield
    except (KeyboardInterrupt, RuntimeError) as error:
        if not isinstance(error, KeyboardInterrupt) and not isinstance(error.__cause__, KeyboardInterrupt):
            raise  # until Python 3.12, an interrupt during __set_name__ is the cause of a RuntimeError
        if done is not None:
            done.set()
        _say()
        raise click.Abort from None


def _end_if_stuck(reader: int, done: threading.Event) -> None:
    """End the process if SIGINT has had no effect for GRACE_S."""
    while signals := os.read(reader, 16):
        if signal.SIGINT in signals and not done.wait(GRACE_S):
            if "multiprocessing" in sys.modules:
                from multiprocessing import active_children

                for worker in active_children():
                    worker.kill()
            _say()
            os._exit(INTERRUPTED)
    os.close(reader)


def _say() -> None:
    print(f"\r{STOPPED}" if sys.stderr.isatty() else STOPPED, file=sys.stderr, flush=True)
