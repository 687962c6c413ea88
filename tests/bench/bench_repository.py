"""A git repository with a history, for the tests of `ctxpack bench`."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

WORDS = ("alpha", "bravo", "delta", "gamma", "kappa", "sigma", "theta", "omega")


class Repository:
    """A git repository; each commit gets a later date than the one before, unless it is given."""

    def __init__(self, root: Path, later_s: int = 0) -> None:
        self.root = root
        self._moment = 1_700_000_000 + later_s
        if not root.exists():
            root.mkdir()
            self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, **environment: str) -> str:
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        done = subprocess.run(
            ["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True, text=True,
            env={**os.environ, **environment},
        )  # fmt: skip
        return done.stdout.strip()

    def commit(self, subject: str, files: Mapping[str, str], *, moment: int | None = None) -> str:
        for path, text in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        self._moment += 60
        stamp = f"{moment or self._moment} +0000"
        self.git("add", "--all")
        self.git("commit", "--quiet", "-m", subject, GIT_AUTHOR_DATE=stamp, GIT_COMMITTER_DATE=stamp)
        return self.git("rev-parse", "HEAD")


def source(word: str, version: int = 0) -> str:
    """A module about one word, long enough that reading all modules costs something."""
    filler = "\n".join(f"    step_{number} = {number}  # of the work" for number in range(30))
    return f'"""The {word} part."""\n\n\ndef {word}_handler(request):\n{filler}\n    return request + {version}\n'
