"""How many processors this process may use."""

from __future__ import annotations

import os


def processors() -> int:
    """At least 1. Fewer than the machine has where the process is bound to some of them."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
