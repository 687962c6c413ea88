"""Work that an answer does not wait for: a process of its own, which outlives it and may be killed at any instant."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

NO_BACKGROUND = "CTXPACK_NO_BACKGROUND"  # set to keep an answer from starting any


def is_allowed() -> bool:
    return not os.environ.get(NO_BACKGROUND)


def start(module: str, *arguments: str) -> None:
    """Run a module of ours, if that is allowed."""
    if not is_allowed():
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
    """Let whatever else this machine is at go first, where the system can be told."""
    if sys.platform != "win32":
        os.nice(10)
