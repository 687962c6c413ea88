"""Git's own list of a folder's files, asked in the background while the caller imports and opens what it needs."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from pathlib import Path

from index.tree import git

_UNREADABLE = re.compile(rb"^warning: could not open directory '(.*)': ", re.MULTILINE)
_PLACE = re.compile(r"(?: at)? '|: | in file ")  # what git says goes into hints, which name no folder of the machine
# A path that leads out of the folder: git itself adds none to an index, but reads an index that holds some. The first
# look is for what every one of them holds, at the speed of a search for bytes.
_SIGNS = (b"./", b"//", b"\0/", b"/.\0", b"/..\0")
_STEPS = frozenset({b"", b".", b".."})


@dataclass(frozen=True, slots=True)
class GitAnswer:
    """What git said of one folder: `paths` relative to it, raw bytes, a folder that git does not enter among them.

    `paths` is None where git has no list, and `problem` says why, unless the folder is simply in no repository.
    `unreadable` are the folders that git could not open, each with a slash at its end. `stopped`: it went on for too
    long, and was ended.
    """

    paths: frozenset[bytes] | None
    unreadable: tuple[bytes, ...] = ()
    problem: str = ""
    stopped: bool = False


class Listing:
    """`git ls-files` under way in `root`. `answer()` waits for it and may be called again."""

    def __init__(self, root: str | Path) -> None:
        self._answer: GitAnswer | None = None
        self._done = git.Done(0, b"", b"")
        try:
            self._process = git.start(["ls-files", "--cached", "--others", "--exclude-standard", "-z"], root)
        except OSError as error:
            self._answer = GitAnswer(None, problem=f"git did not start ({error.strerror})")
            return
        # Without a reader git stops as soon as the pipe is full (64 KB, some 1,500 paths).
        self._reader = threading.Thread(target=self._read, name="git ls-files", daemon=True)
        self._reader.start()

    def answer(self) -> GitAnswer:
        if self._answer is None:
            self._reader.join()
            self._answer = _read_answer(self._done)
        return self._answer

    def _read(self) -> None:
        self._done = git.collect(self._process)


def start_listing(root: str | Path) -> Listing:
    """Git at work on `root`, to be handed to `walk`. Never raises: what is wrong with the root, `walk` will say."""
    return Listing(root)


def _read_answer(done: git.Done) -> GitAnswer:
    if done.stopped:
        return GitAnswer(None, problem=done.stopped, stopped=True)
    if done.code == 0:
        paths = frozenset(done.output.split(b"\0")) - {b""}
        if paths & _STEPS or done.output.startswith(b"/") or any(sign in done.output for sign in _SIGNS):
            paths = frozenset(path for path in paths if not _STEPS.intersection(path.removesuffix(b"/").split(b"/")))
        return GitAnswer(paths, tuple(sorted(_UNREADABLE.findall(done.messages))))
    said = _PLACE.split(done.complaint or f"exit code {done.code}")[0]
    outside = said.startswith("not a git repository (or any") or said == "this operation must be run in a work tree"
    return GitAnswer(None, problem="" if outside else f"git refused: {said}")
