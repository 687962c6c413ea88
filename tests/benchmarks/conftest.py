"""The trees that benchmarks take their questions from: the files that a test module names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.index.conftest import write_files


@pytest.fixture
def trees(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder of one repository, `shop`, with the FILES of the test's module."""
    write_files(tmp_path / "trees" / "shop", request.module.FILES)
    return tmp_path / "trees"
