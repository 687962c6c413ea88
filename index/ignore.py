"""The rules of gitignore-style files, nested as git nests them."""

# A name on disk is bytes, and pathlib knows text alone.
# ruff: noqa: PTH123

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_MAX_RULE_BYTES = 1_000_000


class IgnoreRules:
    """What the files called `names` (the later one wins) say of the paths below `root`.

    Git's order: the deepest folder's file that says anything decides, its last matching line first; what lies in an
    ignored folder is ignored and cannot be taken back. Paths are raw bytes relative to the root, without a slash at
    either end; the root's own path is empty.
    """

    def __init__(self, root: bytes, names: Sequence[bytes]) -> None:
        self._prefix = root.rstrip(b"/") + b"/"
        self._names = tuple(names)
        self._specs: dict[bytes, GitIgnoreSpec] = {}
        self._folders: dict[bytes, bool] = {b"": False}

    def read(self, folder: bytes) -> None:
        """Take up the rules that lie in `folder`; call it for a folder before asking about anything inside."""
        inside = self._prefix + folder + b"/" if folder else self._prefix
        lines: list[str] = []
        for name in self._names:
            path = inside + name
            if os.access(path, os.R_OK):
                lines += _rule_lines(path)
        if lines:
            self._specs[folder] = _compile(lines)

    def ignores(self, path: bytes) -> bool:
        """Whether the file `path`, or a folder around it, is ignored."""
        return bool(self._specs) and (self.ignores_folder(path.rpartition(b"/")[0]) or self._matches(path, ""))

    def ignores_folder(self, folder: bytes) -> bool:
        if not self._specs:
            return False
        known = self._folders.get(folder)
        if known is None:
            known = self.ignores_folder(folder.rpartition(b"/")[0]) or self._matches(folder, "/")
            self._folders[folder] = known
        return known

    def _matches(self, path: bytes, end: str) -> bool:
        folder = path
        while folder:
            folder = folder.rpartition(b"/")[0]
            spec = self._specs.get(folder)
            if spec is not None:
                inside = path[len(folder) + 1 :] if folder else path
                verdict = spec.check_file(inside.decode("utf-8", "surrogateescape") + end).include
                if verdict is not None:
                    return verdict
        return False


def _rule_lines(path: bytes) -> list[str]:
    """The lines of a rule file; none where it is no plain file: git does not follow links to rules either."""
    try:
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MAX_RULE_BYTES:
            return []
        with open(path, "rb") as file:
            return file.read().decode("utf-8-sig", "surrogateescape").splitlines()
    except OSError:
        return []


def _compile(lines: Iterable[str]) -> GitIgnoreSpec:
    """The rules as one matcher. Lines that are no pattern are passed over, as git does."""
    from pathspec import GitIgnoreSpec

    good: list[str] = []
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue
        good.append(line)
    return GitIgnoreSpec.from_lines(good)
