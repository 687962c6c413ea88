"""The real server, called over real pipes by the SDK's own client."""

from __future__ import annotations

from pathlib import Path

import pytest
from serving import Servers, project_in, servers_in

from context_pack.cli.init import write_example


@pytest.fixture
def servers(tmp_path: Path) -> Servers:
    return servers_in(tmp_path)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The small project of the command line's tests, as a separate repository."""
    return project_in(tmp_path)


@pytest.fixture
def examples(tmp_path: Path) -> dict[str, Path]:
    """An example project for each of the other kinds of pack."""
    folders = {kind: tmp_path / f"{kind}-example" for kind in ("graph", "task", "turn", "wiki")}
    for kind, folder in folders.items():
        write_example(kind, str(folder))
    return folders
