"""Gives every test its own cache folder, so that no test sees what another one left behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from shop_project import packed, shop  # noqa: F401 - fixtures


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(folder))
    return folder
