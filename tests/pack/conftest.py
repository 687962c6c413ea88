"""The tree that the questions of a module are about."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest


@pytest.fixture
def tree(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the module's FILES, and an empty cache beside it."""
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    write(tmp_path / "tree", request.module.FILES)
    return tmp_path / "tree"


def write(tree: Path, files: Mapping[str, str]) -> None:
    """Write files by their paths in a folder, which need not exist."""
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")
