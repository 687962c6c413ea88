"""Messages between the server and its own processes: one JSON document a line."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any, BinaryIO

import orjson

from index.processors import holds_no_lock

READ_BYTES = 1 << 20


def packed(message: Any) -> bytes:
    """One line. A surrogate (from a name that is no valid Unicode) goes as its JSON escape."""
    try:
        return orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # a surrogate, a number of more than 64 bits
        return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def unpacked(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except ValueError:  # what `packed` could not write in the first way
        return json.loads(line)


def claim_stdout() -> BinaryIO:
    """The pipe to the server, for messages alone: what else is printed in this process goes to stderr."""
    wire = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return wire


def claim_stdin() -> int:
    """The pipe from the server, as a descriptor of our own: what else reads stdin in this process finds it empty.

    A worker that this process forks closes `sys.stdin`, and would wait for ever for its lock if a thread were reading.
    """
    wire = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: os.close(wire))
    return wire


def messages(wire: int) -> Iterator[Any]:
    """The server's messages, one after the other. When the server is gone this process is killed, whatever it does."""
    arrived: SimpleQueue[bytes] = SimpleQueue()

    def read() -> None:
        parts: list[bytes] = []  # of a line whose end has not come
        while data := os.read(wire, READ_BYTES):
            first, *rest = data.split(b"\n")
            parts.append(first)
            for start in rest:
                arrived.put(b"".join(parts))
                parts = [start]
        end_group()

    holds_no_lock(threading.Thread(target=read, name="messages", daemon=True)).start()
    while True:
        yield unpacked(arrived.get())


def end_group() -> None:
    """Kill this process and what it has started; the server gives each of its processes a group of its own."""
    if os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)
