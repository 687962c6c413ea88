"""The Markdown files below some folders of a corpus, in one total order, and their content.

Everything is opened by `index.tree.beneath`, step by step from the root: a link that takes the place of a folder or a
file between the walk and the reading is not followed.
"""

# Ten thousand paths are plain strings: pathlib would cost a third of a cached pack.
# ruff: noqa: PTH110, PTH118

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from stat import S_ISREG
from typing import NamedTuple

from context_pack.core.text import is_unicode
from contracts.frozen import frozen
from contracts.records import Hint
from index.tree.beneath import Beneath, NotRead

MAX_FILE_BYTES = 16_000_000  # a page is something that somebody reads
MAX_PROBLEMS = 20  # files named in the hints of one pack; the rest are counted


class FrontmatterError(Exception):
    """What is wrong, and in which line of the text that was given (1-based)."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line, self.message = line, message


class SourceFile(NamedTuple):
    """A file of a corpus: its path below the root with forward slashes, and its stamp.

    `ctime_ns` is the one stamp that no tool sets back: it tells a restored file of the same size and date apart.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int


@frozen
class Problem:
    """Something wrong with a corpus, by file and line (1-based; 0 where no line can be named)."""

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
    """Files by the code points of their paths, and what could not be looked at."""

    files: tuple[SourceFile, ...]
    problems: tuple[Problem, ...]


def markdown_files(root: str, folders: Iterable[str], wanted: Callable[[str], bool]) -> Files:
    """Every `*.md` in `folders` (relative to `root`, at any depth) whose relative path is wanted.

    A link to a file inside the root is read, unless that file is read itself: it is one page, not two. A folder that is
    named here may be such a link; other links to folders are not followed. A folder that does not exist holds no files.
    """
    with Beneath(root) as opened:
        walk = _Walk(root, opened, wanted)
        for folder in folders:
            walk.folder(folder)
    paths = (path for path in sorted(walk.files) if walk.links.get(path) not in walk.files)
    return Files(tuple(walk.files[path] for path in paths), tuple(walk.problems))


def decoded(data: bytes) -> tuple[str, int]:
    """A text without its byte order mark, and the line of the first byte that is not UTF-8 and replaced (0: none)."""
    try:
        return data.decode("utf-8-sig"), 0
    except UnicodeDecodeError as error:
        return data.decode("utf-8-sig", "replace"), data.count(b"\n", 0, error.start) + 1


def read_bytes(root: str, path: str) -> bytes:
    """The content of one file, see `CorpusReader`."""
    with CorpusReader(root) as reader:
        return reader.content(path)


class CorpusReader(Beneath):
    """Reads files of one root, and those that links lead to, as long as these are inside of the root as well."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self._named = root

    def content(self, path: str) -> bytes:
        """OSError where there is no such file; NotRead where it is no plain one, a large one, or outside."""
        try:
            return self.read(path, MAX_FILE_BYTES)
        except (NotRead, NotADirectoryError):
            target = real_path(self._named, path)
            if target in (None, path):
                raise
            return self.read(target, MAX_FILE_BYTES)


def real_path(root: str, path: str) -> str | None:
    """Where a path leads by its links, relative to the root; None where that is outside of it."""
    base, real = os.path.realpath(root).rstrip(os.sep), os.path.realpath(os.path.join(root, path))
    if not f"{real}{os.sep}".startswith(f"{base}{os.sep}"):
        return None
    return real[len(base) + 1 :].replace(os.sep, "/")


class _Walk:
    def __init__(self, root: str, opened: Beneath, wanted: Callable[[str], bool]) -> None:
        self._root, self._opened, self._wanted = root, opened, wanted
        self.files: dict[str, SourceFile] = {}
        self.links: dict[str, str] = {}  # where the files that are links lead to
        self.problems: list[Problem] = []

    def folder(self, relative: str) -> None:
        """All that is below a folder. A list instead of recursion: folders may be nested deeper than Python calls."""
        real = real_path(self._root, relative)
        if real is None:
            self._refuse(relative, "the folder is outside the root, so it is not read")
            return
        waiting = [""]
        while waiting:
            below = waiting.pop()
            try:
                entries = self._opened.entries(f"{real}{below}".lstrip("/"))
                waiting += [f"{below}/{entry.name}" for entry in entries if self._take(entry, relative + below)]
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                self._refuse(relative + below, f"cannot be read: {error.strerror}")

    def _take(self, entry: os.DirEntry[str], folder: str) -> bool:
        """Take in a file that is wanted; whether the entry is a folder."""
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
        """Why a file is not read; empty where it is."""
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
