"""Lists the files below a root in one total order, with a reason for everything left out."""

# Names on disk are bytes, and pathlib supports only text.
# ruff: noqa: PTH100, PTH114

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from contracts.errors import IOFailure, NotADirectory
from contracts.frozen import frozen
from index.tree import MAX_FILE_BYTES
from index.tree.tree_scan import Source, TreeScan

OTHERS_SHARE = 5  # files other than handwritten code are limited to a fifth
_GENERATED = re.compile(rb"\.min\.|\.pb\.|(?i:generated|bundle)|(^|/)(dist|gen|build|out|vendor|third_party)/|\.sql$")


class WalkedFile(NamedTuple):
    """A file at the time of the walk: its POSIX path below the root, spelled as on disk."""

    path: str
    size: int
    mtime_ns: int


class Skipped(NamedTuple):
    """A path that the index does not cover, and why; a folder's path ends in a slash.

    Reasons: `too_large`; `symlink` (leads inside the root, where the target is walked itself); `symlink_outside`;
    `not_a_file` (a pipe, a socket, a device); `no_permission`; `unreadable` (any other refusal of the system);
    `unencodable_name` (not UTF-8; shown with escapes); `empty_submodule` (not checked out); `linked_worktree` (a
    second checkout of a repository that is walked already).
    """

    path: str
    reason: str


@frozen
class Walk:
    """The files of a tree in byte order of their paths, and what was left out, in the same order.

    Ignored files and deleted ones that git still lists are not part of the tree and not counted as skipped.
    `notes` say where git could not answer, so that ignore rules were read without it.
    """

    files: tuple[WalkedFile, ...]
    skipped_paths: tuple[Skipped, ...]
    source: Source
    notes: tuple[str, ...] = ()

    @property
    def skipped(self) -> dict[str, int]:
        """Reason -> number of paths, by reason."""
        return dict(sorted(Counter(skipped.reason for skipped in self.skipped_paths).items()))


def walk(
    root: str | Path,
    *,
    max_file_bytes: int = MAX_FILE_BYTES,
    own: Iterable[str | Path] = (),
    max_files: int | None = None,
) -> Walk:
    """Every file below `root` that git would list (tracked, or not ignored); without git, that no ignore file excludes.

    `.ctxpackignore` files (gitignore syntax, in any folder) exclude more. `own` are our own folders (the index home),
    which are never walked. Nothing outside the root is read. Raises NotADirectory, IOFailure if the root cannot be
    read, or LargeTree if a tree that git does not list has more than `max_files` files.
    """
    folder = os.fsencode(os.path.abspath(root))
    _check_root(folder, str(root))
    scan = TreeScan(folder, _own_prefixes(folder, own), max_files)
    source = scan.start()
    extra, inside = scan.extra, _EntryFilter(folder, max_file_bytes)
    files: list[WalkedFile] = []
    skipped = [(raw, reason) for raw, reason in scan.skipped.items() if not extra.ignores(raw.rstrip(b"/"))]
    for raw, status in sorted(scan.entries.items()):
        if extra.ignores(raw):
            continue
        reason = inside.reason(raw, status)
        try:
            path = raw.decode()
        except UnicodeDecodeError:
            reason = "unencodable_name"
        if reason:
            skipped.append((raw, reason))
        else:
            files.append(WalkedFile(path, status.st_size, status.st_mtime_ns))
    return Walk(
        files=tuple(files),
        skipped_paths=tuple(
            Skipped(raw.decode("utf-8", "backslashreplace"), reason) for raw, reason in sorted(skipped)
        ),
        source=source,
        notes=tuple(scan.notes),
    )


def _check_root(folder: bytes, name: str) -> None:
    try:
        with os.scandir(folder) as entries:
            next(entries, None)
    except (FileNotFoundError, NotADirectoryError) as error:
        what = "is not a directory" if isinstance(error, NotADirectoryError) else "does not exist"
        raise NotADirectory(f"{name} {what}", hint="give the folder to index with --repo") from error
    except OSError as error:
        hint = "check its permissions"
        raise IOFailure(f"{name} cannot be read: {error.strerror}", hint=hint, details={"path": name}) from error


def _own_prefixes(folder: bytes, own: Iterable[str | Path]) -> tuple[bytes, ...]:
    """Our own folders below the root, relative to it, each with a trailing slash."""
    base = os.path.realpath(folder).rstrip(b"/") + b"/"
    real = (os.path.realpath(os.fsencode(path)) + b"/" for path in own)
    return tuple(path[len(base) :] for path in real if path.startswith(base) and path != base)


def is_too_large(raw: bytes, size: int, max_file_bytes: int) -> bool:
    """Whether a file of this path and size is over the limit, which is lower for all but handwritten code."""
    if size <= max_file_bytes // OTHERS_SHARE:
        return False
    if size > max_file_bytes or _GENERATED.search(raw):
        return True
    from chunker.languages.detection import detect_language
    from chunker.languages.table import rules_of

    rules = rules_of(detect_language(os.fsdecode(raw)))
    return rules.prose or not rules.symbols


class _EntryFilter:
    """Decides whether an entry is a file of this tree. Caches the answers for folders, of which there are few."""

    def __init__(self, root: bytes, max_file_bytes: int) -> None:
        self._root = root
        self._prefix = root.rstrip(b"/") + b"/"
        self._max_file_bytes = max_file_bytes
        self._links: dict[bytes, str] = {b"": ""}

    def reason(self, raw: bytes, status: os.stat_result) -> str:
        """Why the entry is to be skipped, or ""."""
        folder = raw.rpartition(b"/")[0]
        if above := self._link_above(folder):
            return above
        if stat.S_ISREG(status.st_mode):
            return "too_large" if is_too_large(raw, status.st_size, self._max_file_bytes) else ""
        return self._link(raw) if stat.S_ISLNK(status.st_mode) else "not_a_file"

    def _link_above(self, folder: bytes) -> str:
        """Why a folder is skipped as, or below, a link: git still lists the files of a folder that became a link."""
        reason = self._links.get(folder)
        if reason is None:
            reason = self._link_above(folder.rpartition(b"/")[0])
            if not reason and os.path.islink(self._prefix + folder):
                reason = self._link(folder)
            self._links[folder] = reason
        return reason

    def _link(self, raw: bytes) -> str:
        root = os.path.realpath(self._root)
        target = os.path.realpath(self._prefix + raw)
        return "symlink" if target == root or target.startswith(root.rstrip(b"/") + b"/") else "symlink_outside"
