"""A limit on processor time, for tests of hostile inputs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def within(limit_s: float) -> Iterator[None]:
    """Fails if the block takes more processor time than this, in seconds.

    This is no measure of speed: a limit is ten times or more what the block takes on a slow machine whose other
    processor is busy, and what the test guards against (quadratic time, a pattern that backtracks) takes far longer.
    """
    began = time.process_time()
    yield
    took_s = time.process_time() - began
    assert took_s < limit_s, f"{took_s:.2f} s of processor time; the limit is {limit_s:g} s"
