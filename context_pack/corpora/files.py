"""The Markdown files below some folders of a corpus, in one total order, each with what tells whether it changed."""

# The standard library's pathlib costs a third of a warm pack here: ten thousand paths are plain strings.
# ruff: noqa: PTH110, PTH118

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from errno import ELOOP
from stat import S_ISDIR, S_ISREG
from typing import NamedTuple

from index.beneath import NotRead, read_beneath

MAX_FILE_BYTES = 256_000_000
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class SourceFile(NamedTuple):
    """A file of a corpus: its path below the root with forward slashes, and its stamp.

    `ctime_ns` is the one stamp that no tool sets back: it tells a restored file of the same size and date apart.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a corpus, by file and line (1-based; 0 where no line can be named)."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"


@dataclass(frozen=True, slots=True)
class Files:
    """Files by the code points of their paths, and what could not be looked at."""

    files: tuple[SourceFile, ...]
    problems: tuple[Problem, ...]


def markdown_files(root: str, folders: Iterable[str], wanted: Callable[[str], bool]) -> Files:
    """Every `*.md` in `folders` (relative to `root`, at any depth) whose relative path is wanted.

    A symbolic link to a file inside the root is read; links to folders are not followed, and nothing outside the root
    is read. A folder that does not exist holds no files.
    """
    walk = _Walk(root, wanted)
    for folder in folders:
        walk.folder(folder)
    return Files(tuple(walk.files[path] for path in sorted(walk.files)), tuple(walk.problems))


def read_bytes(root: str, path: str, size: int = 65_536) -> bytes:
    """A file's content; `size` is what is expected. OSError names the file; NotRead where it is no plain one."""
    full = os.path.join(root, path)
    try:
        descriptor = os.open(full, _FLAGS)
    except OSError as error:
        if error.errno != ELOOP:
            raise
        return _behind_link(root, full)
    try:
        status = os.fstat(descriptor)
        if not S_ISREG(status.st_mode) or status.st_size > MAX_FILE_BYTES:
            raise NotRead(os.fsencode(path), "it is no plain file, or a huge one")
        data = os.read(descriptor, size + 1)
        if len(data) == size:  # one byte more was asked for, so this is the end
            return data
        parts = [data]
        while parts[-1]:
            parts.append(os.read(descriptor, 1 << 20))
        return b"".join(parts)
    finally:
        os.close(descriptor)


def _behind_link(root: str, full: str) -> bytes:
    """The content of a file of the root that a link in it leads to."""
    base, real = os.path.realpath(root), os.path.realpath(full)
    return read_beneath(base, os.path.relpath(real, base), MAX_FILE_BYTES)


class _Walk:
    def __init__(self, root: str, wanted: Callable[[str], bool]) -> None:
        self._root = root
        self._inside = os.path.realpath(root) + os.sep
        self._wanted = wanted
        self.files: dict[str, SourceFile] = {}
        self.problems: list[Problem] = []

    def folder(self, relative: str) -> None:
        """All that is below a folder. A list instead of recursion: folders may be nested deeper than Python calls."""
        if not (os.path.realpath(os.path.join(self._root, relative)) + os.sep).startswith(self._inside):
            self._refuse(relative, "the folder is outside of the root, so it is not read")
            return
        waiting = [relative]
        while waiting:
            here = waiting.pop()
            try:
                with os.scandir(os.path.join(self._root, here)) as entries:
                    waiting += self._taken(here, entries)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                self._refuse(here, f"cannot be read: {error.strerror}")

    def _taken(self, here: str, entries: Iterable[os.DirEntry[str]]) -> list[str]:
        """The folders of a folder, to be looked at later; its files are taken in."""
        folders = []
        files, wanted = self.files, self._wanted
        for entry in entries:
            path = f"{here}/{entry.name}"
            try:
                if not path.endswith(".md"):
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(path)
                    continue
                stamp = entry.stat(follow_symlinks=False)
                if S_ISREG(stamp.st_mode) and (path.isascii() or _encodable(path)):  # nearly every one
                    if wanted(path):
                        files[path] = SourceFile(path, stamp.st_size, stamp.st_mtime_ns, stamp.st_ctime_ns)
                elif S_ISDIR(stamp.st_mode):
                    folders.append(path)
                elif not _encodable(path):
                    self._refuse(path, "the name is not valid UTF-8, so the file is not read")
                elif wanted(path):
                    self._special(entry, path)
            except OSError as error:
                self._refuse(path, f"cannot be looked at: {error.strerror}")
        return folders

    def _special(self, entry: os.DirEntry[str], path: str) -> None:
        """A symbolic link, or what is no file at all."""
        if not entry.is_symlink():
            return
        if not os.path.realpath(entry.path).startswith(self._inside):
            self._refuse(path, "the link leads out of the root, so it is not followed")
        elif entry.is_file():
            stamp = entry.stat()
            self.files[path] = SourceFile(path, stamp.st_size, stamp.st_mtime_ns, stamp.st_ctime_ns)
        elif not os.path.exists(entry.path):
            self._refuse(path, "the link leads nowhere")

    def _refuse(self, path: str, reason: str) -> None:
        self.problems.append(Problem(os.fsencode(path).decode("utf-8", "backslashreplace"), 0, reason))


def _encodable(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
