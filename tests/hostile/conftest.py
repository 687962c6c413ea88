"""A home folder for each test, and a stranger who makes repositories."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from strangers import Stranger, Trap

from tests import forks


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with empty git configuration, ctxpack cache and ctxpack configuration."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(home / "cache"))
    monkeypatch.setenv("CTXPACK_NO_BACKGROUND", "1")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    return home


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path)


@pytest.fixture
def stranger() -> Stranger:
    return Stranger()


@pytest.fixture
def ctxpack() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """`ctxpack("query", "text")`: one run of the command line."""

    def run(*arguments: str, stdin: bytes = b"", cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
        return forks.ctxpack(arguments, cwd=cwd, env=os.environ, stdin=stdin)

    return run
