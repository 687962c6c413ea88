"""A project, and a `ctxpack` on the path for editors to run."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1] / "cli" / "project"


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment with our console script first on the path, and its own folders for caches and settings."""
    home = tmp_path_factory.mktemp("home")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CTXPACK_", "XDG_", "PYTHON"))}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    cache = str(home / "cache")
    return {**kept, "HOME": str(home), "PATH": path, "CTXPACK_CACHE_DIR": cache, "CTXPACK_NO_BACKGROUND": "1"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checked-in project, marked as a repository."""
    folder = tmp_path_factory.mktemp("work") / "my project"
    shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "ctxpack.toml").write_text("profile = 'fast'\n")
    return folder
