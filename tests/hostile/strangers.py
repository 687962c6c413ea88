"""Repositories of a stranger who wants to run a program on this machine; the program leaves a mark."""

from __future__ import annotations

import subprocess
from pathlib import Path

NAMES = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", "-c", "protocol.file.allow=always")


class Trap:
    """A program that leaves a mark when it is run."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "sprung"
        self.program = folder / "trap"
        self.program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{self.mark}'\ncat 2>/dev/null\n")
        self.program.chmod(0o755)

    @property
    def sprung(self) -> str:
        return self.mark.read_text() if self.mark.exists() else ""


class Stranger:
    """Makes repositories with git itself."""

    def git(self, folder: Path, *arguments: str | bytes) -> str:
        command = ["git", "-C", str(folder), *NAMES, *arguments]
        done = subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)
        return done.stdout.decode()

    def repository(self, folder: Path) -> Path:
        """Two folders of code in one commit, and one uncommitted line."""
        for name, text in (("one/deep/first.py", "def first():\n    return 1\n"), ("two/second.py", "SECOND = 2\n")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        self.git(folder, "init", "-q", "-b", "main")
        self.git(folder, "add", "-A")
        self.git(folder, "commit", "-q", "-m", "first")
        with (folder / "two" / "second.py").open("a") as file:
            file.write("THIRD = 3\n")
        return folder

    def lacking(self, folder: Path, *settings: tuple[str, str]) -> Path:
        """A partial clone whose index names a folder whose tree is missing: git would ask the remote for it."""
        self.repository(folder)
        self.git(folder, "sparse-checkout", "init", "--cone", "--sparse-index")
        self.git(folder, "sparse-checkout", "set", "two")
        tree = self.git(folder, "rev-parse", "HEAD:one").strip()
        (folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
        partial = (("core.repositoryformatversion", "1"), ("extensions.partialClone", "origin"))
        for name, value in (*partial, ("remote.origin.promisor", "true"), *settings):
            self.git(folder, "config", name, value)
        return folder
