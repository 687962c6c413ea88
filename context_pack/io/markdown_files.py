"""Listing and reading the Markdown files below folders of a corpus, in one total order.

Files are opened through `index.tree.beneath`, step by step from the root, so a link that replaces a folder or a file
after the walk is not followed.
"""

# Paths are plain strings: with ten thousand of them, pathlib would take a third of the time of a cached pack.
# ruff: noqa: PTH110, PTH118

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from stat import S_ISREG
from typing import NamedTuple

from context_pack.core.text import is_unicode
from context_pack.io.paths import real_path
from contracts.frozen import frozen
from contracts.records import Hint
from index.tree.beneath import Beneath, NotRead

MAX_FILE_BYTES = 16_000_000  # a larger file is not a page that somebody reads
MAX_PROBLEMS = 20  # files named in the hints of one pack; the rest are counted


class FrontmatterError(Exception):
    """A fault in a frontmatter, and its line in the given text (1-based)."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line, self.message = line, message


class SourceFile(NamedTuple):
    """A file of a corpus: its path below the root with forward slashes, and its stamp.

    No tool sets `ctime_ns` back, so it reveals a restored file of the same size and date.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int


@frozen
class Problem:
    """A problem in a corpus, by file and line (1-based; 0 if no line is known)."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"


def problem_hints(problems: Sequence[Problem], unsaved: str) -> list[Hint]:
    """The first problems, how many more there are, and why the records of the files could not be cached."""
    hints = [Hint("warn", str(problem)) for problem in problems[:MAX_PROBLEMS]]
    if more := len(problems) - len(hints):
        hints.append(Hint("warn", f"{more} more files with problems"))
    return [*hints, Hint("info", f"the files will be read again next time: {unsaved}")] if unsaved else hints


@frozen
class Files:
    """Files sorted by the code points of their paths, and the problems with others."""

    files: tuple[SourceFile, ...]
    problems: tuple[Problem, ...]


def markdown_files(root: str, folders: Iterable[str], wanted: Callable[[str], bool]) -> Files:
    """Every `*.md` in `folders` (relative to `root`, at any depth) whose relative path is wanted.

    A link to a file inside the root is listed, unless the file itself is: it is one page, not two. A folder in
    `folders` may be such a link; other links to folders are not followed. A missing folder contains no files.
    """
    with Beneath(root) as opened:
        walk = _Walk(root, opened, wanted)
        for folder in folders:
            walk.folder(folder)
    paths = (path for path in sorted(walk.files) if walk.links.get(path) not in walk.files)
    return Files(tuple(walk.files[path] for path in paths), tuple(walk.problems))


def decoded(data: bytes) -> tuple[str, int]:
    """The text without a byte order mark, and the line of the first replaced byte that is not UTF-8 (0: none)."""
    try:
        return data.decode("utf-8-sig"), 0
    except UnicodeDecodeError as error:
        return data.decode("utf-8-sig", "replace"), data.count(b"\n", 0, error.start) + 1


def read_bytes(root: str, path: str) -> bytes:
    """The content of one file, see `CorpusReader`."""
    with CorpusReader(root) as reader:
        return reader.content(path)


class CorpusReader(Beneath):
    """Reads files below one root, also through links whose targets are inside the root."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self._named = root

    def content(self, path: str) -> bytes:
        """A file's bytes. OSError if it does not exist; NotRead if it is not plain, too large or outside the root."""
        try:
            return self.read(path, MAX_FILE_BYTES)
        except (NotRead, NotADirectoryError):
            target = real_path(self._named, path)
            if target in (None, path):
                raise
            return self.read(target, MAX_FILE_BYTES)


class _Walk:
    def __init__(self, root: str, opened: Beneath, wanted: Callable[[str], bool]) -> None:
        self._root, self._opened, self._wanted = root, opened, wanted
        self.files: dict[str, SourceFile] = {}
        self.links: dict[str, str] = {}  # the targets of the files that are links
        self.problems: list[Problem] = []

    def folder(self, relative: str) -> None:
        """Walk a folder. A list replaces recursion: folders may be nested deeper than Python's stack."""
        real = real_path(self._root, relative)
        if real is None:
            self._refuse(relative, "the folder is outside the root, so it is not read")
            return
        queue = [""]
        while queue:
            below = queue.pop()
            try:
                entries = self._opened.entries(f"{real}{below}".lstrip("/"))
                queue += [f"{below}/{entry.name}" for entry in entries if self._add(entry, relative + below)]
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                self._refuse(relative + below, f"cannot be read: {error.strerror}")

    def _add(self, entry: os.DirEntry[str], folder: str) -> bool:
        """Add the file if it is wanted; returns whether the entry is a folder."""
        path = f"{folder}/{entry.name}"
        is_folder = entry.is_dir(follow_symlinks=False)
        if is_folder or not path.endswith(".md") or not self._wanted(path):
            return is_folder
        fault = "" if path.isascii() and not entry.is_symlink() else self._fault(path, entry.is_symlink())
        if not fault:
            try:
                status = entry.stat()
                if S_ISREG(status.st_mode):
                    self.files[path] = SourceFile(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
            except OSError as error:
                fault = f"cannot be read: {error.strerror}"
        if fault:
            self._refuse(path, fault)
        return False

    def _fault(self, path: str, is_link: bool) -> str:
        """Why a file is not read; empty if it is read."""
        if not is_unicode(path):
            return "the name is not valid UTF-8, so the file is not read"
        real = real_path(self._root, path) if is_link else path
        if real is None:
            return "the link points outside the root, so it is not followed"
        if is_link:
            self.links[path] = real
        return "" if os.path.exists(os.path.join(self._root, real)) else "the link is broken"

    def _refuse(self, path: str, reason: str) -> None:
        self.problems.append(Problem(os.fsencode(path).decode("utf-8", "backslashreplace"), 0, reason))
