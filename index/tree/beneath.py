"""The only way to read a file of an untrusted tree: nothing outside the root, and nothing but regular files.

Between the walk and the reading, a file may be replaced by a link, a pipe or a device, and its folder by a link. So
each step of the path is opened relative to the handle of its parent folder, and no link is followed.
"""

# This module needs handles of folders, which pathlib does not offer.
# ruff: noqa: PTH114, PTH118

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Self

_HAS_HANDLES = os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
# Without O_NONBLOCK, opening a pipe that was put in the place of the file would block.
_FILE = (
    os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)
A_FOLDER, NOT_BELOW = "it is a folder", "it is not a path below the root"


class NotRead(OSError):
    """A path that is not read; `strerror` says why."""

    def __init__(self, path: bytes, why: str) -> None:
        super().__init__(errno.EINVAL, why, os.fsdecode(path))


class Beneath:
    """Reads files of one root. The folder of the last one stays open, because files are read in the order of paths."""

    def __init__(self, root: str | bytes | Path) -> None:
        self._base = os.fsencode(root)
        self._root = os.open(self._base, _FOLDER) if _HAS_HANDLES else -1
        self._folder = b""
        self._handle = self._root

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for handle in {self._handle, self._root} - {-1}:
            with suppress(OSError):
                os.close(handle)
        self._handle = self._root = -1

    def read(self, path: str | bytes, max_bytes: int) -> bytes:
        """The bytes of a regular file. OSError if it does not exist, NotRead if it is anything else or larger."""
        return _read_all(os.fsencode(path), *self._plain(path), max_bytes)

    def open(self, path: str | bytes) -> BinaryIO:
        """A regular file of any size. OSError if it does not exist, NotRead if it is anything else."""
        return os.fdopen(self._plain(path)[0], "rb")

    def entries(self, folder: str | bytes) -> list[os.DirEntry[str]]:
        """The entries of a folder (empty: the root), valid until the next call; do not use their `path`.

        OSError if the folder does not exist, NotRead if a link is in its place.
        """
        raw = os.fsencode(folder)
        if raw:
            _check_below(raw)
        prefix, handle = self._inside(raw)
        with os.scandir(os.fsdecode(prefix) if handle is None else handle) as entries:
            return list(entries)

    def _plain(self, path: str | bytes) -> tuple[int, int]:
        """The handle of a regular file, and its size in bytes."""
        raw = os.fsencode(path)
        folder, _, name = raw.rpartition(b"/")
        _check_below(raw)
        prefix, handle = self._inside(folder)
        before = os.stat(prefix + name, dir_fd=handle, follow_symlinks=False)
        _check_plain(raw, before)
        return _same_file(raw, os.open(prefix + name, _FILE, dir_fd=handle), before)

    def _inside(self, folder: bytes) -> tuple[bytes, int | None]:
        """What leads to the names in a folder: its handle, or the start of their paths on a system without handles of
        folders, as safely as paths allow."""
        if _HAS_HANDLES:
            return b"", self._opened(folder)
        self._refuse_links(folder)
        return os.path.join(self._base, folder, b""), None

    def _opened(self, folder: bytes) -> int:
        if folder == self._folder:
            return self._handle
        handle = self._root
        try:
            for step in folder.split(b"/") if folder else ():
                below = os.open(step, _FOLDER | _NO_FOLLOW, dir_fd=handle)
                if handle != self._root:
                    os.close(handle)
                handle = below
        except OSError as error:
            if handle != self._root:
                os.close(handle)
            if error.errno in (errno.ELOOP, errno.EMLINK) or os.path.islink(os.path.join(self._base, folder)):
                raise NotRead(folder, "a folder on its path is a link") from error
            raise
        if self._handle != self._root:
            os.close(self._handle)
        self._folder, self._handle = folder, handle
        return handle

    def _refuse_links(self, folder: bytes) -> None:
        steps = folder.split(b"/")
        for count in range(1, len(steps) + 1):
            if os.path.islink(os.path.join(self._base, *steps[:count])):
                raise NotRead(folder, "a folder on its path is a link")


def read_beneath(root: str | bytes | Path, path: str | bytes, max_bytes: int) -> bytes:
    """The bytes of one file. OSError if it does not exist, NotRead for a link, pipe, device, folder or larger file."""
    with Beneath(root) as files:
        return files.read(path, max_bytes)


def _check_below(raw: bytes) -> None:
    if {b"", b".", b".."}.intersection(raw.split(b"/")):
        raise NotRead(raw, NOT_BELOW)


def _check_plain(raw: bytes, status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise NotRead(raw, "it is a link")
    if stat.S_ISDIR(status.st_mode):
        raise NotRead(raw, A_FOLDER)
    if not stat.S_ISREG(status.st_mode):
        raise NotRead(raw, "it is not a regular file")


def _same_file(raw: bytes, file: int, before: os.stat_result) -> tuple[int, int]:
    """An opened file and its size. If it is not the file that was checked, closes it and raises NotRead."""
    now = os.fstat(file)
    if (now.st_dev, now.st_ino) != (before.st_dev, before.st_ino):
        os.close(file)
        raise NotRead(raw, "it was replaced by another file")
    return file, now.st_size


def _read_all(raw: bytes, file: int, expected: int, max_bytes: int) -> bytes:
    with os.fdopen(file, "rb") as stream:
        data = stream.read(min(expected, max_bytes) + 1)
        if len(data) > expected:  # it has grown
            data += stream.read(max_bytes + 1 - len(data))
    if len(data) > max_bytes:
        raise NotRead(raw, f"it has more than {max_bytes:,} bytes")
    return data
