"""Real repositories, made by real git without any user configuration."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Git = Callable[..., str]
Plant = Callable[[Path, dict[str, str]], None]
NOBODY = 65534


@pytest.fixture(autouse=True)
def plain_git(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    home.chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Somebody")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "somebody@example.org")


@pytest.fixture
def git() -> Git:
    """`git(folder, *arguments)` -> what it printed."""

    def run(folder: Path, *arguments: str) -> str:
        command = ["git", "-C", str(folder), "-c", "protocol.file.allow=always", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture
def plant() -> Plant:
    """`plant(folder, {path: text})` writes files and their folders."""

    def run(folder: Path, files: dict[str, str]) -> None:
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, "utf-8")

    return run


@pytest.fixture
def repository(tmp_path: Path, git: Git) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q")
    return root


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder owned by the test's user; root, who may do everything, becomes nobody for the rest of the test."""
    with tempfile.TemporaryDirectory(prefix="ctxpack-test-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        was_root = os.geteuid() == 0
        if was_root:
            os.chown(folder, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            if was_root:
                os.seteuid(0)
            for path in [folder, *folder.rglob("*")]:
                if path.is_dir() and not path.is_symlink():
                    path.chmod(0o755)
