"""One Chromium for all tests of pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.chromium import Browser, running


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    assert chromium, "these tests need Chromium: scripts/tools installs it on Debian"
    with running(chromium, tmp_path_factory.mktemp("profile")) as started:
        yield started
