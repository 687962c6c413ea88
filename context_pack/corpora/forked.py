"""A part of the work in a child process: a fork shares what is loaded, so that it starts in a millisecond."""

from __future__ import annotations

import marshal
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from index.processors import processors


def can_fork() -> bool:
    """Whether a child has a core of its own, and nothing in this process but the caller that a fork would cut off."""
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return False
    return processors() > 1


class Forked:
    """Runs `work` in a child process from now on. What it returns must be values that `marshal` takes."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._end, sent = os.pipe()
        self._child = os.fork()
        if not self._child:
            _answer(work, sent)
        os.close(sent)

    def result(self) -> Any:
        """What `work` returned; None when the child failed, whatever the reason: the caller can do the work itself."""
        with os.fdopen(self._end, "rb") as received:
            data = received.read()
        _, status = os.waitpid(self._child, 0)
        with suppress(EOFError, ValueError, TypeError):
            return marshal.loads(data) if not status else None
        return None


def _answer(work: Callable[[], Any], sent: int) -> None:
    """The child's whole life. It ends without the parent's exit handlers and buffers."""
    status = 1
    try:
        with os.fdopen(sent, "wb") as pipe:
            pipe.write(marshal.dumps(work()))
        status = 0
    finally:
        os._exit(status)
