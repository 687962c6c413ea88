"""Reads the two pipes of a program, up to limits of time and size."""

from __future__ import annotations

import os
import selectors
import sys
import time
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

MOST_MESSAGE_BYTES = 1_000_000
READ_BYTES = 1 << 16
SELECTS_PIPES = sys.platform != "win32"  # Windows waits for several sockets at once, but for one pipe alone

Read = tuple[int, bytes]  # the pipe, and what came out of it: nothing at its end


def read_both(stdout: IO[bytes], stderr: IO[bytes], limit_s: float, most_bytes: int) -> tuple[bytes, bytes, str]:
    """Both pipes to their ends, and why reading stopped before; of messages the first million bytes."""
    deadline = time.monotonic() + limit_s
    out, err = stdout.fileno(), stderr.fileno()
    parts: dict[int, list[bytes]] = {out: [], err: []}
    sizes = dict.fromkeys(parts, 0)
    for pipe, data in (_by_selector if SELECTS_PIPES else _by_threads)(out, err, deadline):
        if not data:
            return b"".join(parts[out]), b"".join(parts[err]), f"git took longer than {limit_s:g} s"
        sizes[pipe] += len(data)
        if pipe == out or sizes[pipe] <= MOST_MESSAGE_BYTES:
            parts[pipe].append(data)
        if sizes[out] > most_bytes:
            return b"".join(parts[out]), b"".join(parts[err]), f"git said more than {most_bytes:,} bytes"
    return b"".join(parts[out]), b"".join(parts[err]), ""


def _by_selector(out: int, err: int, deadline: float) -> Iterator[Read]:
    """The bytes of both pipes until they end; none after the deadline."""
    with selectors.DefaultSelector() as selector:
        for pipe in (out, err):
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            if not ready and time.monotonic() >= deadline:
                yield out, b""
                return
            for key, _ in ready:
                data = os.read(key.fd, READ_BYTES)
                if data:
                    yield key.fd, data
                else:
                    selector.unregister(key.fd)


def _by_threads(out: int, err: int, deadline: float) -> Iterator[Read]:
    """The same, with a thread for each pipe."""
    came: SimpleQueue[Read] = SimpleQueue()

    def read(pipe: int) -> None:
        data = b" "
        while data:
            try:
                data = os.read(pipe, READ_BYTES)
            except OSError:  # closed, because nobody waits any more
                data = b""
            came.put((pipe, data))

    for pipe in (out, err):
        Thread(target=read, args=(pipe,), daemon=True).start()
    open_pipes = 2
    while open_pipes:
        try:
            pipe, data = came.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            yield out, b""
            return
        open_pipes -= not data
        if data:
            yield pipe, data
