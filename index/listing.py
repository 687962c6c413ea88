"""Git's own list of a folder's files, asked in the background while the caller imports and opens what it needs."""

# A name on disk is bytes, and pathlib knows text alone.
# ruff: noqa: PTH100

from __future__ import annotations

import os
import re
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

# What points git at another repository than the one around the folder: set inside hooks, where ctxpack may well run.
LOCATION_VARIABLES = frozenset(
    {
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_IMPLICIT_WORK_TREE",
    }
)  # fmt: skip
_UNREADABLE = re.compile(rb"^warning: could not open directory '(.*)': ", re.MULTILINE)

_PLACE = re.compile(r"(?: at)? '|: | in file ")  # what git says goes into hints, which name no folder of the machine


@dataclass(frozen=True, slots=True)
class GitAnswer:
    """What git said of one folder: `paths` relative to it, raw bytes, a folder that git does not enter among them.

    `paths` is None where git has no list, and `problem` says why, unless the folder is simply in no repository.
    `unreadable` are the folders that git could not open, each with a slash at its end.
    """

    paths: frozenset[bytes] | None
    unreadable: tuple[bytes, ...] = ()
    problem: str = ""


class Listing:
    """`git ls-files` under way in `root`. `answer()` waits for it and may be called again."""

    def __init__(self, root: str | Path) -> None:
        # fsmonitor is the one setting through which a repository could make this command run a program of its own.
        command = [
            "git", "-c", "core.fsmonitor=false", "-C", os.path.abspath(root),
            "ls-files", "--cached", "--others", "--exclude-standard", "-z",
        ]  # fmt: skip
        environment = {name: value for name, value in os.environ.items() if name not in LOCATION_VARIABLES}
        environment |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
        self._answer: GitAnswer | None = None
        self._output = (b"", b"")
        try:
            self._process = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            self._answer = GitAnswer(None, problem=f"git did not start ({error.strerror})")
            return
        # Without a reader git stops as soon as the pipe is full (64 KB, some 1,500 paths).
        self._reader = threading.Thread(target=self._read, name="git ls-files", daemon=True)
        self._reader.start()

    def answer(self) -> GitAnswer:
        if self._answer is None:
            self._reader.join()
            self._answer = _read_answer(self._process.returncode, *self._output)
        return self._answer

    def _read(self) -> None:
        self._output = self._process.communicate()


def start_listing(root: str | Path) -> Listing:
    """Git at work on `root`, to be handed to `walk`. Never raises: what is wrong with the root, `walk` will say."""
    return Listing(root)


def _read_answer(code: int, output: bytes, messages: bytes) -> GitAnswer:
    if code == 0:
        paths = frozenset(output.split(b"\0")) - {b""}
        return GitAnswer(paths, tuple(sorted(_UNREADABLE.findall(messages))))
    lines = messages.decode("utf-8", "replace").splitlines()
    said = next((line for line in lines if line.startswith("fatal: ")), f"fatal: exit code {code}")
    said = _PLACE.split(said.removeprefix("fatal: "))[0]
    outside = said.startswith("not a git repository (or any") or said == "this operation must be run in a work tree"
    return GitAnswer(None, problem="" if outside else f"git refused: {said}")
