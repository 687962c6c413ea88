"""The command line on a small checked-in project: as the console script, or forked from a process that has started."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests import forks

collect_ignore = ["project"]

PROJECT = Path(__file__).parent / "project"
SCRIPT = Path(sys.executable).with_name("ctxpack")


@dataclass(frozen=True)
class Run:
    """One run of `ctxpack`: its exit code and its output."""

    code: int
    out: bytes
    err: str

    @property
    def envelope(self) -> dict[str, Any]:
        """stdout, which is exactly one JSON document on one line."""
        assert self.out.count(b"\n") == 1 and self.out.endswith(b"\n"), self.out
        loaded: dict[str, Any] = json.loads(self.out)
        return loaded

    @property
    def data(self) -> Any:
        assert self.code == 0, self
        return self.envelope["data"]

    @property
    def error(self) -> Any:
        assert self.code != 0, self
        return self.envelope["error"]


Ctxpack = Callable[..., Run]


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment with a cache folder of the tests."""
    assert SCRIPT.exists(), "install the project into this environment: pip install -e '.[test]'"
    ours = ("CTXPACK_", "PYTHON", "COLUMNS", "LINES")  # pytest-xdist passes the screen size to its workers
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "CTXPACK_CACHE_DIR": str(tmp_path_factory.mktemp("cache")), "CTXPACK_NO_BACKGROUND": "1"}


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checked-in project; tests that change it make their own copy."""
    folder = tmp_path_factory.mktemp("work") / "project"
    shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="session")
def ctxpack(environment: dict[str, str], project: Path) -> Ctxpack:
    """`ctxpack("query", "text", cwd=..., stdin=..., env={...})`: one run of the command line, by `tests.forks`."""

    def run(*arguments: str, cwd: Path = project, stdin: bytes = b"", env: dict[str, str] | None = None) -> Run:
        done = forks.ctxpack(arguments, cwd=cwd, env={**environment, **(env or {})}, stdin=stdin)
        return Run(done.returncode, done.stdout, done.stderr.decode())

    return run


@pytest.fixture(scope="session")
def shell(environment: dict[str, str], project: Path) -> Callable[[str], Run]:
    """`shell("ctxpack ... | head")`: one command line of bash."""
    path = os.pathsep.join([str(SCRIPT.parent), environment.get("PATH", "")])

    def run(command: str) -> Run:
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, cwd=project, env={**environment, "PATH": path}, check=False
        )
        return Run(done.returncode, done.stdout, done.stderr.decode())

    return run


@pytest.fixture(scope="session")
def terminal(environment: dict[str, str], project: Path) -> Callable[..., str]:
    """`terminal("query", "text", env={...}, screen=(rows, columns))`: what a user sees in a terminal.

    Its stdout and stderr are the terminal; with `screen` its stdin is, too.
    """

    def run(*arguments: str, env: dict[str, str] | None = None, screen: tuple[int, int] | None = None) -> str:
        leader, follower = pty.openpty()
        if screen:
            termios.tcsetwinsize(follower, screen)
        with subprocess.Popen(
            [SCRIPT, *arguments],
            stdin=follower if screen else subprocess.DEVNULL,
            stdout=follower,
            stderr=follower,
            cwd=project,
            env={**environment, "TERM": "xterm", **(env or {})},
        ):
            os.close(follower)
            seen = b"".join(blocks_of(leader))
        os.close(leader)
        return seen.decode().replace("\r\n", "\n")

    return run


def blocks_of(leader: int) -> Iterator[bytes]:
    """All that is printed on a terminal, as it comes, until the other end is closed."""
    while True:
        try:
            block = os.read(leader, 65536)
        except OSError:  # Linux: the other end is closed
            return
        if not block:
            return
        yield block
