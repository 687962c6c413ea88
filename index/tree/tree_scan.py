"""Finds every path below a root, as bytes and with its lstat, from git's lists or by scanning the folders."""

# Names on disk are bytes, and pathlib supports only text.
# ruff: noqa: PTH118, PTH120

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from contracts.errors import LargeTree
from index.tree.git import list_files, named_path
from index.tree.ignore import IgnoreFiles

Source = Literal["git", "scan"]
_WORK_TREE = re.compile(rb"(.*/)\.git/worktrees/[^/]+", re.DOTALL)  # git's folder of a linked work tree


class TreeScan:
    """`entries`: raw path -> lstat, of everything but folders; `skipped`: raw path -> reason, folders with a slash.

    Paths are bytes relative to `root`, because names on disk need not be text. `own` are folders that are never
    entered (relative, with a trailing slash). `extra` are the `.ctxpackignore` rules, read along the way. A scan that
    finds more than `max_files` raises LargeTree.
    """

    def __init__(self, root: bytes, own: Sequence[bytes] = (), max_files: int | None = None) -> None:
        self.entries: dict[bytes, os.stat_result] = {}
        self.skipped: dict[bytes, str] = {}
        self.notes: list[str] = []
        self.extra = IgnoreFiles(root, (b".ctxpackignore",))
        self._root = root
        self._own = tuple(own)
        self._git_answers = True
        self._most_files = max_files

    def start(self) -> Source:
        """Collect all paths below the root; returns their source."""
        answer = list_files(os.fsdecode(self._root))
        # An empty list means that the repository around this folder ignores it. The user named it, so it is scanned
        # nevertheless.
        if answer.paths:
            self._add_listing(b"", answer.paths, answer.unreadable)
            return "git"
        if answer.problem:
            self._git_answers = False
            self.notes.append(f"{answer.problem}; ctxpack read the ignore files itself")
        self._scan(b"")
        return "scan"

    def _add_listing(self, folder: bytes, paths: Iterable[bytes], unreadable: Iterable[bytes]) -> None:
        """Add git's list of `folder`. Git does not enter a repository inside another; we do, one by one."""
        prefix = folder + b"/" if folder else b""
        for raw in unreadable:
            self.skipped[prefix + raw] = "no_permission"
        raws = [prefix + path for path in paths]
        if self._own:
            raws = [raw for raw in raws if not raw.startswith(self._own)]
        for inside in sorted(folders_of(raws)):
            self.extra.read(inside)
        nested: list[bytes] = []
        lstat, base, entries = os.lstat, self._root + b"/", self.entries
        for raw in raws:
            try:
                status = lstat(base + raw)
            except OSError as error:
                self._report_unreadable(raw, error)
                continue
            if stat.S_ISDIR(status.st_mode):
                nested.append(raw.rstrip(b"/"))
            else:
                entries[raw] = status
        for inside in sorted(nested):
            self._enter(inside)

    def _enter(self, folder: bytes) -> None:
        """Collect from a folder that git lists as one entry: a submodule or another repository."""
        git = os.path.join(self._root, folder, b".git")
        if self.extra.ignores_folder(folder):
            return
        if _is_second_checkout(git, self._root):
            self.skipped[folder + b"/"] = "linked_worktree"
        elif not os.path.lexists(git):
            before = len(self.entries)
            self._scan(folder)
            if len(self.entries) == before:
                self.skipped[folder + b"/"] = "empty_submodule"
        else:
            self._enter_repository(folder)

    def _enter_repository(self, folder: bytes) -> None:
        if self._git_answers:
            answer = list_files(os.fsdecode(os.path.join(self._root, folder)))
            if answer.paths is not None:
                self._add_listing(folder, answer.paths, answer.unreadable)
                return
            name = folder.decode("utf-8", "backslashreplace")
            why = answer.problem or "git finds no repository"
            after = ", here and in all later repositories" if answer.stopped else ""
            self.notes.append(f"{name}: {why}; ctxpack read the ignore files itself{after}")
            self._git_answers = not answer.stopped  # else we might wait for a thousand repositories in turn
        self._scan(folder)

    def _scan(self, start: bytes) -> None:
        """Collect from `start` down without git, by `.gitignore` files at every level and `.git/info/exclude`."""
        rules = IgnoreFiles(self._root, (b".git/info/exclude", b".gitignore"))
        pending = [start]
        while pending:
            folder = pending.pop()
            rules.read(folder)
            self.extra.read(folder)
            for raw, is_folder, entry in self._entries_of(folder):
                if not is_folder:
                    if not rules.ignores(raw):
                        self._add(raw, entry)
                elif not (rules.ignores_folder(raw) or self.extra.ignores_folder(raw)):
                    if os.path.lexists(os.path.join(self._root, raw, b".git")):
                        self._enter(raw)
                    else:
                        pending.append(raw)
            if self._most_files is not None and len(self.entries) > self._most_files:
                raise LargeTree(os.fsdecode(self._root), self._most_files)

    def _entries_of(self, folder: bytes) -> list[tuple[bytes, bool, os.DirEntry[bytes]]]:
        """(path, whether it is a folder, entry) of the entries of `folder`, without `.git` and our own."""
        prefix = folder + b"/" if folder else b""
        rows: list[tuple[bytes, bool, os.DirEntry[bytes]]] = []
        try:
            with os.scandir(os.path.join(self._root, folder)) as entries:
                for entry in entries:
                    raw = prefix + entry.name
                    if entry.name != b".git" and not (raw + b"/").startswith(self._own or b"/"):
                        rows.append((raw, entry.is_dir(follow_symlinks=False), entry))
        except OSError as error:
            self._report_unreadable(prefix, error)
        return rows

    def _add(self, raw: bytes, entry: os.DirEntry[bytes]) -> None:
        try:
            self.entries[raw] = entry.stat(follow_symlinks=False)
        except OSError as error:
            self._report_unreadable(raw, error)

    def _report_unreadable(self, raw: bytes, error: OSError) -> None:
        """Report a path that the system does not show; a path that is gone is no longer part of the tree."""
        if not isinstance(error, (FileNotFoundError, NotADirectoryError)):
            self.skipped[raw] = "no_permission" if isinstance(error, PermissionError) else "unreadable"


def folders_of(paths: Iterable[bytes]) -> set[bytes]:
    """All folders above the paths, including the root, whose path is empty."""
    folders = {path.rpartition(b"/")[0] for path in paths} | {b""}
    for folder in list(folders):
        above = folder.rpartition(b"/")[0]
        while above not in folders:
            folders.add(above)
            above = above.rpartition(b"/")[0]
    return folders


def _is_second_checkout(git: bytes, root: bytes) -> bool:
    """Whether `git`, the `.git` of a folder, makes it a linked work tree of a repository checked out in `root`.

    Agents keep such trees inside the repository: they repeat every file, on another branch.
    """
    try:
        home = _WORK_TREE.fullmatch(os.fsencode(named_path(Path(os.fsdecode(os.path.dirname(git))), ".git")))
    except OSError:
        return False
    return home is not None and home[1].startswith(os.path.realpath(root).rstrip(b"/") + b"/")
