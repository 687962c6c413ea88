"""When to look for cyclic garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collection_paused() -> Iterator[None]:
    """No search for cyclic garbage meanwhile: tens of thousands of records set it off again and again, and are none.

    It takes a third of the time of a pack of a large corpus. Serves as a decorator too.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
