"""The origin of a result: commit, machine, versions, command."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def machine() -> str:
    """Cores, processor, memory and interpreter in one line."""
    cpus = os.cpu_count() or 1
    gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{cpus} cores ({_processor()}), {gib:.0f} GiB, {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def commit() -> str:
    """The commit of this checkout, with `+` if tracked files differ from it; our own output files do not count."""
    sha = _git("rev-parse", "--short=12", "HEAD") or "unknown"
    outputs = (":!README.md", ":!benchmarks/README.md", ":!benchmarks/results", ":!benchmarks/plots")
    return sha + ("+" if _git("status", "--porcelain", "--untracked-files=no", "--", ".", *outputs) else "")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def about(module: str, arguments: Sequence[str] | None = None) -> dict[str, str]:
    """The commit, the machine and the command of a measurement."""
    return {"commit": commit(), "machine": machine(), "command": command(module, arguments)}


def command(module: str, arguments: Sequence[str] | None = None) -> str:
    """The command line of a script with its folders as placeholders, since a local path means nothing to a reader."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    parts: list[str] = []
    option = ""
    for word in words:
        option = word if word.startswith("--") else option
        is_place = "/" in word and word != option
        parts.append((option or "folder").strip("-").replace("-", "_").upper() if is_place else word)
    return " ".join(["python -m", module, *parts])
