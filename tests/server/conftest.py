"""The real server, called over real pipes by the SDK's own client."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from serving import PROJECT, ROOT, Servers

from context_pack.cli.init import write_example


@pytest.fixture
def servers(tmp_path: Path) -> Servers:
    cache = tmp_path / "cache"
    return Servers(
        {"CTXPACK_CACHE_DIR": str(cache), "CTXPACK_NO_BACKGROUND": "1", "PATH": os.environ["PATH"],
         "PYTHONPATH": str(ROOT)}  # this tree, whichever version is installed
    )  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The small project of the command line's tests, as a separate repository."""
    folder = tmp_path / "project"
    shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def examples(tmp_path: Path) -> dict[str, Path]:
    """An example project for each of the other kinds of pack."""
    folders = {kind: tmp_path / f"{kind}-example" for kind in ("graph", "task", "turn", "wiki")}
    for kind, folder in folders.items():
        write_example(kind, str(folder))
    return folders
