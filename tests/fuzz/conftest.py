"""One worker for all the cases of a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cases import prepare
from limits import Worker


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    one = Worker(prepare=prepare)
    yield one
    one.stop()
